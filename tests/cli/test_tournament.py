"""`put tournament` and `put match`: results, refusals, exit codes."""

import json
from pathlib import Path

import pytest

from put_cli.plugins import discovery
from tests.cli.conftest import Put
from tests.tournament.runs import write_strategies

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """Strategies in files."""
    return write_strategies(tmp_path)


SMALL = ("--games", "20", "--match-games", "5", "--seed", "3", "--workers", "1")


# What comes out.


def test_a_tournament_prints_its_standings_and_says_where_the_log_is(put: Put) -> None:
    result = put("tournament", "random", "thrifty", "highest", *SMALL, "--out", "run")
    assert result.code == 0
    for name in ("random", "thrifty", "highest"):
        assert name in result.out
    assert "cotton: 3 strategies (3 native), 3 pairings of 20 games, seed 3" in result.err
    assert "Log, tables and data dictionary: run" in result.err
    assert Path("run/standings.csv").read_text().count("\n") == 4


def test_json_is_one_object_with_what_was_played_and_what_came_out(put: Put) -> None:
    result = put("tournament", "random", "thrifty", "highest", *SMALL, "--json", "--quiet")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("\n") == 1
    told = json.loads(result.out)
    assert (told["rules"], told["seed"], told["games"]) == ("cotton", 3, 20)
    assert [each["name"] for each in told["strategies"]] == ["random", "thrifty", "highest"]
    assert {row["name"] for row in told["standings"]} == {"random", "thrifty", "highest"}
    assert [row["rank"] for row in told["standings"]] == [1, 2, 3]
    assert sum(row["wins"] for row in told["standings"]) == 60
    assert [(row["a"], row["b"]) for row in told["pairings"]] == [
        ("random", "thrifty"),
        ("random", "highest"),
        ("thrifty", "highest"),
    ]
    run = Path(told["run"])
    assert json.loads((run / "standings.json").read_text()) == told


def test_quiet_prints_the_result_alone(put: Put) -> None:
    loud = put("match", "random", "thrifty", *SMALL)
    quiet = put("match", "random", "thrifty", *SMALL, "--quiet")
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out == loud.out
    assert loud.err


def test_the_run_directory_is_named_by_time_and_rules_and_latest_leads_to_it(put: Put) -> None:
    names = []
    for rules in ("truc-french(raise=plus2)", "cotton"):
        put("match", "random", "thrifty", *SMALL, "--rules", rules)
        names.append(Path("runs/latest").resolve().name)
        assert put("standings").code == 0
    assert names[0].endswith("-truc-french-raise-plus2")
    assert names[1].endswith("-cotton")
    assert sorted(path.name for path in Path("runs").iterdir()) == sorted([*names, "latest"])


def test_a_directory_in_the_place_of_latest_stays_and_nothing_else_is_left(put: Put) -> None:
    Path("runs/latest").mkdir(parents=True)
    assert put("match", "random", "thrifty", *SMALL).code == 0
    found = sorted(path.name for path in Path("runs").iterdir())
    assert len(found) == 2
    assert found[1] == "latest"
    assert not Path("runs/latest").is_symlink()


def test_one_is_not_many(put: Put) -> None:
    both = put("match", "random", "thrifty", "--games", "1", "--no-mirror", "--seed", "3")
    assert "2 strategies (2 native), 1 pairing of 1 game, seed 3" in both.err


def test_a_run_needs_no_standard_error(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)  # a process that was started without one
    result = put("match", "random", "thrifty", *SMALL)
    assert result.code == 0
    assert "thrifty" in result.out


def test_match_is_a_tournament_of_two(put: Put) -> None:
    options = (*SMALL, "--json", "--quiet")
    match = json.loads(put("match", "random", "thrifty", *options, "--out", "a").out)
    both = json.loads(put("tournament", "random", "thrifty", *options, "--out", "b").out)
    assert match.pop("run") == "a"
    assert both.pop("run") == "b"
    assert match == both


def test_the_seed_is_random_and_told_when_none_is_given(put: Put) -> None:
    seeds = {
        json.loads(put("match", "random", "thrifty", "--games", "2", "--json").out)["seed"]
        for _ in range(3)
    }
    assert len(seeds) == 3


def test_every_installed_strategy_plays_when_none_is_named(put: Put) -> None:
    told = json.loads(
        put("tournament", "--games", "2", "--workers", "1", "--json", "--log", "none").out
    )
    names = {each.name for each in discovery.installed()}
    expected = {name for name in names if discovery.load(name).strategy.game == "put"}
    assert {each["name"] for each in told["strategies"]} == expected


def test_a_fault_ends_a_finished_run_with_exit_code_3(put: Put, own: dict[str, str]) -> None:
    result = put("tournament", own["faulty"], "random", "thrifty", *SMALL, "--out", "run")
    assert result.code == 3
    assert "faulty raised IndexError: tuple index out of range" in result.err
    assert "faulty" in result.out
    told = json.loads(Path("run/standings.json").read_text())
    faults = {row["name"]: row["faults"] for row in told["standings"]}
    assert faults["faulty"] > 0
    assert faults["random"] == faults["thrifty"] == 0
    assert f"Games lost by a fault: {faults['faulty']}" in result.err
    assert put("tournament", own["faulty"], "random", *SMALL, "--json", "--quiet").code == 3


@pytest.mark.parametrize("tier", ["native", "batch", "interpreted"])
def test_a_tier_can_be_asked_for_and_changes_nothing(
    put: Put, own: dict[str, str], tier: str
) -> None:
    options = (*SMALL, "--json", "--quiet")
    told = json.loads(put("match", own["mixed"], "random", *options, "--tier", tier).out)
    auto = json.loads(put("match", own["mixed"], "random", *options).out)
    assert told["standings"] == auto["standings"]

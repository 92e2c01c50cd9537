"""Partners, more players and the Laws come out the same whoever plays a run."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from put_cli.log import manifest
from tests.tournament.runs import parts, play_run, small_shards, write_strategies

FIELDS = {
    "three-handed": ("random", "mixed", "faulty", "odds"),
    "cotton(players=4, misdeals=0.1)": ("random", "mixed", "faulty", "odds"),
    "four-handed(misdeals=0.1)": ("random+mixed", "mixed", "faulty+odds"),
    "cotton(misdeals=0.1)": ("random", "mixed", "faulty"),
}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Paths of the strategies of these tests; shards are small."""
    small_shards(monkeypatch)
    return write_strategies(tmp_path)


def field_of(rules: str, own: dict[str, str]) -> list[str]:
    """The strategies to play a rule set, files by their paths."""
    field = FIELDS[rules]
    return ["+".join(own.get(each, each) for each in side.split("+")) for side in field]


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    """Every row of a table of a run."""
    return [
        row
        for path in sorted((run / table).glob("part-*.parquet"))
        for row in pq.ParquetFile(path).read().to_pylist()
    ]


@pytest.mark.parametrize("rules", FIELDS)
def test_one_worker_and_two_write_the_same_bytes(
    tmp_path: Path, own: dict[str, str], rules: str
) -> None:
    field = field_of(rules, own)
    one = play_run(tmp_path / "one", *field, rules=rules, games=120, workers=1)
    play_run(tmp_path / "two", *field, rules=rules, games=120, workers=2)
    assert len(one.prepared.workshop.shards) > 1
    assert one.faults > 0
    assert one.differences == 0
    assert parts(tmp_path / "one") == parts(tmp_path / "two")
    for name in ("standings.csv", "standings.md", "crosstable.csv", "README.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize("rules", FIELDS)
def test_compiled_and_interpreted_players_write_the_same_bytes(
    tmp_path: Path, own: dict[str, str], rules: str
) -> None:
    field = field_of(rules, own)
    for tier in ("auto", "batch", "interpreted"):
        play_run(tmp_path / tier, *field, rules=rules, games=24, tier=tier)
        assert parts(tmp_path / tier) == parts(tmp_path / "auto")


def test_the_games_of_a_table_are_the_same_whoever_else_plays(
    tmp_path: Path, own: dict[str, str]
) -> None:
    few = ("random", own["mixed"], "odds")
    play_run(tmp_path / "few", *few, rules="three-handed", games=12)
    play_run(tmp_path / "many", *few, "bold", "thrifty", rules="three-handed", games=12)
    for table in ("hands", "plays", "games", "tallies"):
        alone = rows(tmp_path / "few", table)
        assert alone == [row for row in rows(tmp_path / "many", table) if row["pairing"] == 0]


def test_a_sample_of_tables_plays_games_of_the_whole(tmp_path: Path, own: dict[str, str]) -> None:
    field = ("random", own["mixed"], "odds", "bold", "thrifty")
    play_run(tmp_path / "all", *field, rules="three-handed", games=6)
    some = play_run(tmp_path / "some", *field, rules="three-handed", games=6, tables=5)
    played = {row["pairing"] for row in rows(tmp_path / "some", "games")}
    assert len(played) == 5
    assert some.standings.games == 30
    assert [row for row in rows(tmp_path / "all", "plays") if row["pairing"] in played] == rows(
        tmp_path / "some", "plays"
    )
    assert {line.games for line in some.standings.strategies} == {18}


def test_a_team_is_an_entry_of_its_own_and_of_one_strategy_just_its_name(
    tmp_path: Path, own: dict[str, str]
) -> None:
    field = ("odds+bold(worst=9.0)", f"bold+{own['mixed']}", "thrifty+thrifty")
    play_run(tmp_path / "run", *field, rules="four-handed", games=4)
    made = manifest.read(tmp_path / "run")
    assert made.names == ["odds+bold(worst=9.0)", "bold+mixed", "thrifty"]
    partners = [each.get("partner", {}).get("name") for each in made.strategies]
    assert partners == ["bold(worst=9.0)", "mixed", None]
    assert made.strategies[0]["partner"]["parameters"]["worst"] == 9
    assert {row["winner"] for row in rows(tmp_path / "run", "games")} <= set(made.names)

"""put compare, put plan, put match --sprt and put standings --anchor."""

import json
from pathlib import Path

import pytest

from put_cli.tournament.workers import available_cores
from tests.cli.conftest import Put


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def match(put: Put, out: str, *strategies: str, seed: int = 7, games: int = 80) -> None:
    options = ["--seed", str(seed), "--games", str(games), "--match-games", "10", "--workers", "1"]
    assert put("match", *strategies, *options, "--log", "none", "--out", out, "--quiet").code == 0


def test_two_runs_are_compared_deal_by_deal(put: Put) -> None:
    match(put, "before", "sly", "closer")
    match(put, "after", "odds", "closer")
    result = put("compare", "before", "after")
    assert result.code == 0
    assert "sly -> odds" in result.out
    assert "deal for deal" in " ".join(result.out.split())
    first, second = json.loads(put("compare", "before", "after", "--json").out)
    assert (first["first_name"], first["second_name"]) == ("sly", "odds")
    assert second["first_name"] == second["second_name"] == "closer"
    assert first["difference"] == pytest.approx(-second["difference"])
    assert first["games"] == 80


def test_runs_on_different_deals_are_not_compared(put: Put) -> None:
    match(put, "before", "sly", "closer")
    match(put, "after", "odds", "closer", seed=8)
    result = put("compare", "before", "after")
    assert result.code == 2
    assert "expected runs of the same seed" in result.err
    assert "got 7 in 'before' and 8 in 'after'" in result.err


def test_a_single_block_is_too_little_to_compare(put: Put) -> None:
    match(put, "before", "sly", "closer", games=20)
    match(put, "after", "odds", "closer", games=20)
    assert "two blocks of the same deals at least, got 1" in put("compare", "before", "after").err


def test_a_pilot_plans_the_games_of_a_precision(put: Put) -> None:
    match(put, "pilot", "sly", "closer")
    text = put("plan", "pilot", "--elo", "5").out
    (told,) = json.loads(put("plan", "pilot", "--elo", "5", "--json").out)
    assert (told["a"], told["b"], told["pilot"]) == ("sly", "closer", 80)
    assert f"--games {told['games_for_precision']}" in text
    (finer,) = json.loads(put("plan", "pilot", "--elo", "2.5", "--json").out)
    assert finer["games_for_precision"] == pytest.approx(4 * told["games_for_precision"], rel=0.01)


def test_a_match_is_told_as_a_duel(put: Put) -> None:
    match(put, "run", "sly", "closer")
    result = put("standings", "run")
    assert "sly against closer, from the side of sly:" in result.out
    told = json.loads(put("standings", "run", "--json").out)
    assert told["duel"]["a"] == "sly"
    assert told["duel"]["elo"]["low"] < told["duel"]["elo"]["value"] < told["duel"]["elo"]["high"]


def test_a_sequential_match_tells_its_verdict(put: Put) -> None:
    options = ["--seed", "3", "--games", "2000", "--match-games", "10", "--log", "none"]
    result = put("match", "sly", "closer", "--sprt", "0,30,0.05,0.1", *options, "--json")
    told = json.loads(result.out)
    assert told["sprt"]["verdict"] == "H0"
    assert told["sprt"]["games"] == told["total_games"] < 2000
    assert (told["sprt"]["alpha"], told["sprt"]["beta"]) == (0.05, 0.1)


@pytest.mark.parametrize("text", ["0", "0,5,1", "a,b", "5,0", "0,5,0.9,0.1", "nan,5", "0,inf"])
def test_hypotheses_that_make_no_test_are_refused(put: Put, text: str) -> None:
    result = put("match", "sly", "closer", "--sprt", text)
    assert result.code == 2
    assert "--sprt: expected" in result.err


def test_an_anchor_sets_a_rating(put: Put) -> None:
    match(put, "run", "sly", "closer")
    told = json.loads(put("standings", "run", "--anchor", "sly=1000", "--json").out)
    assert {line["name"]: line["rating"] for line in told["standings"]}["sly"] == 1000
    assert "no strategy 'fox' in this run" in put("standings", "run", "--anchor", "fox=1").err
    for text in ("sly", "sly=", "=5", "sly=high", "sly=nan"):
        assert "expected NAME=VALUE" in put("standings", "run", "--anchor", text).err


def test_a_plan_tells_all_games_and_how_long_they_take(put: Put) -> None:
    match(put, "pilot", "sly", "closer")
    text = " ".join(put("plan", "pilot", "--elo", "5").out.split())
    (told,) = json.loads(put("plan", "pilot", "--elo", "5", "--json").out)
    games = told["games_for_precision"]
    assert f"--games {games} ({games:,} games in all, " in text
    log = Path("pilot/run.log")
    log.write_text("INFO Main shard 0: 80 games, 900 hands in 800.00 s\n")
    cores = available_cores()
    hours = games * 10 / cores / 3600
    text = " ".join(put("plan", "pilot", "--elo", "5").out.split())
    on = f"{cores} core{'s' * (cores > 1)}"
    assert f"{games:,} games in all, about {hours:.3g} hours on {on})" in text
    log.unlink()
    assert f"({games:,} games in all)" in put("plan", "pilot", "--elo", "5").out.replace("\n", " ")


def test_a_pilot_of_three_at_a_table_plans_the_precision_of_ratings(put: Put) -> None:
    words = ["--rules", "three-handed", "--games", "30", "--seed", "1", "--workers", "1"]
    field = ("odds", "bold", "sly")
    assert put("tournament", *field, *words, "--quiet", "--log", "none", "--out", "run").code == 0
    rows = json.loads(put("plan", "run", "--elo", "10", "--json").out)
    half = json.loads(put("plan", "run", "--elo", "20", "--json").out)
    assert {row["name"] for row in rows} == set(field)
    for row, less in zip(rows, half, strict=True):
        expected = 30 * (row["margin"] / 10) ** 2
        assert row["games_for_precision"] == pytest.approx(expected, abs=4)
        assert row["games_for_precision"] % 3 == 0
        assert less["games_for_precision"] < row["games_for_precision"] / 3
    assert "For every rating within +/- 10: --games " in put("plan", "run", "--elo", "10").out

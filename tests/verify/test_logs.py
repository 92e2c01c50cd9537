"""Runs that logged less: what can be checked is, and what cannot is said."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from put_cli.tournament.records import start_method
from put_cli.verify.run import Wish, verify
from tests.tournament.runs import play_run
from tests.verify.conftest import FAMILIES
from tests.verify.corrupting import corrupt, read, shards, write
from tests.verify.test_rows import faults_of, names

Copied = Callable[..., Path]


@pytest.mark.parametrize("log", ["games", "none"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_sound_run_is_sound_and_tells_what_could_not_be_checked(
    sound: Callable[[str, str], Path], family: str, log: str
) -> None:
    found = verify(Wish(run=sound(family, log)))
    assert [str(each) for each in found.findings.faults] == []
    assert found.findings.checked["cuts worked out"] > 40
    assert found.findings.checked["hands replayed"] == 0
    assert any(f"--log {log}" in each for each in found.unchecked)


@pytest.mark.parametrize("log", ["games", "none"])
@pytest.mark.parametrize("kind", ["key", "missing", "twice", "swapped"])
def test_rows_that_are_out_of_place_are_found_and_named(
    copied: Copied, log: str, kind: str
) -> None:
    chance = random.Random(f"{log} {kind}")
    for family in ("two-handed", "three"):
        run = copied(family, log)
        table = "games" if log == "games" else "tallies"
        done = corrupt(run, chance, table, kind)
        assert names(done, faults_of(run)), done


@pytest.mark.parametrize(
    ("log", "table", "column"),
    [
        ("games", "games", "cut0"),
        ("games", "games", "recuts"),
        ("games", "games", "first_dealer"),
        ("games", "games", "winner"),
        ("games", "games", "chair0"),
        ("games", "games", "fault_by"),
        ("games", "tallies", "wins_a"),
        ("games", "tallies", "dealt_wins_a"),
        ("games", "tallies", "pairs_1"),
        ("games", "tallies", "hands"),
        ("games", "tallies", "faults_a"),
        ("none", "tallies", "games"),
        ("none", "tallies", "wins_a"),
        ("none", "tallies", "dealt_a"),
        ("none", "tallies", "pairs_2"),
    ],
)
def test_a_number_that_games_plan_or_seed_decide_is_found(
    copied: Copied, log: str, table: str, column: str
) -> None:
    run = copied("two-handed", log)
    rows = read(run, table, 0).to_pylist()
    value = rows[3][column]
    others = {str(row[column]) for row in rows if row[column] not in (None, value)}
    rows[3][column] = value + 1 if isinstance(value, int) else sorted(others)[0]
    write(run, table, 0, rows)
    assert any(column in each.column or each.column in column for each in faults_of(run))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("puts_a", 0),
        ("seen_b", 10**6),
        ("lost_a", 10**6),
        ("drawn", 10**6),
        ("hands", 0),
        ("points_a", -1),
    ],
)
def test_a_count_that_cannot_be_is_found_without_hands(
    copied: Copied, column: str, value: int
) -> None:
    run = copied("two-handed", "none")
    rows = read(run, "tallies", 0).to_pylist()
    row = max(rows, key=lambda row: row["seen_a"] + row["declined_a"])
    row[column] = value
    write(run, "tallies", 0, rows)
    assert any(each.file.startswith("tallies/") for each in faults_of(run))


@pytest.mark.skipif(
    start_method() != "fork", reason="shards of the tests' size are in this process alone"
)
def test_several_workers_find_the_same_in_the_same_order(copied: Copied) -> None:
    run = copied("two-handed")
    chance = random.Random(3)
    for table in ("hands", "games"):
        corrupt(run, chance, table, "cell")
    alone, together = (verify(Wish(run=run, sample=3, workers=n)).plain() for n in (1, 2))
    assert len(shards(run)) > 1
    assert alone["faults"]
    assert alone | {"seconds": 0} == together | {"seconds": 0}


@pytest.mark.parametrize(
    "rules",
    [
        "cotton(target=1, misdeals=1)",
        "four-handed(target=1, misdeals=1)",
        "three-handed(target=1, misdeals=1)",
    ],
)
def test_games_won_by_the_point_for_four_cards_are_sound(tmp_path: Path, rules: str) -> None:
    play_run(tmp_path / "run", "odds", "bold", "sly", games=60, rules=rules)
    assert not verify(Wish(run=tmp_path / "run")).findings.faults

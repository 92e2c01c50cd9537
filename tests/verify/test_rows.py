"""Every single changed, missing, doubled or swapped row is found, whoever mends the hashes."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from put_cli.verify.faults import Fault
from put_cli.verify.run import Wish, verify
from tests.verify.conftest import FAMILIES
from tests.verify.corrupting import KINDS, Corruption, corrupt, read, shards, write

Copied = Callable[..., Path]

UNSEEN = {"lead1", "lead2", "lead3", "reply1", "reply2", "card", "fault_kind", "fault_reason"}
"""Columns whose change can leave a hand that might have been: a card whose fellows were never
shown, and what a strategy did wrong. `docs/verifying.md` names them."""


def faults_of(run: Path, **wish: object) -> list[Fault]:
    return verify(Wish(run=run, sample=3, **wish)).findings.faults  # type: ignore[arg-type]


def names(done: Corruption, faults: list[Fault]) -> bool:
    """Whether a fault is about the file and the game or match that was changed.

    Of many players a hand stands in two files, and which of them is wrong nobody can know.
    """
    files = {done.file}
    if done.table in ("hands", "plays"):
        files |= {done.file.replace(done.table, other) for other in ("hands", "plays")}
    return any(
        any(file in each.file for file in files)
        and any(f"{each.key}/".startswith(f"{unit}/") for unit in done.units)
        for each in faults
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sound_run_has_no_faults(sound: Callable[[str], Path], family: str) -> None:
    found = verify(Wish(run=sound(family)))
    assert [str(each) for each in found.findings.faults] == []
    assert found.sound
    checked = found.findings.checked
    assert checked["hands replayed"] == checked["rows of hands"] > 40
    assert checked["hands refereed card by card"] > 20
    assert checked["shards"] == len(shards(sound(family)))


CHANGES = 30
"""Of each run, at least; in every shard of a copy there is one."""


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_hundreds_of_changed_rows_are_found_and_named(copied: Copied, family: str) -> None:
    chance = random.Random(family)
    tables = ("hands", "games", "tallies", *(["plays"] if family in ("three", "four") else []))
    changes = again = 0
    while changes < CHANGES:
        run = copied(family)
        # Most rows, and most of what they say, are of hands.
        made = [
            corrupt(
                run,
                chance,
                chance.choice((*tables, "hands", "hands")),
                chance.choice((*KINDS, "cell", "cell")),
                shard,
            )
            for shard in shards(run)
        ]
        faults = faults_of(run)
        unseen = [each for each in made if each.column in UNSEEN and not names(each, faults)]
        if unseen:  # found by playing again
            faults += faults_of(run, replay=100, trust=True)
        for done in made:
            assert names(done, faults), f"{done}: {[str(each) for each in faults[:9]]}"
        changes += len(made)
        again += len(unseen)
    assert again < changes / 4


def test_a_legal_card_that_was_not_played_is_found_by_playing_again(copied: Copied) -> None:
    run = copied("two-handed")
    for shard in shards(run):
        rows = read(run, "hands", shard).to_pylist()
        for row in rows:
            # Led, and then the other threw: any of the three might have been the card.
            cards = row["eldest_cards"].split()
            if row["lead1"] and not row["reply1"] and row["ending"] == "thrown":
                row["lead1"] = next((each for each in cards if each != row["lead1"]), None)
                if row["lead1"]:
                    write(run, "hands", shard, rows)
                    assert faults_of(run) == []
                    columns = [each.column for each in faults_of(run, replay=100, trust=True)]
                    assert columns == ["lead1, played again", "played again"]
                    return
    pytest.fail("no such hand in the run")

"""Players in processes of their own: the same games to the byte, and nobody else notices them."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from put_cli.engine.lanes import FAULT_KINDS
from put_cli.errors import SpecError, UsageError
from put_cli.log import forfeits, manifest
from put_cli.tournament import run as runs
from tests.tournament.runs import parts, play_run, small_shards, write_strategies
from tests.tournament.test_families import rows

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")

FIELDS = {
    "cotton": ("random", "mixed", "faulty", "learner"),
    "three-handed": ("random", "mixed", "faulty", "learner"),
    "four-handed(misdeals=0.1)": ("random+learner", "mixed", "faulty+odds"),
}

NEVER_HERE = """
import os
from put_cli import SEE, Strategy

assert os.getpid() != {pid}, "imported into the program"

class Own(Strategy):
    plays = ("cotton", "truc")

    def act(self, view):
        return SEE if view.asked else view.highest
"""

LOSES_ITS_MIND = """
import itertools
import os
from put_cli import SEE, Strategy
from put_cli.strategy import Player


class Pupil(Player):
    def __init__(self, match):
        self.hands, self.opponent = 0, match.opponent

    def act(self, view):
        if self.opponent == "thrifty" and self.hands % 3 == 2 and view.luck > 0.5:
            {deed}
        return SEE if view.asked else view.lowest

    def hand_over(self, record):
        self.hands += 1
        if self.opponent == "random" and self.hands == 1:
            {told}


class Learner(Strategy):
    def begin_match(self, match):
        return Pupil(match)
"""


def mindless(folder: Path, deed: str, told: str = "pass") -> str:
    """A learning strategy that does something terrible against `thrifty`; its path."""
    path = folder / "mindless.py"
    path.write_text(LOSES_ITS_MIND.format(deed=deed, told=told))
    return str(path)


@pytest.mark.parametrize("rules", FIELDS)
def test_isolated_players_play_the_same_games_to_the_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    small_shards(monkeypatch)
    own = write_strategies(tmp_path)
    field = ["+".join(own.get(each, each) for each in side.split("+")) for side in FIELDS[rules]]
    settings: dict[str, Any] = {"rules": rules, "games": 60, "match_games": 6}
    here = play_run(tmp_path / "here", *field, **settings)
    there = play_run(tmp_path / "there", *field, isolate=True, workers=2, **settings)
    assert {each.tier for each in there.prepared.workshop.contestants} == {"isolated"}
    assert here.faults == there.faults > 0
    assert len(here.prepared.workshop.shards) > 1
    assert parts(tmp_path / "here") == parts(tmp_path / "there")
    described = [manifest.read(tmp_path / run).strategies for run in ("here", "there")]
    assert described[0] == described[1]
    told = [
        (tmp_path / run / "run.log").read_text().count("Traceback") for run in ("here", "there")
    ]
    assert told[0] == told[1] > 0


def test_an_isolated_strategy_is_never_imported_into_the_program(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(NEVER_HERE.format(pid=os.getpid()))
    with pytest.raises(SpecError, match="imported into the program"):
        play_run(tmp_path / "here", str(path), "random")
    before = set(sys.modules)
    finished = play_run(tmp_path / "there", str(path), "random", isolate=True)
    assert finished.faults == 0
    assert not [name for name in set(sys.modules) - before if name.startswith("put_file")]


@pytest.mark.parametrize("isolate", [False, True])
def test_a_strategy_is_refused_where_it_says_it_does_not_play(
    tmp_path: Path, isolate: bool
) -> None:
    path = tmp_path / "own.py"
    path.write_text(NEVER_HERE.format(pid=1))
    says = r"own does not play hoyle: it says it plays cotton, truc, .* 'put check'"
    with pytest.raises(SpecError, match=says):
        play_run(tmp_path / "run", str(path), "random", rules="hoyle", isolate=isolate)
    assert not (tmp_path / "run").exists()
    assert play_run(tmp_path / "run", str(path), "random", rules="truc", isolate=isolate)


def test_compiled_code_cannot_be_isolated(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--isolate: expected a tier of auto, batch, interpreted"):
        play_run(tmp_path / "run", "random", "odds", isolate=True, tier="native")
    assert not (tmp_path / "run").exists()


AGAINST_THRIFTY = 2
"""The pairing of the second and the third strategy."""

DEEDS = {
    "dies": ("os._exit(7)", "died", "ended its process (exit code 7)"),
    "hangs": ("while True: pass", "slow", "took too long"),
    "hangs in C": (
        "sum(itertools.repeat(1))",
        "slow",
        "took too long where it could not be interrupted",
    ),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_a_learning_player_that_breaks_down_forfeits_its_matches_and_no_others(
    tmp_path: Path, deed: str
) -> None:
    code, kind, reason = DEEDS[deed]
    settings: dict[str, Any] = {"games": 6, "match_games": 3, "move_timeout": 0.1}
    path = mindless(tmp_path, code)
    finished = play_run(tmp_path / "run", "random", "thrifty", path, isolate=True, **settings)
    found = forfeits.read(tmp_path / "run")
    assert {(FAULT_KINDS[each.kind], each.reason) for each in found} == {(kind, reason)}
    assert finished.faults == len(found) == 2
    # Against anybody else it plays as one that never breaks down.
    good = mindless(tmp_path, "pass")
    whole = play_run(tmp_path / "whole", "random", "thrifty", good, **settings)
    elsewhere = [
        [row for row in rows(each.prepared.run, "hands") if row["pairing"] != AGAINST_THRIFTY]
        for each in (finished, whole)
    ]
    assert elsewhere[0] == elsewhere[1]


def test_a_learning_player_that_dies_of_what_it_hears_forfeits_that_match(tmp_path: Path) -> None:
    path = mindless(tmp_path, "pass", told="os._exit(3)")
    play_run(tmp_path / "run", "random", "thrifty", path, isolate=True, games=4, match_games=2)
    found = forfeits.read(tmp_path / "run")
    assert {str(each) for each in found} == {
        "ended its process (exit code 3) while it heard of a hand"
    }
    with_that = runs.prepare(
        runs.Settings(
            strategies=("random", "thrifty", path),
            rules=manifest.read(tmp_path / "run").rules,
            games=4,
            match_games=2,
            seed=5,
            out=tmp_path / "again",
            isolate=True,
        )
    )
    shutil.copy(tmp_path / "run" / forfeits.NAME, tmp_path / "again")
    runs.play(with_that, lambda _result: None)
    assert parts(tmp_path / "again") == parts(tmp_path / "run")

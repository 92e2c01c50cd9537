"""Small runs for tests: strategies in files of a folder, shards of a few hundred hands."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from put_cli.rules.finding import find_ruleset
from put_cli.tournament import run as runs
from put_cli.tournament import schedule
from put_cli.tournament.settings import Settings
from tests import mixed

FAULTY = '''
from put_cli import PUT, SEE, Strategy, View


class Faulty(Strategy):
    """Breaks down now and then."""

    def act(self, view: View) -> int:
        if view.luck > 0.97:
            return view.cards[view.trick + 2]
        if view.asked:
            return SEE
        bluffs = view.may_put and view.luck < 0.1
        return PUT if view.must_speak or bluffs else view.highest
'''

LEARNER = '''
from put_cli import PUT, SEE, THROW, Strategy, View
from put_cli.strategy import Player


class Pupil(Player):
    def __init__(self):
        self.lost = 0

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if self.lost % 2 else THROW
        if view.must_speak or (view.may_put and self.lost % 3 == 1):
            return PUT
        return view.cheapest_winner or view.lowest

    def hand_over(self, record):
        self.lost += record.lost


class Learner(Strategy):
    """Counts the hands it has lost."""

    def begin_match(self, match):
        return Pupil()
'''

SOURCES = {"faulty.py": FAULTY, "mixed.py": inspect.getsource(mixed), "learner.py": LEARNER}


def write_strategies(folder: Path) -> dict[str, str]:
    """Write the strategies above; the path of each by its name."""
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    return {name.removesuffix(".py"): str(folder / name) for name in SOURCES}


def small_shards(monkeypatch: pytest.MonkeyPatch, hands: int = 300) -> None:
    """Cut every plan into shards of about so many hands."""
    monkeypatch.setattr(schedule, "SHARD_HANDS", hands)


def play_run(
    out: Path,
    *strategies: str,
    rules: str = "cotton",
    games: int = 40,
    seed: int = 5,
    match_games: int = 10,
    on_result: Callable[[Any], None] = lambda _result: None,
    **settings: Any,
) -> runs.Finished:
    """Play a run to its end."""
    prepared = runs.prepare(
        Settings(
            strategies=strategies,
            rules=find_ruleset(rules),
            games=games,
            seed=seed,
            match_games=match_games,
            out=out,
            command=("put", "tournament"),
            **settings,
        )
    )
    return runs.play(prepared, on_result)


def parts(run: Path) -> dict[str, bytes]:
    """The bytes of every part of a run's log, by folder and name."""
    found = sorted(run.glob("*/part-*.parquet"))
    assert found
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in found}


def play_shards(
    out: Path,
    *strategies: str,
    rules: str,
    games: int,
    seed: int = 5,
    match_games: int = 4,
    **settings: Any,
) -> Path:
    """Play a run without rating it; its directory."""
    prepared = runs.prepare(
        Settings(
            strategies=strategies,
            rules=find_ruleset(rules),
            games=games,
            seed=seed,
            match_games=match_games,
            out=out,
            **settings,
        )
    )
    for shard in range(len(prepared.workshop.shards)):
        prepared.workshop.play(shard)
    return out

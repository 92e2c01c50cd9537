"""Small fields of players for tests of the engine, and playing them without a run around it."""

from collections.abc import Sequence

import numpy as np

from put_cli.engine import lanes as ln
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.play import play, prepare_kernel
from put_cli.engine.players import Contestant, enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import Strategy

STORE = DiskStore()
prepare_kernel(STORE)  # as the program does; else every test process compiles it anew


def enlisted(
    strategy: Strategy | str,
    name: str = "",
    tier: str = "auto",
    methods: Sequence[int] = range(len(ln.METHODS)),
) -> Contestant:
    """A contestant: a strategy of a test, or an installed one by its name."""
    if isinstance(strategy, str):
        loaded = load(strategy)
        return enlist(name or loaded.name, loaded.strategy, STORE, tier, methods)
    return enlist(name or type(strategy).__name__.lower(), strategy, STORE, tier, methods)


def mirrored(blocks: int, games: int) -> list[Fixture]:
    """Mirrored matches of the contestants 0 and 1."""
    return [
        Fixture(0, block, mirror, games, (0, 1)) for block in range(blocks) for mirror in (0, 1)
    ]


def played(
    contestants: Sequence[Contestant],
    fixtures: Sequence[Fixture],
    *,
    rules: str = "cotton",
    seed: int = 1,
    keep_hands: bool = True,
    buffers: Buffers | None = None,
) -> Played:
    """The fixtures, played under a rule set named in words."""
    tables = compile_rules(find_ruleset(rules))
    return play(
        tables, contestants, fixtures, seed, keep_hands=keep_hands, buffers=buffers or Buffers()
    )


def game_columns(result: Played, chairs: int = 2) -> np.ndarray:
    """The rows of the games table that say something where so many sit at the table."""
    absent = {f"{what}{n}" for what in ("cut", "score") for n in range(chairs, ln.MAX_CHAIRS)}
    sides = len(result.fixtures[0].seating)
    absent |= {f"score{n}" for n in range(sides, ln.MAX_CHAIRS)}
    return result.games[[name not in absent for name in ln.GAME_COLUMNS]]


def assert_same_play(one: Played, other: Played, chairs: int = 2) -> None:
    """Both played the same games, to the last number."""
    assert one.tallies.size > 0
    for name in ("keys", "hands", "words", "tallies"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert np.array_equal(game_columns(one, chairs), game_columns(other, chairs))
    assert one.reasons == other.reasons

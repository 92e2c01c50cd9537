"""A strategy cannot reach the opponent's cards through what it is handed.

Everything that hangs on the view and on the player itself is walked, short of code: classes,
functions, modules and frames lead anywhere in Python, and a plugin is code that one runs.
"""

import gc
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

from put_cli import HandRecord, Match, Player, Strategy, View
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING
from tests.engine.faulty import fine
from tests.engine.field import enlisted, mirrored, played

CODE = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)
PLAIN = (int, float, str, bool, type(None), tuple, dict, list, np.ndarray, np.dtype, np.generic)


def reachable(*roots: object) -> Iterable[Any]:
    """Every object that hangs on these, short of code."""
    seen: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, CODE):
            continue
        seen[id(each)] = each
        waiting += gc.get_referents(each)
        if isinstance(each, np.ndarray) and each.base is not None:
            waiting.append(each.base)
    return seen.values()


class Peeks(Strategy):
    """Looks at everything it can reach."""

    def __init__(self) -> None:
        self.calls = 0

    def look(self, *handed: object) -> None:
        self.calls += 1
        for each in reachable(self, *handed):
            assert isinstance(each, (*PLAIN, type(self), Match)), type(each)

    def act(self, view: View) -> int:
        self.look(view)
        return fine(view)


class PeeksInBatches(Peeks):
    def act_batch(self, views: View) -> Any:
        self.look(views)
        size = len(views.luck)
        for each in reachable(views):
            # Of the decisions asked for and no others: nobody else's row lies behind an array.
            assert not isinstance(each, np.ndarray) or each.shape[-1] == size
        return np.where(views.asked, 102, views.highest)


class PeekingPupil(Player):
    def __init__(self, match: Match) -> None:
        self.match = match
        self.heard: list[HandRecord] = []

    def act(self, view: View) -> int:
        for each in reachable(self, view):
            assert isinstance(each, (*PLAIN, PeekingPupil, Match, HandRecord)), type(each)
        return fine(view)

    def hand_over(self, record: HandRecord) -> None:
        self.heard.append(record)


class PeekingSchool(Strategy):
    def begin_match(self, match: Match) -> Player:
        return PeekingPupil(match)


@pytest.mark.parametrize(
    ("strategy", "tier"),
    [(Peeks(), INTERPRETED), (PeeksInBatches(), BATCH), (PeekingSchool(), LEARNING)],
    ids=lambda each: str(each) if isinstance(each, str) else type(each).__name__,
)
def test_nothing_but_the_view_hangs_on_what_a_player_is_handed(
    strategy: Strategy, tier: str
) -> None:
    field = [enlisted(strategy, "peeks", tier), enlisted("random", "other", INTERPRETED)]
    result = played(field, mirrored(1, 3))
    assert result.reasons == {}
    if isinstance(strategy, Peeks):
        assert strategy.calls > 5

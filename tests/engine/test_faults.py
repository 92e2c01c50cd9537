"""A player's fault, of whatever kind and in whatever tier, costs that player that game: no more."""

import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from put_cli import PUT, SEE, THROW, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.matches import Played
from put_cli.engine.players import INTERPRETED, NATIVE
from tests.engine.faulty import (
    BAD_LUCK,
    GAMES,
    OPPONENT,
    assert_only_the_fault_is_punished,
    fine,
    games_of,
)
from tests.engine.field import assert_same_play, enlisted, mirrored, played


class Divides(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return 1 // (view.trick - view.trick)
        return fine(view)


class Overruns(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.cards[view.trick + 2]
        return fine(view)


TABLE = np.array([1, 2, 3])


def looked_up(place: int) -> int:
    return TABLE[place]


class OverrunsAnArray(Strategy):
    """Compiled without a check, this would read whatever lies behind the array."""

    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.highest + 0 * TABLE[view.trick + 2]
        return fine(view)


class OverrunsInAHelper(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.highest + 0 * looked_up(view.trick + 2)
        return fine(view)


class OverrunsInAMethod(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.highest + 0 * self.looked_up(view.trick + 2)
        return fine(view)

    def looked_up(self, place: int) -> int:
        return TABLE[place]


class Raises(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise ValueError("no idea")
        return fine(view)


class Asserts(Strategy):
    """As a failing `assert` does it; pytest rewrites those of a test."""

    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise AssertionError
        return fine(view)


class CardNotHeld(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            for card in range(1, view.top + 1):
                if card not in view.cards:
                    return card
        return fine(view)


class SeesUnasked(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.luck > BAD_LUCK and not view.asked else fine(view)


class ThrowsUnasked(Strategy):
    def act(self, view: View) -> int:
        return THROW if view.luck > BAD_LUCK and not view.may_throw else fine(view)


class PutsAtAnAnswer(Strategy):
    def act(self, view: View) -> int:
        return PUT if view.luck > BAD_LUCK and not view.may_put else fine(view)


class Nothing(Strategy):
    def act(self, view: View) -> int:
        return 0 if view.luck > BAD_LUCK else fine(view)


class Negative(Strategy):
    def act(self, view: View) -> int:
        return -3 if view.luck > BAD_LUCK else fine(view)


class MinusOne(Strategy):
    """What compiled code returns for an exception, returned by an author."""

    def act(self, view: View) -> int:
        return -1 if view.luck > BAD_LUCK else fine(view)


class Smallest(Strategy):
    def act(self, view: View) -> int:
        return -(2**63) if view.luck > BAD_LUCK else fine(view)


class Large(Strategy):
    def act(self, view: View) -> int:
        return 2**62 if view.luck > BAD_LUCK else fine(view)


COMPILED = (
    (Divides(), "raised", "raised ZeroDivisionError: "),
    (Overruns(), "raised", "raised IndexError: "),
    (OverrunsAnArray(), "raised", "raised IndexError: "),
    (OverrunsInAHelper(), "raised", "raised IndexError: "),
    (OverrunsInAMethod(), "raised", "raised IndexError: "),
    (Raises(), "raised", "raised ValueError: no idea"),
    (Asserts(), "raised", "raised AssertionError"),
    (CardNotHeld(), "illegal", "returned "),
    (SeesUnasked(), "illegal", "returned SEE where "),
    (ThrowsUnasked(), "illegal", "returned THROW where "),
    (PutsAtAnAnswer(), "illegal", "returned PUT where "),
    (Nothing(), "illegal", "returned 0 where "),
    (Negative(), "illegal", "returned -3 where "),
    (MinusOne(), "illegal", "returned -1 where "),
    (Smallest(), "illegal", f"returned {-(2**63)} where "),
    (Large(), "illegal", f"returned {2**62} where "),
)


@dataclass(frozen=True)
class Returns(Strategy):
    """Returns a nonsensical value; never compiled."""

    value: Any = None

    def act(self, view: View) -> int:
        return self.value if view.luck > BAD_LUCK else fine(view)


class Exits(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            sys.exit(3)
        return fine(view)


class Recurses(Strategy):
    def act(self, view: View) -> int:
        return self.act(view) if view.luck > BAD_LUCK else fine(view)


class RunsDry(Strategy):
    """Raises what ends a loop, which must not end the asking of the others."""

    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            next(iter(()))
        return fine(view)


class OddError(Exception):
    def __str__(self) -> str:
        return "two\nlines " + "x" * 500


class RaisesOddly(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise OddError
        return fine(view)


INTERPRETED_ONLY = (
    (Returns(3.7), "nonsense", "returned 3.7, which is not an action"),
    (Returns(None), "nonsense", "returned None, which is not an action"),
    (Returns("put"), "nonsense", "returned 'put', which is not an action"),
    (Returns((1, 2)), "nonsense", "returned (1, 2), which is not an action"),
    (Returns(10**30), "illegal", f"returned {10**30} where "),
    (Returns(-(10**30)), "illegal", f"returned {-(10**30)} where "),
    (Returns(np.int64(-5)), "illegal", "returned -5 where "),
    (Returns(False), "illegal", "returned 0 where "),
    (Returns(200), "illegal", "returned 200 where "),
    (Returns(999), "illegal", "returned 999 where "),
    (Returns("x" * 500), "nonsense", "returned 'xxx"),
    (Exits(), "raised", "raised SystemExit: 3"),
    (Recurses(), "raised", "raised RecursionError: "),
    (RunsDry(), "raised", "raised StopIteration"),
    (RaisesOddly(), "raised", "raised OddError: two lines xxx"),
)


@pytest.mark.parametrize(
    ("strategy", "kind", "reason"), COMPILED, ids=lambda each: type(each).__name__
)
def test_a_fault_of_code_that_compiles_costs_the_game(
    spotless: Played, strategy: Strategy, kind: str, reason: str
) -> None:
    native, slow = games_of(strategy, NATIVE), games_of(strategy, INTERPRETED)
    assert_only_the_fault_is_punished(native, kind, reason, spotless)
    assert not native.differences
    assert_same_play(native, slow)


@pytest.mark.parametrize(
    ("strategy", "kind", "reason"),
    INTERPRETED_ONLY,
    ids=lambda each: str(getattr(each, "value", type(each).__name__))[:30],
)
def test_nonsense_from_python_costs_the_game(
    spotless: Played, strategy: Strategy, kind: str, reason: str
) -> None:
    assert_only_the_fault_is_punished(games_of(strategy, INTERPRETED), kind, reason, spotless)


@dataclass(frozen=True)
class Counts(Strategy):
    """Notes the luck of every decision, and commits a fault at some."""

    fault: Any = None
    lucks: list[float] = field(default_factory=list)

    def act(self, view: View) -> Any:
        self.lucks.append(view.luck)
        if view.luck > BAD_LUCK and isinstance(self.fault, Exception):
            raise self.fault
        return self.fault if view.luck > BAD_LUCK else fine(view)


@pytest.mark.parametrize("fault", [ValueError("no idea"), None, 0, 200, 999], ids=repr)
def test_a_fault_among_many_decisions_has_none_of_them_taken_twice(fault: Any) -> None:
    own, other = Counts(fault), Counts(fault)
    result = played(
        [enlisted(own, "own", INTERPRETED), enlisted(other, "other", INTERPRETED)], mirrored(30, 2)
    )
    assert len(result.reasons) > 10
    for lucks in (own.lucks, other.lucks):
        assert len(set(lucks)) == len(lucks) > 100


@pytest.mark.parametrize("reply", [True, np.int8(1), np.uint64(1)])
def test_numbers_of_other_types_are_numbers(reply: Any) -> None:
    @dataclass(frozen=True)
    class Typed(Strategy):
        def act(self, view: View) -> Any:
            if view.asked:
                return np.uint8(SEE)
            return reply if view.lowest == 1 else np.int64(view.lowest)

    assert not games_of(Typed(), INTERPRETED).reasons


def test_reasons_say_what_would_have_been_legal() -> None:
    reasons = set(games_of(SeesUnasked(), NATIVE).reasons.values())
    assert any("PUT or a card of [" in reason for reason in reasons)
    reasons = set(games_of(PutsAtAnAnswer(), NATIVE).reasons.values())
    assert "returned PUT where SEE or THROW was legal" in reasons


# Both sides, and rubbers.


def test_when_both_players_fault_the_first_to_do_so_loses() -> None:
    field = [enlisted(Raises(), "a"), enlisted(CardNotHeld(), "b")]
    result = played(field, mirrored(30, 2))
    by = result.games[GAMES("fault_by")]
    assert {0, 1} <= set(by.tolist())
    faulty = by < 2
    assert (result.games[GAMES("winner"), faulty] == 1 - by[faulty]).all()


@pytest.mark.parametrize("rules", ["truc", "hoyle", "parlett"])
def test_a_forfeit_ends_the_whole_game_or_rubber_under_any_rules(rules: str) -> None:
    result = played([enlisted(Raises()), OPPONENT], mirrored(1, 40), rules=rules)
    faulty = result.games[GAMES("fault_by")] < 2
    assert faulty.any()
    hands = result.hands[:, result.hands[ln.HAND_COLUMNS.index("forfeit")] > 0]
    rubber = hands[ln.HAND_COLUMNS.index("rubber_over")] == 1
    assert rubber.all() if rules == "truc" else not rubber.any()


def test_ctrl_c_in_a_strategy_is_the_users_and_not_a_fault() -> None:
    class Interrupted(Strategy):
        def act(self, view: View) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        games_of(Interrupted(), INTERPRETED)

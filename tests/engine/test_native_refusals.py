"""What cannot be compiled, with the reason, and which tier is taken then."""

from dataclasses import dataclass

import numpy as np
import pytest

from put_cli import SEE, THROW, Strategy, View
from put_cli.engine.native import NotNative, compile_method
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING, NATIVE
from tests.engine.compiling import MemoryStore, anybody
from tests.engine.field import enlisted, mirrored, played


class GeneratorInMax(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        return max(card for card in view.cards)


class GeneratorInAny(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE if any(card > 9 for card in view.cards) else THROW
        return view.lowest


class CountsCards(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE if view.cards.count(0) else THROW
        return view.lowest


TABLE = {1: 2}


class GlobalDict(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE if TABLE.get(view.trick, 0) else THROW
        return view.lowest


class StarredTarget(Strategy):
    """Refused while the bytecode is read, before any types are looked at."""

    def act(self, view: View) -> int:
        first, *_ = view.cards
        return SEE if view.asked else first or view.lowest


class RaisesItsOwn(Strategy):
    """Numba looks for the class of the exception where there is none."""

    trouble = ValueError("no idea")

    def act(self, view: View) -> int:
        if view.trick > 3:
            raise self.trouble
        return SEE if view.asked else view.lowest


def test_a_key_that_numba_did_not_find_is_not_all_the_reason_given() -> None:
    assert enlisted(RaisesItsOwn()).why.startswith("Numba gave up (KeyError: ")


@pytest.mark.parametrize(
    "strategy",
    [
        GeneratorInMax(),
        GeneratorInAny(),
        CountsCards(),
        GlobalDict(),
        StarredTarget(),
        RaisesItsOwn(),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
def test_what_numba_cannot_compile_is_interpreted_and_the_reason_kept(strategy: Strategy) -> None:
    with pytest.raises(NotNative):
        compile_method(strategy, MemoryStore())
    player = enlisted(strategy)
    assert player.tier == INTERPRETED
    assert player.why
    assert "\n" not in player.why
    result = played([player, anybody()], mirrored(1, 10))
    assert not result.reasons


class ReturnsFloat(Strategy):
    def act(self, view: View) -> int:
        return view.luck * 3  # type: ignore[return-value]


class FloatAtTimes(Strategy):
    def act(self, view: View) -> int:
        return view.highest if view.luck < 0.5 else view.highest / 1  # type: ignore[return-value]


class NoneAtTimes(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        if view.may_play:
            return view.lowest
        return None  # type: ignore[return-value]


class NoneAlways(Strategy):
    def act(self, view: View) -> int:
        pass


class ReturnsText(Strategy):
    def act(self, view: View) -> int:
        return "put"  # type: ignore[return-value]


class ReturnsTuple(Strategy):
    def act(self, view: View) -> int:
        return view.cards  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (ReturnsFloat(), "returns float64"),
        (FloatAtTimes(), "returns float64"),
        (NoneAtTimes(), "returns None at times"),
        (NoneAlways(), "returns none"),
        (ReturnsText(), "where an integer is expected"),
        (ReturnsTuple(), "where an integer is expected"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_act_that_may_return_no_integer_is_refused_not_truncated(
    strategy: Strategy, says: str
) -> None:
    with pytest.raises(NotNative, match=says):
        compile_method(strategy, MemoryStore())


@dataclass(frozen=True)
class Wide(Strategy):
    """A number that fits no register."""

    number: int = 2**70

    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest if self.number > 0 else view.highest


def test_a_parameter_beyond_64_bits_is_refused_by_name() -> None:
    with pytest.raises(NotNative, match=f"parameter number={2**70} does not fit 64 bits"):
        compile_method(Wide(), MemoryStore())
    assert enlisted(Wide()).tier == INTERPRETED
    assert enlisted(Wide(number=3)).tier == NATIVE


class NoAct(Strategy):
    pass


def test_a_strategy_without_act_is_refused_in_words() -> None:
    player = enlisted(NoAct())
    assert player.tier == INTERPRETED
    result = played([player, anybody()], mirrored(1, 2))
    assert set(result.reasons.values()) == {
        "raised NotImplementedError: NoAct defines no act(view)"
    }


# Which tier is taken.


class Batched(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest

    def act_batch(self, views: View) -> np.ndarray:
        return np.where(views.asked, SEE, views.lowest)


class BatchOnly(Strategy):
    def act_batch(self, views: View) -> np.ndarray:
        return np.where(views.asked, SEE, views.lowest)


class Learns(Strategy):
    def begin_match(self, match: object) -> object:
        raise NotImplementedError


def test_the_best_tier_is_taken_or_the_one_asked_for() -> None:
    assert enlisted(Batched()).tier == NATIVE
    assert enlisted(Batched(), tier="batch").tier == BATCH
    assert enlisted(Batched(), tier="interpreted").tier == INTERPRETED
    assert enlisted(BatchOnly()).tier == BATCH
    assert enlisted(GeneratorInMax(), tier="batch").tier == INTERPRETED
    assert enlisted(Learns()).tier == LEARNING
    assert enlisted(Learns(), tier="native").tier == LEARNING
    with pytest.raises(NotNative):
        enlisted(GeneratorInMax(), tier="native")

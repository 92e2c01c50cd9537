"""Parameters of every kind decide in compiled code as they do in Python."""

import enum
import math
import pickle
from dataclasses import dataclass
from functools import cached_property

import pytest

from put_cli import PUT, SEE, THROW, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.native import compile_method
from put_cli.engine.players import enlist
from tests.engine.compiling import (
    MemoryStore,
    assert_compiled_plays_as_interpreted,
    card_of,
)
from tests.engine.field import mirrored, played


@dataclass(frozen=True)
class Numbers(Strategy):
    """Integer, float and bool parameters."""

    best: int = 2
    bluff: float = 0.25
    bold: bool = True

    def act(self, view: View) -> int:
        strong = view.highest > view.top - self.best
        if view.asked:
            return SEE if strong or not self.bold else THROW
        if view.may_put and (strong or view.luck < self.bluff) and self.bold:
            return PUT
        return card_of(view)


VARIANTS = (
    Numbers(),
    Numbers(best=7),
    Numbers(best=-1, bluff=0.0),
    Numbers(bluff=1.0),
    Numbers(bold=False),
    Numbers(best=2**62, bluff=math.inf),
)


@pytest.mark.parametrize("strategy", VARIANTS, ids=str)
def test_number_parameters_decide_as_in_python(strategy: Numbers) -> None:
    assert_compiled_plays_as_interpreted(strategy)


def test_number_parameters_need_one_compilation_for_all_variants() -> None:
    store = MemoryStore()
    compiled = [compile_method(strategy, store) for strategy in VARIANTS]
    assert (store.saves, store.loads) == (1, len(VARIANTS) - 1)
    assert len({each.parameters.tobytes() for each in compiled}) == len(VARIANTS)


def test_variants_of_one_compilation_play_differently_side_by_side() -> None:
    store = MemoryStore()
    field = [enlist(str(n), s, store) for n, s in enumerate(VARIANTS[:5])]
    always, never = field[3], field[4]
    result = played([always, never], mirrored(1, 50))
    puts = result.tallies[:, ln.T_PUTS : ln.T_PUTS + 2]
    assert (puts[0] > 0).tolist() == [True, False]
    assert (puts[1] > 0).tolist() == [False, True]


@dataclass(frozen=True)
class Prepared(Strategy):
    """Works something out before it plays, in Python that cannot be compiled."""

    text: str = "Three Two"

    @cached_property
    def strong(self) -> int:
        return 14 - len(self.text.split())

    @cached_property
    def bluff(self) -> float:
        return float({"Three Two": 0.25}.get(self.text, 0.75))

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if view.highest >= self.strong else THROW
        if view.may_put and (view.highest >= self.strong or view.luck < self.bluff):
            return PUT
        return THROW if view.must_speak else view.lowest


@pytest.mark.parametrize("strategy", [Prepared(), Prepared("Three"), Prepared("any of the four")])
def test_what_was_worked_out_before_decides_as_in_python(strategy: Prepared) -> None:
    assert_compiled_plays_as_interpreted(strategy)


def test_nothing_is_worked_out_before_somebody_is_to_play() -> None:
    strategy, store = Prepared(), MemoryStore()
    compiled = compile_method(strategy, store)
    assert vars(strategy) == {"text": "Three Two"}
    assert compiled.parameters[0] == strategy.strong == 12
    again = compile_method(strategy, store)  # the same code, whether it is worked out or not
    assert (store.saves, store.loads) == (1, 1)
    assert again.parameters.tobytes() == compiled.parameters.tobytes()


def test_what_was_worked_out_stays_in_its_process() -> None:
    strategy = Prepared()
    assert strategy.strong == 12
    assert vars(pickle.loads(pickle.dumps(strategy))) == {"text": "Three Two"}


@dataclass(frozen=True)
class Words(Strategy):
    """A text and an optional parameter: constants of the compilation."""

    style: str = "low"
    limit: int | None = None

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        if self.limit is not None and view.may_put and view.highest > self.limit:
            return PUT
        if self.style == "low":
            return view.lowest
        if self.style == "high":
            return view.highest
        return card_of(view)


@pytest.mark.parametrize(
    "strategy", [Words(), Words("high"), Words("other", 9), Words("low", 11)], ids=str
)
def test_text_and_none_parameters_decide_as_in_python(strategy: Words) -> None:
    assert_compiled_plays_as_interpreted(strategy)


def test_text_and_none_parameters_are_compiled_each_for_itself() -> None:
    store = MemoryStore()
    for strategy in (Words(), Words("high"), Words("high", 3), Words()):
        compile_method(strategy, store)
    assert (store.saves, store.loads) == (3, 1)


class Mood(enum.Enum):
    CALM = "calm"
    WILD = "wild"


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 11


@dataclass(frozen=True)
class Moods(Strategy):
    """Enum parameters."""

    mood: Mood = Mood.CALM
    level: Level = Level.HIGH

    def act(self, view: View) -> int:
        if view.asked:
            return THROW if self.mood is Mood.CALM else SEE
        if view.may_put and self.mood == Mood.WILD and view.highest >= self.level:
            return PUT
        return view.lowest if view.highest < Level.HIGH else view.highest


@pytest.mark.parametrize(
    "strategy",
    [Moods(), Moods(Mood.WILD), Moods(Mood.WILD, Level.LOW), Moods(level=Level.LOW)],
    ids=str,
)
def test_enum_parameters_decide_as_in_python(strategy: Moods) -> None:
    assert_compiled_plays_as_interpreted(strategy)


class Said(enum.IntEnum):
    PUT = PUT
    SEE = SEE


class Says(Strategy):
    """Returns members of an IntEnum, and a bool, which is a card of 1 where it is True."""

    def act(self, view: View) -> int:
        if view.asked:
            return Said.SEE
        if view.may_put:
            return Said.PUT
        return view.lowest


def test_members_of_an_int_enum_are_actions() -> None:
    assert_compiled_plays_as_interpreted(Says())

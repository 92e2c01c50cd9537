"""What an unmodified `act` may use and still be compiled, and what is refused, with the reason."""

import enum
import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from put_cli import PUT, SEE, THROW, Strategy, View
from put_cli.engine.native import NotNative, compile_act
from put_cli.engine.play import Played
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING, NATIVE, Contestant, enlist
from tests.engine import lucky_table
from tests.engine.field import enlisted, mirrored, played


class MemoryStore:
    """A store that counts."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}
        self.loads = self.saves = 0

    def load(self, digest: str) -> bytes | None:
        self.loads += digest in self.entries
        return self.entries.get(digest)

    def save(self, digest: str, data: bytes) -> None:
        self.saves += 1
        self.entries[digest] = data


@cache
def player_of(strategy: Strategy, tier: str) -> Contestant:
    """The strategy in one tier; compiled once for all rule sets."""
    player = enlisted(strategy, "own", tier)
    assert player.tier == tier, player.why
    return player


@cache
def anybody() -> Contestant:
    """An opponent that does anything allowed."""
    return enlisted("random")


def games_of(strategy: Strategy, tier: str, rules: str) -> Played:
    """Games against a player that does anything allowed."""
    return played([player_of(strategy, tier), anybody()], mirrored(2, 20), rules=rules, seed=8)


def assert_compiled_plays_as_interpreted(strategy: Strategy, rules: str = "cotton") -> Played:
    """Both tiers play the same hands, and there is something to see in them."""
    native, slow = games_of(strategy, NATIVE, rules), games_of(strategy, INTERPRETED, rules)
    for name in ("keys", "hands", "words", "games", "tallies"):
        assert np.array_equal(getattr(native, name), getattr(slow, name)), name
    assert not native.reasons
    assert not native.differences
    return native


def card_of(view: View) -> int:
    """A helper for most of the strategies below."""
    return view.cheapest_winner or view.lowest


# Parameters.


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
    compiled = [compile_act(strategy, store) for strategy in VARIANTS]
    assert (store.saves, store.loads) == (1, len(VARIANTS) - 1)
    assert len({each.parameters.tobytes() for each in compiled}) == len(VARIANTS)


def test_variants_of_one_compilation_play_differently_side_by_side() -> None:
    store = MemoryStore()
    field = [enlist(str(n), s, store) for n, s in enumerate(VARIANTS[:5])]
    always, never = field[3], field[4]
    result = played([always, never], mirrored(1, 50))
    puts = result.tallies[:, 11:13]  # puts0, puts1
    assert (puts[0] > 0).tolist() == [True, False]
    assert (puts[1] > 0).tolist() == [False, True]


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
        compile_act(strategy, store)
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


# Code around `act`.

LIMIT = 8
LEVELS = (3, 6, 9)


def strong(view: View) -> bool:
    return above(view.highest, LIMIT) and not view.ties


def above(card: int, limit: int = 5) -> bool:
    return card > limit


class Helpers(Strategy):
    """Module-level helpers that call each other, constants, a default and a keyword argument."""

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if strong(view) or above(view.lowest) else THROW
        if view.may_put and above(limit=LEVELS[view.trick - 1], card=view.highest):
            return PUT
        return card_of(view)


class Imported(Strategy):
    """Helpers and constants through an imported module, and the standard library's math."""

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if lucky_table.is_high(view.highest) else THROW
        if view.may_put and math.sqrt(view.luck) < lucky_table.TABLE[view.trick - 1]:
            return PUT
        return view.highest if view.lowest > lucky_table.FLOOR else view.lowest


class Base(Strategy):
    """Methods and constants for a subclass."""

    limit = 9
    ladder = (2, 5, 8)

    def strong(self, view: View) -> bool:
        return view.highest > self.threshold(view, extra=1)

    def threshold(self, view: View, extra: int = 0) -> int:
        return self.limit + extra

    def lay(self, view: View) -> int:
        return view.lowest


class Inherits(Base):
    """Calls its own methods, inherited ones, class constants of both and a property."""

    limit = 7

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if self.strong(view) else THROW
        if view.may_put and self.is_patient and self.strong(view):
            return PUT
        if view.highest < self.ladder[view.trick - 1]:
            return self.lay(view)
        return self.dearest(view.cards)

    def threshold(self, view: View, extra: int = 0) -> int:
        return self.limit + extra + view.ties

    @property
    def is_patient(self) -> bool:
        return self.limit > 3

    @staticmethod
    def dearest(cards: tuple[int, int, int]) -> int:
        best = 0
        for card in cards:
            best = max(best, card)
        return best


class Deeper(Inherits):
    """Overrides one method of an inherited act."""

    def strong(self, view: View) -> bool:
        return view.highest > 2


class Comprehends(Strategy):
    """A list comprehension, sum, max, min, sorted, len and a slice."""

    def act(self, view: View) -> int:
        held = [card for card in view.cards if card > 0]
        if view.asked:
            return SEE if sum(held) > 6 * len(held) else THROW
        if view.may_put and max(held) - min(held) < 4:
            return PUT
        return sorted(held)[: view.trick][-1]


class Matches(Strategy):
    """A match statement on numbers, chained comparisons and `in`."""

    def act(self, view: View) -> int:
        match view.trick:
            case 1:
                level = 10
            case 2 | 3 if view.my_tricks:
                level = 5
            case _:
                level = 7
        if view.asked:
            return SEE if level in view.cards or view.highest in (11, 12, 13) else THROW
        if view.may_put and 2 < level <= view.highest and view.their_played[0] not in (1, 2):
            return PUT
        return view.highest if view.led in range(1, 6) else view.lowest


class Loops(Strategy):
    """while, enumerate, zip, tuple unpacking, a conditional expression and integer arithmetic."""

    def act(self, view: View) -> int:
        a, _, c = view.cards
        weight = 0
        for place, (card, other) in enumerate(zip(view.cards, view.played)):  # noqa: B905
            weight += (place + 1) * card - other // 2
        while weight > 13:
            weight -= 13
        if view.asked:
            return SEE if weight % 2 == 0 else THROW
        if view.may_put and (weight ^ a) & 1:
            return PUT
        return c if c else view.lowest


class Remembers(Strategy):
    """Reads the public record of the match."""

    memory = True

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if view.their_puts > 2 * view.their_puts_lost + 1 else THROW
        if view.may_put and view.their_asked and view.their_thrown * 2 > view.their_asked:
            return PUT
        return view.highest if view.hands % 2 else view.lowest


@pytest.mark.parametrize("rules", ["cotton", "truc-french(raise=plus2)"])
@pytest.mark.parametrize(
    "strategy",
    [
        Helpers(),
        Imported(),
        Inherits(),
        Deeper(),
        Comprehends(),
        Matches(),
        Loops(),
        Remembers(),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
def test_ordinary_python_is_compiled_and_decides_the_same(strategy: Strategy, rules: str) -> None:
    assert_compiled_plays_as_interpreted(strategy, rules)


@dataclass(frozen=True)
class Everything(Strategy):
    """Folds every field of the View into its decisions: any field that differed would show."""

    memory = True

    def act(self, view: View) -> int:
        mixed = 17
        for number in (
            *view.cards,
            *view.played,
            *view.their_played,
            view.highest,
            view.lowest,
            view.cheapest_winner,
            view.equal,
            view.led,
            view.score,
            view.their_score,
            view.legs,
            view.their_legs,
            int(view.luck * 1000),
            view.trick,
            view.my_tricks,
            view.their_tricks,
            view.ties,
            view.worth,
            view.worth_if_seen,
            view.worth_if_thrown,
            int(view.is_dealer),
            int(view.is_leader),
            int(view.asked),
            int(view.may_put),
            int(view.may_throw),
            int(view.may_play),
            int(view.must_speak),
            view.puts_mine,
            view.puts_theirs,
            view.puts_seen,
            view.top,
            view.copies,
            view.pack_size,
            view.target,
            view.hands,
            view.my_puts,
            view.my_puts_seen,
            view.my_puts_lost,
            view.my_asked,
            view.my_thrown,
            view.their_puts,
            view.their_puts_seen,
            view.their_puts_lost,
            view.their_asked,
            view.their_thrown,
        ):
            mixed = (mixed * 31 + number) % 1000003
        if view.asked:
            return SEE if mixed % 3 else THROW
        if view.must_speak:
            return PUT if mixed % 2 else THROW
        if view.may_put and mixed % 3 == 0:
            return PUT
        if view.may_throw and mixed % 11 == 0:
            return THROW
        return view.highest if mixed % 2 else view.lowest


def test_the_strategy_that_reads_everything_leaves_out_no_field() -> None:
    read = Everything.act.__code__.co_names
    assert set(View._fields) <= set(read)


@pytest.mark.parametrize(
    "rules", ["cotton", "hoyle", "enquire", "pigott", "parlett", "truc", "truc-french", "plain"]
)
def test_every_field_of_the_view_is_the_same_in_every_tier(rules: str) -> None:
    assert_compiled_plays_as_interpreted(Everything(), rules)


# What cannot be compiled, and why.


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


@pytest.mark.parametrize(
    "strategy",
    [GeneratorInMax(), GeneratorInAny(), CountsCards(), GlobalDict(), StarredTarget()],
    ids=lambda strategy: type(strategy).__name__,
)
def test_what_numba_cannot_compile_is_interpreted_and_the_reason_kept(strategy: Strategy) -> None:
    with pytest.raises(NotNative):
        compile_act(strategy, MemoryStore())
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
        compile_act(strategy, MemoryStore())


@dataclass(frozen=True)
class Wide(Strategy):
    """A number that fits no register."""

    number: int = 2**70

    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest if self.number > 0 else view.highest


def test_a_parameter_beyond_64_bits_is_refused_by_name() -> None:
    with pytest.raises(NotNative, match=f"parameter number={2**70} does not fit 64 bits"):
        compile_act(Wide(), MemoryStore())
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
    assert enlisted(BatchOnly(), tier="interpreted").tier == BATCH
    assert enlisted(GeneratorInMax(), tier="batch").tier == INTERPRETED
    assert enlisted(Learns()).tier == LEARNING
    assert enlisted(Learns(), tier="native").tier == LEARNING
    with pytest.raises(NotNative):
        enlisted(GeneratorInMax(), tier="native")

"""What an unmodified `act` may use and still be compiled."""

import math
from dataclasses import dataclass

import pytest

from put_cli import PUT, SEE, THROW, Strategy, View
from tests.engine import lucky_table
from tests.engine.compiling import assert_compiled_plays_as_interpreted, card_of

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
            view.fourth,
            view.exposed_mine,
            view.exposed_theirs,
            view.said,
            view.players,
            int(view.may_keep),
            int(view.must_swap),
            view.misdeal,
        ):
            mixed = (mixed * 31 + number) % 1000003
        for other in view.others:
            for number in (int(other.live), other.score, other.tricks, other.puts, *other.played):
                mixed = (mixed * 31 + number + other.exposed) % 1000003
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
    "rules",
    [
        "cotton",
        "hoyle",
        "enquire",
        "pigott",
        "parlett",
        "truc",
        "truc-french",
        "plain",
        "four-handed",
        "cotton(misdeals=0.3)",
    ],
)
def test_every_field_of_the_view_is_the_same_in_every_tier(rules: str) -> None:
    assert_compiled_plays_as_interpreted(Everything(), rules)

"""Those who read their opponent from what the whole table has seen in this match."""

from dataclasses import dataclass
from typing import ClassVar

from put_cli import PUT, SEE, THROW, Strategy, View

from .odds import Odds
from .play import ahead, strength, thrifty_card


@dataclass(frozen=True)
class Reader(Strategy):
    """Reads the other's record: bluffs one who throws, waits for one who sees, sees one who bluffs.

    It begins by expecting a moderate opponent, and what it has seen of this one comes to outweigh
    that in the course of a match.
    """

    memory: ClassVar[bool] = True

    level: float = 9.0  # mean card number it asks of itself against a moderate opponent
    reach: float = 6.0  # how far what it reads can move that
    doubt: float = 8.0  # puts it must have seen for the record to weigh as much as expectation

    def act(self, view: View) -> int:
        held = strength(view) + 2.0 * ahead(view)
        if view.asked:
            # Of puts that were seen, an honest man loses a third.
            lost = self.share(view.their_puts_lost, view.their_puts_seen, 0.35)
            return SEE if held >= self.level + self.reach * (0.35 - lost) else THROW
        thrown = self.share(view.their_thrown, view.their_asked, 0.5)
        bluff = thrown - 0.5
        wanted = self.level - self.reach * bluff
        if view.must_speak:
            return PUT if held >= wanted - 2.0 else THROW
        if view.may_put and held >= wanted:
            return PUT
        return thrifty_card(view)

    def share(self, count: int, of: int, expected: float) -> float:
        """The share seen so far, drawn towards what was expected."""
        return (count + self.doubt * expected) / (of + self.doubt)


@dataclass(frozen=True)
class Sharper(Odds):
    """Plays the odds against this opponent: how often he puts and throws says what his words mean.

    One who seldom puts has the cards when he does, one who throws much has them when he sees. From
    one who sees everything and says nothing there is nothing to fear in waiting for a sure thing.
    """

    memory: ClassVar[bool] = True

    puts: float = 0.3  # share of hands that a stranger is expected to put
    doubt: float = 6.0  # hands or puts that weigh as much as that expectation
    steep_put: float = 0.7
    steep_see: float = 0.7
    wait: float = 0.0

    def their_throws(self, view: View) -> float:
        return (view.their_thrown + self.doubt * self.throws) / (view.their_asked + self.doubt)

    def their_puts(self, view: View) -> float:
        quiet = max(view.hands - view.my_puts, view.their_puts)
        return (view.their_puts + self.doubt * self.puts) / (quiet + self.doubt)

    def edge_putting(self, view: View) -> float:
        return float(self.their_puts(view) ** -self.steep_put)

    def edge_seeing(self, view: View) -> float:
        return float((1.0 - self.their_throws(view)) ** -self.steep_see)

    def patience(self, view: View) -> float:
        return self.wait * (1.0 - self.their_puts(view)) * (1.0 - self.their_throws(view))

"""Those who read their opponent from what the whole table has seen in this match."""

import math
from dataclasses import dataclass
from typing import ClassVar

from put_cli import PUT, SEE, THROW, Strategy, View

from .odds import Odds
from .play import ahead, strength, thrifty_card


def drawn(count: int, of: int, expected: float, doubt: float) -> float:
    """A share as recorded, drawn towards the expected one as if `doubt` cases had shown that."""
    return (count + doubt * expected) / (of + doubt)


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
            lost = drawn(view.their_puts_lost, view.their_puts_seen, 0.35, self.doubt)
            return SEE if held >= self.level + self.reach * (0.35 - lost) else THROW
        thrown = drawn(view.their_thrown, view.their_asked, 0.5, self.doubt)
        wanted = self.level + self.reach * (0.5 - thrown)
        if view.must_speak:
            return PUT if held >= wanted - 2.0 else THROW
        if view.may_put and held >= wanted:
            return PUT
        return thrifty_card(view)


@dataclass(frozen=True)
class Sharper(Odds):
    """Plays the odds against this opponent: what he did with puts says what his words are worth.

    One who seldom puts, or whose puts seldom lose, has the cards when he does; one who throws much
    can be put to with less. The record weighs as much as its length allows.
    """

    memory: ClassVar[bool] = True

    edge: float = 6.0
    puts: float = 0.45  # share of hands that a stranger is expected to put, given the chance
    lost: float = 0.3  # share of his seen puts that he is expected to lose
    doubt: float = 40.0  # hands, or puts, that weigh as much as those expectations
    trust: float = 0.5  # how far his record of throwing replaces the expectation at last

    def their_throws(self, view: View) -> float:
        record = drawn(view.their_thrown, view.their_asked, self.throws, self.doubt)
        return self.throws + self.trust * (record - self.throws)

    def edge_putting(self, view: View) -> float:
        # Hands that this player put first were no chance for him.
        chances = max(view.hands - view.my_puts, view.their_puts)
        seldom = self.puts / drawn(view.their_puts, chances, self.puts, self.doubt)
        sound = self.lost / drawn(view.their_puts_lost, view.their_puts_seen, self.lost, self.doubt)
        return self.edge * math.sqrt(seldom * sound)

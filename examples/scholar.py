"""A player that learns in the course of a match, and forgets it with the match.

    put check examples/scholar.py
    put match examples/scholar.py odds --games 2000

`begin_match` makes a fresh `Player` for every match. `act` decides as ever; `hand_over` tells of
every finished hand what this seat saw of it. Learning players are interpreted, so they are slow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from put_strategies.odds import Odds

from put_cli import PUT, SEE, HandRecord, Match, Player, Strategy, View

EDGES = tuple(2.0 ** (half / 2) for half in range(-4, 13))
"""How much better than random the opponent's cards can be, as odds: a quarter to 64."""


@dataclass(frozen=True)
class Scholar(Strategy):
    """Plays the odds, and learns what this opponent's puts and sees are worth from how they end.

    When it is one short of the target the opponent has nothing to lose, puts and sees with
    anything, and never throws. So it keeps two books on him, one for that and one for the rest.
    """

    throws: float = 0.3  # share of puts that a stranger is taken to throw to
    edge: float = 4.0  # odds by which a stranger's cards are better when he puts or sees
    doubt: float = 200.0  # puts that weigh as much as what is expected of a stranger

    def begin_match(self, match: Match) -> Player:
        return ScholarsMatch(self)


class ScholarsMatch(Player):
    """One match of a scholar: its books on this opponent, and the hand under way."""

    def __init__(self, expects: Scholar) -> None:
        usual = Book(expects.throws, expects.edge, expects.edge, expects.doubt)
        desperate = Book(0.05, 1.5, 1.5, expects.doubt)
        self._books = (usual, desperate)
        self._plans = [book.plan() for book in self._books]
        self._now = 0
        self._mine: list[float] = []
        self._theirs: list[float] = []

    def act(self, view: View) -> int:
        """As one who plays the odds would, with what it knows of this opponent."""
        # Scores do not change within a hand, so all its words go into one book.
        self._now = int(view.score + view.worth_if_thrown >= view.target)
        plan = self._plans[self._now]
        action = plan.act(view)
        if action in (PUT, SEE):
            _, win, draw = plan.outlook(view)
            (self._mine if action == PUT else self._theirs).append(win + draw)
        return action

    def hand_over(self, record: HandRecord) -> None:
        """Whether puts were thrown to, and how the seen ones ended."""
        book = self._books[self._now]
        mine, theirs = iter(self._mine), iter(self._theirs)
        words = [(own, word) for _, own, word in record.words]
        for said, answer in pairwise(words):
            match (said, answer):
                case (True, "put"), (_, heard):
                    safe = next(mine)
                    book.throws.note(heard == "throw")
                    if heard == "see":
                        book.seeing.note(safe, record.lost)
                case (False, "put"), (_, "see"):
                    book.putting.note(next(theirs), record.lost)
        self._plans[self._now] = book.plan()
        self._mine.clear()
        self._theirs.clear()


class Book:
    """What is known of an opponent: how often he throws, and his cards when he sees and puts."""

    def __init__(self, throws: float, seeing: float, putting: float, doubt: float) -> None:
        self.throws = Share(throws, doubt)
        self.seeing = Edge(seeing)
        self.putting = Edge(putting)

    def plan(self) -> "_Against":
        """How to play against him."""
        return _Against(self.throws.value, self.seeing.value, self.putting.value)


class Share:
    """A share in [0, 1], drawn towards the expected one as if `doubt` cases had shown that."""

    def __init__(self, expected: float, doubt: float) -> None:
        self._yes, self._of = expected * doubt, doubt

    def note(self, yes: bool) -> None:
        """One more case."""
        self._yes += yes
        self._of += 1.0

    @property
    def value(self) -> float:
        """The share now."""
        return self._yes / self._of


class Edge:
    """How much better than random the opponent's cards are, by Bayes' rule over EDGES."""

    def __init__(self, expected: float, spread: float = 1.0) -> None:
        self._logs = [-(math.log(edge / expected) ** 2) / (2.0 * spread**2) for edge in EDGES]

    def note(self, safe: float, lost: bool) -> None:
        """A seen hand: the chance not to lose it against random cards, and whether it was lost."""
        safe = min(max(safe, 0.01), 0.99)
        for place, edge in enumerate(EDGES):
            lose = (1.0 - safe) * edge / (safe + (1.0 - safe) * edge)
            self._logs[place] += math.log(lose if lost else 1.0 - lose)

    @property
    def value(self) -> float:
        """The edge to be expected: the mean of its logarithm, which is what odds add up in."""
        best = max(self._logs)
        weights = [math.exp(each - best) for each in self._logs]
        return math.exp(mean([math.log(edge) for edge in EDGES], weights))


def mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean."""
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


@dataclass(frozen=True)
class _Against(Odds):
    """The odds against an opponent known so far: `edge` when he sees, `putting` when he puts."""

    putting: float = 4.0

    def edge_putting(self, view: View) -> float:
        return self.putting

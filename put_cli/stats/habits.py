"""How strategies play, counted from hands: when they put, with what, and what it came to.

Hands come in batches of arrays, so memory does not grow with them. A put is the first one of its
hand. This file knows arrays only, not where they come from.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from put_cli.rules.ruleset import RuleSet
from put_cli.stats.chances import winning_draws

Ints = NDArray[np.integer[Any]]
"""Whole numbers of any size: of hands in small ones, which is most of the speed here."""

TENTHS = 10
"""Chances are counted in tenths: 0 to below 0.1, ..., 0.9 to 1."""

BLUFFS = slice(0, TENTHS // 2)
"""The tenths below one half: a put there is a bluff."""

OUTCOMES = ("thrown to", "seen and won", "seen and drawn", "seen and lost")

PLACES = ("lead1", "reply1", "after1", "lead2", "reply2", "lead3", "reply3")
"""Where a put can be said, as the log calls it."""

_PLAYED = {
    "lead1": (0, False),
    "reply1": (0, True),
    "after1": (1, False),
    "lead2": (1, False),
    "reply2": (1, True),
    "lead3": (2, False),
    "reply3": (2, True),
}
"""Tricks that are over there, and whether a card is on the table."""

_UNKNOWN = -1
"""Stands for a chance that was not computed yet."""

MOST_GROUPS = 7
"""Scores are grouped where there would be more of them than this."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Hands:
    """R hands as numbers, S seats, eldest first; no deal that was dealt again."""

    strategy: Ints
    """(S, R): number of the strategy in each seat."""
    score: Ints
    """(S, R): before the hand."""
    cards: Ints
    """(S, R, 3): best first; 0 where a hand ended before it was settled who plays with what."""
    takers: Ints
    """(3, R): seat that took each trick; S for a tie, -1 where it was not played."""
    putter: Ints
    """(R,): seat that said the first put, or -1."""
    place: Ints
    """(R,): where, an index of PLACES, or -1."""
    seen: NDArray[np.bool_]
    """(R,): whether that put was seen."""
    winner: Ints
    """(R,): seat that won the hand; -1 drawn."""
    threw: NDArray[np.bool_]
    """(S, R): whether a seat threw; of more than two, to the first put."""
    points: Ints
    """(S, R): points the hand brought; winning the game outright brings the target."""
    played: Ints | None
    """(6, R): lead and reply of each trick, 0 where there was none; None for more than two."""


class Habits:
    """The counts of n strategies; add hands, then read them."""

    def __init__(self, rules: RuleSet, n: int, chances: "Chances | None" = None) -> None:
        """`chances`: of those rules, where they are at hand already."""
        self.rules = rules
        self.width = -(-rules.target // MOST_GROUPS)
        """Points in a group of scores."""
        groups = -(-rules.target // self.width)
        outcomes = len(OUTCOMES)
        self.hands = np.zeros(n, np.int64)
        """(n,): hands that each played."""
        self.dealt_by_strength = np.zeros((n, TENTHS), np.int64)
        """(n, 10): hands by the chance that the cards win, as dealt."""
        self.puts_by_strength = np.zeros((n, TENTHS, outcomes), np.int64)
        """(n, 10, 4): own puts by the same chance, and what they came to."""
        self.dealt_by_score = np.zeros((n, groups, groups), np.int64)
        """(n, G, G): hands by own score and the best score of the others, in groups."""
        self.puts_by_score = np.zeros((n, groups, groups, outcomes), np.int64)
        """(n, G, G, 4): own puts by the same scores."""
        self.bluffs_by_score = np.zeros((n, groups, groups), np.int64)
        """(n, G, G): of those puts the bluffs; for two."""
        self.throws_by_score = np.zeros((n, groups, groups), np.int64)
        """(n, G, G): hands thrown, by the same scores."""
        self.points_by_score = np.zeros((n, groups, groups), np.int64)
        """(n, G, G): points won more than each of the others, added up."""
        self.first_trick_by_score = np.zeros((n, groups, groups, 3), np.int64)
        """(n, G, G, 3): first tricks won, tied and lost."""
        self.throws_by_strength = np.zeros((n, TENTHS), np.int64)
        """(n, 10): hands thrown, by the chance that the cards win."""
        self.throws = np.zeros(n, np.int64)
        """(n,): hands thrown, with whatever cards."""
        self.dealt_by_seat = np.zeros((n, 2), np.int64)
        """(n, 2): hands as eldest, and otherwise."""
        self.points_by_seat = np.zeros((n, 2), np.int64)
        """(n, 2): points won more than each of the others, added up, by the same seats."""
        self.places = np.zeros((n, len(PLACES)), np.int64)
        """(n, 7): own puts by where they were said."""
        self.puts_by_chance = np.zeros((n, TENTHS, outcomes), np.int64)
        """(n, 10, 4): own puts by the chance to win the hand when they were said; for two."""
        self.first_trick = np.zeros((n, 2, 3), np.int64)
        """(n, 2, 3): first tricks, as eldest and otherwise: won, tied and lost."""
        self.led = np.zeros((n, 3), np.int64)
        """(n, 3): best, middle and lowest cards led to first tricks; for two."""
        self.chances = Chances(rules) if chances is None else chances

    @classmethod
    def of(
        cls, rules: RuleSet, n: int, hands: Iterable[Hands], chances: "Chances | None" = None
    ) -> "Habits":
        """The counts of all `hands`."""
        habits = cls(rules, n, chances)
        for each in hands:
            habits.add(each)
        return habits

    @property
    def score_groups(self) -> list[str]:
        """What the groups of scores are called: `0`, or `0-1`."""
        starts = range(0, self.rules.target, self.width)
        ends = (min(start + self.width, self.rules.target) - 1 for start in starts)
        return [f"{a}" if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True)]

    @property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        """Every array of counts by its name; `merge` takes them."""
        return {name: array for name, array in vars(self).items() if isinstance(array, np.ndarray)}

    def merge(self, counts: Mapping[str, NDArray[np.int64]]) -> None:
        """Add what was counted of other hands of the same strategies."""
        for name, array in self.counts.items():
            array += counts[name]

    def add(self, hands: Hands) -> None:
        """Count some hands."""
        groups = hands.score // self.width
        for seat in range(len(hands.strategy)):
            others = np.delete(groups, seat, axis=0).max(axis=0)
            at = hands.strategy[seat], groups[seat], others
            self._add_puts(hands, seat, at)
            self._add_course(hands, seat, at)
        if hands.played is not None:
            lead, cards = hands.played[0], hands.cards[0]
            led = (lead > 0) & (cards[:, 0] > 0)
            card = np.where(lead == cards[:, 0], 0, np.where(lead == cards[:, 2], 2, 1))
            _count(self.led, hands.strategy[0][led], card[led])

    def _add_puts(self, hands: Hands, seat: int, at: tuple[Ints, ...]) -> None:
        """Count puts and throws of a seat; `at`: strategy, own score and the others'."""
        who, cards = at[0], hands.cards[seat]
        known = cards[:, 0] > 0
        strength = self.chances.of_cards(cards)
        _count(self.dealt_by_strength, who[known], strength[known])
        threw = np.flatnonzero(hands.threw[seat])
        _count(self.throws, who[threw])
        _count(self.throws_by_score, *_at(at, threw))
        threw = threw[known[threw]]
        _count(self.throws_by_strength, who[threw], strength[threw])

        put = np.flatnonzero(hands.putter == seat)
        winner = hands.winner[put]
        outcome = np.where(winner == seat, 1, np.where(winner < 0, 2, 3)) * hands.seen[put]
        _count(self.puts_by_score, *_at(at, put), outcome)
        _count(self.places, who[put], hands.place[put])
        put, outcome = put[known[put]], outcome[known[put]]
        _count(self.puts_by_strength, who[put], strength[put], outcome)
        if hands.played is not None:
            tenth = self._tenths(hands, seat, put)
            _count(self.puts_by_chance, who[put], tenth, outcome)
            _count(self.bluffs_by_score, *_at(at, put[tenth < BLUFFS.stop]))

    def _add_course(self, hands: Hands, seat: int, at: tuple[Ints, ...]) -> None:
        """Count what a seat's hands came to, and its first tricks; `at` as in `_add_puts`."""
        who, seats = at[0], len(hands.strategy)
        place = np.full(len(who), int(seat > 0))
        gained = seats * hands.points[seat] - hands.points.sum(axis=0)
        _count(self.hands, who)
        _count(self.dealt_by_score, *at)
        _count(self.dealt_by_seat, who, place)
        _count(self.points_by_seat, who, place, each=gained)
        _count(self.points_by_score, *at, each=gained)
        over = np.flatnonzero(hands.takers[0] >= 0)
        taker = hands.takers[0][over]
        result = np.where(taker == seat, 0, np.where(taker == seats, 1, 2))
        _count(self.first_trick, who[over], place[over], result)
        _count(self.first_trick_by_score, *_at(at, over), result)

    def _tenths(self, hands: Hands, seat: int, rows: Ints) -> Ints:
        """The chance to win the hand, in tenths, of those who put there from a seat."""
        assert hands.played is not None
        leader = _leaders(hands.takers[:, rows])
        lead, reply = hands.played[0::2, rows], hands.played[1::2, rows]
        own = np.where(leader == seat, lead, reply)
        theirs = np.where(leader == seat, reply, lead)
        held, place = hands.cards[seat][rows], hands.place[rows]
        found = np.zeros(len(rows), np.int8)
        for number, name in enumerate(PLACES):
            here = np.flatnonzero(place == number)
            if len(here):
                tricks, replies = _PLAYED[name]
                cards = _played_first(held[here], own[:tricks, here])
                shown = theirs[: tricks + replies, here].T
                found[here] = self.chances.of_putters(cards, shown, replies)
        return found


class Chances:
    """Chances to win the hand, in tenths; each is computed when it is first asked for.

    Several threads may ask: they write the same numbers.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._strength = _strengths(rules)
        # By replies or not, three own cards and three of the other, 0 where none is known.
        self._putter = np.full((2, *(rules.cards.top + 1,) * 6), _UNKNOWN, np.int8)

    def of_cards(self, cards: Ints) -> Ints:
        """(R,): with the cards (R, 3) as dealt, best first; 0 where there are none."""
        return _looked_up(self._strength, *cards.T)

    def of_putters(self, own: Ints, theirs: Ints, replies: bool) -> Ints:
        """(U,): in the situations of U putters, as `winning_draws` takes them."""
        none = np.zeros_like(own[:, theirs.shape[1] :])
        situations = np.concatenate([own, theirs, none], axis=1)
        table = self._putter[int(replies)]
        tenths = _looked_up(table, *situations.T)
        if (tenths == _UNKNOWN).any():
            new = np.unique(situations[tenths == _UNKNOWN], axis=0).astype(np.int64)
            own, theirs = new[:, :3], new[:, 3 : 3 + theirs.shape[1]]
            table[tuple(new.T)] = _tenth(*winning_draws(self.rules, own, theirs, replies))
            tenths = _looked_up(table, *situations.T)
        return tenths


def _leaders(takers: Ints) -> Ints:
    """(3, R): the seat that leads to each trick; eldest first, then the winner, or the same."""
    leaders = [np.zeros_like(takers[0])]
    for taker in takers[:2]:
        leaders.append(np.where((taker == 0) | (taker == 1), taker, leaders[-1]))
    return np.stack(leaders)


def _played_first(held: Ints, played: Ints) -> Ints:
    """Cards (U, 3) with those `played` (P, U) first and in order, the rest best first."""
    rest = held.copy()
    rows = np.arange(len(held))
    for cards in played:
        rest[rows, (rest == cards[:, None]).argmax(axis=1)] = 0
    rest = -np.sort(-rest, axis=1)[:, : 3 - len(played)]
    return np.concatenate([played.T, rest], axis=1)


def _tenth(won: Ints, total: Ints) -> Ints:
    """The tenth that a share falls into."""
    return np.asarray(np.minimum(TENTHS * won // total, TENTHS - 1))


def _strengths(rules: RuleSet) -> Ints:
    """(top+1, top+1, top+1): tenths of the chance to win with three cards, best first."""
    top = rules.cards.top
    cards = np.array(
        [(a, b, c) for a in range(1, top + 1) for b in range(1, a + 1) for c in range(1, b + 1)]
    )
    # Where nobody holds more than the pack has copies; there are no others in the log.
    cards = cards[(cards[:, 0] != cards[:, 2]) | (rules.cards.copies > 2)]
    won, total = winning_draws(rules, cards, cards[:, :0], replies=False)
    found = np.zeros((top + 1,) * 3, np.int8)
    found[tuple(cards.T)] = _tenth(won, total)
    return found


def _flat(shape: tuple[int, ...], where: tuple[Ints, ...]) -> NDArray[np.int32]:
    """(R,): places named by index arrays, one for each axis, as places of the array in a row."""
    flat = where[0].astype(np.int32)
    for size, index in zip(shape[1:], where[1:], strict=True):
        flat *= size
        flat += index
    return flat


def _looked_up(table: Ints, *where: Ints) -> Ints:
    """The entries at the places named by index arrays."""
    return table.reshape(-1)[_flat(table.shape, where)]


def _at(indices: tuple[Ints, ...], rows: Ints) -> tuple[Ints, ...]:
    """The entries of some rows."""
    return tuple(each[rows] for each in indices)


def _count(into: Ints, *where: Ints, each: Ints | None = None) -> None:
    """Add one, or the numbers of `each`, at the places named by index arrays."""
    flat = _flat(into.shape, where)
    added = np.bincount(flat, each, minlength=into.size)
    into += added.astype(np.int64).reshape(into.shape)

"""How strategies play, counted from hands: when they put, with what, and what it came to.

Hands come in batches of arrays, so memory does not grow with them. A put is the first one of its
hand. This file knows arrays only, not where they come from.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from put_cli.rules.ruleset import RuleSet
from put_cli.stats.chances import winning_draws

Ints = NDArray[np.int64]

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

    def __init__(self, rules: RuleSet, n: int) -> None:
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
        self._strength = _strengths(rules)
        self._chance: dict[int, int] = {}

    @classmethod
    def of(cls, rules: RuleSet, n: int, hands: Iterable[Hands]) -> "Habits":
        """The counts of all `hands`."""
        habits = cls(rules, n)
        for each in hands:
            habits.add(each)
        return habits

    @property
    def score_groups(self) -> list[str]:
        """What the groups of scores are called: `0`, or `0-1`."""
        starts = range(0, self.rules.target, self.width)
        ends = (min(start + self.width, self.rules.target) - 1 for start in starts)
        return [f"{a}" if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True)]

    def add(self, hands: Hands) -> None:
        """Count some hands."""
        for seat in range(len(hands.strategy)):
            own = hands.score[seat] // self.width
            others = np.delete(hands.score, seat, axis=0).max(axis=0) // self.width
            self._add_puts(hands, seat, (hands.strategy[seat], own, others))
            self._add_course(hands, seat, (hands.strategy[seat], own, others))
        if hands.played is not None:
            lead, cards = hands.played[0], hands.cards[0]
            led = (lead > 0) & (cards[:, 0] > 0)
            card = np.where(lead == cards[:, 0], 0, np.where(lead == cards[:, 2], 2, 1))
            _count(self.led, hands.strategy[0][led], card[led])

    def _add_puts(self, hands: Hands, seat: int, at: tuple[Ints, Ints, Ints]) -> None:
        """Count puts and throws of a seat; `at`: strategy, own score and the others'."""
        who, mine, threw = at[0], hands.putter == seat, hands.threw[seat]
        won = np.where(hands.winner == seat, 1, np.where(hands.winner < 0, 2, 3))
        outcome = np.where(hands.seen, won, 0)
        known = hands.cards[seat, :, 0] > 0
        strength = self._strength[tuple(hands.cards[seat].T)]
        put = known & mine
        _count(self.dealt_by_strength, who[known], strength[known])
        _count(self.puts_by_strength, who[put], strength[put], outcome[put])
        _count(self.puts_by_score, *_at(at, mine), outcome[mine])
        _count(self.places, who[mine], hands.place[mine])
        _count(self.throws, who[threw])
        _count(self.throws_by_strength, who[known & threw], strength[known & threw])
        _count(self.throws_by_score, *_at(at, threw))
        if hands.played is not None:
            tenth = self._tenths(hands, seat, put)
            _count(self.puts_by_chance, who[put], tenth, outcome[put])
            _count(self.bluffs_by_score, *_at(_at(at, put), tenth < BLUFFS.stop))

    def _add_course(self, hands: Hands, seat: int, at: tuple[Ints, Ints, Ints]) -> None:
        """Count what a seat's hands came to, and its first tricks; `at` as in `_add_puts`."""
        who, seats = at[0], len(hands.strategy)
        place = np.full(len(who), int(seat > 0))
        gained = seats * hands.points[seat] - hands.points.sum(axis=0)
        _count(self.hands, who)
        _count(self.dealt_by_score, *at)
        _count(self.dealt_by_seat, who, place)
        np.add.at(self.points_by_seat, (who, place), gained)
        np.add.at(self.points_by_score, at, gained)
        taker = hands.takers[0]
        over = taker >= 0
        result = np.where(taker == seat, 0, np.where(taker == seats, 1, 2))[over]
        _count(self.first_trick, who[over], place[over], result)
        _count(self.first_trick_by_score, *_at(at, over), result)

    def _tenths(self, hands: Hands, seat: int, rows: NDArray[np.bool_]) -> Ints:
        """The chance to win the hand, in tenths, of those who put there from a seat."""
        assert hands.played is not None
        leader = _leaders(hands)[:, rows]
        lead, reply = hands.played[0::2, rows], hands.played[1::2, rows]
        own = np.where(leader == seat, lead, reply)
        theirs = np.where(leader == seat, reply, lead)
        held, place = hands.cards[seat][rows], hands.place[rows]
        found = np.zeros(len(place), np.int64)
        for number, name in enumerate(PLACES):
            here = place == number
            if here.any():
                tricks, replies = _PLAYED[name]
                cards = _played_first(held[here], own[:tricks, here])
                shown = theirs[: tricks + replies, here].T
                found[here] = self._looked_up(cards, shown, replies)
        return found

    def _looked_up(self, own: Ints, theirs: Ints, replies: bool) -> Ints:
        """Tenths of the situations of U putters, each counted once."""
        base = self.rules.cards.top + 1
        key = np.full(len(own), int(replies))
        for card in (*own.T, *theirs.T):
            key = key * base + card
        # Another number of cards makes another situation.
        key = key * 4 + theirs.shape[1]
        keys, row, inverse = np.unique(key, return_index=True, return_inverse=True)
        new = np.array([k not in self._chance for k in keys.tolist()], bool)
        if new.any():
            rows = row[new]
            won, total = winning_draws(self.rules, own[rows], theirs[rows], replies)
            tenths = np.minimum(TENTHS * won // total, TENTHS - 1)
            self._chance.update(zip(keys[new].tolist(), tenths.tolist(), strict=True))
        return np.array([self._chance[k] for k in keys.tolist()], np.int64)[inverse]


def _leaders(hands: Hands) -> Ints:
    """(3, R): the seat that leads to each trick; eldest first, then the winner, or the same."""
    first = np.zeros_like(hands.putter)
    leaders = [first]
    for taker in hands.takers[:2]:
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


def _strengths(rules: RuleSet) -> Ints:
    """(top+1, top+1, top+1): tenths of the chance to win with three cards, best first."""
    top = rules.cards.top
    cards = np.array(
        [(a, b, c) for a in range(1, top + 1) for b in range(1, a + 1) for c in range(1, b + 1)]
    )
    # Where nobody holds more than the pack has copies; there are no others in the log.
    cards = cards[(cards[:, 0] != cards[:, 2]) | (rules.cards.copies > 2)]
    won, total = winning_draws(rules, cards, cards[:, :0], replies=False)
    found = np.zeros((top + 1,) * 3, np.int64)
    found[tuple(cards.T)] = np.minimum(TENTHS * won // total, TENTHS - 1)
    return found


def _at(indices: tuple[Ints, ...], rows: NDArray[np.bool_]) -> tuple[Ints, ...]:
    """The entries of some rows."""
    return tuple(each[rows] for each in indices)


def _count(into: Ints, *where: Ints) -> None:
    """Add one at each of the places named by index arrays."""
    flat = np.ravel_multi_index(where, into.shape)
    into += np.bincount(flat, minlength=into.size).reshape(into.shape)

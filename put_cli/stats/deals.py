"""What two are dealt, in classes whose chances are known exactly, whatever anybody plays.

A class says how strong either hand is by itself and which of the two would win if both laid their
cards in random order. There are few enough of them to learn what each is worth, and their chances
are counted over all ways to deal six cards.
"""

from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from put_cli.rules.ruleset import RuleSet
from put_cli.stats.chances import hand_won

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

STRENGTHS = 8
"""Hands are sorted into so many parts of equal chance, the weakest first."""

SHOWDOWNS = 7
"""And pairs of hands by how surely one beats the other."""

COARSE = 4
"""A coarse class joins so many neighbouring strengths into two, and showdowns into three."""


class DealClasses:
    """The classes of the deals to two in one rule set; H hands, Q classes, C coarse ones."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        top, copies = rules.cards.top, rules.cards.copies
        held = [
            cards[::-1]
            for cards in combinations_with_replacement(range(1, top + 1), 3)
            if max(cards.count(card) for card in cards) <= copies
        ]
        self.hands = np.array(held, np.int64)
        """(H, 3): every hand by rank, best card first."""
        self.number = {rules.cards.text(cards): n for n, cards in enumerate(held)}
        """The number of each hand, by its cards as the log writes them."""

        won, lost = self._showdowns()
        dealt: Floats = self.ways / self.ways.sum()
        alone = dealt.sum(axis=1)
        strength = _parts((dealt * won).sum(axis=1) / alone, alone, STRENGTHS)
        showdown = np.rint((won - lost + 1) * (SHOWDOWNS - 1) / 2).astype(np.int64)
        fine = _joined(strength, STRENGTHS, showdown, SHOWDOWNS)
        clear = np.sign(showdown - SHOWDOWNS // 2) + 1
        coarse = _joined(strength * COARSE // STRENGTHS, COARSE, clear, 3)
        self.of = fine
        """(H, H): the class of a deal, by the hands of eldest and dealer."""
        self.coarse = np.zeros(STRENGTHS**2 * SHOWDOWNS, np.int64)
        """(Q,): the coarse class of a class."""
        self.coarse[fine] = coarse
        self.chance = np.bincount(fine.ravel(), dealt.ravel(), minlength=len(self.coarse))
        """(Q,): the chance of each class."""
        self.coarse_chance = np.bincount(self.coarse, self.chance, minlength=COARSE**2 * 3)
        """(C,): of each coarse class."""

    @cached_property
    def ways(self) -> Ints:
        """(H, H): ways in which the pack gives the two their hands."""
        top, copies = self.rules.cards.top, self.rules.cards.copies
        counts = (self.hands[:, :, None] == np.arange(1, top + 1)).sum(axis=1)
        # [cards gone, cards taken]: ways to take them of the copies of one rank.
        choose = np.array([[comb(copies - gone, n) for n in range(4)] for gone in range(4)])
        ways = np.ones((len(counts), len(counts)), np.int64)
        for rank in range(top):
            ways *= choose[0][counts[:, rank]][:, None]
            ways *= choose[counts[:, None, rank], counts[None, :, rank]]
        return ways

    def _showdowns(self) -> tuple[Floats, Floats]:
        """(H, H) each: chance that eldest wins, and loses, with all cards laid in random order."""
        size = (len(self.hands), len(self.hands))
        won, lost = np.zeros(size), np.zeros(size)
        orders = list(permutations(range(3)))
        for order in orders:
            results = np.sign(self.hands[:, None] - self.hands[None, :, list(order)])
            won += hand_won(self.rules, results)
            lost += hand_won(self.rules, -results)
        return won / len(orders), lost / len(orders)


def _parts(values: Floats, weights: Floats, count: int) -> Ints:
    """Which of `count` parts of nearly equal weight each value is in, the smallest first."""
    order = np.argsort(values, kind="stable")
    middle = np.cumsum(weights[order]) - weights[order] / 2
    parts = np.zeros(len(values), np.int64)
    parts[order] = np.minimum(count * middle / weights.sum(), count - 1).astype(np.int64)
    return parts


def _joined(strength: Ints, strengths: int, showdown: Ints, showdowns: int) -> Ints:
    """(H, H): one number for the strengths (H,) of both hands and the showdown (H, H)."""
    both = strength[:, None] * strengths + strength[None, :]
    return np.asarray(both * showdowns + showdown)

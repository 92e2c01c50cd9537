"""Exact chances of a hand for two, counted draw by draw, as a player can know them.

The cards he has not seen are all equally likely to be the other's, and both lay theirs in random
order; with a card to reply to on the table, he is taken to play the one that serves him best.
Everything is counted in whole numbers, so a chance of one half is one half.
"""

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from put_cli.rules.ruleset import RuleSet

Ints = NDArray[np.int64]

CASES = 1_000_000
"""So many draws are in memory at a time."""


def hand_won(rules: RuleSet, results: Ints) -> NDArray[np.bool_]:
    """(...,): whether three tricks (..., 3) in order, 1 won, 0 tied, -1 lost, win the hand."""
    won, lost = (results > 0).sum(axis=-1), (results < 0).sum(axis=-1)
    if rules.tied_trick == "first":
        first = np.zeros_like(won)
        for trick in range(3):
            first = np.where(first == 0, results[..., trick], first)
        tied = (results == 0).sum(axis=-1)
        won, lost = won + tied * (first > 0), lost + tied * (first < 0)
    return np.asarray((won > lost) & ((won > 1) | rules.lone_trick))


def winning_draws(rules: RuleSet, own: Ints, theirs: Ints, replies: bool) -> tuple[Ints, Ints]:
    """Draws of the other's unseen cards that win the hand, and all draws there are: (U,) each.

    `own`: (U, 3) the player's cards, those he has played first, in order; `theirs`: (U, T) what
    the other has played, in order; `replies`: whether the last of these still awaits a reply.
    """
    unseen = np.full((len(own), rules.cards.top + 1), rules.cards.copies)
    for card in (*own.T, *theirs.T):
        unseen[np.arange(len(own)), card] -= 1
    played = theirs.shape[1] - replies
    choices = range(played, 3) if replies else [played]
    best = np.full(len(own), -1)
    total = np.zeros(len(own), np.int64)
    for choice in choices:
        # The card chosen to reply comes next, the others after it.
        order = [*range(played), choice, *(n for n in range(played, 3) if n != choice)]
        cards = own[:, order]
        known = np.sign(cards[:, : theirs.shape[1]] - theirs)
        won, total = _counted(rules, cards[:, theirs.shape[1] :], known, unseen)
        best = np.maximum(best, won)
    return best, total


def _counted(rules: RuleSet, rest: Ints, known: Ints, unseen: Ints) -> tuple[Ints, Ints]:
    """The draws for cards `rest` (U, K) that meet unknown ones, after results `known` (U, 3-K)."""
    count = rest.shape[1]
    ranks = np.array(list(product(range(1, rules.cards.top + 1), repeat=count)), np.int64)
    # Which of a player's tricks comes first matters only where it decides the tied ones.
    first = rules.tied_trick == "first"
    orders = list(permutations(range(count))) if first else [tuple(range(count))]
    won, total = np.zeros(len(rest), np.int64), np.zeros(len(rest), np.int64)
    step = max(1, CASES // len(ranks))
    for start in range(0, len(rest), step):
        part = slice(start, start + step)
        ways = np.ones((len(rest[part]), len(ranks)), np.int64)
        for n in range(count):
            before = (ranks[:, :n] == ranks[:, n : n + 1]).sum(axis=1)
            ways *= unseen[part][:, ranks[:, n]] - before
        before_it = np.broadcast_to(known[part, None], (*ways.shape, known.shape[1]))
        for order in orders:
            results = np.sign(rest[part, None][..., order] - ranks)
            both = np.concatenate([before_it, results], axis=2)
            won[part] += (ways * hand_won(rules, both)).sum(axis=1)
            total[part] += ways.sum(axis=1)
    return won, total

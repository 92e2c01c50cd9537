"""Private hands as multisets of ranks, and how many of them there are for the other's.

Suits never matter, so a player's cards are a multiset of ranks. Ranks are numbered from 0 (worst)
here, since they index arrays; a hand of k cards is written best first. With `left[r]` cards of
each rank unseen, the ways to deal the multiset h to one player and g to the other are

    prod_r falling(left[r], h[r] + g[r]) / (h[r]! g[r]!),   falling(n, k) = n (n-1) ... (n-k+1).

The factorials belong to one hand each: `Hands.share` holds them. The product of the falling
factorials is what removing one's own cards from the pack does to the other's chances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt

SLOTS = 3
"""Cards of a full hand: a play is chosen by its place among them."""


@dataclass(frozen=True, eq=False)
class Hands:
    """All hands of `size` cards from `top` ranks, worst first: the engine's `cards_index`.

    A hand of one card has the number of its rank.
    """

    top: int
    size: int
    cards: npt.NDArray[np.int32]
    """(hands, 3) int32: ranks best first, -1 beyond `size`."""
    rest: npt.NDArray[np.int32]
    """(hands, 3) int32: the hand of size-1 that is left when the card of this place is played; -1
    where there is none or where an equal card stands before it (it is the same play)."""
    join: npt.NDArray[np.int32]
    """(top, hands of size-1) int32: the hand that the rank and the smaller hand make together."""
    slot: npt.NDArray[np.int32]
    """(top, hands of size-1) int32: the place of that rank in it, the first of equals."""
    share: npt.NDArray[np.float64]
    """(hands,) float64: 1 / prod_r h[r]!"""

    def __len__(self) -> int:
        return len(self.cards)


@cache
def hands_of(top: int, size: int) -> Hands:
    """The hands of 0 to 3 cards from ranks 0 to top - 1; of no card there is one."""
    every = sorted(combinations_with_replacement(range(top - 1, -1, -1), size))
    number = {hand: index for index, hand in enumerate(every)}
    smaller = sorted(combinations_with_replacement(range(top - 1, -1, -1), max(size - 1, 0)))
    cards = np.full((len(every), SLOTS), -1, np.int32)
    rest = np.full((len(every), SLOTS), -1, np.int32)
    join = np.full((top, len(smaller)), -1, np.int32)
    slot = np.full((top, len(smaller)), -1, np.int32)
    smaller_number = {hand: index for index, hand in enumerate(smaller)}
    for hand, index in number.items():
        cards[index, :size] = hand
        for place, card in enumerate(hand):
            if card not in hand[:place]:
                left = smaller_number[hand[:place] + hand[place + 1 :]]
                rest[index, place] = left
                join[card, left] = index
                slot[card, left] = place
    share = [1 / prod(factorial(hand.count(rank)) for rank in set(hand)) for hand in every]
    return Hands(top, size, cards, rest, join, slot, np.array(share))


@cache
def removal(top: int, copies: int) -> npt.NDArray[np.float64]:
    """(hands, hands) float64: prod_r falling(copies, h[r] + g[r]) for full hands h and g."""
    counts = np.array(
        [np.bincount(hand, minlength=top) for hand in hands_of(top, SLOTS).cards], np.int64
    )
    falling = np.array(
        [prod(range(copies, copies - n, -1)) if n <= copies else 0 for n in range(2 * SLOTS + 1)],
        np.float64,
    )
    ways = np.ones((len(counts), len(counts)))
    for rank in range(top):
        ways *= falling[counts[:, None, rank] + counts[None, :, rank]]
    return ways


def deals(top: int, copies: int) -> float:
    """The sum of removal * share * share over all pairs of hands: what chances divide by."""
    share = hands_of(top, SLOTS).share
    return float(share @ removal(top, copies) @ share)


def ways_to_take(cards: Sequence[npt.NDArray[np.int64]], copies: int) -> npt.NDArray[np.float64]:
    """The ways to take these cards (ranks, broadcasting) one after the other, from a pack
    with so many copies of each rank."""
    ways: npt.NDArray[np.float64] = np.ones(())
    for number, card in enumerate(cards):
        ways = ways * (copies - sum((card == before) * 1 for before in cards[:number]))
    return ways

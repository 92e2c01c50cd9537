"""Exact chances from what has been seen. Plain functions that compile as they are.

Nobody looks at his cards, so all orders of the unseen cards are equally likely whatever the players
said, and the chances are hypergeometric.
"""

from put_cli.speculation.cards import ACE, LOWEST


def survival(unseen: int, to_come: int, better: int) -> float:
    """The chance that none of `better` cards is among the `to_come` of the `unseen` ones.

    That is C(unseen - better, to_come) / C(unseen, to_come).
    """
    if better > unseen - to_come:
        return 0.0
    chance = 1.0
    for k in range(better):
        chance *= (unseen - to_come - k) / (unseen - k)
    return chance


def unseen_above(seen: int, rank: int) -> int:
    """How many ranks above `rank` are not in the mask `seen` of a suit (bit r for rank r)."""
    count = 0
    for higher in range(rank + 1, ACE + 1):
        if not seen >> higher & 1:
            count += 1
    return count


def survival_of_turn_up(seen: tuple[int, int, int, int], to_come: int) -> float:
    """The same for a turn-up that is still unseen, whose own suit will be trumps.

    `to_come` counts the cards after it. An Ace cannot be beaten.
    """
    unseen = 4 * (ACE - LOWEST + 1)
    for suit in range(4):
        for rank in range(LOWEST, ACE + 1):
            unseen -= seen[suit] >> rank & 1
    total = 0.0
    for suit in range(4):
        better = 0
        chance = 1.0  # of a card with so many unseen above it
        for rank in range(ACE, LOWEST - 1, -1):
            if not seen[suit] >> rank & 1:
                total += chance
                chance *= max(0, unseen - 1 - to_come - better) / (unseen - 1 - better)
                better += 1
    return total / unseen

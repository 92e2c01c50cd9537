"""What several strategies share: how to lay a card, and plain measures of the cards held.

Everything here looks at one View, or at a few numbers of it, and remembers nothing.
"""

from put_cli import View

FULL_TOP = 13
"""Ranks of the 52-card pack. Levels of strategies are written in its card numbers, 1 to 13."""


def thrifty_card(view: View) -> int:
    """Lead the best card; reply with the cheapest that wins, else one that ties, else the worst."""
    if view.is_leader:
        return view.highest
    return view.cheapest_winner or view.equal or view.lowest


def held(cards: tuple[int, int, int]) -> int:
    """How many cards are still in hand."""
    return (cards[0] > 0) + (cards[1] > 0) + (cards[2] > 0)


def mean(cards: tuple[int, int, int]) -> float:
    """Mean card number of the cards in hand; 0 with none."""
    number = held(cards)
    if number == 0:
        return 0.0
    return (cards[0] + cards[1] + cards[2]) / number


def strength(view: View) -> float:
    """Mean card number of the cards in hand, rescaled to the 52-card pack's 1 to 13."""
    return mean(view.cards) * FULL_TOP / view.top


def best(cards: tuple[int, int, int], top: int, ranks: int) -> int:
    """How many of these cards are of the pack's `ranks` best ranks (2: the Threes and Twos)."""
    number = 0
    for card in cards:
        if card > top - ranks:
            number += 1
    return number


def ahead(view: View) -> int:
    """Tricks won less tricks lost in this hand."""
    return view.my_tricks - view.their_tricks

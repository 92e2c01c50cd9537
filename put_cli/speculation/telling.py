"""The events of a deal in words, for the referee, the replay and a person at the table."""

from collections.abc import Callable, Sequence

from put_cli.speculation import cards
from put_cli.speculation.machine import Event, What

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
LETTERS = "ABCDEFGHIJKL"
"""The seats clockwise from the dealer's."""


def sentences(events: Sequence[Event], name: Callable[[int], str]) -> list[str]:
    """Each event in words; `name` tells who sits in a seat."""
    told = []
    trump = best = -1
    for event in events:
        better = ""
        if event.card >= 0 and event.what is not What.TURN_UP:
            above = cards.suit_of(event.card) == trump and cards.rank_of(event.card) > best
            if above:
                better = ", a better trump"
                best = cards.rank_of(event.card)
        elif event.what is What.TURN_UP:
            trump, best = cards.suit_of(event.card), cards.rank_of(event.card)
        told.append(_sentence(event, name) + better)
    return told


def _sentence(event: Event, name: Callable[[int], str]) -> str:
    who = "" if event.seat < 0 else name(event.seat)
    match event.what:
        case What.ANTE:
            return f"{who} antes {event.amount}"
        case What.PRESELL:
            return f"{who} offers the turn-up unseen"
        case What.OFFER:
            plural = "" if event.amount == 1 else "s"
            return f"{who} offers {event.amount} unturned card{plural}"
        case What.BID:
            return f"{who} bids {event.amount}"
        case What.SOLD:
            return f"{who} sells to {name(event.to)} for {event.amount}"
        case What.KEPT:
            return f"{who} refuses"
        case What.TURN_UP:
            suit = SUIT_NAMES[cards.suit_of(event.card)]
            return f"{cards.text(event.card)} is turned up: {suit} are trumps"
        case What.TURN:
            return f"{who} turns {cards.text(event.card)}"
        case What.PAYMENT:
            return f"{who} pays {event.amount} to the pool"
        case What.SPARE:
            return f"the spare hand has {cards.text(event.card)}"
        case What.TAKEN:
            return f"{who} takes the pool of {event.amount}"
        case What.CARRIED:
            return f"the pool of {event.amount} is carried over"

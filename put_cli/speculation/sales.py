"""What was bought and sold, and what it was worth: counted from the logged events.

The worth is exact but for one thing: what an owner may later gain by selling is left out. Nobody
has seen his cards, so it is the same to everybody.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.speculation.cards import ACE, FIVE, KNAVE, LOWEST, PACK, PER_SUIT
from put_cli.speculation.chance import survival_of_turn_up
from put_cli.speculation.machine import Sale, What
from put_cli.speculation.rules import CARDS_EACH, Speculation
from put_cli.speculation.view import TO_COME_MOST, survivals

Ints = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Events:
    """The events of D whole deals, in order: (E,) each.

    `deal` numbers the deals from 0; `what` is of `What`, `card` a card or -1; `seller` and `buyer`
    are strategies, -1 for nobody; `pool` is the one after the event.
    """

    deal: Ints
    what: Ints
    card: Ints
    amount: Ints
    seller: Ints
    buyer: Ints
    pool: Ints


@dataclass(frozen=True, eq=False)
class Sales:
    """What was sold: (S,) each, in order."""

    kind: Ints
    """Of `Sale`."""
    cards: Ints
    """Unturned cards that were sold; 0 for a trump or the turn-up."""
    price: Ints
    worth: Floats
    """Chips that what was sold adds to its owner's expectation."""
    seller: Ints
    buyer: Ints


def sales(rules: Speculation, events: Events) -> Sales:
    """Every sale, with what it was worth by the cards seen in its deal."""
    what, card, number = events.what, events.card, np.arange(len(events.what))
    starts = np.flatnonzero(np.diff(events.deal, prepend=-1))
    start = starts[np.searchsorted(starts, number, side="right") - 1]

    def so_far(counted: npt.NDArray[np.bool_]) -> Ints:
        """(E,): how many of the deal's events up to this one."""
        total = np.cumsum(counted)
        within: Ints = total - (total - counted)[start]
        return within

    def last(where: npt.NDArray[np.bool_]) -> Ints:
        """(E,): number of the last such event up to this one; -1 without one."""
        found: Ints = np.maximum.accumulate(np.where(where, number, -1))
        return found

    shown = card >= 0
    rank = np.where(shown, card % PER_SUIT + LOWEST, 0)
    up = last(what == What.TURN_UP)
    trump = np.where(up >= start, card[up] // PER_SUIT, -1)
    own = np.where(shown & (card // PER_SUIT == trump), rank, 0)
    best = np.maximum.accumulate(events.deal * (ACE + 1) + own) - events.deal * (ACE + 1)

    at = np.flatnonzero(what == What.SOLD)
    opening = last(what != What.BID)[at - 1]
    kind = np.select(
        [what[opening] == What.PRESELL, what[opening] == What.OFFER],
        [Sale.TURN_UP, Sale.UNTURNED],
        Sale.TRUMP,
    )
    count = np.where(kind == Sale.UNTURNED, events.amount[opening], 0)
    spare = CARDS_EACH * rules.spare_hand
    to_turn = CARDS_EACH * rules.players - so_far(what == What.TURN)[at]
    unseen = PACK - so_far(shown)[at]
    fine = rules.payment * (8 - so_far(shown & np.isin(rank, (FIVE, KNAVE)))[at]) / unseen
    pool = events.pool[at] + to_turn * fine
    unknown = survival_of_turn_up((0, 0, 0, 0), CARDS_EACH * rules.players + spare)
    row = (unseen * TO_COME_MOST + to_turn + spare) * PER_SUIT + np.where(best, ACE - best, 0)[at]
    survives = np.where(kind == Sale.TURN_UP, unknown, survivals()[row])
    share = (1 - survives) * count / np.maximum(1, to_turn + spare)
    return Sales(
        kind=kind,
        cards=count,
        price=events.amount[at],
        worth=np.where(kind == Sale.UNTURNED, share * pool - count * fine, survives * pool),
        seller=events.seller[at],
        buyer=events.buyer[at],
    )

"""The chips of logged deals, added up from their events: what no kernel has had a hand in.

Arrays are of the rows of `events/` and `deals/` as logged, in order; seats count from the dealer's,
-1 is nobody.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.speculation.machine import What
from put_cli.speculation.schema import EVENT_WORDS
from put_cli.speculation.telling import LETTERS
from put_cli.verify.rows import numbered

Ints = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]
Wrong = tuple[str, Bools, str, str]
"""Of which table, in which of its rows something is not so, the columns, and what was expected."""


@dataclass(frozen=True, eq=False)
class Book:
    """E events of D deals among N players."""

    deal: Ints
    """(E,): row of the deal."""
    what: Ints
    """(E,): by its number in `What`, -1 for none."""
    seat: Ints
    to: Ints
    amount: Ints
    pool: Ints
    """(E,): after the event."""
    carried: Ints
    """(D,): chips that the deal began with."""
    prize: Ints
    """(D,): the pool as it was taken, or is carried over."""
    winner: Ints
    net: Ints
    """(D, N)"""


def book(events: pa.Table, deals: pa.Table, deal_of_event: Ints, players: int) -> Book:
    """What the tables say; columns in one piece."""
    return Book(
        deal=deal_of_event,
        what=numbers_of(events, "what", EVENT_WORDS),
        seat=numbers_of(events, "seat", LETTERS),
        to=numbers_of(events, "to", LETTERS),
        amount=_ints(events, "amount"),
        pool=_ints(events, "pool"),
        carried=_ints(deals, "carried"),
        prize=_ints(deals, "pool"),
        winner=numbers_of(deals, "taken_by", LETTERS),
        net=np.stack([_ints(deals, f"net_{letter}") for letter in LETTERS[:players]], axis=1),
    )


def numbers_of(table: pa.Table, column: str, words: tuple[str, ...] | str) -> Ints:
    """(R,): of a column of words the number of each; -1 for null and any other."""
    found = table[column].chunk(0)
    known = {word: n for n, word in enumerate(words)}
    listed = [*(known.get(word, -1) for word in found.dictionary.to_pylist()), -1]
    return numbered(found, np.array(listed, np.int64))


def _ints(table: pa.Table, column: str) -> Ints:
    values: Ints = table[column].to_numpy().astype(np.int64)
    return values


def wrong(kept: Book) -> Iterator[Wrong]:
    """What does not add up."""
    paid_in = np.where(np.isin(kept.what, (What.ANTE, What.PAYMENT)), kept.amount, 0)
    taken = kept.what == What.TAKEN
    ended = taken | (kept.what == What.CARRIED)
    so_far = np.cumsum(paid_in)
    first = np.searchsorted(kept.deal, np.arange(len(kept.carried)))
    before = (so_far - paid_in)[np.minimum(first, len(so_far) - 1)] if len(so_far) else first
    pool = kept.carried[kept.deal] + so_far - before[kept.deal]
    told = "the chips carried over and paid in"
    yield "events", kept.pool != np.where(taken, 0, pool), "pool", f"{told}, 0 once it is taken"
    yield "events", ended & (kept.amount != pool), "amount", told
    prize = np.zeros(len(kept.carried), np.int64)
    np.add.at(prize, kept.deal[ended], kept.amount[ended])
    yield "deals", kept.prize != prize, "pool", "what was taken, or carried over"
    yield (
        "deals",
        (kept.net != _net(kept, paid_in, taken)).any(axis=1),
        "net",
        "the chips of its events",
    )
    left = np.where(kept.winner < 0, kept.prize, 0)
    lost = kept.net.sum(axis=1) + left != kept.carried
    yield "deals", lost, "net, pool, carried", "no chips to come from nowhere or be lost"


def _net(kept: Book, paid_in: Ints, taken: Bools) -> Ints:
    """(D, N): everybody's change in chips by the events."""
    net = np.zeros_like(kept.net)
    sold = kept.what == What.SOLD
    some = kept.seat >= 0
    gained = np.where(taken | sold, kept.amount, 0) - paid_in
    np.add.at(net, (kept.deal[some], kept.seat[some]), gained[some])
    bought = sold & (kept.to >= 0)
    np.add.at(net, (kept.deal[bought], kept.to[bought]), -kept.amount[bought])
    return net

"""Who sold what to whom at what price, counted over a whole run."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.log import reader
from put_cli.log.manifest import Manifest
from put_cli.speculation.cards import ALL_TEXTS
from put_cli.speculation.machine import Sale, What
from put_cli.speculation.rules import Speculation
from put_cli.speculation.sales import Events, Sales, sales
from put_cli.speculation.schema import EVENT_WORDS

COLUMNS = ("event", "what", "strategy", "card", "to", "amount", "pool")

KINDS = len(Sale)


@dataclass(frozen=True, eq=False)
class Trade:
    """Sums over sales, (kinds, n, n): by `Sale`, who sold, who bought."""

    count: npt.NDArray[np.float64]
    price: npt.NDArray[np.float64]
    """Chips paid."""
    worth: npt.NDArray[np.float64]
    """Chips that what was sold was worth."""

    @classmethod
    def nothing(cls, n: int) -> "Trade":
        """No sale among `n` strategies."""
        return cls(*(np.zeros((KINDS, n, n)) for _ in range(3)))

    def add(self, found: Sales) -> None:
        """Count sales."""
        where = found.kind, found.seller, found.buyer
        for total, each in zip(
            (self.count, self.price, self.worth),
            (np.ones(len(found.kind)), found.price, found.worth),
            strict=True,
        ):
            np.add.at(total, where, each)

    @property
    def gains(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(n,) each: chips above worth that everybody got as seller, and saved as buyer."""
        above = (self.price - self.worth).sum(axis=0)
        return above.sum(axis=1), -above.sum(axis=0)


def trade_of(made: Manifest) -> Trade:
    """The trade of a run that logged its deals.

    Raises:
        RunError: its log cannot be read.
    """
    rules = made.any_rules
    assert isinstance(rules, Speculation)
    total = Trade.nothing(len(made.names))
    for shard in sorted(reader.committed(made)):
        parts = list(reader.batches(made, "events", COLUMNS, [shard]))
        if sum(len(part) for part in parts):
            table = pa.Table.from_batches(parts).unify_dictionaries().combine_chunks()
            total.add(sales(rules, _events(table, made.names, rules.players)))
    return total


def _events(table: pa.Table, names: list[str], players: int) -> Events:
    def numbers(column: str, words: Iterator[str] | list[str]) -> npt.NDArray[np.int64]:
        found = table[column].chunk(0)
        known = {word: n for n, word in enumerate(words)}
        listed = np.array([*(known.get(word, -1) for word in found.dictionary.to_pylist()), -1])
        where: npt.NDArray[np.int64] = listed[found.indices.fill_null(-1).to_numpy()]
        return where

    number = table["event"].to_numpy()
    what = numbers("what", list(EVENT_WORDS))
    strategy = numbers("strategy", names)
    starts = np.flatnonzero(number == 0)
    deal = np.searchsorted(starts, np.arange(len(number)), side="right") - 1
    # A deal begins with the antes, from the dealer's left to himself: who sits where.
    antes = strategy[starts[:, None] + np.arange(players)]
    at_table = np.roll(antes, 1, axis=1)  # the dealer, A, first
    to = numbers("to", list("ABCDEFGHIJKL"))
    buyer = np.where(to < 0, -1, at_table[deal, np.maximum(to, 0)])
    sold = what == What.SOLD
    return Events(
        deal=deal,
        what=what,
        card=numbers("card", list(ALL_TEXTS)),
        amount=table["amount"].to_numpy(),
        seller=strategy,
        buyer=np.where(sold, buyer, -1),
        pool=table["pool"].to_numpy(),
    )

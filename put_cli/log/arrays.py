"""Columns made of numbers: codes with a dictionary, and who sat where."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import tables as tb
from put_cli.engine.decode import triples
from put_cli.engine.matches import Played
from put_cli.log.schema import Format
from put_cli.rules.machine import NOBODY, RULINGS, Ending, Misdeal
from put_cli.rules.ruleset import GAME

Ints = npt.NDArray[Any]

PLACES = pa.array(tb.PLACES)
MISDEALS = pa.array([each.name.lower().replace("_", "-") for each in Misdeal if each])
RULING_WORDS = pa.array([act.name.lower() for act in RULINGS])

# Rows carry the code of an ending as the first of these lists says; the Laws know one more.
_ENDING_WORDS = ("tricks", "thrown", "drawn", "redealt", "forfeit")
FORFEIT = _ENDING_WORDS.index("forfeit")


def coded(index: Ints, dictionary: pa.Array, kind: Any = np.int8) -> pa.Array:
    """A dictionary column; a negative index is null."""
    codes = index.astype(kind, copy=False)
    missing = codes < 0
    indices = pa.array(np.maximum(codes, 0), mask=missing) if missing.any() else pa.array(codes)
    return pa.DictionaryArray.from_arrays(indices, dictionary, safe=False)


def table(form: Format, name: str, made: Mapping[str, Any]) -> pa.Table:
    """The table `name` from its columns, NumPy or Arrow, by name."""
    arrays = [
        value if isinstance(value, pa.Array) else pa.array(value, type=column.type, safe=False)
        for column in form.tables[name]
        for value in [made[column.name]]
    ]
    return pa.Table.from_arrays(arrays, schema=form.schema(name))


class Lookup:
    """What columns look up by state or card: small arrays, made once for a rule set."""

    def __init__(self, tables: tb.Tables) -> None:
        rules, states = tables.rules, tables.states
        self.form = Format(rules)
        seats = rules.players
        # Card 0 is no card: its index is -1, and the column null.
        self.ranks = pa.array([rules.cards.rank(card) for card in range(1, rules.cards.top + 1)])
        self.cards = pa.array([rules.cards.text(cards) for cards in triples(rules.cards.top)])
        takers = states[:, tb.TAKERS : tb.TAKERS + 3]
        # Seats, then the tie; what was not played is null.
        self.takers = np.where(takers == NOBODY, seats, np.where(takers < seats, takers, -1))
        self.takers = self.takers.T.astype(np.int8, order="C")
        winner = states[:, tb.WINNER]
        self.winner = np.where(winner < seats, winner, -1).astype(np.int8)
        self.actor = states[:, tb.ACTOR].astype(np.int8)
        self.outright = states[:, tb.POINTS] == GAME
        self.puts = states[:, tb.PUTS_OF : tb.PUTS_OF + seats].sum(axis=1).astype(np.int8)
        self.seen = states[:, tb.SEEN].astype(np.int8)
        worths = sorted(set(states[:, tb.WORTH].tolist()))
        self.worths = pa.array(["game" if worth == GAME else str(worth) for worth in worths])
        self.worth = np.searchsorted(worths, states[:, tb.WORTH]).astype(np.int8)
        words = [*_ENDING_WORDS, *(["awarded"] if rules.misdeals else [])]
        self.endings = pa.array(words)
        by_ending = [
            words.index(each.name.lower()) if each.name.lower() in words else -1 for each in Ending
        ]
        # While a hand runs its ending is -1, which finds the last.
        self.ending = np.array([*by_ending, -1], np.int8)[states[:, tb.ENDING]]

    def rank(self, card: Ints) -> pa.Array:
        """Ranks of cards by number."""
        return coded(card - 1, self.ranks)

    def held(self, index: Ints) -> pa.Array:
        """Three cards by the kernel's number for them."""
        return coded(index, self.cards, np.int16)

    def laws(self, column: Mapping[str, Ints], whom: pa.Array, shift: int) -> dict[str, pa.Array]:
        """The columns of the Laws.

        `whom` names the places clockwise, from the one `shift` after the dealer on.
        """
        misdeal = column["misdeal"]
        place = (column["misdeal_place"] - shift) % len(whom)
        nobody = (misdeal == Misdeal.NONE) | (misdeal == Misdeal.FACED)
        return {
            "misdeal": coded(misdeal - 1, MISDEALS),
            "misdeal_to": coded(np.where(nobody, -1, place), whom),
            "misdeal_card": self.rank(column["misdeal_card"]),
            "ruling": coded(column["ruling"] - 1, RULING_WORDS),
        }


class Matches:
    """The fixtures of a `Played` as arrays of F, to be looked up by number of fixture."""

    def __init__(self, played: Played) -> None:
        rows = [(f.pairing, f.block, f.mirror, f.games, *f.chairs) for f in played.fixtures]
        # There are very many tables of six of a large field.
        facts = np.array(rows, np.int32 if len(rows[0]) == 6 else np.int64)
        self.pairing, self.block, self.mirror, self.games = facts[:, :4].T.copy()
        self.starts = np.cumsum(self.games) - self.games  # rows of the games table
        self.sides = facts.shape[1] - 4
        self._chairs: Ints = facts[:, 4:].astype(np.int16).ravel()

    def key(self, fixture: Ints) -> dict[str, Any]:
        """The columns that begin every table, for rows of these fixtures."""
        return {
            "pairing": self.pairing[fixture],
            "block": self.block[fixture],
            "mirror": self.mirror.astype(np.int8)[fixture],
        }

    def sitting(self, fixture: Ints, side: Any) -> Ints:
        """Which contestant sat on this side."""
        who: Ints = self._chairs[self.sides * fixture + side]
        return who

    def places(self) -> Ints:
        """(F, sides): the side on which each place of the table sat, a first."""
        return np.argsort(self._chairs.reshape(-1, self.sides), axis=1)

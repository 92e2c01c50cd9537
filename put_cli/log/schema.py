"""The tables of the log, as a function of the rule set.

Each family of games has its own: two-handed, four-handed (each of two sides a pair of partners),
many-handed (three to six players). The data dictionary of a run and the Parquet schemas are both
made from the columns named here and in `schema_two` and `schema_many`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.log import schema_many, schema_two
from put_cli.log.column import Column
from put_cli.rules.ruleset import RuleSet
from put_cli.stats import tally

VERSION = 1
"""Version of the format: columns, key, directory and manifest."""

LOGS = ("hands", "games", "none")
"""The values of --log."""

EVERY_TABLE = ("events", "deals", "hands", "plays", "games", "tallies")
"""Names of the tables of all families, in the order in which parts are written."""


@dataclass(frozen=True)
class Format:
    """The tables of the games played by one rule set."""

    rules: RuleSet

    @property
    def family(self) -> str:
        """What the log calls games of this kind."""
        if self.rules.players > 2:
            return "many-handed"
        return "four-handed" if self.rules.partners else "two-handed"

    def facts(self) -> dict[str, Any]:
        """What manifest and footers say of the format; together it decides every column."""
        rules = self.rules
        return {
            "family": self.family,
            "version": VERSION,
            **({"players": rules.players} if rules.players > 2 else {}),
            **({"misdeals": True} if rules.misdeals else {}),
        }

    @cached_property
    def tables(self) -> Mapping[str, tuple[Column, ...]]:
        """Columns by table, in the order in which a shard's parts are written; the last commits."""
        rules = self.rules
        if rules.players > 2:
            made = {
                "hands": schema_many.hands(rules),
                "plays": schema_many.plays(rules),
                "games": schema_many.games(rules),
            }
        else:
            made = {"hands": schema_two.hands(rules), "games": schema_two.games(rules)}
        return made | {"tallies": self._tallies()}

    def logged(self, log: str) -> tuple[str, ...]:
        """The tables that a value of --log writes."""
        first = {"hands": "hands", "games": "games", "none": "tallies"}[log]
        names = list(self.tables)
        return tuple(names[names.index(first) :])

    def schema(self, table: str) -> pa.Schema:
        """The Arrow schema of a table; footers add their own metadata."""
        return pa.schema([pa.field(c.name, c.type, c.null) for c in self.tables[table]])

    def impossible(
        self, rows: Mapping[str, npt.NDArray[np.int64]], *, games: int, blocks: int
    ) -> str | None:
        """What of tally rows cannot be, as in `tally.impossible`."""
        return tally.impossible(rows, self.rules.players, games=games, blocks=blocks)

    def _tallies(self) -> tuple[Column, ...]:
        tables = pa.int32() if self.rules.players == 2 else pa.int64()
        narrow = {"mirror": pa.int8(), "pairing": tables, "block": pa.int32()}
        return tuple(
            Column(column.name, narrow.get(column.name, pa.int64()), column.meaning)
            for column in tally.columns(self.rules.players)
        )

"""Which row of a table is which: keys against the plan, duplicates, rows out of order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine.matches import Fixture
from put_cli.log.schema import Format
from put_cli.speculation.schema import SpeculationFormat

Ints = npt.NDArray[np.int64]

SPAN = {"hand": 1 << 20, "trick": 4, "turn": 8, "deal": 1 << 20, "event": 1 << 16}
"""Key columns below the game, and what their values are less than."""

_MATCH = ("pairing", "block", "mirror")
_GAME = (*_MATCH, "game")

KEYS: Mapping[str, tuple[str, ...]] = {
    "tallies": _MATCH,
    "games": _GAME,
    "hands": (*_GAME, "hand"),
    "plays": (*_GAME, "hand", "trick", "turn"),
}
"""The primary key of each table of Put."""

KEYS_OF_SESSIONS: Mapping[str, tuple[str, ...]] = {
    "tallies": _GAME,
    "games": _GAME,
    "deals": (*_GAME, "deal"),
    "events": (*_GAME, "deal", "event"),
}
"""And of Speculation."""


def keys_of(form: Format) -> Mapping[str, tuple[str, ...]]:
    """The primary key of each table of a log."""
    return KEYS_OF_SESSIONS if isinstance(form, SpeculationFormat) else KEYS


@dataclass(frozen=True, eq=False)
class Placed:
    """The rows of a table that have a place in the plan, each once, in order.

    `rows` (R,) are their positions in the file, `unit` (R,) the row of the match or game they
    belong to, `order` (R,) increasing, and equal for equal keys in every table of that name.
    """

    rows: Ints
    unit: Ints
    order: Ints


class Plan:
    """The matches and games of a shard, to find rows in; `keys` are those of its tables."""

    def __init__(
        self, fixtures: Sequence[Fixture], keys: Mapping[str, tuple[str, ...]] = KEYS
    ) -> None:
        self.keys = keys
        facts = np.array([(f.pairing, f.block, f.mirror, f.games) for f in fixtures], np.int64)
        facts = facts.reshape(-1, 4)
        self.games = facts[:, 3]
        self.starts = np.cumsum([0, *self.games])
        self._pairings = np.unique(facts[:, 0])
        self._blocks, self._mirrors = facts[:, 1:3].max(axis=0, initial=0) + 1
        self._codes = self._code(np.searchsorted(self._pairings, facts[:, 0]), *facts[:, 1:3].T)
        self._by_code = np.argsort(self._codes)
        self._sorted = self._codes[self._by_code]

    def _code(self, pairing: Ints, block: Ints, mirror: Ints) -> Ints:
        code: Ints = (pairing * self._blocks + block) * self._mirrors + mirror
        return code

    def place(self, name: str, table: pa.Table) -> tuple[Placed, Iterator[tuple[int, str, int]]]:
        """The rows that have a place; of the others position and what is wrong with them.

        Rows out of order are told once for a match or game, with how many more there are in it.
        """
        key = {each: table[each].to_numpy().astype(np.int64) for each in self.keys[name]}
        match, known = self._match(key["pairing"], key["block"], key["mirror"])
        unit = match
        if "game" in key:
            known &= (key["game"] >= 0) & (key["game"] < self.games[match])
            unit = self.starts[match] + key["game"]
        order = unit
        for each, span in SPAN.items():
            if each in key:
                known &= (key[each] >= 0) & (key[each] < span)
                order = order * span + key[each]
        if known.all() and (np.diff(order) > 0).all():
            return Placed(np.arange(len(order)), unit, order), iter(())
        rows = np.flatnonzero(known)
        by_order = rows[np.argsort(order[rows], kind="stable")]
        first = np.diff(order[by_order], prepend=-1) > 0
        # A row is out of order when one before it comes after it.
        reached = np.maximum.accumulate(np.where(known, order, -1))
        late = known & (order < np.concatenate([[-1], reached[:-1]]))
        late[by_order[~first]] = False
        out_of_order = np.flatnonzero(late)
        _, begins, counts = np.unique(unit[out_of_order], return_index=True, return_counts=True)
        wrong = [
            *((row, "a row that the plan does not have", 0) for row in np.flatnonzero(~known)),
            *((row, "the row a second time", 0) for row in by_order[~first]),
            *(
                (row, "the row after one that follows it", count - 1)
                for row, count in zip(out_of_order[begins], counts, strict=True)
            ),
        ]
        kept = by_order[first]
        placed = Placed(kept, unit[kept], order[kept])
        return placed, ((int(row), what, int(further)) for row, what, further in sorted(wrong))

    def _match(
        self, pairing: Ints, block: Ints, mirror: Ints
    ) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Number of the fixture of every row, and whether there is such a one."""
        # Rows of a match lie together: each run of them is looked up once.
        key = pairing, block, mirror
        changes = np.ones(len(pairing), bool)
        changes[1:] = np.logical_or.reduce([each[1:] != each[:-1] for each in key])
        begins = np.flatnonzero(changes)
        if len(begins) < len(pairing):
            found = self._match(*(each[begins] for each in key))
            counts = np.diff(begins, append=len(pairing))
            return np.repeat(found[0], counts), np.repeat(found[1], counts)
        near = np.minimum(np.searchsorted(self._pairings, pairing), len(self._pairings) - 1)
        known = self._pairings[near] == pairing
        known &= (block >= 0) & (block < self._blocks) & (mirror >= 0) & (mirror < self._mirrors)
        code = np.where(known, self._code(near, block, mirror), 0)
        at = np.minimum(np.searchsorted(self._sorted, code), len(self._sorted) - 1)
        known &= self._sorted[at] == code
        return self._by_code[at], known


def text_of(key: Sequence[str], table: pa.Table, row: int) -> str:
    """The key of a row as faults tell it: `12/0/1/17/3`; `key` are its columns."""
    return "/".join(str(table[each][row].as_py()) for each in key)

"""The tally table: one row for each match, and its sums.

The one place that names the columns; the log's schema and the standings both read them here.
Everything is counted from the side of the strategies of a pairing, `a` the first and `b` the
second, whichever chairs they sit in. Tables of more than two go on to `c`, `d`, `e` and `f`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from put_cli.errors import RunError

Rows = Mapping[str, NDArray[np.int64]]
"""Column name -> (R,) int64, one entry for each row."""

PLACES = "abcdef"
"""The strategies of a pairing or table, in the order of their numbers."""


class Column(NamedTuple):
    """A column of the tally table; all hold integers."""

    name: str
    meaning: str


KEY = (
    Column("pairing", "number of the pairing: j(j-1)/2 + i for strategies i < j"),
    Column("block", "number of the block of mirrored matches within the pairing, from 0"),
    Column("mirror", "1 for the match in which the strategies have exchanged chairs, else 0"),
)

COUNTS = (
    Column("games", "games of the match, forfeited ones included; no game is drawn"),
    Column("wins_a", "games won by a"),
    Column("wins_b", "games won by b"),
    Column("dealt_a", "games in which a dealt first"),
    Column("dealt_wins_a", "games in which a dealt first and that a won"),
    Column("pairs_0", "mirrored pairs of games (same cards, chairs exchanged) of which a won none"),
    Column("pairs_1", "mirrored pairs of games of which a won one"),
    Column("pairs_2", "mirrored pairs of games of which a won both; counted in mirror 0 rows only"),
    Column("legs_a", "games within rubbers won by a; 0 outside rubbers"),
    Column("legs_b", "games within rubbers won by b; 0 outside rubbers"),
    Column("hands", "hands dealt and played"),
    Column("drawn", "hands that were drawn"),
    Column("points_a", "points won by a; a game won outright counts the target"),
    Column("points_b", "points won by b; a game won outright counts the target"),
    Column("puts_a", "puts said by a"),
    Column("puts_b", "puts said by b"),
    Column("seen_a", "puts of a that b saw"),
    Column("seen_b", "puts of b that a saw"),
    Column("declined_a", "puts of a that b threw to"),
    Column("declined_b", "puts of b that a threw to"),
    Column("lost_a", "puts of a that were seen in hands a then lost"),
    Column("lost_b", "puts of b that were seen in hands b then lost"),
    Column("faults_a", "times a lost a game by a fault"),
    Column("faults_b", "times b lost a game by a fault"),
    Column("forfeits_a", "games a lost unplayed"),
    Column("forfeits_b", "games b lost unplayed"),
)

COLUMNS: tuple[Column, ...] = KEY + COUNTS


_TABLE_KEY = (
    Column("pairing", "number of the table: the sum of C(c_k, k) for strategies c_1 < c_2 < ..."),
    Column("block", "number of the block of mirrored matches at the table, from 0"),
    Column("mirror", "how many chairs on every strategy sits of where it began the block, from 0"),
)

_OF_EACH = (
    ("wins", "games won by {}"),
    ("dealt", "games in which {} dealt first"),
    ("dealt_wins", "games in which {} dealt first and that {} won"),
    ("points", "points won by {}; a game won outright counts the target"),
    ("puts", "puts said by {}"),
    ("seen", "puts of {} that somebody saw"),
    ("declined", "puts of {} that everybody threw to"),
    ("lost", "puts of {} that were seen in hands {} then did not win, drawn ones apart"),
    ("faults", "times {} lost a game by a fault"),
    ("forfeits", "games {} lost unplayed"),
)


def columns(sides: int) -> tuple[Column, ...]:
    """The columns of the tally table for so many strategies at a table; COLUMNS for two."""
    if sides == 2:
        return COLUMNS
    games, hands, drawn = (
        column for column in COUNTS if column.name in ("games", "hands", "drawn")
    )
    each = (
        Column(f"{name}_{place}", meaning.format(place, place))
        for name, meaning in _OF_EACH
        for place in PLACES[:sides]
    )
    return (*_TABLE_KEY, games, hands, drawn, *each)


def table_number(members: Sequence[int]) -> int:
    """Number of the table of strategies i < j < ..., so that new strategies append tables.

    j(j-1)/2 + i for two: the combinatorial number system (D. E. Knuth, The Art of Computer
    Programming 4A, 7.2.1.3).
    """
    return sum(comb(member, place) for place, member in enumerate(members, start=1))


def table_members(number: int, sides: int) -> tuple[int, ...]:
    """The strategies i < j < ... of the table with this number: `table_number` undone."""
    members = []
    for place in range(sides, 0, -1):
        # The greatest member that leaves something for the rest; comb(m, place) >= m - place + 1.
        member = bisect_right(range(number + place + 1), number, key=partial(_choose, place)) - 1
        members.append(member)
        number -= comb(member, place)
    return tuple(reversed(members))


def _choose(places: int, strategies: int) -> int:
    return comb(strategies, places)


def pairing_number(i: int, j: int) -> int:
    """Number of the pairing of strategies i < j: the table of two."""
    return table_number((i, j))


class Sums:
    """What ratings need of the tally rows of T tables of N places, added up part by part.

    Memory does not grow with the games, only with the blocks of deals: 16 bytes for each block of
    each pairing.
    """

    def __init__(self, tables: Sequence[tuple[int, ...]]) -> None:
        """`tables`: the strategies of each table as indices i < j < ..., all of one size."""
        places = len(tables[0]) if tables else 2
        self.seated = np.array(tables, dtype=np.int64).reshape(len(tables), places)
        self.totals = {column.name: np.zeros(len(tables), np.int64) for column in COUNTS}
        """Count name -> (T,): sums over all rows of a table."""
        self._position = {table_number(table): t for t, table in enumerate(tables)}
        self._outcomes = np.zeros((0, len(tables), *self._dealers_and_places()), np.int32)
        self._blocks = 0

    @classmethod
    def of(cls, parts: Iterable[Rows], tables: Sequence[tuple[int, ...]]) -> "Sums":
        """The sums of all `parts` of a tally table, in any order of parts and rows."""
        sums = cls(tables)
        for rows in parts:
            sums.add(rows)
        return sums

    @property
    def outcomes(self) -> NDArray[np.int32]:
        """(B, T, D, N): games of a block, by the place that dealt first and the one that won.

        D is N for two, where tallies tell who dealt, else 1: the first deal is left out.
        """
        return self._outcomes[: self._blocks]

    @property
    def won(self) -> NDArray[np.int64]:
        """(B, T, N): games of a block that each place won."""
        return np.asarray(self.outcomes.sum(axis=2, dtype=np.int64))

    @property
    def cells(self) -> NDArray[np.int64]:
        """(T, 3): mirrored pairs of which a won none, one and both."""
        return np.stack([self.totals[f"pairs_{cell}"] for cell in range(3)], axis=1)

    def add(self, rows: Rows) -> None:
        """Add some rows.

        Raises:
            RunError: a row belongs to none of the tables.
        """
        if not len(rows["pairing"]):
            return
        table = self._tables_of(rows["pairing"])
        for name in rows.keys() - {column.name for column in KEY}:
            total = self.totals.setdefault(name, np.zeros(len(self.seated), np.int64))
            np.add.at(total, table, rows[name])
        block = rows["block"]
        self._blocks = max(self._blocks, int(block.max()) + 1)
        if self._blocks > len(self._outcomes):
            longer = np.zeros((2 * self._blocks, *self._outcomes.shape[1:]), np.int32)
            longer[: len(self._outcomes)] = self._outcomes
            self._outcomes = longer
        np.add.at(self._outcomes, (block, table), self._outcomes_of(rows))

    def _tables_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        known, which = np.unique(numbers, return_inverse=True)
        for number in known.tolist():
            if number not in self._position:
                raise RunError(
                    f"the tallies speak of pairing {number}, which is none of the "
                    f"{len(self._position)} pairings of this tournament"
                )
        return np.array([self._position[number] for number in known.tolist()])[which]

    def _dealers_and_places(self) -> tuple[int, int]:
        places = self.seated.shape[1]
        return (2, 2) if places == 2 else (1, places)

    def _outcomes_of(self, rows: Rows) -> NDArray[np.int64]:
        dealers, places = self._dealers_and_places()
        if dealers == 1:
            won = np.stack([rows[f"wins_{place}"] for place in PLACES[:places]], axis=1)
            return won[:, None, :]
        won_dealing = rows["dealt_wins_a"]
        lost_dealing = rows["dealt_a"] - won_dealing
        dealt_by_b = (rows["wins_a"] - won_dealing, rows["wins_b"] - lost_dealing)
        return np.stack(
            [np.stack([won_dealing, lost_dealing], axis=1), np.stack(dealt_by_b, axis=1)], axis=1
        )

"""The tally table: one row for each match.

The one place that names the columns; the log's schema and the standings both read them here.
Everything is counted from the side of the strategies of a pairing, `a` the first and `b` the
second, whichever chairs they sit in. Tables of more than two go on to `c`, `d`, `e` and `f`.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


def table_numbers(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    """(T,): `table_number` of every row of (T, N) strategies."""
    found = np.zeros(len(tables), np.int64)
    for place in range(tables.shape[1]):
        ways = np.ones(len(tables), np.int64)
        for k in range(place + 1):  # C(m, k + 1) = C(m, k) (m - k) / (k + 1), always whole
            ways = ways * (tables[:, place] - k) // (k + 1)
        found += ways
    return found


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


MOST = 1 << 31
"""No count of a match comes near this; sums of smaller ones stay within 63 bits."""


def impossible(rows: Rows, sides: int, *, games: int, blocks: int) -> str | None:
    """What of some rows no match of at most `games` games can come to; None where all is well.

    `blocks`: no block has this number, or a higher one. Whether the figures are true only the
    hands can tell; these are such that they can be added up and compared.
    """
    wins = [rows[f"wins_{place}"] for place in PLACES[:sides]]
    limits = [("block", rows["block"], 0, blocks - 1), ("mirror", rows["mirror"], 0, sides - 1)]
    limits += [("games", rows["games"], 1, games)]
    for name, column in rows.items():
        least = -MOST if name.startswith("points") else 0
        limits.append((name, column, least, 1 << 62 if name == "pairing" else MOST))
    # Of the games that somebody dealt first, and of the others, nobody wins more than there are.
    limits.append(("games less those won", rows["games"] - sum(wins), 0, MOST))
    if sides == 2:
        won, lost = rows["dealt_wins_a"], rows["dealt_a"] - rows["dealt_wins_a"]
        limits += [
            ("dealt_a less dealt_wins_a", lost, 0, games),
            ("wins_a less dealt_wins_a", wins[0] - won, 0, games),
            ("wins_b less those dealt by a", wins[1] - lost, 0, games),
        ]
    for name, column, least, most in limits:
        wrong = np.flatnonzero((column < least) | (column > most))
        if len(wrong):
            value = int(column[wrong[0]])
            return f"{name}: expected a number from {least:,} to {most:,}, got {value:,}"
    return None


def up_to(rows: Rows, blocks: int) -> Rows:
    """The rows of the first so many blocks."""
    kept = rows["block"] < blocks
    return {name: column[kept] for name, column in rows.items()}

"""The tally table: one row for each match, and its sums.

The one place that names the columns; the log's schema and the standings both read them here.
Everything is counted from the side of `a`, the first strategy of the pairing, and of `b`, the
second, whichever chairs they sit in.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from put_cli.errors import RunError

Rows = Mapping[str, NDArray[np.int64]]
"""Column name -> (R,) int64, one entry for each row."""


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


def pairing_number(i: int, j: int) -> int:
    """Number of the pairing of strategies i < j, so that new strategies append pairings."""
    return j * (j - 1) // 2 + i


def pairing_totals(rows: Rows, pairs: Sequence[tuple[int, int]]) -> dict[str, NDArray[np.int64]]:
    """Sums of every count over the rows of each pairing.

    Returns count name -> (P,) int64 in the order of `pairs`, zero for a pairing without rows.
    Raises RunError when a row belongs to none of `pairs`.
    """
    position = {pairing_number(i, j): place for place, (i, j) in enumerate(pairs)}
    known, which = np.unique(rows["pairing"], return_inverse=True)
    strangers = [int(number) for number in known if int(number) not in position]
    if strangers:
        raise RunError(
            f"the tallies speak of pairing {strangers[0]}, which is none of the "
            f"{len(pairs)} pairings of this tournament"
        )
    places = np.array([position[int(number)] for number in known], dtype=np.int64)
    return _sums(rows, places[which], len(pairs))


def block_totals(rows: Rows) -> dict[str, NDArray[np.int64]]:
    """Sums of every count over the matches of each block.

    Returns `pairing`, `block` and the counts -> (B,) int64, ordered by pairing and block.
    """
    keys = np.stack([rows["pairing"], rows["block"]])
    found, which = np.unique(keys, axis=1, return_inverse=True)
    sums = _sums(rows, which.ravel(), found.shape[1])
    return {"pairing": found[0], "block": found[1], **sums}


def _sums(rows: Rows, group: NDArray[np.int64], groups: int) -> dict[str, NDArray[np.int64]]:
    """Sums over rows (R,) by their `group` (R,) numbers: count name -> (groups,) int64."""
    sums = {}
    for column in COUNTS:
        total = np.zeros(groups, dtype=np.int64)
        np.add.at(total, group, rows[column.name])
        sums[column.name] = total
    return sums

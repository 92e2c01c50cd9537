"""Makes tally tables for tests."""

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.luce import Played, played
from put_cli.stats.tally import COLUMNS, Rows, pairing_number


def all_pairs(n: int) -> list[tuple[int, int]]:
    """The pairings of a round robin of n strategies, by pairing number."""
    return [(i, j) for j in range(n) for i in range(j)]


def table(rows: Iterable[Mapping[str, int]]) -> Rows:
    """A tally table of rows that name the columns that are not zero."""
    rows = list(rows)
    return {c.name: np.array([r.get(c.name, 0) for r in rows], dtype=np.int64) for c in COLUMNS}


def single_games(wins: NDArray[np.int64]) -> Rows:
    """One match without a mirror for each pairing, from games i won against j (n, n)."""
    return table(
        {
            "pairing": pairing_number(i, j),
            "games": int(wins[i, j] + wins[j, i]),
            "wins_a": int(wins[i, j]),
            "wins_b": int(wins[j, i]),
        }
        for i, j in all_pairs(len(wins))
        if wins[i, j] + wins[j, i]
    )


def mirrored(cells: Mapping[tuple[int, int], tuple[int, int, int]]) -> Rows:
    """One block for each pairing, from its pairs of games of which i won 0, 1 and 2.

    Of the pairs that were shared, i wins the game of mirror 0.
    """
    rows = []
    for (i, j), (none, one, both) in cells.items():
        pairs = none + one + both
        for mirror, won in enumerate((one + both, both)):
            row = {"pairing": pairing_number(i, j), "mirror": mirror, "games": pairs}
            row |= {"wins_a": won, "wins_b": pairs - won}
            if mirror == 0:
                row |= {"pairs_0": none, "pairs_1": one, "pairs_2": both}
            rows.append(row)
    return table(rows)


def games_between(wins: NDArray[np.float64]) -> Played:
    """Games of two at a table, from games i won against j (n, n)."""
    wins = np.asarray(wins, dtype=float)
    pairs = np.array(all_pairs(len(wins)), dtype=np.int64).reshape(-1, 2)
    won = np.stack([wins[pairs[:, 0], pairs[:, 1]], wins[pairs[:, 1], pairs[:, 0]]], axis=1)
    return played(len(wins), pairs, won)


def tables_of(n: int, places: int) -> NDArray[np.int64]:
    """Every table of `places` strategies of a field of n, (T, places)."""
    return np.array(list(combinations(range(n), places)), dtype=np.int64)

"""The sums of a tournament, taken from its tallies part by part.

The standings need no more than these, and they do not grow with the number of matches.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.tally import COUNTS, Rows, block_totals, pairing_number, pairing_totals


@dataclass(frozen=True, eq=False)
class Sums:
    """What the tallies of P pairings come to."""

    totals: Mapping[str, NDArray[np.int64]]
    """Count name -> (P,) int64."""
    blocks: Sequence[Counter[tuple[int, int]]]
    """Of each pairing with a strategy that has memory, and empty for the others: how many blocks
    there are of each kind, that is of (games a won, games played)."""


def sums(
    parts: Iterable[Rows], *, pairs: Sequence[tuple[int, int]], memory: Sequence[bool]
) -> Sums:
    """The sums of the tally rows of all `parts`; no block is split between two parts.

    `pairs`: the pairings as indices (i, j), i < j; `memory`: one flag for each strategy. Raises
    RunError for rows of any other pairing.
    """
    place = {pairing_number(i, j): p for p, (i, j) in enumerate(pairs)}
    remembered = [pairing_number(i, j) for i, j in pairs if memory[i] or memory[j]]
    totals = {column.name: np.zeros(len(pairs), dtype=np.int64) for column in COUNTS}
    blocks: list[Counter[tuple[int, int]]] = [Counter() for _ in pairs]
    for rows in parts:
        numbers = np.unique(rows["pairing"]).tolist()
        # A part holds few of the pairings; where it holds a stranger, all are named.
        known = place.keys() >= set(numbers)
        here = [place[number] for number in numbers] if known else range(len(pairs))
        for name, values in pairing_totals(rows, [pairs[p] for p in here]).items():
            totals[name][here] += values
        some = np.isin(rows["pairing"], remembered)
        if some.any():
            found = block_totals({name: values[some] for name, values in rows.items()})
            kinds = zip(*(found[n].tolist() for n in ("pairing", "wins_a", "games")), strict=True)
            for number, won, games in kinds:
                blocks[place[number]][won, games] += 1
    return Sums(totals, blocks)

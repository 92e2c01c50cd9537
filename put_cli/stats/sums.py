"""The sums of a tournament, taken from its tallies part by part.

Ratings and their intervals need no more than these.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from put_cli.errors import RunError
from put_cli.stats.tally import KEY, PLACES, Rows, columns, table_numbers


class Sums:
    """What ratings need of the tally rows of T tables of N places, added up part by part.

    Memory does not grow with the games, only with the blocks of deals: 16 bytes for each block of
    each pairing.
    """

    def __init__(self, tables: Sequence[tuple[int, ...]]) -> None:
        """`tables`: the strategies of each table as indices i < j < ..., all of one size."""
        places = len(tables[0]) if tables else 2
        self.seated = np.array(tables, dtype=np.int64).reshape(len(tables), places)
        counts = [column.name for column in columns(places)[len(KEY) :]]
        self.totals = {name: np.zeros(len(tables), np.int64) for name in counts}
        """Count name -> (T,): sums over all rows of a table."""
        self._position = {number: t for t, number in enumerate(table_numbers(self.seated).tolist())}
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
        """(T, 3): mirrored pairs of which a won none, one and both; 0 at larger tables.

        Raises:
            RunError: they are more than the games won make.
        """
        if self.seated.shape[1] > 2:
            return np.zeros((len(self.seated), 3), np.int64)
        cells = np.stack([self.totals[f"pairs_{cell}"] for cell in range(3)], axis=1)
        won = cells @ np.array([[0, 2], [1, 1], [2, 0]])
        for place in range(2):
            if (won[:, place] > self.totals[f"wins_{PLACES[place]}"]).any():
                raise RunError("the tallies count more mirrored pairs than their games make.")
        return cells

    @property
    def first_dealer_wins(self) -> int:
        """Games won by whoever dealt first."""
        places = PLACES[: self.seated.shape[1]]
        if len(places) == 2:
            return int(np.einsum("btdd->", self.outcomes, dtype=np.int64))
        return int(sum(self.totals[f"dealt_wins_{place}"].sum() for place in places))

    def add(self, rows: Rows) -> None:
        """Add some rows.

        Raises:
            RunError: a row belongs to none of the tables, or there are too many.
        """
        if not len(rows["pairing"]):
            return
        table = self._tables_of(rows["pairing"])
        for name, total in self.totals.items():
            np.add.at(total, table, rows[name])
        block = rows["block"]
        self._blocks = max(self._blocks, int(block.max()) + 1)
        if self._blocks > len(self._outcomes):
            longer = self._room(2 * self._blocks)
            longer[: len(self._outcomes)] = self._outcomes
            self._outcomes = longer
        np.add.at(self._outcomes, (block, table), self._outcomes_of(rows))
        if (self._outcomes[block, table] < 0).any():  # the same row, over and over
            raise RunError("the tallies count more games in a block than any has.")

    def _room(self, blocks: int) -> NDArray[np.int32]:
        try:
            return np.zeros((blocks, *self._outcomes.shape[1:]), np.int32)
        except (MemoryError, ValueError):  # too large for this machine, or for any
            raise RunError(
                f"the tallies speak of {self._blocks:,} blocks of {len(self.seated):,} pairings, "
                "which is more than there is memory for."
            ) from None

    def _tables_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        known, which = np.unique(numbers, return_inverse=True)
        for number in known.tolist():
            if number not in self._position:
                raise RunError(
                    f"the tallies speak of pairing {number}, which is none of the "
                    f"{len(self._position)} pairings of this tournament."
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

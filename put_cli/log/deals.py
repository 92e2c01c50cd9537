"""Whole games of two with the hands that were dealt in them, from the log as arrays of numbers."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from put_cli.errors import RunError
from put_cli.log import reader
from put_cli.log.manifest import Manifest
from put_cli.log.numbers import codes
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.stats.deal_luck import FOLDS, Games
from put_cli.stats.tally import table_number

Ints = npt.NDArray[np.int64]

_RESULT = ("pairing", "block", "game", "winner", "hands")

_DEAL = (
    "eldest",
    "winner",
    "leg",
    *(f"{seat}_{what}" for what in ("score", "cards") for seat in SEATS),
)


def games_of_two(
    made: Manifest, tables: Sequence[tuple[int, ...]], number: Mapping[str, int]
) -> Iterator[Games]:
    """All games of a two-handed run, a batch at a time in the order of the log.

    `tables`: the pairings of the run; `number`: what `DealClasses` calls three cards. Folds are of
    games with the same deals, and of whole blocks for those who remember their match.

    Raises:
        RunError: the log cannot be read, or its hands and games do not belong together.
    """
    position = {table_number(table): t for t, table in enumerate(tables)}
    remembers = np.array([any(made.strategies[n]["memory"] for n in table) for table in tables])
    first = np.array([table[0] for table in tables])
    names = {name: n for n, name in enumerate(made.names)}
    hands = _Hands(_hands(made, number))
    for rows in reader.batches(made, "games", _RESULT):
        table = np.array([position[n] for n in rows["pairing"].to_pylist()], np.int64)
        block = rows["block"].to_numpy().astype(np.int64)
        deals = block * made.match_games + rows["game"].to_numpy()
        count = rows["hands"].to_numpy().astype(np.int64)
        a = first[table]
        eldest, winner, leg, *others = hands.take(int(count.sum()))
        a_leads = (eldest == np.repeat(a, count)).astype(np.int64)
        score, cards = np.stack(others[:2]), np.stack(others[2:])
        yield Games(
            table=table,
            deals=deals,
            fold=np.where(remembers[table], block, deals) % FOLDS,
            won=(codes(rows["winner"], names, -1) == a).astype(np.int64),
            hands=count,
            a_leads=a_leads,
            score=np.where(a_leads == 1, score, score[::-1]),
            leg=leg,
            a_won=(winner == np.where(a_leads == 1, ELDEST, DEALER)).astype(np.int64),
            cards=cards,
        )
    hands.end()


def _hands(made: Manifest, number: Mapping[str, int]) -> Iterator[Ints]:
    """(7, R) at a time: eldest, winning seat, leg, and the scores and hands of both seats."""
    names = {name: n for n, name in enumerate(made.names)}
    seats = {seat: n for n, seat in enumerate(SEATS)}
    for rows in reader.batches(made, "hands", _DEAL):
        yield np.stack(
            [
                codes(rows["eldest"], names, -1),
                codes(rows["winner"], seats, -1),
                rows["leg"].to_numpy().astype(np.int64),
                *(rows[f"{seat}_score"].to_numpy().astype(np.int64) for seat in SEATS),
                *(codes(rows[f"{seat}_cards"], number, -1) for seat in SEATS),
            ]
        )


class _Hands:
    """Columns of numbers that come in batches and are taken in lengths of games."""

    def __init__(self, batches: Iterator[Ints]) -> None:
        self._batches = batches
        self._held: list[Ints] = []
        self._rows = 0

    def take(self, rows: int) -> Ints:
        """The next columns (C, rows)."""
        while self._rows < rows or not self._held:
            batch = next(self._batches, None)
            if batch is None:
                raise RunError("the log is damaged: its games have more hands than were logged.")
            self._held.append(batch)
            self._rows += batch.shape[1]
        held = np.concatenate(self._held, axis=1)
        self._held, self._rows = [held[:, rows:]], self._rows - rows
        return held[:, :rows]

    def end(self) -> None:
        """Nothing may be left."""
        if self._rows or next(self._batches, None) is not None:
            raise RunError("the log is damaged: more hands were logged than its games have.")

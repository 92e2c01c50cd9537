"""Rows of the log as arrays of numbers, by seat, a batch at a time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from put_cli.engine.lanes import HOW
from put_cli.errors import RunError
from put_cli.log import reader
from put_cli.log.manifest import Manifest
from put_cli.rules.machine import seat_names
from put_cli.stats.endings import Endings
from put_cli.stats.habits import PLACES, Hands

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]

_DEALT_AGAIN = ("redealt", "awarded")
"""Endings of deals that were not played."""

_ROUND = tuple(f"{act}{trick}" for trick in (1, 2, 3) for act in ("lead", "reply"))


def hands(
    made: Manifest,
    blocks: int | None = None,
    shards: Sequence[int] | None = None,
    wanted: Sequence[str] = (),
) -> Iterator[Hands]:
    """The hands of a run; only those of the first so many blocks, where that is given.

    `shards`: the committed shards to be read, instead of all. `wanted`: only hands in which one of
    these strategies sits.

    Raises:
        RunError: the hands log cannot be read.
    """
    rules = made.rules
    seats = seat_names(rules)
    two = rules.players == 2
    who = seats if two else [f"strategy_{seat}" for seat in seats]
    score = [f"{seat}_score" if two else f"score_{seat}" for seat in seats]
    cards = [f"{seat}_cards" if two else f"cards_{seat}" for seat in seats]
    tricks = ("trick1", "trick2", "trick3")
    seen = "put_answer" if two else "seen_by"
    points = [f"{seat}_points" if two else f"points_{seat}" for seat in seats]
    said = ("put_by", "put_at", seen, "winner", "ending", "outright")
    told = _ROUND if two else ("thrown_by",)
    columns = ("block", *who, *score, *cards, *points, *tricks, *said, *told)
    names = {name: n for n, name in enumerate(made.names)}
    seated = {seat: n for n, seat in enumerate(seats)}
    takers = seated | {"tie": len(seats)}
    places = {place: n for n, place in enumerate(PLACES)}
    ranks = {rules.cards.rank(card): card for card in range(1, rules.cards.top + 1)}

    for batch in reader.batches(made, "hands", columns, shards):
        rows = _with(_kept(batch, blocks), who, wanted)

        def coded(name: str, numbers: Mapping[str, int], none: int = -1, rows: Any = rows) -> Ints:
            return codes(rows[name], numbers, none)

        answered, winner = rows[seen], coded("winner", seated)
        won = [winner == seat for seat in range(len(seats))]
        outright = rows["outright"].to_numpy(zero_copy_only=False)
        yield Hands(
            strategy=np.stack([coded(name, names) for name in who]),
            score=np.stack([rows[name].to_numpy() for name in score]),
            cards=np.stack([_cards(rows[name], ranks) for name in cards]),
            takers=np.stack([coded(name, takers) for name in tricks]),
            putter=coded("put_by", seated),
            place=coded("put_at", places),
            seen=codes(answered, {"see": 1, "throw": 0}, 0) == 1
            if two
            else np.asarray(pc.is_valid(answered).to_numpy(zero_copy_only=False)),
            winner=winner,
            threw=_threw_of_two(rows, won) if two else _threw_to_put(rows["thrown_by"], seats),
            points=np.stack(
                [
                    np.where(outright & won[seat], rules.target, rows[name].to_numpy())
                    for seat, name in enumerate(points)
                ]
            ).astype(np.int64),
            played=np.stack([coded(name, ranks, 0) for name in _ROUND]) if two else None,
        )


def endings(made: Manifest, blocks: int | None = None) -> Endings:
    """How the games of a run ended; only those of the first so many blocks, where given.

    Raises:
        RunError: the games log cannot be read.
    """
    found = Endings(len(made.names), len(HOW))
    names = {name: n for n, name in enumerate(made.names)}
    ways = {how: n for n, how in enumerate(HOW)}
    key = ("pairing", "block", "mirror", "game")
    fault = ("fault_by", "fault_kind", "fault_reason")
    columns = (*key, "winner", "how", "hands", *fault)
    with reader.counting(made, "games"):
        for batch in reader.batches(made, "games", columns):
            rows = batch
            if blocks is not None:
                rows = batch.filter(pc.less(batch["block"], blocks))
            found.add(
                codes(rows["winner"], names, -1).astype(np.int64),
                codes(rows["how"], ways, -1).astype(np.int64),
                rows["hands"].to_numpy().astype(np.int64),
            )
            for row in rows.filter(pc.is_valid(rows["fault_by"])).to_pylist():
                found.add_fault(
                    (row["fault_by"], row["fault_kind"] or "", row["fault_reason"] or ""),
                    tuple(row[name] for name in key),
                )
    return found


def codes(column: pa.Array, numbers: Mapping[str, int], none: int) -> Ints:
    """(R,) int16: the number of each word of a dictionary column, `none` where there is none."""
    words: Sequence[str] = column.dictionary.to_pylist()
    unknown = [word for word in words if word not in numbers]
    if unknown:
        raise RunError(f"the log is damaged: it speaks of {unknown[0]!r}, which this run lacks.")
    return np.array([*(numbers[word] for word in words), none], np.int16)[_index(column)]


def _index(column: pa.Array) -> Ints:
    """(R,): which word of its dictionary a column has, -1 where it has none."""
    index = column.indices
    found = np.asarray((index.fill_null(-1) if index.null_count else index).to_numpy())
    if len(found) and not -1 <= found.min() <= found.max() < len(column.dictionary):
        raise RunError(
            "the log is damaged: it speaks of words it does not have. 'put verify' names the file."
        )
    return found


def _threw_of_two(rows: pa.RecordBatch, won: Sequence[Bools]) -> Bools:
    """(2, R): who threw, asked or not; that ends the hand, and the other wins it."""
    thrown = pc.equal(rows["ending"].cast(pa.string()), "thrown").to_numpy(zero_copy_only=False)
    return np.stack([thrown & won[1], thrown & won[0]])


def _threw_to_put(column: pa.Array, seats: Sequence[str]) -> Bools:
    """(S, R): who threw to the first put, from seats as one word, `AC`."""
    index = _index(column)
    words = [*column.dictionary.to_pylist(), ""]
    return np.stack([np.array([seat in word for word in words])[index] for seat in seats])


def _with(batch: pa.RecordBatch, who: Sequence[str], wanted: Sequence[str]) -> pa.RecordBatch:
    """The rows with one of these names in one of these columns; all where none is named."""
    if not wanted:
        return batch
    there = np.zeros(len(batch), bool)
    for name in who:
        column = batch[name]
        asked = np.array([word in wanted for word in (*column.dictionary.to_pylist(), None)])
        there |= asked[_index(column)]
    return batch.filter(pa.array(there))


def _cards(column: pa.Array, ranks: Mapping[str, int]) -> Ints:
    """(R, 3) int8: cards best first, as numbers; 0 where there are none."""
    known = [[ranks[rank] for rank in text.split()] for text in column.dictionary.to_pylist()]
    return np.array([*known, [0, 0, 0]], np.int8)[_index(column)]


def _kept(batch: pa.RecordBatch, blocks: int | None) -> pa.RecordBatch:
    """The rows that are hands that were played and count."""
    ending = batch["ending"]
    again = np.array([word in _DEALT_AGAIN for word in ending.dictionary.to_pylist()])
    dealt_again = again[_index(ending)]
    if dealt_again.any():  # which is rare, and what follows takes time
        batch = batch.filter(pa.array(~dealt_again))
    return batch if blocks is None else batch.filter(pc.less(batch["block"], blocks))

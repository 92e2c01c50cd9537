"""Two tables of the same columns, one worked out and one found, laid side by side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from put_cli.report.tables import printable

Bools = npt.NDArray[np.bool_]

_LONGEST = 80


@dataclass(frozen=True)
class Difference:
    """A cell that is not as it was worked out."""

    row: int
    column: str
    expected: str
    found: str


def one_chunk(table: pa.Table) -> pa.Table:
    """The same table, each column in one piece, with one dictionary."""
    if table.num_rows == 0:
        empty = [pa.array([], field.type) for field in table.schema]
        return pa.table([pa.chunked_array([each]) for each in empty], schema=table.schema)
    return table.unify_dictionaries().combine_chunks()


def differing(expected: pa.Table, found: pa.Table) -> dict[str, Bools]:
    """By column where the two differ, (R,) bool; columns that are alike throughout are left out.

    Both have R rows and their columns in one piece.
    """
    wrong = {
        name: _unlike(expected[name].chunk(0), found[name].chunk(0))
        for name in expected.column_names
        if expected.num_rows
    }
    return {name: where for name, where in wrong.items() if where.any()}


def differences(
    expected: pa.Table, found: pa.Table, wrong: dict[str, Bools], rows: Iterable[int]
) -> list[Difference]:
    """The cells of some rows, in the order of the columns."""
    return [
        Difference(row, name, shown(expected[name][row]), shown(found[name][row]))
        for row in rows
        for name, where in wrong.items()
        if where[row]
    ]


def shown(value: pa.Scalar) -> str:
    """A cell as a fault tells it."""
    plain = value.as_py()
    if plain is None:
        return "null"
    text = printable(plain if isinstance(plain, str) else str(plain))
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return repr(text) if isinstance(plain, str) else text


def _unlike(expected: pa.Array, found: pa.Array) -> Bools:
    if not pa.types.is_dictionary(expected.type):
        if expected.equals(found):
            return np.zeros(len(expected), bool)
        same = pc.fill_null(pc.equal(expected, found), False)
        both_null = pc.and_(pc.is_null(expected), pc.is_null(found))
        return np.asarray(pc.invert(pc.or_(same, both_null)).to_numpy(zero_copy_only=False))
    ours = {word: n for n, word in enumerate(expected.dictionary.to_pylist())}
    theirs = [ours.get(word, -1) for word in found.dictionary.to_pylist()]
    index = _raw(expected.indices)
    table = np.array([*theirs, -1], index.dtype)
    wrong: Bools = table.take(_raw(found.indices), mode="clip") != index
    if expected.null_count or found.null_count:
        valid, there = (_valid(each) for each in (expected, found))
        wrong = (wrong & valid) | (valid != there)
    return wrong


def numbered(column: pa.Array, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(R,): of a dictionary column the entries of `table`, whose last is for null."""
    found: npt.NDArray[Any] = table.take(_raw(column.indices), mode="clip")
    if column.null_count:
        found[~_valid(column)] = table[-1]
    return found


def _raw(indices: pa.Array) -> npt.NDArray[Any]:
    """The numbers of an array as they lie in memory: where it is null, any."""
    return np.asarray(
        pa.Array.from_buffers(
            indices.type, len(indices), [None, indices.buffers()[1]], offset=indices.offset
        )
    )


def _valid(column: pa.Array) -> Bools:
    return np.asarray(column.is_valid().to_numpy(zero_copy_only=False))

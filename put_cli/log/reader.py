"""Reading a run back: which shards are committed, and the rows of its tables."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from put_cli.errors import RunError, one_line
from put_cli.log.bounds import refuse_large, refuse_links
from put_cli.log.manifest import Manifest
from put_cli.log.schema import VERSION, Format
from put_cli.log.writer import FOOTER, content, content_of, part_path

UNREADABLE = (OSError, ValueError, RecursionError, pa.ArrowException)
"""What reading a file that is damaged, or none of ours, may raise."""

BATCH_ROWS = 1 << 17
"""Rows in memory at a time, where a table is read in pieces."""


def committed(made: Manifest) -> dict[int, dict[str, Any]]:
    """The footers of the committed shards of a run, by shard number."""
    footers = (footer_of(path) for path in _parts(made.run, "tallies"))
    return {f["shard"]: f for f in footers if f["plan"] == made.fingerprint(f["shard"])}


def _parts(run: Path, table: str) -> list[Path]:
    return sorted((run / table).glob("part-*.parquet"))


def footer_of(path: Path) -> dict[str, Any]:
    """Our JSON in the footer of a part.

    Raises:
        RunError: it is no part of a log.
    """
    refuse_links(path)
    try:
        parquet = pq.read_metadata(path)
        refuse_large(path, parquet)
        metadata = parquet.metadata or {}
    except UNREADABLE as error:
        raise RunError(f"{path} is not a part of a log: {one_line(error)}.") from None
    return footer_in(metadata, path)


def footer_in(metadata: Mapping[bytes, bytes], path: Path | str) -> dict[str, Any]:
    """Our JSON in the metadata of the part at `path`; otherwise as `footer_of`."""
    try:
        footer = json.loads(metadata[FOOTER])
    except KeyError:
        raise RunError(f"{path} is not a part of a log: 'put' did not write it.") from None
    except UNREADABLE as error:
        raise RunError(f"{path} is not a part of a log: {one_line(error)}.") from None
    if (
        not isinstance(footer, dict)
        or not footer.keys() >= {"table", "shard", "plan"}
        or type(footer["shard"]) is not int
        or footer["shard"] < 0
    ):
        raise RunError(f"{path} is not a part of a log: its footer does not name one.")
    if footer.get("version") != VERSION:
        raise RunError(
            f"{path}: expected a part in version {VERSION}, got {footer.get('version')!r}."
        )
    return footer


def tallies(made: Manifest) -> Iterator[dict[str, npt.NDArray[np.int64]]]:
    """The tally rows of a run, one part after the other: column name -> (R,) int64.

    Raises:
        RunError: a part is damaged, or belongs to another run or plan.
    """
    form = made.form
    for path in _parts(made.run, "tallies"):
        yield _tally_rows(path, form, made)


def tally_part(made: Manifest, shard: int) -> dict[str, npt.NDArray[np.int64]]:
    """The tally rows of one committed shard; otherwise as `tallies`."""
    return _tally_rows(part_path(made.run, "tallies", shard), made.form, made)


def _tally_rows(path: Path, form: Format, made: Manifest) -> dict[str, npt.NDArray[np.int64]]:
    footer = _footer_in_place(path, form, "tallies", made)
    part = _read(path, form, "tallies")
    _refuse_damaged(path, "tallies", content(part), footer)
    rows = {
        column.name: part[column.name].to_numpy().astype(np.int64)
        for column in form.tables["tallies"]
    }
    # A block has one game at least.
    blocks = max(each["first_block"] + each["games"] for each in made.rounds)
    wrong = form.impossible(rows, games=made.match_games, blocks=blocks)
    if wrong:
        raise RunError(f"{path} is damaged: it tells of a match that cannot be: {wrong}.")
    return rows


def _footer_in_place(path: Path, form: Format, table: str, made: Manifest) -> dict[str, Any]:
    """The footer of a part that belongs where it lies."""
    footer = footer_of(path)
    at_home = part_path(path.parents[1], table, footer["shard"])
    if footer["table"] != table or path != at_home:
        raise RunError(
            f"{path} is out of its place: it was written as part {footer['shard']} of "
            f"{footer['table']}."
        )
    facts = form.facts()
    found = {key: footer.get(key) for key in facts}
    if found != facts:
        raise RunError(f"{path}: expected a part of the format {facts}, got {found}.")
    plan = made.fingerprint(footer["shard"])
    if footer["plan"] != plan:
        raise RunError(
            f"{path} is a part of another run, or of another plan: its fingerprint is "
            f"{footer['plan']!r}, that of this run {plan!r}."
        )
    return footer


def _read(path: Path, form: Format, table: str) -> pa.Table:
    try:
        part = pq.ParquetFile(path).read()
    except UNREADABLE as error:
        raise RunError(f"cannot read {str(path)!r}: {one_line(error)}.") from None
    if part.schema.remove_metadata() != form.schema(table):
        raise RunError(f"{path} is damaged: its columns are not those of {table}.")
    return part


def _refuse_damaged(path: Path, table: str, found: str, commit: dict[str, Any]) -> None:
    """Compare a content hash with the one that the footer of the shard's tallies holds."""
    try:
        written = commit["parts"][table]["blake2b"]
    except (KeyError, TypeError):
        written = None
    if found != written:
        raise RunError(f"{path} is damaged: it no longer holds what was written.")


def rows(made: Manifest, table: str, shard: int, key: dict[str, int]) -> Iterator[dict[str, Any]]:
    """The rows of one shard's part whose key columns have the given values, in order.

    Raises:
        RunError: the run has no such part, or it is damaged or belongs to another run or plan.
    """
    run, form = made.run, made.form
    path = part_path(run, table, shard)
    if not path.exists():
        raise RunError(
            f"{run} has no {table} log for that game (no {path.name}). "
            f"'put tournament --resume {run}' plays what is missing."
        )
    _footer_in_place(path, form, table, made)
    commit = _footer_in_place(part_path(run, "tallies", shard), form, "tallies", made)
    found = content_of(path.read_bytes())
    _refuse_damaged(path, table, found, commit)
    condition = None
    for name, value in key.items():
        test = pc.field(name) == value
        condition = test if condition is None else condition & test
    part = _read(path, form, table)
    if condition is not None:
        part = part.filter(condition)
    yield from part.to_pylist()


@contextmanager
def counting(made: Manifest, table: str) -> Iterator[None]:
    """While rows of a table are counted: whatever rows of no game would lead to is a refusal.

    A part can hold anything in columns of the right types, and still have the right hash. What is
    counted is not checked cell by cell, which `put verify` does.

    Raises:
        RunError: instead of what counting impossible rows raises.
    """
    try:
        yield
    except (IndexError, KeyError, ValueError, ArithmeticError) as error:
        raise RunError(
            f"the {table} log of {str(made.run)!r} is damaged: its rows hold what no game comes "
            f"to. 'put verify {made.run}' names them."
        ) from error


def batches(
    made: Manifest, table: str, columns: Sequence[str], shards: Sequence[int] | None = None
) -> Iterator[pa.RecordBatch]:
    """Some columns of a table of the run, a piece at a time, in the order of the shards.

    Only committed shards count: `shards`, where the caller knows them, or all there are. The
    content is not compared with its hash, for which all columns would have to be read.

    Raises:
        RunError: a part is missing or damaged, or belongs to another run or plan.
    """
    run, form = made.run, made.form
    for shard in sorted(committed(made)) if shards is None else shards:
        path = part_path(run, table, shard)
        if not path.exists():
            raise RunError(
                f"{run} has lost a part of its {table} log: no {path.name}. "
                f"'put tournament --resume {run}' plays it again."
            )
        _footer_in_place(path, form, table, made)
        try:
            with pq.ParquetFile(path) as part:
                yield from part.iter_batches(BATCH_ROWS, columns=list(columns))
        except UNREADABLE as error:
            raise RunError(f"cannot read {str(path)!r}: {one_line(error)}.") from None

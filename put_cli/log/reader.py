"""Reading a run back: which shards are committed, and the rows of its tables."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from put_cli.errors import RunError
from put_cli.log.schema import TABLES
from put_cli.log.writer import FOOTER


def committed(run: Path, plan: str) -> dict[int, dict[str, Any]]:
    """The footers of the committed shards of a plan, by shard number."""
    footers = (footer_of(path) for path in _parts(run, "tallies"))
    return {f["shard"]: f for f in footers if f.get("plan") == plan}


def _read(path: Path) -> pa.Table:
    try:
        return pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"cannot read {str(path)!r}: {error}.") from None


def _parts(run: Path, table: str) -> list[Path]:
    return sorted((run / table).glob("part-*.parquet"))


def footer_of(path: Path) -> dict[str, Any]:
    """Our JSON in the footer of a part.

    Raises:
        RunError: it is no part of a log.
    """
    try:
        metadata = pq.read_metadata(path).metadata or {}
        footer = json.loads(metadata[FOOTER])
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise RunError(f"{path} is not a part of a log: {error}.") from None
    if not isinstance(footer, dict):
        raise RunError(f"{path} is not a part of a log: its footer holds no object.")
    return footer


def tallies(run: Path) -> dict[str, npt.NDArray[np.int64]]:
    """Every tally row of a run: column name -> (R,) int64."""
    parts = list(tally_parts(run))
    names = [column.name for column in TABLES["tallies"]]
    return {
        name: np.concatenate([part[name] for part in parts] or [np.zeros(0, np.int64)])
        for name in names
    }


def tally_parts(run: Path) -> Iterator[dict[str, npt.NDArray[np.int64]]]:
    """The tally rows of a run, one part after the other, as `tallies` gives them all."""
    for path in _parts(run, "tallies"):
        part = _read(path)
        yield {name: part[name].to_numpy().astype(np.int64) for name in part.column_names}


def rows(run: Path, table: str, shard: int, key: dict[str, int]) -> Iterator[dict[str, Any]]:
    """The rows of one shard's part whose key columns have the given values, in order.

    Raises:
        RunError: the run has no such part.
    """
    path = run / table / f"part-{shard:06d}.parquet"
    if not path.exists():
        raise RunError(f"{run} has no {table} log for that game (no {path.name}).")
    condition = None
    for name, value in key.items():
        test = pc.field(name) == value
        condition = test if condition is None else condition & test
    part = _read(path)
    if condition is not None:
        part = part.filter(condition)
    yield from part.to_pylist()

"""Writing the parts of a shard so that a reader never sees half of one.

Each part is written under a temporary name, synced and renamed, in the order hands, plays, games,
tallies (as far as there are such); the tallies part names rows and content of all, so its presence
is what commits the shard.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.errors import RunError
from put_cli.log.schema import EVERY_TABLE, Format

FOOTER = b"put"
"""The key of our JSON in a part's footer."""

_TEMPORARY = ".tmp-"


def part_path(run: Path, table: str, shard: int) -> Path:
    """Where the part of a shard stands."""
    return run / table / f"part-{shard:06d}.parquet"


def write_shard(
    run: Path, form: Format, shard: int, plan: str, tables: Mapping[str, pa.Table]
) -> dict[str, Any]:
    """Write the parts of one shard; `tables` holds tallies and whatever else is logged.

    Returns the footer of the last part. `plan` is the fingerprint of the plan.

    Raises:
        RunError: the file system refused; no part of the shard counts as written.
    """
    contents: dict[str, Any] = {}
    footer: dict[str, Any] = {}
    for name in form.tables:
        if name not in tables:
            continue
        table = tables[name]
        footer = {**form.facts(), "table": name, "shard": shard, "plan": plan}
        if name == "tallies":
            contents[name] = {"rows": table.num_rows, "blake2b": content(table)}
            footer["parts"] = contents
        data = encoded(table, footer)
        if name != "tallies":
            contents[name] = {
                "rows": table.num_rows,
                "blake2b": hashlib.blake2b(data, digest_size=16).hexdigest(),
            }
        _put(part_path(run, name, shard), data)
    return footer


def encoded(table: pa.Table, footer: Mapping[str, Any]) -> pa.Buffer:
    """The bytes of a part; the same from the same versions of the libraries."""
    metadata = {FOOTER: json.dumps(footer, sort_keys=True)}
    table = table.replace_schema_metadata(metadata)
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        compression="zstd",
        compression_level=1,
        use_dictionary=True,
        # Least and greatest values let a reader skip a part; ranks and other words are in all.
        write_statistics=[f.name for f in table.schema if not _is_word(f.type)],
        write_batch_size=65_536,
        row_group_size=1_000_000,
    )
    return sink.getvalue()


def _is_word(kind: pa.DataType) -> bool:
    """Whether it is the type of a column of ranks, places and the like, short in every part."""
    return bool(pa.types.is_dictionary(kind) and kind.index_type == pa.int8())


def content(table: pa.Table) -> str:
    """A hash of the values of a table of plain numbers."""
    hasher = hashlib.blake2b(digest_size=16)
    for column in table.columns:
        hasher.update(column.to_numpy().tobytes())
    return hasher.hexdigest()


def _put(path: Path, data: pa.Buffer) -> None:
    temporary = path.with_name(f"{_TEMPORARY}{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise RunError(f"cannot write {str(path)!r}: {error.strerror or error}.") from None


def sweep(run: Path) -> None:
    """Remove temporary files that stopped workers left behind."""
    for table in EVERY_TABLE:
        for leftover in (run / table).glob(f"{_TEMPORARY}*"):
            with contextlib.suppress(OSError):
                leftover.unlink()

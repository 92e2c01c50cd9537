"""Writing the parts of a shard so that a reader never sees half of one.

Parts are put into the store in the order hands, plays, games, tallies (as far as there are such);
the tallies part names rows and content of all, so its presence is what commits the shard.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.log.schema import Format
from put_cli.log.store import Target

FOOTER = b"put"
"""The key of our JSON in a part's footer."""


def part_name(table: str, shard: int) -> str:
    """What a store calls the part of a shard."""
    return f"{table}/part-{shard:06d}.parquet"


def part_path(run: Path, table: str, shard: int) -> Path:
    """Where the part of a shard stands."""
    return run / part_name(table, shard)


def write_shard(
    store: Target, form: Format, shard: int, plan: str, tables: Mapping[str, pa.Table]
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
                "blake2b": content_of(data),
            }
        store.put(part_name(name, shard), data)
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


def content_of(data: bytes | pa.Buffer) -> str:
    """A hash of a part, byte for byte."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def content(table: pa.Table) -> str:
    """A hash of the values of a table of plain numbers."""
    hasher = hashlib.blake2b(digest_size=16)
    for column in table.columns:
        hasher.update(column.to_numpy().tobytes())
    return hasher.hexdigest()

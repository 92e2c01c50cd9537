"""One part of a log with everything in it, whatever that is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.errors import RunError, one_line
from put_cli.log import reader
from put_cli.log.bounds import refuse_large, refuse_links
from put_cli.log.schema import Format


@dataclass(frozen=True, eq=False)
class Part:
    """A part: its bytes, its rows, and our footer."""

    data: pa.Buffer
    table: pa.Table
    footer: dict[str, Any]
    created_by: str
    """What wrote the file, as Parquet tells it."""


def read_part(path: Path, form: Format, table: str, rows: int) -> Part:
    """A part, if it has the columns of `table` and at most so many rows.

    Whether it is the right one, and holds what was written, is for the caller to find out.

    Raises:
        RunError: it cannot be read, is no part of a log, or is too large.
    """
    refuse_links(path)
    try:
        data = pa.py_buffer(path.read_bytes())
        file = pq.ParquetFile(pa.BufferReader(data))
        refuse_large(path, file.metadata)
        footer = reader.footer_in(file.metadata.metadata or {}, path)
        if not 0 <= file.metadata.num_rows <= rows:
            raise RunError(
                f"{path} has {file.metadata.num_rows:,} rows, and its games at most {rows:,}."
            )
        found = file.read()
        found.validate(full=True)
    except reader.UNREADABLE as error:
        raise RunError(f"{path} is not a part of a log: {one_line(error)}.") from None
    if found.schema.remove_metadata() != form.schema(table):
        raise RunError(f"{path} is damaged: its columns are not those of {table}.")
    return Part(data, found, footer, file.metadata.created_by)

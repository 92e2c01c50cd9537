"""What of a run is read at all: a run directory may come from a stranger.

Files are read up to a size that no honest one comes near, and only where they seem to lie.
"""

from pathlib import Path

import pyarrow.parquet as pq

from put_cli.errors import RunError
from put_cli.rules import files

MAX_TEXT = 1 << 26
"""Bytes of a text file of a run: thousands of strategies take a few million."""

MAX_PART = 1 << 31
"""Bytes of a part of the log."""

MAX_UNPACKED = 1 << 34
"""Bytes that its row groups say they unpack to."""

MAX_FOOTER = 1 << 16
"""Bytes of our JSON in the footer of a part."""


def read_text(path: Path, most: int = MAX_TEXT) -> str:
    """The text of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is too large, no text, or lies elsewhere by a symbolic link.
    """
    if path.is_symlink():
        raise ValueError("it is a symbolic link, and a run does not leave its directory")
    return files.read_text(path, most)


def refuse_links(path: Path) -> None:
    """Refuse a part that does not lie where it seems to.

    Raises:
        RunError: it, or its folder, is a symbolic link.
    """
    for each in (path, path.parent):
        if each.is_symlink():
            raise RunError(f"{each} is a symbolic link, and a log does not leave its directory.")


def contradictory(parquet: pq.FileMetaData) -> bool:
    """Whether the row groups of a file have other rows than it says: room is made for theirs."""
    rows = [parquet.row_group(number).num_rows for number in range(parquet.num_row_groups)]
    return min(rows, default=0) < 0 or sum(rows) != parquet.num_rows


def refuse_large(path: Path, parquet: pq.FileMetaData) -> None:
    """Refuse a part that is too large, by its metadata.

    Raises:
        RunError: it is.
    """
    if contradictory(parquet):
        raise RunError(f"{path} is no part of a log: it contradicts itself about its rows.")
    groups = range(parquet.num_row_groups)
    unpacked = sum(parquet.row_group(number).total_byte_size for number in groups)
    footer = sum(map(len, (parquet.metadata or {}).values()))
    for what, size, most in (
        ("has", path.stat().st_size, MAX_PART),
        ("unpacks to", unpacked, MAX_UNPACKED),
        ("has a footer of", footer, 2 * MAX_FOOTER),
    ):
        if not 0 <= size <= most:
            raise RunError(
                f"{path} is no part of a log: it {what} {size:,} bytes, expected at most {most:,}."
            )

"""Reading a text file that may come from a stranger, and telling whether a file has changed."""

import os
from pathlib import Path


def read_text(path: Path, most: int) -> str:
    """The text of a file in UTF-8, of which no more than needed is ever in memory.

    Raises:
        OSError: it cannot be read.
        ValueError: it has more than `most` bytes, or is no text.
    """
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"expected at most {most:,} bytes, and it has more")
    return data.decode("utf-8")


def stamp(path: Path | str) -> tuple[int, int, int] | None:
    """What tells whether a file is another by now; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size

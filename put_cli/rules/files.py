"""Reading a text file that may come from a stranger."""

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

"""Tables as strings: aligned for a terminal, Markdown, CSV. Knows nothing of what they hold."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import fill
from typing import Any

GAP = 2
"""Blanks between the columns of an aligned table."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A heading and the cells below it; a cell may have several lines."""

    heading: str
    cells: tuple[str, ...]
    unit: str = ""
    left: bool = False
    """Aligned to the left, as words are; numbers stand to the right."""

    @property
    def width(self) -> int:
        """Width of the widest line."""
        entries = (self.heading, self.unit, *self.cells)
        return max(len(line) for entry in entries for line in entry.split("\n"))

    def justified(self, line: str) -> str:
        """`line` filled up to the width of the column."""
        return line.ljust(self.width) if self.left else line.rjust(self.width)


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns, the first of names, and sentences about them; and the same as data."""

    columns: Sequence[Column]
    notes: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    """What JSON and CSV hold: figures in full, shares in [0, 1]; all rows have the same keys."""

    def text(self, width: int) -> str:
        """For a terminal: words are broken to make it fit, then the last columns left out."""
        columns = list(self.columns)
        for place, column in enumerate(columns):
            excess = sum(GAP + each.width for each in columns) - GAP - width
            if column.left and excess > 0:
                columns[place] = narrowed(column, max(len(column.heading), column.width - excess))
        count = fitting(columns, width)
        notes = list(self._said)
        if count < len(columns):
            left_out = ", ".join(column.heading for column in columns[count:])
            notes.append(f"Not shown at this width: {left_out}.")
        folded = (fill(note, width, break_on_hyphens=False) + "\n" for note in notes)
        return "\n".join((aligned(columns[:count]), "".join(folded)))

    def markdown(self) -> str:
        """The table, and the sentences as a list."""
        notes = "".join(f"- {markdown_text(note)}\n" for note in self._said)
        return f"{markdown(self.columns)}\n{notes}"

    def csv(self) -> str:
        """The rows, headed by their keys."""
        cells = [[_cell(value) for value in row.values()] for row in self.rows]
        return csv_text(list(self.rows[0]) if self.rows else [], cells)

    @property
    def _said(self) -> list[str]:
        return [printable(note) for note in self.notes]


def _cell(value: Any) -> Any:
    """A value as CSV holds it: nothing but what a spreadsheet reads as one cell."""
    if isinstance(value, Mapping):
        return printable(", ".join(f"{key}={each}" for key, each in value.items()))
    return printable(value) if isinstance(value, str) else value


def printable(text: str) -> str:
    """`text` with everything a terminal might obey, or not show, written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def counted(number: int, word: str) -> str:
    """`1 game`, `2 games`, `10,000 games`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def fitting(columns: Sequence[Column], width: int) -> int:
    """How many of `columns`, from the left, fit into `width`; at least one."""
    used = -GAP
    for number, column in enumerate(columns):
        used += GAP + column.width
        if used > width:
            return max(1, number)
    return len(columns)


def narrowed(column: Column, width: int) -> Column:
    """The column with long cells broken into lines of `width`; nothing is cut off."""
    return replace(column, cells=tuple("\n".join(_pieces(c, width)) for c in column.cells))


def aligned(columns: Sequence[Column]) -> str:
    """A table for a terminal: headings, units if there are any, a rule, then the rows."""
    lines = [[column.heading for column in columns]]
    if any(column.unit for column in columns):
        lines.append([column.unit for column in columns])
    lines.append(["-" * column.width for column in columns])
    for row in zip(*(column.cells for column in columns), strict=True):
        lines.extend(map(list, zip_longest(*(cell.split("\n") for cell in row), fillvalue="")))
    gap = " " * GAP
    return "".join(gap.join(map(Column.justified, columns, line)).rstrip() + "\n" for line in lines)


def markdown(columns: Sequence[Column]) -> str:
    """A table as GitHub and others show it; text in cells is never taken as markup."""
    headings = (f"{c.heading} ({c.unit})" if c.unit else c.heading for c in columns)
    rules = (":--" if column.left else "--:" for column in columns)
    rows = zip(*(column.cells for column in columns), strict=True)
    escaped = (map(markdown_text, row) for row in rows)
    return "".join(
        f"| {' | '.join(row)} |\n" for row in (map(markdown_text, headings), rules, *escaped)
    )


def markdown_text(text: str) -> str:
    """`text` with every character that Markdown might take as markup escaped."""
    return re.sub(r"([\\`*_\[\]<>|~#])", r"\\\1", text)


def csv_text(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Comma-separated values as RFC 4180 has them, but for lines that end in \\n; None is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def _pieces(text: str, width: int) -> Iterator[str]:
    """`text` in pieces of at most `width`, broken after a comma or bracket where possible."""
    while len(text) > width:
        breaks = [text.rfind(mark, 0, width) + 1 for mark in ", ("]
        end = max(breaks) or width
        yield text[:end].rstrip()
        text = text[end:].lstrip()
    yield text

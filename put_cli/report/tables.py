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
    title: str = ""

    def text(self, width: int) -> str:
        """For a terminal: words are broken to make it fit, then the last columns left out."""
        title = f"{fill(self.title, width)}\n" if self.title else ""
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
        return title + "\n".join(filter(None, (aligned(columns[:count]), "".join(folded))))

    def markdown(self) -> str:
        """The table, and the sentences as a list."""
        title = f"**{markdown_text(self.title)}**\n\n" if self.title else ""
        notes = "".join(f"- {markdown_text(note)}\n" for note in self._said)
        return title + "\n".join(filter(None, (markdown(self.columns), notes)))

    def csv(self) -> str:
        """The rows, headed by their keys."""
        return rows_csv(self.rows)

    @property
    def _said(self) -> list[str]:
        return [printable(note) for note in self.notes]


@dataclass(frozen=True, kw_only=True)
class Tables:
    """Several tables of one thing, after some words; as CSV they are one."""

    tables: Sequence[Table]
    rows: Sequence[Mapping[str, Any]]
    """What CSV holds, as in a `Table`."""
    words: Sequence[str] = ()

    def text(self, width: int) -> str:
        """For a terminal."""
        words = "".join(f"{fill(printable(each), width)}\n" for each in self.words)
        return "\n".join(filter(None, (words, *(table.text(width) for table in self.tables))))

    def markdown(self) -> str:
        """The words as paragraphs, then the tables."""
        words = (f"{markdown_text(printable(each))}\n" for each in self.words)
        return "\n".join((*words, *(table.markdown() for table in self.tables)))

    def csv(self) -> str:
        """The rows, headed by their keys."""
        return rows_csv(self.rows)


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows that have the same keys, headed by these; nothing where there is none."""
    cells = [[_cell(value) for value in row.values()] for row in rows]
    return csv_text(list(rows[0]), cells) if rows else ""


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


def rounded(number: float) -> str:
    """A number that is about so large: `2.06 million`, `48,300`, `85`."""
    if number >= 1e6:
        return f"{number / 1e6:.2f} million"
    return f"{float(f'{number:.3g}'):,.0f}"


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

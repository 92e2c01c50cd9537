"""What verifying a run found, in the forms of a table."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from textwrap import fill, indent

from put_cli.report.tables import (
    Column,
    counted,
    csv_text,
    markdown,
    markdown_text,
    printable,
    rounded,
)
from put_cli.verify.faults import Fault
from put_cli.verify.run import Verified

MOST_FAULTS = 50
"""Faults printed; CSV and JSON have more."""

_FIELDS = tuple(field.name for field in fields(Fault))


@dataclass(frozen=True)
class Told:
    """What was checked, and what is wrong; `run` is the run as the user knows it."""

    found: Verified
    run: str

    def text(self, width: int) -> str:
        """For a terminal; a fault stands on one line, however long, where it can be looked for."""
        faults = (f"  {each}" for each in self.found.findings.faults[:MOST_FAULTS])
        checked = (f"  {count:>14,}  {what}" for what, count in self._checked())
        unchecked = (indent(fill(each, width - 2), "  ") for each in self.found.unchecked)
        lines = [self._verdict(), *faults, *(f"  ... {each}" for each in self._more())]
        lines += ["", self._time(), *checked, "", "Not checked:", *unchecked]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """The same, faults and counts as tables."""
        faults = zip(*map(_cells, self.found.findings.faults[:MOST_FAULTS]), strict=True)
        checked = zip(*((what, f"{count:,}") for what, count in self._checked()), strict=True)
        unchecked = (f"- {markdown_text(each)}\n" for each in self.found.unchecked)
        parts = [
            markdown_text(self._verdict()) + "\n",
            markdown([*map(_words, _FIELDS, faults)]),
            *(f"{each}\n" for each in self._more()),
            f"{self._time()}\n",
            markdown([*map(_words, ("checked", "count"), checked)]),
            "Not checked:\n",
            "".join(unchecked),
        ]
        return "\n".join(part for part in parts if part.strip("| \n"))

    def csv(self) -> str:
        """The faults, of thousands the first; only their heading where there is none."""
        return csv_text(_FIELDS, [*map(_cells, self.found.findings.faults)])

    def _verdict(self) -> str:
        shown, count = printable(self.run), self.found.findings.count
        if self.found.sound:
            return f"{shown} is sound: everything checked is as it has to be."
        return f"{shown} has {counted(count, 'fault')}:"

    def _more(self) -> Iterator[str]:
        count = self.found.findings.count
        if count > MOST_FAULTS:
            yield f"and {count - MOST_FAULTS:,} more; --format csv and --json list them."

    def _checked(self) -> Iterator[tuple[str, int]]:
        return ((what, count) for what, count in self.found.findings.checked.items() if count)

    def _time(self) -> str:
        seconds, checked = self.found.seconds, self.found.findings.checked
        dealt = next((each for each in ("hands", "deals") if checked[f"{each} replayed"]), "")
        pace = rounded(checked[f"{dealt} replayed"] / seconds)
        speed = f" ({pace} {dealt} a second)" if dealt else ""
        return f"Checked in {seconds:.1f} s{speed}:"


def _cells(fault: Fault) -> tuple[str, ...]:
    return tuple(printable(str(value)) for value in astuple(fault))


def _words(heading: str, cells: tuple[str, ...]) -> Column:
    return Column(heading=heading, cells=cells, left=heading != "count")

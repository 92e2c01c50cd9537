"""What was found: faults by file, key and column, and counts of what was looked at."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

MOST_LISTED = 1000
"""Faults of a shard, or of a run, that are listed one by one; all are counted."""


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it has to be."""

    file: str
    """Within the run directory."""
    key: str
    """Key columns of the row, joined by `/`, or of a JSON file the path; empty for a whole file."""
    column: str
    """Empty where the fault is in no column alone."""
    expected: str
    found: str
    further: int = 0
    """Rows of the same game that differ after this one, as they must or by themselves."""

    def __str__(self) -> str:
        where = ", ".join(filter(None, [self.file, self.key]))
        what = f"{self.column}: " if self.column else ""
        more = f" (and in {self.further} rows of the game after it)" if self.further else ""
        return f"{where}: {what}expected {self.expected}, found {self.found}{more}"


@dataclass
class Findings:
    """Faults, and what was compared to find them; can be sent to another process."""

    faults: list[Fault] = field(default_factory=list)
    """The first so many, file by file."""
    count: int = 0
    checked: Counter[str] = field(default_factory=Counter)
    """How many of what were checked, such as `hands replayed`."""

    def add(self, *faults: Fault) -> None:
        """Note faults."""
        self.count += len(faults)
        self.faults += faults[: max(0, MOST_LISTED - len(self.faults))]

    def merge(self, others: "Iterable[Findings]") -> None:
        """Note what others found."""
        for other in others:
            self.add(*other.faults)
            self.count += other.count - len(other.faults)
            self.checked.update(other.checked)

"""Figures: rates of things done in turns, their ratios, and the table of them."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line of the result. `low` and `high` are the extremes of the rounds."""

    section: str
    what: str
    value: float
    unit: str
    low: float | None = None
    high: float | None = None
    aim: str = ""


Work = Callable[[], float]
"""Does something and returns how many of its units it did."""


class Rounds:
    """Several pieces of work, each done once in every round; the first round is not counted."""

    def __init__(self, section: str, rounds: int, **works: Work) -> None:
        self.section = section
        self.rates: dict[str, list[float]] = {name: [] for name in works}
        for number in range(rounds + 1):
            for name, work in works.items():
                gc.collect()
                begin = time.perf_counter()
                units = work()
                seconds = time.perf_counter() - begin
                if number:
                    self.rates[name].append(units / seconds)

    def rate(self, name: str, what: str, unit: str) -> Figure:
        """The median rate of a work."""
        return figure(self.section, what, self.rates[name], unit)

    def ratio(self, name: str, base: str, what: str, unit: str = "times", aim: str = "") -> Figure:
        """The median over the rounds of how much faster one is than the other."""
        pairs = zip(self.rates[name], self.rates[base], strict=True)
        scale = 100.0 if unit == "%" else 1.0
        return figure(self.section, what, [scale * a / b for a, b in pairs], unit, aim)


def figure(section: str, what: str, values: Sequence[float], unit: str, aim: str = "") -> Figure:
    return Figure(section, what, statistics.median(values), unit, min(values), max(values), aim)


def text(figures: Sequence[Figure]) -> str:
    """An aligned table."""
    rows = [("section", "what", "median", "lowest .. highest", "unit", "aim")]
    for each in figures:
        spread = ""
        if each.low is not None and each.high is not None:
            spread = f"{number(each.low)} .. {number(each.high)}"
        rows.append((each.section, each.what, number(each.value), spread, each.unit, each.aim))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = zip(row, widths, "<<>><<", strict=True)
        lines.append("  ".join(f"{cell:{side}{width}}" for cell, width, side in cells).rstrip())
    return "\n".join(lines)


def number(value: float) -> str:
    """Three digits that say something, or all of a large number."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"

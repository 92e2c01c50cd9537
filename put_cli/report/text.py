"""The standings and the cross table as text: for a terminal, as Markdown, as CSV.

Every function returns a string. Terminal tables fit the width they are given: the columns that
matter least are left out first, names never.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from textwrap import fill

from put_cli.report.duel import duel_text
from put_cli.report.tables import (
    GAP,
    Column,
    aligned,
    csv_text,
    fitting,
    markdown,
    markdown_text,
    narrowed,
    printable,
)
from put_cli.stats.lines import StrategyLine
from put_cli.stats.standings import Standings

NARROWEST_NAME = 16
"""Names up to this long are never broken over lines, however narrow the window."""

NARROWEST_PANEL = 4
"""A panel of the cross table has room for so many columns; long names are broken to make it."""

NOTHING = "-"
"""What stands for a figure that does not exist."""


@dataclass(frozen=True, kw_only=True)
class _Figure:
    """A column of the standings."""

    heading: str
    cell: Callable[[StrategyLine], str]
    unit: str = ""
    meaning: str = ""
    left: bool = False

    def column(self, standings: Standings) -> Column:
        return Column(
            heading=self.heading,
            unit=self.unit,
            left=self.left,
            cells=tuple(self.cell(line) for line in standings.strategies),
        )


def _percent(share: float | None) -> str:
    """A share in [0, 1] in per cent."""
    return NOTHING if share is None else f"{100 * share:.1f}"


def _decimal(number: float | None, form: str) -> str:
    return NOTHING if number is None else format(number, form)


def _rating(line: StrategyLine) -> str:
    sign = {None: "", "at least": ">=", "at most": "<="}[line.bound]
    return NOTHING if line.rating is None else f"{sign}{line.rating:.0f}"


def _interval(line: StrategyLine) -> str:
    if line.low is None or line.high is None:
        return NOTHING
    return f"{line.low:.0f} to {line.high:.0f}"


FIGURES = (
    _Figure(heading="#", cell=lambda line: _decimal(line.rank, "d")),
    _Figure(heading="strategy", cell=lambda line: printable(line.name), left=True),
    _Figure(
        heading="rating",
        cell=_rating,
        meaning="mean 1500; 400 more are 10 times the odds; >= and <= are one-sided 95 % bounds",
    ),
    _Figure(heading="interval", unit="95 %", cell=_interval, meaning="of the rating"),
    _Figure(heading="games", cell=lambda line: f"{line.games:,}"),
    _Figure(heading="score", unit="%", cell=lambda line: _percent(line.score), meaning="games won"),
    _Figure(
        heading="faults",
        cell=lambda line: f"{line.faults:,}",
        meaning="times it broke the rules, failed or ran out of time",
    ),
    _Figure(
        heading="forfeits",
        cell=lambda line: f"{line.forfeits:,}",
        meaning="games lost unplayed",
    ),
    _Figure(
        heading="points",
        unit="/hand",
        cell=lambda line: _decimal(line.points_per_hand, "+.3f"),
        meaning="won less lost, each hand",
    ),
    _Figure(
        heading="puts",
        unit="/hand",
        cell=lambda line: _decimal(line.puts_per_hand, ".3f"),
        meaning="own puts, each hand",
    ),
    _Figure(
        heading="seen",
        unit="%",
        cell=lambda line: _percent(line.puts_seen),
        meaning="own puts that were seen",
    ),
    _Figure(
        heading="lost",
        unit="%",
        cell=lambda line: _percent(line.puts_lost),
        meaning="seen puts in hands then lost",
    ),
    _Figure(
        heading="throws",
        unit="%",
        cell=lambda line: _percent(line.puts_thrown_to),
        meaning="puts of others thrown to",
    ),
    _Figure(heading="hands", cell=lambda line: f"{line.hands:,}"),
    _Figure(heading="legs", cell=lambda line: f"{line.legs:,}", meaning="games within rubbers won"),
    _Figure(heading="wins", cell=lambda line: f"{line.wins:,}"),
    _Figure(heading="losses", cell=lambda line: f"{line.losses:,}"),
)
"""The columns of the standings, the most important first: narrow windows leave out the last."""

ESSENTIAL = 6
"""So many columns are shown in any window; names are broken over lines to make room for them."""


def standings_text(standings: Standings, width: int = 80) -> str:
    """The standings as a table for a terminal `width` columns wide, a legend and the sentences."""
    figures = _figures(standings)
    columns = [figure.column(standings) for figure in figures]
    names = columns.pop(1)
    beside = sum(GAP + column.width for column in columns[: ESSENTIAL - 1])
    columns.insert(1, narrowed(names, max(NARROWEST_NAME, width - beside)))
    count = max(ESSENTIAL, fitting(columns, width))
    legend = "; ".join(f"{f.heading}: {f.meaning}" for f in figures[:count] if f.meaning) + "."
    if count < len(figures):
        legend += f" Not shown at this width: {', '.join(f.heading for f in figures[count:])}."
    return _joined(aligned(columns[:count]), (legend, *standings.sentences), width)


def results_text(standings: Standings, width: int = 80) -> str:
    """All there is to say of a run: the standings, and a duel or everyone against everyone."""
    duel = standings.duel
    after = crosstable_text(standings, width) if duel is None else duel_text(duel, width)
    return f"{standings_text(standings, width)}\n\n{after}"


def standings_markdown(standings: Standings) -> str:
    """The standings as a Markdown table, a legend and the sentences as a list."""
    figures = _figures(standings)
    table = markdown([figure.column(standings) for figure in figures])
    legend = (f"{f.heading}: {f.meaning}" for f in figures if f.meaning)
    notes = (*legend, *map(printable, standings.sentences))
    return table + "\n" + "".join(f"- {markdown_text(note)}\n" for note in notes)


def standings_csv(standings: Standings) -> str:
    """The standings for a spreadsheet or a program: every figure, shares in [0, 1]."""
    header = [field.name for field in fields(StrategyLine)]
    rows = [{**line.figures(), "name": printable(line.name)} for line in standings.strategies]
    return csv_text(header, [tuple(row.values()) for row in rows])


def crosstable_text(standings: Standings, width: int = 80) -> str:
    """Everyone's score against everyone, in panels no wider than `width`."""
    lines = standings.strategies
    labels = [
        Column(heading="no.", cells=tuple(str(k) for k in range(1, len(lines) + 1))),
        Column(heading="strategy", cells=tuple(printable(line.name) for line in lines), left=True),
    ]
    score = standings.scores
    columns = [
        Column(
            heading=str(k),
            cells=tuple(
                "" if row is column else _percent(score.get((row.name, column.name)))
                for row in lines
            ),
        )
        for k, column in enumerate(lines, start=1)
    ]
    narrowest = sum(GAP + column.width for column in (labels[0], *columns[:NARROWEST_PANEL]))
    labels[1] = narrowed(labels[1], max(NARROWEST_NAME, width - narrowest))
    panels = []
    while columns:
        count = max(1, fitting([*labels, *columns], width) - len(labels))
        panels.append(aligned([*labels, *columns[:count]]))
        columns = columns[count:]
    where = "at tables with" if standings.tables else "against"
    legend = (
        f"Games won by the row {where} the column, %; columns are numbered as the rows are. "
        f"{NOTHING}: never met."
    )
    return _joined("\n".join(panels), (legend,), width)


def crosstable_csv(standings: Standings) -> str:
    """Everyone's score against everyone, shares in [0, 1]; empty where two never met."""
    names = [line.name for line in standings.strategies]
    score = standings.scores
    rows = [
        [printable(row), *(_share(score.get((row, column))) for column in names)] for row in names
    ]
    return csv_text(["strategy", *map(printable, names)], rows)


def _figures(standings: Standings) -> list[_Figure]:
    """The figures that say something of somebody, and the essential ones."""
    silent = {"0", "0.000", NOTHING}
    return [
        figure
        for place, figure in enumerate(FIGURES)
        if place < ESSENTIAL or not silent.issuperset(figure.column(standings).cells)
    ]


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 6)


def _joined(table: str, notes: Iterable[str], width: int) -> str:
    """A table, an empty line, and notes folded to the width."""
    folded = (fill(printable(note), width, break_on_hyphens=False) + "\n" for note in notes)
    return table + "\n" + "".join(folded)

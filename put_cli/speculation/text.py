"""The standings of Speculation as text: for a terminal, as Markdown, as CSV."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from textwrap import fill

from put_cli.report.tables import (
    Column,
    aligned,
    csv_text,
    fitting,
    markdown,
    markdown_text,
    narrowed,
    printable,
)
from put_cli.speculation.standings import Line, SpeculationStandings

NOTHING = "-"
WIDEST_NAME = 40


@dataclass(frozen=True)
class _Figure:
    """A column: what it shows of a line, and what it means."""

    heading: str
    value: Callable[[Line], str | None]
    unit: str = ""
    meaning: str = ""


def _number(value: float | None, form: str) -> str | None:
    return None if value is None else format(value, form).removesuffix("%")


def _between(low: float | None, high: float | None, form: str) -> str | None:
    return None if low is None or high is None else f"{low:{form}} to {high:{form}}"


def _rating(line: Line) -> str | None:
    sign = {None: "", "at least": ">=", "at most": "<="}[line.bound]
    return None if line.rating is None else f"{sign}{line.rating:.0f}"


FIGURES = (
    _Figure("#", lambda line: str(line.rank)),
    _Figure("strategy", lambda line: printable(line.name)),
    _Figure(
        "chips", lambda line: _number(line.chips_per_deal, "+.3f"), "/deal", "mean won each deal"
    ),
    _Figure("interval", lambda line: _between(line.low, line.high, "+.3f"), "95 %", "of the chips"),
    _Figure(
        "rating",
        _rating,
        meaning="Plackett-Luce, from the order in which all finish each session; mean 1500, 400 "
        "more are 10 times the odds; >= and <= are one-sided 95 % bounds",
    ),
    _Figure(
        "of rating",
        lambda line: _between(line.rating_low, line.rating_high, ".0f"),
        "95 %",
        "interval of the rating",
    ),
    _Figure("sessions", lambda line: f"{line.sessions:,}"),
    _Figure(
        "faults", lambda line: f"{line.faults:,}" if line.faults else None, "", "sessions with one"
    ),
    _Figure("first", lambda line: _number(line.first, ".1%"), "%", "sessions finished in front"),
    _Figure("pools", lambda line: _number(line.pools_per_deal, ".3f"), "/deal", "taken"),
    _Figure("bought", lambda line: _number(line.bought_per_deal, ".3f"), "/deal"),
    _Figure("sold", lambda line: _number(line.sold_per_deal, ".3f"), "/deal"),
    _Figure(
        "paid",
        lambda line: _number(line.paid_per_deal, ".3f"),
        "/deal",
        "chips for Knaves and fives",
    ),
    _Figure("deals", lambda line: f"{line.deals:,}"),
)
"""The columns, the most important first: narrow windows leave out the last."""


def _columns(standings: SpeculationStandings) -> list[tuple[_Figure, Column]]:
    made = []
    for figure in FIGURES:
        cells = tuple(figure.value(line) or NOTHING for line in standings.strategies)
        if figure.heading == "faults" and set(cells) == {NOTHING}:
            continue
        left = figure.heading == "strategy"
        made.append(
            (figure, Column(heading=figure.heading, unit=figure.unit, left=left, cells=cells))
        )
    return made


def _meaning(figure: _Figure, players: int) -> str:
    par = (
        f"; with {players} players par is {100 / players:.1f}" if figure.heading == "first" else ""
    )
    return f"{figure.heading}: {figure.meaning}{par}"


def standings_text(standings: SpeculationStandings, width: int = 80) -> str:
    """The standings as a table for a terminal `width` columns wide, a legend and the sentences."""
    made = _columns(standings)
    columns = [column for _, column in made]
    columns[1] = narrowed(columns[1], min(WIDEST_NAME, max(16, width // 3)))
    count = max(3, fitting(columns, width))
    told = [_meaning(f, standings.players) for f, _ in made[:count] if f.meaning]
    legend = "; ".join(told) + "."
    if count < len(made):
        legend += f" Not shown at this width: {', '.join(f.heading for f, _ in made[count:])}."
    notes = (legend, *standings.sentences)
    folded = (fill(printable(note), width, break_on_hyphens=False) + "\n" for note in notes)
    return aligned(columns[:count]) + "\n" + "".join(folded)


def standings_markdown(standings: SpeculationStandings) -> str:
    """The standings as a Markdown table, a legend and the sentences as a list."""
    made = _columns(standings)
    notes = [_meaning(f, standings.players) for f, _ in made if f.meaning]
    notes += map(printable, standings.sentences)
    table = markdown([column for _, column in made])
    return table + "\n" + "".join(f"- {markdown_text(note)}\n" for note in notes)


def standings_columns(standings: SpeculationStandings) -> tuple[list[Column], list[str]]:
    """All columns of the standings, and what they mean."""
    made = _columns(standings)
    return [column for _, column in made], [
        f"{_meaning(f, standings.players)}." for f, _ in made if f.meaning
    ]


def standings_csv(standings: SpeculationStandings) -> str:
    """The standings for a spreadsheet or a program: every figure, shares in [0, 1]."""
    header = [field.name for field in fields(Line)]
    rows = []
    for line in standings.strategies:
        figures = asdict(line) | {"name": printable(line.name)}
        rows.append([round(v, 6) if isinstance(v, float) else v for v in figures.values()])
    return csv_text(header, rows)

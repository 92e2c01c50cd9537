"""The standings and the cross table as text: for a terminal, as Markdown, as CSV.

Every function returns a string. Terminal tables fit the width they are given: the columns that
matter least are left out first, names never.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
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
from put_cli.stats.tally import PLACES

NARROWEST_NAME = 16
"""Names up to this long are never broken over lines, however narrow the window."""

NARROWEST_PANEL = 4
"""A panel of the cross table has room for so many columns; long names are broken to make it."""

FEWEST = 3
"""So many columns are shown in any window; more of ESSENTIAL only beside a name not too narrow."""

NAME = "strategy"

DECLINED = "declined"

NOTHING = "-"
"""What stands for a figure that does not exist."""


@dataclass(frozen=True)
class _Figure:
    """A column of the standings: what it shows of a line, and in which form."""

    heading: str
    value: Callable[[StrategyLine], str | float | None]
    form: str = ""
    unit: str = ""
    meaning: str = ""

    def column(self, standings: Standings) -> Column:
        values = map(self.value, standings.strategies)
        return Column(
            heading=self.heading,
            unit=self.unit,
            left=self.heading == NAME,
            cells=tuple(_cell(value, self.form) for value in values),
        )


def _cell(value: str | float | None, form: str) -> str:
    """A figure as it stands in a table; shares are in per cent, which the heading says."""
    return NOTHING if value is None else format(value, form).removesuffix("%")


def _rating(line: StrategyLine) -> str | None:
    sign = {None: "", "at least": ">=", "at most": "<="}[line.bound]
    return None if line.rating is None else f"{sign}{line.rating:.0f}"


def _interval(line: StrategyLine) -> str | None:
    if line.low is None or line.high is None:
        return None
    digits = 0 if line.high - line.low >= 1 else 1
    return f"{line.low:.{digits}f} to {line.high:.{digits}f}"


SHARE = ".1%"
"""The form of a share in [0, 1]."""

_ODDS = "mean 1500; 400 more are 10 times the odds; >= and <= are one-sided 95 % bounds"
_FAULTS = "times it broke the rules, failed or ran out of time"

FIGURES = (
    _Figure("#", lambda line: line.rank),
    _Figure(NAME, lambda line: printable(line.name)),
    _Figure("rating", _rating, meaning=_ODDS),
    _Figure("interval", _interval, unit="95 %", meaning="of the rating"),
    _Figure("games", lambda line: line.games, ","),
    _Figure("score", lambda line: line.score, SHARE, "%", "games won"),
    _Figure("faults", lambda line: line.faults, ",", meaning=_FAULTS),
    _Figure("forfeits", lambda line: line.forfeits, ",", meaning="games lost unplayed"),
    _Figure(
        "points", lambda line: line.points_per_hand, "+.3f", "/hand", "won less lost, each hand"
    ),
    _Figure("puts", lambda line: line.puts_per_hand, ".3f", "/hand", "own puts, each hand"),
    _Figure("seen", lambda line: line.puts_seen, SHARE, "%", "own puts that were seen"),
    _Figure(
        DECLINED, lambda line: line.puts_declined, SHARE, "%", "own puts that everybody threw to"
    ),
    _Figure("lost", lambda line: line.puts_lost, SHARE, "%", "seen puts in hands then lost"),
    _Figure("throws", lambda line: line.puts_thrown_to, SHARE, "%", "puts of others thrown to"),
    _Figure("hands", lambda line: line.hands, ","),
    _Figure("legs", lambda line: line.legs, ",", meaning="games within rubbers won"),
    _Figure("wins", lambda line: line.wins, ","),
    _Figure("losses", lambda line: line.losses, ","),
)
"""The columns of the standings, the most important first: narrow windows leave out the last."""

ESSENTIAL = 6
"""Names are broken over lines to make room for so many columns."""


def standings_text(standings: Standings, width: int = 80) -> str:
    """The standings as a table for a terminal `width` columns wide, a legend and the sentences."""
    figures = _figures(standings)
    columns = [figure.column(standings) for figure in figures]
    names = columns.pop(1)
    columns.insert(1, _in_room(names, columns[: ESSENTIAL - 1], FEWEST - 1, width))
    count = max(FEWEST, fitting(columns, width))
    legend = "; ".join(f"{f.heading}: {f.meaning}" for f in figures[:count] if f.meaning) + "."
    if count < len(figures):
        legend += f" Not shown at this width: {', '.join(f.heading for f in figures[count:])}."
    return _joined(aligned(columns[:count]), (legend, *standings.sentences), width)


def results_text(standings: Standings, width: int = 80) -> str:
    """All there is to say of a run: the standings, and a duel or everyone against everyone."""
    duel = standings.duel
    after = crosstable_text(standings, width) if duel is None else duel_text(duel, width)
    return f"{standings_text(standings, width)}\n\n{after}"


def standings_columns(standings: Standings) -> tuple[list[Column], list[str]]:
    """The standings in full as columns, and what the columns mean."""
    figures = _figures(standings)
    legend = [f"{f.heading}: {f.meaning}" for f in figures if f.meaning]
    return [figure.column(standings) for figure in figures], legend


def standings_markdown(standings: Standings) -> str:
    """The standings as a Markdown table, a legend and the sentences as a list."""
    columns, legend = standings_columns(standings)
    table = markdown(columns)
    notes = (*legend, *map(printable, standings.sentences))
    return table + "\n" + "".join(f"- {markdown_text(note)}\n" for note in notes)


def standings_csv(standings: Standings) -> str:
    """The standings for a spreadsheet or a program: every figure, shares in [0, 1]."""
    header = [field.name for field in fields(StrategyLine)]
    rows = [{**line.figures(), "name": printable(line.name)} for line in standings.strategies]
    return csv_text(header, [tuple(row.values()) for row in rows])


def results_markdown(standings: Standings) -> str:
    """What `results_text` says as Markdown."""
    duel = standings.duel
    if duel is None:
        labels, columns = _crosstable(standings)
        after = f"{markdown([*labels, *columns])}\n- {markdown_text(_cross_legend(standings))}\n"
    else:
        after = "".join(
            f"- {markdown_text(line)}\n" for line in duel_text(duel, 10_000).splitlines()
        )
    return f"{standings_markdown(standings)}\n{after}"


def crosstable_text(standings: Standings, width: int = 80) -> str:
    """Everyone's score against everyone, in panels no wider than `width`."""
    labels, columns = _crosstable(standings)
    widest = sorted(columns, key=lambda column: column.width, reverse=True)
    labels[1] = _in_room(labels[1], [labels[0], *widest[:NARROWEST_PANEL]], 2, width)
    panels = []
    while columns:
        count = max(1, fitting([*labels, *columns], width) - len(labels))
        panels.append(aligned([*labels, *columns[:count]]))
        columns = columns[count:]
    return _joined("\n".join(panels), (_cross_legend(standings),), width)


def _crosstable(standings: Standings) -> tuple[list[Column], list[Column]]:
    """Numbers and names of the rows, and the scores against each."""
    lines = standings.strategies
    labels = [
        Column(heading="no.", cells=tuple(str(k) for k in range(1, len(lines) + 1))),
        Column(heading=NAME, cells=tuple(printable(line.name) for line in lines), left=True),
    ]
    score = scores(standings)
    columns = [
        Column(
            heading=str(k),
            cells=tuple(
                "" if row is column else _cell(score.get((row.name, column.name)), SHARE)
                for row in lines
            ),
        )
        for k, column in enumerate(lines, start=1)
    ]
    return labels, columns


def _cross_legend(standings: Standings) -> str:
    games = "Games won by the row against the column, %"
    if standings.tables:
        games = "Of the games at common tables that one of the two won, those won by the row, %"
    return f"{games}; columns are numbered as the rows are. {NOTHING}: never met."


def crosstable_csv(standings: Standings) -> str:
    """Everyone's score against everyone, shares in [0, 1]; empty where two never met."""
    names = [line.name for line in standings.strategies]
    score = scores(standings)
    rows = [
        [printable(row), *(_share(score.get((row, column))) for column in names)] for row in names
    ]
    return csv_text(["strategy", *map(printable, names)], rows)


def _figures(standings: Standings) -> list[_Figure]:
    """The figures that say something of somebody, and the essential ones."""
    silent = {"0", "0.000", NOTHING}
    return [
        _told(figure, standings)
        for place, figure in enumerate(FIGURES)
        if place < ESSENTIAL or not silent.issuperset(figure.column(standings).cells)
        # Of two what is not declined is seen.
        if standings.tables or figure.heading != DECLINED
    ]


def _told(figure: _Figure, standings: Standings) -> _Figure:
    """The figure with what it means at tables of more than two."""
    if not standings.tables:
        return figure
    players = len(standings.tables[0].names)
    meanings = {
        "score": f"games won; with {players} players par is {100 / players:.1f}",
        "points": "won more than each of the others, added up, each hand",
        "seen": "own puts that somebody saw",
        "lost": "seen puts in hands that another then won",
    }
    return replace(figure, meaning=meanings.get(figure.heading, figure.meaning))


def _in_room(names: Column, beside: Sequence[Column], fewest: int, width: int) -> Column:
    """The names broken to make room for the columns `beside` them, or for `fewest` of these."""
    wanted, room = min(NARROWEST_NAME, names.width), 0
    for count in range(len(beside), fewest - 1, -1):
        room = width - sum(GAP + column.width for column in beside[:count])
        if room >= wanted:
            break
    return narrowed(names, max(len(NAME), room))


def scores(standings: Standings) -> dict[tuple[str, str], float]:
    """Share of games won by the first against the second, for all that met.

    At tables of more than two: of the games that one of the two won.
    """
    won: Counter[tuple[str, str]] = Counter()
    for line in standings.pairings:
        won[line.a, line.b] += line.counts["wins_a"]
        won[line.b, line.a] += line.counts["wins_b"]
    for table in standings.tables:
        for place, name in zip(PLACES, table.names, strict=False):
            for other in table.names:
                won[name, other] += table.counts.get(f"wins_{place}", 0)
    return {
        (row, column): count / (count + won[column, row])
        for (row, column), count in won.items()
        if row != column and count + won[column, row]
    }


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 6)


def _joined(table: str, notes: Iterable[str], width: int) -> str:
    """A table, an empty line, and notes folded to the width."""
    folded = (fill(printable(note), width, break_on_hyphens=False) + "\n" for note in notes)
    return table + "\n" + "".join(folded)

"""A run read from its log and counted, for a report."""

from pathlib import Path

from put_cli.log import manifest, numbers, reader
from put_cli.report.review import Moment, Review
from put_cli.stats.habits import Habits
from put_cli.stats.standings import Standings, standings
from put_cli.stats.tally import up_to
from put_cli.tournament import rounds
from put_cli.tournament.outcome import rate

MOST_MOMENTS = 13
"""Ratings are computed so many times over the run, each time from a root of 2 more blocks."""


def review(run: Path, shown: str) -> Review:
    """Read a run: tallies for its ratings, and hands and games as far as they were logged.

    `shown` is the directory as the user knows it.

    Raises:
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    table = rate(run)
    log = made.log
    counted = table.ruling.blocks if table.ruling and table.ruling.verdict else None
    habits = Habits(made.rules, len(made.names)) if log == "hands" else None
    if habits:
        for hands in numbers.hands(made, counted):
            habits.add(hands)
    return Review(
        made=made,
        run=shown,
        standings=table,
        moments=_moments(made, table, counted),
        habits=habits,
        endings=numbers.endings(made, counted) if log != "none" else None,
    )


def moments_of(blocks: int) -> list[int]:
    """The numbers of blocks after which ratings are looked at, up to all of them."""
    steps = (round(blocks / 2 ** (step / 2)) for step in range(MOST_MOMENTS))
    return sorted({max(1, step) for step in steps})


def _moments(made: manifest.Manifest, final: Standings, counted: int | None) -> tuple[Moment, ...]:
    """The ratings over the run. Tallies are read again each time, which needs little memory."""
    tables = rounds.read(made).all_tables()
    parts = reader.tallies(made)
    blocks = 1 + max(int(part["block"].max(initial=0)) for part in parts)
    if counted is not None:
        blocks = min(blocks, counted)
    found = []
    for end in moments_of(blocks):
        table = final
        if end < blocks:
            table = standings(
                (up_to(part, end) for part in reader.tallies(made)),
                names=made.names,
                memory=[each["memory"] for each in made.strategies],
                pairs=tables,
            )
        found.append(_moment(end, table))
    return tuple(found)


def _moment(blocks: int, table: Standings) -> Moment:
    return Moment(
        blocks=blocks,
        games=table.games,
        ratings={
            line.name: (line.rating, line.low, line.high)
            for line in table.strategies
            if line.rating is not None and line.low is not None and line.high is not None
        },
    )

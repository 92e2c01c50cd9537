"""A run read from its log and counted, for a report."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from put_cli.errors import UsageError, did_you_mean
from put_cli.log import manifest, numbers, reader
from put_cli.report.review import Moment, Review
from put_cli.stats.habits import Habits
from put_cli.stats.intransitivity import Intransitivity, intransitivity
from put_cli.stats.standings import Standings, standings
from put_cli.stats.sums import Sums
from put_cli.stats.tally import up_to
from put_cli.tournament import rounds
from put_cli.tournament.outcome import rate
from put_cli.tournament.removing_luck import obstacle, remove_luck

MOST_MOMENTS = 13
"""Ratings are computed so many times over the run, each time from a root of 2 more blocks."""


MOST_LUCKY_HANDS = 20_000_000
"""In a longer run a report does not take off the luck of the deal: that takes half a minute."""


def review(run: Path, shown: str) -> Review:
    """Read a run: tallies for its ratings, and hands and games as far as they were logged.

    `shown` is the directory as the user knows it.

    Raises:
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    table = rate(run)
    log = made.log
    counted = _counted(table)
    why = obstacle(made, table.ruling) or (
        f"the run has more than {MOST_LUCKY_HANDS:,} hands, which would be read three times; "
        "'put standings --luck-removed' does"
        if table.hands > MOST_LUCKY_HANDS
        else ""
    )
    return Review(
        made=made,
        run=shown,
        standings=table,
        moments=_moments(made, table, counted),
        habits=habits_of(made, counted) if log == "hands" else None,
        endings=numbers.endings(made, counted) if log != "none" else None,
        cycles=_cycles(made),
        luck=None if why else remove_luck(run, table.ruling),
        why_luck=why,
    )


def habits_of(made: manifest.Manifest, blocks: int | None) -> Habits:
    """How the strategies of a run play, in the blocks that count.

    Raises:
        RunError: the hands log cannot be read.
    """
    return Habits.of(made.rules, len(made.names), numbers.hands(made, blocks))


def habits_of_run(run: Path, wanted: Sequence[str]) -> tuple[Habits, Standings, list[str]]:
    """How the strategies of a run play, and its standings with the lines of those `wanted`.

    All lines if none is named. Besides, the names of the strategies as the habits number them.

    Raises:
        UsageError: the run logged no hands, or has no strategy of such a name.
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    if made.log != "hands":
        raise UsageError("put habits: expected a run that logged its hands (--log hands).")
    for name in wanted:
        if name not in made.names:
            raise UsageError(
                f"--strategy: there is no strategy {name!r} in this run."
                f"{did_you_mean(name, made.names)} They are: {', '.join(made.names)}."
            )
    table = rate(run)
    lines = tuple(line for line in table.strategies if not wanted or line.name in wanted)
    return (
        habits_of(made, _counted(table)),
        replace(table, strategies=lines),
        made.names,
    )


def _cycles(made: manifest.Manifest) -> Intransitivity | None:
    if made.rules.players > 2:
        return None
    parts = reader.tallies(made)
    memory = [each["memory"] for each in made.strategies]
    return intransitivity(Sums.of(parts, rounds.read(made).all_tables()), made.names, memory)


def _counted(table: Standings) -> int | None:
    """The blocks that count where a sequential test has stopped a match; None where all do."""
    return table.ruling.blocks if table.ruling and table.ruling.verdict else None


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

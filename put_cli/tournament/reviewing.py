"""A run read from its log and counted, for a report."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from put_cli.errors import UsageError, did_you_mean
from put_cli.log import manifest, numbers, reader
from put_cli.report.review import Moment, Review
from put_cli.stats.habits import Habits
from put_cli.stats.intransitivity import Intransitivity, intransitivity
from put_cli.stats.standings import Standings, from_sums
from put_cli.stats.sums import Sums
from put_cli.stats.tally import up_to
from put_cli.tournament import rounds
from put_cli.tournament.outcome import rate
from put_cli.tournament.parts import Watch, unwatched
from put_cli.tournament.removing_luck import obstacle, remove_luck
from put_cli.tournament.workers import available_cores

MOST_THREADS = 4
"""More of them would count little faster, and each holds a part of a shard."""

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


def habits_of(
    made: manifest.Manifest,
    blocks: int | None,
    wanted: Sequence[str] = (),
    watch: Watch = unwatched,
) -> Habits:
    """How the strategies of a run play, in the blocks that count; of `wanted` alone if any are.

    Counted shard by shard, by as many threads as there are cores: Arrow and NumPy leave the
    interpreter to the others most of the time, and each thread holds no more than a batch of hands.

    Raises:
        RunError: the hands log cannot be read.
    """
    whole = Habits(made.rules, len(made.names))

    def count(shard: int) -> Habits:
        hands = numbers.hands(made, blocks, [shard], wanted)
        with reader.counting(made, "hands"):
            return Habits.of(made.rules, len(made.names), hands, whole.chances)

    with ThreadPoolExecutor(min(MOST_THREADS, available_cores())) as pool:
        shards = sorted(reader.committed(made))
        for part in watch(pool.map(count, shards), len(shards)):
            whole.merge(part.counts)
    return whole


def habits_of_run(
    run: Path, wanted: Sequence[str], watch: Watch = unwatched
) -> tuple[Habits, Standings, list[str]]:
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
        habits_of(made, _counted(table), wanted, watch),
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
    """The ratings over the run."""
    parts = reader.tallies(made)
    blocks = 1 + max(int(part["block"].max(initial=0)) for part in parts)
    if counted is not None:
        blocks = min(blocks, counted)
    pairs = rounds.read(made).all_tables()
    # The sums of all earlier moments together are not three times as large as those of the run.
    sums = {end: Sums(pairs) for end in moments_of(blocks) if end < blocks}
    for part in reader.tallies(made):
        for end, so_far in sums.items():
            so_far.add(up_to(part, end))
    memory = [each["memory"] for each in made.strategies]
    tables = {
        end: from_sums(so_far, names=made.names, memory=memory) for end, so_far in sums.items()
    }
    return tuple(_moment(end, table) for end, table in (tables | {blocks: final}).items())


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

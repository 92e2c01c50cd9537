"""A run read from its log and counted, for a report."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from put_cli.log import manifest, numbers, reader
from put_cli.report.review import Moment, Review
from put_cli.stats.habits import Habits
from put_cli.stats.standings import Standings, from_sums
from put_cli.stats.sums import Sums
from put_cli.stats.tally import up_to
from put_cli.tournament.run import plan_of, rate
from put_cli.tournament.workers import available_cores

MOST_THREADS = 4
"""More of them would count little faster, and each holds a part of a shard."""

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
    log = made.plan["log"]
    counted = table.ruling.blocks if table.ruling and table.ruling.verdict else None
    return Review(
        made=made,
        run=shown,
        standings=table,
        moments=_moments(made, table, counted),
        habits=_habits(made, counted) if log == "hands" else None,
        endings=numbers.endings(made, counted) if log != "none" else None,
    )


def moments_of(blocks: int) -> list[int]:
    """The numbers of blocks after which ratings are looked at, up to all of them."""
    steps = (round(blocks / 2 ** (step / 2)) for step in range(MOST_MOMENTS))
    return sorted({max(1, step) for step in steps})


def _habits(made: manifest.Manifest, counted: int | None) -> Habits:
    """How the strategies play, counted shard by shard, by as many threads as there are cores.

    Arrow and NumPy leave the interpreter to the others most of the time, and each thread holds no
    more than a batch of hands.
    """
    whole = Habits(made.rules, len(made.names))

    def count(shard: int) -> Habits:
        part = Habits(made.rules, len(made.names), whole.chances)
        for hands in numbers.hands(made, counted, [shard]):
            part.add(hands)
        return part

    shards = sorted(reader.committed(made.run, made.plan["fingerprint"]))
    with ThreadPoolExecutor(min(MOST_THREADS, available_cores())) as pool:
        for part in pool.map(count, shards):
            whole.merge(part.counts)
    return whole


def _moments(made: manifest.Manifest, final: Standings, counted: int | None) -> tuple[Moment, ...]:
    """The ratings over the run."""
    fingerprint = made.plan["fingerprint"]
    parts = reader.tallies(made.run, made.form, fingerprint)
    blocks = 1 + max(int(part["block"].max(initial=0)) for part in parts)
    if counted is not None:
        blocks = min(blocks, counted)
    pairs = plan_of(made).all_tables()
    # The sums of all earlier moments together are not three times as large as those of the run.
    sums = {end: Sums(pairs) for end in moments_of(blocks) if end < blocks}
    for part in reader.tallies(made.run, made.form, fingerprint):
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

"""A run from its first file to its standings."""

import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from put_cli import __version__
from put_cli.engine.luck import GENERATOR
from put_cli.errors import RunError, UsageError
from put_cli.log import dictionary, manifest
from put_cli.log.committed import drop_unfinished
from put_cli.log.schema import EVERY_TABLE
from put_cli.log.store import Folder
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.loading import loader
from put_cli.speculation import outcome as speculation
from put_cli.speculation.rules import Speculation
from put_cli.speculation.schema import SpeculationFormat
from put_cli.speculation.schema import dictionary as of_speculation
from put_cli.speculation.standings import SpeculationStandings
from put_cli.stats.standings import Standings
from put_cli.tournament import cluster, precision, records, rounds, workers
from put_cli.tournament.directory import claim, claim_default, point_latest
from put_cli.tournament.field import Field, described, load_field
from put_cli.tournament.keeping import Keeping, claim_url
from put_cli.tournament.lock import Lock
from put_cli.tournament.outcome import Ending, precision_of, rate, result, settle
from put_cli.tournament.rounds import Round, Schedule
from put_cli.tournament.schedule import Plan, Shards, expected_hands_per_game
from put_cli.tournament.settings import KEPT, Settings
from put_cli.tournament.shard import Order, Result, Workshop

LOG = logging.getLogger("put")

BYTES_PER_HAND = {"two-handed": 9, "four-handed": 14, "many-handed": 20, "speculation": 90}
"""Measured sizes of a row of the hands log in Parquet, with its rows of plays or events."""

BYTES_PER_GAME = 9
"""The same for the games log."""


class TooManyFaults(RunError):
    """A run that was ended early because of faults; what was finished is kept."""


@dataclass(frozen=True)
class Prepared:
    """A run whose directory and manifest exist and whose players are compiled."""

    settings: Settings
    run: Path
    """Its directory, absolute: a plugin may change the one that the process works in."""
    shown: Path
    """Its directory as the user knows it."""
    workshop: Workshop
    lock: Lock
    left_out: tuple[str, ...] = ()
    """Messages about installed strategies that could not be loaded."""
    alone: bool = False
    """Whether this process plays itself: it alone has the strategies."""
    printed: tuple[str, ...] = ()
    """What strategies printed when they were loaded."""
    finished: set[int] = field(default_factory=set)
    """The shards that are committed, as far as this process knows; it grows while they are played.
    Without them the run is played from the start."""
    faults: int = 0
    """Games that were lost by faults in the shards that were committed before."""
    notes: tuple[str, ...] = ()
    """What is to be known of a run that existed before."""
    site: bytes | None = None
    """What the stations of a cluster are told; None where this machine plays."""

    @property
    def where(self) -> str:
        """Where the run is kept, as the user knows it."""
        return self.settings.store or str(self.shown)

    @property
    def keeping(self) -> Keeping:
        """Where the run is kept."""
        return Keeping(self.run, self.settings.store)

    @property
    def plan(self) -> Plan:
        """The plan of the first round."""
        return self.workshop.shards.rounds[0].plan

    def missing(self) -> Iterator[int]:
        """The shards that are not committed, in order."""
        return (n for n in range(len(self.workshop.shards)) if n not in self.finished)

    @property
    def games_left(self) -> int:
        """Games of the shards that are not committed, if all have the same number."""
        shards = self.workshop.shards
        return round(shards.total_games * (1 - len(self.finished) / len(shards)))

    @property
    def expected_hands(self) -> int:
        """A rough number of hands to be played, known before any is dealt."""
        return round(self.games_left * expected_hands_per_game(self.settings.rules))

    @property
    def expected_bytes(self) -> int:
        """A rough size of the log that is to be written."""
        log, games = self.settings.log, self.games_left
        hands = self.expected_hands * BYTES_PER_HAND[manifest.form_of(self.settings.rules).family]
        return (hands if log == "hands" else 0) + (BYTES_PER_GAME * games if log != "none" else 0)


@dataclass(frozen=True)
class Finished:
    """A run that was played to its end."""

    prepared: Prepared
    standings: Standings | SpeculationStandings
    hands: int
    """As many as were played this time."""
    faults: int
    """Games of the whole run that were lost by a fault."""
    example: str
    """The first fault heard of this time, in words; empty without one."""
    differences: int
    seconds: float

    def plain(self) -> dict[str, Any]:
        """What `--json` prints and standings.json holds."""
        made, where = manifest.read(self.prepared.run), self.prepared.where
        if isinstance(self.standings, SpeculationStandings):
            return speculation.result(made, self.standings, where)
        return result(made, self.standings, where)


def prepare(settings: Settings, loaded: Sequence[Loaded] = ()) -> Prepared:
    """Check everything, compile the players, and write the manifest.

    `loaded`, where given, play instead of `settings.strategies`: strategies that exist in this
    process alone, so with one worker.

    Raises:
        UsageError: something asked for cannot be done; nothing was written.
    """
    here = Path.cwd()
    rules = settings.rules
    if settings.isolate and isinstance(rules, Speculation):
        raise UsageError("--isolate: players of Speculation cannot be isolated.")
    if loaded:
        entrants = Field(tuple(loaded))
    else:
        entrants = load_field(
            settings.strategies,
            rules,
            loader(
                isolate=settings.isolate, tier=settings.tier, memory_limit=settings.memory_limit
            ),
        )
    plan = Plan(
        strategies=len(entrants.loaded),
        games=settings.games,
        match_games=settings.match_games,
        mirror=settings.mirror,
        sides=rules.players,
        tables=settings.tables,
    )
    why: dict[str, Any] = {}
    if settings.sprt:
        if (plan.table_count, plan.sides) != (1, 2):
            raise UsageError("--sprt: a sequential test is of one strategy against one other.")
        why = {"sprt": asdict(settings.sprt)}
    if settings.until:
        if isinstance(rules, Speculation):
            raise UsageError("--until: it is for ratings of Put; say how many --games to play.")
        plan, why = settings.until.first(plan), {"until": asdict(settings.until)}
    first = Round.of(Shards.of(plan, rules), rules, settings.seed, entrants.names)
    order = order_of(settings, entrants, Schedule((first,)))
    if loaded:  # a strategy that only this process has may be a person, who has time to think
        order = replace(order, move_timeout=0.0)
    workshop = order.workshop(entrants.loaded)
    strategies = described(entrants, workshop.contestants)
    site = cluster.checked(settings, order, strategies)
    if settings.store:
        shown, lock = claim_url(settings.store)
    elif settings.out is None:
        shown = claim_default(here, rules)
        lock = Lock(here / shown, shown).take()
    else:
        shown = settings.out
        lock = claim(here, shown)
    run = here / shown
    workshop.take(replace(order, run=run))
    manifest.write(
        run,
        manifest.make(
            program=f"put {__version__}",
            generator=GENERATOR,
            command=list(settings.command),
            folder=str(here),
            created=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            seed=settings.seed,
            rules=rules,
            strategies=strategies,
            settings={name: getattr(settings, name) for name in KEPT},
            first_round=rounds.facts(first, settings.log, why),
        ),
    )
    write_readme(run, settings)
    if settings.out is None and not settings.store and not loaded:
        point_latest(run)  # of a match with a person when something was played
    return Prepared(
        settings,
        run,
        shown,
        workshop,
        lock,
        left_out=entrants.left_out,
        alone=bool(loaded),
        printed=entrants.printed,
        site=site,
    )


def order_of(settings: Settings, entrants: Field, schedule: Schedule) -> Order:
    """What workers are told; the run directory is not known yet where none is given."""
    return Order(
        run=settings.out or Path(),
        rules=settings.rules,
        strategies=entrants.texts,
        tier=settings.tier,
        schedule=schedule,
        seed=settings.seed,
        log=settings.log,
        move_timeout=settings.move_timeout,
        memory_limit=settings.memory_limit,
        isolate=settings.isolate,
    )


def write_readme(run: Path, settings: Settings) -> None:
    """Write the data dictionary of a run."""
    form = manifest.form_of(settings.rules)
    told = of_speculation if isinstance(form, SpeculationFormat) else dictionary.text
    manifest.write_text(run / "README.md", told(form, settings.log))


@dataclass
class _Heard:
    """What workers told of the shards they played."""

    hands: int = 0
    faults: int = 0
    example: str = ""
    differences: int = 0
    traced: set[tuple[str, str]] = field(default_factory=set)

    def add(self, each: Result) -> None:
        self.hands += each.hands
        self.faults += each.faults
        self.example = self.example or each.example
        self.differences += each.differences
        for name, kind in each.tracebacks.keys() - self.traced:
            text = each.tracebacks[name, kind].rstrip()
            LOG.warning("%s, the first %s:\n%s", name, kind, text)
        self.traced |= each.tracebacks.keys()


def play(
    prepared: Prepared,
    on_result: Callable[[Result], None],
    on_round: Callable[[precision.Step], None] = lambda _step: None,
) -> Finished:
    """Play every shard that is missing, then rate.

    `on_result` hears of each finished shard, `on_round` of every round that is added because
    ratings are not precise enough.

    Raises:
        TooManyFaults: there were, or with `strict` there was one; committed shards stay.
        RunError: the file system refused, or workers die again and again; committed shards stay.
        KeyboardInterrupt: the user stopped it; committed shards stay.
    """
    begin = time.perf_counter()
    run = prepared.run
    heard = _Heard(faults=prepared.faults)
    keeping = prepared.keeping
    prepared.lock.take()
    try:
        keeping.push(manifest.NAME)
        with records.run_log(run / "run.log") as carrier:
            LOG.info("put %s on Python %s: %s", __version__, sys.version.split()[0], run)
            for player in prepared.workshop.contestants:
                LOG.info("%s plays in the %s tier %s", player.name, player.tier, player.why)
            for told in (*prepared.printed, *prepared.notes):
                LOG.info("%s", told)
            _play_missing(prepared, carrier, heard, on_result)
            while (step := _next_step(run)).plans:
                LOG.info("%s", step.words)
                on_round(step)
                add_rounds(prepared.workshop, manifest.read(run), step.plans)
                keeping.push(manifest.NAME)
                _play_missing(prepared, carrier, heard, on_result)
        cluster.dismiss(prepared.settings, prepared.site)
        drop_unfinished(keeping.store)  # a test ends while shards beyond its end are written
        table = settle(run, prepared.where)
        keeping.push()
    finally:
        for name in ("", *EVERY_TABLE):
            Folder(run).sweep(name)
        prepared.lock.release()
    return Finished(
        prepared,
        table,
        heard.hands,
        heard.faults,
        heard.example,
        heard.differences,
        time.perf_counter() - begin,
    )


def _play_missing(
    prepared: Prepared,
    carrier: records.Carrier,
    heard: _Heard,
    on_result: Callable[[Result], None],
) -> None:
    ending = Ending(manifest.read(prepared.run))
    if any(ending.hear(shard) for shard in sorted(prepared.finished)):
        return
    left = len(prepared.workshop.shards) - len(prepared.finished)
    if not left:
        return
    with _crew(prepared, left, carrier) as play_all:
        for each in play_all(prepared.missing()):
            prepared.finished.add(each.shard)
            heard.add(each)
            on_result(each)
            if ending.hear(each.shard):
                break
            _bear(prepared.settings, heard.faults, heard.example)


def _crew(
    prepared: Prepared, left: int, carrier: records.Carrier
) -> AbstractContextManager[workers.PlayAll]:
    """Who plays `left` shards."""
    if prepared.site is not None:
        return cluster.crew(prepared.workshop, prepared.site, prepared.settings)
    count = 0 if prepared.alone else min(prepared.settings.workers, left)
    return workers.crew(prepared.workshop, count, carrier)


def _next_step(run: Path) -> precision.Step:
    """What a run that is played for precision plays next, by the tallies of all its rounds."""
    made = manifest.read(run)
    wanted = precision_of(made)
    if wanted is None:
        return precision.Step((), "")
    return precision.next_step(wanted, rate(run), rounds.read(made), made.names)


def add_rounds(workshop: Workshop, made: manifest.Manifest, plans: Sequence[Plan]) -> None:
    """Append a round for each plan to the manifest, and have the workshop play them as well.

    What they are for, is what the round before was for.
    """
    rules, latest = made.any_rules, made.rounds[-1]
    new = [Round.of(Shards.of(plan, rules), rules, made.seed, made.names) for plan in plans]
    why = {"until": latest["until"]} if "until" in latest else {}
    manifest.append(made, rounds=[rounds.facts(each, made.log, why) for each in new])
    order = workshop.order
    workshop.take(replace(order, schedule=Schedule((*order.schedule.rounds, *new))))


def _bear(settings: Settings, faults: int, example: str) -> None:
    """End a run of which no more is wanted."""
    if faults and settings.strict:
        raise TooManyFaults(f"--strict: the first fault ends the run: {example}.")
    if faults > settings.max_faults:
        raise TooManyFaults(
            f"{faults:,} games were lost by faults, more than --max-faults {settings.max_faults} "
            f"allows. {f'The first: {example}' if example else 'run.log tells of some'}."
        )

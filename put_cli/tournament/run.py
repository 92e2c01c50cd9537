"""A run from its first file to its standings."""

import logging
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from put_cli import __version__
from put_cli.engine.luck import GENERATOR
from put_cli.engine.reach import source_digest
from put_cli.errors import RunError, UsageError
from put_cli.log import dictionary, manifest, writer
from put_cli.log.schema import Format
from put_cli.plugins import spec
from put_cli.plugins.discovery import Loaded, load_all
from put_cli.stats.standings import Standings
from put_cli.tournament import records, workers
from put_cli.tournament.directory import claim, claim_default, point_latest
from put_cli.tournament.outcome import decided, rate, result, write_tables
from put_cli.tournament.schedule import Plan, expected_hands_per_game
from put_cli.tournament.settings import Settings
from put_cli.tournament.shard import Order, Result, Workshop
from put_cli.tournament.surroundings import Said, Surroundings

LOG = logging.getLogger("put")

BYTES_PER_HAND = {"two-handed": 9, "four-handed": 14, "many-handed": 20}
"""Measured sizes of a row of the hands log in Parquet, with its rows of plays."""


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
    plan: Plan
    workshop: Workshop
    left_out: tuple[str, ...]
    """Messages about installed strategies that could not be loaded."""
    alone: bool = False
    """Whether this process plays itself: it alone has the strategies."""
    printed: tuple[str, ...] = ()
    """What strategies printed when they were loaded."""

    @property
    def expected_hands(self) -> int:
        """A rough number of hands, known before any is dealt."""
        return round(self.plan.total_games * expected_hands_per_game(self.settings.rules))

    @property
    def expected_bytes(self) -> int:
        """A rough size of the log."""
        if self.settings.log != "hands":
            return 0
        return self.expected_hands * BYTES_PER_HAND[Format(self.settings.rules).family]


@dataclass(frozen=True)
class Finished:
    """A run that was played to its end."""

    prepared: Prepared
    standings: Standings
    hands: int
    faults: int
    example: str
    """The first fault heard of, in words; empty without one."""
    differences: int
    seconds: float

    def plain(self) -> dict[str, Any]:
        """What `--json` prints and standings.json holds."""
        prepared = self.prepared
        return result(manifest.read(prepared.run), self.standings, prepared.shown)


def prepare(settings: Settings, field: Sequence[Loaded] = ()) -> Prepared:
    """Check everything, compile the players, and write the manifest.

    `field`, where given, plays instead of `settings.strategies`: strategies that exist in this
    process alone, so with one worker.

    Raises:
        UsageError: something asked for cannot be done; nothing was written.
    """
    here = Path.cwd()
    loaded, left_out, printed = (list(field), [], []) if field else _load(settings)
    plan = Plan(
        strategies=len(loaded),
        games=settings.games,
        match_games=settings.match_games,
        mirror=settings.mirror,
        sides=settings.rules.players,
        tables=settings.tables,
    )
    if settings.sprt and (plan.table_count, plan.sides) != (1, 2):
        raise UsageError("--sprt: a sequential test is of one strategy against one other.")
    names = [each.name for each in loaded]
    order = Order(
        run=settings.out or Path(),  # named below, once all else is known to be right
        rules=settings.rules,
        strategies=tuple(each.text for each in loaded),
        tier=settings.tier,
        plan=plan,
        seed=settings.seed,
        fingerprint=plan.fingerprint(settings.rules, settings.seed, names),
        log=settings.log,
        # A strategy that only this process has may be a person, who has time to think.
        move_timeout=0.0 if field else settings.move_timeout,
        memory_limit=settings.memory_limit,
    )
    workshop = Workshop(order, loaded)
    strategies = [
        _described(each) | {"memory": player.memory}
        for each, player in zip(loaded, workshop.contestants, strict=True)
    ]
    if settings.out is None:
        shown = claim_default(here, settings.rules)
    else:
        shown = settings.out
        claim(here, shown)
    run = here / shown
    workshop.order = replace(order, run=run)
    manifest.write(
        run,
        manifest.make(
            program=f"put {__version__}",
            generator=GENERATOR,
            command=list(settings.command),
            created=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            seed=settings.seed,
            rules=settings.rules,
            strategies=strategies,
            plan=asdict(plan)
            | {"log": settings.log, "fingerprint": order.fingerprint}
            | ({"sprt": asdict(settings.sprt)} if settings.sprt else {}),
        ),
    )
    readme = dictionary.text(Format(settings.rules), settings.log)
    (run / "README.md").write_text(readme, encoding="utf-8")
    if settings.out is None:
        point_latest(run)
    return Prepared(
        settings,
        run,
        shown,
        plan,
        workshop,
        tuple(left_out),
        alone=bool(field),
        printed=tuple(printed),
    )


def _load(settings: Settings) -> tuple[list[Loaded], list[str], list[str]]:
    """The strategies, messages about those left out, and what was printed meanwhile.

    What a file changes in this process when it is loaded is put back.
    """
    surroundings = Surroundings()
    said = Said(lambda: "a strategy that is loaded")
    sys.stdout, sys.stderr = said.stream(), said.stream()
    try:
        loaded, left_out = load_all(settings.strategies, partners=settings.rules.partners)
    finally:
        surroundings.restore()
    return loaded, left_out, said.told()


def _described(loaded: Loaded) -> dict[str, Any]:
    """A strategy, or a team with its second member, as the manifest has it."""
    described = {
        "name": loaded.name,
        "spec": loaded.text,
        "parameters": spec.parameters(loaded.strategy),
        "package": loaded.package,
        "version": loaded.version,
        "source": source_digest(loaded.strategy),
    }
    return described | ({"partner": _described(loaded.partner)} if loaded.partner else {})


def play(prepared: Prepared, on_result: Callable[[Result], None]) -> Finished:
    """Play every shard, then rate. `on_result` hears of each finished shard.

    Raises:
        TooManyFaults: there were, or with `strict` there was one; committed shards stay.
        RunError: the file system refused, or workers die again and again; committed shards stay.
        KeyboardInterrupt: the user stopped it; committed shards stay.
    """
    begin = time.perf_counter()
    settings, run = prepared.settings, prepared.run
    hands = faults = differences = 0
    example = ""
    count = 0 if prepared.alone else min(settings.workers, len(prepared.workshop.shards))
    traced: set[tuple[str, str]] = set()
    try:
        with records.run_log(run / "run.log") as carrier:
            LOG.info("put %s on Python %s: %s", __version__, sys.version.split()[0], run)
            for player in prepared.workshop.contestants:
                LOG.info("%s plays in the %s tier %s", player.name, player.tier, player.why)
            for printed in prepared.printed:
                LOG.info("%s", printed)
            with workers.crew(prepared.workshop, count, carrier) as play_all:
                ended = decided(run)
                for each in play_all(range(len(prepared.workshop.shards))):
                    hands += each.hands
                    faults += each.faults
                    example = example or each.example
                    differences += each.differences
                    for name, kind in each.tracebacks.keys() - traced:
                        text = each.tracebacks[name, kind].rstrip()
                        LOG.warning("%s, the first %s:\n%s", name, kind, text)
                    traced |= each.tracebacks.keys()
                    on_result(each)
                    if ended(each.shard):
                        break
                    _bear(settings, faults, example)
    finally:
        writer.sweep(run)
    table = rate(run)
    write_tables(run, table, prepared.shown)
    return Finished(
        prepared, table, hands, faults, example, differences, time.perf_counter() - begin
    )


def _bear(settings: Settings, faults: int, example: str) -> None:
    """End a run of which no more is wanted."""
    if faults and settings.strict:
        raise TooManyFaults(f"--strict: the first fault ends the run: {example}.")
    if faults > settings.max_faults:
        raise TooManyFaults(
            f"{faults:,} games were lost by faults, more than --max-faults {settings.max_faults} "
            f"allows. The first: {example}."
        )

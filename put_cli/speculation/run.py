"""A run of Speculation from its first file to its standings.

What a run leaves behind, the workers, the parts of the log and the manifest are those of Put.
"""

import json
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from put_cli import __version__
from put_cli.engine.luck import GENERATOR
from put_cli.engine.reach import source_digest
from put_cli.errors import RunError, UsageError
from put_cli.log import manifest, reader, writer
from put_cli.plugins import spec
from put_cli.plugins.discovery import Loaded, load_all
from put_cli.speculation import text
from put_cli.speculation.rules import NAME, Speculation, from_mapping
from put_cli.speculation.schema import SpeculationFormat, dictionary
from put_cli.speculation.standings import Rows, SpeculationStandings, standings
from put_cli.speculation.workshop import SpeculationOrder, SpeculationWorkshop
from put_cli.tournament import records, workers
from put_cli.tournament.directory import claim, claim_default, point_latest
from put_cli.tournament.run import TooManyFaults
from put_cli.tournament.schedule import Plan, Shards
from put_cli.tournament.settings import Settings
from put_cli.tournament.shard import Result
from put_cli.tournament.surroundings import Said, Surroundings

LOG = logging.getLogger("put")

BYTES_PER_DEAL = 160
"""Measured size of a deal in the log of the built-in players, its events included."""


@dataclass(frozen=True)
class Prepared:
    """A run whose directory and manifest exist and whose players are compiled."""

    settings: Settings
    rules: Speculation
    run: Path
    """Its directory, absolute."""
    shown: Path
    """Its directory as the user knows it."""
    plan: Plan
    workshop: SpeculationWorkshop
    left_out: tuple[str, ...]
    """Messages about installed strategies that could not be loaded."""
    printed: tuple[str, ...] = ()
    """What strategies printed when they were loaded."""
    alone: bool = False
    """Whether this process plays itself: it alone has the strategies."""

    @property
    def expected_bytes(self) -> int:
        """A rough size of the log."""
        deals = self.plan.total_games * self.rules.deals_a_session
        return deals * BYTES_PER_DEAL if self.settings.log == "hands" else 0


@dataclass(frozen=True)
class Finished:
    """A run that was played to its end."""

    prepared: Prepared
    standings: SpeculationStandings
    deals: int
    faults: int
    example: str
    """The first fault heard of, in words; empty without one."""
    differences: int
    seconds: float

    def plain(self) -> dict[str, Any]:
        """What `--json` prints and standings.json holds."""
        return result(manifest.read(self.prepared.run), self.standings, self.prepared.shown)


def prepare(settings: Settings, rules: Speculation, field: Sequence[Loaded] = ()) -> Prepared:
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
        sides=rules.players,
        tables=settings.tables,
    )
    names = [each.name for each in loaded]
    order = SpeculationOrder(
        run=settings.out or Path(),  # named below, once all else is known to be right
        rules=rules,
        strategies=tuple(each.text for each in loaded),
        tier=settings.tier,
        plan=plan,
        seed=settings.seed,
        fingerprint=plan.fingerprint(rules, settings.seed, names),
        log=settings.log,
        # A strategy that only this process has may be a person, who has time to think.
        move_timeout=0.0 if field else settings.move_timeout,
        memory_limit=settings.memory_limit,
    )
    workshop = SpeculationWorkshop(order, loaded)
    if settings.out is None:
        shown = claim_default(here, rules)
    else:
        shown = settings.out
        claim(here, shown)
    run = here / shown
    workshop.order = replace(order, run=run)
    described = [_described(each) for each in loaded]
    _write_manifest(run, settings, rules, described, plan, order.fingerprint)
    if settings.out is None:
        point_latest(run)
    return Prepared(
        settings,
        rules,
        run,
        shown,
        plan,
        workshop,
        tuple(left_out),
        tuple(printed),
        alone=bool(field),
    )


def _load(settings: Settings) -> tuple[list[Loaded], list[str], list[str]]:
    """The strategies, messages about those left out, and what was printed meanwhile."""
    surroundings = Surroundings()
    said = Said(lambda: "a strategy that is loaded")
    sys.stdout, sys.stderr = said.stream(), said.stream()
    try:
        loaded, left_out = load_all(settings.strategies, game=NAME)
    finally:
        surroundings.restore()
    return loaded, left_out, said.told()


def _described(loaded: Loaded) -> dict[str, Any]:
    """A strategy as the manifest has it."""
    return {
        "name": loaded.name,
        "spec": loaded.text,
        "parameters": spec.parameters(loaded.strategy),
        "package": loaded.package,
        "version": loaded.version,
        "source": source_digest(loaded.strategy),
        "memory": bool(loaded.strategy.memory),
    }


def _write_manifest(
    run: Path,
    settings: Settings,
    rules: Speculation,
    described: list[dict[str, Any]],
    plan: Plan,
    fingerprint: str,
) -> None:
    form = SpeculationFormat(rules)
    manifest.write(
        run,
        {
            "format": form.facts(),
            "program": f"put {__version__}",
            "generator": GENERATOR,
            "command": list(settings.command),
            "created": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            "seed": settings.seed,
            "rules": rules.plain(),
            "rules_fingerprint": rules.fingerprint(),
            "strategies": described,
            "rounds": [asdict(plan) | {"log": settings.log, "fingerprint": fingerprint}],
        },
    )
    (run / "README.md").write_text(dictionary(form, settings.log), encoding="utf-8")


def play(prepared: Prepared, on_result: Callable[[Result], None]) -> Finished:
    """Play every shard, then rate. `on_result` hears of each finished shard.

    Raises:
        TooManyFaults: there were, or with `strict` there was one; committed shards stay.
        RunError: the file system refused, or workers die again and again; committed shards stay.
        KeyboardInterrupt: the user stopped it; committed shards stay.
    """
    begin = time.perf_counter()
    settings, run, workshop = prepared.settings, prepared.run, prepared.workshop
    deals = faults = differences = 0
    example = ""
    count = 0 if prepared.alone else min(settings.workers, len(workshop.shards))
    try:
        with records.run_log(run / "run.log") as carrier:
            LOG.info("put %s on Python %s: %s", __version__, sys.version.split()[0], run)
            for player in workshop.contestants:
                LOG.info("%s plays in the %s tier %s", player.name, player.tier, player.why)
            for printed in prepared.printed:
                LOG.info("%s", printed)
            with workers.crew(workshop, count, carrier) as play_all:
                for each in play_all(range(len(workshop.shards))):
                    deals += each.hands
                    faults += each.faults
                    example = example or each.example
                    differences += each.differences
                    on_result(each)
                    _bear(settings, faults, example)
    finally:
        writer.sweep(run)
    table = rate(run)
    write_tables(run, table, prepared.shown)
    seconds = time.perf_counter() - begin
    return Finished(prepared, table, deals, faults, example, differences, seconds)


def _bear(settings: Settings, faults: int, example: str) -> None:
    """End a run of which no more is wanted."""
    if faults and settings.strict:
        raise TooManyFaults(f"--strict: the first fault ends the run: {example}.")
    if faults > settings.max_faults:
        raise TooManyFaults(
            f"there were faults in {faults:,} sessions, more than --max-faults "
            f"{settings.max_faults} allows. The first: {example}."
        )


def rate(run: Path, anchor: tuple[str, float] | None = None) -> SpeculationStandings:
    """The standings of a run, computed from its log, part by part.

    `anchor`: a strategy and the rating it is to have.

    Raises:
        UsageError: the anchor is no strategy of the run, or has no rating estimate.
        RunError: it is no run of Speculation, or its log cannot be read.
    """
    made = manifest.read(run)
    form = form_of(made)

    def parts() -> Iterator[Rows]:
        return reader.tallies(run, form, made.plan["fingerprint"])

    table = standings(
        parts,
        names=made.names,
        players=form.rules.players,
        unit_games=made.plan["match_games"],
        anchor=anchor,
    )
    if not table.sessions:
        raise RunError(f"{str(run)!r} has no finished part yet: there is nothing to rate.")
    return table


def form_of(made: manifest.Manifest) -> SpeculationFormat:
    """The tables of a run's log, and in them its rules."""
    return SpeculationFormat(from_mapping(made.data["rules"], f"{made.path}: rules"))


def result(made: manifest.Manifest, table: SpeculationStandings, shown: Path) -> dict[str, Any]:
    """One JSON object about a run; `shown` is the directory as the user knows it."""
    found = table.plain()
    return {
        "rules": made.data["rules"]["name"],
        "players": found.pop("players"),
        "seed": made.seed,
        "games": made.plan["games"],
        "mirror": made.plan["mirror"],
        "match_games": made.plan["match_games"],
        "run": str(shown),
        "total_sessions": found.pop("sessions"),
        "total_deals": found.pop("deals"),
        "strategies": made.strategies,
        "standings": found.pop("strategies"),
        **found,
    }


def write_tables(run: Path, table: SpeculationStandings, shown: Path) -> None:
    """Write standings.{json,csv,md}; `shown` as in `result`."""
    plain = result(manifest.read(run), table, shown)
    manifest.write_text(
        run / "standings.json", json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
    )
    manifest.write_text(run / "standings.csv", text.standings_csv(table))
    manifest.write_text(run / "standings.md", text.standings_markdown(table))


def find_session(
    made: manifest.Manifest, pairing: int, block: int, mirror: int, game: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a session and those of its deals, each with its `events`.

    There are none where only games were logged.

    Raises:
        UsageError: the plan has no such session.
        RunError: the run did not log games, or that part is not finished.
    """
    form = form_of(made)
    plan = _plan_of(made, form.rules)
    place = plan.place_of(pairing)
    if (
        place is None
        or block >= plan.blocks
        or mirror >= plan.matches_per_block
        or game >= plan.games_in_match(block)
    ):
        raise UsageError(
            f"there is no session {pairing}/{block}/{mirror}/{game}: all are counted from 0, and "
            f"the run has tables: {plan.table_count}, blocks: {plan.blocks}, matches a block: "
            f"{plan.matches_per_block}, sessions a match: {plan.match_games}."
        )
    shard = Shards.of(plan, form.rules).shard_of(place, block)
    key = {"pairing": pairing, "block": block, "mirror": mirror, "game": game}

    def log(table: str) -> Iterator[dict[str, Any]]:
        fingerprint = made.plan["fingerprint"]
        return reader.rows(made.run, form, table, shard=shard, plan=fingerprint, key=key)

    row = next(log("games"), None)
    if row is None:
        raise RunError(f"{made.run}: the session is missing from its part of the log.")
    if made.plan["log"] != "hands":
        return row, []
    deals = [deal | {"events": []} for deal in log("deals")]
    for event in log("events"):
        deals[event["deal"]]["events"].append(event)
    return row, deals


def _plan_of(made: manifest.Manifest, rules: Speculation) -> Plan:
    facts = made.plan
    try:
        return Plan(
            strategies=len(made.strategies),
            games=facts["games"],
            match_games=facts["match_games"],
            mirror=facts["mirror"],
            sides=rules.players,
            tables=facts.get("tables"),
        )
    except UsageError as error:
        raise RunError(f"{made.path}: rounds: {error}") from None

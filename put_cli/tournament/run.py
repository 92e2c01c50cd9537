"""A run from its first file to its standings."""

import contextlib
import itertools
import json
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from put_cli import __version__
from put_cli.engine.luck import GENERATOR
from put_cli.errors import RunError, UsageError
from put_cli.log import dictionary, manifest, reader, writer
from put_cli.log.schema import LOGS, Format
from put_cli.plugins.discovery import load_all
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.loading import loader
from put_cli.plugins.surroundings import Said, Surroundings
from put_cli.report import text
from put_cli.rules.ruleset import RuleSet
from put_cli.stats.sequential import SequentialTest
from put_cli.stats.standings import Standings, standings
from put_cli.stats.tally import Rows, up_to
from put_cli.stats.watch import Ruling, Watch
from put_cli.tournament import records, workers
from put_cli.tournament.schedule import Plan, Shards, expected_hands_per_game
from put_cli.tournament.shard import Order, Result, Workshop

LOG = logging.getLogger("put")

BYTES_PER_HAND = {"two-handed": 9, "four-handed": 14, "many-handed": 20}
"""Measured sizes of a row of the hands log in Parquet, with its rows of plays."""


MOVE_TIMEOUT = 1.0
"""Seconds a player has for a decision, unless something else is asked for."""

MEMORY_LIMIT = 4096
"""MB for a worker."""

MAX_FAULTS = 1000
"""So many games lost by faults are borne."""


class TooManyFaults(RunError):
    """A run that was ended early because of faults; what was finished is kept."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What to play and where to leave it; checked before anything is written.

    Raises:
        UsageError: a number or a choice is not allowed.
    """

    strategies: tuple[str, ...]
    rules: RuleSet
    games: int
    seed: int
    match_games: int = 100
    mirror: bool = True
    tables: int | None = None
    """Play so many tables only, a balanced sample; None for all."""
    workers: int = 1
    log: str = "hands"
    out: Path | None = None
    tier: str = "auto"
    sprt: SequentialTest | None = None
    """Stop a match of two when this test has its verdict, at the latest after `games`."""
    move_timeout: float = MOVE_TIMEOUT
    memory_limit: int = MEMORY_LIMIT
    isolate: bool = False
    """Whether every strategy decides in a process of its own."""
    max_faults: int = MAX_FAULTS
    strict: bool = False
    """Whether the first fault ends the run."""
    command: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.log not in LOGS:
            raise UsageError(f"--log: expected one of {', '.join(LOGS)}, got {self.log!r}.")
        if not 1 <= self.workers <= 1024:
            raise UsageError(f"--workers: expected a number from 1 to 1024, got {self.workers}.")
        if not 0 <= self.seed < 2**63:
            raise UsageError(f"--seed: expected a number from 0 to 2^63 - 1, got {self.seed}.")
        if not (self.move_timeout == 0 or 0.01 <= self.move_timeout <= 86_400):
            raise UsageError(
                "--move-timeout: expected seconds from 0.01 to 86400, or 0 for no limit, got "
                f"{self.move_timeout}."
            )
        if not (self.memory_limit == 0 or 64 <= self.memory_limit <= 10**7):
            raise UsageError(
                "--memory-limit: expected MB from 64 to 10000000, or 0 for no limit, got "
                f"{self.memory_limit}."
            )
        if not 1 <= self.max_faults <= 10**12:
            raise UsageError(f"--max-faults: expected a number from 1, got {self.max_faults}.")


def random_seed() -> int:
    """A seed for when none is given; small enough to be exact in JSON readers."""
    return secrets.randbits(48)


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


def result(made: manifest.Manifest, table: Standings, shown: Path) -> dict[str, Any]:
    """One JSON object about a run: what was played, and what came out.

    `shown` is the directory as the user knows it. `games` is for each pairing or table, as
    --games; `players` are those of one; `standings` is a list, best first. What happened at each
    is in `pairings`, or of more than two in `tables`.
    """
    found = table.plain()
    return {
        "rules": made.rules.name,
        "players": made.rules.players,
        "seed": made.seed,
        "games": made.plan["games"],
        "mirror": made.plan["mirror"],
        "match_games": made.plan["match_games"],
        "run": str(shown),
        "total_games": found.pop("games"),
        "total_hands": found.pop("hands"),
        "drawn_hands": found.pop("drawn"),
        "strategies": made.strategies,
        "standings": found.pop("strategies"),
        **found,
    }


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
        isolate=settings.isolate,
    )
    workshop = Workshop(order, loaded)
    strategies = [
        _described(each) | {"memory": player.memory}
        for each, player in zip(loaded, workshop.contestants, strict=True)
    ]
    if settings.out is None:
        shown = _claim_default(here, settings.rules)
    else:
        shown = settings.out
        _claim(here, shown)
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
        _point_latest(run)
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
        load = loader(
            isolate=settings.isolate, tier=settings.tier, memory_limit=settings.memory_limit
        )
        loaded, left_out = load_all(settings.strategies, rules=settings.rules, load=load)
    finally:
        surroundings.restore()
    return loaded, left_out, said.told()


def _described(loaded: Loaded) -> dict[str, Any]:
    """A strategy, or a team with its second member, as the manifest has it."""
    described = {
        "name": loaded.name,
        "spec": loaded.text,
        "parameters": loaded.parameters,
        "package": loaded.package,
        "version": loaded.version,
        "source": loaded.source,
    }
    return described | ({"partner": _described(loaded.partner)} if loaded.partner else {})


def _claim_default(here: Path, rules: RuleSet) -> Path:
    """Make runs/<time>-<rules> in `here`, numbered when two runs begin in the same second."""
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in rules.name).strip("-.")[:60]
    base = Path("runs") / f"{time.strftime('%Y%m%d-%H%M%S')}-{safe}"
    for number in itertools.count(1):
        run = base if number == 1 else base.with_name(f"{base.name}-{number}")
        try:
            (here / run).mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"cannot make the run directory {str(run)!r}: {error}.") from None
        return run
    raise AssertionError("unreachable")


def _claim(here: Path, out: Path) -> None:
    """Make the run directory `out`, seen from `here`; refuse one that holds anything."""
    run = here / out
    try:
        run.mkdir(parents=True, exist_ok=True)
        used = any(run.iterdir())
    except OSError as error:
        raise UsageError(f"--out: cannot write to {str(out)!r}: {error.strerror}.") from None
    if used:
        raise UsageError(
            f"--out: {str(out)!r} already holds files, and results are never overwritten. "
            "Name another directory."
        )
    if not os.access(run, os.W_OK):
        raise UsageError(f"--out: {str(out)!r} is not writable.")


def _point_latest(run: Path) -> None:
    """Make runs/latest lead to the run: a symbolic link, or a text file where links fail."""
    latest = run.parent / "latest"
    temporary = run.parent / f".latest-{os.getpid()}"
    try:
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(run.name)
        os.replace(temporary, latest)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if not latest.is_dir():
            latest.write_text(run.name + "\n", encoding="utf-8")


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
                decided = _decided(run)
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
                    if decided(each.shard):
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


def rate(run: Path, anchor: tuple[str, float] | None = None) -> Standings:
    """The standings of a run, computed from its log, part by part.

    `anchor`: a strategy and the rating it is to have.

    Raises:
        UsageError: the anchor is no strategy of the run, or has no rating estimate.
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    ruling = _ruling(made)
    parts: Iterable[Rows] = reader.tallies(run, made.form, made.plan["fingerprint"])
    if ruling and ruling.verdict:  # what was played beyond it does not count
        parts = (up_to(part, ruling.blocks) for part in parts)
    table = standings(
        parts,
        names=made.names,
        memory=[each["memory"] for each in made.strategies],
        pairs=plan_of(made).all_tables(),
        anchor=anchor,
        ruling=ruling,
    )
    if not table.games:
        raise RunError(f"{str(run)!r} has no finished part yet: there is nothing to rate.")
    return table


def _watch(made: manifest.Manifest) -> Watch | None:
    """The sequential test that a run stops by, before its first game."""
    facts = made.plan.get("sprt")
    if facts is None:
        return None
    try:
        test = SequentialTest(**facts)
    except (TypeError, ValueError) as error:
        raise RunError(f"{made.path}: rounds: sprt: {error}") from None
    memory = any(each["memory"] for each in made.strategies)
    return Watch(test, mirror=made.plan["mirror"], memory=memory)


def _ruling(made: manifest.Manifest) -> Ruling | None:
    """How the sequential test of a run stands, by its log."""
    watch = _watch(made)
    if watch is None:
        return None
    for part in reader.tallies(made.run, made.form, made.plan["fingerprint"]):
        if watch.follow(part):
            break
    return watch.ruling()


def _decided(run: Path) -> Callable[[int], bool]:
    """A function that hears of each finished shard, and says when the run may stop.

    Shards finish in any order; they count in the order of the schedule.
    """
    made = manifest.read(run)
    watch = _watch(made)
    finished: set[int] = set()
    due = 0

    def hear(shard: int) -> bool:
        nonlocal due
        finished.add(shard)
        decided = False
        while watch and due in finished and not decided:
            decided = watch.follow(reader.tally_part(run, made.form, made.plan["fingerprint"], due))
            due += 1
        return decided

    return hear


def write_tables(run: Path, table: Standings, shown: Path) -> None:
    """Write standings.{json,csv,md} and crosstable.csv; `shown` as in `result`."""
    plain = result(manifest.read(run), table, shown)
    manifest.write_text(
        run / "standings.json", json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
    )
    manifest.write_text(run / "standings.csv", text.standings_csv(table))
    manifest.write_text(run / "standings.md", text.standings_markdown(table))
    manifest.write_text(run / "crosstable.csv", text.crosstable_csv(table))


def find_game(
    made: manifest.Manifest, pairing: int, block: int, mirror: int, game: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a game and the rows of its hands (none where hands were not logged).

    Where cards played are a table of their own, each hand has its rows of it as `plays`.

    Raises:
        UsageError: the plan has no such game.
        RunError: the run did not log games, or that part is not finished.
    """
    plan = plan_of(made)
    place = plan.place_of(pairing)
    exists = (
        place is not None
        and block < plan.blocks
        and mirror < plan.matches_per_block
        and game < plan.games_in_match(block)
    )
    if place is None or not exists:
        counted = "pairings" if plan.sides == 2 else "tables"
        raise UsageError(
            f"there is no game {pairing}/{block}/{mirror}/{game}: all are counted from 0, and the "
            f"run has {counted}: {plan.table_count}, blocks: {plan.blocks}, matches a block: "
            f"{plan.matches_per_block}, games a match: {plan.match_games}."
        )
    shard = Shards.of(plan, made.rules).shard_of(place, block)
    key = {"pairing": pairing, "block": block, "mirror": mirror, "game": game}

    def log(table: str) -> Iterator[dict[str, Any]]:
        fingerprint = made.plan["fingerprint"]
        return reader.rows(made.run, made.form, table, shard=shard, plan=fingerprint, key=key)

    row = next(log("games"), None)
    if row is None:
        raise RunError(f"{made.run}: the game is missing from its part of the log.")
    if made.plan["log"] != "hands":
        return row, []
    hands = list(log("hands"))
    if "plays" in made.form.tables:
        for hand in hands:
            hand["plays"] = []
        for play in log("plays"):
            hands[play["hand"]]["plays"].append(play)
    return row, hands


def plan_of(made: manifest.Manifest) -> Plan:
    """The plan of a run.

    Raises:
        RunError: its manifest holds none that can be.
    """
    facts = made.plan
    tables = facts.get("tables")
    if tables is not None and type(tables) is not int:
        raise RunError(f"{made.path}: rounds: tables: expected a whole number or null.")
    try:
        return Plan(
            strategies=len(made.strategies),
            games=facts["games"],
            match_games=facts["match_games"],
            mirror=facts["mirror"],
            sides=made.rules.players,
            tables=tables,
        )
    except UsageError as error:
        raise RunError(f"{made.path}: rounds: {error}") from None

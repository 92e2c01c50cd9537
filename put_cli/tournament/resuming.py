"""A run that exists, taken up again: nothing is believed that was not looked at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from put_cli import __version__
from put_cli.engine.luck import GENERATOR
from put_cli.errors import RunError, SpecError, UsageError
from put_cli.log import manifest, reader
from put_cli.log.committed import damage
from put_cli.log.manifest import Manifest
from put_cli.log.schema import EVERY_TABLE
from put_cli.log.store import Store
from put_cli.log.writer import part_name
from put_cli.plugins.loading import loader
from put_cli.tournament import cluster, rounds
from put_cli.tournament.field import Field, described, differences, load_field
from put_cli.tournament.keeping import Keeping
from put_cli.tournament.lock import Lock
from put_cli.tournament.outcome import precision_of, test_of
from put_cli.tournament.rounds import Schedule
from put_cli.tournament.run import Prepared, order_of, write_readme
from put_cli.tournament.settings import KEPT, Settings

_OF_LOADING = ("isolate", "tier", "memory_limit")
"""Settings that say into which process strategies are loaded."""


@dataclass(frozen=True)
class Reopened:
    """A run that is locked and can go on, and who plays in it."""

    made: Manifest
    shown: Path
    lock: Lock
    schedule: Schedule
    entrants: Field
    """Those of the manifest, and after them those who are to join."""
    changes: Mapping[str, Any]
    """Settings that decide no game, as this run has them or as they are to be from now."""


def reopen(run: Path, changes: Mapping[str, Any], joining: Sequence[str] = ()) -> Reopened:
    """Lock a run, and load its strategies and those that are to join it.

    `changes`: other values of `KEPT` and of settings that decide no game.

    Raises:
        RunError: it is no run, or is being played, or what it was begun with has changed.
        SpecError: a strategy cannot be loaded.
    """
    made = manifest.read(run)
    lock = Lock(Path.cwd() / run, run).take()
    made = manifest.read(run)  # who had the lock before may have added to it
    schedule = rounds.read(made)
    wrong = [*_changes_of_program(made), *_changes_of_schedule(made, schedule)]
    if wrong:
        raise _refusal(run, wrong)
    texts = tuple(str(each.get("spec", "")) for each in made.strategies)
    kept = made.data.get("settings")
    holding = {
        **{name: kept[name] for name in KEPT if isinstance(kept, dict) and name in kept},
        **changes,
    }
    try:
        entrants = load_field(
            (*texts, *joining),
            made.any_rules,
            loader(**{name: holding.get(name, getattr(Settings, name)) for name in _OF_LOADING}),
        )
    except SpecError as error:
        folder = made.data.get("folder")
        where = ""
        if isinstance(folder, str) and folder != str(Path.cwd()):
            where = f" The run was begun in {folder!r}, from where its files are named."
        raise SpecError(f"{error}{where}") from None
    return Reopened(made, run, lock, schedule, entrants, holding)


def resume(
    run: Path, workers: int, changes: Mapping[str, Any], asked: Mapping[str, Any] | None = None
) -> Prepared:
    """A run that was stopped, ready to play what is missing.

    `changes`: other values of `KEPT` and of settings that decide no game; `asked`: what was said
    of the games, which must be as the run has it.

    Raises:
        UsageError: something was asked for that the run does not have.
        RunError: as `reopen` says, or files cannot be read or written.
    """
    opened = reopen(run, changes)
    wrong = list(_differences(opened.made, opened.schedule, asked or {}))
    if wrong:
        raise UsageError(f"--resume: {str(run)!r} was begun with {'; '.join(wrong)}.")
    return take_up(opened, workers)


def take_up(opened: Reopened, workers: int, *, whole: bool = False) -> Prepared:
    """Have a reopened run ready to play: players compiled and checked, its parts looked at.

    What counts for nothing is removed: parts of shards that are to be played, temporary files.

    Raises:
        UsageError: the run should be `whole`, and is not; nothing was removed.
        RunError: a strategy has changed, or files cannot be read or written.
    """
    made, shown, entrants = opened.made, opened.shown, opened.entrants
    first = opened.schedule.rounds[0].plan
    settings = Settings(
        **{
            "strategies": entrants.texts,
            "rules": made.any_rules,
            "games": first.games,
            "seed": made.seed,
            "match_games": made.match_games,
            "mirror": made.mirror,
            "tables": first.tables,
            "workers": workers,
            "log": made.log,
            "out": shown,
            "sprt": test_of(made),
            "until": precision_of(made),
            **opened.changes,
        }
    )
    run = Path.cwd() / shown
    order = replace(order_of(settings, entrants, opened.schedule), run=run)
    workshop = order.workshop(entrants.loaded)
    now = described(entrants, workshop.contestants)
    wrong = [
        change
        for then, found in zip(made.strategies, now, strict=False)
        for change in _changes_of_strategy(then, found)
    ]
    if wrong:
        raise _refusal(shown, wrong)
    site = cluster.checked(settings, order, now)
    keeping = Keeping(run, settings.store)
    finished, notes = _look_at(made, keeping.store)
    missing = len(opened.schedule) - len(finished)
    if whole and missing:
        what = f" ({notes[0].rstrip('.')})" if notes else ""
        raise UsageError(
            f"{str(shown)!r} is not whole: {missing:,} of {len(opened.schedule):,} parts are to be "
            f"played{what}. First: put tournament --resume {shown}"
        )
    _clear(made, keeping, finished)
    write_readme(run, settings)
    return Prepared(
        settings,
        run,
        shown,
        workshop,
        opened.lock,
        printed=entrants.printed,
        finished=finished,
        faults=_faults(made),
        notes=tuple(notes),
        site=site,
    )


def _refusal(run: Path, changes: Sequence[str]) -> RunError:
    return RunError(
        f"{str(run)!r} cannot go on, because its games would not be those it was begun with: "
        f"{'; '.join(changes)}. Bring back what there was then, or begin a new run."
    )


def _changes_of_program(made: Manifest) -> Iterator[str]:
    for what, then, now in (
        ("program", made.data.get("program"), f"put {__version__}"),
        ("generator of chance", made.data.get("generator"), GENERATOR),
        (
            "rule set's fingerprint",
            made.data.get("rules_fingerprint"),
            made.any_rules.fingerprint(),
        ),
    ):
        if then != now:
            yield f"the {what} was {then} and is {now}"


def _changes_of_schedule(made: Manifest, schedule: Schedule) -> Iterator[str]:
    for number, each in enumerate(schedule.rounds):
        names = made.names[: each.plan.strategies]
        now = each.shards.fingerprint(made.any_rules, made.seed, names)
        if now != each.fingerprint:
            yield (
                f"round {number} of the schedule (plan, rules, seed and names) had the fingerprint "
                f"{each.fingerprint} and has {now}"
            )


def _changes_of_strategy(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for key, before, after in differences(then, now):
        yield f"{then['name']}: its {key} was {before!r} and is {after!r}"


def _differences(made: Manifest, schedule: Schedule, asked: Mapping[str, Any]) -> Iterator[str]:
    """Where what is asked for is not what the run has, in the words of the options."""
    first = schedule.rounds[0].plan
    then = {
        "rules": made.any_rules.fingerprint(),
        "seed": made.seed,
        "games": {first.games, schedule.games, getattr(precision_of(made), "games", None)},
        "match_games": made.match_games,
        "mirror": made.mirror,
        "tables": first.tables,
        "log": made.log,
        "strategies": tuple(each.get("spec") for each in made.strategies),
    }
    for key, value in asked.items():
        had = then[key]
        if key == "rules":
            if value.fingerprint() != had:
                yield f"--rules {made.any_rules.name}, which is not the {value.name} of now"
        elif value not in had if isinstance(had, set) else value != had:
            option = "" if key == "strategies" else f"--{key.replace('_', '-')} "
            shown = had
            if isinstance(had, set):
                shown = first.games
            elif isinstance(had, tuple):
                shown, value = " ".join(map(str, had)), " ".join(map(str, value))
            yield f"{option}{shown}, not {value}"


def _look_at(made: Manifest, store: Store) -> tuple[set[int], list[str]]:
    """The shards that are committed and undamaged, and what is wrong with others, in words."""
    form = made.form
    finished: set[int] = set()
    notes: list[str] = []
    for name in store.names("tallies"):
        shard = _number(name)
        plan = None if shard is None else made.fingerprint(shard)
        if shard is None or plan is None or name != part_name("tallies", shard):
            continue
        wrong = damage(store, form, made.log, shard, plan)
        if wrong is None:
            finished.add(shard)
        else:
            notes.append(f"Part {shard} is played again: {wrong}.")
    return finished, notes


def _clear(made: Manifest, keeping: Keeping, finished: set[int]) -> None:
    """Remove the parts of all other shards, and temporary files."""
    store, form = keeping.store, made.form
    kept = {part_name(table, shard) for table in form.logged(made.log) for shard in finished}
    # The tallies go first: without them a shard is not committed, whatever else is left of it.
    for table in reversed(EVERY_TABLE):
        for name in store.names(table):
            if name not in kept and _number(name) is not None:
                keeping.remove(name)
        store.sweep(table)
    store.sweep("")


def _number(name: str) -> int | None:
    """The shard that a part's name speaks of, if it is one."""
    stem = name.rpartition("/")[2].removeprefix("part-").removesuffix(".parquet")
    return int(stem) if stem.isdecimal() and stem.isascii() and len(stem) < 12 else None


def _faults(made: Manifest) -> int:
    """Games that were lost by faults so far."""
    return sum(
        int(column.sum())
        for part in reader.tallies(made)
        for name, column in part.items()
        if name.startswith("faults_")
    )

"""put tournament: play a round robin and rate the strategies."""

import json
import shlex
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import rules_option

LARGE_BYTES = 200_000_000
"""A log expected to be larger is announced before the run starts."""

CONFIG_KEYS = (
    "strategies",
    "rules",
    "games",
    "seed",
    "workers",
    "match_games",
    "mirror",
    "log",
    "out",
)


def read_config(ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """A tournament file: its keys become the defaults of the options of the same names."""
    if path is None:
        return None
    import tomllib

    from put_cli.errors import did_you_mean

    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        repr(data)  # raises for a number with too many digits to be shown
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise click.UsageError(f"cannot read {str(path)!r}: {error}.") from None
    except ValueError as error:
        raise click.UsageError(f"{path} is not TOML: {error}.") from None
    for key, value in data.items():
        if key not in CONFIG_KEYS:
            raise click.UsageError(
                f"{path}: there is no key {key!r}.{did_you_mean(key, CONFIG_KEYS)} "
                f"The keys are: {', '.join(CONFIG_KEYS)}."
            )
        kind = {"strategies": list, "mirror": bool, "rules": str, "log": str, "out": str}.get(
            key, int
        )
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            word = {list: "a list", bool: "true or false", str: "a text"}.get(kind, "a number")
            raise click.UsageError(f"{path}: {key}: expected {word}, got {value!r}.")
    for text in data.get("strategies", []):
        if not isinstance(text, str):
            raise click.UsageError(f"{path}: strategies: expected texts, got {text!r}.")
    if "rules" in data:
        data["rules_text"] = data.pop("rules")
    ctx.default_map = {**(ctx.default_map or {}), **data}
    return path


@click.command(
    epilog="""\b
Examples:
  put tournament --rules cotton --games 100000
  put tournament bold odds "threshold(level=8.5)" ./my_bot.py --games 20000
  put tournament --config examples/tournament.toml --workers 2"""
)
@click.argument("strategies", nargs=-1, metavar="[STRATEGY]...")
@rules_option()
@click.option("--games", type=int, default=10_000, show_default=True, help="Games a pairing.")
@click.option("--seed", type=int, help="Seed of all chance; random and printed when not given.")
@click.option("--workers", type=int, help="Processes; all cores unless given.")
@click.option("--match-games", type=int, default=100, show_default=True, help="Games a match.")
@click.option(
    "--mirror/--no-mirror",
    default=True,
    show_default=True,
    help="Play every deal twice, with the strategies in each other's place.",
)
@click.option(
    "--log",
    type=click.Choice(["hands", "games", "none"]),
    default="hands",
    show_default=True,
    help="How much to log in Parquet; tallies are always written.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Run directory, new or empty; runs/<time>-<rules> unless given.",
)
@click.option(
    "--tier",
    type=click.Choice(["auto", "native", "batch", "interpreted"]),
    default="auto",
    show_default=True,
    help="Play all strategies in this tier; the games are the same.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print only the result: no progress, no notes.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    is_eager=True,
    callback=read_config,
    help="A TOML file with the options of a tournament; options given here win.",
)
def command(
    strategies: tuple[str, ...],
    rules_text: str,
    games: int,
    seed: int | None,
    workers: int | None,
    match_games: int,
    mirror: bool,
    log: str,
    out: Path | None,
    tier: str,
    as_json: bool,
    quiet: bool,
    config: Path | None,
) -> int:
    """Play a round robin between STRATEGIES (all installed ones unless named) and rate them.

    A strategy is an installed name, with parameters where wanted, or comes from a file:
    bold, "bold(bluff=0.2)", ./my_bot.py, "./my_bot.py:Bold(bluff=0.3)".
    """
    from put_cli.rules.ruleset import find_ruleset
    from put_cli.tournament.run import Settings, random_seed
    from put_cli.tournament.workers import available_cores

    settings = Settings(
        strategies=tuple(strategies),
        rules=find_ruleset(rules_text),
        games=games,
        seed=random_seed() if seed is None else seed,
        match_games=match_games,
        mirror=mirror,
        workers=available_cores() if workers is None else workers,
        log=log,
        out=out,
        tier=tier,
        command=("put", *sys.argv[1:]),
    )
    return run(settings, as_json=as_json, quiet=quiet)


def run(settings: Any, *, as_json: bool, quiet: bool) -> int:
    """Play, print the result, and return the exit code."""
    from put_cli.cli.progress import Progress
    from put_cli.report.tables import printable
    from put_cli.report.text import results_text
    from put_cli.tournament.run import play, prepare

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    note = _silent if quiet else _note
    prepared = prepare(settings)
    for message in prepared.left_out:
        click.echo(f"Left out: {message}", err=True)
    note(_opening(prepared))
    if prepared.expected_bytes > LARGE_BYTES:
        note(
            f"The log will take about {prepared.expected_bytes / 1e9:.1f} GB "
            f"({prepared.expected_hands / 1e6:.0f} million hands); --log games or none is smaller."
        )
    try:
        with Progress(prepared.plan.total_games, quiet=quiet) as progress:
            finished = play(prepared, progress.add)
    except KeyboardInterrupt:
        click.echo(_stopped(prepared), err=True)
        return 130
    if as_json:
        click.echo(json.dumps(finished.plain(), ensure_ascii=False))
    else:
        width = shutil.get_terminal_size((80, 24)).columns
        click.echo(results_text(finished.standings, width))
    note(
        f"{finished.hands:,} hands in {finished.seconds:.1f} s "
        f"({finished.hands / finished.seconds / 1e6:.2f} million a second, standings included).\n"
        f"Log, tables and data dictionary: {prepared.run}"
    )
    if finished.differences:
        click.echo(
            f"Warning: compiled and interpreted play differ (noticed {finished.differences}); "
            f"see {prepared.run / 'run.log'}.",
            err=True,
        )
    if finished.faults:
        click.echo(
            f"Games lost by a fault: {finished.faults:,}. {printable(finished.example)}\n"
            f"All are in the games log, and {prepared.run / 'run.log'} tells of some.",
            err=True,
        )
        return 3
    return 0


def _opening(prepared: Any) -> str:
    settings, plan = prepared.settings, prepared.plan
    kinds = [player.tier for player in prepared.workshop.contestants]
    slow = ", ".join(f"{kinds.count(k)} {k}" for k in dict.fromkeys(kinds))
    return (
        f"{settings.rules.name}: {plan.strategies} strategies ({slow}), {plan.table_count} "
        f"pairings "
        f"of {plan.games:,} games, seed {settings.seed}"
    )


def _stopped(prepared: Any) -> str:
    from put_cli.log.reader import committed

    done = len(committed(prepared.run, prepared.workshop.order.fingerprint))
    total = len(prepared.workshop.shards)
    lines = [f"Stopped: {done} of {total} parts are finished and kept in {prepared.run}."]
    if done:
        lines.append(f"For the standings so far: put standings {shlex.quote(str(prepared.run))}")
    words, command = [], iter(prepared.settings.command)
    for word in command:
        if word in ("--seed", "--out"):
            next(command, None)
        elif not word.startswith(("--seed=", "--out=")):
            words.append(word)
    again = shlex.join([*words, "--seed", str(prepared.settings.seed)])
    lines.append(f"To play the same games from the start: {again}")
    return "\n".join(lines)


def _note(text: str) -> None:
    click.echo(text, err=True)


def _silent(text: str) -> None:
    """--quiet."""

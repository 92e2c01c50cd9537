"""put tournament: play a round robin and rate the strategies."""

import json
import shlex
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import of_another_game, rules_option
from put_cli.cli.stopping import STOPPED, ends_at_once

LARGE_BYTES = 200_000_000
"""A log expected to be larger is announced before the run starts."""


def config_keys(command: click.Command) -> dict[str, click.Parameter]:
    """The keys of a tournament file: every option of the command, without the dashes."""
    return {
        max(each.opts, key=len).lstrip("-").replace("-", "_"): each
        for each in command.params
        if each.name != "config"
    }


def _fits(each: click.Parameter, value: object) -> tuple[bool, str]:
    """Whether a value of a tournament file is of the kind of its option, and the kind in words."""
    if each.nargs == -1 or each.multiple:
        return isinstance(value, list), "a list"
    if isinstance(each.type, click.types.BoolParamType):
        return isinstance(value, bool), "true or false"
    if isinstance(each.type, click.types.IntParamType):
        return isinstance(value, int) and not isinstance(value, bool), "a number"
    if isinstance(each.type, click.types.FloatParamType):
        return isinstance(value, int | float) and not isinstance(value, bool), "a number"
    return isinstance(value, str), "a text"


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
    keys = config_keys(ctx.command)
    defaults = {}
    for key, value in data.items():
        if key not in keys:
            raise click.UsageError(
                f"{path}: there is no key {key!r}.{did_you_mean(key, keys)} "
                f"The keys are: {', '.join(keys)}."
            )
        fits, kind = _fits(keys[key], value)
        if not fits:
            raise click.UsageError(f"{path}: {key}: expected {kind}, got {value!r}.")
        defaults[keys[key].name] = value
    for key in ("strategies", "team"):
        for text in data.get(key, []):
            if not isinstance(text, str):
                raise click.UsageError(f"{path}: {key}: expected texts, got {text!r}.")
    ctx.default_map = {**(ctx.default_map or {}), **defaults}
    return path


@click.command(
    epilog="""\b
Examples:
  put tournament --rules cotton --games 100000
  put tournament bold odds "threshold(level=8.5)" ./my_bot.py --games 20000
  put tournament --rules three-handed --games 9999
  put tournament --rules four-handed --team bold+counter odds --misdeals 0.02
  put tournament --rules speculation --players 5 --games 100000
  put tournament --config examples/tournament.toml --workers 2"""
)
@click.argument("strategies", nargs=-1, metavar="[STRATEGY]...")
@click.option(
    "--team",
    "teams",
    multiple=True,
    metavar="A+B",
    help="Partners: a side played by two strategies, 'bold+counter'; can be given again.",
)
@rules_option()
@click.option("--players", type=int, help="Players at a table: a knob of the rules.")
@click.option("--deals", type=int, help="Speculation: deals of a session; one for each player.")
@click.option(
    "--misdeals",
    type=float,
    metavar="SHARE",
    help="Share of deals in which the dealer errs, 0 to 1: the Laws of Put apply.",
)
@click.option(
    "--games",
    type=int,
    help="Games a pairing or table, 10,000 unless given; of three and more players as many more as "
    "give everybody every chair.",
)
@click.option(
    "--tables",
    type=int,
    help="Play so many pairings or tables, a balanced sample; all unless given.",
)
@click.option("--seed", type=int, help="Seed of all chance; random and printed when not given.")
@click.option("--workers", type=int, help="Processes; all cores unless given.")
@click.option("--match-games", type=int, default=100, show_default=True, help="Games a match.")
@click.option(
    "--mirror/--no-mirror",
    default=True,
    show_default=True,
    help="Play every deal once for each chair: with two, twice, in each other's place.",
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
@click.option(
    "--move-timeout",
    type=float,
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for a decision; a player that takes longer forfeits its match. 0: no limit.",
)
@click.option(
    "--memory-limit",
    type=int,
    default=4096,
    show_default=True,
    metavar="MB",
    help="Memory for a worker besides what it begins with. 0: no limit.",
)
@click.option(
    "--max-faults",
    type=int,
    default=1000,
    show_default=True,
    help="End the run when more games than this are lost by faults.",
)
@click.option("--strict", is_flag=True, help="End the run at the first fault.")
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
    teams: tuple[str, ...],
    rules_text: str,
    players: int | None,
    deals: int | None,
    misdeals: float | None,
    games: int | None,
    tables: int | None,
    seed: int | None,
    workers: int | None,
    match_games: int,
    mirror: bool,
    log: str,
    out: Path | None,
    tier: str,
    move_timeout: float,
    memory_limit: int,
    max_faults: int,
    strict: bool,
    as_json: bool,
    quiet: bool,
    config: Path | None,
    sprt: Any = None,
) -> int:
    """Play a round robin between STRATEGIES (all installed ones unless named) and rate them.

    A strategy is an installed name, with parameters where wanted, or comes from a file:
    bold, "bold(bluff=0.2)", ./my_bot.py, "./my_bot.py:Bold(bluff=0.3)". With partners a side is a
    strategy in both chairs or a team of two, bold+counter.

    Of three and more players every table that can be made of the strategies is played.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for team in teams:
        if "+" not in team:
            raise click.UsageError(
                f"--team: expected two strategies such as bold+counter, got {team!r}."
            )
    with ends_at_once("Stopped before any game was played."):
        from put_cli.rules.ruleset import find_ruleset
        from put_cli.speculation.rules import Speculation, find
        from put_cli.tournament.run import prepare
        from put_cli.tournament.schedule import DEFAULT_GAMES, whole_games
        from put_cli.tournament.settings import Settings, random_seed
        from put_cli.tournament.workers import available_cores

        named = {"misdeals": misdeals, "players": players, "deals": deals}
        knobs = {key: value for key, value in named.items() if value is not None}
        rules: Any = find(rules_text, **knobs) or find_ruleset(rules_text, **knobs)
        if games is None or (games > 0 and mirror and rules.players > 2):
            games = whole_games(DEFAULT_GAMES if games is None else games, rules.players)
        settings = Settings(
            strategies=(*strategies, *teams),
            rules=rules,
            games=games,
            tables=tables,
            seed=random_seed() if seed is None else seed,
            match_games=match_games,
            mirror=mirror,
            workers=available_cores() if workers is None else workers,
            log=log,
            out=out,
            tier=tier,
            sprt=sprt,
            move_timeout=move_timeout,
            memory_limit=memory_limit,
            max_faults=max_faults,
            strict=strict,
            command=("put", *sys.argv[1:]),
        )
        if isinstance(rules, Speculation):
            from put_cli.cli.speculation import tournament
            from put_cli.speculation import run as speculation_run

            prepared: Any = speculation_run.prepare(settings, rules)
        else:
            prepared = prepare(settings)
    if isinstance(rules, Speculation):
        return tournament(prepared, as_json=as_json, quiet=quiet, stopped=STOPPED)
    return run(prepared, as_json=as_json, quiet=quiet)


def run(prepared: Any, *, as_json: bool, quiet: bool) -> int:
    """Play, print the result, and return the exit code."""
    from put_cli.cli.progress import Progress
    from put_cli.report.tables import printable
    from put_cli.report.text import results_text
    from put_cli.tournament.run import TooManyFaults, play

    note = _silent if quiet else _note
    try:
        for message in prepared.left_out:
            click.echo(f"Left out: {message}", err=True)
        note(_opening(prepared))
        if prepared.expected_bytes > LARGE_BYTES:
            note(
                f"The log will take about {prepared.expected_bytes / 1e9:.1f} GB "
                f"({prepared.expected_hands / 1e6:.0f} million hands); "
                "--log games or none is smaller."
            )
        with Progress(prepared.plan.total_games, quiet=quiet) as progress:
            finished = play(prepared, progress.add)
    except KeyboardInterrupt:
        click.echo(_stopped(prepared), err=True)
        return STOPPED
    except TooManyFaults:
        click.echo(_stopped(prepared), err=True)
        raise
    if as_json:
        click.echo(json.dumps(finished.plain(), ensure_ascii=False))
    else:
        width = shutil.get_terminal_size((80, 24)).columns
        click.echo(results_text(finished.standings, width))
    note(
        f"{finished.hands:,} hands in {finished.seconds:.1f} s "
        f"({finished.hands / finished.seconds / 1e6:.2f} million a second, standings included).\n"
        f"Log, tables and data dictionary: {prepared.shown}"
    )
    if finished.differences:
        click.echo(
            f"Warning: compiled and interpreted play differ (noticed {finished.differences}); "
            f"see {prepared.shown / 'run.log'}.",
            err=True,
        )
    if finished.faults:
        click.echo(
            f"Games lost by a fault: {finished.faults:,}. {printable(finished.example)}\n"
            f"All are in the games log, and {prepared.shown / 'run.log'} tells of some.",
            err=True,
        )
        return 3
    return 0


def _opening(prepared: Any) -> str:
    from put_cli.report.tables import counted
    from put_cli.strategy import Strategy

    settings, plan = prepared.settings, prepared.plan
    tiers = [
        member.tier
        for player in prepared.workshop.contestants
        for member in dict.fromkeys(player.members)
    ]
    kinds = ", ".join(f"{tiers.count(tier)} {tier}" for tier in dict.fromkeys(tiers))
    who = "sides" if settings.rules.partners else "strategies"
    if plan.sides == 2:
        tables = f"{counted(plan.table_count, 'pairing')} of {counted(plan.games, 'game')}"
    else:
        one = f"{counted(plan.table_count, 'table')} of {plan.sides}"
        tables = f"{one}, {counted(plan.games, 'game')} each"
    return of_another_game(settings.strategies, Strategy.game) + (
        f"{settings.rules.name}: {plan.strategies} {who} ({kinds}), {tables}, seed {settings.seed}"
    )


def _stopped(prepared: Any) -> str:
    from put_cli.log.reader import committed

    done = len(committed(prepared.run, prepared.workshop.order.fingerprint))
    total = len(prepared.workshop.shards)
    lines = [f"Stopped: {done} of {total} parts are finished and kept in {prepared.shown}."]
    if done:
        lines.append(f"For the standings so far: put standings {shlex.quote(str(prepared.shown))}")
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

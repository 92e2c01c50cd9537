"""put tournament: play a round robin and rate the strategies."""

import sys
from pathlib import Path
from typing import Any

import click

from put_cli.cli.going_on import go_on
from put_cli.cli.options import RunPlace, rules_option
from put_cli.cli.printing import format_option
from put_cli.cli.running import run
from put_cli.cli.stopping import ends_at_once

_OF_OLD_RUNS = ("resume", "extend", "joining")
"""Options that speak of a run that exists."""

MAX_CONFIG = 1 << 20
"""Bytes of a tournament file."""


def config_keys(command: click.Command) -> dict[str, click.Parameter]:
    """The keys of a tournament file: every option for new runs, without the dashes."""
    return {
        max(each.opts, key=len).lstrip("-").replace("-", "_"): each
        for each in command.params
        if each.name not in ("config", *_OF_OLD_RUNS)
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
    from put_cli.rules.files import read_text

    try:
        text = read_text(path, MAX_CONFIG)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"cannot read {str(path)!r}: {error}.") from None
    try:
        data: dict[str, Any] = tomllib.loads(text)
        repr(data)  # raises for a number with too many digits to be shown
    except (ValueError, RecursionError) as error:
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
  put tournament bold odds timid --exact
  put tournament --rules three-handed --games 9999
  put tournament --rules four-handed --team bold+counter odds --misdeals 0.02
  put tournament --rules speculation --players 5 --games 100000
  put tournament --config examples/tournament.toml --workers 2
  put tournament --until 5
  put tournament --cluster tcp://10.0.0.5:8786 --games 1000000
  put tournament --resume runs/latest
  put tournament --extend runs/latest --games 200000
  put tournament --extend runs/latest --add ./my_bot.py"""
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
@click.option("-w", "--workers", type=int, help="Processes; all cores unless given.")
@click.option(
    "--cluster",
    default="",
    metavar="ADDRESS",
    help="Play on the workers of a Dask cluster, whose scheduler is at tcp://HOST:PORT. They write "
    "to the run directory, which must lie on a file system that all share; see docs/scaling.md.",
)
@click.option(
    "--collect",
    is_flag=True,
    help="With --cluster: workers send what they log to this machine, which alone writes.",
)
@click.option(
    "--ship",
    is_flag=True,
    help="With --cluster: strategies that are single files are sent to the workers.",
)
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
    "-o",
    "--out",
    type=RunPlace(path_type=Path),
    help="Run directory, new or empty; runs/<time>-<rules> unless given. With --cluster it can be "
    "in an object store: s3://BUCKET/PATH, gs://BUCKET/PATH.",
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
    help="Memory for a worker besides what it begins with, and for a player in a process of its "
    "own. 0: no limit.",
)
@click.option(
    "--isolate",
    is_flag=True,
    help="Every strategy decides in a process of its own and is never imported into this one: "
    "slower, the same games, for strategies one does not trust.",
)
@click.option(
    "--max-faults",
    type=int,
    default=1000,
    show_default=True,
    help="End the run when more games than this are lost by faults.",
)
@click.option("--strict", is_flag=True, help="End the run at the first fault.")
@click.option(
    "--until",
    type=float,
    metavar="ELO",
    help="Play until every rating's interval is within ±ELO, most where strategies are close; at "
    "most --games a pairing or table, 1,000,000 unless given.",
)
@click.option(
    "--resume",
    type=RunPlace(path_type=Path),
    metavar="RUN",
    help="Go on with a run that was stopped, whatever stopped it.",
)
@click.option(
    "--extend",
    type=RunPlace(path_type=Path),
    metavar="RUN",
    help="Add to a finished run: --games more a pairing or table, --add, or --until.",
)
@click.option(
    "--add",
    "joining",
    multiple=True,
    metavar="STRATEGY",
    help="With --extend: a strategy (or team) that joins; can be given again.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Afterwards hold every result against its exact chance, where neither side has a memory. "
    "For two players.",
)
@format_option()
@click.option("-q", "--quiet", is_flag=True, help="Print only the result: no progress, no notes.")
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
    cluster: str,
    collect: bool,
    ship: bool,
    match_games: int,
    mirror: bool,
    log: str,
    out: Path | str | None,
    tier: str,
    move_timeout: float,
    memory_limit: int,
    isolate: bool,
    max_faults: int,
    strict: bool,
    form: str,
    quiet: bool,
    config: Path | None,
    until: float | None = None,
    resume: Path | str | None = None,
    extend: Path | str | None = None,
    joining: tuple[str, ...] = (),
    exact: bool = False,
    sprt: Any = None,
) -> int:
    """Play a round robin between STRATEGIES (all installed ones unless named) and rate them.

    A strategy is an installed name, with parameters where wanted, or comes from a file:
    bold, "bold(sees=7)", ./my_bot.py, "./my_bot.py:Bold(bluff=0.3)". A program in any language
    plays as "exec(./bot --level 3)". With partners a side is a strategy in both chairs or a team of
    two, bold+counter.

    Of three and more players every table that can be made of the strategies is played.

    A run that was stopped goes on with --resume, and a finished one can be added to; both leave
    what exists as it is, and take what decides the games from the run.
    """
    for team in teams:
        if "+" not in team:
            raise click.UsageError(
                f"--team: expected two strategies such as bold+counter, got {team!r}."
            )
    if cluster and workers is not None:
        raise click.UsageError("--workers: a cluster has its own; leave it out with --cluster.")
    if resume or extend or joining:
        ctx = click.get_current_context()
        with ends_at_once("Stopped before any game was played."):
            prepared = go_on(ctx, resume=resume, extend=extend, joining=joining)
            if exact:
                _refuse_unsolvable(prepared.settings.rules)
        return run(prepared, form=form, quiet=quiet, exact=exact)
    with ends_at_once("Stopped before any game was played."):
        from put_cli.rules.finding import find_ruleset
        from put_cli.speculation.rules import find
        from put_cli.tournament.precision import MOST_GAMES, Precision
        from put_cli.tournament.run import prepare
        from put_cli.tournament.schedule import DEFAULT_GAMES, whole_games
        from put_cli.tournament.settings import Settings, random_seed
        from put_cli.tournament.workers import available_cores

        workers = available_cores() if workers is None else workers
        named = {"misdeals": misdeals, "players": players, "deals": deals}
        knobs = {key: value for key, value in named.items() if value is not None}
        rules = find(rules_text, **knobs) or find_ruleset(rules_text, **knobs)
        if exact:
            _refuse_unsolvable(rules)
        default = DEFAULT_GAMES if until is None else MOST_GAMES
        if games is None or (games > 0 and mirror and rules.players > 2):
            games = whole_games(default if games is None else games, rules.players)
        prepared = prepare(
            Settings(
                strategies=(*strategies, *teams),
                rules=rules,
                games=games,
                tables=tables,
                seed=random_seed() if seed is None else seed,
                match_games=match_games,
                mirror=mirror,
                workers=workers,
                cluster=cluster,
                collect=collect,
                ship=ship,
                log=log,
                out=None if isinstance(out, str) else out,
                store=out if isinstance(out, str) else "",
                tier=tier,
                sprt=sprt,
                until=None if until is None else Precision(elo=until, games=games),
                move_timeout=move_timeout,
                memory_limit=memory_limit,
                isolate=isolate,
                max_faults=max_faults,
                strict=strict,
                command=("put", *sys.argv[1:]),
            )
        )
    return run(prepared, form=form, quiet=quiet, exact=exact)


def _refuse_unsolvable(rules: Any) -> None:
    """Refuse --exact before anything is played where no chance is exact."""
    from put_cli.rules.ruleset import RuleSet
    from put_cli.solve.tree import check_solvable

    if not isinstance(rules, RuleSet):
        raise click.UsageError(f"--exact: expected a game of Put, got {rules.name}.")
    check_solvable(rules)

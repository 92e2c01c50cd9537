"""--resume and --extend of `put tournament`: what may be said of a run that exists."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from put_cli.cli.options import resolve_run

if TYPE_CHECKING:
    from put_cli.tournament.run import Prepared

_OF_GAMES = ("seed", "tables", "match_games", "mirror", "log")
"""What decides the games of a run besides strategies, rules and --games."""

KNOBS = ("misdeals", "players", "deals")
"""Options that are knobs of the rules."""

_OF_PLAY = (
    *("tier", "move_timeout", "memory_limit", "isolate", "max_faults", "strict"),
    *("cluster", "collect", "ship"),
)
"""What may be another whenever a run is played: names of settings."""


def go_on(
    ctx: click.Context,
    *,
    resume: Path | str | None,
    extend: Path | str | None,
    joining: tuple[str, ...],
) -> "Prepared":
    """The run to go on with, resumed or extended as the options of `ctx` say."""
    from put_cli.rules.finding import find_ruleset
    from put_cli.speculation.rules import find
    from put_cli.tournament.extending import extend as add_to
    from put_cli.tournament.precision import MOST_GAMES, Precision
    from put_cli.tournament.resuming import resume as take_up
    from put_cli.tournament.workers import available_cores

    given = {
        name: value
        for name, value in ctx.params.items()
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    workers = given.get("workers") or available_cores()
    changes = {name: given[name] for name in _OF_PLAY if name in given}
    if resume and not (extend or joining):
        _refuse(given, "--resume", ("out", "until"))
        asked = {name: given[name] for name in (*_OF_GAMES, "games") if name in given}
        knobs = {name: given[name] for name in KNOBS if name in given}
        if "rules_text" in given or knobs:
            text = ctx.params["rules_text"]
            asked["rules"] = find(text, **knobs) or find_ruleset(text, **knobs)
        if given.get("strategies") or given.get("teams"):
            asked["strategies"] = (*given.get("strategies", ()), *given.get("teams", ()))
        return take_up(_found(resume, changes), workers, changes, asked)
    if not extend or resume:
        raise click.UsageError(
            "expected either --resume RUN, to go on with a run that was stopped, or --extend RUN, "
            "to add to one that is finished; --add goes with the latter."
        )
    _refuse(given, "--extend", ("out", "strategies", "teams", "rules_text", *KNOBS, *_OF_GAMES))
    games, until = given.get("games"), given.get("until")
    return add_to(
        _found(extend, changes),
        workers,
        changes,
        games=games if until is None else None,
        join=joining,
        until=None if until is None else Precision(elo=until, games=games or MOST_GAMES),
    )


def _found(run: Path | str, changes: dict[str, Any]) -> Path:
    """The directory of a run; of one in an object store its working copy."""
    if isinstance(run, Path):
        return resolve_run(run)
    from put_cli.tournament.keeping import take_up_url

    if not changes.get("cluster"):
        raise click.UsageError(
            f"{run!r} is in an object store: expected --cluster, whose workers write to it."
        )
    changes["store"] = run
    return take_up_url(run)


def _refuse(given: dict[str, Any], option: str, names: tuple[str, ...]) -> None:
    """Options that make no sense beside another."""
    for name in names:
        if given.get(name):
            shown = {"strategies": "STRATEGIES", "teams": "--team", "rules_text": "--rules"}
            raise click.UsageError(
                f"{option} takes that from the run: leave out "
                f"{shown.get(name, '--' + name.replace('_', '-'))}."
                + (" To have strategies join: --add." if option == "--extend" else "")
            )

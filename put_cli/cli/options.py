"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from put_cli.errors import RunError

MAX_NAME = 1024
"""No name of a directory is longer, in bytes."""

MAX_THREADS = 1024


def rules_option() -> Callable[[Any], Any]:
    """--rules, as text; `find_ruleset` makes a rule set of it."""
    return click.option(
        "--rules",
        "rules_text",
        default="cotton",
        show_default=True,
        metavar="RULES",
        help="Rule set: a name, a TOML file, or with knobs: 'cotton(target=7)'.",
    )


def threads_option(of: str = "") -> Callable[[Any], Any]:
    """--threads, None for all cores; `of` is what they are for."""
    return click.option(
        "--threads",
        type=click.IntRange(1, MAX_THREADS),
        help=f"Threads{of}; all cores unless given.",
    )


def policy_option() -> Callable[[Any], Any]:
    """--policy, the file of a solution; None where it is looked for by the name of the rules."""
    return click.option(
        "--policy",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="The solution, a file of 'put solve'; RULES.policy in this folder, or the one that "
        "comes with the program, unless given.",
    )


def of_other_rules(strategies: tuple[str, ...], rules: Any) -> str:
    """Lines on the installed strategies that do not play these rules, with their line ends.

    Empty where `strategies` were named.
    """
    from put_cli.plugins.discovery import playing_others
    from put_cli.report.tables import printable

    if strategies:
        return ""
    games, sets = playing_others(rules)
    text = ""
    if games:
        who = "strategy is" if len(games) == 1 else "strategies are"
        text += f"{len(games)} installed {who} of another kind of game and left out.\n"
    if sets:
        who = "does not play" if len(sets) == 1 else "do not play"
        text += f"{printable(', '.join(sets))} {who} these rules: left out.\n"
    return text


class RunPlace(click.Path):
    """A run directory, or the URL of one in an object store."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and "://" in value:
            return value
        return super().convert(value, param, ctx)


class RunDirectory(click.Path):
    """A run directory of this machine."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and "://" in value:
            raise click.UsageError(
                f"{value!r} is in an object store, and this command reads runs of this machine. "
                f"First copy it, as with 'aws s3 sync {value} RUN', and name RUN."
            )
        return super().convert(value, param, ctx)


def run_argument(*, urls: bool = False) -> Callable[[Any], Any]:
    """The run directory; runs/latest unless given. `urls`: also of a run in an object store."""
    return click.argument(
        "run",
        type=RunPlace(path_type=Path) if urls else RunDirectory(path_type=Path),
        default=Path("runs/latest"),
        metavar="[RUN]",
    )


def resolve_run(run: Path) -> Path:
    """The run directory itself, where runs/latest is a text file because links failed.

    Raises:
        RunError: it is a file, and none that names a directory beside it.
    """
    if not run.is_file():
        return run
    with run.open("rb") as file:
        named = file.read(MAX_NAME).decode("utf-8", errors="replace").strip()
    # A path could lead anywhere; what counts is the name of a directory beside it.
    for beside in run.parent.iterdir():
        if beside.name == named and beside.is_dir():
            return beside
    raise RunError(
        f"{str(run)!r} is a file, and a run is a directory such as runs/latest. "
        "'put tournament' makes one."
    )

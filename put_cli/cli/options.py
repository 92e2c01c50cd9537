"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from put_cli.errors import RunError

MAX_NAME = 1024
"""No name of a directory is longer, in bytes."""


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


def policy_option() -> Callable[[Any], Any]:
    """--policy, the file of a solution; None where it is looked for by the name of the rules."""
    return click.option(
        "--policy",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="The solution, a file of 'put solve'; RULES.policy in this folder, or the one that "
        "comes with the program, unless given.",
    )


def run_argument() -> Callable[[Any], Any]:
    """The run directory; runs/latest unless given."""
    return click.argument(
        "run", type=click.Path(path_type=Path), default=Path("runs/latest"), metavar="[RUN]"
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

"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


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


def run_argument() -> Callable[[Any], Any]:
    """The run directory; runs/latest unless given."""
    return click.argument(
        "run", type=click.Path(path_type=Path), default=Path("runs/latest"), metavar="[RUN]"
    )


def resolve_run(run: Path) -> Path:
    """The run directory itself, where runs/latest is a text file because links failed."""
    if run.is_file():
        return run.parent / run.read_text(encoding="utf-8").strip()
    return run

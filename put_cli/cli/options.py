"""Option types that several commands share; each refuses bad values with the option's name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from put_cli.errors import RuleError


class RulesType(click.ParamType):
    """A rule set: `cotton`, `house.toml` or `cotton(target=7, pack=short32)`."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from put_cli.rules.ruleset import find_ruleset

        try:
            return find_ruleset(value) if isinstance(value, str) else value
        except RuleError as error:
            raise click.UsageError(str(error)) from None


def rules_option() -> Callable[[Any], Any]:
    """--rules."""
    return click.option(
        "--rules",
        type=RulesType(),
        default="cotton",
        show_default=True,
        metavar="RULES",
        help="Rule set: a name, a TOML file, or with knobs: 'cotton(target=7)'.",
    )


def run_argument() -> Callable[[Any], Any]:
    """The run directory; runs/latest unless given."""
    return click.argument("run", type=click.Path(path_type=Path), default=Path("runs/latest"))


def resolve_run(run: Path) -> Path:
    """The run directory itself, where runs/latest is a text file because links failed."""
    if run.is_file():
        return run.parent / run.read_text(encoding="utf-8").strip()
    return run

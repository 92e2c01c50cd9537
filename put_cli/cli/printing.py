"""How commands print their tables: in which form, how wide, and with what emphasis.

Everything is written in full whatever reads it: on a terminal headings are bold, unless NO_COLOR
is set; what the output's encoding lacks is written as an escape.
"""

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

WIDEST_PROSE = 100
"""Longer lines of sentences are hard to read, however wide the window."""

FORMS = ("table", "markdown", "csv", "json")
"""The values of --format."""

_RULE = re.compile(r"-+(  -+)*")


def format_option() -> Callable[[Any], Any]:
    """--format and its short form --json; the command takes `form`, one of FORMS."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--format",
            "form",
            type=click.Choice(FORMS),
            default="table",
            show_default=True,
            help="How to print the result.",
        )
        @click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
        @wraps(function)
        def command(*args: Any, form: str, as_json: bool, **options: Any) -> Any:
            if as_json and form in ("markdown", "csv"):
                raise click.UsageError(f"--json is --format json, and --format {form} came too.")
            return function(*args, form="json" if as_json else form, **options)

        return command

    return decorate


def window() -> int:
    """Columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns


def show(text: str) -> None:
    """Print lines; headings of tables are bold on a terminal."""
    out = sys.stdout
    coloured = (
        out is not None
        and out.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
    # By itself click takes ASCII for a mistake, and writes UTF-8.
    click.echo(_emphasised(text) if coloured else text, file=out, nl=False, color=coloured)


def say(text: str, *, err: bool = False) -> None:
    """Print sentences: on a terminal, lines longer than its window are broken between words.

    Whatever else reads them gets every line whole, so that it can search them. Tables are not
    sentences, nor are commands to be copied.
    """
    out = sys.stderr if err else sys.stdout
    if out is not None and out.isatty():
        width = min(window(), WIDEST_PROSE)
        text = "\n".join(_folded(line, width) for line in text.split("\n"))
    click.echo(text, err=err)


def _folded(line: str, width: int) -> str:
    """A line in lines of at most `width`, all indented as it is; a longer word stays whole."""
    words = line.lstrip()
    indent = line[: len(line) - len(words)]
    return textwrap.fill(
        words,
        max(width, len(indent) + 20),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def show_json(data: Any) -> None:
    """Print a JSON value on one line, with escapes for what the output's encoding lacks."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data)
    show(f"{text}\n")


def show_standings(form: str, table: Any, plain: Callable[[], dict[str, Any]]) -> None:
    """Print the standings of a run in a form; `plain` makes the JSON object."""
    from put_cli.report import text
    from put_cli.speculation.standings import SpeculationStandings

    if isinstance(table, SpeculationStandings):
        _show_chips(form, table, plain)
        return
    match form:
        case "json":
            show_json(plain())
        case "markdown":
            show(text.results_markdown(table))
        case "csv":
            show(text.standings_csv(table))
        case _:
            show(text.results_text(table, window()) + "\n")


def _show_chips(form: str, table: Any, plain: Callable[[], dict[str, Any]]) -> None:
    """The same for a run of Speculation."""
    from put_cli.speculation import text

    match form:
        case "json":
            show_json(plain())
        case "markdown":
            show(text.standings_markdown(table))
        case "csv":
            show(text.standings_csv(table))
        case _:
            show(text.standings_text(table, window()))


def show_table(form: str, table: Any, plain: Callable[[], Any] | None = None) -> None:
    """Print a `report.tables.Table`, or what has the same forms; `plain` makes its JSON value.

    Its rows are that where nothing else is.
    """
    match form:
        case "json":
            show_json(plain() if plain else list(table.rows))
        case "markdown":
            show(table.markdown())
        case "csv":
            show(table.csv())
        case _:
            show(table.text(window()))


def _emphasised(text: str) -> str:
    """The text with titles and headings of its tables, which stand above a rule, in bold."""
    lines = text.split("\n")
    for rule, line in enumerate(lines):
        if _RULE.fullmatch(line):
            for above in (rule - 1, rule - 2, rule - 3):
                if above < 0 or not lines[above].strip():
                    break
                lines[above] = click.style(lines[above], bold=True)
    return "\n".join(lines)

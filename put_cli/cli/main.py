"""The `put` command: finds its subcommands lazily and turns errors into exit codes.

Importing this must stay cheap: `put --help` reads one-line summaries from the table below and
loads no command's code.
"""

import importlib
import io
import os
import sys
from typing import Any

import click

from put_cli import __version__
from put_cli.errors import PutError, did_you_mean

COMMANDS = {
    "tournament": "Play a round robin and rate the strategies.",
    "match": "Play two strategies against each other.",
    "play": "Play against a strategy yourself.",
    "standings": "Recompute the table of a finished run from its log.",
    "habits": "Tell how everybody plays: puts, bluffs, throws, first tricks.",
    "cycles": "Tell where ratings miss who beats whom: circles, equilibria.",
    "report": "Write a run as a page of tables and pictures.",
    "compare": "Compare the strategies of two runs, deal by deal.",
    "plan": "Tell how many games a precision takes.",
    "verify": "Prove the log of a run, hand by hand.",
    "replay": "Tell a logged game or hand in words.",
    "exact": "Compute the exact chance that one strategy beats another.",
    "exploit": "Tell how a strategy is beaten, and what it does wrong.",
    "solve": "Solve a rule set: an equilibrium, with its certificate.",
    "advise": "Tell what to do in a situation, and what every action is worth.",
    "judge": "Referee hands written in notation.",
    "rules": "List the rule sets, or explain one.",
    "strategies": "List the installed strategies.",
    "new": "Start a strategy of your own: a package, or a single file.",
    "check": "Test a strategy against everything the program relies on.",
}
"""Every command with its one-line help; `put_cli.cli.<name>` defines `command`."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"put_cli.cli.{name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(
                f"there is no command {args[0]!r}.{did_you_mean(args[0], COMMANDS)} "
                "'put --help' lists them all."
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example:  put tournament --rules cotton --games 100000",
)
@click.version_option(__version__, prog_name="put")
@click.option("--traceback", is_flag=True, help="Show the Python traceback of an error.")
def put(traceback: bool) -> None:
    """Tournaments and simulations of Put, the English tavern card game, and its relatives."""


def main(args: list[str] | None = None) -> Any:
    """Run the command line; the one place where errors become exit codes."""
    arguments = (sys.argv[1:] if args is None else args) or ["--help"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for names it cannot encode
    try:
        result = put.main(arguments, prog_name="put", standalone_mode=False)
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        code = _complain(error.format_message(), error.exit_code)
    except PutError as error:
        if "--traceback" in arguments:
            raise
        code = _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The reader of our output went away (`put rules | head`): nothing left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except OSError as error:
        if "--traceback" in arguments:
            raise
        code = _complain(str(error), 1)
    else:
        code = result if isinstance(result, int) else 0
    sys.exit(code)


def _complain(message: str, code: int) -> int:
    from put_cli.cli.printing import say
    from put_cli.report.tables import printable

    # What a message quotes may come from a file, and a terminal would obey it.
    say("\n".join(map(printable, f"Error: {message}".split("\n"))), err=True)
    return code

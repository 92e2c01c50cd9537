"""The errors a user can cause or meet; `put_cli.cli.main` alone turns them into exit codes."""

from collections.abc import Iterable
from difflib import get_close_matches


class PutError(Exception):
    """Something the user should read as one line; exit code 1 unless a subclass says otherwise."""

    exit_code = 1


class UsageError(PutError):
    """What was asked for cannot be done as asked: a bad name, number, file or setting."""

    exit_code = 2


class RuleError(UsageError):
    """A rule set that does not exist or does not hold together."""


class SpecError(UsageError):
    """A strategy that cannot be found, loaded or given these parameters."""


class NotationError(PutError):
    """A line of hand notation that is malformed, impossible or against the rules."""


class RunError(PutError):
    """A run directory that cannot be read or written."""


def did_you_mean(wrong: str, choices: Iterable[str]) -> str:
    """' Did you mean 'x'?' for the nearest of `choices`, or an empty string."""
    near = get_close_matches(wrong, list(choices), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def one_line(error: BaseException) -> str:
    """Somebody else's exception in one line: `ValueError: what it says`."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__

"""Running the command line in this process, through the one place that makes exit codes."""

import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from put_cli.cli.main import main


@dataclass(frozen=True)
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Put = Callable[..., Result]


@pytest.fixture
def put(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Put:
    """`put("judge", "--json", stdin="...")` runs a command as the shell would."""

    def run(*arguments: str, stdin: str | bytes | None = b"") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        stream = None if data is None else io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr("sys.stdin", stream)  # None: a process that was started without one
        with pytest.raises(SystemExit) as exit_:
            main(list(arguments))
        out, err = capsys.readouterr()
        return Result(int(exit_.value.code or 0), out, err)

    return run

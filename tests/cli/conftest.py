"""Running the command line in this process, through the one place that makes exit codes."""

import io
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs go to a folder of the test; the command's handler of SIGTERM ends with it."""
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def assert_refused(result: Result, says: str, code: int = 2) -> None:
    """One line on standard error, nothing on standard output, nothing left behind."""
    assert result.code == code, result
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1, result.err
    assert says in result.err
    assert not Path("run").exists()
    assert not Path("runs").exists()


SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.fixture
def at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs go to a folder of the test; the handlers of signals of `put play` end with it."""
    monkeypatch.chdir(tmp_path)
    before = [(each, signal.getsignal(each)) for each in SIGNALS]
    yield
    for each, handler in before:
        signal.signal(each, handler)


@pytest.fixture
def sittings() -> Iterator[list[Any]]:
    """Sittings to be closed at the end of a test."""
    opened: list[Any] = []
    yield opened
    for each in opened:
        each.close()

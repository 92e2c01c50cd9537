"""`put report`: where the page and the pictures go, and what is refused."""

import sys
from pathlib import Path

import pytest

from put_cli.cli import report
from tests.cli.conftest import Put
from tests.tournament.runs import play_run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small run without hands, whose report is quickly made."""
    monkeypatch.chdir(tmp_path)
    play_run(tmp_path / "run", "random", "thrifty", games=4, log="none")
    return Path("run")


def test_the_page_goes_into_the_run_or_where_one_wants_it(put: Put, run: Path) -> None:
    assert put("report", "run").out == "Report: run/report.html\n"
    assert put("report", "run", "-o", "own.html").out == "Report: own.html\n"
    assert (run / "report.html").read_text() == Path("own.html").read_text()


def test_pictures_alone_leave_no_page(put: Put, run: Path) -> None:
    assert put("report", "run", "--png", "pictures").out.endswith("pictures: pictures\n")
    assert (Path("pictures") / "ratings.png").exists()
    assert not (run / "report.html").exists()


def test_what_cannot_be_written_is_told_in_one_line(put: Put, run: Path) -> None:
    for arguments in (["-o", "no/such/folder.html"], ["--png", "run/manifest.json/x"]):
        result = put("report", "run", *arguments)
        assert result.code == 1
        assert result.err.count("\n") == 1
        assert "cannot write" in result.err


def test_what_is_no_run_is_refused(put: Put, tmp_path: Path) -> None:
    result = put("report", str(tmp_path))
    assert result.code == 1
    assert "is not a run" in result.err


def test_without_matplotlib_it_says_how_to_get_it(
    put: Put, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "find_spec", lambda _name: None)
    result = put("report", "run")
    assert result.code == 2
    assert "pip install 'put-cli[report]'" in result.err


def test_a_lost_part_of_the_log_is_named(put: Put, run: Path) -> None:
    play_run(Path("whole"), "random", "thrifty", games=4)
    Path("whole/hands/part-000000.parquet").unlink()
    result = put("report", "whole")
    assert result.code == 1
    assert "lost a part of its hands log: no part-000000.parquet" in result.err


def test_help_does_not_load_matplotlib(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "put report --png pictures" in put("report", "--help").out

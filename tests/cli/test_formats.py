"""Commands that print tables print them in four forms, for any window, terminal and encoding."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from put_cli.cli import printing
from put_cli.cli.main import main
from tests.cli.conftest import Put
from tests.tournament.runs import play_run

TABLES = {
    "standings": ("standings", "run"),
    "compare": ("compare", "run", "other"),
    "plan": ("plan", "run"),
    "strategies": ("strategies", "odds", "thrifty"),
    "rules": ("rules",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formats")
    play_run(folder / "run", "random", "thrifty", "odds", games=40, match_games=4)
    play_run(folder / "other", "random", "bluffer(bluff=0.4)", "odds", games=40, match_games=4)
    return folder


@pytest.fixture(autouse=True)
def in_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def printed(put: Put, *words: str) -> str:
    result = put(*words)
    assert (result.code, result.err) == (0, ""), result
    return result.out


@pytest.mark.parametrize("words", TABLES.values(), ids=TABLES)
def test_csv_and_json_hold_the_same_rows(put: Put, words: tuple[str, ...]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed(put, *words, "--format", "csv"))))
    told = json.loads(printed(put, *words, "--format", "json"))
    assert told == json.loads(printed(put, *words, "--json"))
    if words[0] == "standings":
        told = told["standings"]
    assert len(rows) == len(told) >= 2
    for row, data in zip(rows, told, strict=True):
        shared = {key for key in row if isinstance(data.get(key), str | int | float)}
        assert len(shared) >= 2 or words[0] == "rules"
        assert {key: row[key] for key in shared} == {key: str(data[key]) for key in shared}


@pytest.mark.parametrize("words", TABLES.values(), ids=TABLES)
def test_markdown_is_a_table_of_as_many_rows(put: Put, words: tuple[str, ...]) -> None:
    lines = [*printed(put, *words, "--format", "markdown").splitlines(), ""]
    table = lines[: lines.index("")]
    bars = {line.replace("\\|", "").count("|") for line in table}
    rows = list(csv.reader(io.StringIO(printed(put, *words, "--format", "csv"))))
    assert len(bars) == 1
    assert set(table[1]) <= set("|:- ")
    assert len(table) - 2 == len(rows) - 1


@pytest.mark.parametrize("width", [50, 60, 80, 140])
@pytest.mark.parametrize("words", TABLES.values(), ids=TABLES)
def test_tables_fit_the_window(
    put: Put, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = printed(put, *words)
    assert 20 < max(map(len, text.splitlines())) <= width


def test_names_are_broken_where_there_is_no_room_and_nothing_is_lost(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = printed(put, *TABLES["compare"]).splitlines()
    width = len(lines[2].partition("  ")[0])
    column = "".join(line[:width].strip() for line in lines[: lines.index("")])
    assert "thrifty->bluffer(bluff=0.4)" in column.replace(" ", "")


def test_a_narrow_window_says_what_it_leaves_out(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert "Not shown at this width: " in " ".join(printed(put, *TABLES["compare"]).split())
    monkeypatch.setenv("COLUMNS", "120")
    assert "Not shown" not in printed(put, *TABLES["compare"])


def test_markdown_of_a_run_has_the_cross_table_and_of_a_match_the_duel(put: Put) -> None:
    text = printed(put, "standings", "run", "--format", "markdown")
    assert "| no. | strategy | 1 | 2 | 3 |" in text
    play_run(Path("match"), "random", "odds", games=20)
    duel = printed(put, "standings", "match", "--format", "markdown")
    assert "- random against odds, from the side of random:" in duel


def test_a_tournament_prints_its_result_in_the_form_asked_for(put: Put) -> None:
    words = ("tournament", "random", "thrifty", "--games", "4", "--workers", "1", "--seed", "1")
    text = put(*words, "--quiet", "--format", "csv", "--out", "csv").out
    assert text == Path("csv/standings.csv").read_text()
    match = ("match", *words[1:], "--quiet", "--format", "markdown", "--out", "markdown")
    assert put(*match).out.startswith(Path("markdown/standings.md").read_text())


@pytest.mark.parametrize("form", ["markdown", "csv"])
def test_json_and_another_form_at_once_are_misuse(put: Put, form: str) -> None:
    result = put("standings", "run", "--json", "--format", form)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"Error: --json is --format json, and --format {form} came too.\n"


def test_an_explanation_of_rules_is_no_table(put: Put) -> None:
    result = put("rules", "cotton", "--format", "csv")
    assert result.code == 2
    assert "an explanation is no table; expected table or json" in result.err
    assert printed(put, "rules", "cotton", "--format", "table") == printed(put, "rules", "cotton")


class Screen(io.StringIO):
    """A terminal to write to."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("setting", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_headings_are_bold_on_a_terminal_that_wants_it(
    monkeypatch: pytest.MonkeyPatch, setting: dict[str, str], coloured: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in ({"TERM": "xterm"} | setting).items():
        monkeypatch.setenv(name, value)
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    printing.show("name    score\n            %\n----  -------\nfox      50.0\n")
    lines = screen.getvalue().splitlines()
    assert lines[2:] == ["----  -------", "fox      50.0"]
    assert [line.startswith("\x1b[1m") for line in lines[:2]] == [coloured] * 2


def test_long_sentences_are_broken_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = "word " * 20 + "/a/path/" + "x" * 80
    said = f"Error: {words}\n  indented {words}\n"
    pipe, screen = io.StringIO(), Screen()
    monkeypatch.setattr("sys.stderr", pipe)
    printing.say(said, err=True)
    assert pipe.getvalue() == f"{said}\n"
    monkeypatch.setattr("sys.stderr", screen)
    printing.say(said, err=True)
    lines = screen.getvalue().splitlines()
    assert all(len(line) <= 60 or "xxx" in line for line in lines)
    assert screen.getvalue().split() == said.split()
    indented = next(n for n, line in enumerate(lines) if "indented" in line)
    assert all(line.startswith("  ") for line in lines[indented:-1])


def test_errors_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with pytest.raises(SystemExit):
        main(["standings", "no-such-run"])
    lines = screen.getvalue().splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 50 for line in lines)


def test_without_a_terminal_nothing_is_bold(put: Put) -> None:
    assert "\x1b" not in printed(put, "standings", "run")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_stays_json_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    run = tmp_path / "run"
    bot = Path(__file__).parents[2] / "examples" / "my_bot.py"
    (tmp_path / "café–бот.py").write_text(bot.read_text(encoding="utf-8"), encoding="utf-8")
    words = ("match", "café–бот.py", "random", "--games", "2", "--seed", "1", "--workers", "1")
    done = subprocess.run(
        [sys.executable, "-m", "put_cli", *words, "--out", run, "--json", "--quiet"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.decode(encoding))
    assert {line["name"] for line in told["standings"]} == {"café–бот", "random"}

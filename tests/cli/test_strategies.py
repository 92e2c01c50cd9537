"""`put strategies`, and names that a terminal cannot show."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from put_cli.plugins.discovery import installed
from tests.cli.conftest import Put

BOT = """
from dataclasses import dataclass
from put_cli import SEE, Strategy, View

@dataclass(frozen=True)
class Bot(Strategy):
    '''Plays its worst card \x1b[31m and sees.'''
    patience_with_those_who_put_too_often: float = 0.5

    def act(self, view: View) -> int:
        return SEE if view.asked or view.must_speak else view.lowest
"""


@pytest.mark.parametrize("width", [30, 50, 80, 200])
def test_the_list_fits_the_window_and_loses_nothing(
    put: Put, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    result = put("strategies")
    assert result.code == 0
    assert max(map(len, result.out.splitlines())) <= width
    text = " ".join(result.out.split())
    for each in json.loads(put("strategies", "--json").out):
        assert f"{each['name']} {each['tier']} {each['version']}" in text
        assert " ".join(each["summary"].split()) in text
        for name, value in each["parameters"].items():
            assert f"{name}={value}" in text
    names = {line.split()[0] for line in result.out.splitlines() if not line.startswith(" ")}
    assert names == {each.name for each in installed()}


def test_a_foreign_description_commands_no_terminal(
    put: Put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    path = tmp_path / f"{'very_' * 12}long.py"
    path.write_text(BOT)
    result = put("strategies", str(path))
    assert (result.code, result.err) == (0, "")
    assert all(len(line) <= 24 and line.isprintable() for line in result.out.splitlines())


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("latin-1", rb"\u0438\u0433\u0440\u043e\u043a"),
        ("ascii", rb"\u0438\u0433\u0440\u043e\u043a"),
        ("utf-8", "игрок".encode()),
    ],
)
def test_names_that_the_terminal_cannot_encode_stop_nothing(
    tmp_path: Path, encoding: str, shown: bytes
) -> None:
    (tmp_path / "игрок.py").write_text(BOT, encoding="utf-8")
    command = ["match", "игрок.py", "random", "--games", "2", "--seed", "1", "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "put_cli", *command],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


def test_why_shows_the_line_that_is_not_compiled_and_what_to_write_instead(put: Put) -> None:
    Path("badger.py").write_text(
        "from put_cli import SEE, Strategy, View\n\n\nclass Badger(Strategy):\n"
        "    def act(self, view: View) -> int:\n"
        "        if view.asked or view.must_speak:\n"
        "            return SEE\n"
        "        return max(card for card in view.cards if card)\n"
    )
    assert "badger.py:8" not in put("strategies", "./badger.py").out
    told = " ".join(put("strategies", "--why", "./badger.py").out.split())
    assert "badger.py:8: return max(card for card in view.cards if card)" in told
    assert "-> no generator expression here; write a list: max([...])" in told
    (described,) = json.loads(put("strategies", "--why", "--json", "./badger.py").out)
    assert any("write a list" in line for line in described["advice"])

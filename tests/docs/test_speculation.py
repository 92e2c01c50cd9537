"""docs/speculation.md: its player plays, its commands exist, no field of the view is missing."""

import re
import shlex
from pathlib import Path

import click
import pytest

from put_cli.cli.main import put
from put_cli.plugins.contract import check
from put_cli.plugins.discovery import load
from put_cli.speculation import View
from put_cli.speculation.notation import parse
from put_cli.speculation.referee import referee
from put_cli.speculation.rules import Speculation, knob_help
from put_cli.speculation.strategy import METHODS

PAGE = (Path(__file__).parents[2] / "docs" / "speculation.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in PAGE.splitlines() if line.startswith("    put ")]


def test_the_player_of_the_page_keeps_the_contract_and_is_compiled(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "careful.py"
    path.write_text(code, encoding="utf-8")
    report = check(load(str(path)).strategy, measure=False)
    assert report.ok, report.text()
    assert report.tier == "native"


def test_every_field_method_and_knob_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert set(View._fields) <= named
    assert set(METHODS) <= named
    assert set(knob_help()) <= named


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_is_understood(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = put.get_command(click.Context(put), name)
    assert isinstance(command, click.Command)
    command.make_context(name, arguments)


def test_the_judged_deal_of_the_page_comes_to_its_result() -> None:
    line = next(shlex.split(each)[-1] for each in COMMANDS if each.startswith("put judge"))
    assert referee(Speculation(), parse(line)).result == "pool 10 to C; net A -8, B -3, C +11"


def test_the_page_shows_commands() -> None:
    assert len(COMMANDS) >= 6

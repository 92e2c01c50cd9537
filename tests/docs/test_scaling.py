"""What docs/scaling.md promises: options that exist, and sums that add up."""

import re
import shlex
from pathlib import Path

import pytest

from put_cli.cli import tournament

TEXT = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (put tournament .+)$", TEXT, re.MULTILINE)
ROWS = re.findall(
    r"^\| `--log (\w+)` \| ([\d.]+) µs \| ([\d.]+) core-hours \| ([\d.]+) GB", TEXT, re.MULTILINE
)


def test_there_are_commands_and_costs_to_look_at() -> None:
    assert len(COMMANDS) >= 5
    assert [row[0] for row in ROWS] == ["none", "games", "hands"]


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_understood(line: str) -> None:
    context = tournament.command.make_context("put tournament", shlex.split(line)[2:])
    assert context.params["strategies"] == ()


@pytest.mark.parametrize("row", ROWS)
def test_the_cost_of_a_billion_games_follows_from_what_was_measured(row: tuple[str, ...]) -> None:
    hands = float(re.findall(r"10⁹ games × ([\d.]+) hands", TEXT)[0]) * 1e9
    bytes_a_hand = dict(zip(("none", "games", "hands"), (0.07, 0.64, 9.4), strict=True))[row[0]]
    assert f"{bytes_a_hand:g}" in TEXT
    assert float(row[2]) == pytest.approx(hands * float(row[1]) / 1e6 / 3600, abs=0.05)
    assert float(row[3]) == pytest.approx(hands * bytes_a_hand / 1e9, abs=0.5)

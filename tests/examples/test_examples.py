"""The examples do what they say: the bot plays, the file is a tournament."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from put_cli.cli import tournament
from put_cli.cli.tournament import config_keys

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def python(*arguments: object) -> str:
    """Run Python in the folder of the project and return what it printed."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament of the file, with fewer games."""
    out = tmp_path_factory.mktemp("examples") / "run"
    config = ("--config", EXAMPLES / "tournament.toml")
    python("-m", "put_cli", "tournament", *config, "--games", 200, "--out", out, "--quiet")
    return out


def test_the_tournament_file_is_played_as_it_stands(run: Path) -> None:
    asked = tomllib.loads((EXAMPLES / "tournament.toml").read_text(encoding="utf-8"))
    made = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    standings = json.loads((run / "standings.json").read_text(encoding="utf-8"))
    assert len(made["strategies"]) == len(asked["strategies"])
    assert made["seed"] == asked["seed"]
    assert made["rules"]["target"] == 7
    assert standings["games"] == 200


def test_the_tournament_file_shows_every_key() -> None:
    text = (EXAMPLES / "tournament.toml").read_text(encoding="utf-8")
    keys = config_keys(tournament.command)
    assert [key for key in keys if f"\n{key} =" not in text.replace("# ", "")] == []


@pytest.mark.parametrize("rules", ["cotton", "hoyle", "parlett", "truc"])
def test_my_bot_plays_every_kind_of_rules_compiled_and_without_a_fault(
    rules: str, tmp_path: Path
) -> None:
    words = ("match", EXAMPLES / "my_bot.py", "thrifty", "--rules", rules, "--games", 200)
    # A strategy that cannot be compiled is refused here, and a fault has exit code 3.
    python("-m", "put_cli", *words, "--tier", "native", "--seed", 1, "--out", tmp_path / "run")

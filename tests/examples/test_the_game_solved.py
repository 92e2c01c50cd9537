"""The script of docs/the-game-solved.md: from policy files to numbers, pictures and the page."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SMALL = "cotton(pack=short28, target=2)"


def script(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the script in the folder of the project."""
    command = [sys.executable, "examples/the_game_solved", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")


def test_the_page_can_be_drawn_again_from_the_numbers_alone(tmp_path: Path) -> None:
    shutil.copy(DOCS / "the-game-solved.json", tmp_path)
    done = script("--docs", tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "the-game-solved.md").read_text(encoding="utf-8")
    assert page == (DOCS / "the-game-solved.md").read_text(encoding="utf-8")
    drawn = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert drawn == sorted(path.name for path in (DOCS / "pictures").iterdir())
    assert all((tmp_path / "pictures" / name).stat().st_size > 5000 for name in drawn)


def test_solving_needs_a_folder_to_solve_into(tmp_path: Path) -> None:
    done = script("--solve", SMALL, "--docs", tmp_path)
    assert done.returncode == 2
    assert "--solve needs --policies DIR" in done.stderr


@pytest.mark.long
def test_a_small_rule_set_goes_all_the_way(tmp_path: Path) -> None:
    solutions = tmp_path / "solutions"
    asked = ("--policies", solutions, "--solve", SMALL, "--gap", 0.2, "--docs", tmp_path)
    done = script(*asked)
    assert done.returncode == 0, done.stderr
    numbers = json.loads((tmp_path / "the-game-solved.json").read_text(encoding="utf-8"))
    [(name, rules)] = numbers["rules"].items()
    assert name == SMALL
    assert len(rules["scores"]) == 4
    for score in rules["scores"]:
        assert 0 < score["low"] < score["high"] < 1
    start = rules["scores"][0]
    assert start["high"] - start["low"] < 0.2
    assert rules["against"]["random"] > 0.5
    assert len(rules["field"]) == 21  # pairs of seven
    assert "No page" in done.stdout  # it tells of cotton
    pictures = list((tmp_path / "pictures").glob("*.svg"))
    assert len(pictures) == 6
    before = {path.name: path.read_bytes() for path in pictures}
    # The solution is there, and the numbers are; so is what they look like.
    assert script("--docs", tmp_path).returncode == 0
    assert {path.name: path.read_bytes() for path in pictures} == before
    assert len(list(solutions.glob("*.policy"))) == 1

"""Finding strategies: installed ones, files, modules."""

import sys
from pathlib import Path

import pytest

from put_cli.errors import SpecError
from put_cli.plugins import discovery
from put_cli.plugins.discovery import installed, load, load_all

BOT = """
from put_cli import SEE, Strategy, View

class Bot(Strategy):
    '''Plays its worst card.

    And sees everything.
    '''
    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest
"""


def test_listing_reads_metadata_and_imports_nothing() -> None:
    names = [each.name for each in installed()]
    assert names == sorted(names)
    assert {"random", "thrifty", "highest", "threshold"} <= set(names)
    for each in installed():
        if each.package == "put-cli":
            assert each.target.startswith("put_strategies.")
            assert each.version


def test_a_file_with_one_strategy_needs_no_class_name(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    loaded = load(str(path))
    assert (loaded.name, loaded.summary) == ("my_bot", "Plays its worst card.")
    assert load(f"{path}:Bot").name == "my_bot:Bot"


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_my_bot.py").write_text("LEVEL = 3\n")
    (tmp_path / "my_bot.py").write_text("from beside_my_bot import LEVEL\n" + BOT)
    before = list(sys.path)
    try:
        assert load(str(tmp_path / "my_bot.py")).name == "my_bot"
    finally:
        sys.modules.pop("beside_my_bot", None)
    assert sys.path == before


def test_a_strategy_may_decide_in_batches_alone(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT.replace("def act(", "def act_batch("))
    assert load(str(path)).name == "my_bot"
    path.write_text(BOT.replace("def act(", "def acts("))
    discovery.load.cache_clear()
    with pytest.raises(SpecError, match="Bot defines no act"):
        load(str(path))


def test_an_edited_file_is_another_module(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    first = load(str(path)).strategy
    path.write_text(BOT.replace("worst", "other"))
    discovery.load.cache_clear()
    second = load(str(path)).strategy
    assert type(first) is not type(second)
    assert first.__doc__ != second.__doc__


def test_two_files_of_one_name_are_two_strategies(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(BOT)
    a, b = (load(str(tmp_path / folder / "bot.py")) for folder in ("a", "b"))
    assert type(a.strategy) is not type(b.strategy)
    with pytest.raises(SpecError, match="bot is given twice"):
        load_all((a.text, b.text))


def test_imported_classes_and_private_ones_are_not_the_file_s_own(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(
        BOT
        + "from put_strategies.simple import Random, Highest\n"
        + "class _Base(Strategy):\n    pass\n"
    )
    assert type(load(str(path)).strategy).__name__ == "Bot"


def test_a_module_names_a_class() -> None:
    loaded = load("put_strategies.simple:Threshold(level=8.5)")
    assert loaded.name == "put_strategies.simple:Threshold(level=8.5)"
    assert loaded.package == "put-cli"
    assert loaded.version


def test_a_failed_file_leaves_no_half_module_behind(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text("x = 1\nraise ValueError('later')\n")
    before, modules = list(sys.path), set(sys.modules)
    for _ in range(2):
        with pytest.raises(SpecError, match=r"failed to import: ValueError: later\."):
            load(str(path))
    assert sys.path == before
    assert set(sys.modules) == modules


def test_a_class_without_docstring_has_no_summary(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom put_cli import Strategy\n"
        "@dataclass(frozen=True)\nclass Bot(Strategy):\n    level: int = 3\n"
        "    def act(self, view):\n        return view.lowest\n"
    )
    assert load(str(path)).summary == ""

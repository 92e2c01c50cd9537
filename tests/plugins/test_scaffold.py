"""`put new`: what is written works as it stands, nothing is overwritten, and names are checked."""

import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from put_cli.errors import PutError, UsageError
from put_cli.plugins.discovery import load
from put_cli.plugins.scaffold import GAMES, Naming, new_file, new_package


def test_a_package_is_named_after_its_strategy(tmp_path: Path) -> None:
    written = new_package("old_fox", tmp_path)
    root = tmp_path / "put-old-fox"
    assert [path.relative_to(root).as_posix() for path in written] == [
        "pyproject.toml",
        "README.md",
        "put_old_fox/__init__.py",
        "tests/test_old_fox.py",
    ]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["name"] == "put-old-fox"
    assert project["project"]["entry-points"]["put.strategies"] == {"old_fox": "put_old_fox:OldFox"}
    assert project["tool"]["setuptools"]["packages"] == ["put_old_fox"]


@pytest.mark.parametrize("game", GAMES)
def test_no_placeholder_is_left(game: str, tmp_path: Path) -> None:
    for path in [*new_package("fox", tmp_path, game), *new_file("fox", tmp_path, game)]:
        assert "$" not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("game", GAMES)
def test_the_tests_of_a_new_package_pass(game: str, tmp_path: Path) -> None:
    new_package("fox", tmp_path, game)
    root = tmp_path / "put-fox"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(root)]
    where = os.pathsep.join((str(root), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        command,
        cwd=root,
        env=os.environ | {"PYTHONPATH": where, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
    )
    assert "5 passed" in done.stdout, done.stdout + done.stderr


def test_a_single_file_is_a_strategy_with_a_parameter(tmp_path: Path) -> None:
    (path,) = new_file("old-fox", tmp_path)
    assert path.name == "old_fox.py"
    loaded = load(f"{path}:OldFox(good=6)")
    assert loaded.name == "old_fox:OldFox(good=6)"
    assert loaded.summary.startswith("Puts and sees with two good cards")


def test_a_single_file_may_play_speculation(tmp_path: Path) -> None:
    (path,) = new_file("old-fox", tmp_path, "speculation")
    loaded = load(f"{path}:OldFox(sure=0.9)")
    assert loaded.strategy.game == "speculation"
    assert f"put check ./{path.name}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_formatted_and_typed_as_the_project_is(
    game: str, tmp_path: Path
) -> None:
    root = Path(__file__).parents[2]
    new_package("fox", tmp_path, game)
    new_file("old-fox", tmp_path, game)
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(root / "pyproject.toml")]
    for command in (["format", "--check", *config], ["check", *config]):
        done = subprocess.run([*ruff, *command, str(tmp_path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("make", [new_package, new_file])
def test_nothing_is_overwritten(make, tmp_path: Path) -> None:
    (first, *_) = make("fox", tmp_path)
    first.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is there already, and nothing is ever overwritten"):
        make("fox", tmp_path)
    assert first.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("make", [new_package, new_file])
def test_a_folder_that_cannot_be_written_is_told_in_one_line(make, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PutError, match="cannot write") as failure:
        make("fox", tmp_path / "file")
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    "name", ["", "Fox", "1fox", "-fox", "fox-", "a--b", "fox.py", "fox(a=1)", "füchse", "f" * 41]
)
def test_a_name_that_pip_or_python_would_refuse_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="such as fox or old-fox; got"):
        Naming(name)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none", "its class would be None"),
        ("view", "its class would be View"),
        ("odds", "there is a strategy 'odds' already, of put-cli"),
    ],
)
def test_a_name_that_is_taken_is_refused(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Naming(name)


def test_a_name_of_something_installed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the package put-cli .* is installed already"):
        new_package("cli", tmp_path)
    with pytest.raises(UsageError, match="there is a module put_strategies already"):
        new_package("strategies", tmp_path)
    with pytest.raises(UsageError, match="would hide Python's own module 'statistics'"):
        new_file("statistics", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_templates_are_data_of_the_package() -> None:
    names = {file.name for file in (files("put_cli.plugins") / "templates").iterdir()}
    assert len(names) >= 5
    config = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    patterns = config["tool"]["setuptools"]["package-data"]["put_cli.plugins"]
    assert patterns == ["templates/*.template"]
    assert all(name.endswith(".template") for name in names)

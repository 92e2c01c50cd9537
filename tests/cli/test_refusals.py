"""`put tournament` and `put match` refuse what cannot be, in one line, and leave nothing behind."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from put_cli.plugins import discovery
from tests.cli.conftest import Put, assert_refused

pytestmark = pytest.mark.usefixtures("in_a_folder")

SMALL = ("--games", "20", "--match-games", "5", "--seed", "3", "--workers", "1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["rondom", "thrifty"],
            "there is no strategy 'rondom'. Did you mean 'random'? 'put strategies' lists them",
        ),
        (["zzzzzzzz", "thrifty"], "there is no strategy 'zzzzzzzz'. 'put strategies' lists"),
        (["random"], "expected at least two strategies, got 1."),
        (["random", "thrifty", "random"], "random is given twice ('random' and 'random')"),
        (
            ["threshold", "threshold(level=9.0)"],
            "threshold is given twice ('threshold' and 'threshold(level=9.0)')",
        ),
        (["random", "thrifty", "--rules", "cottn"], "no rule set 'cottn'. Did you mean 'cotton'?"),
        (["random", "thrifty", "--rules", "cotton(targt=6)"], "Did you mean 'target'?"),
        (["random", "thrifty", "--games", "7"], "come in pairs, so expected an even number, got 7"),
        (["random", "thrifty", "--games", "0"], "--games: expected a number from 1 to"),
        (["random", "thrifty", "--games", "-4"], "--games: expected a number from 1 to"),
        (["random", "thrifty", "--games", "ten"], "'ten' is not a valid integer"),
        (["random", "thrifty", "--games", "1e6"], "'1e6' is not a valid integer"),
        (["random", "thrifty", "--match-games", "0"], "--match-games: expected a number from 1"),
        (["random", "thrifty", "--workers", "0"], "--workers: expected a number from 1 to 1024"),
        (["random", "thrifty", "--workers", "-1"], "--workers: expected a number from 1 to 1024"),
        (["random", "thrifty", "--seed", "-1"], "--seed: expected a number from 0 to"),
        (["random", "thrifty", "--log", "all"], "'all' is not one of 'hands', 'games', 'none'"),
        (["random", "thrifty", "--tier", "fast"], "'fast' is not one of"),
        (["random", "thrifty", "--gmaes", "4"], "No such option"),
        (["threshold(level=high)", "random"], "parameter level: expected a number, got 'high'"),
        (["threshold(level=true)", "random"], "parameter level: expected a number, got True"),
        (["threshold(level=1e999)", "random"], "parameter level: expected a number, got inf"),
        (["threshold(lvel=3)", "random"], "has no parameter 'lvel'. Did you mean 'level'?"),
        (["random(level=3)", "thrifty"], "random has no parameter 'level'. It has none."),
        (["threshold(level=3", "random"], "expected a strategy as name(parameter=value, ...)"),
        (["threshold(3)", "random"], "expected a strategy as name(parameter=value, ...)"),
        (["threshold(level=1, level=2)", "random"], "expected each parameter once, by name, got"),
        (["threshold(level=open('x'))", "random"], "expected plain values such as 0.2"),
        (["", "random"], "expected a strategy such as bold"),
        (["./nowhere.py", "random"], "cannot read the strategy file 'nowhere.py'"),
        (["no_such_module:Bot", "random"], "the module 'no_such_module' failed to import"),
        (
            ["put_strategies.simple:Rondom", "random"],
            "there is no 'Rondom'. Did you mean 'Random'?",
        ),
        (["json:JSONDecoder", "random"], "expected a subclass of put_cli.Strategy, got"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line_and_exit_code_2(put: Put, arguments: list[str], says: str) -> None:
    assert_refused(put("tournament", *arguments), says)


@pytest.mark.parametrize(
    ("name", "source", "says"),
    [
        ("syntax.py", "class Bot(:", "failed to import: SyntaxError: "),
        ("raises.py", "raise RuntimeError('two\\nlines')", "RuntimeError: two lines."),
        ("exits.py", "import sys\nsys.exit('bye')", "failed to import: SystemExit: bye."),
        ("empty.py", "", "expected one strategy (a subclass of put_cli.Strategy), found none"),
        (
            "two.py",
            "from put_cli import Strategy\nclass A(Strategy): pass\nclass B(Strategy): pass",
            "found A, B. Name one: two.py:A.",
        ),
        (
            "demands.py",
            "from dataclasses import dataclass\nfrom put_cli import Strategy\n"
            "@dataclass(frozen=True)\nclass A(Strategy):\n    level: int\n",
            "A strategy needs a default for every parameter.",
        ),
        (
            "refuses.py",
            "from put_cli import Strategy\nclass A(Strategy):\n"
            "    def __init__(self): raise ValueError('not\\nme')\n",
            "refuses.py cannot be made: ValueError: not me.",
        ),
        (
            "quits.py",
            "import sys\nfrom put_cli import Strategy\nclass A(Strategy):\n"
            "    def __init__(self): sys.exit(4)\n",
            "quits.py cannot be made: SystemExit: 4.",
        ),
    ],
    ids=lambda value: value if value.endswith(".py") else "",
)
def test_a_strategy_file_that_does_not_load_is_one_line_and_exit_code_2(
    put: Put, name: str, source: str, says: str
) -> None:
    Path(name).write_text(source)
    assert_refused(put("tournament", name, "random"), says)


def test_a_directory_in_use_is_refused_and_left_alone(put: Put, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "notes.txt").write_text("mine")
    result = put("match", "random", "thrifty", *SMALL, "--out", "used")
    assert_refused(result, "'used' already holds files, and results are never overwritten")
    assert [path.name for path in (tmp_path / "used").iterdir()] == ["notes.txt"]


def test_a_directory_that_cannot_be_made_is_refused(put: Put, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_refused(put("match", "random", "thrifty", "--out", "file"), "--out: cannot write to")
    assert_refused(put("match", "random", "thrifty", "--out", "file/x"), "--out: cannot write to")
    assert_refused(put("match", "random", "thrifty", "--out", "/proc/x"), "--out: cannot write to")


def test_an_empty_directory_is_taken(put: Put, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert put("match", "random", "thrifty", *SMALL, "--out", "empty").code == 0


# Plugins of other packages.


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path in which a package registers a good and two broken strategies."""
    site = tmp_path / "site"
    info = site / "otherbots-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: otherbots\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(
        "[put.strategies]\n"
        "othergood = otherbots:Good\n"
        "otherbroken = otherbots_broken:Broken\n"
        "otherquits = otherbots_quits:Quits\n"
    )
    (site / "otherbots.py").write_text(
        "from put_cli import SEE, Strategy, View\n"
        "class Good(Strategy):\n"
        '    """Plays its worst card."""\n'
        "    def act(self, view: View) -> int:\n"
        "        return SEE if view.asked or view.must_speak else view.lowest\n"
    )
    (site / "otherbots_broken.py").write_text("import a_library_nobody_has\n")
    (site / "otherbots_quits.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(site)
    discovery.forget()
    yield site
    monkeypatch.undo()
    discovery.forget()


def test_a_broken_plugin_keeps_no_other_from_playing_when_none_is_named(
    put: Put, plugins: Path
) -> None:
    result = put("tournament", "--games", "2", "--workers", "1", "--json", "--log", "none")
    assert result.code == 0
    names = [each["name"] for each in json.loads(result.out)["strategies"]]
    assert "othergood" in names
    assert "random" in names
    assert "otherbroken" not in names
    left_out = [line for line in result.err.splitlines() if line.startswith("Left out: ")]
    assert left_out == [
        "Left out: the strategy 'otherbroken' of otherbots 1.2 (otherbots_broken:Broken) failed to "
        "import: ModuleNotFoundError: No module named 'a_library_nobody_has'.",
        "Left out: the strategy 'otherquits' of otherbots 1.2 (otherbots_quits:Quits) failed to "
        "import: SystemExit: 0.",
    ]


def test_a_broken_plugin_that_is_named_is_an_error(put: Put, plugins: Path) -> None:
    assert_refused(
        put("tournament", "random", "otherbroken"),
        "the strategy 'otherbroken' of otherbots 1.2 (otherbots_broken:Broken) failed to import",
    )
    assert put("match", "random", "othergood", *SMALL, "--quiet").code == 0


def test_two_packages_with_one_name_are_an_error_only_when_it_is_used(
    put: Put, plugins: Path
) -> None:
    info = plugins / "more-3.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more\nVersion: 3.0\n")
    (info / "entry_points.txt").write_text("[put.strategies]\nothergood = more:Good\n")
    discovery.forget()
    assert_refused(
        put("match", "random", "othergood"),
        "two packages register a strategy 'othergood'",
    )
    assert put("match", "random", "thrifty", *SMALL, "--quiet").code == 0

"""`put tournament` and `put match`: results, refusals, exit codes."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from put_cli.plugins import discovery
from tests.cli.conftest import Put, Result
from tests.tournament.runs import write_strategies


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs go to a folder of the test; the command's handler of SIGTERM ends with it."""
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """Strategies in files."""
    return write_strategies(tmp_path)


SMALL = ("--games", "20", "--match-games", "5", "--seed", "3", "--workers", "1")


# What comes out.


def test_a_tournament_prints_its_standings_and_says_where_the_log_is(put: Put) -> None:
    result = put("tournament", "random", "thrifty", "highest", *SMALL, "--out", "run")
    assert result.code == 0
    for name in ("random", "thrifty", "highest"):
        assert name in result.out
    assert "cotton: 3 strategies (3 native), 3 pairings of 20 games, seed 3" in result.err
    assert "Log, tables and data dictionary: run" in result.err
    assert Path("run/standings.csv").read_text().count("\n") == 4


def test_json_is_one_object_with_what_was_played_and_what_came_out(put: Put) -> None:
    result = put("tournament", "random", "thrifty", "highest", *SMALL, "--json", "--quiet")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("\n") == 1
    told = json.loads(result.out)
    assert (told["rules"], told["seed"], told["games"]) == ("cotton", 3, 20)
    assert [each["name"] for each in told["strategies"]] == ["random", "thrifty", "highest"]
    assert {row["name"] for row in told["standings"]} == {"random", "thrifty", "highest"}
    assert [row["rank"] for row in told["standings"]] == [1, 2, 3]
    assert sum(row["wins"] for row in told["standings"]) == 60
    assert [(row["a"], row["b"]) for row in told["pairings"]] == [
        ("random", "thrifty"),
        ("random", "highest"),
        ("thrifty", "highest"),
    ]
    run = Path(told["run"])
    assert json.loads((run / "standings.json").read_text()) == told


def test_quiet_prints_the_result_alone(put: Put) -> None:
    loud = put("match", "random", "thrifty", *SMALL)
    quiet = put("match", "random", "thrifty", *SMALL, "--quiet")
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out == loud.out
    assert loud.err


def test_the_run_directory_is_named_by_time_and_rules_and_latest_leads_to_it(put: Put) -> None:
    names = []
    for rules in ("truc-french(raise=plus2)", "cotton"):
        put("match", "random", "thrifty", *SMALL, "--rules", rules)
        names.append(Path("runs/latest").resolve().name)
        assert put("standings").code == 0
    assert names[0].endswith("-truc-french-raise-plus2")
    assert names[1].endswith("-cotton")
    assert sorted(path.name for path in Path("runs").iterdir()) == sorted([*names, "latest"])


def test_a_run_needs_no_standard_error(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)  # a process that was started without one
    result = put("match", "random", "thrifty", *SMALL)
    assert result.code == 0
    assert "thrifty" in result.out


def test_match_is_a_tournament_of_two(put: Put) -> None:
    options = (*SMALL, "--json", "--quiet")
    match = json.loads(put("match", "random", "thrifty", *options, "--out", "a").out)
    both = json.loads(put("tournament", "random", "thrifty", *options, "--out", "b").out)
    assert match.pop("run") == "a"
    assert both.pop("run") == "b"
    assert match == both


def test_the_seed_is_random_and_told_when_none_is_given(put: Put) -> None:
    seeds = {
        json.loads(put("match", "random", "thrifty", "--games", "2", "--json").out)["seed"]
        for _ in range(3)
    }
    assert len(seeds) == 3


def test_every_installed_strategy_plays_when_none_is_named(put: Put) -> None:
    told = json.loads(
        put("tournament", "--games", "2", "--workers", "1", "--json", "--log", "none").out
    )
    assert len(told["strategies"]) == len({each.name for each in discovery.installed()})


def test_a_fault_ends_a_finished_run_with_exit_code_3(put: Put, own: dict[str, str]) -> None:
    result = put("tournament", own["faulty"], "random", "thrifty", *SMALL, "--out", "run")
    assert result.code == 3
    assert "faulty raised IndexError: tuple index out of range" in result.err
    assert "faulty" in result.out
    told = json.loads(Path("run/standings.json").read_text())
    faults = {row["name"]: row["faults"] for row in told["standings"]}
    assert faults["faulty"] > 0
    assert faults["random"] == faults["thrifty"] == 0
    assert f"Games lost by a fault: {faults['faulty']}" in result.err
    assert put("tournament", own["faulty"], "random", *SMALL, "--json", "--quiet").code == 3


@pytest.mark.parametrize("tier", ["native", "batch", "interpreted"])
def test_a_tier_can_be_asked_for_and_changes_nothing(
    put: Put, own: dict[str, str], tier: str
) -> None:
    options = (*SMALL, "--json", "--quiet")
    told = json.loads(put("match", own["mixed"], "random", *options, "--tier", tier).out)
    auto = json.loads(put("match", own["mixed"], "random", *options).out)
    assert told["standings"] == auto["standings"]


# Refusals.


def assert_refused(result: Result, says: str, code: int = 2) -> None:
    """One line on standard error, nothing on standard output, nothing left behind."""
    assert result.code == code, result
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1, result.err
    assert says in result.err
    assert not Path("run").exists()
    assert not Path("runs").exists()


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
    caches = (discovery._points.cache_clear, discovery.load.cache_clear)
    for clear in caches:
        clear()
    yield site
    monkeypatch.undo()
    for clear in caches:
        clear()


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
    discovery._points.cache_clear()
    assert_refused(
        put("match", "random", "othergood"),
        "two packages register a strategy 'othergood'",
    )
    assert put("match", "random", "thrifty", *SMALL, "--quiet").code == 0


# A tournament in a file.

CONFIG = """
strategies = ["random", "threshold(level=8.5)", "highest"]
rules = "cotton(target=7)"
games = 20
seed = 9
workers = 1
match_games = 5
mirror = false
log = "games"
out = "run"
"""


def test_a_file_holds_the_options_of_a_tournament(put: Put) -> None:
    Path("tournament.toml").write_text(CONFIG)
    result = put("tournament", "--config", "tournament.toml", "--json", "--quiet")
    assert result.code == 0
    told = json.loads(result.out)
    assert [each["name"] for each in told["strategies"]] == [
        "random",
        "threshold(level=8.5)",
        "highest",
    ]
    assert (told["rules"], told["games"], told["seed"]) == ("cotton(target=7)", 20, 9)
    assert (told["match_games"], told["mirror"], told["run"]) == (5, False, "run")
    assert not Path("run/hands").exists()
    assert Path("run/games").exists()


def test_options_given_beside_a_file_win(put: Put) -> None:
    Path("tournament.toml").write_text(CONFIG)
    options = ("thrifty", "random", "--games", "4", "--mirror", "--rules", "hoyle", "--out", "own")
    result = put("tournament", *options, "--config", "tournament.toml", "--json", "--quiet")
    told = json.loads(result.out)
    assert [each["name"] for each in told["strategies"]] == ["thrifty", "random"]
    assert (told["rules"], told["games"], told["mirror"], told["run"]) == ("hoyle", 4, True, "own")
    assert told["seed"] == 9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game = 4", "there is no key 'game'. Did you mean 'games'? The keys are: strategies, "),
        ("games = 'many'", "games: expected a number, got 'many'."),
        ("games = 4.0", "games: expected a number, got 4.0."),
        ("games = true", "games: expected a number, got True."),
        ("mirror = 1", "mirror: expected true or false, got 1."),
        ("rules = 3", "rules: expected a text, got 3."),
        ("strategies = 'random'", "strategies: expected a list, got 'random'."),
        ("strategies = ['random', 3]", "strategies: expected texts, got 3."),
        ("strategies = ['random', 'nobody_at_all']", "there is no strategy 'nobody_at_all'."),
        ("log = 'all'", "'all' is not one of 'hands', 'games', 'none'"),
        ("games = 7", "come in pairs"),
        ("games = [", "tournament.toml is not TOML: "),
        ("[tournament]\ngames = 4", "there is no key 'tournament'"),
        ("games = 4\ngames = 6", "is not TOML"),
        ("games = 0x" + "f" * 5000, "is not TOML: Exceeds the limit"),
        ("rules = 'nothing'", "there is no rule set 'nothing'"),
    ],
)
def test_a_wrong_file_is_one_line_and_exit_code_2(put: Put, text: str, says: str) -> None:
    Path("tournament.toml").write_text(text)
    arguments = () if "strategies" in text else ("random", "thrifty")
    assert_refused(put("tournament", *arguments, "--config", "tournament.toml"), says)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00", b"a = " + b"[" * 5000])
def test_a_file_of_strange_bytes_is_one_line_and_exit_code_2(put: Put, content: bytes) -> None:
    Path("tournament.toml").write_bytes(content)
    assert_refused(put("tournament", "--config", "tournament.toml"), "tournament.toml")


def test_a_missing_file_is_one_line_and_exit_code_2(put: Put) -> None:
    assert_refused(put("tournament", "--config", "none.toml"), "none.toml' does not exist")

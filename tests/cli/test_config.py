"""`put tournament --config`: a tournament in a file."""

import json
import tomllib
from pathlib import Path

import pytest

from put_cli.cli.tournament import command, config_keys
from tests.cli.conftest import Put, assert_refused

pytestmark = pytest.mark.usefixtures("in_a_folder")

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


def test_every_option_may_stand_in_the_file(put: Put) -> None:
    Path("tournament.toml").write_text(
        CONFIG
        + 'tier = "interpreted"\njson = true\nquiet = true\n'
        + "team = []\nmisdeals = 0\ntables = 3\n"
        + "move_timeout = 2.5\nmemory_limit = 2048\nmax_faults = 7\nstrict = true\nexact = false\n"
    )
    result = put("tournament", "--config", "tournament.toml")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["seed"] == 9
    assert "random plays in the interpreted tier" in Path("run/run.log").read_text()
    assert set(config_keys(command)) == set(tomllib.loads(Path("tournament.toml").read_text()))


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
        ("teir = 'auto'", "there is no key 'teir'. Did you mean 'tier'? The keys are: strategies,"),
        ("config = 'other.toml'", "there is no key 'config'."),
        ("rules_text = 'hoyle'", "there is no key 'rules_text'."),
        ("tier = 'fast'", "'fast' is not one of 'auto', 'native', 'batch', 'interpreted'"),
        ("json = 'yes'", "json: expected true or false, got 'yes'."),
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

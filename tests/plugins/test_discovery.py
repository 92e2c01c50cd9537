"""Finding strategies: installed ones, files, modules."""

import sys
from pathlib import Path

import pytest

from put_cli.errors import SpecError
from put_cli.plugins import discovery
from put_cli.plugins.discovery import installed, load, load_all
from put_cli.rules.finding import find_ruleset

BOT = """
from put_cli import SEE, Strategy, View

class Bot(Strategy):
    '''Plays its worst card.

    And sees everything.
    '''
    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest
"""

COTTON, PARTNERS = find_ruleset("cotton"), find_ruleset("four-handed")


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
    discovery.forget()
    with pytest.raises(SpecError, match="Bot defines no act"):
        load(str(path))


def test_an_edited_file_is_another_module(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    first = load(str(path)).strategy
    path.write_text(BOT.replace("worst", "other"))
    discovery.forget()
    second = load(str(path)).strategy
    assert type(first) is not type(second)
    assert first.__doc__ != second.__doc__


def test_a_file_whose_name_is_no_text_gets_one_that_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "bot\udcff.py"
    try:
        path.write_text(BOT)
    except OSError:
        pytest.skip("the file system takes no such name")
    assert load(str(path)).name == r"bot\udcff"
    assert load(f"{path}:Bot").name == r"bot\udcff:Bot"


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, where files of one name lie in several folders."""
    monkeypatch.chdir(tmp_path)
    discovery.forget()  # it goes by the paths as they are given
    source = BOT.replace("class Bot", "@dataclass(frozen=True)\nclass Bot")
    source = source.replace("    def act", "    level: int = 1\n    def act")
    for folder in (".", "a", "b", "c/a", "d"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "bot.py").write_text("from dataclasses import dataclass\n" + source)
    (tmp_path / "d" / "other.py").write_text(BOT)
    return tmp_path


def test_two_files_of_one_name_are_two_strategies(bots: Path) -> None:
    a, b = load("a/bot.py"), load("b/bot.py")
    assert type(a.strategy) is not type(b.strategy)
    assert type(a.strategy).__module__ != type(b.strategy).__module__


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["a/bot.py", "d/other.py"], ["bot", "other"]),
        (["a/bot.py", "b/bot.py"], ["a/bot", "b/bot"]),
        (["b/bot.py", "./a/bot.py", "random"], ["b/bot", "a/bot", "random"]),
        (["bot.py", "a/bot.py"], ["bot", "a/bot"]),
        (["a/bot.py", "c/a/bot.py", "b/bot.py"], ["a/bot", "c/a/bot", "b/bot"]),
        (["a/bot.py(level=2)", "b/bot.py"], ["a/bot(level=2)", "b/bot"]),
        (["a/bot.py", "a/bot.py(level=2)"], ["bot", "bot(level=2)"]),
        (["a/bot.py", "a/bot.py(level=2)", "b/bot.py"], ["a/bot", "a/bot(level=2)", "b/bot"]),
        (["a/bot.py:Bot", "d/../b/bot.py:Bot"], ["a/bot:Bot", "b/bot:Bot"]),
        (["a/bot.py:Bot", "b/bot.py"], ["a/bot:Bot", "b/bot"]),
    ],
)
def test_files_of_one_name_are_called_by_the_paths_that_tell_them_apart(
    bots: Path, texts: list[str], names: list[str]
) -> None:
    assert [each.name for each in load_all(tuple(texts), rules=COTTON)[0]] == names


def test_whole_paths_are_cut_to_what_tells_them_apart(bots: Path) -> None:
    loaded, _ = load_all((f"{bots}/a/bot.py", f"{bots}/b/bot.py"), rules=COTTON)
    assert [each.name for each in loaded] == ["a/bot", "b/bot"]


def test_one_file_by_two_paths_is_given_twice(bots: Path) -> None:
    for other in ("./a/bot.py", "d/../a/bot.py", f"{bots}/a/bot.py", "a/bot.py(level=1)"):
        with pytest.raises(SpecError, match="bot is given twice"):
            load_all(("a/bot.py", other), rules=COTTON)


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


# Teams.


def names(*texts: str, partners: bool = True) -> list[str]:
    """What the sides of a run are called."""
    rules = PARTNERS if partners else COTTON
    return [each.name for each in load_all(texts, rules=rules)[0]]


def test_a_team_is_called_by_both_its_members() -> None:
    assert names("odds+bold", "bold(worst=3.0) + odds", "odds") == [
        "odds+bold",
        "bold(worst=3.0)+odds",
        "odds",
    ]
    team, _ = load_all(("odds+bold", "odds"), rules=PARTNERS)
    assert (team[0].text, team[0].partner and team[0].partner.name) == ("odds+bold", "bold")
    assert team[1].partner is None


def test_a_team_of_one_strategy_is_just_that() -> None:
    assert names("odds+odds", "bold") == ["odds", "bold"]
    assert names("bold(worst=5.0)+bold(worst=5)", "odds") == ["bold(worst=5.0)", "odds"]


def test_a_plus_within_brackets_or_in_the_name_of_a_file_makes_no_team(tmp_path: Path) -> None:
    bot = tmp_path / "a+b.py"
    bot.write_text(BOT)
    for partners in (True, False):
        assert names(f"{bot}", "odds", partners=partners) == ["a+b", "odds"]
        assert names("bold(worst=1e+1)", "odds", partners=partners)[0] == "bold(worst=10.0)"


def test_members_from_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("left", "right"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(BOT)
    left, right = f"{tmp_path}/left/bot.py", f"{tmp_path}/right/bot.py"
    assert names(f"{left}+{right}", f"{right}+odds", left) == [
        "left/bot+right/bot",
        "right/bot+odds",
        "left/bot",
    ]


def test_one_broken_member_breaks_the_team() -> None:
    with pytest.raises(SpecError, match=r"there is no strategy 'bodl'\. Did you mean 'bold'"):
        names("odds+bodl", "bold")
    for text in ("odds+", "+odds", "odds+bold+timid"):
        with pytest.raises(SpecError, match="expected a team of two strategies such as bold"):
            names(text, "bold")


def test_teams_are_refused_where_nobody_has_a_partner() -> None:
    with pytest.raises(
        SpecError, match=r"'odds\+bold' is a team, and in this game nobody has a par"
    ):
        names("odds+bold", "timid", partners=False)

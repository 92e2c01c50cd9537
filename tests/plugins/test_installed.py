"""Plugins as packages: found by metadata alone, in whatever form they are installed."""

import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from put_cli.errors import SpecError
from put_cli.log.manifest import read
from put_cli.plugins import discovery
from put_cli.plugins.contract import check
from put_cli.plugins.discovery import installed, load, load_all
from put_cli.rules.finding import find_ruleset
from put_cli.tournament.run import prepare
from put_cli.tournament.settings import Settings

BOT = """
from dataclasses import dataclass
from put_cli import SEE, THROW, Strategy

LEVEL = 3

@dataclass(frozen=True)
class Bot(Strategy):
    '''Lays its worst card.'''

    level: int = LEVEL

    def act(self, view):
        if view.asked:
            return SEE if view.highest > self.level else THROW
        return view.lowest if view.may_play else THROW
"""


def metadata(package: str, version: str, points: dict[str, str]) -> dict[str, str]:
    """The files by which an installed package is known."""
    folder = f"{package.replace('-', '_')}-{version}.dist-info"
    lines = "\n".join(f"{name} = {target}" for name, target in points.items())
    return {
        f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n",
        f"{folder}/entry_points.txt": f"[put.strategies]\n{lines}\n",
    }


def write(folder: Path, files: dict[str, str]) -> Path:
    """The files below a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """`use(folder, ...)` makes the packages there count as installed, as for a new process."""

    def forget() -> None:
        discovery.forget()
        for name in list(sys.modules):
            if name.partition(".")[0] in ("our_bot", "their_bot", "bots"):
                del sys.modules[name]

    def used(*places: Path) -> None:
        forget()
        for place in places:
            monkeypatch.syspath_prepend(str(place))

    yield used
    monkeypatch.undo()
    forget()


Use = Callable[..., None]


def test_a_package_is_listed_with_its_version(tmp_path: Path, use: Use) -> None:
    write(tmp_path, {"our_bot.py": BOT})
    write(tmp_path, metadata("our-bots", "2.5", {"bot": "our_bot:Bot"}))
    use(tmp_path)
    (found,) = (each for each in installed() if each.name == "bot")
    assert (found.package, found.version, found.target) == ("our-bots", "2.5", "our_bot:Bot")
    loaded = load("bot(level=4)")
    assert (loaded.name, loaded.package, loaded.version) == ("bot(level=4)", "our-bots", "2.5")


def test_listing_imports_no_plugin(tmp_path: Path, use: Use) -> None:
    write(tmp_path, {"our_bot.py": "raise SystemExit('imported')\n"})
    write(tmp_path, metadata("our-bots", "2.5", {"bot": "our_bot:Bot"}))
    use(tmp_path)
    before = set(sys.modules)
    assert "bot" in {each.name for each in installed()}
    assert {name for name in set(sys.modules) - before if "bot" in name} == set()


def test_a_broken_plugin_harms_nobody_until_it_is_used(tmp_path: Path, use: Use) -> None:
    write(tmp_path, {"our_bot.py": "import a_module_that_is_not_there\n"})
    write(tmp_path, metadata("our-bots", "2.5", {"bot": "our_bot:Bot"}))
    use(tmp_path)
    assert load("thrifty").name == "thrifty"
    with pytest.raises(SpecError) as failure:
        load("bot")
    assert str(failure.value) == (
        "the strategy 'bot' of our-bots 2.5 (our_bot:Bot) failed to import: "
        "ModuleNotFoundError: No module named 'a_module_that_is_not_there'."
    )
    # Where nobody is named everybody plays, and the broken one is left out with that message.
    loaded, left_out = load_all((), rules=find_ruleset("cotton"))
    assert "bot" not in {each.name for each in loaded}
    assert left_out == [str(failure.value)]


def test_a_name_of_two_packages_is_an_error_that_names_both(tmp_path: Path, use: Use) -> None:
    write(tmp_path, {"our_bot.py": BOT, "their_bot.py": BOT})
    write(tmp_path, metadata("our-bots", "2.5", {"bot": "our_bot:Bot"}))
    write(tmp_path, metadata("their-bots", "0.1", {"bot": "their_bot:Bot"}))
    use(tmp_path)
    with pytest.raises(SpecError, match="two packages register a strategy 'bot'") as failure:
        load("bot")
    assert "our-bots 2.5 (our_bot:Bot)" in str(failure.value)
    assert "their-bots 0.1 (their_bot:Bot)" in str(failure.value)
    # The advice works: a class can always be named.
    assert load("their_bot:Bot").package == "their_bot"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("our_bot:Number", "our_bot:Number: expected a subclass of put_cli.Strategy, got 3"),
        ("our_bot:Lost", r"'bot' of our-bots 2\.5 \(our_bot:Lost\) failed to import"),
        ("our_bot", "our_bot: expected a subclass of put_cli.Strategy, got <module"),
    ],
)
def test_an_entry_point_that_is_no_strategy_is_named(
    tmp_path: Path, use: Use, target: str, says: str
) -> None:
    write(tmp_path, {"our_bot.py": "Number = 3\n"})
    write(tmp_path, metadata("our-bots", "2.5", {"bot": target}))
    use(tmp_path)
    with pytest.raises(SpecError, match=says):
        load("bot")


def test_a_zipped_package_is_found_compiled_and_checked(tmp_path: Path, use: Use) -> None:
    archive = tmp_path / "our_bots-2.5-py3-none-any.whl"
    contents = {"our_bot.py": BOT} | metadata("our-bots", "2.5", {"bot": "our_bot:Bot"})
    with zipfile.ZipFile(archive, "w") as file:
        for name, text in contents.items():
            file.writestr(name, text)
    use(archive)
    loaded = load("bot")
    assert loaded.version == "2.5"
    report = check(loaded.strategy, rules=["plain"], samples=1, measure=False)
    assert (report.ok, report.tier) == (True, "native")


def test_namespace_packages_are_found_side_by_side(tmp_path: Path, use: Use) -> None:
    ours = write(tmp_path / "ours", {"bots/ours/bot.py": BOT})
    theirs = write(tmp_path / "theirs", {"bots/theirs/bot.py": BOT})
    write(ours, metadata("our-bots", "2.5", {"ours": "bots.ours.bot:Bot"}))
    write(theirs, metadata("their-bots", "0.1", {"theirs": "bots.theirs.bot:Bot"}))
    use(ours, theirs)
    assert load("ours").package == "our-bots"
    assert load("theirs").package == "their-bots"


def test_an_editable_install_is_used_as_it_stands(tmp_path: Path, use: Use) -> None:
    # An editable install is metadata in one place and a path to the sources in another.
    source = write(tmp_path / "source", {"our_bot.py": BOT})
    site = write(tmp_path / "site", metadata("our-bots", "2.5", {"bot": "our_bot:Bot"}))
    use(site, source)
    assert load("bot").summary == "Lays its worst card."
    write(source, {"our_bot.py": BOT.replace("worst", "very worst")})
    use()
    assert load("bot").summary == "Lays its very worst card."


def manifest(folder: Path, name: str = "bot") -> dict[str, Any]:
    """What the manifest of a run says of a strategy."""
    settings = Settings(
        strategies=(name, "thrifty"), rules=find_ruleset("cotton"), games=2, seed=1, out=folder
    )
    entry: dict[str, Any] = read(prepare(settings).run).strategies[0]
    return entry


def test_the_manifest_names_package_version_and_source(tmp_path: Path, use: Use) -> None:
    site = write(tmp_path / "site", {"our_bot.py": BOT})
    write(site, metadata("our-bots", "2.5", {"bot": "our_bot:Bot"}))
    use(site)
    entry = manifest(tmp_path / "first", "bot(level=4)")
    assert entry["name"] == entry["spec"] == "bot(level=4)"
    assert (entry["package"], entry["version"]) == ("our-bots", "2.5")
    assert entry["parameters"] == {"level": 4}
    source = entry["source"]
    assert len(source) == 16
    assert int(source, 16)
    use()
    assert manifest(tmp_path / "again")["source"] == source
    # The version was forgotten, the source tells.
    write(site, {"our_bot.py": BOT.replace("view.lowest if", "view.highest if")})
    use()
    edited = manifest(tmp_path / "edited")
    assert edited["version"] == "2.5"
    assert edited["source"] != source


def test_a_class_named_by_module_has_the_version_of_its_package(tmp_path: Path, use: Use) -> None:
    write(tmp_path, {"our_bot.py": BOT})
    files = metadata("our-bots", "2.5", {})
    files["our_bots-2.5.dist-info/RECORD"] = "our_bot.py,,\n"
    write(tmp_path, files)
    use(tmp_path)
    loaded = load("our_bot:Bot")
    assert (loaded.package, loaded.version) == ("our-bots", "2.5")

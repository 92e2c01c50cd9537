"""A run whose names, rule set and faults hold escapes, bidi controls and markup harms nobody."""

import json
import os
import re
import tracemalloc
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError
from put_cli.log import manifest
from put_cli.log.bounds import contradictory, refuse_large
from put_cli.log.schema import Format
from put_cli.log.store import Folder
from put_cli.log.writer import write_shard
from put_cli.rules.finding import find_ruleset
from put_cli.verify.run import Wish, verify
from tests.cli.conftest import Put
from tests.tournament.runs import play_run
from tests.untrusted.damaged import EDIT, damaged_run

ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e\u2066\x9b"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>&\"'"

IN_A_NAME = "<script>alert`1`</script><img src=x onerror=y>&"
"""The same without brackets and quotes, as a file's name can have it."""

STRATEGY = f'''
from dataclasses import dataclass
from put_cli import SEE, Strategy


@dataclass(frozen=True)
class Evil(Strategy):
    """Says {IN_A_NAME}."""

    mark: str = "x"

    def act(self, view):
        if view.luck > 0.8:
            raise ValueError({ESCAPES + MARKUP!r})
        return SEE if view.asked else view.lowest
'''

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no file can have such a name there")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / f"evil{ESCAPES}{IN_A_NAME.replace('/', '|')}.py"
    path.write_text(STRATEGY)
    rules = folder / "rules.toml"
    rules.write_text('base = "cotton"\nname = "{}"\n'.format(MARKUP.replace('"', '\\"')))
    run = folder / "run"
    play_run(run, str(path), f"{path}:Evil(mark='<b onload=x>')", "random", rules=str(rules))
    return run


def test_the_run_is_as_hostile_as_it_is_meant_to_be(hostile: Path) -> None:
    made = manifest.read(hostile)
    assert any(ESCAPES in name and "<script>" in name for name in made.names)
    assert made.rules.name == MARKUP
    reasons = pq.read_table(hostile / "games")["fault_reason"].to_pylist()
    assert any(reason and "\x1b" in reason and MARKUP in reason for reason in reasons)


@pytest.mark.parametrize(
    "command",
    [
        ("standings",),
        ("standings", "--format", "markdown"),
        ("standings", "--format", "csv"),
        ("replay", "--game", "0/0/0/1"),
        ("replay", "--game", "0/0/0/0", "--hand", "0"),
        ("replay", "--game", "nobody v none/0/0/0"),
        ("verify", "--quiet"),
        ("verify", "--quiet", "--replay", "1"),
        ("compare",),
        ("standings", "--anchor", f"{ESCAPES}=1500"),
    ],
)
def test_no_command_prints_what_a_terminal_obeys(
    put: Put,
    hostile: Path,
    command: tuple[str, ...],
) -> None:
    name, *options = command
    runs = (str(hostile),) * (2 if name == "compare" else 1)
    result = put(name, *runs, *options)
    assert result.out or result.err
    for line in f"{result.out}\n{result.err}".split("\n"):
        assert line.isprintable(), line


@pytest.mark.parametrize(
    "name", ["standings.csv", "standings.md", "crosstable.csv", "README.md", "run.log"]
)
def test_no_file_for_reading_holds_what_a_terminal_obeys(hostile: Path, name: str) -> None:
    text = (hostile / name).read_text()
    assert all(line.isprintable() for line in re.split("\r?\n", text))


class _Tags(HTMLParser):
    """Every tag of a page, and every attribute of one."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.attributes: set[str] = set()
        self.tags: set[str] = set()
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "script":
            self.scripts.append("")
            self._in_script = True

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data


@pytest.mark.filterwarnings("ignore:constrained_layout not applied")  # names are very long
def test_the_page_of_a_run_shows_markup_and_obeys_none(
    put: Put,
    hostile: Path,
    tmp_path: Path,
) -> None:
    pytest.importorskip("matplotlib")
    page = tmp_path / "report.html"
    result = put("report", str(hostile), "-o", str(page))
    assert result.code == 0, result
    text = page.read_text(encoding="utf-8")
    found = _Tags()
    found.feed(text)
    assert "&lt;script&gt;alert" in text  # it is there, as text
    assert not any("alert" in script for script in found.scripts)
    assert not any(name.startswith("on") for name in found.attributes)
    assert all(each.isprintable() for each in text.split("\n"))


# Where files lead.


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    play_run(tmp_path / "run", "bold", "timid", games=20)
    return tmp_path / "run"


@pytest.mark.parametrize("what", ["part", "folder", "manifest.json", "standings.csv"])
def test_nothing_that_a_link_leads_to_is_read(sound: Path, tmp_path: Path, what: str) -> None:
    """Not even when it is what should lie there."""
    place = {
        "part": sound / "hands" / "part-000000.parquet",
        "folder": sound / "hands",
    }.get(what, sound / what)
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    if what == "manifest.json":
        with pytest.raises(RunError, match="symbolic link"):
            verify(Wish(run=sound))
        return
    faults = verify(Wish(run=sound)).findings.faults
    assert any("link" in each.found or "something else" in each.found for each in faults)


def test_a_link_to_the_run_itself_is_followed(sound: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(sound)
    assert verify(Wish(run=tmp_path / "latest")).sound


def test_code_that_a_run_names_is_not_run_unasked(put: Put, hostile: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    text = (hostile / "manifest.json").read_text()
    made = manifest.read(hostile)
    data: dict[str, Any] = json.loads(text)
    data["strategies"][0]["spec"] = str(trap)
    run = tmp_path / "run"
    run.mkdir()
    (run / "manifest.json").write_text(json.dumps(data))
    result = put("verify", str(run), "--replay", "1", "--quiet")
    assert result.code == 2
    assert "say --trust" in result.err
    assert not (tmp_path / "sprung").exists()
    assert made.names


# How much of them.


@pytest.fixture
def huge(tmp_path: Path) -> Iterator[Path]:
    """A file that seems to have 3 GB, and takes no room."""
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(3 << 30)
    yield path
    path.unlink()


def refused(result: Any, says: str) -> None:
    assert result.code in (1, 2)
    assert result.err.count("\n") <= 4
    assert says in result.err


def test_files_that_are_too_large_are_refused_unread(put: Put, sound: Path, huge: Path) -> None:
    named = {
        suffix: huge.with_name(f"huge{suffix}").absolute() for suffix in (".toml", "-config.toml")
    }
    for path in named.values():
        os.link(huge, path)
    tracemalloc.start()
    refused(put("rules", str(named[".toml"])), "expected at most 65,536 bytes")
    refused(put("tournament", "--config", str(named["-config.toml"])), "expected at most 1,048,576")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6
    for name in ("forfeits.json", "manifest.json"):
        (sound / name).unlink(missing_ok=True)
        os.link(huge, sound / name)
        refused(put("verify", str(sound), "-q"), "expected at most 67,108,864 bytes")


@pytest.mark.parametrize("nested", ["[" * 200_000, '{"a":' * 100_000])
def test_what_is_nested_too_deeply_is_refused(put: Put, sound: Path, nested: str) -> None:
    toml = sound.with_name("deep.toml")
    toml.write_text(f"name = {nested[:60_000]}")
    refused(put("rules", str(toml)), "deep.toml")
    refused(put("tournament", "--config", str(toml)), "deep.toml")
    (sound / "manifest.json").write_text(nested)
    for command in ("verify", "standings", "replay", "report"):
        refused(put(command, str(sound)), "manifest.json")


def cell(table: int, form: str, column: str, row: int, value: int) -> bytes:
    """The edit that writes a number, or a word, into a column of a cotton run's table."""
    names = [each.name for each in Format(find_ruleset("cotton")).tables[form]]
    return EDIT.pack(table, names.index(column), row, value)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("wins_a", 1 << 40, "wins_a: expected a number from 0 to"),
        ("wins_a", -1, "wins_a: expected a number from 0 to"),
        ("games", 3, "games: expected a number from 1 to 2, got 3"),
        ("games", 0, "games: expected a number from 1 to 2, got 0"),
        ("wins_b", 3, "games less those won"),
        ("dealt_wins_a", 3, "dealt_a less dealt_wins_a"),
        ("block", (1 << 31) - 1, "block: expected a number from 0 to 7, got 2,147,483,647"),
        ("points_a", -(1 << 62), "points_a: expected a number from"),
        ("pairs_2", 2, "more mirrored pairs than their games make"),
    ],
)
def test_tallies_of_what_cannot_be_are_refused_by_name(
    put: Put, column: str, value: int, says: str
) -> None:
    # The hashes fit: the figures alone are wrong.
    with damaged_run(cell(0, "tallies", column, 0, value), ("tallies",)) as run:
        for command in ("standings", "cycles"):
            refused(put(command, str(run)), says)
        assert put("verify", str(run), "-q").code == 1


@pytest.mark.parametrize(
    ("column", "value"), [("eldest_cards", 8), ("dealer_cards", 0), ("eldest_score", 99)]
)
def test_hands_of_what_cannot_be_are_refused_where_they_are_counted(
    put: Put, column: str, value: int
) -> None:
    with damaged_run(cell(0, "hands", column, 3, value), ("hands",)) as run:
        refused(put("habits", str(run)), "'put verify")
        refused(put("standings", str(run), "--luck-removed"), "damaged")
        assert put("standings", str(run)).code == 0
        assert put("verify", str(run), "-q").code == 1


def test_a_part_with_more_rows_than_games_can_have_is_refused(sound: Path) -> None:
    made = manifest.read(sound)
    tables = {
        name: pq.ParquetFile(sound / name / "part-000000.parquet").read()
        for name in ("hands", "games", "tallies")
    }
    rows = tables["tallies"].num_rows
    tables["tallies"] = tables["tallies"].take([0] * 150_000)
    write_shard(Folder(sound), made.form, 0, made.fingerprint(0), tables)
    faults = [each.found for each in verify(Wish(run=sound)).findings.faults]
    assert rows < 150_000
    assert any("150,000 rows" in each for each in faults)


def test_a_file_whose_groups_have_other_rows_than_it_says_is_refused_before_room_is_made(
    sound: Path,
) -> None:
    # Its one group says that it has 173,251,950,207 rows, the file that it has one.
    lying = pq.read_metadata(Path(__file__).parent / "corpus" / "policy" / "rows-without-end")
    assert contradictory(lying)
    with pytest.raises(RunError, match="contradicts itself about its rows"):
        refuse_large(sound, lying)
    parts = list(sound.rglob("*.parquet"))
    assert parts
    assert not any(contradictory(pq.read_metadata(part)) for part in parts)

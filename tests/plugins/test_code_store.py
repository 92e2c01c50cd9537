"""Kept machine code is never stale, never trusted blindly, and never needed."""

import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from put_cli import PUT, SEE, Strategy, View
from put_cli.engine.compiled import kernel_digest, platform_digest
from put_cli.engine.lanes import T_PUTS
from put_cli.engine.native import compile_method
from put_cli.engine.reach import digest, source_digest
from put_cli.plugins.code_store import DiskStore, default_folder
from tests.engine.compiling import MemoryStore
from tests.engine.field import mirrored, played

PROGRAM = """
import json, os, sys
from pathlib import Path
from put_cli.engine import lanes as ln
from put_cli.engine.play import prepare_kernel
from put_cli.engine.players import enlist
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from tests.engine.field import mirrored, played

class Counting(DiskStore):
    def __init__(self, *folder):
        super().__init__(*folder)
        self.loads = self.saves = 0
    def load(self, digest):
        data = super().load(digest)
        self.loads += data is not None
        return data
    def save(self, digest, data):
        self.saves += 1
        super().save(digest, data)

kernels, store = Counting(Path(os.environ["KERNELS"])), Counting()
prepare_kernel(kernels)
field = [enlist(text, load(text).strategy, store) for text in sys.argv[1:]]
result = played(field, mirrored(1, 30))
print(json.dumps({
    "tiers": [player.tier for player in field],
    "why": [player.why for player in field],
    "puts": result.tallies[:, ln.T_PUTS : ln.T_PUTS + 2].tolist(),
    "hands": int(result.tallies[:, ln.T_HANDS].sum()),
    "loads": store.loads, "saves": store.saves,
    "kernels": [kernels.loads, kernels.saves],
    "reasons": len(result.reasons), "differences": len(result.differences),
}))
"""
ROOT = Path(__file__).parents[2]


@dataclass
class Desk:
    """An author's folder and a cache, and fresh processes that play what is in the folder."""

    folder: Path
    cache: Path

    def write(self, name: str, text: str) -> None:
        """Write a file without changing its time of modification, as far as that is possible."""
        path = self.folder / name
        path.write_text(text)
        os.utime(path, (1_700_000_000, 1_700_000_000))

    def play(self, kernels: Path | None = None) -> dict[str, Any]:
        """One run of `bot.py` against `highest` in a new process.

        Its kernel takes long to compile, and comes out of the cache of all tests unless the test
        is about kernels.
        """
        done = subprocess.run(
            [
                sys.executable,
                "-W",
                "error",
                "-c",
                PROGRAM,
                str(self.folder / "bot.py"),
                "put_strategies.simple:Highest",
            ],
            env=os.environ
            | {
                "PUT_CACHE_DIR": str(self.cache),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONPATH": str(ROOT),
                "KERNELS": str(kernels or default_folder().expanduser()),
            },
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        assert told["tiers"] == ["native", "native"], told["why"]
        assert not told["reasons"]
        assert not told["differences"]
        return told

    def lay_out(self) -> "Desk":
        """Write the author's two files."""
        self.folder.mkdir(exist_ok=True)
        self.write("bot.py", BOT)
        self.write("levels.py", LEVELS)
        return self


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The cache that a first run has filled, and what that run told."""
    base = tmp_path_factory.mktemp("first")
    desk = Desk(base / "author", base / "cache").lay_out()
    return desk.cache, desk.play()


@pytest.fixture
def desk(tmp_path: Path, first: tuple[Path, dict[str, Any]]) -> Desk:
    """That author's folder as it was, and a copy of that cache."""
    shutil.copytree(first[0], tmp_path / "cache")
    return Desk(first[0].parent / "author", tmp_path / "cache").lay_out()


BOT = """
from put_cli import PUT, SEE, THROW, Strategy, View
import levels
from levels import bold

MOST = 9

class Bot(Strategy):
    level = 1

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        if view.may_put and self.wants(view) and bold(MOST) and levels.LIMIT < 9:
            return PUT
        return view.highest

    def wants(self, view: View) -> bool:
        return self.level < 5
"""
LEVELS = """
LIMIT = 3
OTHER = 1

def bold(most: int) -> bool:
    return deeper(most) < 50

def deeper(most: int) -> int:
    return most + OTHER
"""


def test_a_second_run_loads_what_the_first_has_compiled(
    desk: Desk, first: tuple[Path, dict[str, Any]]
) -> None:
    before, after = first[1], desk.play()
    assert (before["loads"], before["saves"]) == (0, 2)  # two players
    assert (after["loads"], after["saves"]) == (2, 0)
    assert after["kernels"] == [1, 0]
    assert before["puts"] == after["puts"]
    assert before["puts"][0][0] > 0
    assert {path.name[0] for path in (desk.cache / "code").iterdir()} <= set("0123456789abcdef")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("bot.py", "view.may_put and", "view.must_speak and"),
        ("bot.py", "MOST = 9", "MOST = 60"),
        ("bot.py", "level = 1", "level = 6"),
        ("bot.py", "self.level < 5", "self.level > 5"),
        ("levels.py", "most + OTHER", "most * 77777"),
        ("levels.py", "OTHER = 1", "OTHER = 99"),
        ("levels.py", "LIMIT = 3", "LIMIT = 9"),
        ("levels.py", "< 50", "> 50"),
    ],
)
def test_an_edit_anywhere_in_reach_plays_at_once(desk: Desk, name: str, old: str, new: str) -> None:
    text = (desk.folder / name).read_text()
    assert old in text
    desk.write(name, text.replace(old, new))
    told = desk.play()
    assert (told["puts"][0][0], told["puts"][1][1]) == (0, 0)
    assert (told["loads"], told["saves"]) == (1, 1)


def test_an_edit_out_of_reach_needs_no_compilation(desk: Desk) -> None:
    desk.write("levels.py", f"# A comment.\nUNUSED = 5\n\n{LEVELS}\ndef unused():\n    pass\n")
    assert desk.play()["saves"] == 0


# A cache that is of no use.


def spoil_absent(cache: Path) -> None:
    """Nothing is there, and nothing can be made there: the parent is a file."""
    for path in sorted(cache.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    cache.rmdir()
    cache.write_text("not a folder")


def spoil_entries(cache: Path) -> None:
    """Every entry is cut short, garbage, or a pickle of something else."""
    import pickle

    damage = [b"", b"garbage", pickle.dumps(("one", 2)), b"\x80\x04."]
    for number, path in enumerate((cache / "code").iterdir()):
        path.write_bytes(damage[number % 4])


def spoil_by_cutting(cache: Path) -> None:
    """Every entry lost its second half."""
    for path in (cache / "code").iterdir():
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])


def open_to_all(cache: Path) -> None:
    """Others may write to the folder of code that would be run."""
    (cache / "code").chmod(0o777)


def read_only(cache: Path) -> None:
    """Entries can be read, but none written."""
    (cache / "code").chmod(0o500)


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoil", "loads"),
    [
        (spoil_absent, 0),
        (spoil_entries, 0),
        (spoil_by_cutting, 0),
        (open_to_all, 0),
        (read_only, 2),
    ],
)
def test_a_spoilt_cache_costs_a_compilation_and_nothing_else(
    desk: Desk, first: tuple[Path, dict[str, Any]], spoil: Any, loads: int
) -> None:
    spoil(desk.cache)
    after = desk.play()
    if desk.cache.is_dir():
        (desk.cache / "code").chmod(0o700)
    assert after["puts"] == first[1]["puts"]
    assert after["loads"] == loads
    assert after["saves"] == (0 if spoil is read_only else 2)


@pytest.mark.long
def test_a_damaged_entry_is_replaced(desk: Desk) -> None:
    kernel = desk.cache / "code" / kernel_digest("advance two False")
    shutil.copy(default_folder().expanduser() / "code" / kernel.name, kernel)
    spoil_entries(desk.cache)
    again, then = desk.play(desk.cache), desk.play(desk.cache)
    assert (again["saves"], again["kernels"]) == (2, [0, 1])
    assert (then["saves"], then["kernels"]) == (0, [1, 0])


@pytest.mark.long
def test_code_in_a_folder_others_can_write_to_is_neither_run_nor_added_to(desk: Desk) -> None:
    open_to_all(desk.cache)
    before = sorted((desk.cache / "code").iterdir())
    desk.write("bot.py", BOT.replace("MOST = 9", "MOST = 8"))
    assert desk.play()["loads"] == 0
    assert sorted((desk.cache / "code").iterdir()) == before


# The store by itself.


def test_the_store_gives_back_what_it_was_given(tmp_path: Path) -> None:
    store = DiskStore(tmp_path / "new" / "cache")
    assert store.load("ab12") is None
    store.save("ab12", b"code")
    assert store.load("ab12") == b"code"
    store.save("ab12", b"newer")
    assert store.load("ab12") == b"newer"
    folder = tmp_path / "new" / "cache" / "code"
    assert [path.name for path in folder.iterdir()] == ["ab12"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_store_that_cannot_write_says_nothing_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DiskStore(tmp_path)
    store.save("first", b"x")

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    store.save("second", b"y")
    monkeypatch.undo()
    assert store.load("second") is None
    assert [path.name for path in (tmp_path / "code").iterdir()] == ["first"]


def test_a_folder_of_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DiskStore(tmp_path)
    store.save("mine", b"x")
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    assert store.load("mine") is None
    store.save("other", b"y")
    assert not (tmp_path / "code" / "other").exists()


def test_the_cache_stands_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUT_CACHE_DIR", "/somewhere/else")
    assert default_folder() == Path("/somewhere/else")
    monkeypatch.delenv("PUT_CACHE_DIR")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert default_folder() == Path("/caches/put-cli")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_folder() == Path("~/Library/Caches/put-cli")


def test_no_home_directory_means_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", lost)
    store = DiskStore()
    store.save("a", b"x")
    assert store.load("a") is None


# What a digest covers.


@dataclass(frozen=True)
class Ladder(Strategy):
    """Works out a constant of its own from a parameter."""

    level: int = 5
    name: str = "x"

    def __post_init__(self) -> None:
        object.__setattr__(self, "limit", 2 * self.level)

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        if view.may_put and view.highest > self.limit:  # type: ignore[attr-defined]
            return PUT
        return view.lowest


def test_a_constant_worked_out_from_a_parameter_is_not_taken_from_another_variant() -> None:
    from put_cli.engine.players import enlist

    store = MemoryStore()
    low, high = (enlist(f"l{level}", Ladder(level=level), store) for level in (1, 7))
    assert store.saves == 2
    puts = played([low, high], mirrored(1, 20)).tallies[:, T_PUTS : T_PUTS + 2].tolist()
    assert [row == 0 for row in (puts[0][1], puts[1][0])] == [True, True]
    assert puts[0][0] > 0


def numbers_of(strategy: Strategy) -> dict[str, str]:
    """As native code has it: numbers are read at run time."""
    return {"level": "int64"} if isinstance(strategy, Ladder) else {}


def test_a_digest_depends_on_constants_and_not_on_numbers_read_at_run_time() -> None:
    class Plain(Ladder):
        def __post_init__(self) -> None:
            pass

    assert digest(Plain(level=1), numbers_of(Plain())) == digest(Plain(2), numbers_of(Plain()))
    assert digest(Plain(name="x"), {}) != digest(Plain(name="y"), {})
    assert digest(Plain(1), {"level": "int64"}) != digest(Plain(1), {"level": "float64"})


class Opaque(Strategy):
    """Holds something nobody can look into."""

    thing = object()

    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest


def test_code_that_reaches_something_opaque_is_played_but_not_kept() -> None:
    store = MemoryStore()
    assert digest(Opaque(), {}) is None
    compile_method(Opaque(), store)
    assert (store.saves, store.loads) == (0, 0)
    assert len(source_digest(Opaque())) == 16


cards = {"a dict that has nothing to do with": "view.cards"}


def helper_after(view: View) -> bool:
    return view.cards[0] > 5


class Namesake(Strategy):
    """Reads an attribute called like a global of this module."""

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        return view.highest if helper_after(view) else view.lowest


def test_a_global_called_like_an_attribute_is_none_of_its_business() -> None:
    before = digest(Namesake(), {})
    assert before is not None
    cards["more"] = "of it"
    try:
        assert digest(Namesake(), {}) == before
    finally:
        del cards["more"]
    store = MemoryStore()
    compile_method(Namesake(), store)
    assert store.saves == 1


def test_the_platform_is_part_of_every_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(Namesake(), {})
    monkeypatch.setattr("put_cli.engine.compiled.platform_digest", lambda: b"another processor")
    assert digest(Namesake(), {}) != before
    assert len(platform_digest()) == 16

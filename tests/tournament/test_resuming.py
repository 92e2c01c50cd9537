"""A run that was stopped, whatever stopped it, goes on to what it would have been."""

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from put_cli.engine.forfeits import Forfeit
from put_cli.engine.lanes import SLOW
from put_cli.errors import PutError, RunError, UsageError
from put_cli.log import forfeits, manifest, reader
from put_cli.log.store import Folder
from put_cli.plugins.discovery import forget
from put_cli.rules.finding import find_ruleset
from put_cli.tournament import run as runs
from put_cli.tournament.lock import Lock
from put_cli.tournament.outcome import rate
from put_cli.tournament.records import LogFile
from put_cli.tournament.resuming import resume
from put_cli.tournament.settings import Settings
from tests.tournament.runs import parts, play_run, small_shards, write_strategies

TABLES = ("standings.csv", "standings.md", "crosstable.csv")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    small_shards(monkeypatch, hands=100)
    return write_strategies(tmp_path)


@pytest.fixture
def whole(tmp_path: Path, own: dict[str, str]) -> Path:
    """A run that nobody disturbed."""
    play_run(tmp_path / "whole", "random", own["mixed"], own["faulty"])
    return tmp_path / "whole"


def stopped(run: Path, own: dict[str, str], after: int = 3, **settings: Any) -> Path:
    """The same run, stopped after so many shards."""
    heard: list[Any] = []

    def stop(result: Any) -> None:
        heard.append(result)
        if len(heard) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_run(run, "random", own["mixed"], own["faulty"], on_result=stop, **settings)
    return run


def go_on(run: Path, workers: int = 1, **changes: Any) -> runs.Finished:
    return runs.play(resume(run, workers, changes), lambda _result: None)


def same(run: Path, whole: Path) -> None:
    assert parts(run) == parts(whole)
    for name in TABLES:
        assert (run / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.parametrize(("before", "after"), [(1, 1), (1, 2), (2, 1)])
def test_a_run_goes_on_with_what_is_missing_and_any_number_of_workers(
    tmp_path: Path, own: dict[str, str], whole: Path, before: int, after: int
) -> None:
    run = stopped(tmp_path / "run", own, workers=before)
    there = {path: path.stat().st_mtime_ns for path in run.glob("tallies/part-*")}
    assert 3 <= len(there) < len(list(whole.glob("tallies/part-*")))
    finished = go_on(run, after)
    same(run, whole)
    assert all(path.stat().st_mtime_ns == time for path, time in there.items())
    # Faults count for the whole run, hands for what was played now.
    assert finished.faults == sum(line.faults for line in rate(whole).strategies) > 0
    assert 0 < finished.hands < rate(whole).hands


def test_a_run_that_is_finished_is_only_rated_again(
    tmp_path: Path, own: dict[str, str], whole: Path
) -> None:
    before = parts(whole)
    (whole / "standings.csv").unlink()
    assert go_on(whole).hands == 0
    assert parts(whole) == before
    assert (whole / "standings.csv").exists()


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def exchange(path: Path) -> None:
    path.write_bytes(path.with_name("part-000002.parquet").read_bytes())


@pytest.mark.parametrize("table", ["hands", "games", "tallies"])
@pytest.mark.parametrize("harm", [flip, cut, exchange, Path.unlink])
def test_a_part_that_is_not_what_was_written_is_played_again(
    tmp_path: Path, own: dict[str, str], whole: Path, table: str, harm: Callable[[Path], None]
) -> None:
    before = parts(whole)
    harm(whole / table / "part-000001.parquet")
    prepared = resume(whole, 1, {})
    assert list(prepared.missing()) == [1]
    told = " ".join(prepared.notes)
    assert ("Part 1 is played again: " in told) == ((table, harm) != ("tallies", Path.unlink))
    runs.play(prepared, lambda _result: None)
    assert parts(whole) == before


def test_what_stopped_processes_left_behind_is_cleaned(
    tmp_path: Path, own: dict[str, str], whole: Path
) -> None:
    before = parts(whole)
    (whole / "hands" / ".tmp-4711-part-000000.parquet").write_bytes(b"half")
    (whole / ".tmp-4711-manifest.json").write_bytes(b"half")
    (whole / "hands" / "part-000099.parquet").write_bytes(b"of no shard")
    (whole / "tallies" / "part-000002.parquet").unlink()  # so the others of it count for nothing
    (whole / "hands" / "mine.parquet").write_bytes(b"not ours")
    resume(whole, 1, {}).lock.release()
    assert not list(whole.rglob(".tmp-*"))
    assert not (whole / "hands" / "part-000099.parquet").exists()
    assert not (whole / "hands" / "part-000002.parquet").exists()
    assert (whole / "hands" / "mine.parquet").read_bytes() == b"not ours"
    (whole / "hands" / "mine.parquet").unlink()
    go_on(whole)
    assert parts(whole) == before


def test_a_run_that_was_killed_before_its_manifest_is_begun_again(
    tmp_path: Path, own: dict[str, str]
) -> None:
    (run := tmp_path / "run").mkdir()
    (run / ".lock").write_text("process 4711\n")
    (run / ".tmp-4711-manifest.json").write_text("half")
    with pytest.raises(RunError, match=r"is not a run: it has no manifest\.json"):
        resume(run, 1, {})
    play_run(run, "random", own["mixed"])
    assert not list(run.rglob(".tmp-*"))


def change_source(run: Path, own: dict[str, str]) -> None:
    forget()  # as in another process
    path = Path(own["faulty"])
    path.write_text(path.read_text().replace("0.97", "0.98"))


def change_parameter(run: Path, own: dict[str, str]) -> None:
    forget()
    path = Path(own["mixed"])
    path.write_text(path.read_text().replace("bluff: float = 0.3", "bluff: float = 0.4"))


def in_manifest(old: str, new: str) -> Callable[[Path, dict[str, str]], None]:
    def change(run: Path, _own: dict[str, str]) -> None:
        path = run / "manifest.json"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (change_source, r"faulty: its source hash was '\w+' and is '\w+'"),
        (change_parameter, r"mixed: its (parameters|source hash) was"),
        (in_manifest('"put 0.', '"put 9.'), r"the program was put 9\.\S+ and is put 0\."),
        (in_manifest("philox4x32-10", "other"), r"the generator of chance was other"),
        (in_manifest('"seed": 5', '"seed": 6'), r"round 0 of the schedule .* had the fingerprint"),
        (in_manifest('"target": 5', '"target": 7'), r"the rule set's fingerprint was \w+ and is"),
        (in_manifest('"version": 1', '"version": 2'), r"expected a log in version 1, got"),
        (in_manifest('"games": 40', '"games": 60'), r"rounds: shards: expected \[\d+\], got"),
    ],
)
def test_a_run_whose_games_would_be_others_is_refused_in_words(
    tmp_path: Path,
    own: dict[str, str],
    change: Callable[[Path, dict[str, str]], None],
    says: str,
) -> None:
    run = stopped(tmp_path / "run", own)
    before = parts(run)
    change(run, own)
    with pytest.raises(PutError, match=says):
        resume(run, 1, {})
    assert parts(run) == before


READER = """
from dataclasses import dataclass
from put_cli import SEE, Strategy, View

@dataclass(frozen=True)
class Reader(Strategy):
    book: str = ""
    def act(self, view: View) -> int:
        return SEE if view.asked or view.must_speak else view.lowest
"""


def test_a_file_that_a_strategy_is_given_must_be_the_same_when_the_run_goes_on(
    tmp_path: Path, own: dict[str, str]
) -> None:
    book = tmp_path / "book.txt"
    book.write_text("first edition")
    (tmp_path / "reader.py").write_text(READER)
    run = tmp_path / "run"
    play_run(run, "random", f"{tmp_path / 'reader.py'}(book={str(book)!r})", games=40)
    resume(run, 1, {})  # nothing has changed
    book.write_text("second edition")
    with pytest.raises(PutError, match="its hash of a file among its parameters was"):
        resume(run, 1, {})


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"seed": 6}, r"was begun with --seed 5, not 6\.$"),
        ({"games": 60}, "--games 40, not 60"),
        ({"match_games": 20}, "--match-games 10, not 20"),
        ({"mirror": False}, "--mirror True, not False"),
        ({"log": "none"}, "--log hands, not none"),
        ({"rules": find_ruleset("hoyle")}, "--rules cotton, which is not the hoyle of now"),
        ({"strategies": ("random", "odds")}, r"begun with random \S+ \S+, not random odds"),
        ({"seed": 6, "games": 2}, "--seed 5, not 6; --games 40, not 2"),
    ],
)
def test_what_is_asked_for_must_be_what_the_run_has(
    tmp_path: Path, own: dict[str, str], asked: dict[str, Any], says: str
) -> None:
    run = stopped(tmp_path / "run", own)
    with pytest.raises(UsageError, match=says):
        resume(run, 1, {}, asked)
    resume(run, 1, {}, {"seed": 5, "games": 40, "rules": find_ruleset("cotton")})


def test_settings_that_decide_no_game_hold_unless_others_are_given(
    tmp_path: Path, own: dict[str, str]
) -> None:
    run = stopped(tmp_path / "run", own, max_faults=77, tier="interpreted")
    settings = resume(run, 1, {}).settings
    assert (settings.max_faults, settings.tier, settings.move_timeout) == (77, "interpreted", 1.0)
    assert resume(run, 1, {"tier": "auto"}).settings.tier == "auto"


def test_forfeits_that_were_written_down_are_honoured(tmp_path: Path, own: dict[str, str]) -> None:
    forfeit = Forfeit(
        pairing=0,
        block=1,
        mirror=0,
        chair=1,
        game=3,
        hand=0,
        decision=0,
        kind=SLOW,
        reason="took too long",
    )

    def play_with_it(run: Path) -> runs.Prepared:
        settings = Settings(
            strategies=("random", own["mixed"]),
            rules=find_ruleset("cotton"),
            games=40,
            seed=5,
            match_games=10,
            out=run,
        )
        prepared = runs.prepare(settings)
        forfeits.add(run, [forfeit])
        return prepared

    runs.play(play_with_it(tmp_path / "whole"), lambda _result: None)

    def stop(_result: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.play(play_with_it(tmp_path / "run"), stop)
    go_on(tmp_path / "run")
    same(tmp_path / "run", tmp_path / "whole")
    lost = [line for line in rate(tmp_path / "run").strategies if line.name == "mixed"]
    assert lost[0].faults + lost[0].forfeits > 0


def test_a_run_is_played_by_one_process_and_read_by_any(
    tmp_path: Path, own: dict[str, str], whole: Path
) -> None:
    held = Lock(whole, whole).take()
    owner = rf"being played by another process \(process {os.getpid()} on "
    with pytest.raises(RunError, match=owner):
        resume(whole, 1, {})
    assert rate(whole).games == 120
    held.release()
    resume(whole, 1, {})


@pytest.mark.parametrize("failing", range(1, 12, 2))
def test_a_disk_that_gets_full_stops_the_run_in_one_line_and_harms_nothing(
    tmp_path: Path,
    own: dict[str, str],
    whole: Path,
    monkeypatch: pytest.MonkeyPatch,
    failing: int,
) -> None:
    replace, calls = os.replace, iter(range(1000))

    def full(source: Any, target: Any) -> None:
        if "part-" in str(target) and next(calls) >= failing:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RunError, match=r"^cannot write '.*part-\d+.parquet': No space left on dev"):
        play_run(tmp_path / "run", "random", own["mixed"], own["faulty"])
    monkeypatch.setattr(os, "replace", replace)
    assert len(reader.committed(manifest.read(tmp_path / "run"))) == failing // 3
    go_on(tmp_path / "run")
    same(tmp_path / "run", whole)


def test_a_directory_that_vanishes_is_not_begun_anew(tmp_path: Path, own: dict[str, str]) -> None:
    run = tmp_path / "run"

    def vanish(_result: Any) -> None:
        run.rename(tmp_path / "elsewhere")

    with pytest.raises(RunError, match=r"the run directory '.*run' is gone"):
        play_run(run, "random", own["mixed"], on_result=vanish)
    assert not run.exists()
    go_on(tmp_path / "elsewhere")
    assert rate(tmp_path / "elsewhere").games == 40


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_records_that_cannot_be_written_are_no_matter(capfd: pytest.CaptureFixture[str]) -> None:
    handler = LogFile(Path("/dev/full"), encoding="utf-8")
    handler.emit(logging.makeLogRecord({"msg": "lost"}))
    handler.close()
    assert capfd.readouterr().err == ""


def test_a_run_that_is_decided_by_its_test_is_not_played_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from put_cli.stats.sequential import SequentialTest

    small_shards(monkeypatch, hands=600)

    def settings(out: Path) -> Settings:
        return Settings(
            strategies=("sly", "closer"),
            rules=find_ruleset("cotton"),
            games=2000,
            seed=3,
            match_games=10,
            log="none",
            out=out,
            sprt=SequentialTest(elo0=0, elo1=30),
        )

    whole = runs.play(runs.prepare(settings(tmp_path / "whole")), lambda _result: None)

    def stop(_result: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.play(runs.prepare(settings(tmp_path / "run")), stop)
    again = go_on(tmp_path / "run")
    assert again.standings.plain() == whole.standings.plain()
    played = len(list((tmp_path / "run" / "tallies").iterdir()))
    assert go_on(tmp_path / "run", 2).hands == 0
    assert len(list((tmp_path / "run" / "tallies").iterdir())) == played < 20


def test_a_store_keeps_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Folder(tmp_path)
    store.put("hands/part-000000.parquet", b"one")
    monkeypatch.setattr(os, "fsync", lambda _file: (_ for _ in ()).throw(OSError(5, "I/O error")))
    with pytest.raises(RunError, match="I/O error"):
        store.put("hands/part-000000.parquet", b"two")
    assert store.get("hands/part-000000.parquet") == b"one"
    assert store.names("hands") == ["hands/part-000000.parquet"]
    assert store.names("nowhere") == []
    assert store.get("hands/part-000001.parquet") is None
    store.remove("hands/part-000000.parquet")
    store.remove("hands/part-000000.parquet")
    assert store.names("hands") == []


def test_the_manifest_keeps_what_it_was_begun_with(tmp_path: Path, own: dict[str, str]) -> None:
    run = stopped(tmp_path / "run", own)
    before = json.loads((run / "manifest.json").read_text())
    go_on(run, 2, move_timeout=5.0)
    assert json.loads((run / "manifest.json").read_text()) == before

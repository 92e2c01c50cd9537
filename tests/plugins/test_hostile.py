"""Hostile and clumsy strategies: each ends as documented, and no other player notices."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from put_cli.errors import SpecError, UsageError
from put_cli.log import forfeits
from put_cli.tournament import run as runs
from put_cli.tournament.settings import Settings
from tests.tournament.runs import parts, play_run

HOSTILE = Path(__file__).parent / "hostile"
HONEST = ("random", "thrifty")
SHORT = {"games": 24, "match_games": 6, "seed": 3}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, signals and rlimits")


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table of a run."""
    return [
        row
        for part in sorted((run / table).glob("part-*.parquet"))
        for row in pq.ParquetFile(part).read().to_pylist()
    ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The honest players among themselves."""
    return play_run(tmp_path_factory.mktemp("honest") / "run", *HONEST, **SHORT).prepared.run


def meet(run: Path, hostile: str, undisturbed: Path, **settings: Any) -> runs.Finished:
    """Play the honest players and a hostile one; the honest ones' games are as without it."""
    settings = SHORT | {"tier": "interpreted", "move_timeout": 0.1} | settings
    finished = play_run(run, *HONEST, str(HOSTILE / hostile), **settings)
    for table in ("hands", "games", "tallies"):
        among_honest = [row for row in rows(run, table) if row["pairing"] == 0]
        assert among_honest == rows(undisturbed, table)
    others = [row for row in rows(run, "games") if row["pairing"] > 0]
    assert not {row["fault_by"] for row in others} & set(HONEST)
    return finished


def faults(run: Path) -> tuple[set[str], set[str]]:
    """Kinds and reasons of the faults of a run; of unplayed games how they were lost."""
    games = [row for row in rows(run, "games") if row["how"] == "forfeit"]
    for row in games:
        assert row["winner"] != row["fault_by"]
    played = [row for row in games if row["hands"]]
    assert played
    for row in games:
        assert row["hands"] or row["fault_reason"].startswith("forfeited the rest of the match: ")
    return {row["fault_kind"] for row in played}, {row["fault_reason"] for row in played}


OUT = " in 3 other matches"

GAME_BY_GAME = [
    ("returns.py:Nothing", "nonsense", "returned None, which is not an action"),
    ("returns.py:Float", "nonsense", "returned 3.7, which is not an action"),
    ("returns.py:Text", "nonsense", "returned 'put', which is not an action"),
    ("returns.py:NinetyNine", "illegal", "returned 99 where "),
    ("returns.py:Unheld", "illegal", "returned "),
    ("exits.py", "raised", "raised SystemExit: bye"),
    ("interrupts.py", "raised", "raised KeyboardInterrupt: mine"),
    ("raises_no_exception.py", "raised", "raised Odd: caught me?"),
    ("mutates_the_view.py", "raised", "raised AttributeError: "),
]


@pytest.mark.parametrize(("hostile", "kind", "reason"), GAME_BY_GAME)
def test_a_fault_costs_the_game_and_the_third_the_rest_of_the_match(
    tmp_path: Path, undisturbed: Path, hostile: str, kind: str, reason: str
) -> None:
    finished = meet(tmp_path / "run", hostile, undisturbed)
    kinds, reasons = faults(tmp_path / "run")
    assert kinds == {kind}
    assert all(each.startswith(reason) for each in reasons)
    for row in rows(tmp_path / "run", "tallies"):
        lost = [row["faults_a"] + row["faults_b"], row["forfeits_a"] + row["forfeits_b"]]
        assert lost[0] <= 3
        assert not lost[1] or lost[0] == 3
    line = next(each for each in finished.standings.strategies if each.name not in HONEST)
    assert line.faults == finished.faults > 3
    assert line.forfeits > 0
    assert not (tmp_path / "run" / forfeits.NAME).exists()


def test_an_exception_is_told_with_its_traceback_once(tmp_path: Path, undisturbed: Path) -> None:
    meet(tmp_path / "run", "raises_no_exception.py", undisturbed)
    told = (tmp_path / "run" / "run.log").read_text()
    assert told.count("Traceback") == 1
    assert 'raises_no_exception.py", line ' in told
    assert told.count("Odd: caught me?") > 2


def test_a_fault_at_move_1000_costs_one_game(tmp_path: Path) -> None:
    finished = play_run(
        tmp_path / "run", "random", str(HOSTILE / "raises_late.py"), games=200, tier="interpreted"
    )
    assert finished.faults == 1
    assert faults(tmp_path / "run") == ({"raised"}, {"raised LookupError: enough"})


RECORDED = [
    ("loops.py", "slow", "took too long"),
    ("ends_process.py", "died", "ended its process (exit code 7)"),
    ("segfaults.py", "died", "ended its process by SIGSEGV"),
    ("kills_itself.py", "died", "ended its process by SIGKILL"),
    ("hoards.py", "died", "ran out of memory"),
]
STUCK = [
    ("loops_compiled.py", "slow", "took too long"),
    ("loops_in_c.py", "slow", "took too long where it could not be interrupted"),
    ("catches_everything.py", "slow", "took too long where it could not be interrupted"),
]


@pytest.mark.parametrize(
    ("hostile", "kind", "reason"),
    [*RECORDED, *(pytest.param(*each, marks=pytest.mark.long) for each in STUCK)],
)
def test_a_player_that_is_too_slow_or_dies_forfeits_the_rest_of_the_match(
    tmp_path: Path, undisturbed: Path, hostile: str, kind: str, reason: str
) -> None:
    tier = "auto" if hostile == "loops_compiled.py" else "interpreted"
    limits = {"memory_limit": 500 if hostile == "hoards.py" else 4096, "tier": tier}
    run = tmp_path / "run"
    finished = meet(run, hostile, undisturbed, **limits)
    kinds, reasons = faults(run)
    assert kinds == {kind}
    assert reason in reasons
    done = "took too long" if kind == "slow" else "ended its process"
    assert reasons <= {reason, done + OUT}
    for row in rows(run, "tallies"):
        assert row["faults_a"] + row["faults_b"] <= 1
    assert finished.faults == len(forfeits.read(run)) > 3
    # With what is written down the same games come out again, though nothing is timed.
    again = runs.prepare(
        Settings(
            strategies=(*HONEST, str(HOSTILE / hostile)),
            rules=finished.prepared.settings.rules,
            out=tmp_path / "again",
            **SHORT | limits | {"move_timeout": 0},
        )
    )
    shutil.copy(run / forfeits.NAME, tmp_path / "again")
    assert runs.play(again, lambda _result: None).faults == finished.faults
    assert parts(tmp_path / "again") == parts(run)


# What is no fault.


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_bot_prints_goes_to_the_log_of_the_run_and_is_capped(
    tmp_path: Path, undisturbed: Path, workers: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert meet(tmp_path / "run", "floods.py", undisturbed, workers=workers).faults == 0
    assert capfd.readouterr() == ("", "")
    told = (tmp_path / "run" / "run.log").read_text()
    assert "floods prints: spam spam" in told
    assert "bytes more" in told
    assert len(told) < 10_000


@pytest.mark.parametrize("isolate", [False, True])
def test_what_a_bot_prints_past_python_goes_there_too(
    tmp_path: Path, undisturbed: Path, isolate: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    tier = {"tier": "auto", "isolate": True} if isolate else {}
    assert meet(tmp_path / "run", "prints_in_c.py", undisturbed, **tier).faults == 0
    assert capfd.readouterr() == ("", "")
    told = (tmp_path / "run" / "run.log").read_text()
    whose = (
        "prints_in_c prints: "
        if isolate
        else "random or thrifty or prints_in_c prints past Python: "
    )
    assert f"{whose}spam from C spam from C" in told
    assert len(told) < 10_000


APART = [
    ("ends_process.py", "died", "ended its process (exit code 7)"),
    ("exits.py", "raised", "raised SystemExit: bye"),
]
APART_TOO = [
    *RECORDED[2:],
    ("loops.py", "slow", "took too long"),
    ("loops_in_c.py", "slow", "took too long where it could not be interrupted"),
    ("returns.py:Float", "nonsense", "returned 3.7, which is not an action"),
]


@pytest.mark.parametrize(
    ("hostile", "kind", "reason"),
    [*APART, *(pytest.param(*each, marks=pytest.mark.long) for each in APART_TOO)],
)
def test_in_a_process_of_its_own_it_ends_the_same_and_its_worker_lives(
    tmp_path: Path, undisturbed: Path, hostile: str, kind: str, reason: str
) -> None:
    limits = {"memory_limit": 500 if hostile == "hoards.py" else 4096}
    finished = meet(
        tmp_path / "run", hostile, undisturbed, tier="auto", isolate=True, workers=2, **limits
    )
    kinds, reasons = faults(tmp_path / "run")
    assert kinds == {kind}
    assert reason in reasons
    assert reasons <= {reason, "took too long" + OUT, "ended its process" + OUT}
    assert finished.faults > 3
    told = (tmp_path / "run" / "run.log").read_text()
    assert "a worker" not in told  # none died, and none was stuck


@pytest.mark.parametrize("hostile", ["cannot_be_copied.py", "naïve bot, v2.py", "meddles.py"])
def test_in_a_process_of_its_own_an_odd_bot_plays_like_any_other(
    tmp_path: Path, undisturbed: Path, hostile: str
) -> None:
    assert meet(tmp_path / "run", hostile, undisturbed, tier="auto", isolate=True).faults == 0


def test_a_bot_that_ends_its_process_at_import_is_refused_when_it_is_isolated(
    tmp_path: Path,
) -> None:
    path = tmp_path / "gone.py"
    path.write_text("import os; os._exit(0)")
    with pytest.raises(SpecError, match=r"gone.py: it ended its process \(exit code 0\)"):
        play_run(tmp_path / "run", "random", str(path), isolate=True)
    assert not (tmp_path / "run").exists()


def test_a_bot_that_changes_what_it_shares_with_others_changes_no_games(
    tmp_path: Path, undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os
    import random
    import signal

    monkeypatch.chdir(tmp_path)
    random.seed(7)
    expected = random.Random(7).random()
    before = (os.getcwd(), list(sys.path), dict(os.environ), signal.getsignal(signal.SIGINT))
    streams = sys.stdout, sys.stderr
    assert meet(Path("run").absolute(), "meddles.py", undisturbed).faults == 0
    after = (os.getcwd(), list(sys.path), dict(os.environ), signal.getsignal(signal.SIGINT))
    assert after == before
    assert (sys.stdout, sys.stderr) == streams
    assert random.random() == expected


@pytest.mark.parametrize(
    "hostile", ["cannot_be_copied.py", "naïve bot, v2.py", "many_parameters.py(p0=99, p49=-1)"]
)
def test_an_odd_bot_plays_like_any_other(tmp_path: Path, undisturbed: Path, hostile: str) -> None:
    finished = meet(tmp_path / "run", hostile, undisturbed)
    assert finished.faults == 0
    assert hostile.partition(".py")[0] in finished.prepared.workshop.contestants[2].name


def test_two_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    twins = [str(HOSTILE / folder / "twin.py") for folder in ("one", "two")]
    finished = play_run(tmp_path / "run", *twins, **SHORT)
    assert {line.name for line in finished.standings.strategies} == {"one/twin", "two/twin"}


@pytest.mark.parametrize(
    ("hostile", "says"),
    [
        ("raises_at_import.py", "failed to import: RuntimeError: not today"),
        ("exits_at_import.py", "failed to import: SystemExit: 0"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_refused_and_nothing_is_written(
    tmp_path: Path, hostile: str, says: str
) -> None:
    with pytest.raises(SpecError, match=says):
        play_run(tmp_path / "run", "random", str(HOSTILE / hostile))
    assert not (tmp_path / "run").exists()


# How many faults are borne.


def test_more_faults_than_are_allowed_end_the_run_and_what_was_played_is_kept(
    tmp_path: Path,
) -> None:
    with pytest.raises(runs.TooManyFaults, match=r"games were lost by faults, more than .* 5 "):
        play_run(
            tmp_path / "run",
            "random",
            str(HOSTILE / "returns.py:Float"),
            tier="interpreted",
            max_faults=5,
        )
    assert runs.rate(tmp_path / "run").games == 40


def test_the_first_fault_ends_a_strict_run(tmp_path: Path) -> None:
    with pytest.raises(runs.TooManyFaults, match=r"--strict: the first fault .* returned 3.7"):
        play_run(
            tmp_path / "run",
            "random",
            str(HOSTILE / "returns.py:Float"),
            tier="interpreted",
            strict=True,
        )


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"move_timeout": -1.0}, "--move-timeout: expected seconds from 0.01"),
        ({"move_timeout": float("nan")}, "--move-timeout: expected seconds from 0.01"),
        ({"memory_limit": 1}, "--memory-limit: expected MB from 64"),
        ({"max_faults": 0}, "--max-faults: expected a number from 1, got 0"),
    ],
    ids=str,
)
def test_limits_that_cannot_be_are_refused(
    tmp_path: Path, settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        play_run(tmp_path / "run", *HONEST, **settings)
    assert not (tmp_path / "run").exists()

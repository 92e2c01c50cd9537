"""Ending a run early: by Ctrl-C, by a signal, or by the death of a worker."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

from put_cli.log import manifest, reader
from put_cli.tournament import process

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

STOP_SECONDS = 5.0


@dataclass
class Running:
    """A large tournament in a process group of its own."""

    process: "subprocess.Popen[str]"
    run: Path

    def wait_for_parts(self, number: int) -> None:
        """Wait until so many shards are finished."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            assert self.process.poll() is None, self.process.communicate()
            if len(list((self.run / "tallies").glob("part-*"))) >= number:
                return
            time.sleep(0.02)
        raise AssertionError("no shard was finished in a minute")

    def workers(self) -> list[int]:
        """The processes it has started."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children]

    def end(self) -> tuple[int, str, float]:
        """Wait for the end: exit code, what it said, and how long that took."""
        begin = time.monotonic()
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said, time.monotonic() - begin

    def left(self) -> list[str]:
        """Names of the processes of its group that still live."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, _, rest = status.read_text().rpartition(")")
            except OSError:
                continue
            state, _, group = rest.split()[:3]
            if int(group) == self.process.pid and state != "Z":
                found.append(name)
        return found


def start(run: Path, workers: int, *field: str, cache: Path | None = None) -> Running:
    """Start a tournament that would take very long; `cache` is where compiled code is kept."""
    command = [sys.executable, "-m", "put_cli", "tournament", *(field or ("random", "thrifty"))]
    command += ["--games", "900000000", "--workers", str(workers), "--out", str(run), "--seed", "1"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | ({"PUT_CACHE_DIR": str(cache)} if cache else {}),
    )
    return Running(process, run)


@pytest.fixture
def launched() -> Iterator[list[Running]]:
    """Whatever a test starts ends with it."""
    started: list[Running] = []
    yield started
    for each in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.communicate()


def assert_kept(run: Path) -> int:
    """The run holds whole shards and nothing half done; returns how many."""
    assert not list(run.rglob(".tmp-*"))
    made = manifest.read(run)
    footers = reader.committed(made)
    assert footers
    for shard, footer in footers.items():
        for table, facts in footer["parts"].items():
            part = run / table / f"part-{shard:06d}.parquet"
            assert pq.read_metadata(part).num_rows == facts["rows"]
    done = subprocess.run(
        [sys.executable, "-m", "put_cli", "standings", str(run)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "thrifty" in done.stdout
    return len(footers)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("sent", "whole_group"),
    [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False)],
    ids=["Ctrl-C", "SIGINT", "SIGTERM"],
)
def test_a_run_that_is_stopped_ends_at_once_and_keeps_what_is_finished(
    tmp_path: Path, launched: list[Running], workers: int, sent: signal.Signals, whole_group: bool
) -> None:
    run = tmp_path / "a run"
    launched.append(running := start(run, workers))
    running.wait_for_parts(3)
    if workers == 2:
        assert len(running.workers()) == 2
    if whole_group:
        os.killpg(running.process.pid, sent)
    else:
        running.process.send_signal(sent)
    code, said, seconds = running.end()
    assert code == 130
    assert seconds < STOP_SECONDS
    assert running.left() == []
    kept = assert_kept(run)
    assert f"Stopped: {kept} of " in said
    assert f"put standings '{run}'" in said
    resume = f"To go on: put tournament --resume '{run}'"
    assert f"{resume} --workers 1\n" in said if workers == 1 else f"{resume}\n" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("seconds", [0.0, 1.5, 3.0])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_while_it_compiles_ends_at_once_with_one_line(
    tmp_path: Path, launched: list[Running], sent: signal.Signals, seconds: float
) -> None:
    launched.append(running := start(tmp_path / "run", 2, cache=tmp_path / "cache"))
    maps = Path(f"/proc/{running.process.pid}/maps")
    while "llvmlite" not in maps.read_text():
        assert running.process.poll() is None
        time.sleep(0.02)
    time.sleep(seconds)
    os.killpg(running.process.pid, sent)
    code, said, taken = running.end()
    assert (code, said) == (130, "Stopped before any game was played.\n")
    assert taken < STOP_SECONDS
    assert running.left() == []
    assert not (tmp_path / "run").exists()


def test_workers_leave_ctrl_c_to_the_process_that_started_them(
    tmp_path: Path, launched: list[Running]
) -> None:
    launched.append(running := start(tmp_path / "run", 2))
    running.wait_for_parts(2)
    started = running.workers()
    assert len(started) == 2
    for worker in started:
        os.kill(worker, signal.SIGINT)
    done = len(list((running.run / "tallies").glob("part-*")))
    running.wait_for_parts(done + 4)
    assert running.workers() == started
    running.process.send_signal(signal.SIGINT)
    code, said, _ = running.end()
    assert code == 130
    assert "Traceback" not in said


def test_workers_are_started_while_signals_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker that heard of one before it is set up would end with a traceback.
    seen: list[set[int]] = []

    class Context:
        Pipe = staticmethod(multiprocessing.Pipe)
        RawValue = staticmethod(RawValue)

        class Process:
            def __init__(self, **_facts: object) -> None: ...

            def start(self) -> None:
                seen.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, [])))

    monkeypatch.setattr(multiprocessing, "get_context", lambda _method: Context)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    started = process.start(SimpleNamespace(order=None), print)  # type: ignore[arg-type]
    started.pipe.close()
    assert {signal.SIGINT, signal.SIGTERM} <= seen[0]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_a_run_whose_players_are_slow_stops_at_once_too(
    tmp_path: Path, launched: list[Running]
) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text(
        "import time\n"
        "from put_cli import SEE, Strategy, View\n"
        "class Slow(Strategy):\n"
        "    def act(self, view: View) -> int:\n"
        "        time.sleep(0.05)\n"
        "        return SEE if view.asked else view.lowest\n"
    )
    for workers in (1, 2):
        running = start(tmp_path / f"run{workers}", workers, str(bot), "random", "thrifty")
        launched.append(running)
        while (
            not (running.run / "run.log").exists()
            or "slow plays" not in (running.run / "run.log").read_text()
        ):
            time.sleep(0.05)
            assert running.process.poll() is None
        time.sleep(0.5)
        os.killpg(running.process.pid, signal.SIGINT)
        code, said, seconds = running.end()
        assert code == 130
        assert seconds < STOP_SECONDS
        assert "Stopped: 0 of " in said
        assert "put standings" not in said
        assert running.left() == []


def test_the_death_of_a_worker_costs_time_and_nothing_else(
    tmp_path: Path, launched: list[Running]
) -> None:
    # A worker that dies while it logs holds the lock of the log's queue.
    launched.append(running := start(tmp_path / "run", 2))
    running.wait_for_parts(2)
    for _ in range(3):
        done = len(list((running.run / "tallies").glob("part-*")))
        before = running.workers()
        os.kill(before[-1], signal.SIGKILL)
        running.wait_for_parts(done + 4)
        assert len(running.workers()) == 2
        assert not set(before) & set(running.workers())
    told = (running.run / "run.log").read_text()
    # One that had nothing to do at the moment is missed only by its next shard.
    assert told.count("a worker ended its process by SIGKILL while it played shard") >= 2
    records = told.rpartition("SIGKILL")[2]
    assert "games, " in records  # of the workers started last
    running.process.send_signal(signal.SIGINT)
    code, said, seconds = running.end()
    assert code == 130
    assert seconds < STOP_SECONDS
    assert "Traceback" not in said
    assert running.left() == []
    assert_kept(running.run)


def test_a_plugin_that_starts_a_thread_which_kills_its_process_ends_the_run_with_an_error(
    tmp_path: Path, launched: list[Running]
) -> None:
    bot = tmp_path / "deadly.py"
    bot.write_text(
        "import os, threading, time\n"
        "from put_cli import SEE, Strategy, View\n"
        "def end():\n"
        "    time.sleep(0.2)\n"
        "    os.abort()\n"
        "STARTED = []\n"
        "class Deadly(Strategy):\n"
        "    def act(self, view: View) -> int:\n"
        "        if not STARTED:\n"
        "            STARTED.append(threading.Thread(target=end, daemon=True))\n"
        "            STARTED[0].start()\n"
        "        return SEE if view.asked else view.lowest\n"
    )
    launched.append(running := start(tmp_path / "run", 1, str(bot), "random"))
    code, said, _ = running.end()
    assert code == 1
    assert "Error: a worker process ended its process by SIGABRT at shard 0" in said
    assert "Does a strategy start threads" in said
    assert running.left() == []


def test_records_of_workers_reach_the_log_of_the_run(
    tmp_path: Path, launched: list[Running]
) -> None:
    launched.append(running := start(tmp_path / "run", 2))
    running.wait_for_parts(4)
    os.killpg(running.process.pid, signal.SIGINT)
    running.end()
    told = (tmp_path / "run" / "run.log").read_text().splitlines()
    processes = {line.split()[3] for line in told}
    assert "MainProcess" in processes
    assert len([name for name in processes if name.startswith("ForkProcess")]) == 2
    assert any("games, " in line and "hands in" in line for line in told)

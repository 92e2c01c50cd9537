"""However workers are started, they play the same games; and a run that loses some goes on."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.tournament.runs import parts

PROGRAM = """
import multiprocessing, sys
from put_cli.tournament import schedule
from put_cli.cli.main import main
if __name__ == "__main__":
    if sys.argv[1] != "default":
        multiprocessing.set_start_method(sys.argv[1])
    schedule.SHARD_HANDS = 2000
    main(sys.argv[2:])
"""


def start(folder: Path, method: str, run: Path, games: int = 3000) -> "subprocess.Popen[str]":
    (folder / "program.py").write_text(PROGRAM)
    words = [sys.executable, str(folder / "program.py"), method, "tournament", "random", "thrifty"]
    words += ["bold", "--games", str(games), "--seed", "1", "--workers", "2", "--out", str(run)]
    return subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.mark.long
def test_workers_that_are_forked_served_or_spawned_write_the_same_bytes(tmp_path: Path) -> None:
    written = {}
    for method in ("default", "forkserver", "spawn"):
        process = start(tmp_path, method, tmp_path / method)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        written[method] = parts(tmp_path / method)
        records = (tmp_path / method / "run.log").read_text()
        assert records.count("hands in") == len(list((tmp_path / method / "tallies").iterdir()))
    assert written["default"] == written["forkserver"] == written["spawn"]


@pytest.mark.long
def test_a_worker_that_was_spawned_and_killed_is_replaced(tmp_path: Path) -> None:
    process = start(tmp_path, "spawn", tmp_path / "run", games=100_000)
    try:
        while len(list((tmp_path / "run" / "tallies").glob("part-*"))) < 3:
            assert process.poll() is None
            time.sleep(0.02)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        workers = [
            int(number)
            for number in children
            if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes()
        ]
        os.kill(workers[0], signal.SIGKILL)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        assert "Traceback" not in said
    finally:
        process.kill()
        process.wait()
    assert "SIGKILL" in (tmp_path / "run" / "run.log").read_text()


def test_the_second_signal_and_a_first_that_is_not_heeded_end_the_process() -> None:
    program = (
        "import os, signal, time\n"
        "from put_cli.cli import stopping\n"
        "stopping.GOOD_ORDER_SECONDS = {patience}\n"
        "with stopping.stops_in_good_order():\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(60)\n"
        "    except KeyboardInterrupt:\n"
        "        print('first', flush=True)\n"
        "        time.sleep(60)\n"
    )
    for patience, signals in ((60, 2), (0.2, 1)):
        process = subprocess.Popen(
            [sys.executable, "-c", program.format(patience=patience)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        deadline = threading.Timer(50, process.kill)
        deadline.start()
        for number, word in enumerate(("ready", "first")):
            assert process.stdout.readline().strip() == word
            if number < signals:
                process.send_signal((signal.SIGTERM, signal.SIGINT)[number])
        assert process.wait() == 130
        deadline.cancel()
        process.stdout.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere at the next sign of life")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    process = start(tmp_path, "default", tmp_path / "run", games=10_000_000)
    try:
        while len(list((tmp_path / "run" / "tallies").glob("part-*"))) < 1:
            assert process.poll() is None
            time.sleep(0.02)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) == 2
        process.kill()
        process.communicate()
        end = time.monotonic() + 30
        while any(_runs(number) for number in children):
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        process.kill()
    resumed = subprocess.run(
        [sys.executable, "-m", "put_cli", "standings", str(tmp_path / "run")],
        capture_output=True,
        timeout=60,
    )
    assert resumed.returncode == 0


def _runs(number: str) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

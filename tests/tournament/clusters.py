"""A Dask cluster of this machine for tests: a scheduler and workers, each a process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

START_SECONDS = 120.0


class LoopbackCluster:
    """A scheduler; workers are added to it, and anybody can be killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self._begin(port=0)

    def _begin(self, port: int) -> None:
        self._file.unlink(missing_ok=True)
        place = ("--host", "127.0.0.1", "--port", str(port), "--scheduler-file", str(self._file))
        self.scheduler = self._start("scheduler", *place, "--no-dashboard")
        end = time.monotonic() + START_SECONDS
        while not self._file.exists():
            assert self.scheduler.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        self.address = json.loads(self._file.read_text())["address"]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        with open(self._folder / f"{words[0]}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"},
            )

    def add_worker(self) -> None:
        """Start a worker with one thread, and wait until the scheduler knows of it."""
        number = len(self.workers)
        place = ("--local-directory", str(self._folder / f"worker-{number}"))
        ready = self._log.count("Register worker addr")
        self.workers.append(
            self._start(
                "worker", self.address, *place, "--nthreads", "1", "--no-nanny", "--no-dashboard"
            )
        )
        end = time.monotonic() + START_SECONDS
        while self._log.count("Register worker addr") == ready:
            assert self.workers[-1].poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)

    @property
    def _log(self) -> str:
        return (self._folder / "scheduler.log").read_text()

    def kill_worker(self, number: int) -> None:
        self.workers[number].send_signal(signal.SIGKILL)
        self.workers[number].wait()

    def restart_scheduler(self) -> None:
        """Kill the scheduler and begin another in its place, with fresh workers."""
        port = int(self.address.rpartition(":")[2])
        self.scheduler.kill()
        self.scheduler.wait()
        for each in self.workers:
            each.kill()
            each.wait()
        self._begin(port)
        self.add_worker()

    def close(self) -> None:
        """End everybody."""
        for each in (*self.workers, self.scheduler):
            each.kill()
            each.wait()

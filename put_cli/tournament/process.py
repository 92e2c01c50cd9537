"""A worker as seen from the process that started it."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from put_cli.engine import forking
from put_cli.tournament import records, worker
from put_cli.tournament.shard import Workshop

POLL_SECONDS = 0.2

START_SECONDS = 600.0
"""So long a worker may take to get ready, which may mean to compile everything."""

ANSWER_SECONDS = 60.0
"""So long an answer may take from its first byte to its last."""

_KILL_SECONDS = 5.0

_CAN_HOLD = hasattr(signal, "pthread_sigmask")
_HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait until the block is left.

    Workers are started inside and must not hear of them before they have set up what to do then.
    """
    if not _CAN_HOLD:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(eq=False)
class Process:
    """A worker, the pipe to it, and what was heard of it."""

    process: Any
    pipe: multiprocessing.connection.Connection
    pulse: Any
    task: Any = None
    """What it is at, usually a shard; None while it waits for something to do."""
    heard: int = 0
    silent: float = 0.0
    """Seconds without a sign of life."""

    def listen(self, seconds: float) -> None:
        """So much time has passed; is it alive?

        Time in which this process did not look counts little: both may have been stopped.
        """
        if self.pulse.value != self.heard:
            self.heard, self.silent = self.pulse.value, 0.0
        else:
            self.silent += min(seconds, 2 * POLL_SECONDS)

    @property
    def ready(self) -> bool:
        """Whether it has shown a sign of life at all."""
        return bool(self.pulse.value)

    def receive(self) -> Any:
        """Its answer, which has begun to come; its records go to the log.

        Raises:
            EOFError, OSError: it died before all of it had come, or was ended for being too slow.
        """
        deadline = threading.Timer(ANSWER_SECONDS, self.process.kill)
        deadline.daemon = True
        deadline.start()
        try:
            answer, told = self.pipe.recv()
        finally:
            deadline.cancel()
        for record in told:
            records.LOG.handle(record)
        return answer

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.join(_KILL_SECONDS)  # one that hangs in the system is left to it
        self.pipe.close()


def start(workshop: Workshop, job: worker.Job) -> Process:
    """Start a worker with a job."""
    forking.guard()
    context: Any = multiprocessing.get_context(records.start_method())
    ours, theirs = context.Pipe()
    pulse = context.RawValue("L", 0)
    arguments = (theirs, os.getpid(), workshop.order, pulse, job)
    process = context.Process(target=worker.serve, args=arguments, daemon=True)
    with _signals_held():
        process.start()
    theirs.close()
    return Process(process, ours, pulse)

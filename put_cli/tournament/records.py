"""The log records of a run, from all its processes, in `run.log`.

Records are for people: no result depends on them. On Linux, where workers are forked,
multiprocessing-logging carries them; it needs fork as the global start method, so elsewhere the
standard library's queue handler does the same job.
"""

import logging
import logging.handlers
import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from put_cli.report.tables import printable

LOG = logging.getLogger("put")

LAST_RECORDS_SECONDS = 0.3
"""How long the last records are waited for; after a worker was killed they may never come."""


def can_fork() -> bool:
    """Whether workers are forked here, so that they inherit compiled code and handlers."""
    return sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) in (
        None,
        "fork",
    )


class LogFile(logging.FileHandler):
    """A file that stays closed at the end, though a record may still be on its way to it."""

    _ended = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; one that comes after the end opens the file for itself alone."""
        self.acquire()
        try:
            super().emit(record)
            if self._ended:
                super().close()
        finally:
            self.release()

    def close(self) -> None:
        """End the file."""
        self.acquire()
        try:
            self._ended = True
            super().close()
        finally:
            self.release()


class _Printable(logging.Formatter):
    """Writes what a terminal might obey as escapes: strategies say what they like."""

    def format(self, record: logging.LogRecord) -> str:
        """The record in lines."""
        return "\n".join(map(printable, super().format(record).split("\n")))


@contextmanager
def run_log(path: Path) -> Iterator["Carrier"]:
    """Write the records of this process and of workers started inside to `path`."""
    handler = LogFile(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(_Printable("%(asctime)s %(levelname)s %(processName)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    carrier: Carrier = _Forked() if can_fork() else _Queued(handler)
    carrier.install()
    try:
        yield carrier
    finally:
        carrier.uninstall()
        for each in list(LOG.handlers):
            LOG.removeHandler(each)
            each.close()


class Carrier:
    """Brings the records of workers to this process."""

    queue: Any = None
    """What `adopt` needs in a worker that was not forked."""

    def install(self) -> None:
        """Begin, before workers are started."""

    def uninstall(self) -> None:
        """End, after the workers have and their last records have come."""

    def renew(self) -> None:
        """Begin anew, after workers were killed and before others are started.

        A worker killed while it logged may hold the queue's lock for ever, or have left half a
        record in it.
        """
        self.uninstall()
        self.install()


class _Forked(Carrier):
    def install(self) -> None:
        import multiprocessing_logging as carrier

        multiprocessing.set_start_method("fork", force=True)
        carrier.install_mp_handler(LOG)

    def uninstall(self) -> None:
        import multiprocessing_logging as carrier

        mine = [h for h in LOG.handlers if isinstance(h, carrier.MultiProcessingHandler)]
        for handler in mine:
            # The thread that feeds the queue must not be waited for: see `renew`.
            handler.queue.cancel_join_thread()
            handler._is_closed = True  # so its other thread ends when it has brought all
            end = time.monotonic() + LAST_RECORDS_SECONDS
            while handler.queue.qsize() and time.monotonic() < end:
                time.sleep(0.002)
        carrier.uninstall_mp_handler(LOG)
        for handler in mine:  # a late record must not open the file again
            handler.sub_handler = logging.NullHandler()


class _Queued(Carrier):
    def __init__(self, handler: logging.Handler) -> None:
        self._handler = handler

    def install(self) -> None:
        self.queue = multiprocessing.get_context("spawn").Queue()
        self._listener = logging.handlers.QueueListener(self.queue, self._handler)
        self._listener.start()

    def uninstall(self) -> None:
        self._listener.stop()
        self.queue.cancel_join_thread()


def adopt(queue: Any) -> None:
    """In a worker that was not forked: send records to the process that started it."""
    if queue is not None:
        LOG.handlers[:] = [logging.handlers.QueueHandler(queue)]
        LOG.setLevel(logging.INFO)
        LOG.propagate = False

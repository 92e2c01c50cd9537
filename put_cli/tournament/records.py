"""The log records of a run, from all its processes, in `run.log`.

Records are for people: no result depends on them. On Linux, where workers are forked,
multiprocessing-logging carries them; it needs fork as the global start method, so elsewhere workers
keep them and send them along with what they answer.
"""

import contextlib
import copy
import logging
import multiprocessing
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from put_cli.report.tables import printable

LOG = logging.getLogger("put")

LAST_RECORDS_SECONDS = 0.3
"""How long the last records are waited for; after a worker was killed they may never come."""


def start_method() -> str:
    """How workers are started: on Linux by fork, so that they inherit compiled code and handlers.

    A program that has chosen another way for itself (`multiprocessing.set_start_method`) gets it.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    if chosen not in (None, "fork"):
        return chosen
    return "fork" if sys.platform == "linux" else "spawn"


class LogFile(logging.FileHandler):
    """A file that stays closed at the end, though a record may still be on its way to it."""

    _ended = False

    def handleError(self, record: logging.LogRecord) -> None:
        """The disk may be full, or gone: who plays is told, and no record matters so much."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; one that comes after the end opens the file for itself alone."""
        self.acquire()
        try:
            super().emit(record)
            if self._ended:
                self.close()
        finally:
            self.release()

    def close(self) -> None:
        """End the file."""
        self.acquire()
        try:
            self._ended = True
            with contextlib.suppress(OSError):  # see handleError
                super().close()
        finally:
            self.release()


class _Printable(logging.Formatter):
    """Writes what a terminal might obey as escapes: strategies say what they like."""

    def format(self, record: logging.LogRecord) -> str:
        """The record in lines."""
        return "\n".join(map(printable, super().format(record).split("\n")))


@contextlib.contextmanager
def run_log(path: Path) -> Iterator["Carrier"]:
    """Write the records of this process and of workers started inside to `path`."""
    handler = LogFile(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(_Printable("%(asctime)s %(levelname)s %(processName)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    carrier: Carrier = _Forked() if start_method() == "fork" else Carrier()
    carrier.install()
    try:
        yield carrier
    finally:
        carrier.uninstall()
        for each in list(LOG.handlers):
            LOG.removeHandler(each)
            each.close()


class Carrier:
    """Brings the records of workers to this process; here they bring them themselves."""

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


class Kept(logging.Handler):
    """Keeps the records of a worker that was not forked until it sends them."""

    def __init__(self) -> None:
        super().__init__()
        self._records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, as text: what it speaks of may not be fit to be sent."""
        kept = copy.copy(record)
        kept.msg, kept.args = self.format(record), None
        kept.exc_info = kept.exc_text = kept.stack_info = None
        self._records.append(kept)

    def taken(self) -> list[logging.LogRecord]:
        """What was kept since the last time."""
        self.acquire()
        try:
            records, self._records = self._records, []
            return records
        finally:
            self.release()


def keep() -> Kept:
    """Have the records of this process kept, and by default those of the workers it starts."""
    kept = Kept()
    LOG.handlers[:] = [kept]
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    return kept


def adopt() -> Kept:
    """In a worker: have its records taken to the process that started it."""
    inherited = any(isinstance(each, Kept) for each in LOG.handlers)
    return keep() if inherited or start_method() != "fork" else Kept()

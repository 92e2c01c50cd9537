"""The log records of a run, from all its processes, in `run.log`.

Records are for people: no result depends on them. On Linux, where workers are forked,
multiprocessing-logging carries them; it needs fork as the global start method, so elsewhere the
standard library's queue handler does the same job.
"""

import logging
import logging.handlers
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LOG = logging.getLogger("put")


def can_fork() -> bool:
    """Whether workers are forked here, so that they inherit compiled code and handlers."""
    return sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) in (
        None,
        "fork",
    )


@contextmanager
def run_log(path: Path) -> Iterator[Any]:
    """Write the records of this process and of workers started inside to `path`.

    Yields what `adopt` needs in a worker that was not forked, or None.
    """
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(processName)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    carried = _fork_carrier() if can_fork() else _queue_carrier(handler)
    try:
        with carried as queue:
            yield queue
    finally:
        for each in list(LOG.handlers):
            LOG.removeHandler(each)
            each.close()


@contextmanager
def _fork_carrier() -> Iterator[None]:
    import multiprocessing_logging as carrier

    multiprocessing.set_start_method("fork", force=True)
    carrier.install_mp_handler(LOG)
    queues = [handler.queue for handler in LOG.handlers if hasattr(handler, "queue")]
    try:
        yield
    finally:
        # A worker that was killed while logging can leave the queue locked for ever: the
        # feeder thread of this process must not be waited for then.
        for queue in queues:
            queue.cancel_join_thread()
        carrier.uninstall_mp_handler(LOG)


@contextmanager
def _queue_carrier(handler: logging.Handler) -> Iterator[Any]:
    queue: Any = multiprocessing.get_context("spawn").Queue()
    listener = logging.handlers.QueueListener(queue, handler)
    listener.start()
    try:
        yield queue
    finally:
        listener.stop()
        queue.cancel_join_thread()


def adopt(queue: Any) -> None:
    """In a worker that was not forked: send records to the process that started it."""
    if queue is not None:
        LOG.handlers[:] = [logging.handlers.QueueHandler(queue)]
        LOG.setLevel(logging.INFO)
        LOG.propagate = False

"""Who plays the shards: this process alone, or a pool of local ones, behind one function."""

import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from put_cli.errors import RunError
from put_cli.tournament import records
from put_cli.tournament.shard import Order, Result, Workshop

PlayAll = Callable[[Iterable[int]], Iterator[Result]]

_POLL_SECONDS = 0.2

_CAN_HOLD = hasattr(signal, "pthread_sigmask")
_HELD = (signal.SIGINT, signal.SIGTERM)

_workshop: Workshop | None = None
"""This process's workshop; forked workers inherit it, compiled code and all."""


def available_cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def crew(workshop: Workshop, workers: int, queue: Any) -> Iterator[PlayAll]:
    """Yield a function that plays shards and gives their results as they come, in any order.

    `queue` is what `records.run_log` yielded. Leaving the block early ends the workers at once:
    what they had not committed is not part of the run.
    """
    global _workshop
    _workshop = workshop
    try:
        if workers == 1:
            yield lambda shards: (workshop.play(shard) for shard in shards)
            return
        context = multiprocessing.get_context("fork" if records.can_fork() else "spawn")
        pool = ProcessPoolExecutor(
            workers,
            mp_context=context,
            initializer=_begin,
            initargs=(workshop.order, queue),
        )
        finished = False
        try:
            yield lambda shards: _pooled(pool, workers, shards)
            finished = True
        finally:
            _end(pool, kill=not finished)
    finally:
        _workshop = None


def _begin(order: Order, queue: Any) -> None:
    """Set up a worker: the terminal's Ctrl-C is for the process that started it."""
    global _workshop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if _CAN_HOLD:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)
    records.adopt(queue)
    if _workshop is None:
        _workshop = Workshop(order)


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


def _play(shard: int) -> Result:
    assert _workshop is not None
    return _workshop.play(shard)


def _pooled(pool: ProcessPoolExecutor, workers: int, shards: Iterable[int]) -> Iterator[Result]:
    """Keep a few shards in flight, however many there are."""
    waiting = iter(shards)
    running: set[Future[Result]] = set()
    try:
        while True:
            for shard in itertools.islice(waiting, 2 * workers - len(running)):
                with _signals_held():
                    running.add(pool.submit(_play, shard))
            if not running:
                return
            done, running = wait(running, _POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise RunError(
            "a worker process died (killed, out of memory, or a plugin crashed it); "
            "what was finished is kept."
        ) from None


def _end(pool: ProcessPoolExecutor, *, kill: bool) -> None:
    processes = list((pool._processes or {}).values())
    if kill:
        for process in processes:
            process.kill()
    pool.shutdown(wait=True, cancel_futures=True)

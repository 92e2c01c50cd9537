"""A worker: a process that plays shards, one after the other, as it is told through a pipe.

It is at the mercy of the strategies it runs. So nobody relies on it: it can be killed, or die, at
any time, and what counts is only what it committed.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from put_cli.errors import PutError
from put_cli.tournament import records
from put_cli.tournament.records import LOG
from put_cli.tournament.shard import Order, Workshop
from put_cli.tournament.surroundings import Said, Surroundings

OUT_OF_MEMORY = 86
"""The exit code of a worker that had no memory left."""

BYTES_PER_HAND = 500
"""What a shard takes at most while it is played and written; matches can be very long."""

_ORPHAN_SECONDS = 1.0
_PR_SET_PDEATHSIG = 1  # see prctl(2)

workshop: Workshop | None = None
"""This process's workshop; forked workers inherit it, compiled code and all."""


class Broke(Exception):
    """A worker met with an error of its own, told as a traceback."""


Job = Callable[[Workshop, Any], Any]


def play_shard(at: Workshop, shard: int) -> Any:
    """The usual job."""
    return at.play(shard)


def serve(pipe: Connection, parent: int, order: Order, pulse: Any, job: Job) -> None:
    """Do the job for everything that comes through the pipe, and send back what came of it."""
    global workshop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    end_if_orphaned = _tie_to(parent)
    kept = records.adopt()
    workshop = workshop or order.workshop()
    said = Said(lambda: workshop.watch.player if workshop else "")
    _close_streams(said)
    surroundings = Surroundings()
    _limit_memory(workshop)

    def alive() -> None:
        pulse.value += 1
        end_if_orphaned()
        if threading.current_thread() is threading.main_thread():
            surroundings.restore_signals()

    workshop.alive = alive
    alive()
    while True:
        while not pipe.poll(_ORPHAN_SECONDS):
            end_if_orphaned()
        task = pipe.recv()
        if task is None:
            break
        surroundings.restore()
        answer = _done(job, workshop, task)
        for text in said.told():
            LOG.info("%s", text)
        pipe.send((answer, kept.taken()))
    surroundings.restore()


def _tie_to(parent: int) -> Callable[[], None]:
    """A function that ends this process if the one that started it is gone.

    On Linux the system does so at once. Elsewhere, or where a fork server comes between, at the
    next sign of life: one comes before anything is written, so that a run which is taken up again
    is not written to by workers of before.
    """
    direct = os.getppid() == parent
    started_by = multiprocessing.parent_process()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def end_if_orphaned() -> None:
        alive = os.getppid() == parent if direct else started_by and started_by.is_alive()
        if not alive:
            os._exit(1)

    end_if_orphaned()
    return end_if_orphaned


def _done(job: Job, at: Workshop, task: Any) -> Any:
    try:
        return job(at, task)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except PutError as error:
        return error
    except BaseException:
        return Broke(traceback.format_exc())


def _close_streams(said: Said) -> None:
    """No player reads from the terminal, and none writes to it."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        os.close(nowhere)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = said.stream()  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = said.stream()  # type: ignore[misc]


def _limit_memory(at: Workshop) -> None:
    """Let this process take so much more address space than it has now; Linux only."""
    if not at.order.memory_limit or sys.platform != "linux":
        return
    import resource

    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    limit = now + at.order.memory_limit * 1_000_000 + BYTES_PER_HAND * at.hands_per_shard
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or limit < most:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

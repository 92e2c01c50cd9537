"""A worker: a process that plays shards, one after the other, as it is told through a pipe.

It is at the mercy of the strategies it runs. So nobody relies on it: it can be killed, or die, at
any time, and what counts is only what it committed.
"""

import contextlib
import ctypes
import multiprocessing
import os
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from put_cli.engine.players import NATIVE
from put_cli.errors import PutError
from put_cli.plugins.child import Overheard
from put_cli.plugins.limits import OUT_OF_MEMORY
from put_cli.plugins.surroundings import Said, Surroundings
from put_cli.tournament import records
from put_cli.tournament.records import LOG
from put_cli.tournament.shard import Order, Workshop

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
    workshop = workshop or Workshop(order)
    said = Said(lambda: workshop.watch.player if workshop else "")
    past = _close_streams(said)
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
        if text := past.told():
            LOG.info("%s prints past Python: %s", _who_plays_here(workshop), text)
        pipe.send((answer, kept.taken()))
    workshop.close()
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


def _who_plays_here(at: Workshop) -> str:
    """The players whose Python runs in this process: what comes past it is one of theirs."""
    members = [each for side in at.contestants for each in side.members]
    names = dict.fromkeys(m.name for m in members if m.tier != NATIVE and m.remote is None)
    return " or ".join(names) or "a player"


def _close_streams(said: Said) -> "Past":
    """No player reads from the terminal, and none writes to it."""
    past = Past()
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = said.stream()  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = said.stream()  # type: ignore[misc]
    return past


class Past:
    """Hears what is written to standard output and error past Python's streams, from C say.

    Somebody has to read all the while, or whoever writes a lot would wait for ever: a thread.
    """

    def __init__(self) -> None:
        self._heard = Overheard()
        self._lock = threading.Lock()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.close(nothing)
        self._pipe, writer = os.pipe()
        os.set_blocking(self._pipe, False)
        for number in (1, 2):
            os.dup2(writer, number)
        os.close(writer)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while select.select([self._pipe], [], []):
            self._read()

    def _read(self) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):
            while data := os.read(self._pipe, 65_536):
                self._heard.add(data)

    def told(self) -> str:
        """What was written since the last time, for a log."""
        with contextlib.suppress(OSError, AttributeError, TypeError):
            ctypes.CDLL(None).fflush(None)  # C keeps what it prints to a pipe for a while
        self._read()
        with self._lock:
            return self._heard.told()


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
        # Players in processes of their own have other limits, which may be higher.
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))

"""Whose doing it is that a worker dies, or shows no sign of life.

The shard is played in a child process without compiled code, and the child writes into shared
memory whom it is about to call and for which decision; batches are asked one by one. Where the
child is stuck, that call is what it is stuck in. Where it dies, the match is played alone in two
fresh children: when both die in the same call, it is that player's doing. (A thread that kills the
process does so at any moment, and memory that is hoarded from match to match runs out in anybody's
call.) Whoever is found forfeits the match, and the search goes on until a child comes through.
"""

import multiprocessing.connection
import signal
import struct
import time
from collections.abc import Callable, Sequence
from ctypes import Array, c_longlong
from dataclasses import astuple, dataclass, fields
from functools import partial
from multiprocessing.sharedctypes import RawArray
from typing import Any

from put_cli.engine.forfeits import Forfeit, Moment, at
from put_cli.engine.lanes import DIED, SLOW
from put_cli.errors import PutError
from put_cli.log import forfeits
from put_cli.plugins.limits import ending
from put_cli.tournament.process import POLL_SECONDS, START_SECONDS, Process
from put_cli.tournament.shard import Workshop
from put_cli.tournament.worker import Broke, Job

UNINTERRUPTED = "took too long where it could not be interrupted"
"""The reason of a forfeit by a call that no timer ends."""

_FIRST_SPEED = 1_000_000
"""Hands a second, about what compiled play reaches; a measured silence takes its place."""

_FIELDS = len(fields(Moment))
_PAGE = f"{1 + _FIELDS}q"

Start = Callable[[Job], Process]


def first_silence(workshop: Workshop) -> float:
    """Seconds without a sign of life that are to be expected, before any were measured."""
    return workshop.hands_per_shard / _FIRST_SPEED


def patience(workshop: Workshop, silence: float) -> float:
    """Seconds without a sign of life after which a worker is taken for stuck.

    `silence` is the longest there was while all went well: that of compiled play. The rest is for
    calls that the timer watches over (see `engine.watch`), with time to spare on a busy machine.
    """
    limit = workshop.order.move_timeout
    if not limit or not hasattr(signal, "setitimer"):
        return float("inf")
    return 1.0 + 15.0 * limit + 10.0 * silence


def name_of(workshop: Workshop, shard: int, moment: Moment) -> str:
    """The player whose moment it is."""
    fixture = next(
        each
        for each in workshop.shards.fixtures(shard)
        if (each.pairing, each.block, each.mirror) == moment.match
    )
    side = workshop.contestants[fixture.chairs[moment.chair % len(fixture.chairs)]]
    return side.members[moment.chair // len(fixture.chairs)].name


def find(workshop: Workshop, shard: int, start: Start) -> list[Forfeit]:
    """The forfeits with which the shard can be played, as far as they can be found.

    `start` starts a worker with a job.
    """
    known = forfeits.read(workshop.order.run)
    limit = patience(workshop, first_silence(workshop))
    found: list[Forfeit] = []
    while True:
        task = (shard, (*known, *found), tuple(found))
        outcome = _watch(start, _try_shard, task, limit)
        found += outcome.forfeits
        if outcome.moment is None:
            return found
        if outcome.stuck:
            found.append(at(outcome.moment, SLOW, UNINTERRUPTED))
            continue
        once, twice = (
            _watch(start, _try_match, (shard, outcome.moment.match), limit) for _ in range(2)
        )
        if once.moment is None or once != twice:
            return found
        kind, why = (SLOW, UNINTERRUPTED) if once.stuck else (DIED, once.how)
        found.append(at(once.moment, kind, why))


@dataclass(frozen=True)
class _Outcome:
    """What became of a child: it came through, or the call in which it did not."""

    forfeits: tuple[Forfeit, ...] = ()
    moment: Moment | None = None
    stuck: bool = False
    how: str = ""


def _try_shard(
    page: "Array[c_longlong]", workshop: Workshop, task: tuple[int, Any, Any]
) -> tuple[Forfeit, ...]:
    return workshop.try_out(*task, partial(_witness, page))


def _try_match(
    page: "Array[c_longlong]", workshop: Workshop, task: tuple[int, tuple[int, int, int]]
) -> tuple[Forfeit, ...]:
    workshop.try_match(*task, partial(_witness, page))
    return ()


def _witness(page: "Array[c_longlong]", moment: Moment, _name: str) -> None:
    struct.pack_into(_PAGE, page, 0, 1, *astuple(moment))


def _watch(
    start: Start, job: Callable[..., Sequence[Forfeit]], task: Any, limit: float
) -> _Outcome:
    """Have a child do a job, and see what becomes of it."""
    page = RawArray(c_longlong, 1 + _FIELDS)
    child = start(partial(job, page))
    try:
        child.pipe.send(task)
        last = time.monotonic()
        while True:
            multiprocessing.connection.wait([child.pipe, child.process.sentinel], POLL_SECONDS)
            child.listen(-last + (last := time.monotonic()))
            if child.pipe.poll():
                answer = child.receive()
                if isinstance(answer, PutError):
                    raise answer
                return _Outcome() if isinstance(answer, Broke) else _Outcome(answer)
            stuck = child.silent > (limit if child.ready else START_SECONDS)
            if stuck or not child.process.is_alive():
                break
    except (EOFError, OSError):
        stuck = False
    finally:
        child.kill()
    called, *numbers = struct.unpack_from(_PAGE, page)
    names = (field.name for field in fields(Moment))
    moment = Moment(**dict(zip(names, numbers, strict=True))) if called else None
    return _Outcome(moment=moment, stuck=stuck, how=ending(child.process.exitcode))

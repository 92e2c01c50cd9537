"""Who plays the shards: workers in processes of their own, or this process alone.

A worker that dies costs time and nothing else: all are started anew, because a dead one may have
left the queue of log records unusable, and its shard is played again. When that happens twice, or
when a worker shows no sign of life for too long, `trial` finds the player whose doing it is.
"""

import multiprocessing
import multiprocessing.connection
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from put_cli.errors import PutError, RunError
from put_cli.log import forfeits
from put_cli.plugins.limits import ending
from put_cli.tournament import trial, worker
from put_cli.tournament.process import POLL_SECONDS, START_SECONDS, Process, start
from put_cli.tournament.records import LOG, Carrier
from put_cli.tournament.shard import Result, Workshop

PlayAll = Callable[[Iterable[int]], Iterator[Result]]

MOST_DEATHS = 4
"""So many deaths over one shard without a culprit end the run."""

_END_SECONDS = 1.0


def available_cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def crew(workshop: Workshop, workers: int, carrier: Carrier) -> Iterator[PlayAll]:
    """Yield a function that plays shards and gives their results as they come, in any order.

    `workers` of 0 plays in this process, where nobody watches over the players. `carrier` is what
    `records.run_log` yielded. Leaving the block early ends the workers at once: what they had not
    committed is not part of the run.
    """
    if not workers:
        try:
            yield lambda shards: (_alone(workshop, shard) for shard in shards)
        finally:
            workshop.close()
        return
    worker.workshop = workshop
    made = _Crew(workshop, workers, carrier)
    finished = False
    try:
        yield made.play
        finished = True
    finally:
        made.end(kill=not finished)
        worker.workshop = None


def _alone(workshop: Workshop, shard: int) -> Result:
    while (result := workshop.play(shard)).forfeits:
        forfeits.add(workshop.order.run, result.forfeits)
    return result


class _Crew:
    def __init__(self, workshop: Workshop, count: int, carrier: Carrier) -> None:
        self._workshop = workshop
        self._count = count
        self._carrier = carrier
        self._workers: list[Process] = []
        self._deaths: Counter[int] = Counter()
        self._silence = trial.first_silence(workshop)
        self._again: deque[int] = deque()  # shards that were begun and must be played again

    def play(self, shards: Iterable[int]) -> Iterator[Result]:
        """Keep all workers busy until everything is played."""
        waiting = iter(shards)
        self._start()
        last = time.monotonic()
        while True:
            for each in self._workers:
                if each.task is None:
                    self._give(each, waiting)
            busy = [each for each in self._workers if each.task is not None]
            if not busy:
                return
            multiprocessing.connection.wait(
                [wire for each in busy for wire in (each.pipe, each.process.sentinel)],
                POLL_SECONDS,
            )
            now = time.monotonic()
            for each in busy:
                each.listen(now - last)
            last = now
            for each in busy:
                if each.pipe.poll() or not each.process.is_alive():
                    result = self._receive(each)
                    if result is not None:
                        yield result
                        continue
                elif each.silent > self._patience(each):
                    self._stuck(each)
                else:
                    continue
                if each not in self._workers:  # it is gone, and so are the others
                    break

    def _patience(self, each: Process) -> float:
        if not each.ready:
            return START_SECONDS
        return trial.patience(self._workshop, self._silence)

    def _start(self) -> None:
        while len(self._workers) < self._count:
            self._workers.append(start(self._workshop, worker.play_shard))

    def _give(self, to: Process, waiting: Iterator[int]) -> None:
        shard = self._again.popleft() if self._again else next(waiting, None)
        if shard is not None:
            to.task = shard
            to.listen(0.0)
            to.silent = 0.0
            with suppress(OSError):  # it may be dead, which will be noticed
                to.pipe.send(shard)

    def _receive(self, each: Process) -> Result | None:
        """What a worker answered; None when its shard has to be played again."""
        assert each.task is not None
        try:
            answer = each.receive()
        except (EOFError, OSError):
            self._dead(each)
            return None
        shard, each.task = each.task, None
        if isinstance(answer, PutError):
            raise answer
        if isinstance(answer, worker.Broke):
            LOG.error("shard %d: %s", shard, answer)
            raise RunError(f"a worker failed at shard {shard}; run.log tells where.")
        assert isinstance(answer, Result)
        self._silence = max(self._silence, answer.silence)
        if answer.forfeits:
            forfeits.add(self._workshop.order.run, answer.forfeits)
            self._again.append(shard)
            return None
        return answer

    def _dead(self, each: Process) -> None:
        """Play the shard of a dead worker again; the second time find out whose doing it is."""
        each.process.join(POLL_SECONDS)  # its pipe may have closed before it has
        shard, how = each.task, ending(each.process.exitcode)
        assert shard is not None
        self._deaths[shard] += 1
        LOG.warning("a worker %s while it played shard %d", how, shard)
        self._abandon()
        if self._deaths[shard] > 1:
            self._try(shard, how)
        self._start()

    def _stuck(self, each: Process) -> None:
        assert each.task is not None
        LOG.warning(
            "a worker showed no sign of life for %.0f s at shard %d and was ended",
            each.silent,
            each.task,
        )
        shard = each.task
        self._deaths[shard] += 1
        self._abandon()
        self._try(shard, "showed no sign of life")
        self._start()

    def _try(self, shard: int, how: str) -> None:
        found = trial.find(self._workshop, shard, partial(start, self._workshop))
        for each in found:
            LOG.warning("shard %d: %s: %s", shard, trial.name_of(self._workshop, shard, each), each)
        if found:
            forfeits.add(self._workshop.order.run, found)
            self._deaths[shard] = 0
        elif self._deaths[shard] >= MOST_DEATHS:
            raise RunError(
                f"a worker process {how} at shard {shard}, {self._deaths[shard]} times, and no "
                "single match of it shows whose doing it is; what was finished is kept. Is there "
                "enough memory (--memory-limit)? Does a strategy start threads or processes?"
            )

    def _abandon(self) -> None:
        """End all workers; what they were at is played again."""
        self._again.extend(each.task for each in self._workers if each.task is not None)
        for each in self._workers:
            each.kill()
        self._workers.clear()
        self._carrier.renew()

    def end(self, *, kill: bool) -> None:
        """End the workers, who have nothing to do any more unless they are to be killed."""
        for each in self._workers:
            if not kill:
                with suppress(OSError):
                    each.pipe.send(None)
        end = time.monotonic() + _END_SECONDS
        for each in self._workers:
            if not kill:  # a thread of a player may keep it
                each.process.join(max(0.0, end - time.monotonic()))
            each.kill()
        self._workers.clear()

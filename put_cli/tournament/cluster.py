"""The shards of a run, played by the workers of a Dask cluster.

This process keeps the run: it alone has the lock, writes down forfeits, and puts the part that
commits a shard, so a worker that was lost, or that nobody waits for any more, changes nothing.
Only as many shards are handed out as keep the workers busy. One whose worker is lost is handed out
again by the scheduler; when the scheduler is lost, all that were handed out are, by this process.
"""

import logging
import pickle
import secrets
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from put_cli.errors import PutError, RunError, UsageError, one_line
from put_cli.log import forfeits
from put_cli.plugins.shipping import pack
from put_cli.tournament import software, stations
from put_cli.tournament.keeping import Keeping
from put_cli.tournament.rounds import Schedule
from put_cli.tournament.settings import Settings
from put_cli.tournament.shard import Order, Result, Workshop
from put_cli.tournament.station import Answer, Reply, Site, Task
from put_cli.tournament.worker import Broke
from put_cli.tournament.workers import PlayAll

if TYPE_CHECKING:
    from distributed import Client, Future

LOG = logging.getLogger("put")

CONNECT_SECONDS = 10.0
"""So long a scheduler is waited for at first."""

RETURN_SECONDS = 300.0
"""So long a scheduler or all workers may be gone before the run is stopped."""

AHEAD = 2
"""Shards handed out for each thread of a worker: one is played, the others wait beside it."""

MOST_LOSSES = 5
"""So many times one shard may be lost."""

_GATHER_SECONDS = 120.0
"""So long the answer about one shard may travel."""

_POLL_SECONDS = 0.05
_COUNT_SECONDS = 5.0
"""Workers come and go: they are counted so often."""

_END_SECONDS = 1.0


def connect(address: str) -> "Client":
    """A client of the scheduler at an address.

    Raises:
        UsageError: distributed is not installed, or there is no scheduler.
    """
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "--cluster needs Dask, which is not installed. Install it with: "
            "pip install 'put-cli[cluster]'"
        ) from None
    # It tells of every broken connection in its own words; what matters is told in ours.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions are compared by ourselves
            return distributed.Client(
                address, timeout=CONNECT_SECONDS, set_as_default=False, name="put"
            )
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(
            f"--cluster: expected the address of a Dask scheduler, as in tcp://host:8786, got "
            f"{address!r}: {one_line(error)}."
        ) from None


def checked(
    settings: Settings, order: Order, strategies: Sequence[Mapping[str, Any]]
) -> bytes | None:
    """What the stations of a cluster are told, after every worker has shown that it can play.

    `strategies`: as the manifest describes them. None without a cluster. Nothing is written.

    Raises:
        UsageError: there is no cluster, or a part of it is not what is needed.
    """
    if not settings.cluster:
        return None
    site = pickle.dumps(
        Site(
            session=secrets.token_hex(8),
            order=replace(order, run=Path(), schedule=Schedule(())),
            folder=str(Path.cwd()),
            parcels=pack(order.strategies) if settings.ship else (),
            software=software.software(),
            strategies=strategies,
        )
    )
    client = connect(settings.cluster)
    try:
        _check(client, site)
    finally:
        with suppress(Exception):
            client.close(timeout=_END_SECONDS)
    return site


def _check(client: "Client", site: bytes) -> None:
    try:
        wrong = client.run_on_scheduler(software.other_software, software.software())
    except Exception as error:
        wrong = [f"put does not run there ({one_line(error)})"]
    if wrong:
        raise _refusal("the scheduler", "; ".join(wrong))
    addresses = sorted(client.nthreads())
    if not addresses:
        raise UsageError("--cluster: the scheduler has no workers. Start some: dask worker ADDRESS")
    looks = {
        address: client.submit(stations.look, site, workers=[address], pure=False)
        for address in addresses
    }
    for address, future in looks.items():
        try:
            said = future.result(timeout=stations.READY_SECONDS)
        except Exception as error:
            raise _refusal(f"worker {address}", one_line(error)) from None
        if said != stations.READY:
            raise _refusal(f"worker {address}", str(pickle.loads(said)))


def _refusal(who: str, why: str) -> UsageError:
    return UsageError(
        f"--cluster: {who} cannot play this run: {why.strip().rstrip('.')}. Install there what is "
        "installed here; --ship sends single files of strategies."
    )


@contextmanager
def crew(workshop: Workshop, site: bytes, settings: Settings) -> Iterator[PlayAll]:
    """Yield a function that plays shards on a cluster, and commits them: see `workers.crew`.

    Leaving the block by an error ends the stations at once; otherwise they wait for more rounds
    until `dismiss`.
    """
    made = _Crew(workshop, site, settings)
    finished = False
    try:
        yield made.play
        finished = True
    finally:
        made.end(kill=not finished)


def dismiss(settings: Settings, site: bytes | None) -> None:
    """End the stations of a run that is over; those that are not told will notice in time."""
    if site is None:
        return
    with suppress(Exception):
        _leave(connect(settings.cluster), site, [])


def _leave(client: "Client", site: bytes | None, futures: Sequence["Future"]) -> None:
    """Take back futures, end the stations of a site, and close the client, in a second at most.

    What is not done by then is left: a station that hears nothing for long ends itself.
    """

    def leave() -> None:
        with suppress(Exception):
            if site is not None:
                client.run(stations.end, stations.key_of(site))
            client.cancel(futures, force=True)
            client.close(timeout=_END_SECONDS)

    leaving = threading.Thread(target=leave, daemon=True)
    leaving.start()
    leaving.join(_END_SECONDS)


class _Crew:
    def __init__(self, workshop: Workshop, site: bytes, settings: Settings) -> None:
        self._site, self._address = site, settings.cluster
        self._keeping = Keeping(workshop.order.run, settings.store)
        self._task = _tasks(workshop, self._keeping, settings)
        self._client = connect(self._address)
        self._flying: dict[int, Future] = {}
        self._again: deque[int] = deque()
        self._losses: Counter[int] = Counter()
        self._most = 0
        self._counted = float("-inf")
        self._seen = time.monotonic()  # when there last was a worker

    def play(self, shards: Iterable[int]) -> Iterator[Result]:
        """Keep all workers busy until everything is played."""
        waiting = iter(shards)
        while True:
            try:
                self._hand_out(waiting)
            except (OSError, RuntimeError, TimeoutError) as error:
                self._reconnect(one_line(error))
                continue
            if not self._flying:
                return
            done = [each for each in self._flying.items() if each[1].status != "pending"]
            if not done:
                time.sleep(_POLL_SECONDS)
            for shard, future in done:
                if self._flying.pop(shard, None) is None:  # all were given up meanwhile
                    break
                result = self._received(shard, future)
                if result is not None:
                    yield result

    def _hand_out(self, waiting: Iterator[int]) -> None:
        self._count()
        while len(self._flying) < self._most:
            shard = self._again.popleft() if self._again else next(waiting, None)
            if shard is None:
                return
            try:
                task = pickle.dumps(self._task(shard))
                self._flying[shard] = self._client.submit(
                    stations.play, self._site, task, key=f"put-{secrets.token_hex(8)}", pure=False
                )
            except BaseException:
                self._again.appendleft(shard)
                raise

    def _count(self) -> None:
        """How many shards may be handed out now."""
        now = time.monotonic()
        if now - self._counted < _COUNT_SECONDS:
            return
        threads = sum(self._client.nthreads().values())
        self._counted, self._most = now, max(1, AHEAD * threads)
        if threads:
            self._seen = now
        elif now - self._seen > RETURN_SECONDS:
            raise RunError(
                f"the cluster at {self._address} has had no worker for {RETURN_SECONDS:.0f} s."
            )

    def _received(self, shard: int, future: "Future") -> Result | None:
        """What came of a shard; None when it has to be played again."""
        from distributed import KilledWorker

        try:
            answer: Answer = pickle.loads(future.result(timeout=_GATHER_SECONDS))
        except (KilledWorker, stations.Lost) as error:
            self._lost(shard, one_line(error))
            return None
        except Exception as error:
            if future.status == "error":
                raise RunError(
                    f"the cluster cannot play shard {shard}: {one_line(error)}."
                ) from None
            self._lost(shard, one_line(error))
            self._reconnect(one_line(error))
            return None
        if isinstance(answer, PutError):
            raise RunError(f"a worker of the cluster cannot play shard {shard}: {answer}")
        if isinstance(answer, Broke):
            LOG.error("shard %d: %s", shard, answer)
            raise RunError(f"a worker failed at shard {shard}; run.log tells where.")
        return self._commit(answer)

    def _commit(self, reply: Reply) -> Result:
        for record in reply.records:
            LOG.handle(record)
        if reply.forfeits:
            forfeits.add(self._keeping.run, reply.forfeits)
            self._keeping.push(forfeits.NAME)
        for name, data in reply.result.parts:
            self._keeping.put(name, pa.py_buffer(data))
        return replace(reply.result, parts=())

    def _lost(self, shard: int, why: str) -> None:
        LOG.warning("shard %d was lost and is played again: %s", shard, why)
        self._losses[shard] += 1
        if self._losses[shard] >= MOST_LOSSES:
            raise RunError(
                f"shard {shard} was lost {MOST_LOSSES} times: {why}. Do workers have enough "
                "memory? Their own logs tell more."
            )
        self._again.append(shard)

    def _reconnect(self, why: str) -> None:
        """Wait for the scheduler to come back, and have all that was handed out played again."""
        self._again.extend(self._flying)
        self._flying.clear()
        LOG.warning("the scheduler was lost, and is waited for: %s", why)
        end = time.monotonic() + RETURN_SECONDS
        while True:
            with suppress(Exception):
                self._client.close(timeout=_END_SECONDS)
            try:
                self._client = connect(self._address)
                break
            except UsageError:
                if time.monotonic() > end:
                    raise RunError(
                        f"the scheduler at {self._address} has been gone for "
                        f"{RETURN_SECONDS:.0f} s."
                    ) from None
                time.sleep(_POLL_SECONDS)
        self._counted, self._seen = float("-inf"), time.monotonic()

    def end(self, *, kill: bool) -> None:
        """Take back what was handed out, and if they are to be killed end the stations."""
        _leave(self._client, self._site if kill else None, list(self._flying.values()))


def _tasks(workshop: Workshop, keeping: Keeping, settings: Settings) -> Callable[[int], Task]:
    """What a worker is told of a shard."""
    order = workshop.order
    schedule = pickle.dumps(order.schedule.bare())

    def task(shard: int) -> Task:
        return Task(
            shard=shard,
            schedule=schedule,
            forfeits=forfeits.read(order.run),
            store=None if settings.collect else keeping.store,
            run=None if settings.collect or settings.store else order.run,
        )

    return task

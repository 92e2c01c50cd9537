"""A station: a process on a machine of a cluster that plays shards as a local run would.

Whoever runs on the cluster's own worker process would share its threads and its fate. So that one
starts stations (see `stations`), and each watches over a worker of its own: time-outs, deaths and
memory are what they are locally, and no strategy is ever loaded into the cluster's process.

Messages come through standard input and answers go through standard output: first a pickled `Site`,
answered when the station is ready, then a `Task` at a time, answered with a `Reply` or an error.
"""

import contextlib
import logging
import os
import pickle
import queue
import shutil
import signal
import socket
import tempfile
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from put_cli.engine.forfeits import Forfeit
from put_cli.errors import PutError, RunError
from put_cli.log import forfeits, manifest
from put_cli.log.store import Store
from put_cli.plugins.shipping import Parcel, unpack
from put_cli.tournament import records, workers
from put_cli.tournament.field import described, differences, load_field
from put_cli.tournament.rounds import Schedule
from put_cli.tournament.shard import Order, Result, Workshop
from put_cli.tournament.software import other_software
from put_cli.tournament.stations import READY, receive, send
from put_cli.tournament.worker import Broke

IDLE_SECONDS = 60.0
"""A station that hears nothing for so long ends itself."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """What a station is for: who plays, and how, in whatever rounds."""

    session: str
    """What tells it from the site of the same run at another time."""
    order: Order
    """Without a run directory and without rounds."""
    folder: str
    """Where the command was given, from where files are named, if that exists there too."""
    parcels: tuple[Parcel, ...]
    """Files of strategies that are sent along."""
    software: Mapping[str, str]
    strategies: Sequence[Mapping[str, Any]]
    """As the manifest describes them."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """A shard to be played."""

    shard: int
    schedule: bytes
    """A pickled `Schedule`, as bytes because most tasks have the same."""
    forfeits: tuple[Forfeit, ...]
    """All that are known of the run."""
    store: Store | None
    """Where parts are put; None where all are handed on."""
    run: Path | None
    """The run directory, where it must be seen from here."""


@dataclass(frozen=True)
class Reply:
    """What came of a task."""

    result: Result
    forfeits: tuple[Forfeit, ...]
    """Those that were found, with which the shard was played."""
    records: list[logging.LogRecord]


Answer = Reply | PutError | Broke


def main() -> None:
    """Serve until standard input ends, an error was told, or nothing came for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for those who started this one
    messages, answers = _streams()
    inbox: queue.Queue[bytes] = queue.Queue()
    with tempfile.TemporaryDirectory(prefix="put-station-") as own, contextlib.suppress(OSError):
        threading.Thread(target=_read, args=(messages, inbox, own), daemon=True).start()
        try:
            for answer in _serve(inbox, Path(own)):
                send(answers, answer)
        except queue.Empty:
            return
        except PutError as error:
            send(answers, pickle.dumps(RunError(f"{socket.gethostname()}: {error}")))
        except Exception:
            send(answers, pickle.dumps(Broke(traceback.format_exc())))


def _streams() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output for messages alone: what strategies print must not get there."""
    messages, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    os.close(nothing)
    return messages, answers


def _read(messages: IO[bytes], inbox: "queue.Queue[bytes]", own: str) -> None:
    """Hear what comes; when nobody is there any more, end the process, whatever it is doing."""
    while True:
        try:
            inbox.put(receive(messages))
        except (EOFError, OSError):
            shutil.rmtree(own, ignore_errors=True)
            os._exit(1)


def _serve(inbox: "queue.Queue[bytes]", own: Path) -> Iterator[bytes]:
    site: Site = pickle.loads(inbox.get(timeout=IDLE_SECONDS))
    kept = records.keep()
    workshop = _ready(site, own)
    yield READY
    schedule: bytes | None = None
    with contextlib.ExitStack() as stack:
        while True:
            task: Task = pickle.loads(inbox.get(timeout=IDLE_SECONDS))
            if task.schedule != schedule:
                stack.close()
                schedule = task.schedule
                planned: Schedule = pickle.loads(schedule)
                workshop.take(replace(workshop.order, schedule=planned, store=task.store))
                _refuse_other_run(task, planned)
                play_all = stack.enter_context(workers.crew(workshop, 1, records.Carrier()))
            (own / forfeits.NAME).unlink(missing_ok=True)
            if task.forfeits:
                forfeits.add(own, task.forfeits)
            (result,) = play_all([task.shard])
            found = tuple(each for each in forfeits.read(own) if each not in task.forfeits)
            told = kept.taken()
            for record in told:
                record.processName = f"{socket.gethostname()}-{os.getpid()}"
            yield pickle.dumps(Reply(result, found, told))


def _ready(site: Site, own: Path) -> Workshop:
    wrong = other_software(site.software)
    if wrong:
        raise RunError("; ".join(wrong))
    with contextlib.suppress(OSError):
        os.chdir(site.folder)
    order = replace(site.order, run=own, far=True, places=unpack(site.parcels))
    entrants = load_field(order.strategies, order.rules, order.loader)
    workshop = order.workshop(entrants.loaded)
    for then, now in zip(site.strategies, described(entrants, workshop.contestants), strict=True):
        wrong += [
            f"{then['name']}: its {key} is {there!r} there and {here!r} here"
            for key, here, there in differences(then, now)
        ]
    if wrong:
        raise RunError("; ".join(wrong))
    return workshop


def _refuse_other_run(task: Task, schedule: Schedule) -> None:
    """What is found under the name of the run must be the run."""
    if task.run is None:
        return
    try:
        seen = manifest.read(task.run).fingerprint(task.shard)
    except RunError:
        seen = None
    if seen != schedule.fingerprint(task.shard):
        raise RunError(
            f"the run directory {str(task.run)!r} is not what it is here: it must lie on a file "
            "system that all workers share. Otherwise add --collect"
        )

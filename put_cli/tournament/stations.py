"""The stations of one worker of a Dask cluster: all that runs in the worker's own process.

Nothing of a game is known here. Messages and answers pass through as bytes (see `station`), so
that neither this process nor the scheduler has to load what plays. A station is kept for the next
shard of the same run, since it takes seconds to get ready.
"""

import contextlib
import hashlib
import struct
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from typing import IO

READY_SECONDS = 600.0
"""So long a station may take to get ready, which may mean to compile everything."""

READY = b""
"""What a station answers that can play; another answer says why it cannot."""

_END_SECONDS = 0.5

_PROGRAM = "from put_cli.tournament.station import main; main()"
_LENGTH = struct.Struct("!Q")


class Lost(Exception):
    """A station died. No player does that: each plays in a process of the station's own."""


def send(to: IO[bytes], message: bytes) -> None:
    """Write a message to a pipe."""
    to.write(_LENGTH.pack(len(message)))
    to.write(message)
    to.flush()


def receive(source: IO[bytes]) -> bytes:
    """The next message from a pipe.

    Raises:
        EOFError: there is none, or only a part of it.
    """
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    message = source.read(length)
    if len(message) < length:
        raise EOFError
    return message


class _Station:
    """The process, which is the one at the other end of two pipes."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, message: bytes) -> bytes:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            send(self.process.stdin, message)
            return receive(self.process.stdout)
        except (EOFError, OSError):
            self.end()
            code = self.process.returncode
            raise Lost(f"a station ended with code {code}") from None

    def end(self) -> None:
        """End it, with a moment to clean up."""
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_SECONDS)
        self.process.kill()
        self.process.wait()


_lock = threading.Lock()
_all: dict[str, set[_Station]] = defaultdict(set)
"""Every station of this process that was not ended, by the digest of its site."""

_idle: dict[str, list[_Station]] = defaultdict(list)


def key_of(site: bytes) -> str:
    """A name for a site."""
    return hashlib.blake2b(site, digest_size=16).hexdigest()


def _begin(site: bytes, key: str) -> tuple[_Station, bytes]:
    """A station that has nothing to do, and whether it is ready."""
    with _lock:
        while _idle[key]:
            station = _idle[key].pop()
            if station.process.poll() is None:
                return station, READY
            _all[key].discard(station)
        station = _Station()
        _all[key].add(station)
    deadline = threading.Timer(READY_SECONDS, station.process.kill)
    deadline.daemon = True
    deadline.start()
    try:
        return station, station.ask(site)
    finally:
        deadline.cancel()


@contextlib.contextmanager
def _leased(site: bytes) -> Iterator[tuple[_Station, bytes]]:
    """A station, given back if the block ends well and it is ready for more."""
    key = key_of(site)
    station, said = _begin(site, key)
    good = False
    try:
        yield station, said
        good = said == READY
    finally:
        with _lock:
            if good:
                _idle[key].append(station)
            else:
                _all[key].discard(station)
        if not good:
            station.end()


def look(site: bytes) -> bytes:
    """READY if this worker can play, and then a station is; otherwise why it cannot."""
    with _leased(site) as (_, said):
        return said


def play(site: bytes, task: bytes) -> bytes:
    """What came of a task.

    Raises:
        Lost: the station died, or was ended.
    """
    with _leased(site) as (station, said):
        return said or station.ask(task)


def end(key: str) -> None:
    """End all stations of a site, at work or not."""
    with _lock:
        stations = _all.pop(key, set())
        _idle.pop(key, None)
    for each in stations:  # not here, where the cluster's messages would have to wait
        threading.Thread(target=each.end).start()

"""A child process that is sent lines and answers each with a line.

POSIX pipes: what it writes to its standard error is kept apart, and nothing it does or leaves
undone blocks for longer than it is given.
"""

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from put_cli.errors import UsageError
from put_cli.plugins.limits import ending

MOST_BYTES = 2000
"""So much of what a player prints in one shard is kept."""

_PIECE = 65_536
_LONGEST_LINE = 50_000_000
_LOOK_SECONDS = 0.1


class Overheard:
    """The beginning of what a player prints."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self._length = 0

    def add(self, data: bytes) -> None:
        """It prints something."""
        self.kept += data[: max(0, MOST_BYTES - len(self.kept))]
        self._length += len(data)

    def told(self) -> str:
        """What was printed since the last time, for a log."""
        text = self.kept.decode("utf-8", "backslashreplace").strip().replace("\n", "\n    ")
        more = self._length - len(self.kept)
        self.kept, self._length = bytearray(), 0
        return text + (f" ... and {more:,} bytes more" if more > 0 else "")


class Gone(Exception):
    """The process has ended, or has closed its output; the reason says how."""


class Silent(Exception):
    """It has not answered in time."""


class Child:
    """A running child. `prints` is told what it writes to standard error."""

    def __init__(self, command: Sequence[str], prints: Callable[[bytes], None]) -> None:
        if os.name != "posix":
            raise UsageError("players in processes of their own need a POSIX system.")
        self._prints = prints
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        process = self._process
        self._to, self._from, self._errors = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr) if pipe
        )
        for pipe in (self._to, self._from, self._errors):
            os.set_blocking(pipe, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._from, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._unsent = memoryview(b"")
        self._read = bytearray()
        self.waited = 0.0
        """Seconds that the last line took."""

    def send(self, line: bytes) -> None:
        """Begin to send a line; `receive` goes on with it."""
        self._unsent = memoryview(bytes(self._unsent) + line + b"\n")
        self._write()

    def receive(self, seconds: float, alive: Callable[[], None]) -> bytes:
        """The next line, within so many seconds (0: no limit); `alive` is called meanwhile.

        Raises:
            Gone: there will be none.
            Silent: there was none in time.
        """
        last = time.monotonic()
        self.waited = 0.0
        while (end := self._read.find(b"\n")) < 0:
            alive()
            self._exchange()
            # Time in which this process did not look counts little: both may have been stopped.
            self.waited += min(-last + (last := time.monotonic()), 3 * _LOOK_SECONDS)
            if seconds and self.waited > seconds:
                raise Silent
            if len(self._read) > _LONGEST_LINE:
                raise Gone("answered with a line that has no end")
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _exchange(self) -> None:
        """Wait for a while for the pipes, and move what can be moved."""
        for key, events in self._selector.select(_LOOK_SECONDS):
            if key.fd == self._to and events & selectors.EVENT_WRITE:
                self._write()
                continue
            try:
                data = os.read(key.fd, _PIECE)
            except BlockingIOError:
                continue
            if key.fd == self._errors:
                self._prints(data)
            else:
                self._read += data
            if not data:
                self._selector.unregister(key.fd)
                if key.fd == self._from:
                    raise Gone(self._ended())

    def _write(self) -> None:
        waiting = self._to in self._selector.get_map()
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            if not waiting:
                self._selector.register(self._to, selectors.EVENT_WRITE)
            return
        except BrokenPipeError:  # its output will say the same, after what it has still to say
            self._unsent = memoryview(b"")
        if waiting:
            self._selector.unregister(self._to)

    def _ended(self) -> str:
        """How it has ended, which it should have by now: its output is closed."""
        try:
            return ending(self._process.wait(1.0))
        except subprocess.TimeoutExpired:
            return "closed its output"

    def end(self, seconds: float = 0.0) -> None:
        """End it: let it see the end of its input for so long, then kill all of its session."""
        process = self._process
        if seconds:
            if process.stdin:
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        with suppress(OSError):
            os.killpg(process.pid, 9)
        process.kill()
        process.wait()
        with suppress(OSError):
            while data := os.read(self._errors, _PIECE):
                self._prints(data)
        self._selector.close()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe:
                with suppress(OSError):
                    pipe.close()

"""What all players of a process share with the program, and what is put back after them.

Put back before every shard: the working directory, the environment, the module search path, signal
handlers, the state of `random` and of `numpy.random`, NumPy's error handling, warning filters, the
recursion limit, garbage collection and the standard streams; signal handlers whenever players
begin to be called. Not put back: threads, modules and what was changed in them, open files.
"""

import gc
import io
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from put_cli.plugins.child import Overheard

_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE")
    if hasattr(signal, name)
)

_Handler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None


class Surroundings:
    """The state of the process as it was when this was made."""

    def __init__(self) -> None:
        self._folder = os.getcwd()
        self._environment = dict(os.environ)
        self._path = list(sys.path)
        self._handlers: dict[int, _Handler] = {n: signal.getsignal(n) for n in _SIGNALS}
        self._random = random.getstate()
        self._numpy = np.random.get_state()
        self._errors = np.geterr()
        self._filters = list(warnings.filters)
        self._recursion = sys.getrecursionlimit()
        self._collects = gc.isenabled()
        self._streams = (sys.stdin, sys.stdout, sys.stderr)

    def restore(self) -> None:
        """Put everything back."""
        self.restore_signals()
        try:
            if os.getcwd() != self._folder:
                os.chdir(self._folder)
        except OSError:  # a folder was deleted: ours, then there is no way back, or another
            if os.path.isdir(self._folder):
                os.chdir(self._folder)
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        sys.path[:] = self._path
        random.setstate(self._random)
        np.random.set_state(self._numpy)
        np.seterr(**self._errors)
        warnings.filters[:] = self._filters  # type: ignore[index]
        sys.setrecursionlimit(self._recursion)
        (gc.enable if self._collects else gc.disable)()
        sys.stdin, sys.stdout, sys.stderr = self._streams
        sys.settrace(None)
        sys.setprofile(None)

    def restore_signals(self) -> None:
        """Put back the handlers of signals."""
        for number, handler in self._handlers.items():
            if handler is not None and signal.getsignal(number) != handler:
                signal.signal(number, handler)


class Said(io.RawIOBase):
    """Where players print to: remembers the beginning of what each of them says.

    `player` gives the name of the one whose turn it is, or an empty string.
    """

    def __init__(self, player: Callable[[], str]) -> None:
        self._player = player
        self._heard: dict[str, Overheard] = {}

    def stream(self) -> io.TextIOWrapper:
        """A text stream that leads here, fit to be sys.stdout."""
        return io.TextIOWrapper(
            self,  # type: ignore[arg-type]
            encoding="utf-8",
            errors="backslashreplace",
            write_through=True,
        )

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._heard.setdefault(self._player(), Overheard()).add(piece)
        return len(piece)

    def close(self) -> None:
        """A player may close the stream; the next one may still want it."""

    def told(self) -> list[str]:
        """What was said since the last time, one text for each player."""
        heard = {name or "a player": each.told() for name, each in self._heard.items()}
        self._heard.clear()
        return [f"{name} prints: {text}" for name, text in heard.items() if text]

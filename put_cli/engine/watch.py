"""A clock over the calls of players, at no cost to a call.

A timer ticks four times within the time that a decision may take, and looks whether the decision
under way is still the one it saw before. At the fourth tick that finds no change it raises
`OutOfTime` into the player's code. Ticks are counted and not seconds, so that a process that was
stopped for a while, or a computer that slept, costs nobody a game.

The timer is a signal, which only the main thread of a process can have, and Windows has none:
elsewhere decisions take as long as they take. Python hears of signals between two of its own
instructions, so compiled code and long calls of a library are not interrupted.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from types import FrameType

TICKS = 4
LARGEST_BATCH = 10
"""A call for many decisions has the time of all of them, or of so many if there are more."""


class OutOfTime(BaseException):
    """The time for a decision is over; no Exception, which many a player would catch."""


def available() -> bool:
    """Whether decisions can be timed here."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


class Watch:
    """Knows which call of a player is under way, and ends it when it takes too long.

    `seconds` is the time for a decision, 0 for no limit. `alive` is called while all goes well:
    with a limit several times within it, and whenever a call begins.
    """

    def __init__(self, seconds: float = 0.0, alive: Callable[[], None] | None = None) -> None:
        self.seconds = seconds
        self.alive = alive or _nothing
        self._done: Sized | None = None
        self._who: Callable[[int], str] = _nobody
        self._serial = self._ticks = 0
        self._most = TICKS
        self._seen = (0, 0)
        self._armed = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Inside the block the timer runs."""
        if not self.seconds or not available():
            yield
            return
        before = signal.getsignal(signal.SIGALRM)
        self._arm()
        self._armed = True
        try:
            yield
        finally:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _arm(self) -> None:
        """Start the timer anew: a player may have stopped it."""
        if signal.getsignal(signal.SIGALRM) != self._tick:
            signal.signal(signal.SIGALRM, self._tick)
        signal.setitimer(signal.ITIMER_REAL, self.seconds / TICKS, self.seconds / TICKS)

    @contextmanager
    def over(
        self, who: Callable[[int], str], done: Sized = (), decisions: int = 1
    ) -> Iterator[None]:
        """Inside the block players are called.

        `done` grows by one with every call; `who` names the player of a call by its number. One
        call that answers for many has the time of so many `decisions`.
        """
        self.alive()
        if self._armed:
            self._arm()
        self._most = TICKS * min(decisions, LARGEST_BATCH)
        self._serial += 1
        self._ticks = 0
        self._who, self._done = who, done
        try:
            yield
        finally:
            self._done = None

    @property
    def player(self) -> str:
        """The name of the player whose call is under way, or an empty string."""
        return "" if self._done is None else self._who(len(self._done))

    def _tick(self, _number: int, _frame: FrameType | None) -> None:
        done = self._done
        seen = (self._serial, -1 if done is None else len(done))
        if done is None or seen != self._seen:
            self._seen, self._ticks = seen, 0
            self.alive()
            return
        self._ticks += 1
        if self._ticks < self._most:
            if self._most > TICKS:
                self.alive()
            return
        self._ticks = 0
        raise OutOfTime


def _nothing() -> None:
    pass


def _nobody(_call: int) -> str:
    return ""

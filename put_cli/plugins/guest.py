"""The process at the other end: it holds one Python strategy, and the views it is shown.

It knows neither seed nor cards nor opponents but what arrives line by line. The strategy has the
process for itself: it may end it, fill it, or print, and nobody else notices.
"""

import ctypes
import itertools
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, BinaryIO

from put_cli.engine.asking import Fault, ask_batch, interpret, raised, stacked, trace_of
from put_cli.engine.lanes import FAULT_KINDS, NONSENSE
from put_cli.engine.watch import Watch
from put_cli.errors import SpecError
from put_cli.plugins import discovery, wire
from put_cli.plugins.limits import OUT_OF_MEMORY, settle
from put_cli.plugins.surroundings import Surroundings
from put_cli.strategy import Player, Strategy


def command(memory_limit: int) -> list[str]:
    """What starts such a process, with a limit of memory in MB (0 for none)."""
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from put_cli.plugins.guest import main; "
        f"main({os.getpid()}, {memory_limit})"
    )
    return [sys.executable, "-P", "-c", code]


def main(parent: int, memory_limit: int) -> None:
    """Answer lines until there are no more."""
    settle(parent, memory_limit)
    requests, answers = _streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # such an exception is the player's own then
    code = 0
    try:
        _serve(requests, answers)
    except MemoryError:
        code = OUT_OF_MEMORY
    except BaseException:
        code = 1
        with suppress(Exception):  # a strategy may have left nothing to print to
            traceback.print_exc()
    _flush()
    os._exit(code)  # a thread of the strategy does not keep the process


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of the protocol, where no print gets in between: those go to standard error."""
    requests = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.__stdout__ = sys.stderr  # type: ignore[misc,assignment]
    return requests, answers


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    guest: Guest | None = None
    for request in requests:
        facts = json.loads(request)
        kind = facts.pop("type")
        if guest is None:
            guest, answer = _load(facts, answers)
        else:
            answer = getattr(guest, kind)(**facts)
        _flush()
        answers.write(wire.line(**answer) + b"\n")
        if guest is None:
            return


def _flush() -> None:
    """Let go of what C keeps of what it was given to print."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)


def _load(facts: dict[str, Any], answers: BinaryIO) -> "tuple[Guest | None, dict[str, Any]]":
    """Load the strategy that hello names, and describe it."""
    surroundings = Surroundings()
    try:
        loaded = discovery.load(facts["player"])
        surroundings.restore()  # as in the program, of which a file may have changed anything
        described: dict[str, Any] = {
            "name": loaded.name,
            "file": str(loaded.file) if loaded.file else None,
            "memory": bool(loaded.strategy.memory),
            "learns": loaded.strategy.begin_match is not None,
            "plays": loaded.plays,
        }
        if facts["describe"]:
            described |= {
                "parameters": loaded.parameters,
                "package": loaded.package,
                "version": loaded.version,
                "source": loaded.source,
                "summary": loaded.summary,
            }
    except SpecError as error:
        return None, {"kind": "hello", "protocol": wire.PROTOCOL, "error": str(error)}
    guest = Guest(loaded.strategy, facts["tier"], answers, surroundings)
    return guest, {"kind": "hello", "protocol": wire.PROTOCOL, **described}


class Guest:
    """Answers each type of line: a method of its name for each."""

    def __init__(
        self, strategy: Strategy, tier: str, answers: BinaryIO, surroundings: Surroundings
    ) -> None:
        self._strategy = strategy
        alone = type(strategy).act is Strategy.act
        self._in_batches = strategy.act_batch is not None and (alone or tier != "interpreted")
        self._answers = answers
        self._surroundings = surroundings
        self._spoke = time.monotonic()
        self._players: dict[int, Player] = {}

    def rules(self, fields: Sequence[str], move_timeout: float, **_facts: Any) -> dict[str, Any]:
        """Another game; what was before is over."""
        self._surroundings.restore()
        self._unpack = wire.unpacker(fields)
        self._watch = Watch(move_timeout, self._alive)
        self._players.clear()
        return {"kind": "ready"}

    def _alive(self) -> None:
        """Say that all is well, now and then."""
        if time.monotonic() - self._spoke > 0.1:
            self._spoke = time.monotonic()
            self._answers.write(wire.line("alive") + b"\n")

    def begin_match(self, matches: Sequence[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
        """Matches begin."""

        def begin(key: int, facts: dict[str, Any]) -> None:
            player = self._strategy.begin_match(wire.match_from(facts))
            if not callable(getattr(player, "act", None)):
                reason = f"begin_match returned {repr(player)[:80]}, which is no Player"
                raise Fault(NONSENSE, reason)
            self._players[key] = player

        return self._tell(matches, begin)

    def hand_over(self, records: Sequence[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
        """Hands are finished."""
        return self._tell(
            records, lambda key, facts: self._players[key].hand_over(wire.record_from(facts))
        )

    def _tell(
        self, items: Sequence[tuple[int, Any]], tell: Callable[[int, Any], None]
    ) -> dict[str, Any]:
        faults = {}
        with self._watch.running():
            for position, (key, facts) in enumerate(items):
                try:
                    with self._watch.over(lambda _call: ""):
                        tell(key, facts)
                except BaseException as error:
                    faults[position] = raised(error)
        self._spoke = time.monotonic()
        return {"kind": "ready", "faults": _told(faults)}

    def decide(
        self, method: str, views: list[list[Any]], matches: Sequence[int] | None = None
    ) -> dict[str, Any]:
        """Decisions are asked for."""
        made = self._unpack(views)
        with self._watch.running():
            if method == "act" and self._in_batches:
                actions, faults = ask_batch(
                    self._strategy,
                    stacked(made),
                    len(made),
                    lambda: iter(made),
                    self._over,
                )
            else:
                actions, faults = interpret(
                    self._methods(method, matches, len(made)),
                    lambda: iter(made),
                    method,
                    self._over,
                )
        self._spoke = time.monotonic()
        return {"kind": "actions", "actions": actions.tolist(), "faults": _told(faults)}

    def _over(self, done: Any, decisions: int) -> AbstractContextManager[None]:
        return self._watch.over(lambda _call: "", done, decisions)

    def _methods(
        self, name: str, matches: Sequence[int] | None, count: int
    ) -> Iterator[Callable[[Any], Any]]:
        """Who is asked for each decision: the strategy, or a match's player."""
        if matches is None:
            return itertools.repeat(getattr(self._strategy, name), count)
        return (
            getattr(self._players[key], name, None) or getattr(self._strategy, name)
            for key in matches
        )


def _told(faults: dict[int, Fault]) -> dict[str, Any]:
    """Faults as a line has them: kind, reason and, of the first of each kind, the traceback."""
    told: dict[str, Any] = {}
    traced = set()
    for position, fault in faults.items():
        told[str(position)] = one = {"kind": FAULT_KINDS[fault.kind], "reason": fault.reason}
        error = fault.__cause__
        if error is not None and type(error).__name__ not in traced:
            traced.add(type(error).__name__)
            one |= {"error": type(error).__name__, "traceback": trace_of(error)}
    return told

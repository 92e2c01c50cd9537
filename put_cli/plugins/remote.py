"""A player in another process, as the engine sees it: started when needed, replaced when it breaks.

What it is sent in one line it may fail at as a whole. Then it is asked one thing at a time, in a
fresh process, to see which of them it is: an answer does not depend on what is asked beside it.
Only a player that learns cannot be asked again, having forgotten; its matches begin anew.
"""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from put_cli.engine.asking import Answers, Fault, as_action
from put_cli.engine.forfeits import STRIKES, struck
from put_cli.engine.lanes import DIED, FAULT_KINDS, RAISED, SLOW
from put_cli.engine.remote import Faults, Lost
from put_cli.engine.watch import LARGEST_BATCH, Watch
from put_cli.plugins import wire
from put_cli.plugins.child import Child, Gone, Overheard, Silent
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import HandRecord, Match, View

HANDSHAKE_SECONDS = 30.0
"""Time to start and to answer the first lines."""

MOST_AT_ONCE = 1000
"""So many things are in one line at most."""

_SPARE_SECONDS = 1.0
_SHOWN = 80


@dataclass(frozen=True)
class Described:
    """What a process said of the player it holds."""

    facts: dict[str, Any]

    @property
    def memory(self) -> bool:
        return bool(self.facts.get("memory"))

    @property
    def learns(self) -> bool:
        return bool(self.facts.get("learns"))


class Refused(Exception):
    """The process could not be started, or did not greet; the reason says what it did."""


class Nonsense(Exception):
    """An answer that is none: the process cannot be understood any more."""


_Item = TypeVar("_Item")


class Client:
    """Keeps a process for a player. Implements `put_cli.engine.remote.Remote`.

    `command` makes the command line, `hello` the first line. It is given up after `patience` times
    the time for a decision. A process belongs to the one that started it: forked workers start
    their own.
    """

    def __init__(
        self,
        name: str,
        command: Callable[[], Sequence[str]],
        hello: bytes,
        described: Described,
        patience: float = 1.0,
    ) -> None:
        self.name = name
        self.learns = described.learns
        self._command = command
        self._hello = hello
        self._patience = patience
        self._memory = described.memory or described.learns
        self._said = Overheard()
        self._child: Child | None = None
        self._owner = 0
        self._rules: RuleSet | None = None
        self._watch = Watch()
        self._careful = self._lost = False
        self._losses = 0
        self._asked: tuple[str, Sequence[int], Sequence[View]] | None = None
        self._under_way = False
        """Whether an answer is still to come."""

    # What the engine calls.

    def open(self, rules: RuleSet, watch: Watch) -> None:
        if self._owner != os.getpid():  # of a process that was forked: not ours to end
            self._child, self._owner = None, os.getpid()
        if self._under_way:  # somebody was interrupted while it was asked
            self.close()
        self._careful, self._lost = self._lost, False
        self._rules, self._watch, self._losses = rules, watch, 0
        self._pack = wire.packer(wire.fields_of(rules, memory=self._memory))
        if self._child:
            with suppress(Gone, Silent, Nonsense):
                self._greet_rules(self._child)
                return
            self.close()

    def begin(self, matches: Sequence[tuple[int, Match]]) -> Faults:
        items = [(key, match._asdict()) for key, match in matches]
        return self._tell("begin_match", "matches", items)

    def hand_over(self, records: Sequence[tuple[int, HandRecord]]) -> Faults:
        items = [(key, record._asdict()) for key, record in records]
        return self._tell("hand_over", "records", items)

    def ask(self, method: str, matches: Sequence[int], views: Sequence[View]) -> None:
        self._asked = (method, matches, views)
        with suppress(Gone, Silent, Nonsense, Refused):  # `answers` will meet with it again
            self._send(self._question(0, self._size()))

    def answers(self) -> Answers:
        assert self._asked is not None
        method, _, views = self._asked
        actions: list[Any] = []
        faults: Faults = {}
        size = self._size()
        while len(actions) < len(views):
            first = len(actions)
            last = min(first + size, len(views))
            try:
                if not self._under_way:
                    self._send(self._question(first, last))
                answer = self._answer("actions", last - first)
                some = self._actions(answer, last - first)
                faults |= self._faults(answer, first, last - first)
                actions += some
            except (Gone, Silent, Nonsense, Refused) as error:
                fault = self._failed(error, first, last - first)
                if fault is None:  # once more, one at a time
                    size = 1
                else:
                    actions.append(0)
                    faults[first] = fault
                    if self._losses >= STRIKES:  # nobody waits for the rest to fail one by one
                        kind = fault.kind
                        for position in range(len(actions), len(views)):
                            faults[position] = Fault(kind, struck(kind), once=True)
                        actions += [0] * (len(views) - len(actions))
        self._asked = None
        return self._checked(method, actions, faults, views)

    # What the program calls.

    def told(self) -> str:
        """What the player has printed since the last time, for a log."""
        return self._said.told()

    def close(self) -> None:
        """End the process, if there is one."""
        if self._child and self._owner == os.getpid():
            self._child.end()
        self._child, self._under_way = None, False

    # The process.

    def _running(self) -> Child:
        """The process, started if there is none.

        Raises:
            Refused: it does not start.
        """
        self._owner = self._owner or os.getpid()
        if self._child is None:
            child = Child(self._command(), self._said.add)
            try:
                greet(child, self._hello, self._watch.alive)
                self._greet_rules(child)
            except (Gone, Silent, Nonsense) as error:
                child.end()
                raise Refused(how(error)) from error
            self._child = child
        return self._child

    def _greet_rules(self, child: Child) -> None:
        assert self._rules is not None
        fields = wire.fields_of(self._rules, memory=self._memory)
        child.send(wire.rules_of(self._rules, fields, self._watch.seconds))
        _read(child, HANDSHAKE_SECONDS, self._watch.alive, "ready")

    def _send(self, request: bytes) -> None:
        self._running().send(request)
        self._under_way = True

    def _answer(self, kind: str, count: int) -> dict[str, Any]:
        """What it answers to the line it was sent, which is about so many things."""
        seconds = self._patience * self._watch.seconds
        answer = _read(
            self._running(),
            seconds and seconds * min(count, LARGEST_BATCH) + _SPARE_SECONDS,
            self._watch.alive,
            kind,
            most=seconds * count + _SPARE_SECONDS,
        )
        self._under_way = False
        return answer

    def _failed(self, error: Exception, position: int, count: int) -> Fault | None:
        """The process has failed at so many things from a position on: the fault of one alone.

        Raises:
            Lost: the player learns, and has lost what it had learned.
        """
        self.close()
        fault = Fault(
            SLOW if isinstance(error, Silent) else DIED,
            "took too long where it could not be interrupted"
            if isinstance(error, Silent)
            else how(error),
            once=True,
        )
        alone = count == 1
        if self.learns:
            self._lost = True
            raise Lost(position, fault) if alone else Lost()
        if alone:
            self._losses += 1
            return fault
        return None

    # Lines and what they say.

    def _size(self) -> int:
        return 1 if self._careful else MOST_AT_ONCE

    def _question(self, first: int, last: int) -> bytes:
        assert self._asked is not None
        method, matches, views = self._asked
        rows = self._pack(views[first:last])
        if self.learns:
            return wire.line("decide", method=method, views=rows, matches=matches[first:last])
        return wire.line("decide", method=method, views=rows)

    def _tell(self, kind: str, key: str, items: list[tuple[int, Any]]) -> Faults:
        faults: Faults = {}
        size = self._size()
        for first in range(0, len(items), size):
            some = items[first : first + size]
            try:
                self._send(wire.line(kind, **{key: some}))
                answer = self._answer("ready", len(some))
                faults |= self._faults(answer, first, len(some))
            except (Gone, Silent, Nonsense, Refused) as error:
                self._failed(error, first, len(some))
        return faults

    def _actions(self, answer: dict[str, Any], count: int) -> list[Any]:
        actions = answer.get("actions")
        if not isinstance(actions, list) or len(actions) != count:
            raise Nonsense(f"answered {_shown(answer)} where {count} actions were asked for")
        return actions

    def _faults(self, answer: dict[str, Any], first: int, count: int) -> Faults:
        """The faults that a process tells of itself, by position."""
        told = answer.get("faults") or {}
        faults: Faults = {}
        try:
            for text, each in told.items():
                position = int(text)
                one = each if isinstance(each, dict) else {"reason": each}
                kind = FAULT_KINDS.index(one.get("kind", FAULT_KINDS[RAISED]))
                error = one.get("error")
                told = (str(error)[:_SHOWN], str(one.get("traceback"))[-4000:]) if error else None
                if not 0 <= position < count or not RAISED <= kind <= SLOW:
                    raise ValueError
                faults[first + position] = Fault(
                    kind,
                    " ".join(str(one["reason"]).split())[:200],
                    once=kind == SLOW,
                    told=told,
                )
        except (AttributeError, KeyError, TypeError, ValueError):
            raise Nonsense(f"told of faults in a way that is none: {_shown(told)}") from None
        return faults

    def _checked(
        self, method: str, actions: list[Any], faults: Faults, views: Sequence[View]
    ) -> Answers:
        """The actions as numbers; what is none is a fault."""
        assert len(actions) == len(views)
        made = np.zeros(len(actions), np.int64)
        for position, (value, view) in enumerate(zip(actions, views, strict=True)):
            if position not in faults:
                try:
                    made[position] = as_action(view, value, method)
                except Fault as fault:
                    faults[position] = fault
        return made, faults


def greet(child: Child, hello: bytes, alive: Callable[[], None]) -> Described:
    """Say hello to a process; what it says of itself.

    Raises:
        Gone, Silent, Nonsense: it does not greet.
    """
    child.send(hello)
    facts = _read(child, HANDSHAKE_SECONDS, alive, "hello")
    if {"type": "hello"} | facts == json.loads(hello):
        raise Nonsense(
            "only repeats the line it is sent, and a player answers with a hello of its own: "
            '{"type":"hello","protocol":1}'
        )
    if facts.get("protocol") != wire.PROTOCOL:
        raise Nonsense(f"speaks protocol {facts.get('protocol')!r} and not {wire.PROTOCOL}")
    return Described(facts)


def _read(
    child: Child, seconds: float, alive: Callable[[], None], kind: str, most: float = 0.0
) -> dict[str, Any]:
    """The next line of a type; those that say it is alive give it more time, up to `most`."""
    spent = 0.0
    while True:
        line = child.receive(seconds, alive)
        try:
            answer = json.loads(line)
            said = answer.pop("type")
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
            raise Nonsense(f"answered {_shown(line)}, which is no line of the protocol") from None
        if said == kind:
            return answer  # type: ignore[no-any-return]
        if said != "alive":
            raise Nonsense(f"answered a line of type {_shown(said)} where {kind!r} was expected")
        spent += child.waited
        if seconds and most and spent > most:
            raise Silent


def how(error: Exception) -> str:
    """What became of a process, in words that follow on its name."""
    if isinstance(error, Silent):
        return f"did not greet within {HANDSHAKE_SECONDS:.0f} s"
    return str(error)


def _shown(value: Any) -> str:
    """Something that came from a process, fit for a message."""
    text = value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
    return repr(text[:_SHOWN])

"""Strategies that decide in a process of their own, as the rest of the program holds them."""

import atexit
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from put_cli.engine.asking import Fault
from put_cli.engine.remote import Elsewhere, Lost
from put_cli.engine.watch import Watch
from put_cli.errors import SpecError, UsageError
from put_cli.plugins.child import Child, Gone, Overheard, Silent
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.remote import Client, Described, Nonsense, greet, how
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import HandRecord, Match, Player, Strategy, View


class Outside(Elsewhere):
    """Stands for a strategy that decides in another process, which `command` starts."""

    def __init__(
        self,
        tier: str,
        why: str,
        command: Callable[[], Sequence[str]],
        hello: bytes,
        described: Described,
        patience: float = 1.0,
    ) -> None:
        # These are of the class elsewhere; here every strategy has its own.
        vars(self).update(tier=tier, why=why, memory=described.memory)
        self._command, self._hello, self.described = command, hello, described
        self._patience = patience

    def connect(self, name: str) -> Client:
        return Client(name, self._command, self._hello, self.described, self._patience)

    def act(self, view: View) -> int:
        """Whoever asks one view at a time makes a `Called` of it.

        Raises:
            UsageError: always; this was asked by something that needs a strategy's own code.
        """
        raise UsageError("this needs a strategy in Python, and got one in a process of its own.")


@dataclass(frozen=True, eq=False)
class LoadedOutside(Loaded):
    """What a process told of the strategy it holds."""

    facts: "dict[str, Any] | None" = None

    @property
    def kind(self) -> object:
        return self.source

    @property
    def outside(self) -> bool:
        return True

    @property
    def summary(self) -> str:
        return str(self._fact("summary", ""))

    @property
    def parameters(self) -> dict[str, Any]:
        found = self._fact("parameters", {})
        return found if isinstance(found, dict) else {}

    @property
    def source(self) -> str:
        return str(self._fact("source", ""))

    @property
    def plays(self) -> tuple[str, ...]:
        found = self._fact("plays", ())
        return tuple(map(str, found)) if isinstance(found, list | tuple) else ()

    def _fact(self, name: str, default: Any) -> Any:
        return (self.facts or {}).get(name, default)


def introduce(text: str, command: Sequence[str], hello: bytes) -> Described:
    """Start a process for a moment, to hear who it is.

    Raises:
        SpecError: it does not say.
    """
    said = Overheard()
    try:
        child = Child(command, said.add)
    except OSError as error:
        raise SpecError(f"{text}: cannot be started: {error.strerror}.") from None
    try:
        described = greet(child, hello, _nothing)
    except (Gone, Silent, Nonsense) as error:
        child.end()
        lines = said.told().splitlines()
        printed = f" It printed: {lines[-1].strip()}" if lines else ""
        raise SpecError(f"{text}: it {how(error)}.{printed}") from None
    child.end(seconds=1.0)
    if refused := described.facts.get("error"):
        raise SpecError(str(refused))
    return described


class Called(Strategy):
    """A strategy of another process that can be asked here, one view at a time, under one rule set.

    It is slow, and for people at a table and for tests.
    """

    def __init__(self, outside: Outside, name: str, rules: RuleSet, seconds: float = 0.0) -> None:
        self._client = outside.connect(name)
        self._client.open(rules, Watch(seconds))
        atexit.register(self._client.close)
        vars(self)["memory"] = outside.memory
        if self._client.learns:
            keys = itertools.count(1)
            vars(self)["begin_match"] = lambda match: _CalledPlayer(self._client, next(keys), match)

    def act(self, view: View) -> int:
        return ask(self._client, "act", view)

    def gift(self, view: View) -> int:
        return ask(self._client, "gift", view)

    def lay_out(self, view: View) -> int:
        return ask(self._client, "lay_out", view)

    def misdeal(self, view: View) -> int:
        return ask(self._client, "misdeal", view)

    def close(self) -> None:
        """End the process."""
        self._client.close()


class _CalledPlayer(Player):
    def __init__(self, client: Client, key: int, match: Match) -> None:
        self._client, self._key = client, key
        for fault in client.begin([(key, match)]).values():
            raise fault

    def act(self, view: View) -> int:
        return ask(self._client, "act", view, self._key)

    def gift(self, view: View) -> int:
        return ask(self._client, "gift", view, self._key)

    def lay_out(self, view: View) -> int:
        return ask(self._client, "lay_out", view, self._key)

    def misdeal(self, view: View) -> int:
        return ask(self._client, "misdeal", view, self._key)

    def hand_over(self, record: HandRecord) -> None:
        for fault in self._client.hand_over([(self._key, record)]).values():
            raise fault


def ask(client: Client, method: str, view: View, match: int = 0) -> int:
    """One decision.

    Raises:
        Fault: it was none.
    """
    try:
        client.ask(method, [match], [view])
        actions, faults = client.answers()
    except Lost as lost:
        faults = {0: lost.fault} if lost.fault else {}
    # Nothing is played again because of it: where people play, what happened has happened.
    for fault in faults.values():
        raise Fault(fault.kind, fault.reason, told=fault.told)
    return int(actions[0])


def _nothing() -> None:
    pass

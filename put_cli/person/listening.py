"""Players whose acts are heard at the table, and players who answer from a tape.

Both stand between the engine and a strategy and change no decision. A player that learns cannot
be asked the same twice: what it answered is kept, to play a match again up to where it was left.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from put_cli.engine.asking import CAUGHT, Fault, as_action, is_legal
from put_cli.engine.lanes import METHODS, RAISED
from put_cli.engine.players import LEARNING, Contestant
from put_cli.strategy import HandRecord, Match, Player, Strategy, View


class Hearer(Protocol):
    """Who hears what the player in a chair does."""

    def watch(self, chair: int, view: View) -> None:
        """The player is about to be asked."""

    def hear(self, chair: int, action: int) -> None:
        """The player has done something legal."""


Ask = Callable[[str, View], Any]
"""Asks a method of a player, by name."""


def members(
    contestant: Contestant, make: Callable[[Contestant, int], Contestant], *, partners: bool
) -> Contestant:
    """A side whose players are made anew, each by its place in the side: 0, and 1 for a partner."""
    first, second = contestant.members
    if not partners:
        return make(first, 0)
    return replace(make(first, 0), partner=make(replace(second, partner=None), 1))


def heard(contestant: Contestant, chair: int, hearer: Hearer) -> Contestant:
    """A contestant in a chair whose acts are heard."""
    return replace(contestant, strategy=_Heard(contestant.strategy, chair, hearer))


@dataclass
class Tape:
    """The answers of a learning player in order: actions, and what it raised."""

    answers: list[int | BaseException] = field(default_factory=list)
    over: bool = False
    """Whether nobody is asked any more."""


def taped(contestant: Contestant, tape: Tape) -> Contestant:
    """A contestant that gives the answers on its tape before it is asked anything.

    One that does not learn answers the same whenever it is asked, and needs no tape.
    """
    if contestant.tier != LEARNING:
        return contestant
    return replace(contestant, strategy=_Taped(contestant.strategy, tape))


class _Asked(Player):
    """A player whose every method goes through one function."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def act(self, view: View) -> Any:
        return self._ask("act", view)

    def gift(self, view: View) -> Any:
        return self._ask("gift", view)

    def lay_out(self, view: View) -> Any:
        return self._ask("lay_out", view)

    def misdeal(self, view: View) -> Any:
        return self._ask("misdeal", view)


assert all(hasattr(_Asked, name) for name in METHODS)


def _method(player: Any, strategy: Strategy, name: str) -> Any:
    """A method of a player, or the strategy's where the player has none."""
    return getattr(player, name, None) or getattr(strategy, name)


class _Heard(_Asked, Strategy):
    def __init__(self, strategy: Strategy, chair: int, hearer: Hearer) -> None:
        super().__init__(lambda name, view: self.listen(getattr(strategy, name), name, view))
        self._strategy, self._chair, self._hearer = strategy, chair, hearer
        vars(self)["memory"] = strategy.memory

    def listen(self, method: Callable[[View], Any], name: str, view: View) -> Any:
        """One decision, heard if the engine will take it."""
        self._hearer.watch(self._chair, view)
        value = method(view)
        try:
            action = as_action(view, value, name)
        except Fault:  # for the engine to find
            return value
        if is_legal(view, action, name):
            self._hearer.hear(self._chair, action)
        return value

    def begin_match(self, match: Match) -> Any:
        player = self._strategy.begin_match(match)
        if not callable(getattr(player, "act", None)):
            return player  # for the engine to refuse
        return _HeardPlayer(self, self._strategy, player)


class _HeardPlayer(_Asked):
    def __init__(self, heard: _Heard, strategy: Strategy, player: Any) -> None:
        super().__init__(
            lambda name, view: heard.listen(_method(player, strategy, name), name, view)
        )
        self._player = player

    def hand_over(self, record: HandRecord) -> None:
        self._player.hand_over(record)


class _Taped(Strategy):
    def __init__(self, strategy: Strategy, tape: Tape) -> None:
        self._strategy = strategy
        self._tape = tape

    def begin_match(self, match: Match) -> Any:
        player = self._strategy.begin_match(match)
        if not callable(getattr(player, "act", None)):
            return player
        return _TapedPlayer(self._strategy, player, self._tape)


class _TapedPlayer(_Asked):
    """Plays from the tape to its end, then asks the player and goes on with the tape."""

    def __init__(self, strategy: Strategy, player: Any, tape: Tape) -> None:
        super().__init__(self._replay)
        self._strategy, self._player, self._tape = strategy, player, tape
        self._given = 0
        self._broken: BaseException | None = None

    def hand_over(self, record: HandRecord) -> None:
        if self._tape.over or self._broken:
            return
        try:
            self._player.hand_over(record)
        except CAUGHT as error:
            self._broken = error  # as in the engine, that costs it the next decision

    def _replay(self, name: str, view: View) -> int:
        tape = self._tape
        if self._given == len(tape.answers):
            if tape.over:
                raise Fault(RAISED, "left the table")
            tape.answers.append(self._answer(name, view))
        answer = tape.answers[self._given]
        self._given += 1
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _answer(self, name: str, view: View) -> int | BaseException:
        if self._broken:
            return self._broken
        try:
            answer: int = _method(self._player, self._strategy, name)(view)
        except CAUGHT as error:
            return error
        return answer

"""What the engine asks of a player who decides in another process.

How it is reached is not known here; `put_cli.plugins` has a way.
"""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from put_cli.engine.asking import Answers, Fault
from put_cli.engine.watch import Watch
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import HandRecord, Match, Strategy, View

Faults = dict[int, Fault]
"""By position in what was sent."""


class Lost(Exception):
    """The process is gone, and with it the players of the matches under way.

    `position` in what was sent is the doing, with its `fault`; without one it cannot be told from
    the others, and will be when the same matches are played once more.
    """

    def __init__(self, position: int | None = None, fault: Fault | None = None) -> None:
        super().__init__(position, fault)
        self.position = position
        self.fault = fault


class Remote(Protocol):
    """A player in another process. Only one that learns is told of matches, and raises Lost.

    Matches are named by numbers, each by one number for as long as it lasts.
    """

    learns: bool

    def open(self, rules: RuleSet, watch: Watch) -> None:
        """From now on these rules are played; what was before is over and forgotten."""

    def begin(self, matches: Sequence[tuple[int, Match]]) -> Faults:
        """Matches begin."""

    def hand_over(self, records: Sequence[tuple[int, HandRecord]]) -> Faults:
        """Hands are finished."""

    def ask(self, method: str, matches: Sequence[int], views: Sequence[View]) -> None:
        """Send the views of decisions; `matches` has the number of each, 0 where nobody learns."""

    def answers(self) -> Answers:
        """What it decides; every `ask` is followed by one call of this."""

    def told(self) -> str:
        """What it has printed since the last time, for a log."""

    def close(self) -> None:
        """End it; it is started again when it is needed again."""


class Elsewhere(Strategy):
    """Stands for a strategy that decides in another process."""

    tier: ClassVar[str]
    why: ClassVar[str]

    def connect(self, name: str) -> Remote:
        """The way to it; `name` is what logs and tables call it."""
        raise NotImplementedError

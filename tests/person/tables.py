"""A person without a terminal: answers from a function, and everything said kept to be read."""

from collections.abc import Callable, Sequence
from pathlib import Path

from put_cli.person import match
from put_cli.person.player import Person
from put_cli.person.terminal import Terminal
from put_cli.rules.finding import find_ruleset
from put_cli.tournament import run as runs
from put_cli.tournament.settings import Settings

Answer = Callable[[str, str], str | None]
"""From the cards and the prompt to what is typed; None ends the input."""


class Talk(Terminal):
    """A terminal that nobody sees; `said` is every paragraph, unwrapped.

    `told` are those of them that tell acts, where nothing was asked or refused.
    """

    def __init__(self, answer: Answer) -> None:
        self.interactive = False
        self.said: list[str] = []
        self.told: list[str] = []
        self._answer = answer

    def say(self, text: str = "", *, indent: int = 0, colour: str = "", bold: bool = False) -> None:
        self.said.append(text)
        if indent and not colour:
            self.told.append(text)

    def show(self, text: str) -> None:
        self.said.append(text)

    def ask(self, cards: str, prompt: str) -> str | None:
        return self._answer(cards, prompt)


def sit(
    out: Path,
    answer: Answer,
    *,
    against: str | Sequence[str],
    partner: str | None = None,
    rules: str = "cotton",
    games: int = 1,
    seed: int = 5,
) -> tuple[runs.Prepared, Talk]:
    """A match about to be played, and what will be said at it."""
    talk = Talk(answer)
    settings = Settings(
        strategies=(),
        rules=find_ruleset(rules),
        games=games,
        match_games=games,
        seed=seed,
        mirror=False,
        tier="interpreted",
        out=out,
    )
    others = [against] if isinstance(against, str) else against
    return match.sit_down(settings, others, partner, talk), talk


def person(prepared: runs.Prepared) -> Person:
    """The person of a match that has not been played yet."""
    found = prepared.workshop.contestants[0].strategy
    assert isinstance(found, Person)
    return found

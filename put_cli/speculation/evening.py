"""An evening with a person at the table: who sits down, and the log of what was played.

The sessions are played at the terminal by the slow machine (`person`), and once more by the kernel,
every player answering what he answered: that is what is logged, as of any run.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace

from put_cli import __version__
from put_cli.engine.asking import Fault
from put_cli.engine.players import INTERPRETED, Contestant
from put_cli.errors import UsageError
from put_cli.person.match import shortened
from put_cli.person.player import NAME
from put_cli.person.terminal import Terminal
from put_cli.plugins.discovery import load, refuse_others
from put_cli.plugins.loaded import Loaded
from put_cli.speculation.person import Evening, Tape
from put_cli.speculation.rules import Speculation
from put_cli.speculation.strategy import Speculator, View
from put_cli.tournament import run as runs
from put_cli.tournament.directory import point_latest
from put_cli.tournament.settings import Settings


@dataclass(frozen=True)
class Taped(Speculator):
    """Answers as it did before, and raises what it raised."""

    tape: Tape

    def _next(self) -> int:
        answer = self.tape.pop(0)
        if isinstance(answer, Fault):
            raise answer
        return answer

    def presell(self, view: View) -> bool:
        return self._next()  # type: ignore[return-value]

    def bid(self, view: View) -> int:
        return self._next()

    def accept(self, view: View) -> bool:
        return self._next()  # type: ignore[return-value]

    def offer(self, view: View) -> int:
        return self._next()


def sit_down(settings: Settings, against: Sequence[str]) -> runs.Prepared:
    """A run of one match of the person against strategies, clockwise; one alone plays them all.

    `settings.strategies` is not used.

    Raises:
        UsageError: something asked for cannot be done; nothing was written.
    """
    rules = settings.rules
    wanted = rules.players - 1
    if len(against) not in (1, wanted):
        raise UsageError(
            f"--against: {rules.name} is played against {wanted} others: give one strategy for "
            f"all, or {wanted}; got {len(against)}."
        )
    others: list[Loaded] = []
    for text in against if len(against) == wanted else [*against] * wanted:
        each = load(text)
        refuse_others([each], rules)
        again = sum(other.name.partition("#")[0] == each.name for other in others)
        others.append(replace(each, name=f"{each.name}#{again + 1}") if again else each)
    if NAME in [each.name for each in others]:
        raise UsageError(
            f"the log calls the person at the terminal {NAME!r}, so every other player needs "
            "another name."
        )
    person = Loaded(NAME, NAME, Speculator(), "put-cli", __version__)
    return runs.prepare(settings, (person, *others))


def evening(prepared: runs.Prepared, terminal: Terminal) -> Evening:
    """The sessions of a run that was prepared, at a terminal."""
    rules, contestants = prepared.settings.rules, prepared.workshop.contestants
    assert isinstance(rules, Speculation)
    others = [s for each in contestants[1:] if isinstance(s := each.strategy, Speculator)]
    names = [each.name for each in contestants]
    return Evening(rules, names, others, prepared.settings.seed, terminal)


def keep(prepared: runs.Prepared, met: Evening, sessions: int) -> runs.Finished | None:
    """Log the sessions that were finished; None, and nothing is kept, when there are none.

    Raises:
        RunError: the file system refused.
    """
    if not sessions:
        shutil.rmtree(prepared.run, ignore_errors=True)
        return None
    contestants = prepared.workshop.contestants
    contestants[:] = [
        Contestant(each.name, Taped(tape), INTERPRETED)
        for each, tape in zip(contestants, met.tapes, strict=True)
    ]
    finished = runs.play(shortened(prepared, sessions), lambda _result: None)
    if prepared.settings.out is None:
        point_latest(prepared.run)
    return finished

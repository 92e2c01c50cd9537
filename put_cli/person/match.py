"""A match with a person in it, played and logged as any run is.

A person may leave in the middle. What was played then is played again to where it was left, from
the answers that the learning players (the person is one) gave, as a match of the games begun: the
log is that of a match which was meant to be so long, and whose last game the person forfeited.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from put_cli import __version__
from put_cli.engine.lanes import RAISED
from put_cli.engine.players import CAUGHT, LEARNING, Contestant, Fault
from put_cli.errors import UsageError
from put_cli.log import manifest
from put_cli.person.player import NAME, Left, Person, Progress
from put_cli.person.terminal import Terminal
from put_cli.plugins.discovery import Loaded, load
from put_cli.strategy import HandRecord, Match, Player, Strategy, View
from put_cli.tournament import run as runs
from put_cli.tournament.schedule import Shards


@dataclass(frozen=True, kw_only=True)
class Met:
    """What came of a match; `finished` is None when nothing was played."""

    progress: Progress
    finished: runs.Finished | None
    left: bool = False
    """Whether the person left before the end."""
    interrupted: bool = False
    """Whether by interrupting."""
    forfeited: bool = False
    """Whether a game was under way then, which the person has lost."""
    broken: BaseException | None = None
    """What went wrong at the terminal, if that is why."""

    @property
    def faults(self) -> int:
        """Games that the opponent lost by a fault."""
        return self.finished.faults - self.forfeited if self.finished else 0


def sit_down(settings: runs.Settings, against: str, terminal: Terminal) -> runs.Prepared:
    """A run of one match, the person against a strategy.

    `settings.strategies` is not used; the opponent plays in the interpreted tier, which needs no
    compiling and plays the same games.

    Raises:
        UsageError: something asked for cannot be done; nothing was written.
    """
    opponent = load(against)
    if opponent.name == NAME:
        raise UsageError(
            f"--against: the log calls the person at the terminal {NAME!r}, so the opponent needs "
            "another name."
        )
    person = Loaded(NAME, NAME, Person(settings.rules, terminal), "put-cli", __version__)
    return runs.prepare(settings, (person, opponent))


def play(prepared: runs.Prepared) -> Met:
    """Play the match until it ends or the person leaves, and log it.

    Raises:
        RunError: the file system refused.
    """
    contestants = prepared.workshop.contestants
    person = contestants[0].strategy
    assert isinstance(person, Person)
    progress = person.progress
    tapes = [_taped(each) for each in contestants]
    contestants[:] = [each for each, _ in tapes]
    try:
        finished = runs.play(prepared, _unheard)
    except (KeyboardInterrupt, Left) as why:
        # What comes after the last answer is a fault, in a game under way.
        for _, tape in tapes:
            tape.over = True
        begun, forfeited = progress.games_begun, progress.under_way
        kept = runs.play(shortened(prepared, begun), _unheard) if begun else None
        return Met(
            progress=progress,
            finished=kept,
            left=True,
            interrupted=isinstance(why, KeyboardInterrupt),
            forfeited=forfeited,
            broken=why.__cause__,
        )
    return Met(progress=progress, finished=finished)


def shortened(prepared: runs.Prepared, games: int) -> runs.Prepared:
    """The same run, still without a log, as a plan of fewer games."""
    settings, workshop = prepared.settings, prepared.workshop
    plan = replace(prepared.plan, games=games)
    names = [each.name for each in workshop.contestants]
    fingerprint = plan.fingerprint(settings.rules, settings.seed, names)
    workshop.order = replace(workshop.order, plan=plan, fingerprint=fingerprint)
    workshop.shards = Shards.of(plan, settings.rules)
    data = dict(manifest.read(prepared.run).data)
    data["rounds"] = [asdict(plan) | {"log": settings.log, "fingerprint": fingerprint}]
    manifest.write(prepared.run, data)
    return replace(prepared, plan=plan)


def _unheard(_result: Any) -> None:
    """The person has heard of everything."""


@dataclass
class Tape:
    """The answers of a learning player in order: actions, and what it raised."""

    answers: list[int | BaseException] = field(default_factory=list)
    over: bool = False
    """Whether nobody is asked any more."""


def _taped(contestant: Contestant) -> tuple[Contestant, Tape]:
    """A contestant that gives the answers on its tape before it is asked anything."""
    tape = Tape()
    if contestant.tier != LEARNING:
        return contestant, tape
    return replace(contestant, strategy=_TapedStrategy(contestant.strategy, tape)), tape


class _TapedStrategy(Strategy):
    def __init__(self, strategy: Strategy, tape: Tape) -> None:
        self._strategy = strategy
        self._tape = tape

    def begin_match(self, match: Match) -> Any:
        player = self._strategy.begin_match(match)
        if not callable(getattr(player, "act", None)):
            return player  # for the engine to refuse
        return _TapedPlayer(player, self._tape)


class _TapedPlayer(Player):
    """Plays from the tape to its end, then asks the player and goes on with the tape."""

    def __init__(self, player: Player, tape: Tape) -> None:
        self._player = player
        self._tape = tape
        self._given = 0
        self._broken: BaseException | None = None

    def act(self, view: View) -> int:
        tape = self._tape
        if self._given == len(tape.answers):
            if tape.over:
                raise Fault(RAISED, "left the table")
            tape.answers.append(self._answer(view))
        answer = tape.answers[self._given]
        self._given += 1
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def hand_over(self, record: HandRecord) -> None:
        if self._tape.over or self._broken:
            return
        try:
            self._player.hand_over(record)
        except CAUGHT as error:
            self._broken = error  # as in the engine, that costs it the next decision

    def _answer(self, view: View) -> int | BaseException:
        if self._broken:
            return self._broken
        try:
            return self._player.act(view)
        except CAUGHT as error:
            return error

"""The person as a strategy: asked for every decision at the terminal, told of every act and hand.

To the engine it is a player that learns. It may leave: that is no fault of play but an exception
that the engine lets through, and so is everything that goes wrong at the terminal.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from put_cli.engine.asking import Stop
from put_cli.person.answers import HOW, Refused, Wish, read_answer
from put_cli.person.course import Course
from put_cli.person.hand import ACTS, KnownHand
from put_cli.person.speech import ME, Speech, capital
from put_cli.person.terminal import Terminal
from put_cli.rules.explain import explain
from put_cli.rules.machine import Stage
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.telling import pays
from put_cli.strategy import HandRecord, Match, Player, Strategy, View

NAME = "human"
"""What logs call the person."""

_ABOUT = {
    Stage.RULING: "The dealer has erred, and you say what becomes of it.",
    Stage.CHOOSING: "You are captain: you choose who plays for your side. The other side's "
    "captain chooses without knowing your choice.",
    Stage.LAYING_OUT: "You play for your side, with three cards: one of the four goes out of play.",
}
"""What comes before the tricks."""


class Left(Stop):
    """The person is no longer at the table; the cause, if any, is what went wrong there."""


@contextmanager
def _leaving() -> Iterator[None]:
    """Whatever fails at the table is no fault of play: the engine would go on after one."""
    try:
        yield
    except Exception as error:
        raise Left from error


class Person(Strategy):
    """A person at the terminal; `others` are the strategies in chair 1 and on, clockwise."""

    def __init__(
        self, rules: RuleSet, seed: int, others: Iterable[str], terminal: Terminal
    ) -> None:
        self._rules = rules
        self._terminal = terminal
        self.speech = Speech(rules, list(others))
        self.course = Course(rules, seed)
        self._seat = Seat(rules, self.speech, self.course, terminal)

    def begin_match(self, match: Match) -> Player:
        """A seat at the table for one match."""
        self._seat = Seat(self._rules, self.speech, self.course, self._terminal, match.games)
        return self._seat

    def watch(self, chair: int, view: View) -> None:
        """Another player is about to be asked."""
        self._seat.watch(chair, view)

    def hear(self, chair: int, action: int) -> None:
        """Another player has done something."""
        self._seat.hear(chair, action)


class Seat(Player):
    """The person's place in one match."""

    def __init__(
        self, rules: RuleSet, speech: Speech, course: Course, terminal: Terminal, games: int = 1
    ) -> None:
        self._rules = rules
        self._speech = speech
        self._course = course
        self._terminal = terminal
        self._games = games
        self._hand: KnownHand | None = None

    def act(self, view: View) -> int:
        return self._decide(view)

    def gift(self, view: View) -> int:
        return self._decide(view)

    def lay_out(self, view: View) -> int:
        return self._decide(view)

    def misdeal(self, view: View) -> int:
        return self._decide(view)

    def watch(self, chair: int, view: View) -> None:
        """Another player is about to be asked."""
        with _leaving():
            self._tell(self._dealt().see(view, chair))

    def hear(self, chair: int, action: int) -> None:
        """Another player has done something."""
        with _leaving():
            self._tell(self._dealt().take(action))

    def hand_over(self, record: HandRecord) -> None:
        with _leaving():
            hand, course = self._dealt(), self._course
            self._tell(hand.finish(record, one_short=course.one_short()))
            self._hand = None
            finished = course.games_over
            result, *more = course.finish(hand, record)
            colour = "green" if record.won else "red" if record.lost else ""
            self._terminal.say(result, colour=colour, bold=record.game_over)
            for line in more:
                self._terminal.say(line)
            if course.games_over > finished and self._games > 1:
                self._terminal.say(self._games_so_far())

    def _games_so_far(self) -> str:
        course, sides = self._course, self._speech.sides
        others = sides[1] if len(sides) == 2 else "others"
        return (
            f"Games: {sides[ME]} {course.games_won}, {others} {course.games_lost}, "
            f"of {self._games}."
        )

    def _dealt(self) -> KnownHand:
        """The running hand; a new one is announced."""
        if self._hand is None:
            self._hand, heading = self._course.deal(self._speech, self._games)
            self._terminal.say()
            for line in heading[:-1]:
                self._terminal.say(line)
            self._terminal.say(heading[-1], bold=True)
        return self._hand

    def _decide(self, view: View) -> int:
        with _leaving():
            hand = self._dealt()
            self._tell(hand.see(view))
            action = self._ask(hand, view)
            self._course.acted = True
            self._tell(hand.take(action))
        return action

    def _ask(self, hand: KnownHand, view: View) -> int:
        cards = " ".join(map(self._rules.cards.rank, hand.held))
        place = hand.machine.place(hand.state)
        if hand.state.stage is Stage.TRICKS:
            place = f"trick {view.trick}, {'-'.join(map(str, self._tricks(hand)))}"
        while True:
            typed = self._terminal.ask(cards, f"{place}: {hand.choices()}")
            if typed is None:
                raise Left
            if not typed:
                continue
            try:
                meant = read_answer(typed, hand)
            except Refused as why:
                self._terminal.say(str(why), indent=2, colour="yellow")
                continue
            match meant:
                case Wish.LEAVE:
                    raise Left
                case Wish.EXPLAIN:
                    self._explain(hand, view)
                case Wish.RULES:
                    self._terminal.show(explain(self._rules))
                case int():
                    return meant

    def _tricks(self, hand: KnownHand) -> list[int]:
        """Tricks by side, the person's first."""
        won = hand.machine.tally(hand.state.tricks)
        by_side = {hand.side_of(seat): number for seat, number in enumerate(won)}
        return [by_side[side] for side in range(len(won))]

    def _explain(self, hand: KnownHand, view: View) -> None:
        """What may be done here, and what each would mean."""
        say, sides = self._terminal.say, self._speech.sides
        about = _ABOUT.get(hand.state.stage, "")
        if not about:
            tricks = zip(sides, self._tricks(hand), strict=True)
            tied = f", tied {view.ties}" if view.ties else ""
            about = (
                f"Trick {view.trick}; tricks: {', '.join(f'{who} {n}' for who, n in tricks)}{tied}."
                f" The hand is worth {pays(view.worth)}."
            )
            if hand.state.dead:
                dead = ", ".join(self._speech.people[hand.players[s]] for s in hand.state.dead)
                about += f" Out of it: {dead}."
        say(
            f"{about} Score: {self._course.score(hand)}, to {view.target}. "
            f"Ranks, best first: {' '.join(self._rules.cards.ranks)}.",
            indent=2,
        )
        for action in hand.legal:
            typed = ACTS[action].name.lower() if action in ACTS else self._rules.cards.rank(action)
            say(f"{typed:<7} {hand.meaning(action)}", indent=4)
        say(HOW, indent=2)
        say("q or the end of input leaves, and a game under way is then lost.", indent=2)

    def _tell(self, told: Iterable[str]) -> None:
        for line in told:
            self._terminal.say(capital(line), indent=2)

"""The referee: plays a hand in notation through the machine, card by card.

What the machine cannot know is checked here: who holds which card, and that the pack could have
dealt it. The turn, the words and the result are the machine's; the score is `score.after`'s.
"""

from dataclasses import dataclass

from put_cli.errors import NotationError
from put_cli.rules.cards import Pack
from put_cli.rules.machine import (
    DEALER,
    ELDEST,
    NOBODY,
    PLAYS,
    SEATS,
    WORDS,
    Act,
    IllegalAct,
    Machine,
    State,
)
from put_cli.rules.notation import Hand, Step
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score, after, check_score
from put_cli.rules.telling import pays, tell

_WORDS = {word.name.lower(): word for word in WORDS}


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a hand came to. Seats are 'eldest', 'dealer' or None for nobody.

    `steps` are the acts in words. `points` is how far the winner's score rises: 0 when the game
    is won `outright`, which leaves the scores as they were. `anew` says the game begins again.
    """

    steps: tuple[str, ...]
    ending: str
    """tricks, thrown or drawn."""
    winner: str | None
    points: int
    outright: bool
    anew: bool
    score_before: Score
    score_after: Score
    game_winner: str | None

    @property
    def result(self) -> str:
        """The result in words."""
        if self.anew:
            return "drawn: the game begins anew"
        if self.winner is None:
            return "drawn: nothing is scored"
        if self.outright:
            return f"{self.winner} wins the game outright"
        game = " and with it the game" if self.game_winner else ""
        return f"{self.winner} wins {pays(self.points)}{game}"


def referee(rules: RuleSet, hand: Hand, score: Score = (0, 0)) -> Verdict:
    """The verdict on a whole hand that began at `score`.

    Raises:
        NotationError: the hand breaks a rule or is not finished; the message names the step,
            the reason and what would have been legal.
        UsageError: no hand can begin at `score`.
    """
    check_score(rules, score)
    play, told = _played(rules, hand)
    outcome = play.state.outcome
    if outcome is None:
        raise NotationError(
            f"step {len(hand.steps) + 1} is missing: the hand is not over; {play.choices()}."
        )
    score_after, game_winner = after(rules, score, outcome)
    return Verdict(
        steps=told,
        ending=outcome.ending.name.lower(),
        winner=_seat_name(outcome.winner),
        points=0
        if outcome.winner == NOBODY
        else score_after[outcome.winner] - score[outcome.winner],
        outright=outcome.outright,
        anew=outcome.anew,
        score_before=score,
        score_after=score_after,
        game_winner=_seat_name(game_winner),
    )


def state_after(rules: RuleSet, hand: Hand) -> State:
    """Where a hand stands after its steps; it need not be finished.

    Raises:
        NotationError: the hand breaks a rule; the message names the step and the reason.
    """
    return _played(rules, hand)[0].state


def _played(rules: RuleSet, hand: Hand) -> tuple["_Play", tuple[str, ...]]:
    """The hand with all its steps carried out, and the steps in words."""
    _check_cards(rules.cards, hand)
    play = _Play(rules, hand)
    told = []
    for number, step in enumerate(hand.steps, start=1):
        try:
            told.append(play.take(step))
        except IllegalAct as error:
            raise NotationError(f"step {number} {step.text()!r}: {error}") from None
    return play, tuple(told)


def _seat_name(seat: int) -> str | None:
    return None if seat == NOBODY else SEATS[seat]


def _check_cards(pack: Pack, hand: Hand) -> None:
    """Refuse cards that the pack could not have dealt."""
    dealt = hand.eldest + hand.dealer
    for seat in (ELDEST, DEALER):
        for rank in hand.cards(seat):
            if not pack.card(rank):
                raise NotationError(
                    f"cards of {SEATS[seat]}: there is no {rank} in the pack {pack.name}; "
                    f"its ranks are {' '.join(pack.ranks)}."
                )
            if dealt.count(rank) > pack.copies:
                raise NotationError(
                    f"cards: {dealt.count(rank)} cards of rank {rank}, but the pack "
                    f"{pack.name} has {pack.copies} of each."
                )


class _Play:
    """A hand under way: the machine's state and the cards that the machine does not know."""

    def __init__(self, rules: RuleSet, hand: Hand) -> None:
        self.state = State()
        self._machine = Machine(rules)
        self._hand = hand
        self._held = (list(hand.eldest), list(hand.dealer))
        self._led = ""

    def take(self, step: Step) -> str:
        """Carry out one step and return it in words.

        Raises:
            IllegalAct: the rules or the cards do not allow it; nothing has changed.
        """
        act = self._act(step)
        told = tell(self._machine, self.state, act, step.rank)
        self.state = self._machine.act(self.state, act)
        if step.rank:
            self._held[step.seat].remove(step.rank)
            self._led = step.rank if act is Act.LEAD else ""
        return told

    def choices(self) -> str:
        """What may happen now, with the cards that may be played."""
        state, machine = self.state, self._machine
        told = machine.choices(state)
        if any(act in PLAYS for act in machine.legal(state)):
            told += f" ({' '.join(self._held[machine.actor(state)])})"
        return told

    def _act(self, step: Step) -> Act:
        """The step as the machine sees it, if turn, words and cards allow it."""
        if self.state.over:
            raise IllegalAct("the hand is already over; nothing may follow.")
        actor = self._machine.actor(self.state)
        if step.seat != actor:
            raise self._illegal(f"it is {SEATS[actor]}'s turn")
        return self._word(step) if step.word else self._card(step)

    def _word(self, step: Step) -> Act:
        if step.word not in _WORDS:
            raise self._illegal(f"the words are {', '.join(_WORDS)}")
        word = _WORDS[step.word]
        if word not in self._machine.legal(self.state):
            raise self._illegal(f"{step.word} is not allowed here")
        return word

    def _card(self, step: Step) -> Act:
        if self.state.asked:
            raise self._illegal("a put has to be answered first")
        if self._machine.must_speak(self.state):
            raise self._illegal("no card may be played here")
        if step.rank not in self._held[step.seat]:
            dealt = step.rank in self._hand.cards(step.seat)
            why = "has already played" if dealt else "was not dealt"
            raise self._illegal(f"{SEATS[step.seat]} {why} {step.rank}")
        if not self.state.led:
            return Act.LEAD
        pack = self._machine.rules.cards
        card, led = pack.card(step.rank), pack.card(self._led)
        return Act.EQUAL if card == led else Act.HIGHER if card > led else Act.LOWER

    def _illegal(self, why: str) -> IllegalAct:
        return IllegalAct(f"{why}; {self.choices()}.")

"""The referee: carries a deal in notation through the machine, and says what it came to."""

from dataclasses import dataclass

from put_cli.errors import NotationError
from put_cli.speculation import cards
from put_cli.speculation.machine import Ask, Deal, Event, IllegalAnswer, Question, What
from put_cli.speculation.notation import UP, Line, Step
from put_cli.speculation.rules import Speculation
from put_cli.speculation.telling import LETTERS, sentences

_ANSWER = {
    Ask.PRESELL: {"presell": 1},
    Ask.ACCEPT: {"sell": 1, "keep": 0},
}


@dataclass(frozen=True)
class Verdict:
    """What a deal came to, by seat from the dealer's (A, B ...)."""

    steps: tuple[str, ...]
    """Everything that happened, in words."""
    pool: int
    """As it was taken, or is carried over."""
    winner: str | None
    """Who took it; None when it is carried over."""
    net: tuple[int, ...]
    """Everybody's change in chips."""

    @property
    def result(self) -> str:
        """The result in words."""
        who = (
            f"pool {self.pool} to {self.winner}"
            if self.winner
            else f"pool {self.pool} carried over"
        )
        net = ", ".join(
            f"{letter} {chips:+d}" for letter, chips in zip(LETTERS, self.net, strict=False)
        )
        return f"{who}; net {net}"


def referee(rules: Speculation, line: Line) -> Verdict:
    """The verdict on a whole deal. How many play is for the line to say.

    Raises:
        NotationError: it breaks a rule or is not finished; the message names the step, the reason
            and what was expected.
    """
    deal = played(rules, line)
    pool = deal.events[-1].amount
    winner = LETTERS[deal.winner] if deal.winner >= 0 else None
    told = tuple(sentences(deal.events, LETTERS.__getitem__))
    return Verdict(told, pool, winner, tuple(deal.chips))


def played(rules: Speculation, line: Line) -> Deal:
    """The deal with all its steps carried out; raises as `referee`."""
    deal, steps = _begun(rules, line)
    _go_on(deal, steps)
    if steps.next is not None:
        raise NotationError(f"{steps.where()}: the deal is over: nothing more was expected.")
    return deal


def under_way(rules: Speculation, line: Line, who: str = "") -> Deal:
    """The deal after the steps of the line, where somebody is asked: `who`, a letter, if given.

    Until then nobody says anything. It is over when that never happens.

    Raises:
        NotationError: as `referee`, but that the deal is not finished.
    """
    deal, steps = _begun(rules, line)
    _go_on(deal, steps, until=who)
    return deal


def _begun(rules: Speculation, line: Line) -> tuple[Deal, "_Steps"]:
    rules = rules.changed({**rules.knobs(), "players": len(line.piles)})
    if bool(line.spare) != rules.spare_hand:
        expected = "a spare hand" if rules.spare_hand else "no spare hand"
        raise NotationError(f"spare: {rules.name} has {expected}; see its knob spare_hand.")
    deal = Deal(rules, 0, line.piles, line.turn_up, line.spare, line.carried)
    return deal, _Steps(line.steps)


def _go_on(deal: Deal, steps: "_Steps", until: str | None = None) -> None:
    """Answer by the steps to the end of the deal, or `until` all are done and he is asked."""
    told = steps.check_turned(deal.events, 0, until)
    while deal.question is not None:
        asked = LETTERS[deal.question.seat]
        if until is not None and steps.next is None and until in ("", asked):
            return
        value = steps.answer(deal.question)
        try:
            deal.answer(value)
        except IllegalAnswer as error:
            raise NotationError(f"{steps.where(back=1)}: {error}") from None
        told = steps.check_turned(deal.events, told, until)


class _Steps:
    """The steps of a line, taken one by one."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._steps = steps
        self._at = 0

    @property
    def next(self) -> Step | None:
        return self._steps[self._at] if self._at < len(self._steps) else None

    def where(self, back: int = 0) -> str:
        """The next step, or one before it, for an error message."""
        at = self._at - back
        if at >= len(self._steps):
            return f"step {at + 1} is missing"
        return f"step {at + 1} {str(self._steps[at])!r}"

    def answer(self, question: Question) -> int:
        """What the next step answers to a question; 0 when it is not of that player."""
        step, ask = self.next, question.ask
        if step is None or step.seat != question.seat or not step.word:
            return 0
        if ask.value == step.word and ask in (Ask.BID, Ask.OFFER):
            self._at += 1
            return step.number
        if step.word in _ANSWER.get(ask, {}):
            self._at += 1
            return _ANSWER[ask][step.word]
        return 0

    def check_turned(self, events: list[Event], told: int, until: str | None = None) -> int:
        """See that the cards turned since event number `told` are the next steps; how many told.

        With `until` cards may be turned that no step tells of.
        """
        for event in events[told:]:
            if event.what is What.TURN_UP and self.next == UP:
                self._at += 1
            if event.what is not What.TURN or (until is not None and self.next is None):
                continue
            expected = Step(event.seat, card=event.card)
            if self.next != expected:
                raise NotationError(
                    f"{self.where()}: expected {expected}: it is {LETTERS[event.seat]}'s turn, and "
                    f"his top card is {cards.text(event.card)}."
                )
            self._at += 1
        return len(events)

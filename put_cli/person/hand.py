"""A hand under way as one seat knows it, told in the second person.

A View shows how things stand, not how they came to be: what has happened since the seat was last
asked is worked out here by following the machine, which also says what everything meant. No
terminal, and nothing that the seat may not know.
"""

import re
from collections.abc import Iterator

from put_cli.report.tables import printable
from put_cli.rules.machine import DEALER, ELDEST, PLAYS, SEATS, WORDS, Act, Machine, State
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.telling import tell
from put_cli.strategy import PUT, SEE, THROW, HandRecord, View

ACTS = {PUT: Act.PUT, SEE: Act.SEE, THROW: Act.THROW}
"""What a strategy returns for a word, and the machine's act."""


class KnownHand:
    """One hand: `cards` are the seat's own as dealt, best first; cards are numbers.

    `state` is the machine's, as far as this seat has heard.
    """

    def __init__(self, rules: RuleSet, *, is_dealer: bool, cards: tuple[int, ...], name: str):
        self.machine = Machine(rules)
        self.state = State()
        self.seat = DEALER if is_dealer else ELDEST
        self.dealt = cards
        self.opponent = printable(name)
        self._played: tuple[list[int], list[int]] = ([], [])  # by seat
        self._heard = 0  # words of the opponent
        self._laid = 0  # the last card: where there is one to reply to, the led one

    @property
    def held(self) -> list[int]:
        """The cards still in hand, best first."""
        left = list(self.dealt)
        for card in self._played[self.seat]:
            left.remove(card)
        return left

    @property
    def legal(self) -> list[int]:
        """Everything the seat may do, as a strategy returns it: cards best first, then words."""
        if self.state.over or self.machine.actor(self.state) != self.seat:
            return []
        acts = self.machine.legal(self.state)
        cards = dict.fromkeys(self.held) if any(act in PLAYS for act in acts) else ()
        return [*cards, *(action for action, act in ACTS.items() if act in acts)]

    def choices(self) -> str:
        """What the seat may do, in words: `put or lead a card`."""
        return self.machine.choices(self.state).partition(" may ")[2]

    def meaning(self, action: int) -> str:
        """What a legal action would mean."""
        rank = "" if action in ACTS else self.machine.rules.cards.rank(action)
        return self.addressed(
            tell(self.machine, self.state, self._act(action), rank, self.machine.names)
        )

    def take(self, action: int) -> str:
        """Carry out a legal action of the player whose turn it is, and tell it."""
        told = self.meaning(action)
        actor = self.machine.actor(self.state)
        act = self._act(action)
        self.state = self.machine.act(self.state, act)
        if act in WORDS:
            self._heard += actor != self.seat
        else:
            self._laid = action
            self._played[actor].append(action)
        return told

    def see(self, view: View) -> list[str]:
        """What has happened up to the moment `view` shows, told act by act."""
        answered = [SEE] if self.state.asked else []
        words = answered + ([PUT] if view.asked else [])
        return list(self._follow(words, view.played, view.their_played))

    def finish(self, record: HandRecord) -> list[str]:
        """What has happened up to the end of the hand.

        A hand that a fault ended leaves `state` unfinished.
        """
        by_word = {act.name.lower(): action for action, act in ACTS.items()}
        said = [by_word[word] for _, mine, word in record.words if not mine]
        return list(self._follow(said[self._heard :], record.played, record.their_played))

    def _follow(
        self, words: list[int], played: tuple[int, ...], their_played: tuple[int, ...]
    ) -> Iterator[str]:
        """Take every act that is known and has not been taken yet.

        `words` are the opponent's since then. A player who is asked answers first; one who is not
        plays before he speaks again, for a put is answered by this seat, and a throw is the end.
        Own words have been taken when they were said, but a card that had to be played was not
        asked for.
        """
        cards = {self.seat: played, 1 - self.seat: their_played}
        words = list(words)
        while not self.state.over:
            actor = self.machine.actor(self.state)
            done = self._played[actor]
            following = [card for card in cards[actor] if card][len(done) :]
            if following and not self.state.asked:
                yield self.take(following[0])
            elif words and actor != self.seat:
                yield self.take(words.pop(0))
            else:
                return

    def _act(self, action: int) -> Act:
        if action in ACTS:
            return ACTS[action]
        if not self.state.led:
            return Act.LEAD
        if action == self._laid:
            return Act.EQUAL
        return Act.HIGHER if action > self._laid else Act.LOWER

    def addressed(self, told: str) -> str:
        """A sentence about eldest and dealer, said to this seat: `you lead K`, `odds leads K`."""
        names = {SEATS[self.seat]: "you", SEATS[1 - self.seat]: self.opponent}
        subject = ""  # of the last verb: `and leads on` has none of its own

        def said(match: "re.Match[str]") -> str:
            nonlocal subject
            seat, verb = match["seat"], match["verb"] or match["on"]
            subject = seat or subject
            if verb and names.get(subject) == "you":
                verb = _PLAIN[verb]
            return " ".join(filter(None, (names[seat] if seat else "and", verb)))

        return _SPOKEN.sub(said, told)


_VERBS = ("puts", "sees", "throws", "leads", "takes")
_PLAIN = {verb: verb.removesuffix("s") for verb in _VERBS} | {"replies": "reply"}
_SPOKEN = re.compile(
    rf"\b(?P<seat>{'|'.join(SEATS)})\b(?: (?P<verb>{'|'.join(_PLAIN)})\b)?|\band (?P<on>leads)\b"
)

"""A hand under way as one player knows it, told in the second person.

Everybody's acts are heard one by one; what they meant and what may follow is the machine's. A
card that had to be played is asked of nobody, and found on the table. No terminal, and nothing
that the person may not know: others' cards only when they fall or are exposed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from put_cli.person.speech import ME, Speech, mark
from put_cli.rules.machine import (
    CHOICES,
    ELDEST,
    PLAYS,
    RULINGS,
    Act,
    Machine,
    Misdeal,
    Stage,
    State,
)
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.telling import side_name, tell, tell_choice, tell_misdeal, tell_ruling
from put_cli.strategy import WORD_NAMES, HandRecord, View

ACTS = {action: Act[name] for action, name in WORD_NAMES.items()}
"""What a strategy returns for a word, and the machine's act."""


class KnownHand:
    """One hand, dealt by the player in chair `dealer`; the person sits in chair ME.

    `state` is the machine's, as far as has been heard. Cards are numbers.
    """

    def __init__(self, rules: RuleSet, speech: Speech, dealer: int) -> None:
        self.machine = Machine(rules)
        self.state: State = self.machine.start()
        self.speech = speech
        self.dealer = dealer
        self.misdeal = Misdeal.NONE
        self.actions: list[int] = []
        """What was done and said in the tricks, by whoever's turn it was."""
        self.held: list[int] = []
        """The person's cards, best first, a fourth one last; known once he is asked."""
        self.fourth = 0
        eldest = (dealer + 1) % rules.chairs
        self.players = [(eldest + seat) % rules.chairs for seat in range(rules.players - 1)]
        self.players.append(dealer)
        """By seat, who plays there; with partners the captains, until they give."""
        self.machine.names = tuple(mark(chair % rules.players) for chair in self.players)
        self._played: list[list[int]] = [[] for _ in range(rules.chairs)]
        self._best = 0  # the card to beat
        self._begun = False
        self._concerned = self._ruler = ME  # by a misdeal
        self._drawn_from: list[int] = []
        self._kept_back: list[str] = []  # what is told when both captains have chosen

    @property
    def actor(self) -> int:
        """The chair whose turn it is."""
        if self.state.stage is Stage.RULING:
            return self._ruler
        return self.players[self.machine.actor(self.state)]

    @property
    def legal(self) -> list[int]:
        """What the person may do, as a strategy returns it: cards best first, then words."""
        if self.state.over or self.actor != ME:
            return []
        acts = self.machine.legal(self.state)
        cards = self.held if any(act in PLAYS for act in acts) else []
        if Act.LAY_OUT in acts:
            own = self.held[:-1] if self.machine.rules.must_swap else self.held
            cards = sorted(own, reverse=True)
        return [*dict.fromkeys(cards), *(action for action, act in ACTS.items() if act in acts)]

    def choices(self) -> str:
        """What may be done, in words: `put or lead a card`."""
        return self.machine.choices(self.state).partition(" may ")[2]

    @property
    def dealt(self) -> list[int]:
        """The person's cards as dealt, best first; known once he is asked."""
        return sorted(self.held + self._played[ME], reverse=True)

    def has_played(self, card: int) -> bool:
        """Whether the person has played such a card."""
        return card in self._played[ME]

    def side_of(self, seat: int) -> int:
        """The side that a seat belongs to: its chair, or with partners 0 for the person's."""
        return self.players[seat] % self.machine.seats

    def meaning(self, action: int) -> str:
        """What a legal action of the person would mean."""
        return self.speech.said(self._told(action))

    def see(self, view: View, chair: int = ME) -> list[str]:
        """What has happened, beside what was heard, when the player in `chair` is asked."""
        told = [] if self._begun else self._begin(view, chair)
        self._begun = True
        if chair == ME:
            cards = [*filter(None, view.cards), *filter(None, [view.fourth])]
            if self._drawn_from and len(cards) == len(self._drawn_from) - 1:
                [gone] = (Counter(self._drawn_from) - Counter(cards)).elements()
                told.append(f"the card drawn is {self._rank(gone)}")
            self._drawn_from = []
            self.held, self.fourth = cards, view.fourth
        if self.state.stage is Stage.TRICKS:
            told += self._follow(self._table(view, self.players.index(chair)))
        return told

    def take(self, action: int) -> list[str]:
        """Carry out a legal action of the player whose turn it is, and tell it."""
        told, act, actor = [self._told(action)], self._act(action), self.actor
        before = self.state.stage
        if before is Stage.TRICKS:
            self.actions.append(action)
        if act in CHOICES:
            told = self._exchange(act, told[0])
        elif act is Act.DRAW and self._concerned == ME:
            self._drawn_from = self.held
        elif act in PLAYS:
            self._played[actor].append(action)
            self._best = action if act in (Act.LEAD, Act.HIGHER) else self._best
        if actor == ME and action in self.held:
            self.held.remove(action)
        self.state = self.machine.act(self.state, act)
        if before is Stage.CHOOSING and self.state.stage is not before:
            eldest, dealer = map(mark, self.players)
            told += [*self._kept_back, f"{eldest} plays against {dealer}"]
        return [self.speech.said(each) for each in told]

    def finish(self, record: HandRecord, *, one_short: bool) -> list[str]:
        """What has happened, beside what was heard, up to the end of the hand.

        `one_short` says that one point won eldest the game. A hand that a fault ended leaves
        `state` unfinished.
        """
        told = []
        if not self._begun and self.machine.rules.misdeals:  # it ended with the deal
            if not (record.won or record.lost):
                told = [self._go_wrong(Misdeal.FACED, self.dealer)]
            elif one_short:
                told = [self._go_wrong(Misdeal.FOUR_OWN, self.dealer)]
                self.state = self.machine.awarded()
        me = next(seat for seat in range(self.machine.seats) if self.side_of(seat) == ME)
        played = record.table_played
        table = {(me + step) % len(played): cards for step, cards in enumerate(played)}
        return [*told, *self._follow(table)]

    def _begin(self, view: View, chair: int) -> list[str]:
        """What went wrong with the deal, if anything did."""
        if view.misdeal:
            kind = Misdeal(view.misdeal)
            self._ruler = chair
            concerned = self.dealer if kind is Misdeal.FOUR_OWN else chair
            return [self._go_wrong(kind, concerned, view.exposed_mine)]
        shown = max(view.exposed_mine, view.exposed_theirs, *(o.exposed for o in view.others))
        return [self._go_wrong(Misdeal.EXPOSED_OWN, self.dealer, shown)] if shown else []

    def _go_wrong(self, kind: Misdeal, concerned: int, card: int = 0) -> str:
        machine = self.machine
        self.misdeal, self._concerned = kind, concerned
        own = concerned == self.dealer or machine.rules.partners
        self.state = machine.start(kind, ELDEST if own else self.players.index(concerned))
        rank = self._rank(card) if card else ""
        told = tell_misdeal(kind, mark(self.dealer), mark(concerned), rank)
        if kind is Misdeal.FOUR_OWN:
            told += f": 1 point to {side_name(machine.rules, machine.names[ELDEST])}"
        return self.speech.said(told)

    def _exchange(self, choice: Act, told: str) -> list[str]:
        """A captain's choice; the person hears of another's when both have chosen."""
        captain = self.actor
        if choice is Act.GIVE:
            self.players[self.machine.actor(self.state)] = (captain + 2) % 4
        if captain == ME:
            return [told]
        self._kept_back.append(told)
        return []

    def _table(self, view: View, seat: int) -> dict[int, Sequence[int]]:
        """By seat, the cards played that the View of the player in `seat` shows."""
        seats = self.machine.seats
        others = [(seat + step) % seats for step in range(1, seats)]
        # `their_` speaks of the next live opponent, `others` of the rest clockwise from him.
        their = next(other for other in others if other not in self.state.dead)
        rest = [each for step in range(1, seats) if (each := (their + step) % seats) != seat]
        table: dict[int, Sequence[int]] = {seat: view.played, their: view.their_played}
        return table | {each: other.played for each, other in zip(rest, view.others, strict=False)}

    def _follow(self, table: Mapping[int, Sequence[int]]) -> Iterator[str]:
        """Take the cards on the table that were not heard of."""
        while not self.state.over and self.state.stage is Stage.TRICKS and not self.state.asked:
            seat = self.machine.actor(self.state)
            new = [card for card in table[seat] if card][len(self._played[self.players[seat]]) :]
            if not new:
                return
            yield from self.take(new[0])

    def _told(self, action: int) -> str:
        """A legal action in words, players as marks."""
        act, actor = self._act(action), self.actor
        if act in CHOICES:
            partner = (actor + 2) % 4
            gift = self._rank(max(self.held)) if actor == ME and act is Act.GIVE else ""
            return tell_choice(act, mark(actor), mark(partner), gift)
        if act is Act.LAY_OUT:
            return f"{mark(actor)} lays out {self._rank(action) if actor == ME else 'a card'}"
        if act in RULINGS:
            dealer, concerned = mark(self.dealer), mark(self._concerned)
            return tell_ruling(act, mark(actor), dealer, concerned, "a card")
        rank = "" if action in ACTS else self._rank(action)
        return tell(self.machine, self.state, act, rank, [mark(chair) for chair in self.players])

    def _act(self, action: int) -> Act:
        if action in ACTS:
            return ACTS[action]
        if self.state.stage is Stage.LAYING_OUT:
            return Act.LAY_OUT
        if not self.state.led:
            return Act.LEAD
        if action == self._best:
            return Act.EQUAL
        return Act.HIGHER if action > self._best else Act.LOWER

    def _rank(self, card: int) -> str:
        return self.machine.rules.cards.rank(card)

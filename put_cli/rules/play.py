"""A hand under way: the machine's state, and the cards that the machine does not know.

Who holds which card, who plays for a side of partners and what a card on the table is beaten by
is settled here; the turn, the words and the result are the machine's.
"""

from put_cli.rules.machine import (
    CHOICES,
    ELDEST,
    NOBODY,
    PLAYS,
    WORDS,
    Act,
    IllegalAct,
    Machine,
    Misdeal,
    Stage,
    State,
)
from put_cli.rules.notation import DRAW, FACED, GIVES, LAY_OUT, SHOWS, Hand, Step, names_of
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score, after_four_cards
from put_cli.rules.telling import side_name, tell, tell_choice, tell_misdeal, tell_ruling

_MISDEALS = {
    (SHOWS, False): Misdeal.EXPOSED_THEIRS,
    (SHOWS, True): Misdeal.EXPOSED_OWN,
    (FACED, False): Misdeal.FACED,
    (GIVES, False): Misdeal.FOUR_THEIRS,
    (GIVES, True): Misdeal.FOUR_OWN,
}
"""The misdeal that a word means, and whether it befell the dealer's own cards."""

_NOT_YET = {
    Stage.RULING: "the misdeal has to be ruled on first",
    Stage.CHOOSING: "the captains have to choose first",
    Stage.LAYING_OUT: "a card has to be laid out first",
}


def first_players(rules: RuleSet) -> list[int]:
    """Who plays at each seat before anybody has given his card away: with partners the captains.

    Partners sit 0 dealer, 1 eldest, 2 and 3 opposite.
    """
    return [1, 0] if rules.partners else list(range(rules.players))


class Play:
    """A hand of `rules` that begins at `score`, carried out step by step.

    Players are the places of the hand's letters. `score` rises only by the point that the Laws
    of Put award at once; what the finished hand scores is for the referee.

    `players` says by seat who plays there. `held` and `played` are ranks by player, those played
    in order; a fourth card, given by the partner or by mistake, is the last one held. `best` is
    the highest rank on the table. `concerned` is whose cards a misdeal befell, `shown` the rank
    that it made public. `words` are place, seat and word of everything said in the tricks.
    """

    def __init__(self, rules: RuleSet, hand: Hand, score: Score) -> None:
        self.machine = Machine(rules)
        self.state: State = self.machine.start()
        self.score = score
        self.misdeal = Misdeal.NONE
        self.ruling: Act | None = None
        self.choices_made: list[Act] = []
        self.gifts = [""] * rules.players
        self.laid_out = [""] * rules.players
        self.players = first_players(rules)
        self._dealer = self.players[-1]
        self._hand = hand
        self._names = names_of(hand.letters)
        self.held = [list(hand.cards(player)) for player in range(len(hand.letters))]
        self.played: list[list[str]] = [[] for _ in hand.letters]
        self.best = ""
        self.words: list[tuple[str, int, Act]] = []
        self.concerned = self._ruler = NOBODY
        self.shown = ""
        self._begun = False

    def take(self, step: Step) -> str:
        """Carry out one step and return it in words.

        Raises:
            IllegalAct: the rules or the cards do not allow it; nothing has changed.
        """
        if step.word in (SHOWS, FACED, GIVES):
            return self._misdeal(step)
        act = self._act(step)
        seat = self.machine.actor(self.state)
        if act in CHOICES:
            told = self._exchange(seat, act)
        elif act is Act.LAY_OUT:
            told = f"{self._names[step.seat]} lays out {step.rank}"
            self.held[step.seat].remove(step.rank)
            self.laid_out[seat] = step.rank
        elif self.state.stage is Stage.RULING:
            told = self._rule(act, step.rank)
        else:
            who = [self._names[player] for player in self.players]
            told = tell(self.machine, self.state, act, step.rank, who)
            if act in WORDS:
                self.words.append((self.machine.place(self.state), seat, act))
            if step.plays:
                self.held[step.seat].remove(step.rank)
                self.played[step.seat].append(step.rank)
                if act in (Act.LEAD, Act.HIGHER):
                    self.best = step.rank
        self.state = self.machine.act(self.state, act)
        self._begun = True
        return told

    def choices(self) -> str:
        """What may happen now, with the cards it may happen to."""
        state, machine = self.state, self.machine
        if state.over:
            return machine.choices(state)
        player = self.player()
        told = machine.choices(state, self._names[player])
        legal = machine.legal(state)
        if any(act in PLAYS for act in legal):
            told += f" ({' '.join(self.held[player])})"
        elif Act.LAY_OUT in legal:
            told += f" ({' '.join(self._may_lay_out(player))})"
        elif Act.DRAW in legal:
            told += f" a card ({' '.join(self.held[self.concerned])})"
        return told

    def player(self) -> int:
        """Whose turn it is."""
        if self.state.stage is Stage.RULING:
            return self._ruler
        return self.players[self.machine.actor(self.state)]

    def _act(self, step: Step) -> Act:
        """The step as the machine sees it, if turn, words and cards allow it."""
        if self.state.over:
            raise IllegalAct("the hand is already over; nothing may follow.")
        if step.seat != self.player():
            raise self._illegal(self._why_not(step.seat))
        if step.plays:
            return self._card(step)
        return self._with_card(step) if step.rank else self._word(step.word)

    def _why_not(self, player: int) -> str:
        """Why it is not this player's turn."""
        name = self._names[player]
        exchanged = self.state.stage in (Stage.LAYING_OUT, Stage.TRICKS)
        if self.machine.rules.partners and exchanged and player not in self.players:
            return f"{name} is out of play"
        if player in self.state.dead:
            return f"{name} has thrown in his cards"
        return f"it is {self._names[self.player()]}'s turn"

    def _word(self, word: str) -> Act:
        rules = self.machine.rules
        words: list[Act] = [*WORDS, *(CHOICES if rules.partners else ())]
        words += [Act.STAND, Act.REDEAL] if rules.misdeals else []
        known = {each.name.lower(): each for each in words}
        if word not in known:
            raise self._illegal(f"the words are {', '.join(known)}")
        if known[word] not in self.machine.legal(self.state):
            raise self._illegal(f"{word} is not allowed here")
        return known[word]

    def _with_card(self, step: Step) -> Act:
        """A card laid out, or drawn from four."""
        act = Act.LAY_OUT if step.word == LAY_OUT else Act.DRAW
        if act not in self.machine.legal(self.state):
            what = "laid out" if act is Act.LAY_OUT else "drawn"
            raise self._illegal(f"no card is {what} here")
        whose = self.concerned if step.word == DRAW else step.seat
        if step.rank not in self.held[whose]:
            raise self._illegal(f"{self._names[whose]} does not hold {step.rank}")
        if act is Act.LAY_OUT and step.rank not in self._may_lay_out(whose):
            raise self._illegal("must_swap: the card received may not be laid out")
        return act

    def _may_lay_out(self, player: int) -> list[str]:
        held = self.held[player]
        return held[:-1] if self.machine.rules.must_swap else held  # the gift is the last one

    def _card(self, step: Step) -> Act:
        state = self.state
        if state.stage in _NOT_YET:
            raise self._illegal(_NOT_YET[state.stage])
        if state.asked:
            raise self._illegal("a put has to be answered first")
        if self.machine.must_speak(state):
            raise self._illegal("no card may be played here")
        if step.rank not in self.held[step.seat]:
            gone = step.rank in self._hand.cards(step.seat)
            why = "no longer holds" if gone else "was not dealt"
            if step.rank in self.played[step.seat]:
                why = "has already played"
            raise self._illegal(f"{self._names[step.seat]} {why} {step.rank}")
        if not state.led:
            return Act.LEAD
        pack = self.machine.rules.cards
        card, best = pack.card(step.rank), pack.card(self.best)
        return Act.EQUAL if card == best else Act.HIGHER if card > best else Act.LOWER

    def _exchange(self, seat: int, choice: Act) -> str:
        """A captain's choice, and the gift that it makes pass."""
        captain = self.players[seat]
        partner = (captain + 2) % 4
        if choice is not Act.KEEP:
            giver, receiver = (captain, partner) if choice is Act.GIVE else (partner, captain)
            gift = max(self.held[giver], key=self.machine.rules.cards.card)
            self.held[giver].remove(gift)
            self.held[receiver].append(gift)
            self.gifts[seat] = gift
            self.players[seat] = receiver
        self.choices_made.append(choice)
        return tell_choice(choice, self._names[captain], self._names[partner], self.gifts[seat])

    def _misdeal(self, step: Step) -> str:
        rules = self.machine.rules
        if not rules.misdeals:
            raise self._illegal(
                f"the dealer does not err under {rules.name}; to play by the Laws of Put give "
                f"the rule set misdeals, as in 'cotton(misdeals=0.05)'"
            )
        if self._begun:
            raise self._illegal("a misdeal is the first step of a hand")
        if step.seat != self._dealer:
            raise self._illegal(f"only {self._names[self._dealer]} deals")
        own = step.whose == self._dealer
        if rules.partners and step.whose == self._dealer + 2:
            raise self._illegal("a misdeal befalls the dealer's own cards or an opponent's")
        if step.rank and step.rank not in self.held[step.whose]:
            raise self._illegal(f"{self._names[step.whose]} was not dealt {step.rank}")
        self.misdeal = _MISDEALS[step.word, own]
        self._begun = True
        self.concerned = step.whose
        self.shown = step.rank
        self._ruler = self.players[ELDEST] if own else step.whose
        adversary = ELDEST if own or rules.partners else max(step.whose, ELDEST)
        self.state = self.machine.start(self.misdeal, adversary)
        told = tell_misdeal(
            self.misdeal, self._names[self._dealer], self._names[step.whose], step.rank
        )
        if self.misdeal is Misdeal.FOUR_OWN:
            self.score, winner = after_four_cards(rules, self.score)
            if winner != NOBODY:
                self.state = self.machine.awarded()
            told += f": 1 point to {side_name(rules, self.machine.names[ELDEST])}"
        return told

    def _rule(self, ruling: Act, rank: str) -> str:
        self.ruling = ruling
        if rank:
            self.held[self.concerned].remove(rank)
        ruler, dealer, whose = (
            self._names[player] for player in (self._ruler, self._dealer, self.concerned)
        )
        return tell_ruling(ruling, ruler, dealer, whose, rank)

    def _illegal(self, why: str) -> IllegalAct:
        return IllegalAct(f"{why}; {self.choices()}.")

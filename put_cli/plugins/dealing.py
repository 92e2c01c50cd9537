"""Hands that lead to a state of the rules: what is done on the way, and cards that allow it.

The cards of the tricks are drawn first, as the way needs them; what was dealt follows from them
backwards through what was laid out, given and drawn.
"""

import random
from collections.abc import Iterator
from functools import cache

from put_cli.engine.tables import lays_last
from put_cli.rules.machine import (
    REPLIES,
    WORDS,
    Act,
    Machine,
    Misdeal,
    Stage,
    State,
    graph,
)
from put_cli.rules.notation import DRAW, GIVES, HAND_CARDS, LAY_OUT, SHOWS, Hand, Step, letters_of
from put_cli.rules.play import first_players
from put_cli.rules.ruleset import RuleSet

MOST_STATES = 2_000
"""Of rule sets with more (four and more players), so many are taken, evenly spread."""

Way = tuple[tuple[int, Act], ...]
"""Acts of the tricks from their start, each with the seat that does it."""

_SHARE_OF_MISDEALS = 0.5  # of the hands of rule sets that know them
_RULED: dict[Misdeal, str] = {
    Misdeal.EXPOSED_THEIRS: "stand",
    Misdeal.EXPOSED_OWN: "",
    Misdeal.FOUR_THEIRS: DRAW,
    Misdeal.FOUR_OWN: DRAW,
}
"""The misdeals after which a hand goes on, and the ruling with which it does."""


@cache
def ways(rules: RuleSet) -> dict[State, Way]:
    """The states in which somebody is asked, each with a shortest way there."""
    machine = Machine(rules)
    before: dict[State, tuple[State, Act]] = {}
    asked = []
    for state, moves in graph(machine).items():
        if moves and not lays_last(state, tuple(moves)) and _may_happen(rules, state.misdeal):
            asked.append(state)
        for act, after in moves.items():
            before.setdefault(after, (state, act))
    start = machine.start()
    before.pop(start, None)
    found = {}
    for state in asked[:: -(-len(asked) // MOST_STATES)]:
        way: list[tuple[int, Act]] = []
        at = state
        while at in before:
            at, act = before[at]
            if at.stage is Stage.TRICKS:
                way.append((machine.actor(at), act))
        found[state] = tuple(reversed(way))
    return found


def _may_happen(rules: RuleSet, misdeal: Misdeal) -> bool:
    """Whether a hand can go on after it: one point for the dealer's four cards may be the game."""
    return misdeal is not Misdeal.FOUR_OWN or rules.target > 1


def is_awarded(hand: Hand) -> bool:
    """Whether eldest has scored a point because the dealer gave himself four cards."""
    first = hand.steps[0] if hand.steps else None
    return first is not None and first.word == GIVES and first.whose == first.seat


def hand_before(rules: RuleSet, state: State, rng: random.Random) -> Hand:
    """A hand whose steps lead to `state`, one of `ways`; what the rules leave open is random."""
    while True:
        try:
            return _Deal(rules, state, rng).hand()
        except _NoCardFits:
            continue


class _NoCardFits(Exception):
    """The cards drawn so far leave none for what must follow."""


class _Deal:
    """One attempt; players are the places of the hand's letters, cards are numbers."""

    def __init__(self, rules: RuleSet, state: State, rng: random.Random) -> None:
        self.rules, self.state, self.rng = rules, state, rng
        self.letters = letters_of(rules)
        self.stock = list(range(1, rules.cards.top + 1)) * rules.cards.copies
        rng.shuffle(self.stock)
        self.dealt: list[list[int]] = [[] for _ in self.letters]
        self.players = first_players(rules)
        self.eldest, self.dealer = self.players[0], self.players[-1]

    def hand(self) -> Hand:
        """The hand.

        Raises:
            _NoCardFits: another attempt has to be made.
        """
        choices = self._choices()
        for seat, choice in enumerate(choices):
            if choice is Act.GIVE:
                self.players[seat] += 2
        steps = list(self._tricks())
        for player in self.players:
            self._fill(player)
        captains = [Step(1 - seat, word=act.name.lower()) for seat, act in enumerate(choices)]
        laid_out = [step for seat, act in enumerate(choices) for step in self._exchange(seat, act)]
        for player in range(len(self.letters)):
            self._fill(player)
        steps = [*self._misdeal(), *captains, *laid_out, *steps]
        dealt = tuple(tuple(map(self.rules.cards.rank, cards)) for cards in self.dealt)
        return Hand(self.letters, dealt, tuple(steps))

    def _draw(self) -> int:
        return self.stock.pop()

    def _fill(self, player: int) -> None:
        cards = self.dealt[player]
        cards += [self._draw() for _ in range(HAND_CARDS - len(cards))]
        cards.sort(reverse=True)

    def _tricks(self) -> Iterator[Step]:
        """What is said and played, with cards that do what the way says."""
        best = 0
        for seat, act in ways(self.rules)[self.state]:
            player = self.players[seat]
            if act in WORDS:
                yield Step(player, word=act.name.lower())
                continue
            card = next((each for each in self.stock if _fits(act, each, best)), 0)
            if not card:
                raise _NoCardFits
            self.stock.remove(card)
            self.dealt[player].append(card)
            if act in (Act.LEAD, Act.HIGHER):
                best = card
            yield Step(player, self.rules.cards.rank(card))

    def _choices(self) -> tuple[Act, ...]:
        """Partners: what the captains have chosen."""
        if self.state.stage is not Stage.TRICKS or not self.rules.partners:
            return self.state.chosen
        machine = Machine(self.rules)
        at = machine.start()
        while at.stage is Stage.CHOOSING:
            at = machine.act(at, self.rng.choice(machine.legal(at)))
        return at.chosen

    def _exchange(self, seat: int, choice: Act) -> Iterator[Step]:
        """From the cards of the side's player back to what both were dealt."""
        player = self.players[seat]
        partner = (player + 2) % 4
        if choice is Act.KEEP:
            return
        own = self.dealt[player]
        own.append(self._draw())
        spare = own[-1]
        is_laid_out = self.state.stage is Stage.TRICKS or (
            self.state.stage is Stage.LAYING_OUT and seat < self.state.turn
        )
        gifts = own[:-1] if is_laid_out and self.rules.must_swap else list(own)
        self.rng.shuffle(gifts)
        # The giver's best card passes, so he has two more that are no better.
        gift = next((each for each in gifts if sum(card <= each for card in self.stock) > 1), 0)
        if not gift:
            raise _NoCardFits
        own.remove(gift)
        rest = [card for card in self.stock if card <= gift][:2]
        for card in rest:
            self.stock.remove(card)
        self.dealt[partner] = [gift, *rest]
        if is_laid_out:
            yield Step(player, self.rules.cards.rank(spare), LAY_OUT)

    def _misdeal(self) -> Iterator[Step]:
        """What went wrong with the deal, and the ruling where the hand goes on after it."""
        kind, ruling = self.state.misdeal, ""
        if not kind:
            if not self.rules.misdeals or self.rng.random() >= _SHARE_OF_MISDEALS:
                return
            kind = self.rng.choice([each for each in _RULED if _may_happen(self.rules, each)])
            ruling = _RULED[kind]
        own = kind in (Misdeal.EXPOSED_OWN, Misdeal.FOUR_OWN)
        whose = self.dealer if own else self._adversary()
        card = self.rng.choice(self.dealt[whose])
        if kind in (Misdeal.FOUR_OWN, Misdeal.FOUR_THEIRS):
            card = self._draw()
            self.dealt[whose].append(card)
            yield Step(self.dealer, word=GIVES, whose=whose)
        else:
            yield Step(self.dealer, self.rules.cards.rank(card), SHOWS, whose)
        if ruling:
            rank = self.rules.cards.rank(card) if ruling == DRAW else ""
            yield Step(self.eldest if own else whose, rank, ruling)

    def _adversary(self) -> int:
        """The player whose cards a misdeal befell."""
        if self.rules.partners:
            return self.rng.choice((1, 3))
        if self.state.stage is Stage.RULING:
            return self.state.turn
        return self.rng.randrange(self.rules.players - 1)


def _fits(act: Act, card: int, best: int) -> bool:
    """Whether playing `card` is this act, over `best` where it is a reply."""
    if act not in REPLIES:
        return True
    return act == (Act.LOWER if card < best else Act.HIGHER if card > best else Act.EQUAL)

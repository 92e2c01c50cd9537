"""Random hands played by the rules, for property tests."""

from hypothesis import strategies as st

from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.machine import (
    ELDEST,
    PLAYS,
    REPLIES,
    Act,
    Machine,
    Misdeal,
    Stage,
)
from put_cli.rules.notation import DRAW, FACED, GIVES, LAY_OUT, SHOWS, Hand, Step, letters_of
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score

VARIANTS = (
    "cotton(pack=short28, lone_trick=false)",
    "parlett(throw_after_seen=true)",
    "truc-french(raise=plus2)",
    "truc(target=7, rubber=1)",
    "enquire(stakes=[1, 3, game], declined=worth)",
    "cotton(misdeals=0.5)",
    "enquire(misdeals=1)",
    "four-handed(must_swap=true, dealer_gift=required)",
    "hoyle(partners=true, misdeals=0.5)",
    "truc(partners=true)",
    "plain(players=3, pack=short28)",
    "cotton(players=4, misdeals=0.5)",
    "willughby(players=5, lone_trick=false)",
    "cotton(players=6)",
)
"""Rule sets for the knobs that no built-in set turns."""

FOUR_CARDS = (Misdeal.FOUR_THEIRS, Misdeal.FOUR_OWN)


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Every built-in rule set and a few variants."""
    return st.sampled_from((*BUILT_IN, *VARIANTS)).map(find_ruleset)


@st.composite
def legal_hands(draw: st.DrawFn, rules: RuleSet, score: Score = ()) -> Hand:
    """A finished hand: random cards and, at every turn, one of the legal acts.

    `score` is that before the hand, which matters where the Laws award a point; nothing if empty.
    """
    table = _Table(draw, rules)
    one_short = (score or (0,))[ELDEST] == rules.target - 1
    table.go_wrong(one_short)
    while not table.state.over:
        table.move()
    return Hand(table.letters, table.dealt, tuple(table.steps))


class _Table:
    """Cards dealt at random, with or without a misdeal, and what has been done since."""

    def __init__(self, draw: st.DrawFn, rules: RuleSet) -> None:
        self._draw = draw
        self._rules = rules
        self._machine = Machine(rules)
        self.state = self._machine.start()
        self.letters = letters_of(rules)
        self.steps: list[Step] = []
        partners = rules.partners
        self._players = [1, 0] if partners else list(range(rules.players))
        self._dealer = self._players[-1]
        kinds = list(Misdeal) if rules.misdeals else [Misdeal.NONE]
        self._misdeal: Misdeal = draw(st.sampled_from(kinds))
        own = self._misdeal in (Misdeal.EXPOSED_OWN, Misdeal.FOUR_OWN)
        others = [1, 3] if partners else list(range(rules.players - 1))
        self._whose: int = self._dealer if own else draw(st.sampled_from(others))
        self._ruler = self._players[ELDEST] if own else self._whose
        pack = list(rules.cards.ranks * rules.cards.copies)
        number = 3 * len(self.letters) + (self._misdeal in FOUR_CARDS)
        places = draw(
            st.lists(st.integers(0, len(pack) - 1), min_size=number, max_size=number, unique=True)
        )
        held = [[pack[place] for place in places[3 * n : 3 * n + 3]] for n in range(rules.chairs)]
        if self._misdeal in FOUR_CARDS:
            held[self._whose].append(pack[places[-1]])
        self.dealt = tuple(map(tuple, held))
        self._held = held
        self._best = ""

    def go_wrong(self, one_short: bool) -> None:
        """The misdeal, if there is one; `one_short` if one point wins eldest the game."""
        if not self._misdeal:
            return
        side = ELDEST if self._rules.partners or self._whose == self._dealer else self._whose
        self.state = self._machine.start(self._misdeal, side)
        if self._misdeal is Misdeal.FACED:
            self.steps.append(Step(self._dealer, word=FACED))
        elif self._misdeal in FOUR_CARDS:
            self.steps.append(Step(self._dealer, word=GIVES, whose=self._whose))
            if self._misdeal is Misdeal.FOUR_OWN and one_short:
                self.state = self._machine.awarded()
        else:
            rank = self._draw(st.sampled_from(self._held[self._whose]))
            self.steps.append(Step(self._dealer, rank, SHOWS, self._whose))

    def move(self) -> None:
        """Any legal act."""
        seat = self._machine.actor(self.state)
        player = self._players[seat]
        if self.state.stage is Stage.RULING:
            player = self._ruler
        legal = self._machine.legal(self.state)
        words = [act for act in legal if act not in (*PLAYS, Act.LAY_OUT, Act.DRAW)]
        choices = [(act, Step(player, word=act.name.lower())) for act in words]
        held = self._held[player]
        if Act.LEAD in legal:
            choices += [(Act.LEAD, Step(player, rank)) for rank in held]
        if Act.LOWER in legal:
            choices += [(self._compared(rank), Step(player, rank)) for rank in held]
        if Act.LAY_OUT in legal:
            own = held[:3] if self._rules.must_swap else held
            choices += [(Act.LAY_OUT, Step(player, rank, LAY_OUT)) for rank in own]
        if Act.DRAW in legal:
            drawn = self._held[self._whose]
            choices += [(Act.DRAW, Step(player, rank, DRAW)) for rank in drawn]
        act, step = self._draw(st.sampled_from(choices))
        self._carry_out(seat, player, act, step.rank)
        self.steps.append(step)
        self.state = self._machine.act(self.state, act)

    def _carry_out(self, seat: int, player: int, act: Act, rank: str) -> None:
        """What the act does to the cards."""
        if rank:
            self._held[self._whose if act is Act.DRAW else player].remove(rank)
        if act in (Act.LEAD, Act.HIGHER):
            self._best = rank
        if act in (Act.GIVE, Act.RECEIVE):
            partner = player ^ 2
            giver, receiver = (player, partner) if act is Act.GIVE else (partner, player)
            self._held[giver].sort(key=self._rules.cards.card)
            self._held[receiver].append(self._held[giver].pop())
            self._players[seat] = receiver

    def _compared(self, rank: str) -> Act:
        mine, best = self._rules.cards.card(rank), self._rules.cards.card(self._best)
        return REPLIES[(mine > best) - (mine < best) + 1]

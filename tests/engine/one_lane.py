"""One lane of the kernel with a hand of our choice, answered step by step from a script."""

from itertools import count

import numpy as np

from put_cli.engine import kernel
from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.hand import cards_index
from put_cli.engine.luck import bounded, subkey
from put_cli.engine.matches import Buffers
from put_cli.engine.opening import DRAWN, KINDS, WHICH
from put_cli.engine.play import prepare_kernel
from put_cli.engine.view import ASK_CHAIR, ASK_STATUS, ASK_WIDTH
from put_cli.plugins.code_store import DiskStore
from put_cli.rules.machine import ELDEST, Misdeal
from put_cli.rules.notation import DRAW as DRAWS
from put_cli.rules.notation import FACED, GIVES, SHOWS, Hand, Step
from put_cli.rules.score import Score
from put_cli.strategy import DRAW, GIVE, KEEP, PUT, RECEIVE, REDEAL, SEE, STAND, THROW

prepare_kernel(DiskStore())  # as the program does; else every test process compiles it anew

WORDS = {
    "put": PUT,
    "see": SEE,
    "throw": THROW,
    "give": GIVE,
    "receive": RECEIVE,
    "keep": KEEP,
    "stand": STAND,
    "redeal": REDEAL,
    DRAWS: DRAW,
}
ALWAYS = 2**53  # a share of misdeals


class OneLane:
    """A match of one game (or rubber) between players that Python decides for.

    The dealer errs only where `set_hand` makes him.
    """

    def __init__(self, tables: tb.Tables, *, games: int = 1, seed: int = 1) -> None:
        self.tables = tables
        self.rules = tables.rules
        self.knobs = tables.knobs.copy()
        self.knobs[tb.MISDEAL_SHARE] = 0
        self.lane = np.zeros(ln.WIDTH, np.int64)
        self.lane[ln.STATUS] = ln.NEW_GAME
        self.lane[ln.GAMES] = games
        self.buffers = Buffers()
        self.buffers.fit(len(ln.hand_columns(self.rules)))
        self.games = np.zeros((len(ln.GAME_COLUMNS), games), np.int32)
        self.tallies = np.zeros((1, len(ln.TALLY_COLUMNS)), np.int64)
        self.asks = np.zeros((ASK_WIDTH, 1), np.int64)
        self.rows = 0
        self.chairs: list[int] = []
        """Chairs by place in the letters of the hand."""
        self.seats: list[int] = []
        """Chairs of the players, or captains, by seat: eldest's first, the dealer's last."""
        self._lucks = np.zeros(1)
        self._subkeys = np.array([subkey(seed, word) for word in ("cut", "deal", "misdeal")])
        self.advance()

    def advance(self) -> None:
        """Call the kernel once."""
        _, self.rows, _, _ = kernel.kernel_of(self.rules)(
            0,
            self.lane.reshape(1, -1),
            self.tables.states,
            self.knobs,
            self._subkeys,
            self.buffers.keys,
            self.buffers.hands,
            self.buffers.words,
            self.rows,
            True,
            self.games,
            self.tallies,
            self.asks,
            self._lucks,
            np.zeros(kernel.SCRATCH, np.int64),
        )

    def set_hand(self, hand: Hand, score: Score, *, eldest: int) -> None:
        """Put these cards and scores in place of the dealt ones; chair `eldest` leads.

        A misdeal that is the first step of the hand has happened; where nothing can be done after
        it the hand is over.
        """
        lane, rules = self.lane, self.rules
        n = rules.chairs
        dealer = (eldest - 1) % n
        # Partners are named from the dealer on, the others from eldest.
        self.chairs = [((dealer if rules.partners else eldest) + place) % n for place in range(n)]
        self.seats = [eldest, dealer] if rules.partners else self.chairs
        lane[ln.DEALER] = dealer
        lane[ln.PLAYER : ln.PLAYER + len(self.seats)] = self.seats
        first = hand.steps[0] if hand.steps else Step(0)
        for place, chair in enumerate(self.chairs):
            cards = [rules.cards.card(rank) for rank in hand.cards(place)]
            lane[ln.FOURTH + chair] = cards[3] if len(cards) == 4 else 0
            cards = sorted(cards[:3], reverse=True)
            lane[ln.CARDS + 3 * chair : ln.CARDS + 3 * chair + 3] = cards
            lane[ln.DEALT + chair] = lane[ln.DEALT_FIRST + chair] = cards_index(*cards)
        for seat, points in enumerate(score):
            for chair in range(self.seats[seat] % rules.players, n, rules.players):
                lane[ln.SCORE + chair] = lane[ln.OLD_SCORE + chair] = points
        if first.word in (SHOWS, FACED, GIVES):
            self._go_wrong(first, hand)
        if not self.rows:
            lane[ln.STATUS] = ln.DECIDE  # who is to act now, and with what
            self.advance()

    def _go_wrong(self, step: Step, hand: Hand) -> None:
        lane, knobs, eldest = self.lane, self.knobs, self.seats[ELDEST]
        dealer = int(lane[ln.DEALER])
        if step.word == FACED:
            self._deal_again(Misdeal.FACED)
            return
        concerned = self.chairs[step.whose]
        seat = 0 if self.rules.partners else (concerned - eldest) % self.rules.chairs
        four = step.word == GIVES
        card = int(lane[ln.FOURTH + concerned]) if four else self.rules.cards.card(step.rank)
        if concerned == dealer:
            lane[ln.MISDEAL] = Misdeal.FOUR_OWN if four else Misdeal.EXPOSED_OWN
        else:
            lane[ln.MISDEAL] = Misdeal.FOUR_THEIRS if four else Misdeal.EXPOSED_THEIRS
            lane[ln.STATE] = knobs[(tb.START_FOUR if four else tb.START_EXPOSED) + seat]
            lane[ln.PLAYER + seat] = concerned
        if four and concerned == dealer:
            if lane[ln.SCORE + eldest] == self.rules.target - 1:
                self._deal_again(Misdeal.FOUR_OWN)
                return
            lane[ln.STATE] = knobs[tb.START_FOUR_OWN]
            lane[ln.AWARD] = 1
            for chair in range(eldest % self.rules.players, self.rules.chairs, self.rules.players):
                lane[ln.SCORE + chair] += 1
        lane[ln.MISDEAL_CHAIR] = concerned
        lane[ln.MISDEAL_CARD] = card
        if not four:
            lane[ln.EXPOSED + concerned] = card
        for later in hand.steps[1:2]:
            if later.word == DRAWS:
                self._draw_will_be(concerned, self.rules.cards.card(later.rank))

    def _deal_again(self, misdeal: Misdeal) -> None:
        """Deal this hand anew, with a misdeal that ends it at once, whatever the cards."""
        self._choose_chance(WHICH, KINDS, misdeal - 1)
        self.knobs[tb.MISDEAL_SHARE] = ALWAYS
        self.lane[ln.STATUS] = ln.NEW_HAND
        self.advance()

    def _draw_will_be(self, chair: int, card: int) -> None:
        """See to it that this card of the four will be drawn."""
        cards = [*self.lane[ln.CARDS + 3 * chair :][:3].tolist(), int(self.lane[ln.FOURTH + chair])]
        if card in cards:
            self._choose_chance(DRAWN, len(cards), cards.index(card))

    def _choose_chance(self, place: int, n: int, wanted: int) -> None:
        """Take a seed of the misdeals by which this number comes up."""
        block, game, hand = (int(self.lane[at]) for at in (ln.BLOCK, ln.GAME, ln.HAND))
        for seed in count():
            key = subkey(seed, "misdeal")
            if bounded(key, block, game, hand, place, n) == wanted:
                self._subkeys[2] = key
                return

    @property
    def asked(self) -> int:
        """The chair whose decision the kernel waits for."""
        assert self.lane[ln.STATUS] == ln.ASK
        assert self.asks[ASK_STATUS, 0] == ln.ASK
        return int(self.asks[ASK_CHAIR, 0])

    def take(self, step: Step) -> None:
        """Answer for the player asked."""
        card = self.rules.cards.card(step.rank)
        self.lane[ln.ANSWER] = WORDS.get(step.word, card)
        self.advance()

    def play(self, hand: Hand) -> None:
        """Answer every question of the hand from its steps.

        The kernel lays a card itself where nothing else may be done; such a step is not asked for.
        """
        laid = [0] * len(self.chairs)
        for step in hand.steps:
            if step.word in (SHOWS, FACED, GIVES):
                continue
            chair = self.chairs[step.seat]
            if step.plays:
                laid[chair] += 1
                if self.rows or self.lane[ln.PLAYS + chair] >= laid[chair]:
                    continue
            assert self.asked == chair, step
            self.take(step)

    def hand_row(self) -> dict[str, int]:
        """The first row of the hands buffer."""
        columns = ln.hand_columns(self.rules)
        return dict(zip(columns, self.buffers.hands[:, 0].tolist(), strict=True))

    def game_row(self) -> dict[str, int]:
        """The row of the game."""
        return dict(zip(ln.GAME_COLUMNS, self.games[:, 0].tolist(), strict=True))

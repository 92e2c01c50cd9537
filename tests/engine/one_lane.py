"""One lane of the kernel with a hand of our choice, answered step by step from a script."""

import numpy as np

from put_cli.engine import kernel
from put_cli.engine import lanes as ln
from put_cli.engine.hand import cards_index
from put_cli.engine.luck import subkey
from put_cli.engine.play import Buffers, prepare_kernel
from put_cli.engine.tables import Tables
from put_cli.engine.view import ASK_CHAIR, ASK_STATUS, ASK_WIDTH
from put_cli.plugins.code_store import DiskStore
from put_cli.rules.notation import Hand, Step
from put_cli.rules.score import Score
from put_cli.strategy import PUT, SEE, THROW

prepare_kernel(DiskStore())  # as the program does; else every test process compiles it anew

WORDS = {"put": PUT, "see": SEE, "throw": THROW}


class OneLane:
    """A match of one game (or rubber) between two players that Python decides for."""

    def __init__(self, tables: Tables, *, games: int = 1, seed: int = 1) -> None:
        self.tables = tables
        self.lane = np.zeros(ln.WIDTH, np.int64)
        self.lane[ln.STATUS] = ln.NEW_GAME
        self.lane[ln.GAMES] = games
        self.buffers = Buffers()
        self.games = np.zeros((len(ln.GAME_COLUMNS), games), np.int32)
        self.tallies = np.zeros((1, len(ln.TALLY_COLUMNS)), np.int64)
        self.asks = np.zeros((ASK_WIDTH, 1), np.int64)
        self.rows = 0
        self._lucks = np.zeros(1)
        self._subkeys = np.array([subkey(seed, word) for word in ("cut", "deal", "misdeal")])
        self.advance()

    def advance(self) -> None:
        """Call the kernel once."""
        _, self.rows, _, _ = kernel.kernel_of(self.tables.rules)(
            0,
            self.lane.reshape(1, -1),
            self.tables.states,
            self.tables.knobs,
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
        """Put these cards and scores in place of the dealt ones; chair `eldest` leads."""
        lane, pack = self.lane, self.tables.rules.cards
        lane[ln.DEALER] = 1 - eldest
        self.asks[ASK_CHAIR, 0] = eldest
        for seat, chair in ((0, eldest), (1, 1 - eldest)):
            cards = sorted((pack.card(rank) for rank in hand.cards(seat)), reverse=True)
            lane[ln.CARDS + 3 * chair : ln.CARDS + 3 * chair + 3] = cards
            lane[ln.DEALT + chair] = cards_index(*cards)
            lane[ln.SCORE + chair] = lane[ln.OLD_SCORE + chair] = score[seat]

    @property
    def asked(self) -> int:
        """The chair whose decision the kernel waits for."""
        assert self.lane[ln.STATUS] == ln.ASK
        assert self.asks[ASK_STATUS, 0] == ln.ASK
        return int(self.asks[ASK_CHAIR, 0])

    def take(self, step: Step) -> None:
        """Answer for the player asked."""
        pack = self.tables.rules.cards
        self.lane[ln.ANSWER] = WORDS[step.word] if step.word else pack.card(step.rank)
        self.advance()

    def play(self, hand: Hand, *, eldest: int) -> None:
        """Answer every question of the hand from its steps.

        The kernel lays a card itself where nothing else may be done; such a step is not asked for.
        """
        laid = [0, 0]
        for step in hand.steps:
            if step.rank:
                laid[step.seat] += 1
                if self._laid(step.seat, eldest) >= laid[step.seat]:
                    continue
            assert self.asked == (eldest if step.seat == 0 else 1 - eldest), step
            self.take(step)

    def _laid(self, seat: int, eldest: int) -> int:
        """Cards the seat has played of the first hand; all of them once it is over."""
        if self.rows:
            return 3
        return int(self.lane[ln.PLAYS + (eldest if seat == 0 else 1 - eldest)])

    def hand_row(self) -> dict[str, int]:
        """The first row of the hands buffer."""
        return dict(zip(ln.HAND_COLUMNS, self.buffers.hands[:, 0].tolist(), strict=True))

    def game_row(self) -> dict[str, int]:
        """The row of the game."""
        return dict(zip(ln.GAME_COLUMNS, self.games[:, 0].tolist(), strict=True))

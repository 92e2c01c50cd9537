"""Several strategies as one opponent: who he is, is drawn anew before every hand, all alike.

Within a hand it comes out in what he does who he is, and it counts: at every information set the
mixture does what each of them does there, weighed by his chance of getting there (Kuhn's theorem:
the mixture is played by this policy). From hand to hand nobody can learn anything of it.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from put_cli.engine.players import Contestant
from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve.against import REMEMBERED, Asked
from put_cli.solve.chain import Chain
from put_cli.solve.exact import course
from put_cli.solve.hand import Board
from put_cli.solve.players import Encounter
from put_cli.solve.response import Policies, Values, own_doing
from put_cli.solve.tree import ACTOR


class Mixture:
    """`mixture(number)` is the policy of the mixture at that score."""

    def __init__(self, board: Board, members: Sequence[Asked]) -> None:
        self._board = board
        self._steady = [each for each in members if not each.depends_on_score]
        self._others = [each for each in members if each.depends_on_score]
        self._of_steady = lru_cache(1)(lambda: self._sum(self._steady, 0))
        self._of = lru_cache(REMEMBERED)(self._mixture)

    def __call__(self, number: int) -> Values:
        """(policy,): its probabilities at the score of this number."""
        return self._of(number if self._others else 0)

    def _sum(self, members: Sequence[Asked], number: int) -> Values:
        total = np.zeros(self._board.tree.size)
        for each in members:
            policy = each.ask(number)
            for seat in (ELDEST, DEALER):
                total += own_doing(self._board, seat, policy)
        return total

    def _mixture(self, number: int) -> Values:
        mixture = self._of_steady() + self._sum(self._others, number)
        for _, block, can in self._board.blocks(mixture):
            total = block.sum(axis=-2, keepdims=True)
            np.divide(block, total, out=block, where=total > 0)
            np.copyto(block, can / can.sum(axis=-2, keepdims=True), where=total == 0)
        return mixture


def chances_against(
    chain: Chain, board: Board, plan: Policies, members: Sequence[Contestant]
) -> Values:
    """(members,): the chance of winning a game with one plan against each, cut for first deal."""
    likely = np.zeros((len(members), 2, len(chain.scores), len(chain.tree.endings)))
    seats = [((None, each), (each, None)) for each in members]
    encounters = [[Encounter(board, both) for both in each] for each in seats]
    for number, score in enumerate(chain.scores):
        played = plan(number)
        for seat in (ELDEST, DEALER):
            ours = played.copy()
            for node, block, _ in board.blocks(ours):
                if board.tree.nodes[node, ACTOR] != seat:
                    block[:] = 0  # to be asked
            for member, encounter in enumerate(encounters):
                likely[member, seat, number] = encounter[seat].meet(score, ours.copy())
    return np.array([course(chain, each).chances[:, 0].mean() for each in likely])

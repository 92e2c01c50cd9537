"""A solution as an opponent of strategies: its policy for a board that tells all cards apart."""

from pathlib import Path

import numpy as np

from put_cli.solve import policy_file
from put_cli.solve.chain import Chain, chain_of
from put_cli.solve.hand import Board
from put_cli.solve.places import Map
from put_cli.solve.response import Values
from put_cli.solve.solver import as_played
from put_cli.solve.tree import grow


class Solution:
    """A policy file; `solution(number)` is what it plays at that score.

    `low` and `high` (scores,) are what it guarantees, see `response.py`.

    Raises:
        PolicyError: it is of other rules than the chain.
    """

    def __init__(self, path: Path, chain: Chain, board: Board) -> None:
        self._path, self._board = path, board
        self._file_chain = chain_of(grow(chain.tree.rules))
        self._file_board = Board(self._file_chain.tree)
        self.low, self.high = policy_file.read_values(path, chain)
        top = chain.tree.top
        led, held = np.tile(np.arange(top), top), np.repeat(np.arange(top), top)
        self._class = Map(chain.tree).patterns[led, held] * top + led

    def __call__(self, number: int) -> Values:
        """(policy,): its probabilities at the score of this number."""
        stored = policy_file.read_policy(self._path, self._file_chain, number)
        policy, fine = as_played(self._file_board, stored), np.zeros(self._board.tree.size)
        for (_, block, _), (_, classes, _) in zip(
            self._board.blocks(fine), self._file_board.blocks(policy), strict=True
        ):
            block[:] = classes if block.shape == classes.shape else classes[..., self._class]
        return fine

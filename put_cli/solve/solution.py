"""Policy files and boards that tell all cards apart, as strategies are asked on.

In a file the last reply stands for all cards that compare alike with the last lead (`tree.py`).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from put_cli.solve import policy_file
from put_cli.solve.chain import Chain, chain_of
from put_cli.solve.hand import Board
from put_cli.solve.places import Map
from put_cli.solve.response import Values
from put_cli.solve.solver import Solved
from put_cli.solve.stored import Quantised, as_played
from put_cli.solve.tree import grow


class _Classes:
    """Both ways of telling last replies apart."""

    def __init__(self, chain: Chain, board: Board) -> None:
        self.chain = chain_of(grow(chain.tree.rules))
        self.coarse, self.fine = Board(self.chain.tree), board
        self._top = chain.tree.top
        led, held = (
            np.tile(np.arange(self._top), self._top),
            np.repeat(np.arange(self._top), self._top),
        )
        self._class = Map(chain.tree).patterns[led, held] * self._top + led

    def told_apart(self, policy: Values) -> Values:
        """A policy of the file's layout in that of the board."""
        fine = np.zeros(self.fine.tree.size)
        for (_, block, _), (_, classes, _) in zip(
            self.fine.blocks(fine), self.coarse.blocks(policy), strict=True
        ):
            block[:] = classes if block.shape == classes.shape else classes[..., self._class]
        return fine

    def alike(self, stored: Quantised) -> Quantised:
        """Of a best answer, as it is stored, what it does with all cards of a class."""
        coarse = np.zeros(self.coarse.tree.size, np.uint8)
        for (_, block, _), (_, cards, _) in zip(
            self.coarse.blocks(coarse), self.fine.blocks(stored), strict=True
        ):
            if block.shape == cards.shape:
                block[:] = cards
            else:
                for which in np.unique(self._class):
                    block[..., which] = cards[..., self._class == which].min(axis=-1)
        return coarse


class Solution:
    """A policy file; `solution(number)` is what it plays at that score.

    `low` and `high` (scores,) are what it guarantees, see `response.py`.

    Raises:
        PolicyError: it is of other rules than the chain.
    """

    def __init__(self, path: Path, chain: Chain, board: Board) -> None:
        self._path, self._classes = path, _Classes(chain, board)
        self.low, self.high = policy_file.read_values(path, chain)

    def __call__(self, number: int) -> Values:
        """(policy,): its probabilities at the score of this number."""
        stored = policy_file.read_policy(self._path, self._classes.chain, number)
        return self._classes.told_apart(as_played(self._classes.coarse, stored))


def write_answer(
    path: Path,
    chain: Chain,
    board: Board,
    stored: Callable[[int], Quantised],
    low: Values,
    high: Values,
    answers: Sequence[str],
) -> None:
    """Write best answers to some strategies as a policy file: `equilibrium` can play it.

    `low`, `high` (scores,) are what they guarantee.

    Raises:
        PolicyError: it cannot be written.
    """
    classes = _Classes(chain, board)
    solved = {
        number: Solved(
            score, classes.alike(stored(number)), float(low[number]), float(high[number]), 0
        )
        for number, score in enumerate(chain.scores)
    }
    policy_file.write(path, classes.chain, solved, answers)

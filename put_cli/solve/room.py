"""Everything set out for one rule set: its chain of scores, and a board with threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from put_cli.rules.ruleset import RuleSet
from put_cli.solve.chain import Chain, chain_of
from put_cli.solve.hand import Board
from put_cli.solve.tree import grow
from put_cli.tournament.workers import available_cores


@contextmanager
def room(
    rules: RuleSet, *, classes: bool = True, threads: int | None = None, dtype: Any = np.float64
) -> Iterator[tuple[Chain, Board]]:
    """The chain and the board of a rule set, until the end of the block.

    Raises:
        UsageError: it is not a game of two players without misdeals.
    """
    tree = grow(rules, classes)
    board = Board(tree, dtype, available_cores() if threads is None else threads)
    try:
        yield chain_of(tree), board
    finally:
        board.close()

"""What a strategy plays, wherever an opponent can lead it; and who advises against it.

The strategy is asked at every information set that it can bring itself to, whatever its opponent
does; best responses along the chain of scores then say what the perfect opponent wins.
"""

from collections.abc import Collection
from functools import lru_cache

import numpy as np

from put_cli.engine.players import Contestant, enlist
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from put_cli.rules.machine import DEALER, ELDEST
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.advice import Adviser
from put_cli.solve.chain import Chain, Score
from put_cli.solve.hand import Board
from put_cli.solve.places import Map
from put_cli.solve.players import Encounter, check_memoryless
from put_cli.solve.response import Values, best_chances, certificate, seated
from put_cli.solve.room import room
from put_cli.solve.tree import ACTOR
from put_cli.solve.weighing import Plan

CLOSE = 1e-6
"""Draws lead back to a score seen before; what it is worth is found by repetition, to this."""

REMEMBERED = 2
"""Scores whose policies are kept in memory, where a strategy looks at the score: draws lead to
and fro between two."""


class Asked:
    """What a strategy plays in both seats: `asked(number)` is its policy at that score.

    Raises:
        UsageError: it has a memory, learns, or decides elsewhere.
    """

    def __init__(self, chain: Chain, board: Board, contestant: Contestant) -> None:
        check_memoryless(contestant)
        self._chain, self._board = chain, board
        self._encounters = (
            Encounter(board, (contestant, None)),
            Encounter(board, (None, contestant)),
        )
        self._of = lru_cache(REMEMBERED)(self.ask)
        self.depends_on_score = self._encounters[ELDEST].depends_on_score

    def __call__(self, number: int) -> Values:
        """(policy,): its probabilities at the score of this number."""
        return self._of(number if self.depends_on_score else 0)

    def ask(self, number: int) -> Values:
        """The same, asked anew, and not remembered."""
        eldest, dealer = (self._seat(number, seat) for seat in (ELDEST, DEALER))
        return seated(self._board, eldest, dealer)

    def _seat(self, number: int, seat: int) -> Values:
        """What it plays in a seat, the other doing anything."""
        policy = self._board.uniform.astype(np.float64)
        for node, block, _ in self._board.blocks(policy):
            if self._board.tree.nodes[node, ACTOR] == seat:
                block[:] = 0
        self._encounters[seat].meet(self._chain.scores[number], policy, counting=False)
        return policy


def adviser_against(
    rules: RuleSet, text: str, threads: int | None, scores: Collection[Score]
) -> tuple[Adviser, str]:
    """Who advises against a strategy, at these scores and in both seats; and its name.

    Raises:
        UsageError: there is no such strategy, or it has a memory.
    """
    loaded = load(text)
    contestant = enlist(loaded.name, loaded.strategy, DiskStore())
    with room(rules, classes=False, threads=threads) as (chain, board):
        asked = Asked(chain, board, contestant)
        numbers = [chain.find(score) for score in scores]
        values = best_chances(*certificate(chain, board, asked, CLOSE))
        the, gaps = Map(chain.tree), np.zeros(len(chain.scores))
        plans = {number: Plan(the, asked(number)) for number in numbers}
    return Adviser(chain, values, plans.__getitem__, gaps, solved=False), contestant.name

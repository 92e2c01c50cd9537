"""The best response to a strategy, for advice: what it plays, and what every score is worth.

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
from put_cli.solve import sweep
from put_cli.solve.advice import Adviser, pays_of
from put_cli.solve.chain import Chain, Score
from put_cli.solve.hand import Board
from put_cli.solve.places import Map
from put_cli.solve.players import Encounter, check_memoryless
from put_cli.solve.room import room
from put_cli.solve.tree import ACTOR
from put_cli.solve.weighing import Plan, Values

CLOSE = 1e-6
"""Draws lead back to a score seen before; what it is worth is found by repetition, to this."""

REMEMBERED = 4
"""Scores whose policies are kept in memory, where a strategy looks at the score."""


class Asked:
    """What a strategy plays, in both seats, wherever an opponent can lead it."""

    def __init__(self, board: Board, contestant: Contestant) -> None:
        check_memoryless(contestant)
        self._board = board
        self._encounters = (
            Encounter(board, (contestant, None)),
            Encounter(board, (None, contestant)),
        )
        self._of = lru_cache(REMEMBERED)(self._asked)

    def at(self, score: Score) -> Values:
        """(policy,): its probabilities at a score."""
        depends = self._encounters[ELDEST].depends_on_score
        return self._of(score if depends else Score(0, 0))

    def _asked(self, score: Score) -> Values:
        found = self._board.uniform.astype(np.float64)
        for seat, encounter in zip((ELDEST, DEALER), self._encounters, strict=True):
            policy = self._board.uniform.astype(np.float64)
            for node, block, _ in self._board.blocks(policy):
                if self._board.tree.nodes[node, ACTOR] == seat:
                    block[:] = 0
            encounter.meet(score, policy, counting=False)
            for (node, block, _), (_, asked, _) in zip(
                self._board.blocks(found), self._board.blocks(policy), strict=True
            ):
                if self._board.tree.nodes[node, ACTOR] == seat:
                    block[:] = asked
        return found


def best_values(chain: Chain, board: Board, asked: Asked) -> Values:
    """(2, scores): the perfect opponent's chance of winning, as eldest and as the dealer.

    By the score from eldest's side.
    """
    values = np.full((2, len(chain.scores)), 0.5)
    for group in chain.groups:
        leads_back = np.isin(chain.following[list(group)], list(group)).any()
        change = 1.0
        while change > CLOSE:
            change = 0.0
            for number in group:
                policy = asked.at(chain.scores[number])
                for seat in (ELDEST, DEALER):
                    # After the hand he sits in the other seat.
                    pays = pays_of(chain, number, seat, values)
                    # The sweeps are paid in eldest's chances.
                    eldests = pays if seat == ELDEST else -pays
                    best = board.chance(board.sweep(seat, eldests, policy, sweep.BEST))
                    change = max(change, abs(best - values[seat, number]))
                    values[seat, number] = best
            if not leads_back:
                break
    return values


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
        asked = Asked(board, contestant)
        for score in scores:
            chain.find(score)
        values = best_values(chain, board, asked)
        the, gaps = Map(chain.tree), np.zeros(len(chain.scores))
        plans = {chain.find(score): Plan(the, asked.at(score)) for score in scores}
    return Adviser(chain, values, plans.__getitem__, gaps, solved=False), contestant.name

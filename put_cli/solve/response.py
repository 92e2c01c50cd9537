"""Best responses: how much a policy can be made to lose, and by which actions.

A policy guarantees its player something at every score, as eldest and as dealer. From eldest's
side that is a bracket around the value of the game: eldest with the policy wins at least `low`,
and against a dealer with the policy nobody wins more than `high`.

Here everything is weighed at once, by sweeps; `weighing.py` weighs a single situation, and needs
nothing compiled for it.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve import sweep
from put_cli.solve.chain import Chain
from put_cli.solve.hand import Board
from put_cli.solve.tree import ACTOR

Values = npt.NDArray[np.float64]
Policies = Callable[[int], Values]
"""The policy at the score of this number."""

CLOSE = 1e-9
"""Draws lead back to a score seen before; its bounds are found by repetition, to this."""

_NOWHERE = np.zeros(1)
"""Passed where nothing is to be collected: so that all sweeps here are compiled once."""

TIED = 1e-10
"""Actions that are worth the same but for this share are equally good."""


def bounds(
    chain: Chain,
    board: Board,
    policies: Policies,
    low: Values,
    high: Values,
    group: Sequence[int],
    close: float = CLOSE,
) -> None:
    """Put the guarantees of a policy into `low` and `high` (scores,), for one group of scores.

    Those of the groups that come after it in the game must stand there already. What stands
    there for the group itself is where the repetition starts.
    """
    while True:
        change = 0.0
        for number in group:
            policy = policies(number)
            pays = chain.payoffs(number, low)  # eldest answers the dealer's policy: he is next
            best = _chance(board, ELDEST, pays, policy)
            pays = chain.payoffs(number, high)
            worst = -_chance(board, DEALER, pays, policy)
            change = max(change, abs(high[number] - best), abs(low[number] - worst))
            high[number], low[number] = best, worst
        if change <= close or not chain.leads_back(group):
            return


def _chance(
    board: Board,
    seat: int,
    payoffs: Values,
    policy: Values,
    mode: int = sweep.BEST,
    worth: Values = _NOWHERE,
) -> float:
    values = board.sweep(seat, payoffs, policy, mode, regrets=worth, average=_NOWHERE)
    return board.chance(values)


def certificate(
    chain: Chain, board: Board, policies: Policies, close: float = CLOSE
) -> tuple[Values, Values]:
    """(scores,), (scores,): the guarantees at every score, see the head of this file."""
    low, high = np.zeros(len(chain.scores)), np.ones(len(chain.scores))
    for group in chain.groups:
        bounds(chain, board, policies, low, high, group, close)
    return low, high


def best_chances(low: Values, high: Values) -> Values:
    """(2, scores): what the perfect opponent of a policy wins, as eldest and as the dealer."""
    return np.array([high, 1 - low])


def action_values(
    board: Board, seat: int, pays: Values, policy: Values, mode: int = sweep.BEST
) -> tuple[Values, float]:
    """What each action of `seat` is worth against the policy, and what the whole hand is.

    `pays` (endings,) are his own chances; he goes on as `mode` says: as well as can be, or with
    the policy himself (`sweep.EVALUATE`). The first is (policy,), 0 for what is not allowed:
    divided by `ways_there` the chance of winning with the action.
    """
    worth = np.zeros(board.tree.size)
    eldests = pays if seat == ELDEST else -pays  # the sweeps are paid in eldest's chances
    whole = _chance(board, seat, eldests, policy, mode, worth)
    for _, block, can in board.blocks(worth):
        block *= can
    return worth, whole


def ways_there(board: Board, seat: int, policy: Values) -> Values:
    """(policy,): at every action of `seat`, the ways in which cards and policy bring him there.

    His own doing is not counted in, nor his own cards' `share`; divide by `Board.deals` for
    chances. At level 5 they are those of one card of his own.
    """
    certain = np.ones(len(board.tree.endings))
    return action_values(board, seat, certain, policy, sweep.EVALUATE)[0]


def own_doing(board: Board, seat: int, policy: Values) -> Values:
    """(policy,): at every action of `seat`, his own chance of getting there and taking it.

    His cards' `share` is counted in, and the ways to take what lies on the table from the pack;
    at level 5 also those to take the card he still holds. 0 at the other's actions.
    """
    doing, nothing = np.zeros(board.tree.size), np.zeros(len(board.tree.endings))
    board.sweep(
        1 - seat, nothing, policy, sweep.EVALUATE, regrets=_NOWHERE, average=doing, weight=1.0
    )
    return doing


def best_answer(board: Board, seat: int, worth: Values, answer: npt.NDArray[np.uint8]) -> None:
    """Put the best actions of `seat` into a policy as it is stored: 1 each, all that are tied.

    `worth` is of `action_values`. Where he cannot get against the policy, all are.
    """
    for (node, stored, can), (_, worths, _) in zip(
        board.blocks(answer), board.blocks(worth), strict=True
    ):
        if board.tree.nodes[node, ACTOR] == seat:
            best = worths.max(axis=-2, keepdims=True)
            stored[:] = (worths >= best * (1 - TIED)) & (can > 0)


def seated(board: Board, eldest: Values, dealer: Values) -> Values:
    """A policy with eldest's decisions from one and the dealer's from another."""
    both = eldest.copy()
    for (node, block, _), (_, theirs, _) in zip(
        board.blocks(both), board.blocks(dealer), strict=True
    ):
        if board.tree.nodes[node, ACTOR] == DEALER:
            block[:] = theirs
    return both

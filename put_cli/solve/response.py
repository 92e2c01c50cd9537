"""Best responses along the chain of scores: how much a policy can be made to lose.

A policy guarantees its player something at every score, as eldest and as dealer. From eldest's
side that is a bracket around the value of the game: eldest with the policy wins at least `low`,
and against a dealer with the policy nobody wins more than `high`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve import sweep
from put_cli.solve.chain import Chain
from put_cli.solve.hand import Board

Values = npt.NDArray[np.float64]
Policies = Callable[[int], Values]
"""The policy at the score of this number."""

CLOSE = 1e-9
"""Draws lead back to a score seen before; its bounds are found by repetition, to this."""


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
            best = board.chance(board.sweep(ELDEST, pays, policy, sweep.BEST))
            pays = chain.payoffs(number, high)
            worst = -board.chance(board.sweep(DEALER, pays, policy, sweep.BEST))
            change = max(change, abs(high[number] - best), abs(low[number] - worst))
            high[number], low[number] = best, worst
        leads_back = np.isin(chain.following[list(group)], list(group)).any()
        if change <= close or not leads_back:
            return


@dataclass(frozen=True, eq=False)
class Worth:
    """What actions are worth to one player, at each of his information sets; laid out as policies.

    `value` / `weight` is his chance of winning the game when he is there and takes the action, the
    other playing the policy; `weight` / `Board.deals` is how likely the cards and the other alone
    make it that he gets there, his own cards' `share` not counted in. At level 5, where classes of
    cards stand for cards, both are those of one card of the class.
    """

    value: Values
    weight: Values


def action_values(
    board: Board, seat: int, payoffs: Values, policy: Values, mode: int = sweep.BEST
) -> Worth:
    """What each action of `seat` is worth if he goes on as `mode` says, against the policy.

    `payoffs` are eldest's chances after each ending. With `sweep.BEST` this is the best response,
    with `sweep.EVALUATE` what he gets with the policy himself; their difference is what he loses.
    """
    value, weight = np.zeros(board.tree.size), np.zeros(board.tree.size)
    own = payoffs if seat == ELDEST else 1 - payoffs
    sign = 1 if seat == ELDEST else -1  # `sweep` takes payoffs from eldest's side
    board.sweep(seat, sign * own, policy, mode, regrets=value)
    board.sweep(seat, sign * np.ones_like(own), policy, sweep.EVALUATE, regrets=weight)
    for numbers in (value, weight):
        for _, block, can in board.blocks(numbers):
            block *= can  # what is not allowed is worth nothing
    return Worth(value, weight)


def certificate(
    chain: Chain, board: Board, policies: Policies, close: float = CLOSE
) -> tuple[Values, Values]:
    """(scores,), (scores,): the guarantees at every score, see the head of this file."""
    low, high = np.zeros(len(chain.scores)), np.ones(len(chain.scores))
    for group in chain.groups:
        bounds(chain, board, policies, low, high, group, close)
    return low, high

"""Two sweeps over the public tree, compiled: chances down, values up.

`run` is the whole interface: stage TOP_DOWN, then CHUNKS over all chunks (in any order, by any
number of threads), then TOP_UP. `Task.seat` is the player whose values are computed; of the other
the chances of getting to each node (his own actions alone, weighed by the cards left for what lies
on the table) flow down. What happens at the decisions of `seat` is the mode:

    EVALUATE  he plays the policy
    BEST      he plays the best action with every hand
    LEARN     he plays the policy, and then regret matching changes it

Values are counterfactual: of a hand at a node, summed over the other's hands with their chances
and the ways to deal them (`cards.py`); divide by `deals` for chances.

In LEARN regrets never fall below zero (regret matching+, Tammelin 2014), and those of before count
only `fade` times (discounting, Brown and Sandholm, AAAI 2019). What the other can no longer reach
is left out.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from put_cli.solve.downward import ALIVE, DEAD, FORGOTTEN, down
from put_cli.solve.kept import keep
from put_cli.solve.pack import Floats
from put_cli.solve.tree import (
    PATTERN,
    PUBLIC,
    REACH_E,
    SIZE_E,
    VECTOR_E,
)
from put_cli.solve.upward import BEST, EVALUATE, LEARN, values_at
from put_cli.solve.vectors import piece

__all__ = ["BEST", "CHUNKS", "EVALUATE", "LEARN", "TOP_DOWN", "TOP_UP", "Task", "Workspace", "run"]

TOP_DOWN, CHUNKS, TOP_UP = range(3)

# Columns of `parts`, int64.
FIRST, END, BLOCK, POLICY, ROOT_LEAF = range(5)


class Task(NamedTuple):
    """What a sweep computes."""

    seat: int
    mode: int
    payoffs: Floats
    """(endings,): what each is worth to `seat`."""
    policy: Floats
    """(policy,) what both play; LEARN changes it."""
    regrets: Floats
    """(policy,) or (1,): changed by LEARN; in the other modes they get what each action of `seat`
    is worth, if there is room."""
    average: Floats
    """(policy,): gets the probabilities of the other, times `weight` and his chance of getting
    there, unless `weight` is 0."""
    weight: Any
    fade: Any


class Workspace(NamedTuple):
    """The vectors of one part, and scratch."""

    reach: Floats
    values: Floats
    live: npt.NDArray[np.int8]
    """(nodes,) marks."""
    gains: Floats
    """What each action is worth, at one node."""
    rows: Floats


@piece
def enter(pack, nodes, leaf, first, number, task, top, space):
    """Carry the other's chances from a leaf of part 0 to the root of its part.

    Returns whether there is anything to compute.
    """
    other, n = 1 - task.seat, nodes[leaf, PUBLIC]
    mark = top.live[leaf]
    total = pack.one - pack.one
    if mark == ALIVE:
        q, r = nodes[leaf, REACH_E + other] + number, nodes[first, REACH_E + other]
        for h in range(nodes[leaf, SIZE_E + other]):
            space.reach[r + h] = top.reach[q + h * n]
            total += space.reach[r + h]
    if mark == DEAD or (mark == ALIVE and total == 0):
        for h in range(nodes[leaf, SIZE_E + task.seat]):
            top.values[nodes[leaf, VECTOR_E + task.seat] + number + h * n] = 0
    return total > 0


@keep
@njit(fastmath=True, nogil=True, _nrt=False)
def run(stage, low, high, pack, nodes, parts, chunks, task, top, space):
    """One stage of a sweep, for chunks `low` to `high`: 0 to 1, which is part 0, except of CHUNKS.

    `top` is the workspace of part 0, with the other's chances at the root filled in, `space` one
    of the calling thread, or `top` itself.
    """
    seat = task.seat
    for chunk in range(low, high):
        part, number = chunks[chunk, 0], chunks[chunk, 1]
        first, end = parts[part, FIRST], parts[part, END]
        leaf = parts[part, ROOT_LEAF]
        trick = 0
        if part > 0:
            if not enter(pack, nodes, leaf, first, number, task, top, space):
                continue
            pair = pack.pairs[nodes[leaf, PATTERN], number]
            trick = 1 + pair[0] * pack.top + pair[1]
        left = pack.left[trick]
        at = parts[part, POLICY] + number * parts[part, BLOCK]
        till = at + parts[part, BLOCK]
        policy, average, regrets = task.policy[at:till], task.average[at:till], task.regrets
        if len(regrets) > 1:
            regrets = regrets[at:till]
        if stage != TOP_UP:
            space.live[first:end] = FORGOTTEN
            space.live[first] = ALIVE
            for s in range(first, end):
                down(
                    pack, nodes, s, 1 - seat, left, True, space.reach, space.live, space.rows,
                    policy, average, task.weight,
                )  # fmt: skip
        if stage != TOP_DOWN:
            for s in range(end - 1, first - 1, -1):
                values_at(pack, nodes, s, task, left, space, policy, regrets)
        if part > 0:
            t, v = nodes[first, VECTOR_E + seat], nodes[leaf, VECTOR_E + seat] + number
            for h in range(nodes[leaf, SIZE_E + seat]):
                top.values[v + h * nodes[leaf, PUBLIC]] = space.values[t + h]

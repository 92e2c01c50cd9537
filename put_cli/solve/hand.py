"""One hand at one score: the sweeps over its tree, for whoever has a policy to evaluate or improve.

`Board` is what all scores of a rule set share. A policy is a flat array of `Tree.size` float32,
laid out as `tree.py` says: at each node, public position by public position, the probabilities of
every word (in the order of `Act`) and then of every card held by its place, each a vector over
the actor's hands. What an ending is worth is a vector too: eldest's chance of winning the game
then, by `Tree.endings`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import ELDEST
from put_cli.solve import sweep
from put_cli.solve.cards import SLOTS, deals, hands_of, removal
from put_cli.solve.tree import (
    ACTOR,
    HELD_E,
    LAST_LEAD,
    LEAF,
    LEVEL,
    PLAYS,
    PUBLIC,
    REACH_E,
    SIZE_E,
    STRATEGY,
    VECTOR_E,
    WORDS,
    Tree,
)

Floats = npt.NDArray[np.floating[Any]]
TASKS = 8
"""Stretches of chunks a thread gets, on average: they take unequal times."""


@dataclass(frozen=True, eq=False)
class _Scratch:
    """What one thread needs."""

    reach: Floats
    values: Floats
    live: npt.NDArray[np.int8]
    now: Floats
    left: Floats
    gains: Floats


@dataclass(eq=False)
class Board:
    """The sweeps over a tree, in float32 or float64, on some threads."""

    tree: Tree
    dtype: Any = np.float64
    threads: int = 1
    pool: ThreadPoolExecutor | None = field(default=None, init=False, repr=False)
    """Its threads, if there are more than one."""

    def __post_init__(self) -> None:
        tree, top = self.tree, self.tree.top
        copies = tree.rules.cards.copies
        kind = self.dtype
        hands = [hands_of(top, size) for size in range(SLOTS + 1)]
        self.join = tuple(each.join for each in hands)
        self.slot = tuple(each.slot for each in hands)
        self.cards = tuple(each.cards for each in hands)
        everything = np.ones((SLOTS, top * top), kind)
        self.legal = (
            everything,
            everything,
            *(np.ascontiguousarray((each.rest >= 0).T).astype(kind) for each in hands[2:]),
        )
        self.full = removal(top, copies).astype(kind)
        self.left = np.full(top, copies, kind)
        self.pairs = _pairs(top)
        self.one = kind(1)
        self.share = hands[SLOTS].share
        self.deals = deals(top, copies)
        self._parts = np.array(
            [
                (part.first, part.end, part.block, part.policy, tree.parents[part.first][0])
                for part in tree.parts
            ],
            np.int64,
        )
        first = tree.parts[0]
        self._reach = np.zeros(max(first.width), kind)
        self._values = np.zeros(max(first.width), kind)
        self._live = np.zeros(first.marks, np.int8)
        self._scratch = [self._new_scratch() for _ in range(self.threads)]
        self._nothing = np.zeros(1, np.float32)
        if self.threads > 1:
            self.pool = ThreadPoolExecutor(self.threads)

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def _new_scratch(self) -> _Scratch:
        parts = self.tree.parts
        kind, top = self.dtype, self.tree.top
        width = max(max(part.width) for part in parts)
        actions = int((self.tree.nodes[:, WORDS] + self.tree.nodes[:, PLAYS]).max())
        return _Scratch(
            reach=np.zeros(width, kind),
            values=np.zeros(width, kind),
            live=np.zeros(max(part.marks for part in parts), np.int8),
            now=np.zeros(top, kind),
            left=np.zeros(top, kind),
            gains=np.zeros(actions * max(len(hands_of(top, SLOTS)), top * top), kind),
        )

    @cached_property
    def uniform(self) -> npt.NDArray[np.float32]:
        """The policy that does anything allowed with equal probability."""
        policy = np.zeros(self.tree.size, np.float32)
        for _, block, can in self.blocks(policy):
            block[:] = can / can.sum(axis=-2, keepdims=True)
        return policy

    def blocks(self, policy: npt.NDArray[Any]) -> Any:
        """Views of a policy by node: (node, (chunks, public, actions, hands), which are allowed).

        The last is (actions, hands), 1 or 0.
        """
        tree = self.tree
        for number, part in enumerate(tree.parts):
            whole = policy[part.policy : part.policy + part.chunks * part.block]
            whole = whole.reshape(part.chunks, part.block)
            for s in range(part.first, part.end):
                row = tree.nodes[s]
                if row[STRATEGY] < 0 or (number == 0 and row[LEAF]):
                    continue
                words, plays, actor = int(row[WORDS]), int(row[PLAYS]), int(row[ACTOR])
                size = int(row[SIZE_E + actor])
                shape = (int(row[PUBLIC]), words + plays, size)
                start = int(row[STRATEGY])
                block = whole[:, start : start + int(np.prod(shape))]
                can = np.ones((words + plays, size), np.float32)
                if plays and row[LEVEL] < LAST_LEAD:
                    can[words:] = (hands_of(tree.top, int(row[HELD_E + actor])).rest >= 0).T[:plays]
                yield s, block.reshape(part.chunks, *shape), can

    def sweep(
        self,
        seat: int,
        payoffs: Floats,
        policy: Floats,
        mode: int,
        *,
        regrets: Floats | None = None,
        average: Floats | None = None,
        weight: float = 0.0,
        fade: float = 1.0,
    ) -> Floats:
        """The values of `seat` at the root, (hands,), as counterfactual sums.

        `policy` is what both play (`seat` only where `mode` says so). LEARN changes `policy` and
        `regrets` at the decisions of `seat`, `fade` being what those of before still count;
        in the other modes `regrets`, if given, get what each action is worth there.
        `average` gets the probabilities of the other,
        times `weight` and his chance of getting there.
        """
        tree = self.tree
        pays = np.asarray(payoffs if seat == ELDEST else -np.asarray(payoffs), self.dtype)
        root = tree.nodes[0]
        start = int(root[REACH_E + 1 - seat])
        self._reach[start : start + len(self.share)] = self.share
        regrets = self._nothing if regrets is None else regrets
        average = self._nothing if average is None else average

        def stage(which: int, low: int, high: int, scratch: _Scratch) -> None:
            sweep.run(
                which,
                low,
                high,
                tree.nodes,
                self._parts,
                tree.chunks,
                seat,
                tree.top,
                self.left,
                self.pairs,
                self.join,
                self.slot,
                self.cards,
                self.legal,
                self.full,
                self.dtype(tree.rules.cards.copies),
                pays,
                self._reach,
                self._values,
                policy,
                regrets,
                average,
                self.dtype(weight),
                mode,
                self.dtype(fade),
                self._live,
                scratch.reach,
                scratch.values,
                scratch.live,
                scratch.now,
                scratch.left,
                scratch.gains,
                self.one,
            )

        stage(sweep.TOP_DOWN, 0, 0, self._scratch[0])
        self._each_chunk(stage)
        stage(sweep.TOP_UP, 0, 0, self._scratch[0])
        at = int(root[VECTOR_E + seat])
        return self._values[at : at + len(self.share)].copy()

    def _each_chunk(self, stage: Callable[[int, int, int, _Scratch], None]) -> None:
        chunks = len(self.tree.chunks)
        if self.pool is None:
            stage(sweep.CHUNKS, 1, chunks, self._scratch[0])
            return
        edges = np.linspace(1, chunks, TASKS * self.threads + 1).astype(int)
        tasks = iter(list(pairwise(edges)))

        def work(scratch: _Scratch) -> None:
            for low, high in tasks:  # one shared iterator: whoever is free takes the next
                stage(sweep.CHUNKS, int(low), int(high), scratch)

        list(self.pool.map(work, self._scratch))

    def chance(self, values: Floats) -> float:
        """What a player's values at the root come to, over all deals."""
        return float(np.dot(self.share, values.astype(np.float64)) / self.deals)


def _pairs(top: int) -> npt.NDArray[np.int32]:
    """(3, pairs, 2) int32: lead and reply of each pair of a pattern."""
    table = np.zeros((3, max(top * (top - 1) // 2, top), 2), np.int32)
    for lead in range(top):
        for reply in range(top):
            pattern = 1 if reply == lead else (0 if reply < lead else 2)
            table[pattern, sweep.pair_number.py_func(top, lead, reply)] = lead, reply
    return table

"""One hand at one score: the sweeps over its tree, for whoever has a policy to evaluate or improve.

`Board` is what all scores of a rule set share. A policy is a flat array of `Tree.size` float32,
laid out as `tree.py` says: at each node the probabilities of every word (in the order of `Act`)
and then of every card held by its place, each the vectors of the actor. What an ending is worth is
a vector too: eldest's chance of winning the game then, by `Tree.endings`.
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
from put_cli.solve.cards import SLOTS, deals, hands_of
from put_cli.solve.pack import Floats, pack_of
from put_cli.solve.sweep import Task, Workspace
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

TASKS = 8
"""Stretches of chunks a thread gets, on average: they take unequal times."""


@dataclass(eq=False)
class Board:
    """The sweeps over a tree, in float32 or float64, on some threads."""

    tree: Tree
    dtype: Any = np.float64
    threads: int = 1
    pool: ThreadPoolExecutor | None = field(default=None, init=False, repr=False)
    """Its threads, if there are more than one."""

    def __post_init__(self) -> None:
        tree, kind = self.tree, self.dtype
        top, copies = tree.top, tree.rules.cards.copies
        self.pack = pack_of(top, copies, kind)
        self.share = hands_of(top, SLOTS).share
        self.deals = deals(top, copies)
        self._parts = np.array(
            [
                (part.first, part.end, part.block, part.policy, tree.parents[part.first][0])
                for part in tree.parts
            ],
            np.int64,
        )
        self._top = self._workspace(max(tree.parts[0].width))
        width = max(max(part.width) for part in tree.parts)
        self._spaces = [self._workspace(width) for _ in range(self.threads)]
        self._nothing = np.zeros(1, np.float32)
        if self.threads > 1:
            self.pool = ThreadPoolExecutor(self.threads)

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def _workspace(self, width: int) -> Workspace:
        nodes, kind = self.tree.nodes, self.dtype
        widest = int((nodes[:, SIZE_E : SIZE_E + 2].max(axis=1) * nodes[:, PUBLIC]).max())
        actions = int((nodes[:, WORDS] + nodes[:, PLAYS]).max())
        return Workspace(
            reach=np.zeros(width, kind),
            values=np.zeros(width, kind),
            live=np.zeros(len(nodes), np.int8),
            gains=np.zeros(actions * widest, kind),
            rows=np.zeros(actions * widest, kind),
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
                shape = (words + plays, size, int(row[PUBLIC]))
                start = int(row[STRATEGY])
                block = whole[:, start : start + int(np.prod(shape))]
                can = np.ones((words + plays, size), np.float32)
                if plays and row[LEVEL] < LAST_LEAD:
                    can[words:] = (hands_of(tree.top, int(row[HELD_E + actor])).rest >= 0).T[:plays]
                yield s, np.moveaxis(block.reshape(part.chunks, *shape), -1, 1), can

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
        self._top.reach[start : start + len(self.share)] = self.share
        task = Task(
            seat=seat,
            mode=mode,
            payoffs=pays,
            policy=policy,
            regrets=self._nothing if regrets is None else regrets,
            average=self._nothing if average is None else average,
            weight=self.dtype(weight),
            fade=self.dtype(fade),
        )

        def stage(which: int, low: int, high: int, space: Workspace) -> None:
            sweep.run(
                which,
                low,
                high,
                self.pack,
                tree.nodes,
                self._parts,
                tree.chunks,
                task,
                self._top,
                space,
            )

        stage(sweep.TOP_DOWN, 0, 1, self._top)
        self._each_chunk(stage)
        stage(sweep.TOP_UP, 0, 1, self._top)
        at = int(root[VECTOR_E + seat])
        return self._top.values[at : at + len(self.share)].copy()

    def _each_chunk(self, stage: Callable[[int, int, int, Workspace], None]) -> None:
        chunks = len(self.tree.chunks)
        if self.pool is None:
            stage(sweep.CHUNKS, 1, chunks, self._spaces[0])
            return
        edges = np.linspace(1, chunks, TASKS * self.threads + 1).astype(int)
        tasks = iter(list(pairwise(edges)))

        def work(space: Workspace) -> None:
            for low, high in tasks:  # one shared iterator: whoever is free takes the next
                stage(sweep.CHUNKS, int(low), int(high), space)

        list(self.pool.map(work, self._spaces))

    def chance(self, values: Floats) -> float:
        """What a player's values at the root come to, over all deals."""
        return float(np.dot(self.share, values.astype(np.float64)) / self.deals)

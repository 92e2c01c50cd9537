"""What is stored of a policy: as few bytes as play exactly what is certified.

A probability is a number of LEVELS parts. The numbers of an information set add up to LEVELS, so
that of its first action, which is always allowed, is left out; and it is all of them wherever the
player does not get himself, because there anything is as good. The others come decision by
decision, in the order of `tree.py`; within one by action, the actor's hand, public position and
chunk, the chunk changing fastest: what changes little stands together, and compresses. First the
coarse bytes of all numbers, then the fine ones of those whose coarse byte is not 0.
"""

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve import sweep
from put_cli.solve.hand import Board
from put_cli.solve.tree import (
    ACTOR,
    LEAF,
    PLAYS,
    PUBLIC,
    SIZE_E,
    STRATEGY,
    WORDS,
    Part,
    Tree,
)

Values = npt.NDArray[np.float64]
Quantised = npt.NDArray[np.unsignedinteger[Any]]
"""(policy,), laid out as `tree.py` says: parts of the probability of every action, which need not
add up to the same number; all 0 where anything allowed is as good."""

COARSE = 256
"""Quantised in one step of the coarse byte."""

LEVELS = 255 * COARSE
"""Quantised of the probability 1."""

FINE = 64
"""Probabilities of a coarse step and more are rounded to multiples of these parts."""


class Choice(NamedTuple):
    """A node where something is to be chosen."""

    node: int
    part: Part
    public: int
    actions: int
    hands: int

    @property
    def numbers(self) -> int:
        """How many are stored."""
        return prod(self.stored_shape)

    @property
    def stored_shape(self) -> tuple[int, int, int, int]:
        """Of what is stored: actions without the first, hands, public, chunks."""
        return self.actions - 1, self.hands, self.public, self.part.chunks


def choices(tree: Tree) -> Iterator[Choice]:
    """The nodes with a choice, in the order of what is stored."""
    for number, part in enumerate(tree.parts):
        for node in range(part.first, part.end):
            row = tree.nodes[node]
            if row[STRATEGY] < 0 or (number == 0 and row[LEAF]):
                continue
            actions, hands = int(row[WORDS] + row[PLAYS]), int(row[SIZE_E + row[ACTOR]])
            yield Choice(node, part, int(row[PUBLIC]), actions, hands)


def decisions(tree: Tree, numbers: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    """Views of a policy's numbers, one for each choice: (chunks, public, actions, hands)."""
    for choice in choices(tree):
        part = choice.part
        whole = numbers[part.policy : part.policy + part.chunks * part.block]
        whole = whole.reshape(part.chunks, part.block)
        shape = choice.actions, choice.hands, choice.public
        start = int(tree.nodes[choice.node, STRATEGY])
        block = whole[:, start : start + prod(shape)].reshape(part.chunks, *shape)
        yield np.moveaxis(block, -1, 1)


def rounded(tree: Tree, average: npt.NDArray[Any]) -> Quantised:
    """(policy,) uint16, adding up to LEVELS: what is next to a policy, itself of any scale."""
    parts = np.zeros(tree.size, np.uint16)
    for block, sums in zip(decisions(tree, parts), decisions(tree, average), strict=True):
        total = sums.sum(axis=-2, keepdims=True, dtype=np.float32)
        shares = np.divide(sums, total, out=np.zeros(sums.shape, np.float32), where=total > 0)
        coarse = COARSE * np.rint(shares * (LEVELS // COARSE)).astype(np.int32)
        fine = FINE * np.rint(shares * (LEVELS // FINE)).astype(np.int32)
        near = np.where(fine < COARSE, coarse, fine)
        # What is missing for LEVELS, or too much, is the most probable action's; or the first's.
        most = near.argmax(axis=-2)[..., None, :]
        others = near.sum(axis=-2, keepdims=True) - np.take_along_axis(near, most, -2)
        np.put_along_axis(near, most, LEVELS - others, -2)
        block[:] = near
    return parts


def pruned(board: Board, parts: Quantised) -> Quantised:
    """What is `rounded`, but all on the first action wherever the player does not get himself."""
    own = np.zeros(board.tree.size, np.float32)
    pays = np.ones(len(board.tree.endings))
    for seat in (ELDEST, DEALER):  # adds up the chances of the other
        board.sweep(seat, pays, parts / LEVELS, sweep.EVALUATE, average=own, weight=1.0)
    kept = np.zeros_like(parts)
    for block, before, reach in zip(
        *(decisions(board.tree, numbers) for numbers in (kept, parts, own)), strict=True
    ):
        block[:] = np.where(reach.any(axis=-2, keepdims=True), before, 0)
        block[..., 0, :] = LEVELS - block[..., 1:, :].sum(axis=-2)
    return kept


def pack(tree: Tree, parts: Quantised) -> bytes:
    """The bytes stored of a policy."""
    if any((b.sum(axis=-2, dtype=np.int64) != LEVELS).any() for b in decisions(tree, parts)):
        parts = rounded(tree, parts)
    numbers = np.concatenate(
        [block[:, :, 1:].transpose(2, 3, 1, 0).ravel() for block in decisions(tree, parts)]
    )
    coarse, fine = np.divmod(numbers, COARSE)
    return coarse.astype(np.uint8).tobytes() + fine[coarse > 0].astype(np.uint8).tobytes()


def numbers_of(tree: Tree, stored: bytes) -> Quantised:
    """The numbers stored of a policy, in their order.

    Raises:
        ValueError: the bytes are none of a policy of this tree.
    """
    count = sum(choice.numbers for choice in choices(tree))
    given = np.frombuffer(stored, np.uint8)
    numbers, fine = given[:count].astype(np.uint16), given[count:]
    if len(numbers) != count or len(fine) != np.count_nonzero(numbers):
        raise ValueError(f"expected {count} numbers in another count of bytes than {len(given)}")
    numbers *= COARSE
    numbers[numbers > 0] += fine
    return numbers


def unpack(tree: Tree, stored: bytes) -> Quantised:
    """The policy of some stored bytes: (policy,) uint16, adding up to LEVELS.

    Raises:
        ValueError: they are none of a policy of this tree.
    """
    numbers, at = numbers_of(tree, stored), 0
    parts = np.zeros(tree.size, np.uint16)
    for choice, block in zip(choices(tree), decisions(tree, parts), strict=True):
        others = numbers[at : at + choice.numbers].reshape(choice.stored_shape)
        total = others.sum(axis=0, dtype=np.int64)
        if (total > LEVELS).any():
            raise ValueError(f"expected probabilities that add up to {LEVELS} parts at most")
        block[:, :, 1:] = others.transpose(3, 2, 0, 1)
        block[:, :, 0] = (LEVELS - total).transpose(2, 1, 0)
        at += choice.numbers
    return parts


def as_played(board: Board, parts: Quantised) -> Values:
    """(policy,) float64: the probabilities that parts stand for."""
    policy = board.uniform.astype(np.float64)
    for block, numbers in zip(
        decisions(board.tree, policy), decisions(board.tree, parts), strict=True
    ):
        total = numbers.sum(axis=-2, keepdims=True, dtype=np.float64)
        np.divide(numbers, total, out=block, where=total > 0)
    return policy

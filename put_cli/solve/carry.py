"""A policy carried over to rules that allow more: what is new there it never does.

It is found again by what has been said and laid. How good it is under the other rules, a
certificate says (`response.py`).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.errors import UsageError
from put_cli.rules.machine import Act
from put_cli.solve.hand import Board
from put_cli.solve.places import Map
from put_cli.solve.tree import WORDS, Tree


def carried(policy: npt.NDArray[Any], known: Board, other: Board) -> npt.NDArray[Any]:
    """The policy of one board laid out for another; it may be a stored one too.

    Raises:
        UsageError: the packs differ, or the other rules forbid what it might do.
    """
    if known.tree.rules.cards != other.tree.rules.cards or known.tree.classes != other.tree.classes:
        raise UsageError(
            f"expected two rule sets with one pack, got {known.tree.rules.name} and "
            f"{other.tree.rules.name}."
        )
    there = {way: node for node, way in _ways(other.tree).items()}
    here, words, new_words = _ways(known.tree), Map(known.tree).words, Map(other.tree).words
    found = np.zeros(other.tree.size, policy.dtype)
    blocks = {node: block for node, block, _ in other.blocks(found)}
    for node, block, _ in known.blocks(policy):
        target = there.get(here[node], -1)
        if target not in blocks or not set(words[node]) <= set(new_words[target]):
            raise UsageError(
                f"{other.tree.rules.name} does not allow everything that "
                f"{known.tree.rules.name} does."
            )
        said = int(known.tree.nodes[node, WORDS])
        for number, word in enumerate(words[node]):
            blocks[target][:, :, new_words[target].index(word)] = block[:, :, number]
        blocks[target][:, :, len(new_words[target]) :] = block[:, :, said:]
    return found


def _ways(tree: Tree) -> dict[int, tuple[Act, ...]]:
    """The acts that lead to each node."""
    ways: dict[int, tuple[Act, ...]] = {}
    for node, (before, act) in enumerate(tree.parents):
        ways[node] = ways.get(before, ()) + (() if act is None else (act,))
    return ways

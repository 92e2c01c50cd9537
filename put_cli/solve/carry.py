"""A policy carried over to rules that allow more: what is new there it never does.

It is found again by what has been said and laid. How good it is under the other rules, a
certificate says (`response.py`).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.errors import UsageError
from put_cli.rules.machine import Act
from put_cli.solve.places import Map
from put_cli.solve.stored import choices, decisions
from put_cli.solve.tree import Tree


def carried(policy: npt.NDArray[Any], known: Tree, other: Tree) -> npt.NDArray[Any]:
    """The policy of one tree laid out for another; it may be a stored one too.

    Raises:
        UsageError: the packs differ, or the other rules forbid what it might do.
    """
    if known.rules.cards != other.rules.cards or known.classes != other.classes:
        raise UsageError(
            f"expected two rule sets with one pack, got {known.rules.name} and {other.rules.name}."
        )
    found = np.zeros(other.size, policy.dtype)
    words, new_words, ways = Map(known).words, Map(other).words, _ways(other)
    there = {
        ways[choice.node]: (new_words[choice.node], block)
        for choice, block in zip(choices(other), decisions(other, found), strict=True)
    }
    ways = _ways(known)
    for choice, block in zip(choices(known), decisions(known, policy), strict=True):
        allowed, carried_to = there.get(ways[choice.node], ((), found))
        said = words[choice.node]
        if not set(said) <= set(allowed) or carried_to is found:
            raise UsageError(
                f"{other.rules.name} does not allow everything that {known.rules.name} does."
            )
        for number, word in enumerate(said):
            carried_to[:, :, allowed.index(word)] = block[:, :, number]
        carried_to[:, :, len(allowed) :] = block[:, :, len(said) :]
    return found


def _ways(tree: Tree) -> dict[int, tuple[Act, ...]]:
    """The acts that lead to each node."""
    ways: dict[int, tuple[Act, ...]] = {}
    for node, (before, act) in enumerate(tree.parents):
        ways[node] = ways.get(before, ()) + (() if act is None else (act,))
    return ways

"""A policy against a strategy, exactly: how good a solution is in other company.

Like `exact.py`, but one of the two plays what a policy says, which need not be asked.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from put_cli.engine.players import Contestant
from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve.chain import Chain
from put_cli.solve.exact import Exact, from_endings
from put_cli.solve.hand import Board
from put_cli.solve.players import Encounter
from put_cli.solve.tree import ACTOR, LAST_LEAD, LEVEL, Tree

Values = npt.NDArray[np.float64]


def meets(
    chain: Chain, coarse: Board, fine: Board, policies: Callable[[int], Values], other: Contestant
) -> Exact:
    """How a policy fares against a strategy.

    `policies` gives the one of each score's number, on `coarse`, the board of a tree with classes;
    `fine` and `chain` are of one without.

    Raises:
        UsageError: the strategy has a memory.
        NotPlayable: it does what is not allowed.
    """
    likely = np.zeros((2, len(chain.scores), len(chain.tree.endings)))
    encounters = [Encounter(fine, (None, other)), Encounter(fine, (other, None))]
    # What the strategy answers stands there for the next score too, unless it looks at the score.
    played = [np.zeros(fine.tree.size) for _ in encounters]
    for number, score in enumerate(chain.scores):
        policy = told_apart(coarse, fine, policies(number))
        for seat in (ELDEST, DEALER):
            blocks = zip(fine.blocks(policy), fine.blocks(played[seat]), strict=True)
            for (node, new, _), (_, block, _) in blocks:
                if fine.tree.nodes[node, ACTOR] == seat:
                    block[:] = new
            likely[seat, number] = encounters[seat].meet(score, played[seat])
    return from_endings(chain, likely)


def told_apart(coarse: Board, fine: Board, policy: Values) -> Values:
    """A policy for a tree that tells the last cards apart, from one that knows their classes."""
    found = np.zeros(fine.tree.size)
    kinds = _classes(fine.tree)
    blocks = zip(coarse.blocks(policy), fine.blocks(found), strict=True)
    for (node, known, _), (_, block, _) in blocks:
        if fine.tree.nodes[node, LEVEL] == LAST_LEAD and known.shape != block.shape:
            block[:] = known[..., kinds]
        else:
            block[:] = known
    return found


def _classes(tree: Tree) -> npt.NDArray[np.int64]:
    """(ranks * ranks,): where the class of a card, after a lead, stands among the classes; by the
    card, then the lead."""
    card, lead = np.divmod(np.arange(tree.top**2), tree.top)
    return np.asarray((np.sign(card - lead) + 1) * tree.top + lead)

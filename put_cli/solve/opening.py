"""How a solution opens: eldest's first action and the dealer's first reply, hands taken together.

Everything is a share of the hands that get there, as they are dealt and as the solution plays.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.solve.cards import SLOTS, hands_of, removal
from put_cli.solve.places import START, Place
from put_cli.solve.tree import Tree
from put_cli.solve.weighing import Plan
from put_cli.strategy import WORD_NAMES

Values = npt.NDArray[np.float64]

HANDS_SHOWN = 8
"""Of the hands that put most."""

OFTEN = 0.005
"""A hand that puts more seldom is not among them."""


@dataclass(frozen=True)
class Row:
    """What is done in one of the cases."""

    rank: str
    """Eldest's best card, or the card led to the dealer."""
    share: float
    """Of the hands that get there."""
    does: dict[str, float]
    """By what is done; they add up to 1. Cards are named by their place among those held, or by
    how they compare with the lead."""


@dataclass(frozen=True)
class Opening:
    """The first decision of a seat."""

    seat: str
    rows: tuple[Row, ...]
    """The best rank first; ranks that do not come up are left out."""
    puts: dict[str, float]
    """How often the hands put that do it most, over all that may have been led to them."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


def openings(plan: Plan) -> tuple[Opening, Opening]:
    """Eldest's and the dealer's, from what a solution plays at one score."""
    tree = plan.map.tree
    share = hands_of(tree.top, SLOTS).share
    deals = removal(tree.top, tree.rules.cards.copies) * np.outer(share, share)
    deals /= deals.sum()
    first = plan.shares(START)
    words = plan.map.words[START.node]
    hands = hands_of(tree.top, SLOTS)
    eldest = _Tally(tree, ELDEST, deals.sum(axis=1))
    dealer = _Tally(tree, DEALER, np.zeros(len(hands)))
    for rank in reversed(range(tree.top)):
        of_rank = (hands.cards[:, 0] == rank) * deals.sum(axis=1)
        eldest.add(plan, START, rank, of_rank, _by_place(hands.cards))
        laid = first[len(words) :, :, None] * (hands.cards.T[:, :, None] == rank)
        reach = laid.sum(axis=0)[:, 0] @ deals
        then = plan.map.lay(START, rank)
        if isinstance(then, Place):
            dealer.add(plan, then, rank, reach, _by_pattern(hands.cards, rank))
    return eldest.told(), dealer.told()


def _by_place(cards: npt.NDArray[np.int32]) -> dict[str, npt.NDArray[np.bool_]]:
    """Cards (hands, 3) by their place among those held."""
    best, worst = cards == cards[:, :1], cards == cards[:, 2:]
    return {
        "leads his best": best,
        "his middle card": ~best & ~worst,
        "his worst": worst & ~best,
    }


def _by_pattern(cards: npt.NDArray[np.int32], lead: int) -> dict[str, npt.NDArray[np.bool_]]:
    """Cards (hands, 3) by how they compare with the lead."""
    return {"replies higher": cards > lead, "ties": cards == lead, "lays a lower": cards < lead}


class _Tally:
    """Adds up what a seat does."""

    def __init__(self, tree: Tree, seat: int, reach: Values) -> None:
        self._tree, self._seat = tree, seat
        self._rows: list[tuple[int, float, dict[str, float]]] = []
        self._reach, self._puts = np.zeros_like(reach), np.zeros_like(reach)

    def add(
        self,
        plan: Plan,
        at: Place,
        rank: int,
        reach: Values,
        kinds: dict[str, npt.NDArray[np.bool_]],
    ) -> None:
        """One case, with the chances of getting there with every hand. None, no case."""
        total = float(reach.sum())
        if total == 0:
            return
        shares = plan.shares(at) * reach
        words = plan.map.words[at.node]
        does = {}
        for word, share in zip(words, shares, strict=False):
            name = WORD_NAMES[word].lower()
            does[f"{name}s"] = float(share.sum())
            if name == "put":
                self._puts += share
        self._reach += reach
        played = shares[len(words) :].T
        does |= {kind: float(played[which].sum()) for kind, which in kinds.items()}
        self._rows.append((rank, total, {what: each / total for what, each in does.items()}))

    def told(self) -> Opening:
        whole = sum(total for _, total, _ in self._rows)
        name = self._tree.rules.cards.rank
        return Opening(
            SEATS[self._seat],
            tuple(Row(name(rank + 1), total / whole, does) for rank, total, does in self._rows),
            dict(self._most()),
        )

    def _most(self) -> Iterator[tuple[str, float]]:
        often = np.divide(
            self._puts, self._reach, out=np.zeros_like(self._puts), where=self._reach > 0
        )
        name = self._tree.rules.cards.rank
        for hand in np.argsort(-often, kind="stable")[:HANDS_SHOWN]:
            if often[hand] >= OFTEN:
                cards = hands_of(self._tree.top, SLOTS).cards[hand]
                yield " ".join(name(card + 1) for card in cards), float(often[hand])

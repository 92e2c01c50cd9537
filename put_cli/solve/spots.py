"""From a number in a policy back to what happened: the cards on the table, and the situation."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import Act
from put_cli.solve.cards import hands_of, ways_to_take
from put_cli.solve.chain import Score
from put_cli.solve.hand import Board
from put_cli.solve.places import WORDS, Map, Situation
from put_cli.solve.tree import ACTOR, HELD_E, LAST_LEAD, LEVEL, PLAYS
from put_cli.strategy import SEE

Ints = npt.NDArray[np.int64]

DECISIONS = (
    "first lead",
    "first reply",
    "later lead",
    "later reply",
    "put or throw",
    "answer to a put",
)
"""Kinds of decisions."""


class Spot(NamedTuple):
    """An action at an information set, by its place in a block of `Board.blocks`."""

    node: int
    chunk: int
    public: int
    action: int
    hand: int


@dataclass(frozen=True, eq=False)
class Spots:
    """The spots of a board that tells all cards apart."""

    board: Board

    @cached_property
    def map(self) -> Map:
        """The tree as one walks about in it."""
        return Map(self.board.tree)

    def decision(self, node: int) -> int:
        """The kind of the decision there, as a number among DECISIONS."""
        row = self.map.rows[node]
        if SEE in self.map.words[node]:
            return 5
        if not row[PLAYS]:
            return 4
        return row[LEVEL] % 2 + (2 if row[LEVEL] > 1 else 0)

    def laid(self, node: int, chunk: Ints, public: Ints, hand: Ints) -> list[Ints]:
        """The ranks on the table in order, each (n,), at n information sets of a node."""
        shape = self.map.shape(node)
        cards = self.map.laid(node, self.board.pack)
        return [np.broadcast_to(card, shape)[chunk, public, hand] for card in cards]

    def ways_to_lay(
        self, node: int, chunk: Ints, public: Ints, hand: Ints
    ) -> npt.NDArray[np.float64]:
        """(n,): for n information sets of a node, the ways to take what lies there of the pack."""
        return ways_to_take(
            self.laid(node, chunk, public, hand), self.board.tree.rules.cards.copies
        )

    def held(self, spot: Spot) -> tuple[int, ...]:
        """The cards that the actor still holds, from 0, best first."""
        row, top = self.map.rows[spot.node], self.board.tree.top
        many = row[HELD_E + row[ACTOR]]
        if row[LEVEL] == LAST_LEAD:
            return (spot.hand // top,) if many else ()
        return tuple(hands_of(top, many).cards[spot.hand, :many].tolist())

    def action(self, spot: Spot, action: int) -> int:
        """An action of the spot's node as what a strategy returns for it."""
        words = self.map.words[spot.node]
        return words[action] if action < len(words) else self.held(spot)[action - len(words)] + 1

    def situation(self, spot: Spot, score: Score) -> tuple[Situation, tuple[int, ...]]:
        """What the actor knows there, and who did each of the actions before."""
        tree, rows = self.board.tree, self.map.rows
        at = (np.array([number]) for number in (spot.chunk, spot.public, spot.hand))
        laid = [int(card[0]) for card in self.laid(spot.node, *at)]
        path: list[tuple[int, Act]] = []
        before, act = tree.parents[spot.node]
        while before >= 0:
            if act is not None:
                path.insert(0, (rows[before][ACTOR], act))
            before, act = tree.parents[before]
        seat, cards = rows[spot.node][ACTOR], iter(laid)
        actors = tuple(actor for actor, _ in path)
        actions = tuple(WORDS[act] if act in WORDS else next(cards) + 1 for _, act in path)
        played = [
            a - 1 for who, a in zip(actors, actions, strict=True)
            if who == seat and a not in WORDS.values()
        ]  # fmt: skip
        first, second, third = sorted((*self.held(spot), *played), reverse=True)
        return Situation(score, seat, (first + 1, second + 1, third + 1), actions), actors

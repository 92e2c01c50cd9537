"""From a number in a policy back to what happened: the cards on the table, and the situation."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import Act
from put_cli.solve.cards import hands_of
from put_cli.solve.chain import Score
from put_cli.solve.hand import Board
from put_cli.solve.places import WORDS, Map, Situation
from put_cli.solve.tree import ACTOR, HELD_E, LAST_LEAD, LEVEL, PATTERN, PLAYS, PUBLIC
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

    def table(self, node: int) -> Ints:
        """(chunks, public, cards): the ranks on the table, in order, where a node is reached.

        At level 5 without the last lead, which stands in the vectors.
        """
        tree, row = self.board.tree, self.map.rows[node]
        number = self.map.part_of[node]
        part, level = tree.parts[number], row[LEVEL]
        cards = np.zeros((part.chunks, row[PUBLIC], min(level, LAST_LEAD - 1)), np.int64)
        if number:
            cards[:, :, :2] = self.board.pack.pairs[part.pattern, : part.chunks, None]
        if level in (1, 3):
            cards[:, :, -1] = np.arange(row[PUBLIC])
        elif level >= LAST_LEAD - 1:
            cards[:, :, 2:] = self.board.pack.pairs[row[PATTERN], : row[PUBLIC]]
        return cards

    def ways_to_lay(
        self, node: int, chunk: Ints, public: Ints, hand: Ints
    ) -> npt.NDArray[np.float64]:
        """(n,): for n information sets of a node, the ways to take what lies on the table, the
        last lead too, from the pack."""
        cards = self.table(node)[chunk, public]
        if self.map.rows[node][LEVEL] == LAST_LEAD:
            cards = np.column_stack([cards, hand % self.board.tree.top])
        ways = np.ones(len(cards))
        for n in range(cards.shape[1]):
            alike = (cards[:, :n] == cards[:, n : n + 1]).sum(axis=1)
            ways *= self.board.tree.rules.cards.copies - alike
        return ways

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
        laid = self.table(spot.node)[spot.chunk, spot.public].tolist()
        if rows[spot.node][LEVEL] == LAST_LEAD:
            laid.append(spot.hand % tree.top)
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

"""Where in the public tree a hand under way stands, and where each action leads from there.

Cards are numbers from 0 (worst) here, as in the tree; an action is what a strategy returns: PUT,
SEE, THROW, or a card from 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.engine.consult import pair_number, pattern_of
from put_cli.rules.machine import NOBODY, Act
from put_cli.solve.chain import Score
from put_cli.solve.pack import Pack
from put_cli.solve.tree import (
    ACTOR,
    LAST_LEAD,
    LEAD,
    LEAF,
    LEVEL,
    PATTERN,
    PLAYS,
    PUBLIC,
    REPLY,
    SIZE_E,
    STATE,
    WORD,
    Tree,
)
from put_cli.strategy import PUT, SEE, THROW

WORDS = {Act.PUT: PUT, Act.SEE: SEE, Act.THROW: THROW}
"""The words as actions, in the order in which the tree counts them."""


@dataclass(frozen=True)
class Situation:
    """What a player knows of a hand under way."""

    score: Score
    seat: int
    dealt: tuple[int, int, int]
    """His cards as dealt, best first, from 1."""
    actions: tuple[int, ...]
    """Everything done and said so far, by whoever's turn it was."""


class Place(NamedTuple):
    """A public position at a node."""

    node: int
    chunk: int
    """Of the node's part."""
    public: int
    led: int = -1
    """The last lead, where it lies on the table."""


START = Place(0, 0, 0)


class Over(NamedTuple):
    """The end of a hand: the number of the ending."""

    ending: int


class Map:
    """The tree as one walks about in it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.rows: list[list[int]] = tree.nodes.tolist()
        firsts = [part.first for part in tree.parts]
        self.part_of = (np.searchsorted(firsts, range(len(self.rows)), "right") - 1).tolist()

    @cached_property
    def words(self) -> list[tuple[int, ...]]:
        """The words that may be said at every node."""
        states = self.tree.tables.states
        return [
            tuple(word for act, word in WORDS.items() if states[row[STATE], tb.NEXT + act] >= 0)
            if row[ACTOR] != NOBODY
            else ()
            for row in self.rows
        ]

    @cached_property
    def patterns(self) -> npt.NDArray[np.int64]:
        """(top, top): how a reply compares, by lead and reply."""
        top = self.tree.top
        return np.array([[pattern_of(lead, reply) for reply in range(top)] for lead in range(top)])

    def shape(self, node: int) -> tuple[int, int, int]:
        """How many chunks, public positions and hands of the actor a node has."""
        row = self.rows[node]
        return self.tree.parts[self.part_of[node]].chunks, row[PUBLIC], row[SIZE_E + row[ACTOR]]

    def laid(self, node: int, pack: Pack) -> list[npt.NDArray[np.int64]]:
        """The cards on the table at a decision, from 0, in order; each broadcasts to its shape."""
        row, part = self.rows[node], self.tree.parts[self.part_of[node]]
        level = row[LEVEL]
        chunks, public, hands = self.shape(node)
        cards: list[npt.NDArray[np.int64]] = []
        if part.pattern >= 0:
            cards += [each[:, None, None] for each in pack.pairs[part.pattern, :chunks].T]
        if level in (1, 3):
            cards.append(np.arange(public)[None, :, None])
        if level >= LAST_LEAD - 1:
            cards += [each[None, :, None] for each in pack.pairs[row[PATTERN], :public].T]
        if level == LAST_LEAD:  # it stands in the vectors, beside the card that answers it
            cards.append(np.arange(hands)[None, None, :] % self.tree.top)
        return [each.astype(np.int64) for each in cards]

    def say(self, at: Place, number: int) -> Place:
        """After a word, by its number among those of the node."""
        return at._replace(node=self.rows[at.node][WORD + number])

    def lay(self, at: Place, card: int) -> Place | Over:
        """After a card."""
        row = self.rows[at.node]
        top, level = self.tree.top, row[LEVEL]
        if level == LAST_LEAD:
            return Over(row[REPLY + pattern_of(at.led, card)])
        if level == LAST_LEAD - 1:
            return Place(row[LEAD], at.chunk, at.public, card)
        if row[LEAD] >= 0:
            return Place(row[LEAD], at.chunk, at.public * top + card)
        lead = at.public
        node = row[REPLY + pattern_of(lead, card)]
        pair = pair_number(top, lead, card)
        if leaf := self.rows[node][LEAF]:
            return Place(self.tree.parts[leaf].first, pair, 0)
        return Place(node, at.chunk, pair)

    def allowed(self, at: Place, held: Sequence[int]) -> list[int]:
        """The actions there of a player who holds these cards (from 0), in the tree's order."""
        cards = [card + 1 for card in dict.fromkeys(held)] if self.rows[at.node][PLAYS] else []
        return [*self.words[at.node], *cards]

    def after(self, at: Place, action: int) -> Place | Over:
        """After an action that is allowed."""
        words = self.words[at.node]
        return self.say(at, words.index(action)) if action in words else self.lay(at, action - 1)

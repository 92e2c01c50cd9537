"""What is said and laid when both play one policy, counted out: nothing is sampled.

`likelihoods` says how likely every action at every information set is in a hand; the rest are sums
of that: by place, by seat, by the cards dealt. `ends` and `visits` follow the hands of a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.solve import sweep
from put_cli.solve.cards import SLOTS, hands_of, removal, ways_to_take
from put_cli.solve.chain import Chain
from put_cli.solve.hand import Board
from put_cli.solve.places import Map
from put_cli.solve.tree import (
    ACTOR,
    HELD_E,
    HIGHER,
    LAST_LEAD,
    LEVEL,
    PATTERN,
    SIZE_E,
    STATE,
)
from put_cli.stats.chances import hand_won, winning_draws
from put_cli.strategy import PUT, SEE, THROW

Values = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Saying:
    """What one seat says at one place of a hand; all are chances in a hand, in [0, 1]."""

    place: str
    """As the log calls it: lead1, reply1, after1 ..."""
    seat: str
    may: float
    """A hand gets there, and he may put."""
    puts: float
    bluffs: float
    """Of the puts those with less than an even chance: the cards he has not seen being equally
    likely and laid in random order, his hand would lose or draw more often than win."""
    seen: float
    """Of the puts those that are seen."""
    throws: float
    """Throws unasked."""


@dataclass(frozen=True, eq=False)
class Opening:
    """What is done with each hand before anything is known of the other's; arrays (hands,)."""

    cards: npt.NDArray[np.int32]
    """(hands, 3): ranks best first, from 0 (worst)."""
    dealt: Values
    """How likely it is to be dealt."""
    strength: Values
    """The chance to win the hand if both laid their cards in random order."""
    eldest_puts: Values
    """Before the first lead; nan where he may not."""
    dealer_puts: Values
    """Before the first reply, over all leads he meets with it; nan where he may not."""
    dealer_puts_over: Values
    """(ranks, hands): the same by the card led, from 0; nan where that is never led."""
    dealer_sees: Values
    """When eldest has put before the first lead; nan where he may not."""


class Conduct:
    """Counts what policies do at a board, whose tree has classes, as solutions have."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.map = Map(board.tree)
        self._weak: dict[tuple[int, ...], Marks] = {}

    def likelihoods(self, policy: Values) -> Values:
        """(policy,): the chance that a hand gets to an information set and the action is taken."""
        board, tree = self.board, self.board.tree
        found = np.zeros(tree.size)
        ones = np.ones(len(tree.endings))
        for seat, sign in ((ELDEST, 1), (DEALER, -1)):
            own = np.zeros(tree.size, np.float32)
            board.sweep(1 - seat, ones, policy, sweep.EVALUATE, average=own, weight=1.0)
            others = np.zeros(tree.size)
            board.sweep(seat, sign * ones, policy, sweep.EVALUATE, regrets=others)
            found += own * others
        for node, block, _ in board.blocks(found):
            # Both players' chances have the ways to take what lies on the table in them.
            laid = self.map.laid(node, board.pack)
            ways = np.broadcast_to(
                ways_to_take(laid, tree.rules.cards.copies), self.map.shape(node)
            )
            ways = ways[:, :, None] * board.deals
            np.divide(block, ways, out=block, where=ways > 0)
        return found

    def ends(self, policy: Values) -> Values:
        """(endings,): the chance of each ending. Endings that differ in nothing told share it."""
        board, tree = self.board, self.board.tree
        rows = tree.tables.states[tree.endings]
        told = [tb.ENDING, tb.WINNER, tb.POINTS, tb.ANEW, tb.SEEN, tb.PUTS_OF, tb.PUTS_OF + 1]
        kinds, kind = np.unique(rows[:, told], axis=0, return_inverse=True)
        found = np.zeros(len(rows))
        for number in range(len(kinds)):
            alike = kind.ravel() == number
            values = board.sweep(ELDEST, alike.astype(float), policy, sweep.EVALUATE)
            found[alike] = board.chance(values) / alike.sum()
        return found

    def sayings(self, likely: Values) -> tuple[Saying, ...]:
        """What is said, place by place, from `likelihoods`."""
        tree = self.board.tree
        counts: dict[tuple[int, int], dict[str, float]] = {}
        for node, block, _ in self.board.blocks(likely):
            words, row = self.map.words[node], tree.nodes[node]
            state, actor = tree.tables.states[row[STATE]], int(row[ACTOR])
            asked = bool(state[tb.ASKED])
            putter = 1 - actor if asked else actor
            said = tree.parents[node][0] if asked else node
            place = int(tree.tables.states[tree.nodes[said, STATE], tb.PLACE])
            count = counts.setdefault((place, putter), dict.fromkeys(_COUNTED, 0.0))
            if asked:
                count["seen"] += float(block[:, :, words.index(SEE)].sum())
            elif THROW in words:
                count["throws"] += float(block[:, :, words.index(THROW)].sum())
            if PUT in words:
                puts = block[:, :, words.index(PUT)]
                count["may"] += float(block.sum())
                count["puts"] += float(puts.sum())
                count["bluffs"] += float(puts[self.weak(node)].sum())
        return tuple(
            Saying(place=tb.PLACES[place - 1], seat=SEATS[seat], **count)
            for (place, seat), count in sorted(counts.items())
            if any(count.values())
        )

    def opening(self, likely: Values) -> Opening:
        """What is done with each hand at the beginning, from `likelihoods`."""
        tree, board = self.board.tree, self.board
        hands = hands_of(tree.top, SLOTS)
        # Each is the action's likelihood and that of all, hand by hand; the dealer's by lead.
        eldest, sees = np.zeros((2, 1, len(hands))), np.zeros((2, 1, len(hands)))
        dealer = np.zeros((2, tree.top, len(hands)))
        for node, block, _ in board.blocks(likely):
            row, words = tree.nodes[node], self.map.words[node]
            actor, level = int(row[ACTOR]), int(row[LEVEL])
            if level == 0 and actor == ELDEST and PUT in words:
                eldest += _share_of(block, words.index(PUT))
            elif level == 1 and actor == DEALER and PUT in words:
                dealer += _share_of(block, words.index(PUT))
            elif level == 0 and actor == DEALER and SEE in words:
                sees += _share_of(block, words.index(SEE))
        own, copies = hands.cards.astype(np.int64) + 1, tree.rules.cards.copies
        won, total = winning_draws(tree.rules, own, own[:, :0], replies=False)
        return Opening(
            cards=hands.cards,
            dealt=hands.share * (removal(tree.top, copies) @ hands.share) / board.deals,
            strength=won / total,
            eldest_puts=_divided(*eldest.sum(axis=1)),
            dealer_puts=_divided(*dealer.sum(axis=1)),
            dealer_puts_over=_divided(*dealer),
            dealer_sees=_divided(*sees.sum(axis=1)),
        )

    def weak(self, node: int) -> Marks:
        """(chunks, public, hands): where the chance to win is less than even, for who acts."""
        row = self.board.tree.nodes[node]
        pattern = self.board.tree.parts[self.map.part_of[node]].pattern
        # What was said changes no chance of the cards.
        key = (*(int(row[column]) for column in (LEVEL, ACTOR, PATTERN)), pattern)
        if key not in self._weak:
            self._weak[key] = self._count_weak(node)
        return self._weak[key]

    def _count_weak(self, node: int) -> Marks:
        tree = self.board.tree
        row, rules = tree.nodes[node], tree.rules
        actor, level = int(row[ACTOR]), int(row[LEVEL])
        size, held = int(row[SIZE_E + actor]), int(row[HELD_E + actor])
        laid, shape = self.map.laid(node, self.board.pack), self.map.shape(node)
        own: list[npt.NDArray[np.int64]] = []
        others: list[npt.NDArray[np.int64]] = []
        for card, seat in zip(laid, self._laid_by(node), strict=True):
            numbers = np.broadcast_to(card, shape).ravel() + 1
            (own if seat == actor else others).append(numbers)
        if level == LAST_LEAD:
            # The replier's last card is known as worse, equal or better than the lead.
            last = np.broadcast_to(np.arange(size) // tree.top - 1, shape).ravel()
            known = [np.sign(mine - other) for mine, other in zip(own, others, strict=False)]
            return ~hand_won(rules, np.stack([*known, last], axis=-1)).reshape(shape)
        for card in hands_of(tree.top, held).cards.T[:held]:
            own.append(np.broadcast_to(card, shape).ravel() + 1)
        theirs = np.stack(others, axis=1) if others else np.zeros((len(own[0]), 0), np.int64)
        replies = len(others) > SLOTS - held
        won, total = winning_draws(rules, np.stack(own, axis=1), theirs, replies)
        return np.asarray(2 * won < total).reshape(shape)

    def _laid_by(self, node: int) -> Iterator[int]:
        """The seat that each card on the table came from."""
        row = self.board.tree.nodes[node]
        first = self.board.tree.parts[self.map.part_of[node]].pattern
        patterns = [first, int(row[PATTERN])]
        leader = ELDEST
        for place in range(int(row[LEVEL])):
            trick, replies = divmod(place, 2)
            if trick and not replies and patterns[trick - 1] == HIGHER:
                leader = 1 - leader
            yield 1 - leader if replies else leader


_COUNTED = ("may", "puts", "bluffs", "seen", "throws")


def _share_of(block: Values, action: int) -> Values:
    """(2, public, hands): the likelihood of an action, and of all actions."""
    return np.stack([block[:, :, action].sum(axis=0), block.sum(axis=(0, 2))])


def _divided(part: Values, whole: Values) -> Values:
    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)


def visits(chain: Chain, ends: Values) -> Values:
    """(scores,): how many hands of a game begin at each score; `ends` (scores, endings)."""
    count = len(chain.scores)
    moves = np.zeros((count, count))
    for number, following in enumerate(chain.following):
        on = following >= 0
        np.add.at(moves[number], following[on], ends[number, on])
    start = np.zeros(count)
    start[0] = 1
    return np.asarray(np.linalg.solve((np.eye(count) - moves).T, start))

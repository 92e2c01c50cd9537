"""What every action is worth to one player, who knows his own cards, against a known policy.

The player's hand is fixed, so that only the other's hands are a vector: the chances with which
the policy has brought him here with each of them. Going on from there the player does what is best
for him, and everything is added up. In plain NumPy: one decision takes a moment, without compiling
anything, and with the memory of one score.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import NOBODY
from put_cli.solve.cards import SLOTS, hands_of, removal
from put_cli.solve.places import START, Map, Over, Place, Situation
from put_cli.solve.tree import (
    ACTOR,
    HELD_E,
    LAST_LEAD,
    LEAD,
    LEVEL,
    PAYOFF,
    PLAYS,
    PUBLIC,
    REPLY,
    SIZE_E,
    STRATEGY,
    WORDS,
)

Values = npt.NDArray[np.float64]

SLIP = 1e-3
"""Where a policy never gets, the other is taken to have slipped: at each of his decisions, with
this chance, into any action, whatever his cards."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is played at one score: numbers in the order of `tree.py`, of any scale.

    Where all are 0 everything allowed is equally probable.
    """

    map: Map
    numbers: npt.NDArray[Any]

    def parts(self, at: Place) -> npt.NDArray[Any]:
        """(actions, hands): the numbers of a decision as they are."""
        row, tree = self.map.rows[at.node], self.map.tree
        part = tree.parts[self.map.part_of[at.node]]
        shape = row[WORDS] + row[PLAYS], row[SIZE_E + row[ACTOR]], row[PUBLIC]
        start = part.policy + at.chunk * part.block + row[STRATEGY]
        return self.numbers[start : start + prod(shape)].reshape(shape)[:, :, at.public]

    def shares(self, at: Place) -> Values:
        """(actions, hands): the probabilities of a decision."""
        parts = self.parts(at).astype(np.float64)
        total = parts.sum(axis=0)
        even = self.even(at)
        return np.where(total > 0, parts / np.where(total > 0, total, 1), even)

    def even(self, at: Place) -> Values:
        """(actions, hands): everything allowed equally probable."""
        row, top = self.map.rows[at.node], self.map.tree.top
        can = np.ones((row[WORDS] + row[PLAYS], row[SIZE_E + row[ACTOR]]))
        if row[PLAYS] and row[LEVEL] < LAST_LEAD:
            rest = hands_of(top, row[HELD_E + row[ACTOR]]).rest
            can[row[WORDS] :] = (rest >= 0).T[: row[PLAYS]]
        even: Values = can / can.sum(axis=0)
        return even


def place_in(top: int, cards: tuple[int, ...]) -> int:
    """The number of a hand of these cards, from 0, best first."""
    hands = hands_of(top, len(cards)).cards[:, : len(cards)]
    return int(np.flatnonzero((hands == cards).all(axis=1))[0])


def _without(held: tuple[int, ...], action: int) -> tuple[int, ...]:
    """The cards left after an action."""
    if action - 1 not in held:
        return held
    place = held.index(action - 1)
    return held[:place] + held[place + 1 :]


@dataclass(frozen=True, eq=False)
class Weighing:
    """One situation, against a plan of the other.

    `pays` (endings,) is the player's own chance of winning the game after each ending.
    """

    plan: Plan
    pays: Values
    situation: Situation

    @cached_property
    def _reached(self) -> tuple[Place, tuple[int, ...], Values, float]:
        """Where that is, the cards still held, the other's chances, and `likelihood`."""
        at, held, reach = self._follow(0.0)
        if reach.sum() > 0:
            return at, held, reach, float(reach.sum() / self._at_first.sum())
        return *self._follow(SLIP), 0.0

    @property
    def place(self) -> Place:
        """Where the player decides."""
        return self._reached[0]

    @property
    def held(self) -> tuple[int, ...]:
        """The cards he still holds, from 0, best first."""
        return self._reached[1]

    @property
    def likelihood(self) -> float:
        """How probable what the other has done is, given the player's cards and his own doing."""
        return self._reached[3]

    def worths(self) -> dict[int, float]:
        """His chance of winning the game with each action, playing the best he can after it."""
        at, held, reach, _ = self._reached
        total = float(reach.sum())
        return {action: value / total for action, value in self._own(at, held, reach)}

    def own_shares(self) -> dict[int, float]:
        """How often the plan, if it is the player's too, does each; empty where it never gets."""
        at, held = START, self._dealt
        for action in self.situation.actions:
            if self.plan.map.rows[at.node][ACTOR] == self.situation.seat:
                if not self._own_shares(at, held).get(action):
                    return {}
                held = _without(held, action)
            then = self.plan.map.after(at, action)
            assert isinstance(then, Place)
            at = then
        return self._own_shares(at, held)

    def _own_shares(self, at: Place, held: tuple[int, ...]) -> dict[int, float]:
        actions = self.plan.map.allowed(at, held)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        index = self._index(at, held)
        if not self.plan.parts(at)[:, index].any():
            return {}
        column = self.plan.shares(at)[:, index]
        words = len(self.plan.map.words[at.node])
        places = [n if n < words else words + held.index(a - 1) for n, a in enumerate(actions)]
        if at.led >= 0:  # of the last card there is one place, whatever is held
            places = list(range(len(actions)))
        return {a: float(column[place]) for a, place in zip(actions, places, strict=True)}

    def _index(self, at: Place, held: tuple[int, ...]) -> int:
        """The number of what the player holds among the hands of a decision."""
        top = self.plan.map.tree.top
        if at.led < 0:
            return place_in(top, held)
        return at.led if not held else int(self._kinds(at.led)[held[0]]) * top + at.led

    def _kinds(self, led: int) -> npt.NDArray[np.int64]:
        """(top,): what the last reply of each card counts as in the vectors, see `tree.py`."""
        the = self.plan.map
        kinds: npt.NDArray[np.int64] = (
            the.patterns[led] if the.tree.classes else np.arange(the.tree.top)
        )
        return kinds

    @property
    def _dealt(self) -> tuple[int, ...]:
        return tuple(card - 1 for card in self.situation.dealt)

    @cached_property
    def _at_first(self) -> Values:
        """(hands,): the ways to deal the other each hand."""
        tree = self.plan.map.tree
        ways = removal(tree.top, tree.rules.cards.copies)[place_in(tree.top, self._dealt)]
        dealt: Values = ways * hands_of(tree.top, SLOTS).share
        return dealt

    def _follow(self, slip: float) -> tuple[Place, tuple[int, ...], Values]:
        seat = self.situation.seat
        at, held, reach = START, self._dealt, self._at_first
        for action in self.situation.actions:
            row = self.plan.map.rows[at.node]
            if row[ACTOR] != seat:
                reach = self._after_theirs(at, action, reach, slip)
            else:
                held = _without(held, action)
            then = self.plan.map.after(at, action)
            if isinstance(then, Over):
                raise ValueError("the hand is over")
            at = then
        return at, held, reach

    def _after_theirs(self, at: Place, action: int, reach: Values, slip: float) -> Values:
        """The other's chances after something he did."""
        row, words = self.plan.map.rows[at.node], self.plan.map.words[at.node]
        shares = self._shares(at, slip)
        if action in words:
            said: Values = reach * shares[words.index(action)]
            return said
        card = action - 1
        if row[LEVEL] == LAST_LEAD - 1:
            led: Values = (reach * shares[len(words)])[card : card + 1]
            return led
        return self._laid(row, shares, reach, card)

    def _laid(self, row: list[int], shares: Values, reach: Values, card: int) -> Values:
        """The other's chances, by the hands of one card less, after this card."""
        hands = hands_of(self.plan.map.tree.top, row[HELD_E + row[ACTOR]])
        join, slot = hands.join[card], hands.slot[card]
        laid: Values = reach[join] * shares[row[WORDS] + slot, join]
        return laid

    def _shares(self, at: Place, slip: float = 0.0) -> Values:
        """(actions, hands that `reach` tells apart): what the other does."""
        row = self.plan.map.rows[at.node]
        even = self.plan.even(at)
        shares = even
        if row[STRATEGY] >= 0:
            shares = (1 - slip) * self.plan.shares(at) + slip * even
        if at.led < 0:
            return shares
        held: Any = self._kinds(at.led) * self.plan.map.tree.top if row[HELD_E + row[ACTOR]] else 0
        told_apart: Values = shares[:, np.atleast_1d(held + at.led)]
        return told_apart

    def _value(self, at: Place | Over, held: tuple[int, ...], reach: Values) -> float:
        """The player's chances of winning, summed over the other's hands with their chances."""
        if isinstance(at, Over):
            return float(self.pays[at.ending] * reach.sum())
        row = self.plan.map.rows[at.node]
        if row[ACTOR] == NOBODY:
            return float(self.pays[row[PAYOFF]] * reach.sum())
        if row[ACTOR] == self.situation.seat:
            return max(value for _, value in self._own(at, held, reach))
        return self._theirs(at, row, held, reach)

    def _own(self, at: Place, held: tuple[int, ...], reach: Values) -> list[tuple[int, float]]:
        found = []
        for action in self.plan.map.allowed(at, held):
            then = self.plan.map.after(at, action)
            found.append((action, self._value(then, _without(held, action), reach)))
        return found

    def _theirs(self, at: Place, row: list[int], held: tuple[int, ...], reach: Values) -> float:
        the, words = self.plan.map, row[WORDS]
        shares = self._shares(at)
        total = 0.0
        for word in range(words):
            chances = reach * shares[word]
            if chances.any():
                total += self._value(the.say(at, word), held, chances)
        if not row[PLAYS]:
            return total
        top, level = the.tree.top, row[LEVEL]
        if level == LAST_LEAD:
            ends = np.array(row[REPLY : REPLY + 3])[the.patterns[at.led]]
            return total + float((reach * shares[words]) @ self.pays[ends])
        if level == LAST_LEAD - 1:
            chances = reach * shares[words]
            last = the.rows[row[LEAD]]
            if last[WORDS] == 0:  # the last two cards can only be laid
                ends = np.array(last[REPLY : REPLY + 3])[the.patterns[:, held[0]]]
                return total + float(chances @ self.pays[ends])
            return total + sum(
                self._value(the.lay(at, card), held, chances[card : card + 1])
                for card in np.flatnonzero(chances).tolist()
            )
        for card in range(top):
            chances = self._laid(row, shares, reach, card)
            if chances.any():
                total += self._value(the.lay(at, card), held, chances)
        return total

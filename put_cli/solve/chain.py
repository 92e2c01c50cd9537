"""The scores of a game, and what each ending of a hand leads to: a chain of hands.

A state is the score from eldest's side. After a hand the deal passes on, so the next state is
looked at from the old dealer's side: what eldest has gained is 1 minus what that state is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.errors import UsageError
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, Ending, Outcome
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import after, check_score
from put_cli.solve.tree import Tree

WON, LOST = -1, -2
"""Where an ending leads that eldest has won the game (or rubber) with, or lost it."""


@dataclass(frozen=True, order=True)
class Score:
    """The score before a hand: points, and games won of a rubber, of eldest and of the dealer."""

    eldest: int
    dealer: int
    eldest_legs: int = 0
    dealer_legs: int = 0

    def __str__(self) -> str:
        text = f"{self.eldest}-{self.dealer}"
        legs = f" (games {self.eldest_legs}-{self.dealer_legs})"
        return text + (legs if self.eldest_legs or self.dealer_legs else "")

    @property
    def turned(self) -> "Score":
        """The same from the other side."""
        return Score(self.dealer, self.eldest, self.dealer_legs, self.eldest_legs)


def outcome_of(row: Sequence[int] | npt.NDArray[np.int32]) -> Outcome:
    """The outcome in a row of the engine's tables."""
    return Outcome(
        Ending(int(row[tb.ENDING])),
        int(row[tb.WINNER]),
        int(row[tb.POINTS]),
        bool(row[tb.ANEW]),
    )


def leads_to(rules: RuleSet, score: Score, outcome: Outcome) -> Score | int:
    """The score before the next hand, from its eldest's side; or WON, or LOST."""
    points, winner = after(rules, (score.eldest, score.dealer), outcome)
    legs = [score.eldest_legs, score.dealer_legs]
    if winner != NOBODY:
        legs[winner] += 1
        if legs[winner] == rules.wins_needed:
            return WON if winner == ELDEST else LOST
        points = (0, 0)
    return Score(points[ELDEST], points[DEALER], legs[ELDEST], legs[DEALER]).turned


@dataclass(frozen=True, eq=False)
class Chain:
    """All scores of a rule set that can come up, with what follows them."""

    tree: Tree
    scores: tuple[Score, ...]
    """Every score, 0-0 first."""
    following: npt.NDArray[np.int32]
    """(scores, endings) int32: the number of the next score, or WON, or LOST."""

    @cached_property
    def number(self) -> dict[Score, int]:
        """The number of each score."""
        return {score: index for index, score in enumerate(self.scores)}

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Scores that lead to each other, by draws; groups before those that lead to them."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        count = len(self.scores)
        rows, columns = np.nonzero(self.following >= 0)
        links = csr_array(
            (np.ones(len(rows)), (rows, self.following[rows, columns])), shape=(count, count)
        )
        _, label = connected_components(links, connection="strong")
        remaining = {int(each) for each in label}
        needs = {
            group: {int(label[n]) for n in self.following[label == group].ravel() if n >= 0}
            - {group}
            for group in remaining
        }
        order: list[tuple[int, ...]] = []
        while remaining:
            ready = sorted(
                (group for group in remaining if not needs[group] & remaining),
                key=lambda group: int(np.flatnonzero(label == group)[0]),
            )
            for group in ready:
                order.append(tuple(int(n) for n in np.flatnonzero(label == group)))
            remaining -= set(ready)
        return tuple(order)

    def leads_back(self, group: Sequence[int]) -> bool:
        """Whether a score of a group can come up again."""
        return bool(np.isin(self.following[list(group)], list(group)).any())

    def payoffs(self, number: int, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(endings,): eldest's chance of winning after each ending of a hand at this score.

        `values` (scores,) is what each score is worth to its eldest.
        """
        following = self.following[number]
        pays: npt.NDArray[np.float64] = 1 - values[np.maximum(following, 0)]
        pays[following == WON] = 1
        pays[following == LOST] = 0
        return pays

    def onward(self, number: int, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(endings,): of `values` (scores,) that of the score that follows; 0 where none does."""
        following = self.following[number]
        return np.where(following >= 0, values[np.maximum(following, 0)], 0.0)

    def pays_of(
        self, number: int, seat: int, values: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """(endings,): a player's own chance of winning after each ending, sitting in `seat`.

        `values` (2, scores) are his chances as eldest and as the dealer, by the score from
        eldest's side.
        """
        # `payoffs` turns what the next eldest gains: with 1 - his own chance as the next dealer.
        if seat == ELDEST:
            return self.payoffs(number, 1 - values[DEALER])
        return 1 - self.payoffs(number, values[ELDEST])

    def find(self, score: Score) -> int:
        """The number of a score.

        Raises:
            UsageError: no hand begins with it.
        """
        rules = self.tree.rules
        check_score(rules, (score.eldest, score.dealer))
        if score not in self.number:
            raise UsageError(f"score: no hand of {rules.name} begins at {score}.")
        return self.number[score]


def chain_of(tree: Tree) -> Chain:
    """Follow every ending from 0-0 on."""
    rules, rows = tree.rules, tree.tables.states[tree.endings]
    outcomes = [outcome_of(row) for row in rows]
    scores = [Score(0, 0)]
    number = {scores[0]: 0}
    following: list[list[int]] = []
    for score in scores:  # grows while it is walked
        line = []
        for outcome in outcomes:
            then = leads_to(rules, score, outcome)
            if isinstance(then, Score):
                if then not in number:
                    number[then] = len(scores)
                    scores.append(then)
                line.append(number[then])
            else:
                line.append(then)
        following.append(line)
    return Chain(tree, tuple(scores), np.array(following, np.int32))

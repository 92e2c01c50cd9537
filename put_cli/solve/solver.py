"""An equilibrium, score by score from the end of the game: regret matching+ in vector form.

At each score both players play the hand again and again; every decision is then changed by regret
matching+ (`sweep.py`), one player after the other, and the average of what was played approaches
an equilibrium. Old regrets fade, and iteration t weighs t squared in the average: of the variants
tried (linear and higher weights, without fading, and the predictive one) this needs the fewest
iterations. How near it has come is not believed but measured:
best responses against the average, as it will be stored, bracket the value of the game
(`response.py`). Scores that draws join are solved together: the value of a draw is what the
bracket says at the moment.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve import sweep
from put_cli.solve.chain import Chain, Score
from put_cli.solve.hand import Board
from put_cli.solve.response import Values, bounds
from put_cli.solve.stored import Quantised, as_played, pruned, rounded

FADING = 1.5
"""After iteration t the regrets of before count t^FADING / (t^FADING + 1)."""

FIRST_CHECK = 20
GROWTH = 1.3
"""The bracket is measured after so many iterations, and whenever they have grown by this factor."""

STALLED = 0.8
"""Where two measurements running do not bring the bracket below this share of the best before, it
is as narrow as stored probabilities can make it."""


@dataclass(frozen=True)
class Solved:
    """One score: what is played there and what that guarantees, from eldest's side."""

    score: Score
    policy: Quantised
    low: float
    high: float
    iterations: int


@dataclass(frozen=True)
class Progress:
    """How far the scores that are being solved have come."""

    scores: tuple[Score, ...]
    done: int
    """Scores solved before."""
    total: int
    iterations: int
    gap: float
    """The widest bracket of these scores, what follows them taken as known."""


class _Table:
    """The running numbers of one score."""

    def __init__(self, board: Board) -> None:
        size = board.tree.size
        self.policy = board.uniform.copy()
        self.regrets = np.zeros(size, np.float32)
        self.average = np.zeros(size, np.float32)

    def iterate(self, board: Board, payoffs: Values, first: int, last: int) -> None:
        """Iterations `first` to `last`."""
        for iteration in range(first, last + 1):
            for seat in (ELDEST, DEALER):
                board.sweep(
                    seat,
                    payoffs - 0.5,  # small numbers keep their digits in float32
                    self.policy,
                    sweep.LEARN,
                    regrets=self.regrets,
                    average=self.average,
                    weight=(iteration / 100) ** 2,
                    fade=iteration**FADING / (iteration**FADING + 1),
                )


def stalled(measured: Sequence[float]) -> bool:
    """Whether the brackets measured so far, oldest first, have stopped narrowing."""
    return len(measured) > 6 and min(measured[-2:]) > STALLED * min(measured[:-2])


@dataclass(eq=False)
class Solver:
    """Solves what `solved` does not hold yet; `rough` sweeps in float32, `exact` in float64."""

    chain: Chain
    rough: Board
    exact: Board
    solved: dict[int, Solved]

    @property
    def low(self) -> Values:
        """(scores,): what eldest is sure of; 0 where that is not known."""
        return self._known("low", 0.0)

    @property
    def high(self) -> Values:
        """(scores,): what eldest cannot go beyond; 1 where that is not known."""
        return self._known("high", 1.0)

    def _known(self, name: str, unknown: float) -> Values:
        values = np.full(len(self.chain.scores), unknown)
        for number, each in self.solved.items():
            values[number] = getattr(each, name)
        return values

    @property
    def gap(self) -> float:
        """The bracket of the whole game."""
        return float(self.high[0] - self.low[0])

    def solve(self, gap: float, report: Callable[[Progress], None]) -> Iterator[list[Solved]]:
        """Solve group by group, each to a bracket of `gap`; yields the scores of each."""
        for group in self.chain.groups:
            if not all(number in self.solved for number in group):
                yield self._solve(group, gap, report)

    def _solve(
        self, group: Sequence[int], gap: float, report: Callable[[Progress], None]
    ) -> list[Solved]:
        chain = self.chain
        values = (self.low + self.high) / 2
        values[list(group)] = 0.5
        tables = {number: _Table(self.rough) for number in group}
        done, target = 0, FIRST_CHECK
        measured: list[float] = []
        best: dict[int, Quantised] = {}
        while True:
            for number, table in tables.items():
                table.iterate(self.rough, chain.payoffs(number, values), done + 1, target)
            done = target
            low, high = values.copy(), values.copy()
            parts = {n: rounded(chain.tree, table.average) for n, table in tables.items()}
            self._bounds(parts, low, high, gap / 50)
            values = (low + high) / 2
            widest = float((high - low).max())
            scores = tuple(chain.scores[number] for number in group)
            report(Progress(scores, len(self.solved), len(chain.scores), done, widest))
            if widest < min(measured, default=np.inf):
                best, middle = parts, values
            measured.append(widest)
            if widest <= gap or stalled(measured):
                break
            target = max(done + 1, int(done * GROWTH))
        stored = {n: pruned(self.exact, each) for n, each in best.items()}
        low, high = self.low, self.high
        low[list(group)], high[list(group)] = middle[list(group)], middle[list(group)]
        self._bounds(stored, low, high, 1e-9)
        found = [
            Solved(chain.scores[n], stored[n], float(low[n]), float(high[n]), done) for n in group
        ]
        self.solved |= dict(zip(group, found, strict=True))
        return found

    def _bounds(
        self, parts: Mapping[int, Quantised], low: Values, high: Values, close: float
    ) -> None:
        policies = {number: as_played(self.exact, each) for number, each in parts.items()}
        bounds(self.chain, self.exact, policies.__getitem__, low, high, list(parts), close)

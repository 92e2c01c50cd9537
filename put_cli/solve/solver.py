"""An equilibrium, score by score from the end of the game: regret matching+ in vector form.

At each score both players play the hand again and again; every decision is then changed by regret
matching+ (`sweep.py`), one player after the other, and the average of what was played approaches
an equilibrium. Old regrets fade, and iteration t weighs t squared in the average: of the variants
tried (linear and higher weights, without fading, and the predictive one) this needs the fewest
iterations. How near it has come is not believed but measured:
best responses against the average, as it will be stored, bracket the value of the game
(`response.py`). Scores that draws join are solved together: the value of a draw is what the
bracket says at the moment.

The bracket of the whole game is what those of its hands add up to, so each score gets the gap asked
for by the number of hands in a game; a few iterations at every score tell that near enough.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve import sweep
from put_cli.solve.chain import Chain, Score
from put_cli.solve.hand import Board
from put_cli.solve.response import Values, bounds
from put_cli.solve.stored import Quantised, as_played, pruned, rounded

FADING = 1.5
"""After iteration t the regrets of before count t^FADING / (t^FADING + 1)."""

ROUGH = 12
"""Iterations that tell how many hands a game has: within about a tenth."""

STEADY = 0.01
"""Where scores lead back to each other, values are worked out until they change no more than so."""

FIRST_CHECK = 20
GROWTH = 1.3
"""The bracket is measured after so many iterations, and whenever they have grown by this factor."""

STALLED = 0.8
PATIENCE = 3
"""Where so many measurements running do not bring the bracket below this share of the best before,
it is as narrow as stored probabilities can make it. One that is wider comes now and then."""


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
    before, latest = measured[:-PATIENCE], measured[-PATIENCE:]
    return len(before) > PATIENCE and min(latest) > STALLED * min(before)


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
        """Solve group by group, for a bracket of `gap` at 0-0; yields the scores of each."""
        unsolved = [g for g in self.chain.groups if not all(n in self.solved for n in g)]
        each = gap / self.hands_a_game() if unsolved else gap
        for group in unsolved:
            yield self._solve(group, each, report)

    def hands_a_game(self) -> float:
        """About how many hands a game has when it is played well."""
        chain, board = self.chain, self.rough
        values, left = np.full(len(chain.scores), 0.5), np.zeros(len(chain.scores))
        for group in chain.groups:
            tables = {number: _Table(board) for number in group}
            step = ROUGH // 3 if chain.leads_back(group) else ROUGH
            for done in range(0, ROUGH, step):
                for number, table in tables.items():
                    table.iterate(board, chain.payoffs(number, values), done + 1, done + step)
                self._evaluate(tables, values, left)
        return float(left[0])

    def _evaluate(self, tables: Mapping[int, _Table], values: Values, left: Values) -> None:
        """Put into `values` and `left` what a group of scores is worth, and the hands to come."""

        def expected(policy: npt.NDArray[np.float32], pays: Values) -> float:
            return board.chance(board.sweep(ELDEST, pays, policy, sweep.EVALUATE))

        chain, board, group = self.chain, self.rough, list(tables)
        while True:
            before = left[group]
            for number, table in tables.items():
                values[number] = expected(table.policy, chain.payoffs(number, values))
                left[number] = 1 + expected(table.policy, chain.onward(number, left))
            change = np.abs(left[group] - before)
            if (change < STEADY * left[group]).all() or not chain.leads_back(group):
                return

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

"""A sequential test that follows a match, block by block in the order of the schedule.

The verdict is a function of the games alone: not of how many workers play them, in which order
they finish, or how many games were played beyond the block that decided.
"""

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from put_cli.stats.sequential import EMPTY, SequentialTest, Stopped, Verdict, estimate_at
from put_cli.stats.tally import Rows

FEWEST_BLOCKS = 20
"""Where blocks are the units, no verdict comes sooner: their spread has to be known first."""

CELLS = ("pairs_0", "pairs_1", "pairs_2")


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """How a sequential test of a against b stands, or how it ended."""

    test: SequentialTest
    verdict: Verdict | None
    """The hypothesis accepted; None while there is none, and where games ran out."""
    blocks: int
    """Blocks that count: up to the one that decided, or all there are."""
    games: int
    ratio: float
    """The log-likelihood ratio after these games."""
    estimate: Stopped | None
    """Of the difference; None without a verdict, and where it is `sequential.FAR` from the test."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        estimate = self.estimate and {k: round(v, 2) for k, v in asdict(self.estimate).items()}
        return {
            **asdict(self.test),
            "bounds": [round(bound, 6) for bound in self.test.bounds],
            "verdict": self.verdict,
            "blocks": self.blocks,
            "games": self.games,
            "ratio": round(self.ratio, 6),
            "estimate": estimate,
        }


class Watch:
    """Follows the only pairing of a run through its tallies."""

    def __init__(self, test: SequentialTest, *, mirror: bool, memory: bool) -> None:
        """`mirror`: whether games are played in mirrored pairs; `memory`: of either strategy."""
        self._test = replace(test, games_per_unit=2 if mirror else 1)
        self._mirror, self._memory = mirror, memory
        self._units: Counter[float] = Counter()  # of each score
        self._blocks = self._games = 0
        self._seen: list[float] = []  # units at each look
        self._ratio = 0.0
        self._verdict: Verdict | None = None

    def follow(self, rows: Rows) -> bool:
        """Count the next part of the tallies; whether there is a verdict, for good.

        `rows`: of all matches of some blocks, each block whole. A part that does not begin where
        the last one ended is left out: what is between has not been played.
        """
        blocks, which = np.unique(rows["block"], return_inverse=True)
        if not len(blocks) or blocks[0] != self._blocks:
            return self._verdict is not None
        sums = {
            name: np.bincount(which, weights=rows[name]).astype(np.int64)
            for name in ("games", "wins_a", "wins_b", *CELLS)
        }
        for b in range(len(blocks)):
            if self._verdict is not None:
                break
            self._count({name: int(column[b]) for name, column in sums.items()})
        return self._verdict is not None

    def ruling(self) -> Ruling:
        """How the test stands."""
        _, mean, variance = self._moments()
        ratio = self._ratio if self._verdict else self._likelihood()
        return Ruling(
            test=self._test,
            verdict=self._verdict,
            blocks=self._blocks,
            games=self._games,
            ratio=ratio,
            estimate=estimate_at(
                self._test,
                self._verdict,
                mean=mean,
                variance=max(variance, EMPTY**2),
                looks=self._seen,
            )
            if self._verdict
            else None,
        )

    def _count(self, block: dict[str, int]) -> None:
        if self._memory:
            if not self._blocks:
                self._test = replace(self._test, games_per_unit=block["games"])
            self._units[block["wins_a"] / block["games"]] += 1
        elif self._mirror:
            self._units.update(
                {0.0: block["pairs_0"], 0.5: block["pairs_1"], 1.0: block["pairs_2"]}
            )
        else:
            self._units.update({0.0: block["wins_b"], 1.0: block["wins_a"]})
        self._blocks += 1
        self._games += block["games"]
        if self._looks():
            self._seen.append(self._units.total())
            self._ratio = self._likelihood()
            self._verdict = self._test.verdict(self._ratio)

    def _looks(self) -> bool:
        """After every block, and of very many after every hundredth or thousandth part more."""
        if self._memory and self._blocks < FEWEST_BLOCKS:
            return False
        return bool(self._blocks % 10 ** max(0, len(str(self._blocks)) - 3) == 0)

    def _moments(self) -> tuple[float, float, float]:
        """Number of units, and mean and variance of their scores."""
        units = float(self._units.total())
        if not units:
            return 0.0, 0.0, 0.0
        mean = sum(score * count for score, count in self._units.items()) / units
        square = sum((score - mean) ** 2 * count for score, count in self._units.items())
        return units, mean, square / units

    def _likelihood(self) -> float:
        if self._memory:
            return self._test.ratio_of_scores(*self._moments())
        cells = [self._units[score] for score in ((0.0, 0.5, 1.0) if self._mirror else (0.0, 1.0))]
        return self._test.log_likelihood_ratio(cells)

"""A tournament held against the exact chances: how far each pairing's result lies from them.

Mirrored pairs of games (same cards, chairs exchanged) are the independent units; games without a
mirror image are units themselves. The standard error is that of the units about the exact chance,
so that z is about standard normal when the simulation is right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from put_cli.engine.players import Contestant
from put_cli.errors import UsageError
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.exact import exactly
from put_cli.solve.players import NotPlayable, check_memoryless
from put_cli.solve.room import room
from put_cli.stats.lines import PairingLine

FAR = 3.0
"""Beyond this many standard errors a result is told of; one in 370 is by chance."""


@dataclass(frozen=True)
class Checked:
    """One pairing; chances and scores are those of `a`."""

    a: str
    b: str
    exact: float
    score: float
    games: int
    z: float | None
    """Standard errors from the exact chance; None where the games leave no error to measure by."""


@dataclass(frozen=True)
class Crosstable:
    """Every pairing that has an exact chance."""

    pairings: tuple[Checked, ...]
    left_out: tuple[str, ...]
    """Strategies that have none, and why, in words."""

    @property
    def far(self) -> tuple[Checked, ...]:
        """Those beyond FAR standard errors, or off where nothing could be."""
        return tuple(
            each
            for each in self.pairings
            if (abs(each.z) > FAR if each.z is not None else abs(each.score - each.exact) > 1e-9)
        )

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "pairings": [asdict(each) for each in self.pairings],
            "far": len(self.far),
            "left_out": list(self.left_out),
        }


def z_score(counts: Mapping[str, int], chance: float) -> float | None:
    """How many standard errors the wins of `a` in a pairing lie from a chance.

    `counts` are named as in the tally table.
    """
    pairs = [counts[f"pairs_{wins}"] for wins in (0, 1, 2)]
    alone = counts["games"] - 2 * sum(pairs)
    squares = sum(n * (wins - 2 * chance) ** 2 for wins, n in enumerate(pairs))
    variance = squares + alone * chance * (1 - chance)
    if variance < 1e-12:
        return None
    return (counts["wins_a"] - counts["games"] * chance) / sqrt(variance)


def crosstable(
    rules: RuleSet,
    contestants: Sequence[Contestant],
    lines: Sequence[PairingLine],
    threads: int | None = None,
    add: Callable[[int], None] = lambda _: None,
) -> Crosstable:
    """The results of a tournament held against the exact chances.

    `lines` name the contestants; `add` hears of every pairing that is done.

    Raises:
        UsageError: it is not a game of two players without misdeals.
    """
    left_out: dict[str, str] = {}
    for each in contestants:
        try:
            check_memoryless(each)
        except UsageError as error:
            left_out[each.name] = str(error).partition(":")[0]
    by_name = {each.name: each for each in contestants}
    found = []
    with room(rules, classes=False, threads=threads) as (chain, board):
        for line in lines:
            if line.games and not {line.a, line.b} & left_out.keys():
                try:
                    result = exactly(chain, board, by_name[line.a], by_name[line.b])
                except NotPlayable as error:
                    left_out[f"{line.a} against {line.b}"] = str(error)
                else:
                    score = line.counts["wins_a"] / line.games
                    z = z_score(line.counts, result.wins)
                    found.append(Checked(line.a, line.b, result.wins, score, line.games, z))
            add(1)
    return Crosstable(tuple(found), tuple(left_out.values()))

"""A pairing told as a duel: `head_to_head` applied to a line of the standings."""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from scipy.special import stdtr

from put_cli.stats.head_to_head import (
    Elo,
    Normalized,
    elo_with_margin,
    games_for_precision,
    games_to_tell_apart,
    normalized_elo,
    superiority_of_cells,
    sweep,
    worth_of_mirroring,
)
from put_cli.stats.lines import PairingLine


@dataclass(frozen=True, kw_only=True)
class Duel:
    """What two strategies showed against each other, from the side of a."""

    line: PairingLine
    cells: tuple[int, ...]
    """Mirrored pairs of which a won none, one and both; without mirroring games lost and won."""
    elo: Elo
    normalized: Normalized | None
    """None with memory, whose blocks are no cells, and where all pairs ended alike."""
    superiority: float
    """How likely it is, after these games, that a is the better."""
    mirroring: float | None
    """As many times the games would single deals have taken; None where that is unknown."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "a": self.line.a,
            "b": self.line.b,
            "cells": list(self.cells),
            "elo": _rounded(asdict(self.elo)),
            "normalized_elo": self.normalized and _rounded(asdict(self.normalized)),
            "superiority": round(self.superiority, 6),
            "mirroring": None if self.mirroring is None else round(self.mirroring, 3),
        }


def duel(line: PairingLine) -> Duel | None:
    """The duel of a pairing of two; None before its first game."""
    if line.score_a is None:
        return None
    counts, units = line.counts, line.units
    pairs = tuple(counts[f"pairs_{cell}"] for cell in range(3))
    mirrored = any(pairs)
    cells = pairs if mirrored else (counts["wins_b"], counts["wins_a"])
    remembered = units.kind == "blocks" or units.assumed
    if line.score_a in (0, 1):
        elo = sweep(line.score_a == 1, line.games)
    else:
        elo = elo_with_margin(line.score_a, units.margin(0) / line.games)
    if remembered:
        error = sqrt(float(units.variance[0, 0])) / line.games
        better = float(stdtr(units.freedom, (line.score_a - 0.5) / error))
    else:
        better = superiority_of_cells(cells)
    return Duel(
        line=line,
        cells=cells,
        elo=elo,
        normalized=None if remembered else normalized_elo(cells, len(cells) - 1),
        superiority=better,
        mirroring=worth_of_mirroring(cells) if mirrored and not remembered else None,
    )


@dataclass(frozen=True, kw_only=True)
class Need:
    """How many games a pairing needs, judged by a pilot."""

    line: PairingLine
    """What the pilot came to."""
    precise: int
    """Games for the precision asked for."""
    shown: int
    """Games to tell a difference of that size from none."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        names = {"a": self.line.a, "b": self.line.b, "pilot": self.line.games}
        return names | {"games_for_precision": self.precise, "games_to_tell_apart": self.shown}


def games_needed(line: PairingLine, points: float, power: float) -> Need | None:
    """The games that a pairing needs; None before its first."""
    if line.score_a is None:
        return None
    units, games = line.units, line.games
    unit = max(1, round(games / units.count))  # games of one
    # Two games more, won by either, so that a pilot that ended alike plans some games.
    score = (line.score_a * games + 1) / (games + 2)
    variance = float(units.variance[0, 0]) / units.count / unit**2
    return Need(
        line=line,
        precise=games_for_precision(points, score, variance, unit),
        shown=games_to_tell_apart(points, variance, unit, power),
    )


def _rounded(figures: dict[str, float | None]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 2) for name, value in figures.items()}

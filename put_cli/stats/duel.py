"""A pairing told as a duel: `head_to_head` applied to a line of the standings."""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from scipy.special import stdtr

from put_cli.stats.head_to_head import (
    Elo,
    Normalized,
    elo_with_margin,
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


def _rounded(figures: dict[str, float | None]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 2) for name, value in figures.items()}

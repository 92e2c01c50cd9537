"""Ratings and how sure they are, from the sums of a tournament: all its statistics joined."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from put_cli.errors import RunError
from put_cli.stats import luce
from put_cli.stats.clusters import scatter
from put_cli.stats.intervals import Uncertainty, uncertainty
from put_cli.stats.rating import MEAN, SCALE, Rating, rate
from put_cli.stats.sums import Sums
from put_cli.stats.units import Units, table_units


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """What the games of a field say of its strategies."""

    units: tuple[Units, ...]
    """Of every table."""
    ratings: tuple[Rating, ...]
    """By strategy."""
    order: tuple[int, ...]
    """The strategies, best first."""
    members: tuple[int, ...]
    """Those with a rating estimate, best first; only they have an interval."""
    spread: Uncertainty | None
    """Of the strengths of `members`, in that order; None for fewer than two."""


def estimate(sums: Sums, memory: Sequence[bool]) -> Estimates:
    """The ratings of n strategies and their uncertainty; `memory`: of each.

    Raises:
        RunError: no ratings fit, which no games that were played have come to.
    """
    won = sums.won
    units = table_units(sums.seated, won, sums.cells, np.array(memory, dtype=bool))
    try:
        ratings = rate(luce.played(len(memory), sums.seated, won.sum(axis=0)))
    except ArithmeticError as error:
        raise RunError(f"the games of the tallies cannot be rated: {error}.") from None
    # An unrated strategy stands after the rest, so its place within the order is any.
    points = np.array([MEAN if rating.value is None else rating.value for rating in ratings])
    order = tuple(sorted(range(len(memory)), key=lambda i: (ratings[i].level, -points[i], i)))
    # Only estimates have an interval, and only if there are others to be estimated against.
    members = tuple(i for i in order if ratings[i].value is not None and ratings[i].bound is None)
    strengths = (points[list(members)] - MEAN) / SCALE
    return Estimates(
        units=units,
        ratings=ratings,
        order=order,
        members=members,
        spread=spread_of(sums.seated, won, members, strengths, memory, units),
    )


def spread_of(
    seated: NDArray[np.int64],
    won: NDArray[np.int64],
    members: Sequence[int],
    strengths: NDArray[np.float64],
    memory: Sequence[bool],
    units: Sequence[Units],
) -> Uncertainty | None:
    """The uncertainty of the strengths of `members`, in that order, from the games among them.

    `seated`: (T, N); `won`: (B, T, N); `units`: of every table. None for fewer than two members.
    """
    if len(members) < 2:
        return None
    among = luce.renumbered(seated, len(memory), tuple(members))
    inside = np.where(among == luce.NOBODY, 0, won)
    told = ((among != luce.NOBODY).sum(axis=1) > 1) & inside.any(axis=(0, 2))
    among, inside = among[told], inside[:, told]
    if among.shape[1] > 2:  # units of the games among members, where others sat as well
        none = np.zeros((len(among), 3), np.int64)
        here = table_units(among, inside, none, np.array(memory, dtype=bool)[list(members)])
    else:
        here = tuple(units[t] for t in np.flatnonzero(told).tolist())
    games = luce.played(len(members), among, inside.sum(axis=0))
    return uncertainty(games, strengths, scatter(len(members), among, inside, here))

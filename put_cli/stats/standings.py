"""The standings: every figure a tournament is told by, from its tallies.

The one entrance for the rest of the program. No figure is ever nan or infinite: what does not
exist is None here and null in JSON.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from put_cli.errors import UsageError, did_you_mean
from put_cli.stats import luce
from put_cli.stats.duel import Duel, duel
from put_cli.stats.estimates import estimate
from put_cli.stats.first_deal import FirstDeal, first_deal
from put_cli.stats.intervals import Uncertainty, alike
from put_cli.stats.lines import Difference, PairingLine, StrategyLine, TableLine, share
from put_cli.stats.listing import differences, pairing_lines, strategy_lines, table_lines
from put_cli.stats.pattern import Pattern, pattern_of
from put_cli.stats.rating import SCALE, Rating
from put_cli.stats.sentences import sentences, sentences_of_ruling
from put_cli.stats.sums import Sums
from put_cli.stats.tally import Rows
from put_cli.stats.watch import Ruling


@dataclass(frozen=True, kw_only=True)
class Standings:
    """The results of a tournament."""

    games: int
    hands: int
    drawn: int
    """Drawn hands."""
    first_dealer_score: float | None
    """Share of all games won by whoever dealt first."""
    first_deal: FirstDeal | None
    """What dealing first is worth in rating points."""
    strategies: tuple[StrategyLine, ...]
    """Best first."""
    pairings: tuple[PairingLine, ...]
    """In the order they were given; none for games of more than two."""
    tables: tuple[TableLine, ...]
    """The same for games of more than two."""
    differences: tuple[Difference, ...]
    """Of every two strategies with a rating estimate, the better first."""
    groups: tuple[tuple[str, ...], ...]
    """Strategies these games cannot tell apart, pair by pair; groups may overlap."""
    pattern: Pattern | None
    """How well one number for each strategy tells who beats whom; only for two at a table."""
    blocks: int | None
    """Blocks of deals that the intervals rest on: see `clusters.Scatter`."""
    ruling: Ruling | None
    """Of the sequential test that the match was played by, if it was."""
    sentences: tuple[str, ...]
    """What the figures do and do not show, in words."""

    @property
    def duel(self) -> Duel | None:
        """The only pairing, told as a duel from the side of its first strategy."""
        return duel(self.pairings[0]) if len(self.pairings) == 1 else None

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        first = self.first_dealer_score
        deal = self.first_deal
        lines = [line.plain() for line in self.pairings]
        tables = {"tables": [line.plain() for line in self.tables]} if self.tables else {}
        return {
            "games": self.games,
            "hands": self.hands,
            "drawn": self.drawn,
            "first_dealer_score": None if first is None else round(first, 6),
            "first_deal": None if deal is None else deal.plain(),
            "strategies": [line.plain() for line in self.strategies],
            "pairings": lines,
            **tables,
            "differences": [each.plain() for each in self.differences],
            "groups": [list(group) for group in self.groups],
            "pattern": None if self.pattern is None else self.pattern.plain(),
            **({"duel": self.duel.plain()} if self.duel else {}),
            **({"sprt": self.ruling.plain()} if self.ruling else {}),
            "blocks": self.blocks,
            "sentences": list(self.sentences),
        }


def standings(
    parts: Iterable[Rows],
    *,
    names: Sequence[str],
    memory: Sequence[bool],
    pairs: Sequence[tuple[int, ...]],
    anchor: tuple[str, float] | None = None,
    ruling: Ruling | None = None,
) -> Standings:
    """The standings of n strategies from the tally rows of their matches.

    `parts`: the tally table in parts, in any order; `names`, `memory`: of the n strategies, by
    index; `pairs`: the pairings or larger tables of the tournament as indices i < j < ...;
    `anchor`: a strategy and the rating it is to have, instead of 1500 for the mean; `ruling`: of
    the sequential test that a match of two was played by, only passed on and told. Raises
    RunError for rows of any other pairing, UsageError for an anchor without a rating estimate.
    """
    return from_sums(
        Sums.of(parts, pairs), names=names, memory=memory, anchor=anchor, ruling=ruling
    )


def from_sums(
    sums: Sums,
    *,
    names: Sequence[str],
    memory: Sequence[bool],
    anchor: tuple[str, float] | None = None,
    ruling: Ruling | None = None,
) -> Standings:
    """As `standings`, from tally rows that were added up."""
    found = estimate(sums, memory)
    units, members, spread = found.units, found.members, found.spread
    shown, margins = _scaled(found.ratings, names, members, spread, anchor)
    strategies = strategy_lines(found.order, names, shown, margins, sums)
    two = sums.seated.shape[1] == 2
    pairings = pairing_lines(names, sums, units) if two else ()
    tables = () if two else table_lines(names, sums, units)
    apart = differences(members, names, spread)
    groups = tuple(tuple(names[members[k]] for k in group) for group in alike(spread))
    pattern = pattern_of(names, members, spread, sums, units) if two else None
    deal = _first_deal(sums, members)
    blocks = spread.scatter.blocks if spread else None
    played = int(sums.totals["games"].sum())
    return Standings(
        games=played,
        hands=int(sums.totals["hands"].sum()),
        drawn=int(sums.totals["drawn"].sum()),
        first_dealer_score=share(sums.first_dealer_wins, played),
        first_deal=deal,
        strategies=strategies,
        pairings=pairings,
        tables=tables,
        differences=apart,
        groups=groups,
        pattern=pattern,
        blocks=blocks,
        ruling=ruling,
        sentences=sentences(
            strategies, pairings, apart, groups, pattern, deal, blocks=blocks, anchor=anchor
        )
        + (sentences_of_ruling(ruling, pairings) if ruling else ()),
    )


def _scaled(
    ratings: Sequence[Rating],
    names: Sequence[str],
    members: Sequence[int],
    spread: Uncertainty | None,
    anchor: tuple[str, float] | None,
) -> tuple[tuple[Rating, ...], dict[int, float]]:
    """The ratings as they are to be shown, and the margins of those that have one.

    Margins are of the difference from the anchor, or without one from the mean.
    """
    if anchor is None:
        margins = {i: spread.of_strength(k) for k, i in enumerate(members)} if spread else {}
        return tuple(ratings), {i: SCALE * half_width for i, half_width in margins.items()}
    name, value = anchor
    if name not in names:
        raise UsageError(
            f"--anchor: there is no strategy {name!r} in this run."
            f"{did_you_mean(name, list(names))} They are: {', '.join(names)}."
        )
    base = ratings[names.index(name)].value
    if base is None or names.index(name) not in members:
        raise UsageError(
            f"--anchor: {name!r} has no rating estimate: it won all of its games against some of "
            "the others or lost them all. Name another."
        )
    here = members.index(names.index(name))
    shifted = tuple(
        rating if rating.value is None else replace(rating, value=rating.value - base + value)
        for rating in ratings
    )
    margins = {
        i: SCALE * spread.of_difference(k, here)
        for k, i in enumerate(members)
        if spread and k != here
    }
    return shifted, margins


def _first_deal(sums: Sums, members: Sequence[int]) -> FirstDeal | None:
    """Of the games among `members`, where the tallies tell who dealt."""
    if sums.outcomes.shape[2] == 1:
        return None
    seated = luce.renumbered(sums.seated, int(sums.seated.max(initial=0)) + 1, tuple(members))
    inside = (seated != luce.NOBODY).all(axis=1)
    return first_deal(len(members), seated[inside], sums.outcomes[:, inside])

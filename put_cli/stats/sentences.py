"""The standings in words: what the figures show, and what they do not."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from put_cli.stats.first_deal import FirstDeal
from put_cli.stats.lines import Difference, PairingLine, StrategyLine
from put_cli.stats.pattern import Pattern
from put_cli.stats.watch import Ruling

FEW_UNITS = 20
"""With fewer independent units than this an interval is called rough."""

MOST_LISTED = 6
"""As many names or pairings are spelled out in a sentence; the rest is counted."""


def sentences(
    strategies: Sequence[StrategyLine],
    pairings: Sequence[PairingLine],
    differences: Sequence[Difference],
    groups: Sequence[Sequence[str]],
    pattern: Pattern | None,
    deal: FirstDeal | None,
    *,
    blocks: int | None,
    anchor: tuple[str, float] | None,
) -> tuple[str, ...]:
    """What to tell people about these standings; `strategies` best first.

    `blocks`: as in `clusters.Scatter`; `anchor`: the strategy that sets the scale, if one does.
    """
    if not any(line.games for line in strategies):
        return ("No games were played, so there are no ratings.",)
    return (
        *_told_apart(differences, groups),
        *_pattern(pattern),
        *_first_deal(deal),
        *_scale(strategies, anchor),
        *_bounds(strategies),
        *_not_compared(strategies, pairings),
        *_few_blocks(blocks),
        *_few_units(pairings),
        *_forfeits(strategies),
    )


def sentences_of_ruling(ruling: Ruling, pairings: Sequence[PairingLine]) -> tuple[str, ...]:
    """What to tell people about a match that was played by a sequential test."""
    test, (line,) = ruling.test, pairings
    points = "Elo" if test.scale == "logistic" else "normalized Elo"
    asked = (
        f"Sequential test, is {line.a} at most {test.elo0:g} {points} above {line.b} (H0) or at "
        f"least {test.elo1:g} (H1), with {100 * test.alpha:g} and {100 * test.beta:g} % error"
    )
    low, high = test.bounds
    ratio = f"log-likelihood ratio {ruling.ratio:.2f}, bounds {low:.2f} and {high:.2f}"
    if ruling.verdict is None:
        return (f"{asked}: no verdict after {ruling.games:,} games ({ratio}).",)
    found = ruling.estimate
    told = (
        "The difference is far from both hypotheses, so luck had little part in the stop, and the "
        "duel's own figure stands."
        if found is None
        else f"As play stopped where it did, the difference is best put at {found.value:z.1f} Elo "
        f"(95 %: {found.low:z.1f} to {found.high:z.1f}), median unbiased; the duel's own figure "
        "leans to the verdict."
    )
    return (
        f"{asked}: {ruling.verdict} is accepted after {ruling.games:,} games ({ratio}). What the "
        "log may hold beyond them, as games are played in parts, is not counted anywhere.",
        told,
    )


def _told_apart(
    differences: Sequence[Difference], groups: Sequence[Sequence[str]]
) -> Iterator[str]:
    between = {(each.upper, each.lower): each for each in differences}
    if groups:
        ends = [between[group[0], group[-1]] for group in groups]
        listed = _listed(
            (
                f"{_listed(group)} ({end.points:.0f} +/- {end.margin:.0f} points"
                f"{'' if len(group) == 2 else ' from first to last'})"
                for group, end in zip(groups, ends, strict=True)
            ),
            separator="; ",
        )
        yield f"Strategies these games cannot tell apart, at 95 % each: {listed}."
    elif differences:
        yield "Every estimate is told apart from the next in the list, at 95 % each."


def _pattern(pattern: Pattern | None) -> Iterator[str]:
    if pattern is None:
        return
    worst = pattern.worst
    if worst is not None:
        yield (
            f"Ratings miss the score of a pairing by {100 * pattern.misfit:.1f} % of the games, "
            f"typically; most for {worst.a}, which won {100 * worst.score:.1f} % against {worst.b} "
            f"where {100 * worst.expected:.1f} % was to be expected."
        )
    if pattern.circles:
        circle = pattern.circles[0]
        names = [name for name, _ in circle]
        steps = ", ".join(
            f"{name} beats {after} ({100 * score:.1f} %)"
            for (name, score), after in zip(circle, [*names[1:], names[0]], strict=True)
        )
        count = pattern.circle_count
        many = "" if count == 1 else f", the largest of {count} such circles"
        yield f"Nobody is best among {_listed(names)}: {steps}{many}."


def _first_deal(deal: FirstDeal | None) -> Iterator[str]:
    if deal is not None:
        digits = 0 if deal.high - deal.low >= 1 else 1
        yield (
            f"To deal first is worth {deal.points:z.{digits}f} rating points "
            f"(95 %: {deal.low:z.{digits}f} to {deal.high:z.{digits}f})."
        )


def _scale(strategies: Sequence[StrategyLine], anchor: tuple[str, float] | None) -> Iterator[str]:
    if anchor is not None:
        name, value = anchor
        yield (
            f"Ratings are set so that {name} has {value:.0f}; intervals are of the difference "
            f"from {name}."
        )
        return
    estimates = [line for line in strategies if line.rating is not None and line.bound is None]
    if len(estimates) == 1:
        yield (
            f"The scale starts from {estimates[0].name}, set at {estimates[0].rating:.0f}: "
            "no strategy both won and lost against it."
        )


def _bounds(strategies: Sequence[StrategyLine]) -> Iterator[str]:
    rated = [line.rating for line in strategies if line.rating is not None and line.bound is None]
    for bound, group in groupby(strategies, key=lambda line: line.bound):
        names = [line.name for line in group]
        them = "it" if len(names) == 1 else "them"
        if bound == "at least":
            yield (
                f"{_listed(names)} lost no game to anyone rated below {them}, so no finite rating "
                "fits: the figure is the least that 95 % confidence allows."
            )
        if bound == "at most":
            yield (
                f"{_listed(names)} won no game against anyone rated above {them}, so no finite "
                "rating fits: the figure is the most that 95 % confidence allows."
            )
    if any(
        (line.bound == "at least" and (line.rating or 0) < max(rated))
        or (line.bound == "at most" and (line.rating or 0) > min(rated))
        for line in strategies
    ):
        yield "A bound that overlaps the ratings beside it means too few games to tell the order."


def _not_compared(
    strategies: Sequence[StrategyLine], pairings: Sequence[PairingLine]
) -> Iterator[str]:
    unrated = [line.name for line in strategies if line.rating is None]
    if unrated:
        yield f"These games do not compare {_listed(unrated)} with the rated strategies."
    unmet = _named(pairings, lambda line: line.games == 0)
    if unmet:
        yield f"Pairings without a game: {unmet}."


def _few_blocks(blocks: int | None) -> Iterator[str]:
    if blocks == 0:
        yield (
            "All pairings were dealt the same cards, in a single block, so pairings had to be "
            "taken as independent and intervals of ratings are too narrow: play more games."
        )
    elif blocks is not None and blocks < FEW_UNITS:
        yield (
            f"All pairings were dealt the same cards, in {blocks} blocks, so intervals of ratings "
            "rest on few independent units and are wide (Student's t): play more games."
        )


def _few_units(pairings: Sequence[PairingLine]) -> Iterator[str]:
    few = _named(
        pairings,
        lambda line: line.games > 0 and line.units.count < FEW_UNITS and not line.units.assumed,
    )
    if few:
        yield (
            f"Fewer than {FEW_UNITS} independent units, so intervals are wide (Student's t) and "
            f"rough: {few}."
        )
    assumed = _named(pairings, lambda line: line.games > 0 and line.units.assumed)
    if assumed:
        yield (
            "A single independent unit, so games had to be taken as independent and intervals "
            f"may be too narrow: {assumed}."
        )


def _forfeits(strategies: Sequence[StrategyLine]) -> Iterator[str]:
    lost = [f"{line.name} ({line.forfeits:,})" for line in strategies if line.forfeits]
    if lost:
        yield f"Games lost unplayed, counted as losses: {_listed(lost)}."


def _named(pairings: Sequence[PairingLine], chosen: Callable[[PairingLine], bool]) -> str:
    return _listed(f"{line.a} - {line.b}" for line in pairings if chosen(line))


def _listed(items: Iterator[str] | Sequence[str], separator: str = ", ") -> str:
    """`a, b and c`; of many, the first few and how many more."""
    items = list(items)
    if len(items) > MOST_LISTED:
        items = [*items[:MOST_LISTED], f"{len(items) - MOST_LISTED} more"]
    last = " and " if separator == ", " else separator
    return last.join(filter(None, (separator.join(items[:-1]), *items[-1:])))

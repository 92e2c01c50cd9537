"""Playing until ratings are precise: which tables get how many more games.

The first round gives every table the same games. After each round the intervals of the ratings are
looked at, and the next round is worked out from them alone. It goes to the tables that tell most
about the ratings that are still too uncertain, which are the close ones: the information of a game
about a difference is p (1 - p). Rounds end at blocks that are fixed beforehand and count only when
they are finished, so that neither workers nor interruptions change what is played.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from math import ceil

from put_cli.errors import UsageError
from put_cli.report.tables import counted
from put_cli.stats.standings import Standings
from put_cli.stats.tally import table_members
from put_cli.tournament.rounds import Schedule
from put_cli.tournament.schedule import Plan

FIRST_BLOCKS = 20
"""Blocks of the first round: fewer tell little about how far blocks scatter."""

MOST_GAMES = 1_000_000
"""Of a table, unless something else is asked for."""

LEAST_GROWTH, MOST_GROWTH = 0.05, 1.0
"""How many more games a table gets in a round, as a share of those it has."""

ENOUGH = 0.5
"""The closest so large a share of a strategy's tables get more games."""


@dataclass(frozen=True, kw_only=True)
class Precision:
    """What a run is played for.

    Raises:
        UsageError: a number is out of range.
    """

    elo: float
    """Half the width that 95 % intervals may have, in points of rating."""
    games: int
    """At most so many at a table, whatever the intervals."""

    def __post_init__(self) -> None:
        if not 0.05 <= self.elo <= 1000:
            raise UsageError(f"--until: expected Elo from 0.05 to 1000, got {self.elo:g}.")

    def first(self, plan: Plan) -> Plan:
        """The first round of a run of this plan."""
        block = plan.match_games * plan.matches_per_block
        return replace(plan, games=min(self.games, FIRST_BLOCKS * block))


@dataclass(frozen=True)
class Step:
    """What is to be played next; nothing when there are no `plans`."""

    plans: tuple[Plan, ...]
    words: str


def next_step(precision: Precision, table: Standings, schedule: Schedule, names: list[str]) -> Step:
    """The next round by the standings after all that is scheduled; see the top of this file."""
    wide = {name: width for name, width in _widths(table).items() if width > precision.elo}
    if not wide:
        return Step((), "")
    played = schedule.played()
    open_tables = {n for n, (_, games) in played.items() if games < precision.games}
    chosen = _chosen(table, names, set(wide), list(played)) & open_tables
    if not chosen:  # what is left of the others may still help
        chosen = {n for n in open_tables if any(names[i] in wide for i in _members(n, schedule))}
    if not chosen:
        return Step((), "")
    short = max((width / precision.elo) ** 2 for width in wide.values()) - 1
    growth = min(MOST_GROWTH, max(LEAST_GROWTH, short))
    groups: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    latest = schedule.rounds[-1].plan
    block = latest.match_games * latest.matches_per_block
    for number in sorted(chosen):
        blocks, games = played[number]
        more = min(ceil(games * growth / block) * block, precision.games - games)
        groups[blocks, more].append(number)
    plans = tuple(
        replace(
            latest,
            games=more,
            tables=None,
            newcomers_from=0,
            first_block=blocks,
            chosen=tuple(numbers),
        )
        for (blocks, more), numbers in sorted(groups.items())
    )
    name = max(wide, key=lambda each: (wide[each], each))
    one = "pairing" if latest.sides == 2 else "table"
    return Step(
        plans,
        f"{counted(len(wide), 'rating')} not within ±{precision.elo:g} yet ({name}: "
        f"±{wide[name]:.1f}); {counted(sum(plan.total_games for plan in plans), 'game')} more, of "
        f"{counted(len(chosen), one)}.",
    )


def told(precision: Precision, table: Standings, *, even: bool) -> tuple[str, ...]:
    """What a reader of the standings should know of a run that was played for precision.

    `even`: whether all tables have the same number of games.
    """
    widths = _widths(table)
    wide = [name for name, width in widths.items() if width > precision.elo]
    most = max(widths.values(), default=None)
    sentences = []
    if most is None:
        sentences.append(
            f"No rating has an interval that could have come within ±{precision.elo:g} Elo."
        )
    elif wide:
        sentences.append(
            f"Not every interval is within ±{precision.elo:g} Elo: the widest is ±{most:.1f}. More "
            f"than {precision.games:,} games of a pairing or table were not asked for."
        )
    else:
        sentences.append(
            f"Every interval is within ±{precision.elo:g} Elo, the widest ±{most:.1f}. Play went "
            "on until then, whoever was ahead."
        )
    if not even:
        sentences.append(
            "More games were played where strategies are close, so scores and points are of "
            "unevenly mixed opponents; ratings allow for that as far as one number for each "
            "strategy fits."
        )
    bounded = [line.name for line in table.strategies if line.rating is None or line.bound]
    if bounded:
        sentences.append(
            f"{', '.join(bounded)}: won or lost all games against some others, so there is only a "
            "bound, which was not waited for."
        )
    return tuple(sentences)


def _widths(table: Standings) -> dict[str, float]:
    """Half the width of each interval that there is, by strategy."""
    return {
        line.name: (line.high - line.low) / 2
        for line in table.strategies
        if line.low is not None and line.high is not None
    }


def _members(number: int, schedule: Schedule) -> tuple[int, ...]:
    return table_members(number, schedule.rounds[-1].plan.sides)


def _chosen(table: Standings, names: list[str], wide: set[str], numbers: list[int]) -> set[int]:
    """The closest tables of each strategy that is too uncertain."""
    rating = {
        line.name: line.rating
        for line in table.strategies
        if line.rating is not None and not line.bound
    }
    sides = len(table.tables[0].names) if table.tables else 2
    by_strategy: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for number in numbers:
        who = [names[i] for i in table_members(number, sides)]
        if all(name in rating for name in who):
            close = _information([rating[name] for name in who])
            for name in wide.intersection(who):
                by_strategy[name].append((-close, number))
    return {
        number
        for found in by_strategy.values()
        for _, number in sorted(found)[: ceil(ENOUGH * len(found))]
    }


def _information(ratings: list[float]) -> float:
    """Of a game between these, about who is better; the sum of p (1 - p) by Luce's model."""
    best = max(ratings)
    odds = [10 ** ((rating - best) / 400) for rating in ratings]
    shares = [each / sum(odds) for each in odds]
    return sum(share * (1 - share) for share in shares)

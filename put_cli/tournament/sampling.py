"""A balanced sample of tables, where all of them would be too many to play.

The sample is a function of the three numbers alone: no seed, no luck, so it can be computed again
by whoever reads the run.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from put_cli.stats.tally import table_number

Table = tuple[int, ...]


def balanced_tables(strategies: int, sides: int, count: int) -> list[Table]:
    """`count` different tables of `sides` strategies each, in the order of their numbers.

    Everybody sits at as many tables as everybody else, give or take one. Tables are filled seat
    by seat with whoever has played least, then whoever has met the others at the table least, so
    that meetings are spread as well; then `_even_out` repairs what that left uneven. 1 <= count
    <= the number of all tables.
    """
    everything = comb(strategies, sides)
    if 2 * count > everything:
        # The tables left out are easier to choose, and what a balanced choice leaves is balanced.
        left_out = set(_chosen(strategies, sides, everything - count))
        chosen = [t for t in combinations(range(strategies), sides) if t not in left_out]
    else:
        chosen = _chosen(strategies, sides, count)
    return sorted(chosen, key=table_number)


def _chosen(strategies: int, sides: int, count: int) -> list[Table]:
    played = [0] * strategies
    met = [[0] * strategies for _ in range(strategies)]
    taken: set[Table] = set()
    for _ in range(count):
        table = next(t for t in _best_first(played, met, (), sides) if t not in taken)
        taken.add(table)
        for i in table:
            played[i] += 1
            for j in table:
                met[i][j] += 1
    _even_out(played, taken)
    return list(taken)


def _best_first(
    played: list[int], met: list[list[int]], seated: Table, sides: int
) -> Iterator[Table]:
    """Every table that begins with those seated, the one that spreads games best first."""
    if len(seated) == sides:
        yield tuple(sorted(seated))
        return
    others = [i for i in range(len(played)) if i not in seated]
    for i in sorted(others, key=lambda i: (played[i], sum(met[i][j] for j in seated), i)):
        yield from _best_first(played, met, (*seated, i), sides)


def _even_out(played: list[int], taken: set[Table]) -> None:
    """Exchange strategies at tables until no two have played more than one apart.

    While i has played more than j, more tables have i without j than j without i; so one of the
    former, with j put in the place of i, is a table not taken yet.
    """
    while max(played) - min(played) > 1:
        i, j = played.index(max(played)), played.index(min(played))
        table, new = next(
            (table, new)
            for table in sorted(taken)
            if i in table and j not in table
            for new in [tuple(sorted({*table, j} - {i}))]
            if new not in taken
        )
        taken.remove(table)
        taken.add(new)
        played[i] -= 1
        played[j] += 1

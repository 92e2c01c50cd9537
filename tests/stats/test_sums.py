"""Sums taken part by part are those of the whole table."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from put_cli.errors import RunError
from put_cli.stats.standings import standings
from put_cli.stats.sums import Sums
from put_cli.stats.tally import COUNTS, columns
from tests.stats.tallies import all_pairs, table

PAIRS = all_pairs(3)
MATCHES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), max_size=30)
ROWS = table(
    {"pairing": pairing, "block": block, "mirror": mirror, "games": 10, "wins_a": won}
    | {"wins_b": 10 - won, "dealt_a": 4, "dealt_wins_a": min(won, 3)}
    for pairing, block, mirror, won in [
        (2, 1, 0, 4),
        (0, 0, 0, 7),
        (2, 0, 1, 1),
        (0, 0, 1, 6),
        (2, 0, 0, 2),
    ]
)


def part(rows, *numbers):
    return {name: column[list(numbers)] for name, column in rows.items()}


def test_totals_stand_in_the_order_of_the_pairings_asked_for():
    totals = Sums.of([ROWS], [(1, 2), (0, 2), (0, 1)]).totals
    assert totals["wins_a"].tolist() == [7, 0, 13]
    assert totals["games"].tolist() == [30, 0, 20]


def test_both_matches_of_a_block_are_added_up():
    won = Sums.of([ROWS], [(0, 1), (1, 2)]).won
    assert won.tolist() == [[[13, 7], [3, 17]], [[0, 0], [4, 6]]]


def test_games_are_told_apart_by_who_dealt_first_and_who_won():
    outcomes = Sums.of([part(ROWS, 0)], [(0, 1), (1, 2)]).outcomes
    # Of 10 games a dealt 4 and won 3 of those, and 1 of the 6 that b dealt.
    assert outcomes[1, 1].tolist() == [[3, 1], [1, 5]]


@settings(deadline=None)
@given(st.permutations(range(5)), st.integers(0, 5))
def test_parts_may_come_in_any_order_and_size(order, cut):
    whole = Sums.of([ROWS], all_pairs(3))
    parts = [part(ROWS, *order[:cut]), part(ROWS, *order[cut:])]
    pieces = Sums.of(parts, all_pairs(3))
    assert pieces.outcomes.tolist() == whole.outcomes.tolist()
    assert {k: v.tolist() for k, v in pieces.totals.items()} == {
        k: v.tolist() for k, v in whole.totals.items()
    }


def test_a_table_of_three_has_a_count_for_each_place():
    rows = {column.name: np.zeros(2, dtype=np.int64) for column in columns(3)}
    rows |= {"pairing": np.array([1, 1]), "block": np.array([0, 1]), "games": np.array([6, 12])}
    rows |= {f"wins_{place}": np.array([k, 2 * k]) for k, place in enumerate("abc", start=1)}
    sums = Sums.of([rows], [(0, 1, 2), (0, 1, 3)])
    assert sums.won.tolist() == [[[0, 0, 0], [1, 2, 3]], [[0, 0, 0], [2, 4, 6]]]
    assert sums.totals["wins_c"].tolist() == [0, 9]


def test_an_empty_table_has_zero_totals():
    sums = Sums.of([table([])], all_pairs(2))
    assert all(sums.totals[column.name].tolist() == [0] for column in COUNTS)
    assert sums.won.shape == (0, 1, 2)


def test_rows_of_an_unknown_pairing_are_refused():
    with pytest.raises(RunError, match="pairing 2, which is none of the 1 pairings"):
        Sums.of([ROWS], [(0, 1)])


def matches(played):
    """One block of one match for each (pairing, wins of a, wins of b)."""
    return [
        {"pairing": p, "block": b, "games": won + lost, "wins_a": won, "wins_b": lost, "hands": 7}
        for b, (p, won, lost) in enumerate(played)
    ]


@settings(deadline=None)
@given(MATCHES, st.integers(1, 30), st.lists(st.booleans(), min_size=3, max_size=3))
def test_however_the_table_is_cut_the_standings_are_the_same(played, size, memory):
    rows = matches(played)
    parts = [table(rows[k : k + size]) for k in range(0, len(rows), size)]
    names = ("fox", "hen", "owl")
    tables = [
        standings(each, names=names, memory=memory, pairs=PAIRS).plain()
        for each in ([table(rows)], parts[::-1])
    ]
    assert tables[0] == tables[1]


def test_memory_does_not_grow_with_the_number_of_matches_of_a_block():
    def peak(parts):
        rng = np.random.default_rng(1)
        rows = (
            table(matches(zip(*rng.integers(0, 3, (3, 500)).tolist(), strict=True)))
            for _ in range(parts)
        )
        tracemalloc.start()
        Sums.of(rows, PAIRS)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1)
    assert peak(40) < 1.5 * peak(4)


def test_a_block_costs_a_few_bytes_for_each_pairing():
    rows = table({"pairing": 0, "block": block, "games": 1} for block in range(10_000))
    sums = Sums.of([rows], PAIRS)
    assert sums.outcomes.nbytes == 16 * 3 * 10_000

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.errors import RunError
from put_cli.stats.tally import COLUMNS, COUNTS, Sums, pairing_number, table_number
from tests.stats.tallies import all_pairs, table, tables_of

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


def test_column_names_are_unique_and_explained():
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert all(column.meaning for column in COLUMNS)


def test_pairings_are_numbered_without_gaps_as_strategies_are_added():
    assert [pairing_number(i, j) for i, j in all_pairs(5)] == list(range(10))


@pytest.mark.parametrize("places", [2, 3, 4, 5, 6])
def test_tables_are_numbered_without_gaps_as_strategies_are_added(places):
    numbers = {table_number(who): max(who) for who in tables_of(8, places).tolist()}
    assert sorted(numbers) == list(range(len(numbers)))
    newest = [numbers[number] for number in sorted(numbers)]
    assert newest == sorted(newest)


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
    key = {"pairing": np.array([1, 1]), "block": np.array([0, 1]), "mirror": np.array([0, 2])}
    wins = {f"wins_{place}": np.array([k, 2 * k]) for k, place in enumerate("abc", start=1)}
    sums = Sums.of([{**key, "games": np.array([6, 12]), **wins}], [(0, 1, 2), (0, 1, 3)])
    assert sums.won.tolist() == [[[0, 0, 0], [1, 2, 3]], [[0, 0, 0], [2, 4, 6]]]
    assert sums.totals["wins_c"].tolist() == [0, 9]


def test_an_empty_table_has_zero_totals():
    sums = Sums.of([table([])], all_pairs(2))
    assert all(sums.totals[column.name].tolist() == [0] for column in COUNTS)
    assert sums.won.shape == (0, 1, 2)


def test_rows_of_an_unknown_pairing_are_refused():
    with pytest.raises(RunError, match="pairing 2, which is none of the 1 pairings"):
        Sums.of([ROWS], [(0, 1)])

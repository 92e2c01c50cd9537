import pytest

from put_cli.errors import RunError
from put_cli.stats.tally import COLUMNS, COUNTS, block_totals, pairing_number, pairing_totals
from tests.stats.tallies import all_pairs, table

ROWS = table(
    {"pairing": pairing, "block": block, "mirror": mirror, "games": 10, "wins_a": won}
    for pairing, block, mirror, won in [
        (2, 1, 0, 4),
        (0, 0, 0, 7),
        (2, 0, 1, 1),
        (0, 0, 1, 6),
        (2, 0, 0, 2),
    ]
)


def test_column_names_are_unique_and_explained():
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert all(column.meaning for column in COLUMNS)


def test_pairings_are_numbered_without_gaps_as_strategies_are_added():
    assert [pairing_number(i, j) for i, j in all_pairs(5)] == list(range(10))


def test_totals_stand_in_the_order_of_the_pairings_asked_for():
    totals = pairing_totals(ROWS, [(1, 2), (0, 2), (0, 1)])
    assert totals["wins_a"].tolist() == [7, 0, 13]
    assert totals["games"].tolist() == [30, 0, 20]


def test_both_matches_of_a_block_are_added_up():
    blocks = block_totals(ROWS)
    assert blocks["pairing"].tolist() == [0, 2, 2]
    assert blocks["block"].tolist() == [0, 0, 1]
    assert blocks["wins_a"].tolist() == [13, 3, 4]


def test_an_empty_table_has_zero_totals():
    empty = table([])
    assert pairing_totals(empty, all_pairs(2))["games"].tolist() == [0]
    assert all(len(block_totals(empty)[column.name]) == 0 for column in COUNTS)


def test_rows_of_an_unknown_pairing_are_refused():
    with pytest.raises(RunError, match="pairing 2, which is none of the 1 pairings"):
        pairing_totals(ROWS, [(0, 1)])

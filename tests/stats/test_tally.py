import pytest

from put_cli.stats.tally import COLUMNS, columns, pairing_number, table_members, table_number
from tests.stats.tallies import all_pairs, tables_of


def test_column_names_are_unique_and_explained():
    for sides in range(2, 7):
        names = [column.name for column in columns(sides)]
        assert len(set(names)) == len(names)
        assert all(column.meaning for column in columns(sides))
    assert columns(2) == COLUMNS


def test_pairings_are_numbered_without_gaps_as_strategies_are_added():
    assert [pairing_number(i, j) for i, j in all_pairs(5)] == list(range(10))


@pytest.mark.parametrize("places", [2, 3, 4, 5, 6])
def test_tables_are_numbered_without_gaps_as_strategies_are_added(places):
    numbers = {table_number(who): max(who) for who in tables_of(8, places).tolist()}
    assert sorted(numbers) == list(range(len(numbers)))
    newest = [numbers[number] for number in sorted(numbers)]
    assert newest == sorted(newest)
    assert [table_members(number, places) for number in sorted(numbers)] == sorted(
        (tuple(who) for who in tables_of(8, places).tolist()), key=table_number
    )

"""Sums taken part by part are those of the whole table."""

import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from put_cli.errors import RunError
from put_cli.stats.standings import standings
from put_cli.stats.sums import sums
from put_cli.stats.tally import pairing_totals
from tests.stats.tallies import all_pairs, table

PAIRS = all_pairs(3)
MATCHES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), max_size=30)


def matches(played):
    """One block of one match for each (pairing, wins of a, wins of b)."""
    return [
        {"pairing": p, "block": b, "games": won + lost, "wins_a": won, "wins_b": lost, "hands": 7}
        for b, (p, won, lost) in enumerate(played)
    ]


@settings(deadline=None)
@given(MATCHES, st.integers(1, 30), st.lists(st.booleans(), min_size=3, max_size=3))
def test_however_the_table_is_cut_the_sums_and_the_standings_are_the_same(played, size, memory):
    rows = matches(played)
    parts = [table(rows[k : k + size]) for k in range(0, len(rows), size)]
    whole = table(rows)
    cut = sums(parts, pairs=PAIRS, memory=memory)
    for name, values in pairing_totals(whole, PAIRS).items():
        np.testing.assert_array_equal(cut.totals[name], values)
    for p, (i, j) in enumerate(PAIRS):
        kinds = Counter((won, won + lost) for q, won, lost in played if q == p)
        assert cut.blocks[p] == (kinds if memory[i] or memory[j] else Counter())
    names = ("fox", "hen", "owl")
    tables = [
        standings(each, names=names, memory=memory, pairs=PAIRS) for each in ([whole], parts[::-1])
    ]
    assert tables[0] == tables[1]


def test_the_two_matches_of_a_block_are_one_unit():
    rows = [
        {"block": block, "mirror": mirror, "games": 5, "wins_a": block + mirror}
        for block in (0, 1)
        for mirror in (0, 1)
    ]
    (kinds,) = sums([table(rows)], pairs=[(0, 1)], memory=[True, False]).blocks
    assert kinds == {(1, 10): 1, (3, 10): 1}


def test_memory_does_not_grow_with_the_number_of_matches():
    def peak(parts):
        rng = np.random.default_rng(1)
        rows = (
            table(matches(zip(*rng.integers(0, 3, (3, 500)).tolist(), strict=True)))
            for _ in range(parts)
        )
        tracemalloc.start()
        sums(rows, pairs=PAIRS, memory=[True, False, False])
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1)
    assert peak(40) < 1.5 * peak(4)


def test_a_pairing_that_is_none_of_the_tournament_is_refused_by_number():
    rows = table([{"pairing": 0, "games": 1}, {"pairing": 9, "games": 1}])
    with pytest.raises(RunError, match="pairing 9, which is none of the 3 pairings"):
        sums([rows], pairs=PAIRS, memory=[False] * 3)

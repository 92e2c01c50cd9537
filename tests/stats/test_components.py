import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from put_cli.stats.components import split


def wins_of(n: int, *beats: tuple[int, int]):
    wins = np.zeros((n, n))
    for winner, loser in beats:
        wins[winner, loser] += 1
    return wins


def test_a_circle_of_wins_is_one_component():
    field = split(wins_of(3, (0, 1), (1, 2), (2, 0)))
    assert field.members == ((0, 1, 2),)
    assert field.reference == 0


def test_clean_sweeps_form_a_chain_best_first():
    field = split(wins_of(3, (2, 0), (2, 1), (0, 1)))
    assert field.members == ((2,), (0,), (1,))
    assert field.above.tolist() == [
        [False, True, True],
        [False, False, True],
        [False, False, False],
    ]


def test_the_largest_component_is_the_reference():
    field = split(wins_of(3, (0, 1), (0, 2), (1, 2), (2, 1)))
    assert field.members == ((0,), (1, 2))
    assert field.reference == 1


def test_of_equally_large_components_the_upper_one_is_the_reference():
    assert split(wins_of(2, (1, 0))).reference == 0
    assert split(wins_of(2, (1, 0))).members[0] == (1,)


def test_a_strategy_without_games_is_never_the_reference():
    field = split(wins_of(3, (1, 2)))
    assert field.members[field.reference] == (1,)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_without_games_there_is_no_reference(n):
    field = split(np.zeros((n, n)))
    assert len(field.members) == n
    assert field.reference is None


@settings(deadline=None)
@given(st.integers(1, 8), st.integers(0, 2**64 - 1))
def test_components_are_those_of_scipy_and_winners_stand_first(n, bits):
    arrows = np.array([bits >> k & 1 for k in range(n * n)], dtype=bool).reshape(n, n)
    np.fill_diagonal(arrows, False)
    field = split(arrows.astype(float))
    count, label = connected_components(arrows, connection="strong")
    assert {frozenset(group) for group in field.members} == {
        frozenset(np.flatnonzero(label == c).tolist()) for c in range(count)
    }
    place = {i: c for c, group in enumerate(field.members) for i in group}
    assert all(place[i] <= place[j] for i, j in np.argwhere(arrows))

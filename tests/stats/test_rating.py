from math import isfinite, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, softmax

from put_cli.stats.luce import played
from put_cli.stats.rating import SCALE, rate, sweep_gap
from tests.stats.tallies import games_between, tables_of


def values(wins):
    return [rating.value for rating in rate(games_between(wins))]


def bounds(wins):
    return [rating.bound for rating in rate(games_between(wins))]


def sweep_points(games: int) -> float:
    """The gap at which one strategy wins all of `games` with a chance of 5 %, in points."""
    chance = 0.05 ** (1 / games)
    return 400 * log10(chance / (1 - chance))


def test_ratings_0_200_and_400_come_back_from_the_wins_they_predict():
    true = np.array([0.0, 200.0, 400.0])
    found = values(1000 * expit((true[:, None] - true[None, :]) / SCALE))
    assert np.subtract(found, found[0]) == pytest.approx(true, abs=1e-6)
    assert np.mean(found) == pytest.approx(1500)


def test_ten_wins_to_one_are_400_points():
    upper, lower = values([[0, 10], [1, 0]])
    assert upper - lower == pytest.approx(400)


def test_scores_against_the_field_would_not_give_them_back():
    true = np.array([0.0, 200.0, 400.0])
    chance = expit((true[:, None] - true[None, :]) / SCALE)
    score = (chance.sum(axis=1) - 0.5) / 2
    by_score = 400 * np.log10(score / (1 - score))
    assert by_score == pytest.approx([-281, 0, 281], abs=0.5)


def test_at_tables_of_three_too_they_come_back():
    true = np.array([0.0, 200.0, 400.0, 100.0])
    seated = tables_of(4, 3)
    found = [r.value for r in rate(played(4, seated, softmax(true[seated] / SCALE, axis=1)))]
    assert np.subtract(found, found[0]) == pytest.approx(true, abs=1e-6)


def test_who_never_wins_at_a_table_of_three_is_bounded_by_the_games_of_the_others():
    # Together the two others have odds of 2 to 1 against an equal third before any gap.
    first, second, third = rate(played(3, np.array([[0, 1, 2]]), np.array([[40, 40, 0]])))
    assert (first.value, second.value, third.bound) == (1500, 1500, "at most")
    chance = 0.05 ** (1 / 80)
    assert 1500 - third.value == pytest.approx(400 * log10(chance / (1 - chance) / 2))


def test_at_a_table_of_three_those_who_won_are_rated_as_if_the_third_were_away():
    first, second, _ = rate(played(3, np.array([[0, 1, 2]]), np.array([[50, 5, 0]])))
    assert first.value - second.value == pytest.approx(400)


@pytest.mark.parametrize("games", [1, 2, 4, 5, 20, 1000, 10**9])
def test_a_clean_sweep_between_two_is_bounded_by_clopper_and_pearson(games):
    wins = [[0, 0], [games, 0]]
    assert values(wins) == pytest.approx([1500 - sweep_points(games), 1500], abs=1e-3)
    assert bounds(wins) == ["at most", None]


def test_at_the_bound_the_observed_sweep_has_a_chance_of_5_percent():
    sweeps = np.array([[3, 8], [0, 5]], dtype=float)
    lead = np.array([[0.3, -0.2], [0.9, 1.1]])
    gap = sweep_gap(sweeps, lead)
    chance = np.prod((1 / (1 + np.exp(-lead - gap))) ** sweeps)
    assert chance == pytest.approx(0.05, rel=1e-6)


def test_components_are_rated_by_themselves_and_the_bounds_lie_outside():
    # 0 and 1 are linked and lost to 2 every time; 3 lost to everyone.
    wins = [[0, 6, 0, 10], [4, 0, 0, 10], [10, 10, 0, 10], [0, 0, 0, 0]]
    top, bottom = values(wins)[2:]
    assert bounds(wins) == [None, None, "at least", "at most"]
    assert values(wins)[0] + values(wins)[1] == pytest.approx(3000)
    assert values(wins)[0] - values(wins)[1] == pytest.approx(400 * log10(6 / 4))
    assert bottom < min(values(wins)[:2]) <= max(values(wins)[:2]) < top


def test_gaps_of_a_chain_add_up():
    wins = [[0, 9, 9], [0, 0, 9], [0, 0, 0]]
    gap = sweep_points(9)
    assert values(wins) == pytest.approx([1500, 1500 - gap, 1500 - 2 * gap])
    assert [rating.level for rating in rate(games_between(wins))] == [0, 1, 2]


def test_more_games_in_a_clean_sweep_move_the_bound_further_out():
    gaps = [1500 - values([[0, games], [0, 0]])[1] for games in (5, 50, 500)]
    assert gaps == sorted(gaps)
    assert gaps[0] > 0


def test_strategies_that_no_games_link_are_not_compared():
    # 0 beat 1 and 1 beat 0; 2 beat 3; nobody of the one half met the other.
    wins = [[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 0]]
    assert values(wins)[2:] == [None, None]
    assert bounds(wins) == [None] * 4


def test_two_that_lost_to_the_same_strategy_without_meeting_are_both_bounded():
    wins = [[0, 7, 7], [0, 0, 0], [0, 0, 0]]
    assert bounds(wins) == [None, "at most", "at most"]
    assert values(wins)[1] == values(wins)[2]


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_without_games_nobody_is_rated(n):
    assert values(np.zeros((n, n))) == [None] * n


@settings(deadline=None)
@given(
    st.integers(1, 6),
    st.lists(
        st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 10**7)), min_size=36, max_size=36
    ),
)
def test_whatever_the_wins_ratings_are_finite_and_stand_in_order(n, counts):
    wins = np.array(counts[: n * n], dtype=float).reshape(n, n)
    np.fill_diagonal(wins, 0)
    ratings = rate(games_between(wins))
    rated = [rating.value for rating in ratings if rating.value is not None]
    points = [r.value for r in ratings if r.value is not None and r.bound is None]
    assert all(isfinite(value) for value in rated)
    assert bool(points) == bool(wins.any())
    if points:
        assert np.mean(points) == pytest.approx(1500)
    for i, j in np.argwhere(wins):
        if ratings[i].value is not None:
            assert ratings[i].level <= ratings[j].level

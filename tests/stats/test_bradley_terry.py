"""The fit against closed forms, known strengths and an independent maximisation."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_expit

from put_cli.stats.bradley_terry import (
    constrained_inverse,
    fit,
    gradient,
    information,
    probabilities,
)

SKEWED = np.array(
    [[0, 31, 18, 2], [9, 0, 25, 7], [22, 5, 0, 40], [1, 13, 10, 0]],
    dtype=float,
)


def linked_wins(most: int = 10**6):
    """Win tables in which everyone is linked to everyone: a circle of wins and more at random."""

    def complete(drawn: tuple[int, list[int]]):
        n, counts = drawn
        wins = np.array(counts[: n * n], dtype=float).reshape(n, n)
        np.fill_diagonal(wins, 0)
        for i in range(n):
            wins[i, (i + 1) % n] += 1
        return wins

    counts = st.lists(
        st.one_of(st.just(0), st.integers(0, 20), st.integers(0, most)), min_size=49, max_size=49
    )
    return st.tuples(st.integers(2, 7), counts).map(complete)


def test_two_players_have_the_log_odds_between_them():
    strengths = fit(np.array([[0, 30], [10, 0]], dtype=float))
    assert strengths[0] - strengths[1] == pytest.approx(log(3), abs=1e-10)
    assert strengths.sum() == pytest.approx(0, abs=1e-12)


def test_expected_wins_give_back_the_strengths_they_come_from():
    true = np.array([-1.4, -0.2, 0.1, 1.5])
    assert fit(1000 * probabilities(true)) == pytest.approx(true, abs=1e-9)


def test_strengths_agree_with_a_general_maximiser():
    def loss(free):
        s = np.append(free, 0.0)
        return -(SKEWED * log_expit(s[:, None] - s[None, :])).sum()

    free = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    oracle = np.append(free, 0.0)
    assert fit(SKEWED) == pytest.approx(oracle - oracle.mean(), abs=1e-6)


def test_renaming_the_strategies_renames_the_strengths():
    order = np.array([2, 0, 3, 1])
    assert fit(SKEWED[np.ix_(order, order)]) == pytest.approx(fit(SKEWED)[order], abs=1e-10)


def test_a_lone_strategy_has_strength_zero():
    assert fit(np.zeros((1, 1))).tolist() == [0.0]


@given(linked_wins())
def test_at_the_maximum_everyone_wins_as_often_as_expected(wins):
    strengths = fit(wins)
    games = (wins + wins.T).sum(axis=1)
    assert np.all(np.isfinite(strengths))
    assert np.all(np.abs(gradient(wins, strengths)) <= 1e-9 * games)


def test_a_million_wins_to_one_all_down_a_circle_still_converge():
    n = 12
    wins = np.zeros((n, n))
    for i in range(n - 1):
        wins[i, i + 1] = 1e6
        wins[i + 1, i] = 1
    strengths = fit(wins)
    assert strengths[0] - strengths[-1] == pytest.approx((n - 1) * log(1e6), abs=1e-4)


def test_one_lost_game_counts_beside_a_million_million_won():
    # 0 beat 1 nearly without end, 1 beat 2 and 2 beat 0 once each: with a gap of g on either side
    # of 2, likelihood is greatest where 1e12 / (1 + exp(2g)) = 1 / (1 + exp(-g)).
    strengths = fit(np.array([[0, 1e12, 0], [0, 0, 1], [1, 0, 0]]))
    assert strengths[0] - strengths[2] == pytest.approx(log(1e12) / 2, abs=1e-5)
    assert strengths[2] - strengths[1] == pytest.approx(log(1e12) / 2, abs=1e-5)


def test_a_field_that_is_not_linked_both_ways_has_no_maximum():
    with pytest.raises(ValueError, match="never beat the rest"):
        fit(np.array([[0, 5], [0, 0]], dtype=float))


def test_the_constrained_inverse_undoes_the_information():
    strengths = fit(SKEWED)
    matrix = information(SKEWED + SKEWED.T, strengths)
    inverse = constrained_inverse(matrix)
    assert matrix @ inverse == pytest.approx(np.eye(4) - 0.25, abs=1e-10)
    assert inverse.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-10)

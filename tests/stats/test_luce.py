"""The fit against closed forms, known strengths, choix and an independent maximisation."""

from math import log

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_expit, softmax

from put_cli.stats.luce import NOBODY, Played, constrained_inverse, fit, played
from tests.stats.tallies import all_pairs, games_between, tables_of

SKEWED = np.array(
    [[0, 31, 18, 2], [9, 0, 25, 7], [22, 5, 0, 40], [1, 13, 10, 0]],
    dtype=float,
)


def expected(strengths, seated, games=1000.0, advantage=None):
    """Games as the model expects them, at every table; with an advantage, each place deals."""
    first = None
    if advantage is not None:
        places = seated.shape[1]
        first = np.tile(np.arange(places), len(seated))
        seated = np.repeat(seated, places, axis=0)
    strength = np.asarray(strengths)[seated]
    if first is not None:
        strength[np.arange(len(first)), first] += advantage
    wins = games * softmax(strength, axis=1)
    return Played(n=len(strengths), seated=seated, wins=wins, first=first)


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
    strengths = fit(games_between([[0, 30], [10, 0]]))
    assert strengths[0] - strengths[1] == pytest.approx(log(3), abs=1e-10)
    assert strengths.sum() == pytest.approx(0, abs=1e-12)


def test_three_at_one_table_have_the_logarithms_of_their_wins():
    strengths = fit(played(3, np.array([[0, 1, 2]]), np.array([[60, 30, 10]])))
    assert strengths == pytest.approx(np.log([60, 30, 10]) - np.log([60, 30, 10]).mean(), abs=1e-9)


@pytest.mark.parametrize("places", [2, 3, 4])
def test_expected_wins_give_back_the_strengths_they_come_from(places):
    true = np.array([-1.4, -0.2, 0.1, 1.5])
    assert fit(expected(true, tables_of(4, places))) == pytest.approx(true, abs=1e-9)


def test_the_advantage_of_the_first_deal_comes_back_with_the_strengths():
    true = np.array([-1.4, -0.2, 0.1, 1.5])
    for places in (2, 3):
        found = fit(expected(true, tables_of(4, places), advantage=0.3))
        assert found == pytest.approx(np.append(true, 0.3), abs=1e-9)


def test_two_players_have_the_advantage_of_their_two_log_odds():
    # a wins 40 of the 50 it deals and 30 of the 50 that b deals.
    games = Played(
        n=2,
        seated=np.array([[0, 1], [0, 1]]),
        wins=np.array([[40.0, 10.0], [30.0, 20.0]]),
        first=np.array([0, 1]),
    )
    a, b, advantage = fit(games)
    assert a - b + advantage == pytest.approx(log(40 / 10), abs=1e-9)
    assert a - b - advantage == pytest.approx(log(30 / 20), abs=1e-9)


def test_strengths_of_two_at_a_table_agree_with_a_general_maximiser():
    def loss(free):
        s = np.append(free, 0.0)
        return -(SKEWED * log_expit(s[:, None] - s[None, :])).sum()

    free = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    oracle = np.append(free, 0.0)
    assert fit(games_between(SKEWED)) == pytest.approx(oracle - oracle.mean(), abs=1e-6)


@pytest.mark.parametrize("places", [2, 3, 4, 5])
def test_strengths_agree_with_those_of_choix(places):
    rng = np.random.default_rng(places)
    seated = tables_of(6, places)
    wins = rng.integers(1, 12, size=seated.shape)
    choices = [
        (who[winner], [other for other in who if other != who[winner]])
        for who, won in zip(seated.tolist(), wins.tolist(), strict=True)
        for winner, times in enumerate(won)
        for _ in range(times)
    ]
    ours = fit(played(6, seated, wins))
    assert ours == pytest.approx(choix.ilsr_top1(6, choices, tol=1e-12), abs=1e-6)
    assert ours == pytest.approx(choix.opt_top1(6, choices, tol=1e-10), abs=1e-5)


def test_games_won_by_others_say_nothing_of_a_group():
    seated = np.array([[0, 1, 2], [0, 1, 3]])
    wins = np.array([[5, 3, 90], [7, 2, 0]])
    among = played(4, seated, wins).among((1, 0))
    assert among.seated.tolist() == [[1, 0, NOBODY], [1, 0, NOBODY]]
    strengths = fit(among)
    assert strengths[1] - strengths[0] == pytest.approx(log(12 / 5), abs=1e-9)


def test_renaming_the_strategies_renames_the_strengths():
    order = np.array([2, 0, 3, 1])
    renamed = fit(games_between(SKEWED[np.ix_(order, order)]))
    assert renamed == pytest.approx(fit(games_between(SKEWED))[order], abs=1e-10)


def test_a_lone_strategy_has_strength_zero():
    assert fit(games_between(np.zeros((1, 1)))).tolist() == [0.0]


@settings(deadline=None)
@given(linked_wins())
def test_at_the_maximum_everyone_wins_as_often_as_expected(wins):
    games = games_between(wins)
    strengths = fit(games)
    assert np.all(np.isfinite(strengths))
    assert np.all(np.abs(games.gradient(strengths)) <= 1e-9 * (wins + wins.T).sum(axis=1))


@settings(deadline=None)
@given(st.integers(3, 5), st.integers(0, 2**32))
def test_at_larger_tables_too_everyone_wins_as_often_as_expected(places, seed):
    rng = np.random.default_rng(seed)
    seated = tables_of(6, places)
    wins = rng.integers(0, 10 ** rng.integers(1, 7), size=seated.shape) + 1
    games = played(6, seated, wins)
    strengths = fit(games)
    share = softmax(strengths[seated], axis=1) * wins.sum(axis=1, keepdims=True)
    assert games.by_strategy(wins - share) == pytest.approx(
        np.zeros(6), abs=1e-8 * float(wins.sum())
    )


def test_a_million_wins_to_one_all_down_a_circle_still_converge():
    n = 12
    wins = np.zeros((n, n))
    for i in range(n - 1):
        wins[i, i + 1] = 1e6
        wins[i + 1, i] = 1
    strengths = fit(games_between(wins))
    assert strengths[0] - strengths[-1] == pytest.approx((n - 1) * log(1e6), abs=1e-4)


def test_one_lost_game_counts_beside_a_million_million_won():
    # 0 beat 1 nearly without end, 1 beat 2 and 2 beat 0 once each: with a gap of g on either side
    # of 2, likelihood is greatest where 1e12 / (1 + exp(2g)) = 1 / (1 + exp(-g)).
    strengths = fit(games_between([[0, 1e12, 0], [0, 0, 1], [1, 0, 0]]))
    assert strengths[0] - strengths[2] == pytest.approx(log(1e12) / 2, abs=1e-5)
    assert strengths[2] - strengths[1] == pytest.approx(log(1e12) / 2, abs=1e-5)


def test_a_field_that_is_not_linked_both_ways_has_no_maximum():
    with pytest.raises(ValueError, match="never beat the rest"):
        fit(games_between([[0, 5], [0, 0]]))


def test_at_a_table_of_three_a_win_is_a_win_against_both():
    games = played(3, np.array([[0, 1, 2]]), np.array([[4, 1, 0]]))
    assert games.against().tolist() == [[0, 4, 4], [1, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("advantage", [None, 0.4])
@pytest.mark.parametrize("places", [2, 3])
def test_the_information_is_the_slope_of_the_gradient(places, advantage):
    games = expected([-0.5, 0.2, 0.3, 0.9], tables_of(4, places), advantage=advantage)
    point = np.linspace(-0.3, 0.4, 4 + (advantage is not None))
    slope = [
        (games.gradient(point + step) - games.gradient(point - step)) / 2e-5
        for step in 1e-5 * np.eye(len(point))
    ]
    assert games.information(point) == pytest.approx(-np.array(slope), rel=1e-5, abs=1e-5)


def test_the_constrained_inverse_undoes_the_information():
    games = games_between(SKEWED)
    matrix = games.information(fit(games))
    inverse = constrained_inverse(matrix, 4)
    assert matrix @ inverse == pytest.approx(np.eye(4) - 0.25, abs=1e-10)
    assert inverse.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-10)


def test_pairs_of_a_field_are_its_tables_of_two():
    assert sorted(map(tuple, tables_of(4, 2).tolist())) == sorted(all_pairs(4))

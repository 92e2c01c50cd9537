from itertools import permutations

import numpy as np
import pytest
from scipy.special import expit

from put_cli.stats.bootstrap import interval, resampled
from put_cli.stats.cycles import circles, errors, misfits, payoffs, typical_misfit
from put_cli.stats.equilibrium import nash_average
from put_cli.stats.luce import fit, played
from put_cli.stats.units import table_units
from tests.stats.tallies import tables_of


def field(share, games=1000):
    """Seats, wins, payoffs and errors of a field whose scores are `share` (n, n)."""
    n = len(share)
    seated = tables_of(n, 2)
    first = np.round(games * share[seated[:, 0], seated[:, 1]])
    wins = np.stack([first, games - first], axis=1)
    units = table_units(
        seated, wins.astype(int)[None], np.zeros((len(seated), 3), int), np.zeros(n, dtype=bool)
    )
    return seated, wins, payoffs(n, seated, wins), errors(n, seated, wins, units)


def model_scores(strengths):
    return expit(np.subtract.outer(strengths, strengths))


def circle(lead):
    return 0.5 + lead * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def test_a_field_that_follows_the_model_has_no_misfit():
    share = model_scores(np.array([0.5, 0.1, -0.6, 0.0]))
    seated, wins, score, error = field(share, games=10**6)
    found = misfits(fit(played(4, seated, wins)), score, error)
    assert len(found) == 6
    assert all(abs(each.surprise) < 0.01 for each in found)
    assert typical_misfit(found) == 0


def test_the_pairing_that_breaks_the_pattern_stands_first():
    share = model_scores(np.array([0.5, 0.1, -0.6, 0.0]))
    share[0, 2], share[2, 0] = 0.45, 0.55  # where the model expects three in four
    seated, wins, score, error = field(share)
    worst = misfits(fit(played(4, seated, wins)), score, error)[0]
    assert (worst.a, worst.b) == (0, 2)
    assert worst.score == pytest.approx(0.45)
    assert worst.expected > 0.55
    assert worst.surprise < -5


def test_the_typical_misfit_of_a_circle_is_its_lead():
    seated, wins, score, error = field(circle(0.1), games=10**6)
    found = misfits(fit(played(3, seated, wins)), score, error)
    assert typical_misfit(found) == pytest.approx(0.1, abs=1e-3)


def test_chance_alone_is_not_taken_for_misfit():
    share = model_scores(np.array([0.5, 0.1, -0.6, 0.0]))
    rng = np.random.default_rng(8)
    seated = tables_of(4, 2)
    typical = []
    for _ in range(100):
        first = rng.binomial(1000, share[seated[:, 0], seated[:, 1]])
        seated, wins, score, error = field(share_of(seated, first, 1000, 4), games=1000)
        typical.append(typical_misfit(misfits(fit(played(4, seated, wins)), score, error)))
    assert np.mean(typical) < 0.005


def share_of(seated, first, games, n):
    share = np.full((n, n), 0.5)
    share[seated[:, 0], seated[:, 1]] = first / games
    share[seated[:, 1], seated[:, 0]] = 1 - first / games
    return share


def test_rock_paper_and_scissors_are_found_in_the_order_of_beating():
    _, _, score, error = field(circle(0.1))
    (found,) = circles(score, error)
    assert found.members == (0, 1, 2)
    assert found.scores == pytest.approx((0.6, 0.6, 0.6))
    assert found.size == pytest.approx(0.1)
    assert found.weakest == pytest.approx(0.1 / (0.24 / 1000) ** 0.5, rel=0.01)
    (turned,) = circles(score.T, error)
    assert turned.members == (0, 2, 1)


def test_the_largest_circle_stands_first_and_is_as_large_as_its_weakest_link():
    share = np.full((6, 6), 0.5)
    share[:3, :3], share[3:, 3:] = circle(0.05), circle(0.2)
    share[:3, 3:], share[3:, :3] = 0.1, 0.9
    share[4, 5], share[5, 4] = 0.57, 0.43
    _, _, score, error = field(share)
    found = circles(score, error)
    assert [each.members for each in found] == [(3, 4, 5), (0, 1, 2)]
    assert found[0].size == pytest.approx(0.07)


def test_a_circle_that_chance_could_have_made_is_none():
    # Three pairings met, so each step has to be 2.39 standard errors above an even score.
    share = circle(0.1)
    assert len(circles(share, np.full((3, 3), 0.1 / 2.4))) == 1
    assert circles(share, np.full((3, 3), 0.1 / 2.38)) == ()


def test_the_more_pairings_there_are_the_surer_a_circle_has_to_be():
    share = np.full((6, 6), 0.5)
    share[:3, :3] = circle(0.1)
    assert circles(share, np.full((6, 6), 0.1 / 2.4)) == ()
    assert len(circles(share, np.full((6, 6), 0.1 / 3))) == 1


def test_every_circle_of_a_wild_field_is_found_once():
    rng = np.random.default_rng(3)
    share = np.triu(rng.random((9, 9)), 1)
    share += np.tril(1 - share.T, -1)
    np.fill_diagonal(share, 0.5)
    share[0, 5] = share[5, 0] = np.nan
    beats = share > 0.5 + 0.02 * 3.2  # 35 pairings met: beyond 3.19 standard errors
    expected = [
        each
        for each in permutations(range(9), 3)
        if each[0] == min(each) and all(beats[each[k], each[(k + 1) % 3]] for k in range(3))
    ]
    found = [each.members for each in circles(share, np.full((9, 9), 0.02))]
    assert len(expected) > 5
    assert sorted(found) == sorted(expected)


def test_a_transitive_field_has_no_circle():
    _, _, score, error = field(model_scores(np.array([0.5, 0.1, -0.6, 0.0])))
    assert circles(score, error) == ()


def test_pairings_that_never_met_are_left_out():
    seated, wins, _, _ = field(circle(0.1))
    wins[0] = 0
    score = payoffs(3, seated, wins)
    assert np.isnan(score[0, 1])
    assert circles(score, np.full((3, 3), 0.01)) == ()
    assert len(misfits(np.zeros(3), score, np.full((3, 3), 0.01))) == 2


def test_resampled_runs_have_as_many_blocks_and_come_from_the_seed():
    won = np.arange(24).reshape(4, 3, 2)
    runs = resampled(np.ones_like(won), 5, seed=1)
    assert runs.tolist() == np.full((5, 3, 2), 4).tolist()
    assert resampled(won, 5, seed=1).tolist() == resampled(won, 5, seed=1).tolist()
    assert resampled(won, 5, seed=1).tolist() != resampled(won, 5, seed=2).tolist()


def test_the_interval_of_a_mean_is_that_of_its_formula():
    rng = np.random.default_rng(2)
    first = rng.binomial(100, 0.6, size=(200, 1))
    won = np.stack([first, 100 - first], axis=2)
    low, high = interval(won, lambda each: each[:, 0] / each.sum(axis=1), draws=4000)[:, 0]
    margin = 1.96 * (first / 100).std(ddof=1) / 200**0.5
    assert (high - low) / 2 == pytest.approx(margin, rel=0.05)


def test_an_equilibrium_has_intervals_too():
    rng = np.random.default_rng(2)
    seated = tables_of(3, 2)
    share = circle(0.2)
    first = rng.binomial(20, share[seated[:, 0], seated[:, 1]], size=(100, 3))
    won = np.stack([first, 20 - first], axis=2)
    low, high = interval(won, lambda each: nash_average(payoffs(3, seated, each))[0], draws=50)
    assert np.all((low < 1 / 3) & (high > 1 / 3))
    assert np.all(high - low < 0.2)

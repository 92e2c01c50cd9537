import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import null_space

from put_cli.stats.equilibrium import alpha_rank, nash_average

ROCK_PAPER_SCISSORS = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
TRANSITIVE = np.array([[0.5, 0.6, 0.8], [0.4, 0.5, 0.7], [0.2, 0.3, 0.5]])


def with_copy(score, i):
    """The field with a second copy of strategy i as its last."""
    order = [*range(len(score)), i]
    return score[np.ix_(order, order)]


def random_scores(n, seed):
    upper = np.triu(np.random.default_rng(seed).uniform(0, 1, (n, n)), 1)
    return upper + np.tril(1 - upper.T, -1) + 0.5 * np.eye(n)


def test_rock_paper_and_scissors_are_equals():
    mix, scores = nash_average(ROCK_PAPER_SCISSORS)
    assert mix == pytest.approx(np.full(3, 1 / 3), abs=1e-6)
    assert scores == pytest.approx(np.full(3, 0.5), abs=1e-6)


def test_lopsided_circles_favour_whoever_beats_the_favourite():
    # Gains a, b, c of rock over scissors, scissors over paper, paper over rock: b, c ... by turns.
    gain = np.array([[0, -0.1, 0.3], [0.1, 0, -0.2], [-0.3, 0.2, 0]])
    mix, _ = nash_average(gain + 0.5)
    assert mix == pytest.approx(np.array([0.2, 0.3, 0.1]) / 0.6, abs=1e-6)


def test_the_best_of_a_transitive_field_is_the_equilibrium():
    mix, scores = nash_average(TRANSITIVE)
    assert mix == pytest.approx([1, 0, 0], abs=1e-9)
    assert scores == pytest.approx([0.5, 0.4, 0.2], abs=1e-9)


def test_copies_share_the_part_of_their_original():
    mix, scores = nash_average(with_copy(ROCK_PAPER_SCISSORS, 2))
    assert mix == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)
    assert scores == pytest.approx(np.full(4, 0.5), abs=1e-5)


def test_the_published_example_of_a_copied_agent_comes_out_as_published():
    # Balduzzi et al. (2018), example 1: A, B and C beat each other in a circle by log odds of 4.6,
    # and a copy of C halves C's share, where an average over the field would favour A over B.
    odds = 4.6 * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    score = 1 / (1 + np.exp(-odds))
    assert nash_average(score)[0] == pytest.approx(np.full(3, 1 / 3), abs=1e-6)
    mix, scores = nash_average(with_copy(score, 2))
    assert mix == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)
    assert scores == pytest.approx(np.full(4, 0.5), abs=1e-5)
    assert with_copy(score, 2)[0].mean() < with_copy(score, 2)[1].mean()


def test_a_weak_strategy_changes_nothing():
    score = np.full((4, 4), 0.5)
    score[:3, :3] = ROCK_PAPER_SCISSORS
    score[3, :3], score[:3, 3] = 0.1, 0.9
    mix, scores = nash_average(score)
    assert mix == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    assert scores[3] == pytest.approx(0.1, abs=1e-6)


def test_an_even_field_is_mixed_evenly():
    assert nash_average(np.full((5, 5), 0.5))[0] == pytest.approx(np.full(5, 0.2), abs=1e-6)


@settings(deadline=None)
@given(st.integers(1, 8), st.integers(0, 2**32))
def test_nobody_scores_more_than_half_against_the_equilibrium(n, seed):
    mix, scores = nash_average(random_scores(n, seed))
    assert mix.sum() == pytest.approx(1)
    assert scores.max() <= 0.5 + 1e-6
    assert scores[mix > 1e-4] == pytest.approx(0.5, abs=1e-4)


def test_a_missing_score_is_refused():
    score = TRANSITIVE.copy()
    score[0, 1] = np.nan
    with pytest.raises(ValueError, match="every two"):
        nash_average(score)
    with pytest.raises(ValueError, match="every two"):
        alpha_rank(score)


def test_alpha_rank_gives_the_published_shares_of_a_game_of_commitments():
    # T. A. Han, L. M. Pereira, F. C. Santos and T. Lenaerts, Scientific Reports 3 (2013) 2695,
    # with the shares that the authors of alpha-rank test their own program by.
    r, t, p, s, delta, eps = 1, 2, 0, -1, 4, 0.25
    payoff = np.array(
        [
            [r - eps / 2, r - eps, 0, s + delta - eps, r - eps],
            [r, r, s, s, s],
            [0, t, p, p, p],
            [t - delta, t, p, p, p],
            [r, t, p, p, p],
        ]
    )
    published = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    assert alpha_rank(payoff, population=20, intensity=0.1) == pytest.approx(published, abs=1e-7)


def test_alpha_rank_spends_its_time_evenly_in_a_circle_and_all_of_it_at_the_best():
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx(np.full(3, 1 / 3))
    assert alpha_rank(TRANSITIVE) == pytest.approx([1, 0, 0], abs=1e-3)


@pytest.mark.parametrize("intensity", [0.01, 1.0, 1e4])
def test_shares_of_time_are_the_eigenvector_of_the_chain_and_never_overflow(intensity):
    score = random_scores(6, 3)
    share = alpha_rank(score, population=10, intensity=intensity)
    assert np.all(np.isfinite(share))
    assert share.sum() == pytest.approx(1)
    if intensity < 10:
        chain = np.zeros((6, 6))
        for resident in range(6):
            for mutant in range(6):
                if mutant != resident:
                    chain[resident, mutant] = fixation(score, mutant, resident, 10, intensity) / 5
        np.fill_diagonal(chain, 1 - chain.sum(axis=1))
        vector = null_space(chain.T - np.eye(6))[:, 0]
        assert share == pytest.approx(vector / vector.sum())


def fixation(score, mutant, resident, m, intensity):
    """Chance that one mutant takes over, term by term."""
    total, product = 1.0, 1.0
    for k in range(1, m):
        ours = ((k - 1) * score[mutant, mutant] + (m - k) * score[mutant, resident]) / (m - 1)
        theirs = (k * score[resident, mutant] + (m - k - 1) * score[resident, resident]) / (m - 1)
        product *= np.exp(-intensity * (ours - theirs))
        total += product
    return 1 / total

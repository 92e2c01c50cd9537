"""The 95 % intervals hold the true value in 95 % of repetitions, and binomial ones do not."""

from math import sqrt

import numpy as np
import pytest

from put_cli.stats.bradley_terry import fit, probabilities
from put_cli.stats.intervals import margin, uncertainty
from put_cli.stats.units import win_variance

REPETITIONS = 2000
PAIRS = np.array([(0, 1), (0, 2), (1, 2)])
TRUE = np.array([-0.15, 0.0, 0.15])
CHANCE = probabilities(TRUE)[PAIRS[:, 0], PAIRS[:, 1]]


def pair_cells(rng, chance, alike, units):
    """Of `units` mirrored pairs, a share `alike` has one outcome for both games."""
    both = chance * (alike + (1 - alike) * chance)
    none = (1 - chance) * (alike + (1 - alike) * (1 - chance))
    return rng.multinomial(units, (none, 1 - none - both, both))


def opposed_cells(rng, chance, units):
    """Cards decide most: nearly always one game of a pair each."""
    extra = abs(2 * chance - 1)
    both, none = (extra + 0.05, 0.05) if chance > 0.5 else (0.05, extra + 0.05)
    return rng.multinomial(units, (none, 1 - none - both, both))


def coverage(draw, *, units, naive=False):
    """Share of repetitions in which the interval of the first strength holds the true one."""
    rng = np.random.default_rng(20250101)
    held = 0
    for _ in range(REPETITIONS):
        cells = np.array([draw(rng, chance, units) for chance in CHANCE])
        won = cells[:, 1] + 2 * cells[:, 2]
        wins = np.zeros((3, 3))
        wins[PAIRS[:, 0], PAIRS[:, 1]] = won
        wins[PAIRS[:, 1], PAIRS[:, 0]] = 2 * units - won
        share = won / (2 * units)
        variance = (
            2 * units * share * (1 - share)
            if naive
            else np.array([win_variance((0, 1, 2), (2, 2, 2), c, imagined=2) for c in cells])
        )
        strengths = fit(wins)
        spread = uncertainty(
            strengths,
            pairs=PAIRS,
            games=np.full(3, 2.0 * units),
            variance=variance,
            freedom=np.full(3, units - 1.0),
        )
        held += abs(strengths[0] - TRUE[0]) <= spread.of_strength(0)
    return held / REPETITIONS


def alike(rng, chance, units):
    return pair_cells(rng, chance, 0.8, units)


@pytest.mark.parametrize("units", [30, 200])
def test_intervals_hold_when_the_games_of_a_pair_come_out_alike(units):
    assert 0.93 <= coverage(alike, units=units) <= 0.97


def test_intervals_hold_when_the_games_of_a_pair_come_out_opposed():
    assert 0.93 <= coverage(opposed_cells, units=400) <= 0.97


def test_with_few_units_intervals_are_rather_too_wide_than_too_narrow():
    assert 0.95 <= coverage(alike, units=12) <= 0.99


def test_binomial_intervals_are_too_narrow_for_games_that_come_out_alike():
    assert coverage(alike, units=200, naive=True) < 0.90


def test_binomial_intervals_are_too_wide_for_games_that_come_out_opposed():
    assert coverage(opposed_cells, units=400, naive=True) > 0.98


def test_two_players_have_the_interval_of_their_log_odds():
    # The delta method: var(log(w/l)) = var(w) * (1/w + 1/l)**2.
    strengths = fit(np.array([[0.0, 30.0], [20.0, 0.0]]))
    spread = uncertainty(
        strengths,
        pairs=np.array([(0, 1)]),
        games=np.array([50.0]),
        variance=np.array([9.0]),
        freedom=np.array([1e9]),
    )
    assert spread.of_difference(0, 1) == pytest.approx(1.959964 * 3 * (1 / 30 + 1 / 20), rel=1e-6)
    assert spread.of_strength(0) == pytest.approx(spread.of_difference(0, 1) / 2)


def test_few_degrees_of_freedom_widen_the_margin_as_student_does():
    assert margin(4.0, 5) == pytest.approx(2 * 2.570582, rel=1e-6)
    assert margin(1.0, 1e9) == pytest.approx(1.959964, rel=1e-6)


def test_four_times_the_games_halve_the_interval():
    def of(times):
        return uncertainty(
            TRUE,
            pairs=PAIRS,
            games=np.full(3, 100.0 * times),
            variance=np.full(3, 25.0 * times),
            freedom=np.full(3, 1e9),
        ).of_strength(1)

    assert of(4) == pytest.approx(of(1) / sqrt(4))

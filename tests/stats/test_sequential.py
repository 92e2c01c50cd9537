"""Sequential tests: published ratios, their error rates, and estimates after a stop."""

from math import log

import numpy as np
import pytest
from scipy.optimize import minimize

from put_cli.stats.head_to_head import elo_of_score, moments, normalized_elo, score_of_elo
from put_cli.stats.sequential import SequentialTest, after_stop, exit_chance, walk_chance


def pair_chances(elo, shared=0.6):
    """Chances of the three cells of mirrored pairs of which a share is one win each."""
    lead = 2 * score_of_elo(elo) - 1
    return np.array([(1 - shared - lead) / 2, shared, (1 - shared + lead) / 2])


def play(test, chances, *, step, repetitions, seed):
    """Cells at which the test stops, looking every `step` pairs."""
    rng = np.random.default_rng(seed)
    stops = []
    for _ in range(repetitions):
        cells = np.zeros(len(chances), dtype=int)
        while True:
            cells += rng.multinomial(step, chances)
            if test.verdict(test.log_likelihood_ratio(cells)):
                break
        stops.append(cells)
    return stops


def accepted(test, stops):
    return [test.verdict(test.log_likelihood_ratio(cells)) for cells in stops]


@pytest.mark.parametrize(
    ("cells", "elo1", "scale", "published"),
    [
        ((379, 10170, 21828, 10640, 343), 2, "normalized", 2.946),
        ((13, 37, 50, 25, 3), 2.716, "logistic", -0.538),
    ],
)
def test_pairs_have_the_published_log_likelihood_ratio(cells, elo1, scale, published):
    test = SequentialTest(elo0=0, elo1=elo1, scale=scale)
    assert test.log_likelihood_ratio(cells) == pytest.approx(published, abs=0.001)


def test_single_games_that_passed_their_published_test_pass_it():
    test = SequentialTest(elo0=0, elo1=5, games_per_unit=1)
    assert test.verdict(test.log_likelihood_ratio((759, 1863, 880))) == "H1"


@pytest.mark.parametrize("scale", ["logistic", "normalized"])
def test_the_ratio_is_that_of_the_likeliest_distributions_a_general_maximiser_finds(scale):
    test = SequentialTest(elo0=-20, elo1=60, scale=scale)
    cells = np.array((13, 37, 50, 25, 8))
    score = np.linspace(0, 1, 5)

    def condition(elo):
        if scale == "logistic":
            return lambda p: p @ score - score_of_elo(elo)
        one = log(10) / 800 * 2**0.5  # a point, in deviations of a pair
        return lambda p: p @ score - 0.5 - elo * one * (p @ score**2 - (p @ score) ** 2) ** 0.5

    def best(elo):
        found = minimize(
            lambda p: -(cells @ np.log(p)),
            cells / cells.sum(),
            method="SLSQP",
            bounds=[(1e-6, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": condition(elo)},
                {"type": "eq", "fun": lambda p: p.sum() - 1},
            ],
            options={"ftol": 1e-13, "maxiter": 500},
        )
        return -found.fun

    assert test.log_likelihood_ratio(cells) == pytest.approx(best(60) - best(-20), abs=1e-4)


def test_before_the_first_pair_nothing_is_likelier():
    assert SequentialTest(elo0=0, elo1=5).log_likelihood_ratio((0, 0, 0)) == 0


@pytest.mark.parametrize("cells", [(0, 0, 3), (3, 0, 0), (0, 3, 0), (1, 0, 0)])
@pytest.mark.parametrize("scale", ["logistic", "normalized"])
def test_few_pairs_that_ended_alike_have_a_finite_ratio(cells, scale):
    test = SequentialTest(elo0=-80, elo1=120, scale=scale)
    ratio = test.log_likelihood_ratio(cells)
    assert np.isfinite(ratio)
    assert np.sign(ratio) == np.sign(cells[2] - cells[0] + (0 if sum(cells[::2]) else -1))


def test_many_units_have_the_ratio_of_the_normal_law():
    test = SequentialTest(elo0=0, elo1=10)
    cells = np.array((800, 3000, 5000, 3100, 830))
    mean, variance = moments(cells)
    assert test.ratio_of_scores(cells.sum(), mean, variance) == pytest.approx(
        test.log_likelihood_ratio(cells), rel=0.02
    )


def test_few_units_make_the_normal_law_less_sure():
    test = SequentialTest(elo0=0, elo1=40)
    near, far = test.scores(0.01)
    few = test.ratio_of_scores(10, 0.7, 0.0001)
    assert 0 < few < 10 * ((0.7 - near) ** 2 - (0.7 - far) ** 2) / 2 / 0.0001
    assert test.ratio_of_scores(0, 0, 0) == 0


@pytest.mark.parametrize("true", [0, 40])
def test_wrong_verdicts_are_rare_for_blocks_too(true):
    test = SequentialTest(elo0=0, elo1=40)
    rng = np.random.default_rng(6)
    wrong = 0
    for _ in range(400):
        score = score_of_elo(true) + 0.15 * rng.standard_normal(5000)
        for n in range(20, 5000):
            verdict = test.verdict(test.ratio_of_scores(n, score[:n].mean(), score[:n].var()))
            if verdict:
                break
        wrong += verdict != ("H1" if true else "H0")
    assert wrong / 400 <= 0.05


def test_the_bounds_are_those_of_wald():
    low, high = SequentialTest(elo0=0, elo1=5, alpha=0.05, beta=0.1).bounds
    assert (low, high) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


@pytest.mark.parametrize("numbers", [{"elo0": 5, "elo1": 5}, {"elo0": 0, "elo1": 5, "alpha": 0.0}])
def test_numbers_that_make_no_test_are_refused(numbers):
    with pytest.raises(ValueError, match="expected"):
        SequentialTest(**numbers)


def test_wrong_verdicts_are_rare():
    test = SequentialTest(elo0=0, elo1=30)
    h0 = play(test, pair_chances(0), step=40, repetitions=150, seed=1)
    assert np.mean([each == "H1" for each in accepted(test, h0)]) <= 0.06
    h1 = play(test, pair_chances(30), step=40, repetitions=150, seed=2)
    assert np.mean([each == "H0" for each in accepted(test, h1)]) <= 0.06


@pytest.mark.long
@pytest.mark.parametrize(("scale", "step"), [("logistic", 20), ("logistic", 5), ("normalized", 40)])
def test_wrong_verdicts_are_no_more_frequent_than_asked_for(scale, step):
    test = SequentialTest(elo0=0, elo1=30, scale=scale)
    h0 = play(test, pair_chances(0), step=step, repetitions=1000, seed=3)
    assert np.mean([each == "H1" for each in accepted(test, h0)]) <= 0.05


@pytest.mark.parametrize(
    ("step", "repetitions"),
    [(50, 80), *(pytest.param(step, 400, marks=pytest.mark.long) for step in (2, 100))],
)
def test_estimates_after_a_stop_are_as_often_too_high_as_too_low_and_plain_ones_are_not(
    step, repetitions
):
    test = SequentialTest(elo0=0, elo1=30)
    stops = play(test, pair_chances(30), step=step, repetitions=repetitions, seed=5)
    plain = np.mean([elo_of_score(moments(cells)[0]) > 30 for cells in stops])
    told = [after_stop(test, cells, range(step, cells.sum() + 1, step)) for cells in stops]
    found = [each for each in told if each is not None]  # seldom it is far from both hypotheses
    assert len(found) > 0.9 * len(told)
    assert plain > 0.57
    assert 0.43 <= np.mean([each.value > 30 for each in found]) <= 0.57
    assert 0.92 <= np.mean([each.low <= 30 <= each.high for each in found]) <= 0.99


def test_far_from_both_hypotheses_the_plain_estimate_is_left_alone():
    # 34 of 300 pairs drawn and the rest won: 488 Elo, at which no walk would have needed 300.
    test = SequentialTest(elo0=0, elo1=5)
    assert test.verdict(test.log_likelihood_ratio((0, 34, 266))) == "H1"
    assert after_stop(test, (0, 34, 266), [100, 200, 300]) is None
    near = after_stop(test, (190, 490, 320), [1000])
    assert near is not None
    assert 0 < near.low < near.value < near.high < 90


def test_an_estimate_is_asked_for_only_after_a_stop():
    with pytest.raises(ValueError, match="has not stopped"):
        after_stop(SequentialTest(elo0=0, elo1=5), (10, 20, 10), [40])


def test_normalized_and_logistic_tests_agree_for_decided_independent_games():
    cells = (480, 520)
    ratios = [
        SequentialTest(elo0=0, elo1=5, scale=scale, games_per_unit=1).log_likelihood_ratio(cells)
        for scale in ("logistic", "normalized")
    ]
    assert ratios[0] == pytest.approx(ratios[1], rel=0.01)
    assert normalized_elo(cells, 1).value == pytest.approx(elo_of_score(0.52), rel=0.01)


@pytest.mark.parametrize("drift", [-1.5, 0.0, 0.7])
def test_chances_to_have_left_an_interval_are_those_of_a_random_walk(drift):
    # Its chances computed exactly, step by small step.
    distance, width, time, variance = 0.4, 1.0, 0.3, 1.0
    cells = 200
    size = width / cells
    steps = round(time * variance / size**2)
    up = 0.5 * (1 + drift * size / variance)
    there = np.zeros(cells + 1)
    there[round(distance / size)] = 1
    left = 0.0
    for _ in range(steps):
        moved = np.zeros_like(there)
        moved[1:] += there[:-1] * up
        moved[:-1] += there[1:] * (1 - up)
        left += moved[0]
        moved[[0, -1]] = 0
        there = moved
    assert exit_chance(distance, width, drift, variance, time) == pytest.approx(left, abs=0.003)


def test_a_test_that_stops_at_its_only_look_has_the_plain_estimate():
    test = SequentialTest(elo0=0, elo1=30)
    cells = (100, 600, 300)
    mean, variance = moments(cells)
    found = after_stop(test, cells, [1000])
    assert found.value == pytest.approx(elo_of_score(mean), abs=1)
    plain = [elo_of_score(mean + side * 1.96 * (variance / 1000) ** 0.5) for side in (-1, 1)]
    assert (found.low, found.high) == pytest.approx(plain, abs=1)


def test_many_looks_are_as_good_as_all_the_time():
    looks = np.linspace(0, 400, 61)[1:].tolist()
    farther = 0.583 * (0.02 * 400 / 60) ** 0.5
    for drift in (-0.02, 0.0, 0.015):
        walk = walk_chance(-2.9, -2.9, 2.9, drift, 0.02, looks)
        everywhere = exit_chance(2.9 + farther, 5.8 + 2 * farther, drift, 0.02, 400)
        assert walk == pytest.approx(everywhere, abs=0.005)


def test_in_the_long_run_an_interval_is_left_by_either_end():
    ends = [exit_chance(0.3, 1, 0.4, 1, 1e3), exit_chance(0.7, 1, -0.4, 1, 1e3)]
    assert sum(ends) == pytest.approx(1)
    assert exit_chance(0.3, 1, 0, 1, 1e3) == pytest.approx(0.7)

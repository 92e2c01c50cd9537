"""Differences between two, against published results of engine matches and exact small cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, norm

from put_cli.stats.head_to_head import (
    elo,
    elo_of_score,
    games_for_precision,
    games_to_tell_apart,
    half_width,
    moments,
    normalized_elo,
    score_of_elo,
    superiority,
    superiority_of_cells,
    sweep,
    worth_of_mirroring,
)

SINGLE = (759, 1863, 880)  # games lost, drawn, won
PAIRS = (39, 8843, 26675, 9240, 44)  # pairs of the games below, from 0 to 2 points
GAMES = (22569, 44137, 22976)


def test_single_games_have_the_published_elo_and_likelihood_of_superiority():
    found = elo(SINGLE)
    assert found.value == pytest.approx(12.0, abs=0.05)
    assert half_width(found) == pytest.approx(7.9, abs=0.05)
    assert superiority_of_cells(SINGLE) == pytest.approx(0.999, abs=0.0005)


def test_pairs_have_the_published_elo_and_a_narrower_interval_than_their_games():
    paired, alone = elo(PAIRS), elo(GAMES)
    assert paired.value == pytest.approx(1.577, abs=0.0005)
    assert alone.value == pytest.approx(paired.value, abs=1e-9)
    assert half_width(paired) == pytest.approx(1.030, abs=0.001)
    assert half_width(alone) == pytest.approx(1.620, abs=0.001)
    assert worth_of_mirroring(PAIRS, GAMES) == pytest.approx((1.620 / 1.030) ** 2, abs=0.01)


@pytest.mark.parametrize(
    ("cells", "value", "margin"),
    [
        ((379, 10170, 21828, 10640, 343), 3.05, 2.31),
        ((30, 6, 18, 0, 6), -170.08, 62.16),
    ],
)
def test_pairs_have_the_published_normalized_elo(cells, value, margin):
    found = normalized_elo(cells, 2)
    assert found.value == pytest.approx(value, abs=0.005)
    assert found.margin == pytest.approx(margin, abs=0.005)


def test_few_lopsided_pairs_have_the_published_elo_within_a_skew_interval():
    found = elo((30, 6, 18, 0, 6))
    assert found.value == pytest.approx(-168.40, abs=0.005)
    assert found.value - found.low > found.high - found.value + 10


def test_elo_of_the_other_side_is_the_negative_with_the_ends_exchanged():
    cells = (12, 30, 25)
    us, them = elo(cells), elo(cells[::-1])
    assert (them.value, them.low, them.high) == pytest.approx((-us.value, -us.high, -us.low))


def test_normalized_elo_agrees_with_elo_for_decided_independent_games_near_even():
    cells = (4990, 5010)
    assert normalized_elo(cells, 1).value == pytest.approx(elo(cells).value, rel=1e-3)


def test_ten_wins_to_none_give_a_bound_and_not_infinity():
    found = elo((0, 10))
    assert (found.value, found.high) == (None, None)
    assert 1 / (1 + 10 ** (-found.low / 400)) ** 10 == pytest.approx(0.05)
    assert elo((10, 0)).high == pytest.approx(-found.low)
    assert half_width(found) is None


def test_a_sweep_of_pairs_is_bounded_by_the_number_of_its_games():
    assert elo((0, 0, 5), games=10) == sweep(True, 10)


def test_an_end_beyond_all_scores_is_open():
    found = elo((1, 0, 4))
    assert found.low is not None
    assert found.high is None


def test_one_unit_has_no_interval():
    found = elo((0, 1, 0))
    assert (found.value, found.low, found.high) == (0, None, None)


def test_pairs_that_were_all_shared_are_even_but_not_certain():
    found = elo((0, 40, 0))
    assert found.value == 0
    assert found.low < 0 < found.high
    assert normalized_elo((0, 40, 0), 2) is None
    assert worth_of_mirroring((0, 40, 0)) is None


def test_the_likelihood_of_superiority_is_exact_for_few_games():
    assert superiority(10, 0) == pytest.approx(1 - 0.5**11)
    assert round(superiority(10, 0), 4) == 0.9995
    assert superiority(0, 0) == 0.5
    assert superiority(7, 3) == pytest.approx(beta(8, 4).sf(0.5))


def test_for_many_games_it_is_that_of_the_normal_law():
    won, lost = 5100, 4950
    assert superiority(won, lost) == pytest.approx(
        norm.cdf((won - lost) / (won + lost) ** 0.5), abs=1e-3
    )
    five = superiority_of_cells((100, 500, 1000, 560, 120))
    assert five == pytest.approx(norm.cdf(50 / np.sqrt(4 * (220 + 0.25 * 1060) / 4)), abs=0.003)


def test_shared_pairs_say_nothing_of_who_is_better():
    assert superiority_of_cells((3, 1000, 9)) == superiority_of_cells((3, 0, 9))


def test_mirroring_is_worth_nothing_where_the_games_of_a_pair_are_independent():
    assert worth_of_mirroring((25, 50, 25)) == pytest.approx(1)


def test_mirroring_is_worth_much_where_cards_decide():
    # In 8 of 10 pairs the better cards win: a pair varies a fifth of what it would by chance.
    assert worth_of_mirroring((10, 80, 10)) == pytest.approx(2.5)
    assert worth_of_mirroring((50, 0, 50)) == pytest.approx(0.5)


@settings(deadline=None)
@given(st.floats(-1000, 1000))
def test_score_and_elo_undo_each_other(points):
    assert elo_of_score(score_of_elo(points)) == pytest.approx(points, abs=1e-6)


PILOT = np.array((240, 520, 240))


def test_the_planned_games_have_the_precision_planned_for():
    games = games_for_precision(5, *moments(PILOT), 2)
    assert games % 2 == 0
    assert half_width(elo(PILOT * (games / 2 / PILOT.sum()))) == pytest.approx(5, rel=0.01)


def test_half_the_margin_takes_four_times_the_games():
    half, whole = (games_for_precision(points, *moments(PILOT), 2) for points in (2.5, 5))
    assert half == pytest.approx(4 * whole, rel=1e-3)


def test_the_games_to_tell_a_difference_show_it_as_often_as_promised():
    units = games_to_tell_apart(10, moments(PILOT)[1], 2, power=0.8) // 2
    shift = score_of_elo(10) - 0.5
    chances = PILOT / PILOT.sum() + np.array((-shift, 0, shift))
    cells = np.random.default_rng(4).multinomial(units, chances, 2000)
    means = cells @ (0, 0.5, 1) / units
    errors = [(moments(each)[1] / units) ** 0.5 for each in cells]
    shown = np.mean(means - 1.96 * np.array(errors) > 0.5)
    assert 0.77 <= shown <= 0.83

from math import log

import numpy as np
import pytest
from scipy.special import expit

from put_cli.stats.first_deal import first_deal, is_finite
from put_cli.stats.luce import Played
from put_cli.stats.rating import SCALE
from tests.stats.tallies import tables_of


def deal_table(dealt_and_won):
    """Games of a and b, each dealing first: rows dealer, columns winner."""
    return np.array(dealt_and_won, dtype=np.int32)[None, None]


def play(rng, *, advantage, blocks=40, games=25, strengths=(0.4, 0.0, -0.4)):
    """Outcomes (B, T, 2, 2) of a field in which the first deal is worth `advantage`."""
    seated = tables_of(3, 2)
    s = np.array(strengths)[seated]
    lead = s[:, 0] - s[:, 1]
    chance = expit(np.stack([lead + advantage, lead - advantage], axis=1))  # of a; a, b dealing
    first = rng.binomial(games, chance, size=(blocks, *chance.shape))
    return seated, np.stack([first, games - first], axis=3).astype(np.int32)


def test_the_advantage_is_half_the_difference_of_the_log_odds_when_dealing_or_not():
    # a wins 40 of 50 it deals, 30 of 50 that b deals.
    found = first_deal(2, np.array([[0, 1]]), deal_table([[40, 10], [30, 20]]))
    assert found.points == pytest.approx(SCALE * (log(4) - log(1.5)) / 2, abs=1e-6)
    assert found.low < found.points < found.high


def test_the_advantage_that_games_were_played_with_comes_back():
    seated, outcomes = play(np.random.default_rng(1), advantage=0.25, blocks=400)
    found = first_deal(3, seated, outcomes)
    assert found.low < SCALE * 0.25 < found.high
    assert found.high - found.low < 8


def test_its_interval_holds_in_95_percent_of_repetitions():
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        found = first_deal(3, *play(rng, advantage=-0.2))
        held += found.low <= SCALE * -0.2 <= found.high
    assert 0.92 <= held / 300 <= 0.98


def test_a_first_dealer_who_always_wins_has_no_finite_advantage():
    assert first_deal(2, np.array([[0, 1]]), deal_table([[9, 0], [0, 9]])) is None


def test_whoever_deals_all_the_games_hides_the_advantage_in_his_strength():
    assert first_deal(2, np.array([[0, 1]]), deal_table([[6, 3], [0, 0]])) is None


@pytest.mark.parametrize("cells", [[[9, 0], [4, 5]], [[5, 4], [0, 9]], [[0, 9], [4, 5]]])
def test_a_dealer_whose_games_all_end_alike_leaves_no_finite_advantage(cells):
    # Strength and advantage can grow together without end.
    assert first_deal(2, np.array([[0, 1]]), deal_table(cells)) is None


def test_upsets_for_and_against_the_dealer_make_an_advantage_finite():
    # Everyone wins when dealing and loses when not, but for one game that 0 won though 1 dealt.
    seated = np.repeat(tables_of(3, 2), 2, axis=0)
    wins = np.array([[5.0, 0], [1, 4], [5, 0], [0, 5], [5, 0], [0, 5]])
    first = np.tile([0, 1], 3)
    assert not is_finite(Played(n=3, seated=seated, wins=wins, first=first))
    wins[0] = [4, 1]  # and another that 1 won though 0 dealt
    assert is_finite(Played(n=3, seated=seated, wins=wins, first=first))


def test_a_lone_strategy_has_no_advantage():
    assert first_deal(1, np.zeros((0, 2), dtype=int), np.zeros((3, 0, 2, 2), np.int32)) is None

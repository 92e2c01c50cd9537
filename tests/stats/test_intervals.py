"""The 95 % intervals hold the true value in 95 % of repetitions, and simpler ones do not."""

from math import sqrt

import numpy as np
import pytest
from scipy.special import softmax

from put_cli.stats.clusters import scatter
from put_cli.stats.intervals import alike, uncertainty
from put_cli.stats.luce import fit, played
from put_cli.stats.units import Units, table_units
from tests.stats.tallies import all_pairs, tables_of

BINOMIAL = np.array([[1.0, -1.0], [-1.0, 1.0]])


def spread_of(n, seated, won, *, cells=None, memory=False, units=None):
    """The uncertainty of a field, from games won (B, T, N)."""
    games = played(n, seated, won.sum(axis=0))
    cells = np.zeros((len(seated), 3), dtype=int) if cells is None else cells
    units = units or table_units(seated, won, cells, np.full(n, memory))
    return uncertainty(games, fit(games), scatter(n, seated, won, units))


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


def alike_cells(rng, chance, units):
    return pair_cells(rng, chance, 0.8, units)


def match_coverage(draw, *, units, naive=False, repetitions=1000):
    """Share of repetitions in which the interval of two players holds their difference."""
    rng = np.random.default_rng(20250101)
    chance, seated = 0.58, np.array([[0, 1]])
    true = np.log(chance / (1 - chance))
    held = 0
    for _ in range(repetitions):
        cells = draw(rng, chance, units)
        first = cells[1] + 2 * cells[2]
        won = np.array([[[first, 2 * units - first]]])
        share = first / (2 * units)
        binomial = Units(
            kind="games", count=2 * units, variance=2 * units * share * (1 - share) * BINOMIAL
        )
        found = spread_of(2, seated, won, cells=cells[None], units=[binomial] if naive else None)
        difference = found.strengths[0] - found.strengths[1]
        held += abs(difference - true) <= found.of_difference(0, 1)
    return held / repetitions


@pytest.mark.parametrize("units", [30, 200])
def test_intervals_hold_when_the_games_of_a_pair_come_out_alike(units):
    assert 0.93 <= match_coverage(alike_cells, units=units) <= 0.97


def test_intervals_hold_when_the_games_of_a_pair_come_out_opposed():
    assert 0.93 <= match_coverage(opposed_cells, units=400) <= 0.97


def test_with_few_units_intervals_are_rather_too_wide_than_too_narrow():
    assert match_coverage(alike_cells, units=12) >= 0.94


def test_binomial_intervals_are_too_narrow_for_games_that_come_out_alike():
    assert match_coverage(alike_cells, units=200, naive=True) < 0.90


def test_binomial_intervals_are_too_wide_for_games_that_come_out_opposed():
    assert match_coverage(opposed_cells, units=400, naive=True) > 0.98


class SharedDeals:
    """A field in which every deal suits some strategies more than others, whoever they meet."""

    def __init__(self, n, places, *, strengths, leaning=3.0, kinds=8):
        rng = np.random.default_rng(7)
        self.n, self.seated = n, tables_of(n, places)
        strength = np.asarray(strengths) + np.asarray(leaning) * rng.standard_normal((kinds, n))
        self.chances = softmax(strength[:, self.seated], axis=2)  # (kinds, T, N)
        expected = self.chances.mean(axis=0)
        self.true = fit(played(n, self.seated, expected))

    def play(self, rng, blocks, games):
        """Games won (B, T, N), when every table is dealt the same kinds of deals."""
        kinds = rng.multinomial(games, np.full(len(self.chances), 1 / len(self.chances)), blocks)
        draws = rng.multinomial(kinds[:, :, None], self.chances[None])
        return draws.sum(axis=1)


def field_coverage(field, *, blocks, games, repetitions, tables_alone=False):
    """Share of repetitions that hold a strength, and a difference: two numbers."""
    rng = np.random.default_rng(3)
    held = np.zeros(2)
    for _ in range(repetitions):
        won = field.play(rng, blocks, games)
        if tables_alone:  # one block leaves the tables to themselves, each with all its games
            units = table_units(field.seated, won, np.zeros((0, 3)), np.ones(field.n, dtype=bool))
            found = spread_of(field.n, field.seated, won.sum(axis=0, keepdims=True), units=units)
        else:
            found = spread_of(field.n, field.seated, won, memory=True)
        error = found.strengths - field.true
        held += (
            abs(error[0]) <= found.of_strength(0),
            abs(error[1] - error[2]) <= found.of_difference(1, 2),
        )
    return held / repetitions


STRENGTHS = (0.6, 0.1, -0.1, -0.6)


@pytest.mark.long
@pytest.mark.parametrize(("draw", "units"), [(alike_cells, 60), (opposed_cells, 500)])
def test_intervals_of_a_match_hold_over_many_repetitions(draw, units):
    assert 0.94 <= match_coverage(draw, units=units, repetitions=5000) <= 0.97


def remembered_coverage(blocks, *, naive=False, repetitions=1000):
    """As `match_coverage`, of blocks of 20 games in each of which a player is in some mood."""
    rng = np.random.default_rng(11)
    chance, seated = 0.58, np.array([[0, 1]])
    true = np.log(chance / (1 - chance))
    moods = rng.beta(chance * 6, (1 - chance) * 6, (repetitions, blocks))
    first = rng.binomial(20, moods)
    held = 0
    for each in first:
        won = np.stack([each, 20 - each], axis=1)[:, None]
        found = spread_of(2, seated, won, memory=not naive)
        difference = found.strengths[0] - found.strengths[1]
        held += abs(difference - true) <= found.of_difference(0, 1)
    return held / repetitions


@pytest.mark.parametrize("blocks", [30, 200])
def test_intervals_hold_in_a_match_of_players_with_memory(blocks):
    assert 0.93 <= remembered_coverage(blocks) <= 0.97


def test_single_games_would_make_them_too_narrow():
    assert remembered_coverage(100, naive=True) < 0.85


@pytest.mark.parametrize(("places", "blocks"), [(2, 50), (3, 40)])
def test_intervals_hold_when_all_tables_are_dealt_the_same_cards(places, blocks):
    field = SharedDeals(4, places, strengths=STRENGTHS)
    shares = field_coverage(field, blocks=blocks, games=20, repetitions=1000)
    assert np.all((shares >= 0.93) & (shares <= 0.97))


@pytest.mark.long
@pytest.mark.parametrize("places", [2, 3, 4])
@pytest.mark.parametrize("blocks", [6, 100])
def test_intervals_hold_for_tables_of_any_size_and_few_blocks_or_many(places, blocks):
    field = SharedDeals(5, places, strengths=(*STRENGTHS, 0.0))
    shares = field_coverage(field, blocks=blocks, games=40, repetitions=1500)
    assert np.all((shares >= 0.93) & (shares <= 0.97))


def test_tables_taken_as_independent_make_intervals_that_are_too_narrow():
    field = SharedDeals(4, 2, strengths=STRENGTHS, leaning=(3.0, 0, 0, 0))
    play = {"blocks": 50, "games": 20, "repetitions": 200}
    assert field_coverage(field, **play, tables_alone=True)[0] < 0.90
    assert field_coverage(field, **play)[0] > 0.93


def test_two_players_have_the_interval_of_their_log_odds():
    # The delta method: var(log(w/l)) = var(w) * (1/w + 1/l)**2.
    units = [Units(kind="games", count=10**9, variance=9 * BINOMIAL)]
    found = spread_of(2, np.array([[0, 1]]), np.array([[[30, 20]]]), units=units)
    assert found.of_difference(0, 1) == pytest.approx(1.959964 * 3 * (1 / 30 + 1 / 20), rel=1e-6)
    assert found.of_strength(0) == pytest.approx(found.of_difference(0, 1) / 2)


def test_the_errors_of_a_field_agree_with_those_of_a_clustered_logistic_regression():
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    field = SharedDeals(4, 2, strengths=STRENGTHS)
    blocks = 40
    won = field.play(np.random.default_rng(1), blocks, 50)
    design = np.zeros((len(field.seated), 4))
    for row, (i, j) in enumerate(field.seated):
        design[row, i], design[row, j] = 1, -1
    outcomes = won.reshape(-1, 2)
    fitted = GLM(outcomes, np.tile(design[:, :3], (blocks, 1)), family=Binomial()).fit(
        cov_type="cluster",
        cov_kwds={
            "groups": np.repeat(np.arange(blocks), len(field.seated)),
            "use_correction": False,
        },
    )
    found = spread_of(4, field.seated, won)
    assert found.strengths[:3] - found.strengths[3] == pytest.approx(fitted.params, abs=1e-6)
    errors = [found.error(k, 3) for k in range(3)]
    small_sample = sqrt(blocks / (blocks - 1))
    assert errors == pytest.approx(fitted.bse * small_sample, rel=1e-6)


def test_four_times_the_blocks_halve_the_interval():
    field = SharedDeals(4, 2, strengths=STRENGTHS)
    once = field.play(np.random.default_rng(1), 100, 50)
    one = spread_of(4, field.seated, once).error(0, 1)
    four = spread_of(4, field.seated, np.tile(once, (4, 1, 1))).error(0, 1)
    assert four == pytest.approx(one / 2, rel=0.01)


def test_degrees_of_freedom_are_one_less_than_the_blocks():
    field = SharedDeals(4, 2, strengths=STRENGTHS)
    found = spread_of(4, field.seated, field.play(np.random.default_rng(1), 9, 50)).scatter
    assert found.blocks == 9
    assert found.freedom(np.array([1.0, -1.0, 0, 0])) == pytest.approx(8)


def test_an_interrupted_run_with_a_table_of_one_block_still_has_intervals():
    field = SharedDeals(4, 2, strengths=STRENGTHS)
    won = field.play(np.random.default_rng(1), 30, 50)
    won[1:, -1] = 0
    whole = spread_of(4, field.seated[:-1], won[:, :-1])
    found = spread_of(4, field.seated, won)
    assert found.error(0, 1) == pytest.approx(whole.error(0, 1), rel=0.1)
    assert found.scatter.freedom(np.array([1.0, -1.0, 0, 0])) > 20


def test_chances_of_superiority_are_those_of_student():
    units = [Units(kind="blocks", count=6, variance=9 * BINOMIAL)]
    found = spread_of(2, np.array([[0, 1]]), np.array([[[30, 20]]]), units=units)
    # As many standard errors apart as leave 2.5 % beyond them at 5 degrees of freedom.
    at_the_edge = found.error(0, 1) * 2.570582 / (found.strengths[0] - found.strengths[1])
    units = [Units(kind="blocks", count=6, variance=9 * BINOMIAL / at_the_edge**2)]
    found = spread_of(2, np.array([[0, 1]]), np.array([[[30, 20]]]), units=units)
    assert found.superiority(0, 1) == pytest.approx(0.975, abs=1e-6)
    assert found.superiority(1, 0) == pytest.approx(0.025, abs=1e-6)


def test_groups_are_the_longest_runs_of_neighbours_that_are_all_alike():
    seated = np.array(all_pairs(5))
    true = np.array([1.0, 0.9, 0.8, 0.0, -0.9])
    won = np.round(200 * softmax(true[seated], axis=1)).astype(int)[None]
    units = [Units(kind="games", count=200, variance=50 * BINOMIAL)] * len(seated)
    found = spread_of(5, seated, won, units=units)
    assert found.of_difference(0, 1) == pytest.approx(0.21, abs=0.01)
    assert alike(found) == ((0, 1, 2),)
    # With half the variance 0 and 2 part, and two groups overlap.
    sure = [Units(kind="games", count=200, variance=25 * BINOMIAL)] * len(seated)
    assert alike(spread_of(5, seated, won, units=sure)) == ((0, 1), (1, 2))

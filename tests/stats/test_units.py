import numpy as np
import pytest

from put_cli.stats.luce import NOBODY
from put_cli.stats.sums import Sums
from put_cli.stats.tally import Rows
from put_cli.stats.units import Units, margin, table_units, win_variance
from tests.stats.tallies import mirrored, single_games, table

PAIR = [(0, 1)]


def units(rows: Rows, *, memory: bool = False) -> Units:
    sums = Sums.of([rows], PAIR)
    return table_units(sums.seated, sums.won, sums.cells, np.array([False, memory]))[0]


def variance(found: Units) -> float:
    """Of the wins of a; those of b mirror them."""
    own = found.variance[0, 0]
    assert found.variance == pytest.approx(own * np.array([[1, -1], [-1, 1]]))
    return float(own)


def blocks(*won: int, games: int = 10) -> Rows:
    return table(
        {"block": block, "games": games, "wins_a": wins, "wins_b": games - wins}
        for block, wins in enumerate(won)
    )


def test_mirrored_pairs_are_the_units_of_strategies_without_memory():
    found = units(mirrored({(0, 1): (10, 20, 30)}))
    assert (found.kind, found.count, found.freedom) == ("mirrored pairs", 60, 59)


def test_the_variance_of_pairs_is_that_of_their_wins():
    cells = (1000, 7000, 2000)
    won = np.repeat([0, 1, 2], cells)
    found = variance(units(mirrored({(0, 1): cells})))
    assert found == pytest.approx(len(won) * won.var(ddof=1))


def test_games_without_a_mirror_have_the_binomial_variance():
    found = units(single_games(np.array([[0, 6000], [4000, 0]])))
    assert (found.kind, found.count) == ("games", 10_000)
    assert variance(found) == pytest.approx(10_000 * 0.6 * 0.4, rel=1e-3)
    assert not found.assumed


def test_blocks_are_the_units_as_soon_as_one_strategy_has_memory():
    won = (3, 9, 1, 8, 2, 7)
    found = units(blocks(*won), memory=True)
    assert (found.kind, found.count) == ("blocks", 6)
    assert variance(found) == pytest.approx(6 * np.var(won, ddof=1))


def test_blocks_are_the_units_at_tables_of_three():
    won = np.array([[50, 10, 0], [20, 20, 20], [10, 10, 40], [60, 0, 0]])
    none = np.zeros((1, 3), dtype=int)
    found = table_units(np.array([[0, 1, 2]]), won[:, None], none, np.zeros(3, dtype=bool))[0]
    assert (found.kind, found.count) == ("blocks", 4)
    assert found.variance == pytest.approx(4 * np.cov(won.T))


def test_an_empty_place_has_no_part_in_the_variance():
    won = np.array([[5, 0, 1], [2, 0, 2], [1, 0, 1], [6, 0, 0]])
    none = np.zeros((1, 3), dtype=int)
    seated = np.array([[0, NOBODY, 1]])
    found = table_units(seated, won[:, None], none, np.zeros(2, dtype=bool))[0]
    assert found.variance == pytest.approx(
        win_variance(won[:, [0, 2]], np.ones(4), imagined=2), rel=1e-12
    )


def test_a_shorter_last_block_is_measured_by_its_own_length():
    # 60 % of the games all told; the blocks miss that by -20, 22 and -2 games.
    found = win_variance(((40, 60), (82, 18), (4, 6)), (1, 1, 1), imagined=2)
    assert found[0, 0] == pytest.approx((20**2 + 22**2 + 2**2) * 3 / 2)


@pytest.mark.parametrize(
    ("rows", "memory"), [(blocks(4), True), (mirrored({(0, 1): (0, 1, 0)}), False)]
)
def test_a_single_unit_falls_back_to_games_and_says_so(rows, memory):
    found = units(rows, memory=memory)
    assert (found.kind, found.assumed) == ("games", True)
    assert variance(found) > 0


@pytest.mark.parametrize("cells", [(0, 0, 50), (50, 0, 0), (0, 50, 0)])
def test_pairs_that_all_came_out_alike_still_leave_some_doubt(cells):
    found = 1.96 * variance(units(mirrored({(0, 1): cells}))) ** 0.5
    assert 2 < found < 6  # games: one to three pairs


def test_the_least_variance_is_that_of_two_units_won_and_two_lost():
    everything = win_variance(((2, 0),), (50,), imagined=2)
    assert everything == pytest.approx(2 * 2**2 * np.array([[1, -1], [-1, 1]]))


def test_a_game_without_its_mirror_counts_as_a_unit_of_its_own():
    rows = mirrored({(0, 1): (2, 5, 3)})
    rows["games"][0] += 1
    rows["wins_a"][0] += 1
    assert units(rows).count == 11


@pytest.mark.parametrize("games", [0, 1])
def test_a_game_or_none_has_a_variance_too(games):
    found = units(single_games(np.array([[0, games], [0, 0]])))
    assert (found.count, found.freedom) == (games, 1)
    assert variance(found) > 0


def test_few_degrees_of_freedom_widen_the_margin_as_student_does():
    assert margin(4.0, 5) == pytest.approx(2 * 2.570582, rel=1e-6)
    assert margin(1.0, 1e9) == pytest.approx(1.959964, rel=1e-6)

import numpy as np
import pytest

from put_cli.stats.sums import sums
from put_cli.stats.tally import Rows
from put_cli.stats.units import Units, pairing_units, win_variance
from tests.stats.tallies import mirrored, single_games, table

PAIR = [(0, 1)]


def units(rows: Rows, *, memory: bool = False) -> Units:
    flags = [False, memory]
    return pairing_units(sums([rows], pairs=PAIR, memory=flags), pairs=PAIR, memory=flags)[0]


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
    assert units(mirrored({(0, 1): cells})).variance == pytest.approx(len(won) * won.var(ddof=1))


def test_games_without_a_mirror_have_the_binomial_variance():
    found = units(single_games(np.array([[0, 6000], [4000, 0]])))
    assert (found.kind, found.count) == ("games", 10_000)
    assert found.variance == pytest.approx(10_000 * 0.6 * 0.4, rel=1e-3)
    assert not found.assumed


def test_blocks_are_the_units_as_soon_as_one_strategy_has_memory():
    won = (3, 9, 1, 8, 2, 7)
    found = units(blocks(*won), memory=True)
    assert (found.kind, found.count) == ("blocks", 6)
    assert found.variance == pytest.approx(6 * np.var(won, ddof=1))


def test_a_shorter_last_block_is_measured_by_its_own_length():
    # 60 % of the games all told; the blocks miss that by -20, 22 and -2 games.
    variance = win_variance((40, 82, 4), (100, 100, 10), (1, 1, 1), imagined=2)
    assert variance == pytest.approx((20**2 + 22**2 + 2**2) * 3 / 2)


@pytest.mark.parametrize(
    ("rows", "memory"), [(blocks(4), True), (mirrored({(0, 1): (0, 1, 0)}), False)]
)
def test_a_single_unit_falls_back_to_games_and_says_so(rows, memory):
    found = units(rows, memory=memory)
    assert (found.kind, found.assumed) == ("games", True)
    assert found.variance > 0


@pytest.mark.parametrize("cells", [(0, 0, 50), (50, 0, 0), (0, 50, 0)])
def test_pairs_that_all_came_out_alike_still_leave_some_doubt(cells):
    margin = 1.96 * units(mirrored({(0, 1): cells})).variance ** 0.5
    assert 2 < margin < 6  # games: one to three pairs


def test_a_game_without_its_mirror_counts_as_a_unit_of_its_own():
    rows = mirrored({(0, 1): (2, 5, 3)})
    rows["games"][0] += 1
    rows["wins_a"][0] += 1
    assert units(rows).count == 11


@pytest.mark.parametrize("games", [0, 1])
def test_a_game_or_none_has_a_variance_too(games):
    found = units(single_games(np.array([[0, games], [0, 0]])))
    assert (found.count, found.freedom) == (games, 1)
    assert found.variance > 0

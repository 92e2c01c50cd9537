import numpy as np
import pytest

from put_cli.stats.duel import duel
from put_cli.stats.head_to_head import elo, elo_of_score, normalized_elo, superiority
from put_cli.stats.standings import standings
from tests.stats.tallies import mirrored, single_games, table

PAIR = [(0, 1)]


def told(rows, memory=False):
    found = standings([rows], names=("fox", "hen"), memory=[memory, False], pairs=PAIR)
    return duel(found.pairings[0])


def test_a_duel_of_pairs_has_the_figures_of_its_cells():
    cells = (200, 500, 300)
    found = told(mirrored({(0, 1): cells}))
    assert found.cells == cells
    expected = elo(cells)
    assert (found.elo.value, found.elo.low, found.elo.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    assert found.normalized == normalized_elo(cells, 2)
    assert found.superiority == pytest.approx(superiority(300, 200))
    assert found.mirroring == pytest.approx(1.01, abs=0.005)


def test_without_mirroring_the_cells_are_games():
    found = told(single_games(np.array([[0, 60], [40, 0]])))
    assert found.cells == (40, 60)
    assert found.elo.value == pytest.approx(elo_of_score(0.6))
    assert found.mirroring is None


def test_the_blocks_of_strategies_with_memory_are_no_cells():
    won = (30, 70, 20, 80, 60, 70)
    rows = table(
        {"block": block, "games": 100, "wins_a": k, "wins_b": 100 - k, "pairs_0": 20, "pairs_1": 20}
        for block, k in enumerate(won)
    )
    found = told(rows, memory=True)
    assert found.normalized is None
    assert found.mirroring is None
    assert found.elo.low < 0 < found.elo.value
    assert 0.5 < found.superiority < 0.9  # six blocks that disagree


def test_a_sweep_is_a_bound():
    found = told(mirrored({(0, 1): (0, 0, 5)}))
    assert (found.elo.value, found.elo.high) == (None, None)
    assert found.elo.low == pytest.approx(elo_of_score(0.05 ** (1 / 10)))
    assert found.plain()["elo"]["value"] is None


def test_before_the_first_game_there_is_no_duel():
    assert told(table([])) is None

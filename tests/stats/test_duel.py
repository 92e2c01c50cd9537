import numpy as np
import pytest

from put_cli.stats.duel import duel, games_needed
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
        {"block": block, "games": 100, "wins_a": k, "wins_b": 100 - k, "pairs_0": 5, "pairs_1": 5}
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


def needed(rows, memory=False):
    found = standings([rows], names=("fox", "hen"), memory=[memory, False], pairs=PAIR)
    return games_needed(found.pairings[0], 5, 0.8)


def test_a_pilot_tells_the_games_that_a_precision_takes():
    need = needed(mirrored({(0, 1): (2000, 6000, 2000)}))
    # 10,000 pairs have a margin of about 4.3 Elo.
    assert need.precise == pytest.approx(20_000 * (4.31 / 5) ** 2, rel=0.01)
    assert need.shown == pytest.approx(need.precise * (2.80 / 1.96) ** 2, rel=0.01)


def test_a_pilot_that_ended_alike_plans_some_games_all_the_same():
    assert needed(mirrored({(0, 1): (0, 20, 0)})).precise > 100
    assert needed(mirrored({(0, 1): (0, 0, 20)})).precise > 100


def test_the_plan_of_strategies_with_memory_is_in_whole_blocks():
    rows = table(
        {"block": block, "games": 100, "wins_a": won, "wins_b": 100 - won}
        for block, won in enumerate((30, 70, 20, 80, 60, 70))
    )
    assert needed(rows, memory=True).precise % 100 == 0


def test_nothing_is_planned_before_the_first_game():
    assert needed(table([])) is None

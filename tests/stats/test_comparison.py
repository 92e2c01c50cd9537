import numpy as np
import pytest

from put_cli.stats.comparison import compare
from tests.stats.tallies import tables_of


def runs(*, blocks=200, games=20, shared=0.3, better=0.03, seed=1):
    """Games won (B, 1, 2) in two runs whose blocks share their luck; a is better in the second."""
    rng = np.random.default_rng(seed)
    luck = shared * rng.standard_normal((blocks, 1))
    found = []
    for lead in (0.0, better):
        chance = np.clip(0.5 + lead + luck, 0, 1)
        won = rng.binomial(games, chance)
        found.append(np.stack([won, games - won], axis=2))
    return found


PAIR = np.array([[0, 1]])


def test_shared_luck_falls_out_of_the_difference():
    a, b = compare(2, PAIR, *runs())
    assert a.difference == pytest.approx(-b.difference)
    assert abs(a.difference - 0.03) < a.margin < 0.6 * a.alone


def test_intervals_hold_the_true_difference_in_95_percent_of_repetitions():
    held = 0
    for seed in range(400):
        a, _ = compare(2, PAIR, *runs(blocks=40, shared=0.15, seed=seed))
        held += abs(a.difference - 0.03) <= a.margin
    assert 0.93 <= held / 400 <= 0.97


def test_a_run_compared_with_itself_does_not_differ():
    first, _ = runs()
    a, _ = compare(2, PAIR, first, first)
    assert (a.difference, a.margin) == (0, 0)
    assert a.games == 200 * 20


def test_blocks_that_one_run_alone_has_are_left_out():
    first, second = runs()
    shorter = compare(2, PAIR, first, second[:50])[0]
    assert shorter.games == 50 * 20
    second[:10] = 0
    assert compare(2, PAIR, first, second[:50])[0].games == 40 * 20


def test_everybody_is_compared_over_all_tables():
    seated = tables_of(4, 3)
    rng = np.random.default_rng(3)
    first, second = rng.multinomial(30, np.full(3, 1 / 3), size=(2, 20, len(seated)))
    found = compare(5, seated, first, second)
    assert [each.place for each in found] == [0, 1, 2, 3]
    won = sum(
        int(second[:, t, who.tolist().index(2)].sum()) for t, who in enumerate(seated) if 2 in who
    )
    assert found[2].second == pytest.approx(won / (3 * 20 * 30))


def test_a_single_block_is_refused():
    first, second = runs(blocks=1)
    with pytest.raises(ValueError, match="two blocks of the same deals at least, got 1"):
        compare(2, PAIR, first, second)

"""What ratings cannot tell, from the tallies of fields whose pattern is known."""

import json

import numpy as np
import pytest

from put_cli.stats.intransitivity import intransitivity
from put_cli.stats.sums import Sums
from tests.stats.tallies import all_pairs, table

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.3, 0.7], [0.7, 0.5, 0.3], [0.3, 0.7, 0.5]])


def run(share, blocks=40, games=50, seed=7, noise=True):
    """The sums of a run in which i wins a share of its games against j."""
    rng = np.random.default_rng(seed)
    rows = []
    for pairing, (i, j) in enumerate(all_pairs(len(share))):
        for block in range(blocks):
            won = rng.binomial(games, share[i, j]) if noise else round(games * share[i, j])
            counts = {"games": games, "wins_a": won, "wins_b": games - won}
            rows.append({"pairing": pairing, "block": block, **counts})
    return Sums.of([table(rows)], all_pairs(len(share)))


def found(share, draws=40, **settings):
    names = ["rock", "paper", "scissors", "well", "stone"][: len(share)]
    return intransitivity(run(share, **settings), names, [False] * len(share), draws=draws)


def test_rock_paper_and_scissors_share_everything_and_go_round():
    told = found(ROCK_PAPER_SCISSORS, noise=False)
    for place in told.places:
        assert place.rating == pytest.approx(1500)
        assert place.nash.value == pytest.approx(1 / 3, abs=1e-5)
        assert place.against.value == pytest.approx(0.5, abs=1e-5)
        assert place.alpha.value == pytest.approx(1 / 3, abs=1e-5)
    (ring,) = told.rings
    assert ring.names == ("rock", "scissors", "paper")
    assert ring.size.value == pytest.approx(0.2)
    assert told.typical == pytest.approx(0.2, abs=0.01)
    assert [pair.misfit.value for pair in told.pairs] == pytest.approx([0.2] * 3)


def test_a_copy_takes_half_of_the_share_of_its_original_and_no_more():
    order = [0, 1, 2, 0]
    told = found(ROCK_PAPER_SCISSORS[np.ix_(order, order)], noise=False)
    shares = {place.name: place.nash.value for place in told.places}
    assert shares == pytest.approx(
        {"rock": 1 / 6, "well": 1 / 6, "paper": 1 / 3, "scissors": 1 / 3}, abs=1e-4
    )


def test_a_field_in_order_has_one_best_and_no_circle():
    strengths = np.array([1.0, 0.4, 0.0])
    told = found(1 / (1 + np.exp(strengths[None, :] - strengths[:, None])))
    assert told.ring_count == 0
    assert told.places[0].name == "rock"
    assert told.places[0].nash.value == pytest.approx(1)
    assert told.places[0].nash.low == pytest.approx(1)
    assert told.places[0].alpha.value == pytest.approx(1, abs=0.01)
    assert all(pair.misfit.low < 0 for pair in told.pairs)


@pytest.mark.long
def test_intervals_hold_what_is_true_in_most_runs():
    held = []
    for seed in range(12):
        told = found(ROCK_PAPER_SCISSORS, seed=seed, games=20, draws=80)
        (ring,) = told.rings
        held += [pair.misfit.low <= 0.2 <= pair.misfit.high for pair in told.pairs]
        held += [place.nash.low <= 1 / 3 <= place.nash.high for place in told.places]
        assert ring.size.low <= ring.size.value <= ring.size.high
    assert 0.88 <= np.mean(held) <= 0.99


def test_a_misfit_is_told_from_the_side_of_the_one_that_did_better():
    told = found(ROCK_PAPER_SCISSORS)
    for pair in told.pairs:
        assert pair.score > pair.expected
        assert pair.misfit.value == pytest.approx(pair.score - pair.expected)
        assert pair.misfit.low < pair.misfit.value < pair.misfit.high
        assert pair.surprise > 0


def test_one_block_has_figures_without_intervals():
    told = found(ROCK_PAPER_SCISSORS, blocks=1)
    assert told.places[0].nash.low is None
    assert told.pairs[0].misfit.low is None
    assert json.loads(json.dumps(told.plain()))["places"][0]["nash"]["high"] is None


def test_without_every_meeting_there_is_no_equilibrium_but_a_misfit():
    share = np.full((4, 4), 0.5)
    share[:3, :3] = ROCK_PAPER_SCISSORS
    sums = run(share)
    pairs = all_pairs(4)
    rows = [r for r in range(len(pairs)) if pairs[r] != (0, 3)]
    fewer = Sums([pairs[r] for r in rows])
    for block, won in enumerate(sums.won[:, rows].tolist()):
        for r, (a, b) in zip(rows, won, strict=True):
            counts = {"games": a + b, "wins_a": a, "wins_b": b}
            fewer.add(table([{"pairing": r, "block": block, **counts}]))
    told = intransitivity(fewer, ["a", "b", "c", "d"], [False] * 4)
    assert all(place.nash is None for place in told.places)
    assert len(told.pairs) == 5


def test_two_are_always_told_by_two_numbers():
    share = np.array([[0.5, 0.6], [0.4, 0.5]])
    assert intransitivity(run(share), ["a", "b"], [False, False]) is None

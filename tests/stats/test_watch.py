"""A sequential test follows a match in the order of its blocks, whatever else has been played."""

import numpy as np
import pytest

from put_cli.stats.sequential import SequentialTest, after_stop
from put_cli.stats.tally import Rows
from put_cli.stats.watch import FEWEST_BLOCKS, Watch
from tests.stats.tallies import table

TEST = SequentialTest(elo0=0, elo1=40)


def blocks(count: int, *, seed: int = 1, lead: float = 0.06, pairs: int = 20) -> Rows:
    """Blocks of mirrored pairs, of which a wins both oftener than none."""
    rng = np.random.default_rng(seed)
    rows = []
    for block in range(count):
        none, one, both = rng.multinomial(pairs, (0.2 - lead, 0.6, 0.2 + lead)).tolist()
        for mirror, won in enumerate((one + both, both)):
            row = {"block": block, "mirror": mirror, "games": pairs, "wins_a": won}
            row |= {"wins_b": pairs - won}
            if mirror == 0:
                row |= {"pairs_0": none, "pairs_1": one, "pairs_2": both}
            rows.append(row)
    return table(rows)


def cut(rows: Rows, first: int, end: int) -> Rows:
    kept = (rows["block"] >= first) & (rows["block"] < end)
    return {name: column[kept] for name, column in rows.items()}


def watch(**options: bool) -> Watch:
    return Watch(TEST, **({"mirror": True, "memory": False} | options))


def test_the_verdict_falls_in_the_first_block_whose_ratio_is_out_of_bounds():
    rows = blocks(200)
    following = watch()
    assert following.follow(rows)
    ruling = following.ruling()
    assert ruling.verdict == "H1"
    assert ruling.games == 40 * ruling.blocks
    cells = [cut(rows, 0, ruling.blocks)[f"pairs_{k}"].sum() for k in range(3)]
    assert ruling.ratio == pytest.approx(TEST.log_likelihood_ratio(cells))
    before = [cut(rows, 0, ruling.blocks - 1)[f"pairs_{k}"].sum() for k in range(3)]
    assert TEST.verdict(TEST.log_likelihood_ratio(before)) is None
    looks = range(20, 20 * ruling.blocks + 1, 20)
    assert ruling.estimate == after_stop(TEST, cells, looks)


@pytest.mark.parametrize("size", [1, 7, 200])
def test_however_the_tallies_are_cut_the_ruling_is_the_same(size):
    rows = blocks(200)
    whole, pieces = watch(), watch()
    whole.follow(rows)
    for first in range(0, 200, size):
        pieces.follow(cut(rows, first, first + size))
    assert pieces.ruling() == whole.ruling()


def test_what_lies_beyond_a_gap_does_not_count():
    rows = blocks(200)
    following = watch()
    following.follow(cut(rows, 0, 2))
    assert not following.follow(cut(rows, 3, 200))
    assert following.ruling().blocks == 2


def test_without_a_verdict_the_ratio_so_far_is_told():
    following = watch()
    following.follow(cut(blocks(200), 0, 2))
    ruling = following.ruling()
    assert (ruling.verdict, ruling.estimate, ruling.games) == (None, None, 80)
    assert ruling.ratio != 0
    assert ruling.plain()["estimate"] is None


def test_before_the_first_block_nothing_is_likelier():
    assert watch().ruling().ratio == 0


def test_without_mirroring_games_are_the_units():
    following = watch(mirror=False)
    following.follow(blocks(300))
    assert following.ruling().test.games_per_unit == 1
    assert following.ruling().verdict == "H1"


def test_with_memory_blocks_are_the_units_and_some_have_to_be_played():
    following = watch(memory=True)
    following.follow(blocks(300, lead=0.1, pairs=200))
    ruling = following.ruling()
    assert ruling.test.games_per_unit == 400
    assert ruling.verdict == "H1"
    assert ruling.blocks >= FEWEST_BLOCKS

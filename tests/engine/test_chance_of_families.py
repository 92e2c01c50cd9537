"""Chance in the games of more than two hands and under the Laws: pins, and that it is even."""

import itertools

import numpy as np
import pytest
from numba import njit
from scipy import stats

from put_cli.engine import lanes as ln
from put_cli.engine import luck as chance
from put_cli.rules.machine import Misdeal
from tests.engine.test_agreement_of_families import at_least


def assert_fits(counts: np.ndarray, shares: np.ndarray | None = None) -> None:
    """A chi-square test that a right generator fails once in 100,000 times."""
    expected = None if shares is None else shares * counts.sum()
    assert stats.chisquare(counts, expected).pvalue > 1e-5


# Pinned values: a change of any of them is a new generator and needs a new name.


def test_numbers_below_a_bound_are_pinned() -> None:
    key = chance.subkey(7, "misdeal")
    found = [
        chance.bounded(key, *place, n) for place in ((0, 0, 0, 0), (1, 2, 3, 4)) for n in (2, 5, 52)
    ]
    assert found == BOUNDED


def test_fractions_of_53_bits_are_pinned() -> None:
    key = chance.subkey(7, "misdeal")
    assert [chance.fraction53(key, 0, 0, hand, 0) for hand in (0, 1)] == FRACTIONS


@pytest.mark.parametrize("chairs", [3, 4, 6])
def test_deals_and_cuts_of_one_seed_are_pinned(chairs: int) -> None:
    out = np.zeros(18 + chance.DIGITS_OF_MANY, np.int64)
    threshold = chance.deal_threshold(52, chance.DIGITS_OF_MANY)
    chance.deal_many(chance.subkey(7, "deal"), 1, 2, 3, 52, 4, threshold, 3 * chairs, out)
    cuts = np.zeros(6, np.int64)
    first = chance.cut_many(chance.subkey(7, "cut"), 1, 2, 13, chairs, False, cuts)
    assert (out[:6].tolist(), first, cuts[:chairs].tolist()) == TABLES[chairs]


BOUNDED: list[int] = [0, 1, 19, 1, 3, 37]
FRACTIONS: list[int] = [6621244913631837, 859632890080190]
TABLES: dict[int, tuple[list[int], tuple[int, int], list[int]]] = {
    3: ([10, 4, 9, 12, 13, 11], (0, 0), [6, 5, 5]),
    4: ([10, 4, 9, 12, 13, 11], (3, 0), [6, 5, 5, 13]),
    6: ([10, 4, 9, 12, 13, 11], (3, 0), [6, 5, 5, 13, 5, 9]),
}


def test_a_bound_is_met_by_lemires_method_and_nothing_else() -> None:
    key = chance.subkey(3, "misdeal")
    low, high = np.uint64(key & 0xFFFFFFFF), np.uint64((key >> 32) & 0xFFFFFFFF)
    for hand in range(200):
        word = int(chance.philox(*map(np.uint64, (5, 6, hand, 2)), low, high)[0])
        if word * 52 % 2**32 >= 2**32 % 52:
            assert chance.bounded(key, 5, 6, hand, 2, 52) == word * 52 >> 32


# The odds.


ROOM = chance.DIGITS_OF_MANY


@njit
def many_deals(key, count, size, threshold, cards):  # type: ignore[no-untyped-def]
    """(count, cards) int64."""
    deals = np.zeros((count, cards + ROOM), np.int64)
    for number in range(count):
        block, game = number // 1000, number % 1000
        chance.deal_many(key, block, game, 0, size, 4, threshold, cards, deals[number])
    return deals[:, :cards]


@pytest.mark.parametrize(("size", "cards"), [(52, 9), (52, 12), (28, 12), (52, 15), (52, 18)])
def test_more_than_six_cards_come_from_one_shuffled_pack(size: int, cards: int) -> None:
    ranks = size // 4
    deals = many_deals(
        chance.subkey(21, "deal"), 60_000, size, chance.deal_threshold(size, ROOM), cards
    )
    assert max(int((deals == rank).sum(axis=1).max()) for rank in range(1, ranks + 1)) <= 4
    for place in range(cards):
        assert_fits(np.bincount(deals[:, place] - 1, minlength=ranks))
    shares = np.full((ranks, ranks), 16 / (size * (size - 1)))
    np.fill_diagonal(shares, 12 / (size * (size - 1)))
    for first, second in itertools.pairwise(range(cards)):
        both = (deals[:, first] - 1) * ranks + deals[:, second] - 1
        assert_fits(np.bincount(both, minlength=ranks**2), shares.ravel())
    ends = (deals[:, 0] - 1) * ranks + deals[:, -1] - 1
    assert_fits(np.bincount(ends, minlength=ranks**2), shares.ravel())


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("chairs", [3, 4, 5, 6])
def test_every_chair_deals_first_as_often_and_ties_cut_again(chairs: int, low: bool) -> None:
    key, count = chance.subkey(22, "cut"), 20_000
    cuts = np.zeros(6, np.int64)
    first, again = np.zeros(chairs, int), 0
    for game in range(count):
        dealer, recuts = chance.cut_many(key, 0, game, 13, chairs, low, cuts)
        first[dealer] += 1
        again += recuts > 0
        best = cuts[:chairs].min() if low else cuts[:chairs].max()
        if not recuts:
            assert (cuts[:chairs] == best).sum() == 1
            assert cuts[dealer] == best
    assert_fits(first)
    # All below the best rank but one: k * sum over ranks of the share below, to the power k - 1.
    alone = sum(chairs / 13 * (rank / 13) ** (chairs - 1) for rank in range(13))
    assert_fits(np.array([count - again, again]), np.array([alone, 1 - alone]))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 40])
def test_numbers_below_a_bound_are_equally_likely(n: int) -> None:
    key = chance.subkey(23, "misdeal")
    drawn = [chance.bounded(key, 0, game, 0, place, n) for game in range(4000) for place in (1, 5)]
    assert_fits(np.bincount(drawn, minlength=n))


@pytest.mark.parametrize("rules", ["cotton(misdeals=0.3)", "three-handed(misdeals=0.3)"])
def test_the_dealer_errs_as_often_as_asked_in_five_ways_equally_likely(rules: str) -> None:
    players = 3 if rules.startswith("three") else 2
    played = at_least(20_000, rules)
    laws = played.hands[ln.LAWS_AT["many" if players == 3 else "two"] :]
    misdeal, place = laws[0], laws[1]
    wrong = int((misdeal > 0).sum())
    assert_fits(np.array([wrong, misdeal.size - wrong]), np.array([0.3, 0.7]))
    assert_fits(np.bincount(misdeal, minlength=6)[1:])
    for kind in (Misdeal.EXPOSED_THEIRS, Misdeal.FOUR_THEIRS):
        whom = np.bincount(place[misdeal == kind], minlength=players)
        assert whom[0] == 0
        if players == 3:
            assert_fits(whom[1:])

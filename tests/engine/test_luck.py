"""Chance: published answers, pinned deals, and that the odds are those of a shuffled pack."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from numba import njit
from scipy import stats

from put_cli.engine import luck as chance

M64 = 2**64 - 1


# Published answers.


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (
            (0xFFFFFFFF,) * 4,
            (0xFFFFFFFF,) * 2,
            (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
        ),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
    ids=["zeros", "ones", "pi"],
)
def test_philox_gives_the_answers_published_with_random123(
    counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert chance.philox(*map(np.uint64, (*counter, *key))) == expected
    assert philox(counter, key) == expected


def test_the_mixer_gives_the_published_outputs_of_splitmix64() -> None:
    golden = 0x9E3779B97F4A7C15
    outputs = [
        int(chance.mix64(np.uint64((1234567 + step * golden) & M64))) for step in range(1, 6)
    ]
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


# Pinned values: a change of any of them is a new generator and needs a new name.

DEALS = {
    (0, 0, 0): ([4, 7, 6, 3, 12, 9], [3, 5, 1, 6, 6, 8], [3, 3, 4, 7, 7, 7]),
    (0, 0, 1): ([7, 8, 2, 13, 12, 5], [3, 6, 3, 2, 6, 6], [4, 7, 1, 1, 6, 7]),
    (0, 1, 0): ([2, 10, 4, 5, 13, 13], [1, 6, 8, 6, 2, 2], [7, 5, 2, 1, 6, 3]),
    (1, 0, 0): ([11, 8, 12, 5, 6, 12], [7, 2, 4, 4, 8, 7], [6, 7, 7, 7, 3, 2]),
    (2**31 - 1, 99, 250): ([11, 10, 12, 2, 9, 10], [8, 6, 1, 8, 5, 8], [7, 6, 3, 1, 1, 3]),
}
PACKS = ((52, 4), (32, 4), (28, 4))


def test_the_generator_has_its_name() -> None:
    assert chance.GENERATOR == "philox4x32-10+splitmix64/1"


def test_keys_of_one_seed_are_pinned() -> None:
    assert chance.subkey(7, "deal") == -144550680125178137
    assert chance.subkey(7, "cut") == 6100047995894523294
    assert chance.subkey(7, "luck", "bold", "odds") == -1291727821614202967


@pytest.mark.parametrize("place", DEALS, ids=str)
def test_deals_of_one_seed_are_pinned(place: tuple[int, int, int]) -> None:
    for (size, copies), expected in zip(PACKS, DEALS[place], strict=True):
        assert dealt(chance.subkey(7, "deal"), *place, size, copies) == expected


def test_cuts_of_one_seed_are_pinned() -> None:
    key = chance.subkey(7, "cut")
    assert [cut(key, *place, 13) for place in ((0, 0), (0, 1), (1, 0), (5, 3))] == [
        (0, 4, 9),
        (0, 1, 12),
        (0, 7, 13),
        (0, 6, 10),
    ]
    assert cut(key, 0, 0, 8) == (0, 2, 6)


def test_luck_of_one_seed_is_pinned() -> None:
    match = chance.luck_of_match(chance.subkey(7, "luck", "bold", "odds"), 3)
    assert match == 6603570179856983703
    assert chance.luck_of_game(match, 0, 1) == 2520656384425336035
    game = chance.luck_of_game(match, 1, 2)
    assert [chance.luck(game, hand, decision) for hand in (0, 1) for decision in (0, 1, 2)] == [
        0.18018910108011787,
        0.08105730834724578,
        0.5302091627126329,
        0.9994254656448569,
        0.57637594038691,
        0.04982998756012702,
    ]


# The same in plain integers, for many keys.


def philox(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    """Philox-4x32-10 as the paper writes it."""
    (c0, c1, c2, c3), (k0, k1) = counter, key
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (
            (p1 >> 32) ^ c1 ^ k0,
            p1 & 0xFFFFFFFF,
            (p0 >> 32) ^ c3 ^ k1,
            p0 & 0xFFFFFFFF,
        )
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


def plain_deal(
    key: int, block: int, game: int, hand: int, size: int, copies: int, threshold: int
) -> list[int]:
    """A deal: the first fraction of 64 bits whose six digits in base `size` differ.

    What is left of the fraction must not be below `threshold`.
    """
    words = (key & 0xFFFFFFFF, (key & M64) >> 32)
    for attempt in itertools.count():
        w = philox((block, game, hand, attempt), words)
        for fraction in (w[0] | w[1] << 32, w[2] | w[3] << 32):
            number, left = divmod(fraction * size**6, 2**64)
            places = [number // size**power % size for power in (5, 4, 3, 2, 1, 0)]
            if left >= threshold and len(set(places)) == 6:
                return [place // copies + 1 for place in places]
    raise AssertionError


def dealt(key: int, block: int, game: int, hand: int, size: int, copies: int) -> list[int]:
    """A deal of the compiled kernel."""
    out = np.zeros(6, np.int64)
    chance.deal(key, block, game, hand, size, copies, chance.deal_threshold(size), out)
    return out.tolist()


def cut(key: int, block: int, game: int, top: int) -> tuple[int, int, int]:
    """Equal cuts before, and the two cards."""
    out = np.zeros(2, np.int64)
    recuts = chance.cut(key, block, game, top, out)
    return (int(recuts), *out.tolist())


def test_deals_are_those_of_plain_integer_arithmetic() -> None:
    for number in range(400):
        key = chance.subkey(number, "deal")
        place = (number * 7919 % 1000, number % 13, number % 5)
        size, copies = PACKS[number % 3]
        threshold = 2**64 % size**6
        assert chance.deal_threshold(size) == threshold
        expected = plain_deal(key, *place, size, copies, threshold)
        assert dealt(key, *place, size, copies) == expected
        # The true threshold hardly ever rejects; one of a quarter shows that it would.
        often = np.zeros(6, np.int64)
        chance.deal(key, *place, size, copies, 2**62, often)
        assert often.tolist() == plain_deal(key, *place, size, copies, 2**62)


def test_keys_depend_on_the_seed_and_on_every_word_of_the_purpose() -> None:
    purposes = [
        ("deal",),
        ("cut",),
        ("luck", "a", "b"),
        ("luck", "b", "a"),
        ("luck", "ab", ""),
        ("luck", "", "ab"),
        ("luck", "ab"),
        ("luckab",),
        (),
    ]
    keys = [chance.subkey(seed, *purpose) for seed in (0, 1, 10, 2**63 - 1) for purpose in purposes]
    assert len(set(keys)) == len(keys)
    assert all(-(2**63) <= key < 2**63 for key in keys)


# The odds of a shuffled pack.

SAMPLE = 400_000


@njit
def many_deals(key, count, size, copies, threshold):  # type: ignore[no-untyped-def]
    """Deals of many hands in different blocks and games: (count, 6) int64."""
    deals = np.zeros((count, 6), np.int64)
    for number in range(count):
        chance.deal(
            key,
            number // 700,
            number // 7 % 100,
            number % 7,
            size,
            copies,
            threshold,
            deals[number],
        )
    return deals


@pytest.fixture(scope="module", params=PACKS, ids=lambda pack: str(pack[0]))
def pack(request: pytest.FixtureRequest) -> tuple[int, int, np.ndarray]:
    """(ranks, copies, (SAMPLE, 6) int64 deals)."""
    size, copies = request.param
    key = chance.subkey(2024, "deal")
    deals = many_deals(key, SAMPLE, size, copies, chance.deal_threshold(size))
    return size // copies, copies, deals


def assert_fits(observed: np.ndarray, shares: np.ndarray) -> None:
    """Chi-square against exact shares, both tails: neither off nor too even."""
    assert observed.sum() > 0
    assert abs(shares.sum() - 1) < 1e-12
    p = stats.chisquare(observed, shares * observed.sum()).pvalue
    assert 1e-3 < p < 1 - 1e-3


def test_no_rank_is_dealt_more_often_than_the_pack_holds_it(
    pack: tuple[int, int, np.ndarray],
) -> None:
    ranks, copies, deals = pack
    assert deals.min() == 1
    assert deals.max() == ranks
    most = max(int((deals == rank).sum(axis=1).max()) for rank in range(1, ranks + 1))
    assert most == copies


def test_every_rank_is_as_likely_at_every_place(pack: tuple[int, int, np.ndarray]) -> None:
    ranks, _, deals = pack
    for place in range(6):
        counts = np.bincount(deals[:, place] - 1, minlength=ranks)
        assert_fits(counts, np.full(ranks, 1 / ranks))


def test_every_pair_of_places_is_two_cards_of_one_pack(
    pack: tuple[int, int, np.ndarray],
) -> None:
    ranks, copies, deals = pack
    size = ranks * copies
    shares = np.full((ranks, ranks), copies * copies / (size * (size - 1)))
    np.fill_diagonal(shares, copies * (copies - 1) / (size * (size - 1)))
    for first, second in itertools.combinations(range(6), 2):
        both = (deals[:, first] - 1) * ranks + deals[:, second] - 1
        assert_fits(np.bincount(both, minlength=ranks * ranks), shares.ravel())


@pytest.mark.parametrize("seat", [0, 1], ids=["eldest", "dealer"])
def test_every_three_cards_are_as_likely_as_they_should_be(
    pack: tuple[int, int, np.ndarray], seat: int
) -> None:
    ranks, copies, deals = pack
    hands = np.sort(deals[:, seat::2], axis=1)
    found = Counter(map(tuple, hands.tolist()))
    every = list(itertools.combinations_with_replacement(range(1, ranks + 1), 3))
    assert len(every) == {13: 455, 8: 120, 7: 84}[ranks]
    ways = [
        math.prod(math.comb(copies, count) for count in Counter(cards).values()) for cards in every
    ]
    shares = np.array(ways) / math.comb(ranks * copies, 3)
    assert_fits(np.array([found[cards] for cards in every]), shares)


def test_one_hand_says_nothing_of_the_next(pack: tuple[int, int, np.ndarray]) -> None:
    ranks, _, deals = pack
    both = (deals[:-1, 0] - 1) * ranks + deals[1:, 0] - 1
    assert_fits(np.bincount(both, minlength=ranks**2), np.full(ranks**2, 1 / ranks**2))


def test_hands_of_different_keys_are_different_deals() -> None:
    key = chance.subkey(5, "deal")
    places = list(itertools.product(range(6), repeat=3))
    deals = Counter(tuple(dealt(key, *place, 52, 4)) for place in places)
    assert len(deals) > len(places) - 3  # 1.6 million six-card deals by rank: hardly ever the same


def test_cuts_are_never_equal_and_a_thirteenth_is_cut_again() -> None:
    key = chance.subkey(99, "cut")
    count = 40_000
    cuts = [cut(key, number // 100, number % 100, 13) for number in range(count)]
    assert all(a != b for _, a, b in cuts)
    pairs = np.zeros((13, 13))
    for _, a, b in cuts:
        pairs[a - 1, b - 1] += 1
    off_diagonal = ~np.eye(13, dtype=bool)
    assert_fits(pairs[off_diagonal], np.full(156, 1 / 156))
    again = sum(recuts > 0 for recuts, _, _ in cuts) / count
    assert abs(again - 1 / 13) < 4 * math.sqrt(1 / 13 * 12 / 13 / count)
    twice = sum(recuts > 1 for recuts, _, _ in cuts) / count
    assert abs(twice - 1 / 169) < 4 * math.sqrt(1 / 169 / count)


@njit
def many_lucks(match, games, hands, decisions):  # type: ignore[no-untyped-def]
    """(2, games, hands, decisions) float64, by mirror first."""
    lucks = np.zeros((2, games, hands, decisions))
    for mirror in range(2):
        for game in range(games):
            start = chance.luck_of_game(match, mirror, game)
            for hand in range(hands):
                for decision in range(decisions):
                    lucks[mirror, game, hand, decision] = chance.luck(start, hand, decision)
    return lucks


def test_luck_is_uniform_and_every_decision_has_its_own() -> None:
    match = chance.luck_of_match(chance.subkey(1, "luck", "a", "b"), 0)
    lucks = many_lucks(match, 500, 20, 10)
    assert lucks.min() >= 0
    assert lucks.max() < 1
    assert np.unique(lucks).size == lucks.size
    assert_fits(np.bincount((lucks * 256).astype(int).ravel()), np.full(256, 1 / 256))
    # The last of the 53 bits are as random as the first.
    low = (lucks * 2**53).astype(np.int64) % 256
    assert_fits(np.bincount(low.ravel()), np.full(256, 1 / 256))


@pytest.mark.parametrize("axis", range(4), ids=["mirror", "game", "hand", "decision"])
def test_luck_of_one_decision_says_nothing_of_the_next(axis: int) -> None:
    match = chance.luck_of_match(chance.subkey(1, "luck", "a", "b"), 0)
    bins = (many_lucks(match, 500, 20, 10) * 16).astype(int)
    size = bins.shape[axis]
    first, second = bins.take(range(size - 1), axis), bins.take(range(1, size), axis)
    assert_fits(np.bincount((first * 16 + second).ravel(), minlength=256), np.full(256, 1 / 256))


def test_luck_of_players_and_blocks_differs() -> None:
    keys = [chance.subkey(1, "luck", *names) for names in (("a", "b"), ("b", "a"), ("a", "c"))]
    starts = {int(chance.luck_of_match(key, block)) for key in keys for block in range(1000)}
    assert len(starts) == 3000

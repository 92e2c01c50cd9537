"""Chance: every random number is a function of (seed, what it is for).

Deals and cuts come from Philox-4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
as easy as 1, 2, 3", SC 2011), a strategy's luck from the finaliser of SplitMix64 (Steele, Lea and
Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). Each purpose has a subkey of
its own, cut from the seed by BLAKE2b, so nothing a strategy sees lets it work out a card.
Bounded integers are exact: Lemire's multiply-and-reject ("Fast random integer generation in an
interval", 2019), no modulo bias.
"""

import hashlib

import numpy as np
from numba import uint64

from put_cli.engine.intrinsics import kernel_function, rare_function, wide_product

GENERATOR = "philox4x32-10+splitmix64/1"
"""Name and version, for the manifest: equal names mean equal games from equal seeds."""

_LOW = np.uint64(0xFFFFFFFF)
_M0 = np.uint64(0xD2511F53)
_M1 = np.uint64(0xCD9E8D57)
_W0 = np.uint64(0x9E3779B9)
_W1 = np.uint64(0xBB67AE85)
_B32 = np.uint64(32)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_UNMIX1 = np.uint64(pow(int(_MIX1), -1, 2**64))
_UNMIX2 = np.uint64(pow(int(_MIX2), -1, 2**64))


def subkey(seed: int, *purpose: str) -> int:
    """A 64-bit key (as a signed integer) for one purpose, from the seed.

    `purpose` is for example ("deal",) or ("luck", "bold", "odds(margin=0.1)").
    """
    hasher = hashlib.blake2b(digest_size=8, person=b"put-cli")
    hasher.update(f"{len(purpose)}:{seed}".encode())
    for word in purpose:
        data = word.encode()
        hasher.update(len(data).to_bytes(8, "little") + data)
    return int.from_bytes(hasher.digest(), "little", signed=True)


@kernel_function
def philox(c0, c1, c2, c3, k0, k1):
    """Philox-4x32-10: four uint64 holding 32 random bits each, from a 4x32 counter and 2x32 key."""
    for _ in range(10):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0 = (p1 >> _B32) ^ c1 ^ k0
        c1 = p1 & _LOW
        c2 = (p0 >> _B32) ^ c3 ^ k1
        c3 = p0 & _LOW
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@kernel_function
def mix64(x):
    """The SplitMix64 finaliser, a bijection on 64 bits."""
    x = (x ^ (x >> np.uint64(30))) * _MIX1
    x = (x ^ (x >> np.uint64(27))) * _MIX2
    return x ^ (x >> np.uint64(31))


@kernel_function
def luck_of_match(key, block):
    """What the luck of one player in one block starts from, int64."""
    return np.int64(mix64(uint64(key) + uint64(block) * _GOLDEN))


@kernel_function
def luck_of_game(match, mirror, game):
    """What the luck of one player in one game starts from, int64."""
    return np.int64(
        mix64(uint64(match) + ((uint64(game) << np.uint64(1)) | uint64(mirror)) * _GOLDEN)
    )


@kernel_function
def luck(game, hand, decision):
    """A uniform number in [0, 1) with 53 random bits for one decision of one player.

    `game` is what `luck_of_game` gave; `decision` counts that player's decisions in the hand.
    """
    x = mix64(uint64(game) + uint64(hand) * _GOLDEN)
    x = mix64(x + (uint64(decision) + np.uint64(1)) * _GOLDEN)
    return float(x >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel_function
def source_of_luck(bits):
    """What `luck_of_game` would have given for the luck bits * 2^-53 of hand 0, decision 0."""
    x = unmix64(uint64(bits) << np.uint64(11)) - _GOLDEN
    return np.int64(unmix64(x))


@kernel_function
def unmix64(x):
    """The inverse of `mix64`."""
    x = x ^ (x >> np.uint64(31)) ^ (x >> np.uint64(62))
    x = x * _UNMIX2
    x = x ^ (x >> np.uint64(27)) ^ (x >> np.uint64(54))
    x = x * _UNMIX1
    return x ^ (x >> np.uint64(30)) ^ (x >> np.uint64(60))


@kernel_function
def cut(key, block, game, top, out):
    """Both chairs cut a full pack until the ranks differ: out[:2] are the cards that decided.

    Returns how many equal cuts went before. `out` is (2,) or longer, int64.
    """
    k0 = uint64(key) & _LOW
    k1 = uint64(key) >> _B32
    n = uint64(top)
    threshold = (np.uint64(1) << _B32) % n
    recuts = 0
    attempt = np.uint64(0)
    while True:
        w0, w1, _, _ = philox(uint64(block), uint64(game), np.uint64(0), attempt, k0, k1)
        attempt += np.uint64(1)
        p0 = w0 * n
        p1 = w1 * n
        if (p0 & _LOW) < threshold or (p1 & _LOW) < threshold:
            continue
        if p0 >> _B32 != p1 >> _B32:
            out[0] = np.int64(p0 >> _B32) + 1
            out[1] = np.int64(p1 >> _B32) + 1
            return recuts
        recuts += 1


def deal_threshold(pack_size: int, digits: int = 6) -> int:
    """2**64 modulo the number of ordered draws with replacement: a deal rejects words below."""
    return int(2**64 % pack_size**digits)


@rare_function
def bounded(key, block, game, hand, place, n):
    """A uniform integer from 0 to n - 1: number `place` of the stream of (block, game, hand)."""
    k0 = uint64(key) & _LOW
    k1 = uint64(key) >> _B32
    top = uint64(n)
    threshold = (np.uint64(1) << _B32) % top
    attempt = np.uint64(0)
    while True:
        w0, w1, w2, w3 = philox(
            uint64(block), uint64(game), uint64(hand), uint64(place) | (attempt << 16), k0, k1
        )
        for word in (w0, w1, w2, w3):
            product = word * top
            if (product & _LOW) >= threshold:
                return np.int64(product >> _B32)
        attempt += np.uint64(1)


@rare_function
def fraction53(key, block, game, hand, place):
    """A uniform integer of 53 bits: number `place` of the stream of (block, game, hand)."""
    k0 = uint64(key) & _LOW
    k1 = uint64(key) >> _B32
    w0, w1, _, _ = philox(uint64(block), uint64(game), uint64(hand), uint64(place), k0, k1)
    return np.int64(((w1 << _B32) | w0) >> np.uint64(11))


@rare_function
def cut_many(key, block, game, top, chairs, low_deals, out):
    """Everybody cuts a full pack; those who tie for the deal cut again among themselves.

    out[:chairs] is the last card each has cut. Returns the chair that deals and how many times
    was cut again.
    """
    cutting = (1 << chairs) - 1
    recuts = 0
    while True:
        best = 0
        ties = 0
        for first in range(0, chairs, 4):
            cards = _four_cards(key, block, game, recuts * 2 + first // 4, top)
            for i in range(min(4, chairs - first)):
                chair = first + i
                if cutting >> chair & 1:
                    out[chair] = cards[i]
                    worth = top + 1 - out[chair] if low_deals else out[chair]
                    if worth > best:
                        best = worth
                        ties = 0
                    if worth == best:
                        ties |= 1 << chair
        for chair in range(chairs):
            if ties == 1 << chair:
                return chair, recuts
        cutting = ties
        recuts += 1


@kernel_function
def _four_cards(key, block, game, place, top):
    """Four independent cards of full packs, number `place` of the stream of (block, game)."""
    k0 = uint64(key) & _LOW
    k1 = uint64(key) >> _B32
    n = uint64(top)
    threshold = (np.uint64(1) << _B32) % n
    attempt = np.uint64(0)
    while True:
        # Apart from the words of `cut`: two-handed and other games share a subkey.
        stream = (np.uint64(1) << np.uint64(31)) | (attempt << np.uint64(16)) | uint64(place)
        w0, w1, w2, w3 = philox(uint64(block), uint64(game), np.uint64(0), stream, k0, k1)
        p0, p1, p2, p3 = w0 * n, w1 * n, w2 * n, w3 * n
        if min(p0 & _LOW, p1 & _LOW, p2 & _LOW, p3 & _LOW) >= threshold:
            return (
                np.int64(p0 >> _B32) + 1,
                np.int64(p1 >> _B32) + 1,
                np.int64(p2 >> _B32) + 1,
                np.int64(p3 >> _B32) + 1,
            )
        attempt += np.uint64(1)


@kernel_function
def _reciprocal(copies):
    """What `_card_at` multiplies by instead of dividing; exact for places below 64."""
    return np.uint64(65536) // uint64(copies) + np.uint64(1)


@kernel_function
def _card_at(place, inverse):
    """The card at a place of the sorted pack, from place // copies."""
    return np.int64((place * inverse) >> np.uint64(16)) + 1


DIGITS_OF_MANY = 10
"""Places in the pack that `deal_many` reads from a 64-bit word."""


@kernel_function
def deal_many(key, block, game, hand, pack_size, copies, threshold, count, out):
    """`count` cards from a shuffled pack in the order dealt, to out[:count] (card numbers).

    A 64-bit word is read as a fraction whose first ten digits in base `pack_size` are places in
    the pack, each uniform; a place that is out already is passed over. `out` has room for ten
    numbers more.
    """
    k0 = uint64(key) & _LOW
    k1 = uint64(key) >> _B32
    n = uint64(pack_size)
    inverse = _reciprocal(copies)
    taken = np.uint64(0)
    dealt = 0
    # Apart from the words of `deal`: two-handed and other games share a subkey.
    stream = np.uint64(1) << np.uint64(31)
    while True:
        w0, w1, w2, w3 = philox(uint64(block), uint64(game), uint64(hand), stream, k0, k1)
        stream += np.uint64(1)
        fraction = (w1 << _B32) | w0
        for _ in range(2):
            for i in range(DIGITS_OF_MANY):
                place, fraction = wide_product(fraction, n)
                out[count + i] = np.int64(place)
            if fraction >= uint64(threshold):
                for i in range(DIGITS_OF_MANY):
                    place = uint64(out[count + i])
                    if taken >> place & np.uint64(1) == 0:
                        taken |= np.uint64(1) << place
                        out[dealt] = _card_at(place, inverse)
                        dealt += 1
                        if dealt == count:
                            return
            fraction = (w3 << _B32) | w2


@kernel_function
def _ones(x):
    """How many bits of a uint64 are set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel_function
def deal(key, block, game, hand, pack_size, copies, threshold, out):
    """Six cards from a shuffled pack in the order dealt, eldest first, to out[:6] (card numbers).

    One 64-bit word is read as a fraction whose first six digits in base `pack_size` are places in
    the pack; draws with a place twice are rejected, which leaves every ordered draw without
    replacement equally likely. A block of the generator holds two such words.
    """
    k0 = uint64(key) & _LOW
    k1 = uint64(key) >> _B32
    n = uint64(pack_size)
    inverse = _reciprocal(copies)
    attempt = np.uint64(0)
    while True:
        w0, w1, w2, w3 = philox(uint64(block), uint64(game), uint64(hand), attempt, k0, k1)
        attempt += np.uint64(1)
        fraction = (w1 << _B32) | w0
        for _ in range(2):
            places = np.uint64(0)
            for i in range(6):
                place, fraction = wide_product(fraction, n)
                places |= np.uint64(1) << place
                out[i] = _card_at(place, inverse)
            if fraction >= uint64(threshold) and _ones(places) == 6:
                return
            fraction = (w3 << _B32) | w2

"""Vectors, compiled: what the sweeps do with many numbers at once.

All are contiguous, of the length of `out`, and most are a `line` of something longer.
"""

from numba import njit

piece = njit(fastmath=True, nogil=True, _nrt=False)
"""How the parts of a sweep are compiled: no reference counting (they allocate nothing)."""


@piece
def clear(out):
    """Set all to 0."""
    for x in range(len(out)):
        out[x] = 0


@piece
def copy(out, a):
    """out = a."""
    for x in range(len(out)):
        out[x] = a[x]


@piece
def add(out, a):
    """out += a."""
    for x in range(len(out)):
        out[x] += a[x]


@piece
def multiply(out, a):
    """out *= a."""
    for x in range(len(out)):
        out[x] *= a[x]


@piece
def scale(out, a, factor):
    """out = factor * a."""
    for x in range(len(out)):
        out[x] = factor * a[x]


@piece
def add_product(out, a, b):
    """out += a * b."""
    for x in range(len(out)):
        out[x] += a[x] * b[x]


@piece
def gather(out, a, places):
    """out = a[places]."""
    for x in range(len(out)):
        out[x] = a[places[x]]

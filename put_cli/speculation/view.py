"""The View as the kernel makes it, from its `state` and a seat; `session` tells it slowly."""

from functools import cache

import numpy as np
import numpy.typing as npt

from put_cli.engine import luck as chance
from put_cli.engine.intrinsics import kernel_function
from put_cli.speculation import state as at
from put_cli.speculation.cards import ACE, LOWEST, PACK, PER_SUIT
from put_cli.speculation.chance import survival
from put_cli.speculation.rules import CARDS_EACH, MOST_PLAYERS
from put_cli.speculation.strategy import View

ALL_RANKS = sum(1 << rank for rank in range(LOWEST, ACE + 1))

TO_COME_MOST = CARDS_EACH * (MOST_PLAYERS + 1) + 1
"""Cards to come are fewer than this."""


@kernel_function
def _steps(s, seat, other):
    """How far clockwise `other` sits from `seat`; -1 for nobody."""
    if other < 0:
        return -1
    far = other - seat
    return far if far >= 0 else far + s[at.PLAYERS]


@kernel_function
def _one(s, block, seat, step):
    if step >= s[at.PLAYERS]:
        return 0
    other = seat + step
    if other >= s[at.PLAYERS]:
        other -= s[at.PLAYERS]
    return s[block + other]


@kernel_function
def _seats(s, block, seat):
    """What stands in a block of the state, clockwise from `seat`."""
    return (
        _one(s, block, seat, 0),
        _one(s, block, seat, 1),
        _one(s, block, seat, 2),
        _one(s, block, seat, 3),
        _one(s, block, seat, 4),
        _one(s, block, seat, 5),
        _one(s, block, seat, 6),
        _one(s, block, seat, 7),
        _one(s, block, seat, 8),
        _one(s, block, seat, 9),
        _one(s, block, seat, 10),
        _one(s, block, seat, 11),
    )


@kernel_function
def _ones(mask):
    """How many bits of a mask of ranks are set."""
    mask = mask - ((mask >> 1) & 0x5555)
    mask = (mask & 0x3333) + ((mask >> 2) & 0x3333)
    mask = (mask + (mask >> 4)) & 0x0F0F
    return (mask + (mask >> 8)) & 0x1F


@kernel_function
def make_view(s, chances, seat, memory):
    """The View of the player in `seat`; what its reader does not use is not computed.

    `chances` is the table of `survivals`.
    """
    base = at.KNOWN if memory else at.SEEN
    unseen = s[at.UNKNOWN if memory else at.UNSEEN]
    to_come = s[at.TO_COME]
    if s[at.TRUMP] < 0:
        better = 0
        survives = s.view(np.float64)[at.UP_SURVIVES_KNOWN if memory else at.UP_SURVIVES]
    else:
        above = ALL_RANKS & ~((2 << s[at.BEST]) - 1)
        better = _ones(~s[base + s[at.TRUMP]] & above)
        survives = chances[(unseen * TO_COME_MOST + to_come) * PER_SUIT + better]
    return View(
        s[at.SALE],
        _steps(s, seat, s[at.SELLER]),
        s[at.OFFERED],
        s[at.BEST_BID],
        _steps(s, seat, s[at.BEST_BIDDER]),
        _seats(s, at.BIDS, seat),
        s[at.POOL],
        _steps(s, seat, s[at.HOLDER]),
        s[at.BEST],
        s[at.TRUMP],
        s[at.LEFT + seat],
        _seats(s, at.LEFT, seat),
        _seats(s, at.CHIPS, seat),
        _steps(s, seat, s[at.DEALER]),
        s[at.DEAL],
        s[at.DEALS],
        (s[base], s[base + 1], s[base + 2], s[base + 3]),
        unseen,
        to_come,
        better,
        s[at.UNKNOWN_PAYERS if memory else at.PAYERS],
        survives,
        s[at.PLAYERS],
        s[at.ANTE],
        s[at.PAYMENT],
        s[at.SPARE],
        s[at.WHOLE_HAND] != 0,
        chance.luck(s[at.LUCK + seat], s[at.DEAL], s[at.DECISION + seat]),
    )


@cache
def survivals() -> npt.NDArray[np.float64]:
    """(53 * TO_COME_MOST * 13,): `chance.survival` by unseen cards, cards to come, better ones."""
    return np.array(
        [
            survival(unseen, to_come, better) if to_come <= unseen else 0.0
            for unseen in range(PACK + 1)
            for to_come in range(TO_COME_MOST)
            for better in range(PER_SUIT)
        ]
    )

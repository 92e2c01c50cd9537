"""The View as the kernel makes it, from its `state` and a seat; `session` tells it slowly."""

import numpy as np

from put_cli.engine import luck as chance
from put_cli.engine.intrinsics import kernel_function
from put_cli.speculation import state as at
from put_cli.speculation.chance import survival, unseen_above
from put_cli.speculation.strategy import View

_survival = kernel_function(survival)
_unseen_above = kernel_function(unseen_above)


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
def make_view(s, seat, memory):
    """The View of the player in `seat`; what its reader does not use is not computed."""
    base = at.KNOWN if memory else at.SEEN
    clubs, diamonds, hearts, spades = s[base], s[base + 1], s[base + 2], s[base + 3]
    seen = (clubs, diamonds, hearts, spades)
    unseen = 52 - _ones(clubs) - _ones(diamonds) - _ones(hearts) - _ones(spades)
    payers = 8
    for suit in range(4):
        payers -= (s[base + suit] >> 5 & 1) + (s[base + suit] >> 11 & 1)
    if s[at.TRUMP] < 0:
        better = 0
        survives = s.view(np.float64)[at.UP_SURVIVES_KNOWN if memory else at.UP_SURVIVES]
    else:
        better = _unseen_above(s[base + s[at.TRUMP]], s[at.BEST])
        survives = _survival(unseen, s[at.TO_COME], better)
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
        seen,
        unseen,
        s[at.TO_COME],
        better,
        payers,
        survives,
        s[at.PLAYERS],
        s[at.ANTE],
        s[at.PAYMENT],
        s[at.SPARE],
        s[at.WHOLE_HAND] != 0,
        chance.luck(s[at.LUCK + seat], s[at.DEAL], s[at.DECISION + seat]),
    )

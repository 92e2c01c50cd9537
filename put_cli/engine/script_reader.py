"""The player who reads: compiled functions that say and lay what a script has at that place.

Beside them what else of a script is compiled: all the cuts of some matches.
"""

import numpy as np
from numba import carray, njit
from numba.core.compiler_lock import global_compiler_lock

from put_cli.engine import compiled
from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.hand import begin_game
from put_cli.engine.intrinsics import address_as_acts, address_as_lane, address_as_row
from put_cli.engine.lanes import (
    FIRST_ROW,
    GAME,
    GIFT,
    HAND,
    LAY_OUT,
    MAX_CHAIRS,
    SAID_DECLINED,
    SAID_PUT,
    SAID_SEE,
    SAID_SEEN,
    SAID_THROWN,
    WORDS_END,
    WORDS_SHIFT,
)
from put_cli.engine.native import Native, compile_wrapper, kept
from put_cli.engine.tables import ACTOR, ASKED, LED, PLACE, RULED, TRICK
from put_cli.strategy import DRAW, GIVE, PUT, REDEAL, SEE, STAND, THROW

ACTS = 3 * MAX_CHAIRS + 5
"""Columns of a script: 18 for the cards laid, then five for what came before the tricks."""

RULING, CHOICE, LAID_OUT = 3 * MAX_CHAIRS, 3 * MAX_CHAIRS + 1, 3 * MAX_CHAIRS + 3
"""1 + index into RULINGS; by side 1 + index into CHOICES; by side the card laid out."""

_SOME = 1 << 60  # a length for arrays whose bounds are looked up
_WIDTH, _ROW = ln.WIDTH, tb.COLUMNS
_RULED_REDEAL = 2


@global_compiler_lock
def reader(many: bool, store: compiled.Store) -> Native:
    """The scripted player for games of two sides, or of more, compiled."""

    @njit
    def before_tricks(acts, row, method):
        if method == GIFT:
            return GIVE + acts[CHOICE + row[ACTOR]] - 1 if acts[CHOICE + row[ACTOR]] > 0 else 0
        if method == LAY_OUT:
            return np.int64(acts[LAID_OUT + row[ACTOR]])
        if acts[RULING] == 0:
            return 0
        if acts[RULING] == _RULED_REDEAL:
            return REDEAL
        return STAND if acts[RULING] == 1 and row[RULED] == 1 else DRAW if acts[RULING] == 3 else 0

    def two(lane_at, row_at, parameters, chair, other):
        lane, row = carray(address_as_lane(lane_at), _WIDTH), carray(address_as_row(row_at), _ROW)
        script = carray(address_as_lane(parameters), 3)
        starts = carray(address_as_lane(script[0]), _SOME)
        game = lane[FIRST_ROW] + lane[GAME]
        at = starts[game] + lane[HAND]
        if at >= starts[game + 1]:
            return 0
        acts = carray(address_as_acts(script[1] + at * ACTS), ACTS)
        if row[tb.METHOD] != ln.ACT:
            return before_tricks(acts, row, row[tb.METHOD])
        words = carray(address_as_lane(script[2]), _SOME)[at]
        said = lane[WORDS_SHIFT]
        rest = (words & ((1 << WORDS_END) - 1)) >> said
        end = words >> WORDS_END
        if row[ASKED]:
            if rest or end == SAID_SEEN:  # more was said later, so it was seen
                return SEE
            return THROW if end == SAID_DECLINED else 0
        if rest and rest & 15 == row[PLACE] | (row[ACTOR] << 3):
            return THROW if rest >> 4 == 0 and end == SAID_THROWN else PUT
        return np.int64(acts[2 * (row[TRICK] - 1) + (1 if row[LED] else 0)])

    def more(lane_at, row_at, parameters, chair, other):
        lane, row = carray(address_as_lane(lane_at), _WIDTH), carray(address_as_row(row_at), _ROW)
        script = carray(address_as_lane(parameters), 3)
        starts = carray(address_as_lane(script[0]), _SOME)
        game = lane[FIRST_ROW] + lane[GAME]
        at = starts[game] + lane[HAND]
        if at >= starts[game + 1]:
            return 0
        acts = carray(address_as_acts(script[1] + at * ACTS), ACTS)
        if row[tb.METHOD] != ln.ACT:
            return before_tricks(acts, row, row[tb.METHOD])
        rest = carray(address_as_lane(script[2]), _SOME)[at] >> lane[WORDS_SHIFT]
        if rest and rest & 63 == row[PLACE] | (row[ACTOR] << 3):
            word = (rest >> 6) & 3
            return PUT if word == SAID_PUT else SEE if word == SAID_SEE else THROW
        if row[ASKED]:
            return 0
        return np.int64(acts[MAX_CHAIRS * (row[TRICK] - 1) + row[ACTOR]])

    wrapper = more if many else two
    name = f"scripted_{'more' if many else 'two'}"
    wrapper.__name__ = wrapper.__qualname__ = name
    digest = compiled.kernel_digest(name)
    code, result = kept(digest, store, lambda: compile_wrapper(wrapper))
    return Native(code, lambda: np.zeros(3, np.int64), result)


@njit
def cut_all(lanes, knobs, key, games, chairs, many, partners):
    """Every game's cut and first dealer into `games` (columns, G), as GAME_COLUMNS."""
    for lane in lanes:
        for game in range(lane[ln.GAMES]):
            lane[GAME] = game
            begin_game(lane, knobs, key, many, partners)
            at = lane[FIRST_ROW] + game
            games[0, at] = lane[ln.RECUTS]
            games[1, at] = lane[ln.FIRST_DEALER]
            for chair in range(chairs):
                games[ln.G_CUT + chair, at] = lane[ln.CUT + chair]

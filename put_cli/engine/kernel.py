"""The kernel: plays any rule set given as tables; `hand.py`, `opening.py` and `scoring.py` hold its
pieces.

`advance` moves every lane (a match) as far as it can without Python. Compiled strategies are
called through their address; a lane whose player is in Python waits with its View written to
`asks`, and goes on when `advance` is called again with the answer in its lane. Chairs are places
at the table for the match; seats are theirs for one hand, eldest's first and the dealer's last.

There is one kernel for each kind of game, compiled from the same source: what two-handed Put does
not know costs it nothing.
"""

from functools import cache
from typing import Any

from numba import njit

from put_cli.engine.hand import (
    apply,
    begin_game,
    begin_hand,
    is_legal,
    is_legal_before,
    only_card,
)
from put_cli.engine.intrinsics import call_method, with_columns
from put_cli.engine.lanes import (
    ACT,
    ANSWER,
    ANY_LEARNS,
    ASK,
    CODE,
    DEALER,
    DECIDE,
    DECISION,
    FINISHED,
    GIFT,
    HAND_OVER,
    JUDGE,
    LAY_OUT,
    LEG,
    MAX_CHAIRS,
    NEW_GAME,
    NEW_HAND,
    OUT,
    PARAMETERS,
    PLAYER,
    STATE,
    STATUS,
    TALLY_COLUMNS,
    WIDTH,
)
from put_cli.engine.luck import DIGITS_OF_MANY
from put_cli.engine.opening import (
    begin_gifts,
    choose,
    deal_goes_wrong,
    lay_out,
    rule_on_misdeal,
)
from put_cli.engine.scoring import end_hand, lose_unplayed
from put_cli.engine.tables import ACTOR, COLUMNS, METHOD, N_CHAIRS, N_SIDES, OPPONENT, WINS_NEEDED
from put_cli.engine.view import write_ask
from put_cli.rules.machine import NOBODY
from put_cli.rules.ruleset import RuleSet

DONE, WAITING, FULL = 0, 1, 2
"""What `advance` returns: all lanes finished; Python must answer; the hands buffer is full."""

TALLIES = len(TALLY_COLUMNS)
POINTS_AT = 3 * MAX_CHAIRS + DIGITS_OF_MANY
SCRATCH = POINTS_AT + MAX_CHAIRS
"""Length of the `scratch` array: the cards of a deal and room to draw them, then the points of a
hand by chair."""


def kernel_of(rules: RuleSet) -> Any:
    """The kernel for a rule set."""
    return _kernel(rules.players > 2, rules.partners, rules.misdeals > 0)


def all_kernels() -> dict[str, Any]:
    """Every kernel by a name of its own; none is compiled before it is called."""
    return {
        f"advance {game} {laws}": _kernel(game == "many", game == "partners", laws)
        for game in ("two", "many", "partners")
        for laws in (False, True)
    }


@cache
def _kernel(many: bool, partners: bool, laws: bool) -> Any:
    """`advance` for one kind of game; the flags are constants of its compilation."""
    opening = partners or laws

    @njit(nogil=True, _nrt=False)
    def advance(
        first,
        lanes,
        states,
        knobs,
        subkeys,
        keys,
        hands,
        words,
        start,
        keep,
        games,
        tallies,
        asks,
        lucks,
        scratch,
    ):
        """Move the lanes from `first` on as far as they can go.

        Arguments: lanes (L, WIDTH) int64; states and knobs as in Tables; subkeys (3,) int64, the
        subkeys of cut, deal and misdeal; keys (3, N) int32, hands (columns, N) int16 and words
        (N,) int64, the hands buffer, filled from row `start`; games (columns, G) int32; tallies
        (L, columns) int64; asks (ASK_WIDTH, L) int64 and lucks (L,) float64, filled for the lanes
        that wait; scratch (SCRATCH,) int64.

        Returns (DONE | WAITING | FULL, rows in the buffer, lanes waiting, lane to start from
        next).
        """
        points = scratch[POINTS_AT:]
        lanes = with_columns(lanes, WIDTH)
        states = with_columns(states, COLUMNS)
        tallies = with_columns(tallies, TALLIES)
        n = start
        capacity = words.shape[0]
        waiting = 0
        earliest = lanes.shape[0]
        full = False
        for number in range(first, lanes.shape[0]):
            lane = lanes[number]
            tally = tallies[number]
            if full:
                break
            if lane[STATUS] == FINISHED:
                continue
            if earliest > number:
                earliest = number
            while True:
                status = lane[STATUS]
                over = False
                if status != DECIDE:
                    if status == FINISHED:
                        break
                    if n == capacity:  # whatever comes next may end a hand; the lane keeps it
                        full = True
                        break
                    if status == HAND_OVER:  # the learning players have heard: on it goes
                        lane[STATUS] = lane[ANSWER]
                        continue
                    if status == NEW_GAME:
                        begin_game(lane, knobs, subkeys[0], many, partners)
                        if lane[OUT]:
                            chairs = knobs[N_CHAIRS] if many or partners else 2
                            sides = knobs[N_SIDES] if many else 2
                            lose_unplayed(lane, games, tally, chairs, sides)
                            continue
                        lane[LEG] = 1 if knobs[WINS_NEEDED] > 1 else 0
                        lane[STATUS] = NEW_HAND
                        continue
                    if status == NEW_HAND:
                        begin_hand(lane, knobs, subkeys[1], scratch, many, partners)
                        if partners:
                            begin_gifts(lane)
                        if laws:
                            deal_goes_wrong(lane, knobs, subkeys[2], tally)
                            over = states[lane[STATE], ACTOR] == NOBODY
                    lane[STATUS] = DECIDE
                fault = 0
                if not over:
                    row = states[lane[STATE]]
                    seat = row[ACTOR]
                    method = row[METHOD] if opening else ACT
                    if many or partners:
                        chair = lane[PLAYER + seat]
                        other = lane[PLAYER + row[OPPONENT]]
                        if partners and method != ACT:
                            # Who plays for the other side is not known before the tricks.
                            other = (lane[DEALER] + seat) & 3
                    else:
                        # & 1 changes nothing, but tells the compiler that no chair is below 0.
                        chair = (lane[DEALER] + 1 + seat) & 1
                        other = 1 - chair
                    if status in (ASK, JUDGE):
                        action = lane[ANSWER]
                    else:
                        action = only_card(lane, row, chair)
                        if action == 0:
                            code = lane[CODE + MAX_CHAIRS * method + chair]
                            if code == 0:
                                lane[STATUS] = ASK
                                write_ask(
                                    lane, row, number, chair, other, ASK, asks, lucks, waiting, many
                                )
                                waiting += 1
                                break
                            action = call_method(
                                code,
                                lane.ctypes.data,
                                row.ctypes.data,
                                lane[PARAMETERS + chair],
                                chair,
                                other,
                            )
                    if action < 0 and status in (ASK, JUDGE):
                        fault = -action
                    elif method == ACT and is_legal(lane, row, chair, action):
                        apply(lane, states, row, chair, seat, action, tally, many, partners)
                        if states[lane[STATE], ACTOR] != NOBODY:
                            continue
                    elif opening and method != ACT and is_legal_before(lane, row, chair, action):
                        lane[DECISION + chair] += 1
                        if partners and method == GIFT:
                            choose(lane, row, action)
                        elif partners and method == LAY_OUT:
                            lay_out(lane, row, action)
                        elif laws:
                            rule_on_misdeal(lane, knobs, row, action, subkeys[2])
                        if states[lane[STATE], ACTOR] != NOBODY:
                            continue
                    else:
                        lane[STATUS] = JUDGE
                        write_ask(
                            lane, row, number, chair, other, JUDGE, asks, lucks, waiting, many
                        )
                        lane[ANSWER] = action
                        waiting += 1
                        break
                end_hand(
                    lane,
                    number,
                    states,
                    knobs,
                    fault,
                    n,
                    keep,
                    keys,
                    hands,
                    words,
                    games,
                    points,
                    tally,
                    many,
                    partners,
                    laws,
                )
                if keep:
                    n += 1
                if lane[ANY_LEARNS]:
                    lane[ANSWER] = lane[STATUS]
                    lane[STATUS] = HAND_OVER
                    asks[0, waiting] = number
                    asks[1, waiting] = n - 1
                    asks[2, waiting] = HAND_OVER
                    waiting += 1
                    break
        status = FULL if full else (WAITING if waiting else DONE)
        return status, n, waiting, earliest

    return advance

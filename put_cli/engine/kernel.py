"""The kernel: plays any rule set given as tables; `hand.py` and `scoring.py` hold its pieces.

`advance` moves every lane (a match) as far as it can without Python. Compiled strategies are
called through their address; a lane whose player is in Python waits with its View written to
`asks`, and goes on when `advance` is called again with the answer in its lane. Chairs (0, 1) are
places at the table for the match; seats (0 eldest, 1 dealer) are theirs for one hand.
"""

from numba import njit

from put_cli.engine.hand import apply, begin_game, begin_hand, is_legal, only_card
from put_cli.engine.intrinsics import call_act, with_columns
from put_cli.engine.lanes import (
    ANSWER,
    ASK,
    CODE,
    DEALER,
    DECIDE,
    FINISHED,
    HAND_OVER,
    JUDGE,
    LEARNS,
    LEG,
    NEW_GAME,
    NEW_HAND,
    PARAMETERS,
    STATE,
    STATUS,
    TALLY_COLUMNS,
    WIDTH,
)
from put_cli.engine.scoring import end_hand
from put_cli.engine.tables import ACTOR, COLUMNS, WINS_NEEDED
from put_cli.engine.view import write_ask

DONE, WAITING, FULL = 0, 1, 2
"""What `advance` returns: all lanes finished; Python must answer; the hands buffer is full."""

TALLIES = len(TALLY_COLUMNS)


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

    Arguments: lanes (L, WIDTH) int64; states and knobs as in Tables; subkeys (2,) int64, the
    subkeys of cut and deal; keys (3, N) int32, hands (18, N) int16 and words (N,) int64, the hands
    buffer, filled from row `start`; games (13, G) int32; tallies (L, 21) int64; asks (ASK_WIDTH, L)
    int64 and lucks (L,) float64, filled for the lanes that wait.

    Returns (DONE | WAITING | FULL, rows in the buffer, lanes waiting, lane to start from next).
    """
    points = scratch[6:]
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
            if status != DECIDE:
                if status == FINISHED:
                    break
                if n == capacity:  # whatever comes next may end a hand; the lane's state keeps it
                    full = True
                    break
                if status == HAND_OVER:  # the learning players have heard: on with what follows
                    lane[STATUS] = lane[ANSWER]
                    continue
                if status == NEW_GAME:
                    begin_game(lane, knobs, subkeys[0])
                    lane[LEG] = 1 if knobs[WINS_NEEDED] > 1 else 0
                    lane[STATUS] = NEW_HAND
                    continue
                if status == NEW_HAND:
                    begin_hand(lane, knobs, subkeys[1], scratch)
                lane[STATUS] = DECIDE
            row = states[lane[STATE]]
            # & 1 changes nothing, but tells the compiler that no chair is below 0.
            eldest = (lane[DEALER] + 1) & 1
            seat = row[ACTOR]
            chair = (eldest + seat) & 1
            fault = 0
            if status in (ASK, JUDGE):
                action = lane[ANSWER]
            else:
                action = only_card(lane, row, chair)
                if action == 0:
                    if lane[CODE + chair] == 0:
                        lane[STATUS] = ASK
                        write_ask(lane, number, chair, ASK, asks, lucks, waiting)
                        waiting += 1
                        break
                    action = call_act(
                        lane[CODE + chair],
                        lane.ctypes.data,
                        row.ctypes.data,
                        lane[PARAMETERS + chair],
                        chair,
                    )
            if action < 0 and (status in (ASK, JUDGE)):
                fault = -action
            elif is_legal(lane, row, chair, action):
                apply(lane, row, chair, seat, action, tally)
                if states[lane[STATE], ACTOR] < 2:
                    continue
            else:
                lane[STATUS] = JUDGE
                write_ask(lane, number, chair, JUDGE, asks, lucks, waiting)
                lane[ANSWER] = action
                waiting += 1
                break
            end_hand(
                lane,
                number,
                states,
                knobs,
                eldest,
                fault,
                n,
                keep,
                keys,
                hands,
                words,
                games,
                points,
                tally,
            )
            if keep:
                n += 1
            if lane[LEARNS] or lane[LEARNS + 1]:
                lane[ANSWER] = lane[STATUS]
                lane[STATUS] = HAND_OVER
                asks[0, waiting] = number
                asks[1, waiting] = n - 1
                asks[2, waiting] = HAND_OVER
                waiting += 1
                break
    status = FULL if full else (WAITING if waiting else DONE)
    return status, n, waiting, earliest

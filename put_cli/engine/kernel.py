"""The kernel: deals, asks, plays, scores and records, for any rule set given as tables.

`advance` moves every lane (a match) as far as it can without Python. Compiled strategies are
called through their address; a lane whose player is in Python waits with its View written to
`asks`, and goes on when `advance` is called again with the answer in its lane. Chairs (0, 1) are
places at the table for the match; seats (0 eldest, 1 dealer) are theirs for one hand.
"""

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from put_cli.engine import luck as chance
from put_cli.engine.lanes import (
    ANSWER,
    ASK,
    BLOCK,
    BY_CONCESSION,
    BY_FORFEIT,
    BY_POINTS,
    BY_PUT,
    BY_TRICKS,
    CARDS,
    CODE,
    CUT,
    DEALER,
    DEALT,
    DECIDE,
    DECISION,
    FINISHED,
    FIRST_DEALER,
    FIRST_ROW,
    GAME,
    GAMES,
    HAND,
    HAND_OVER,
    HANDS,
    JUDGE,
    LEARNS,
    LED,
    LEG,
    LEGS,
    LUCK,
    LUCK_OF_MATCH,
    MIRROR,
    NEW_GAME,
    NEW_HAND,
    OLD_SCORE,
    PARAMETERS,
    PLAYED,
    PLAYS,
    R_ASKED,
    R_LOST,
    R_PUTS,
    R_SEEN,
    R_THROWN,
    RECORD,
    SAID_DECLINED,
    SAID_THROWN,
    SAID_UNANSWERED,
    SCORE,
    STATE,
    STATUS,
    T_DEALT,
    T_DEALT_WINS,
    T_DECLINED,
    T_DRAWN,
    T_FAULTS,
    T_GAMES,
    T_HANDS,
    T_LEGS,
    T_LOST,
    T_POINTS,
    T_PUTS,
    T_SEEN,
    T_WINS,
    WORDS,
    WORDS_END,
    WORDS_SHIFT,
)
from put_cli.engine.luck import kernel_function
from put_cli.engine.tables import (
    ACTOR,
    ANEW,
    ASKED,
    COPIES,
    DEAL_THRESHOLD,
    ENDING,
    LOW_DEALS,
    MAY_PLAY,
    MAY_PUT,
    MAY_THROW,
    NEXT,
    PACK_SIZE,
    PLACE,
    POINTS,
    SEEN,
    TAKERS,
    TARGET,
    TOP,
    WINNER,
    WINS_NEEDED,
)
from put_cli.engine.tables import LED as ROW_LED
from put_cli.engine.view import write_ask
from put_cli.rules.machine import Act, Ending
from put_cli.rules.ruleset import GAME as WHOLE_GAME
from put_cli.strategy import PUT, SEE, THROW

# Numba takes module globals as constants, but not the members of an enum's class.
A_PUT, A_SEE, A_THROW, A_LEAD = int(Act.PUT), int(Act.SEE), int(Act.THROW), int(Act.LEAD)
A_LOWER, A_EQUAL, A_HIGHER = int(Act.LOWER), int(Act.EQUAL), int(Act.HIGHER)
THROWN, DRAWN = int(Ending.THROWN), int(Ending.DRAWN)

DONE, WAITING, FULL = 0, 1, 2
"""What `advance` returns: all lanes finished; Python must answer; the hands buffer is full."""


@intrinsic
def call_act(typingctx, code, lane, row, parameters, chair):
    """Call a compiled act at the address `code`: int64 act(lane*, row*, parameters*, chair)."""

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        function = ir.FunctionType(word, [word, word, word, word])
        pointer = builder.inttoptr(args[0], function.as_pointer())
        return builder.call(pointer, args[1:])

    return types.int64(types.int64, types.int64, types.int64, types.int64, types.int64), codegen


@kernel_function
def cards_index(a, b, c):
    """The number of three cards a >= b >= c among all such: 0 for 1 1 1, 454 for 13 13 13."""
    return (a + 1) * a * (a - 1) // 6 + b * (b - 1) // 2 + c - 1


@kernel_function
def begin_game(lane, knobs, cut_key):
    """Cut for deal and set the scores to 0."""
    lane[CUT + 2] = chance.cut(cut_key, lane[BLOCK], lane[GAME], knobs[TOP], lane[CUT:])
    first_is_higher = lane[CUT] > lane[CUT + 1]
    low_deals = knobs[LOW_DEALS] != 0
    lane[FIRST_DEALER] = 0 if first_is_higher != low_deals else 1
    lane[DEALER] = lane[FIRST_DEALER]
    lane[HAND] = 0
    lane[LEG] = 0
    for chair in range(2):
        lane[SCORE + chair] = 0
        lane[LEGS + chair] = 0
        lane[LUCK + chair] = chance.luck_of_game(
            lane[LUCK_OF_MATCH + chair], lane[MIRROR], lane[GAME]
        )


@kernel_function
def take_cards(lane, chair, a, b, c):
    """Give a chair its three cards, sorted best first."""
    if a < b:
        a, b = b, a
    if b < c:
        b, c = c, b
    if a < b:
        a, b = b, a
    lane[CARDS + 3 * chair] = a
    lane[CARDS + 3 * chair + 1] = b
    lane[CARDS + 3 * chair + 2] = c
    lane[DEALT + chair] = cards_index(a, b, c)


@kernel_function
def begin_hand(lane, knobs, deal_key, scratch):
    """Deal, and set the hand to its first state."""
    chance.deal(
        deal_key,
        lane[BLOCK],
        lane[GAME],
        lane[HAND],
        knobs[PACK_SIZE],
        knobs[COPIES],
        knobs[DEAL_THRESHOLD],
        scratch,
    )
    eldest = 1 - lane[DEALER]
    take_cards(lane, eldest, scratch[0], scratch[2], scratch[4])
    take_cards(lane, 1 - eldest, scratch[1], scratch[3], scratch[5])
    for i in range(6):
        lane[PLAYED + i] = 0
    for chair in range(2):
        lane[PLAYS + chair] = 0
        lane[DECISION + chair] = 0
        lane[OLD_SCORE + chair] = lane[SCORE + chair]
    lane[STATE] = 0
    lane[LED] = 0
    lane[WORDS] = 0
    lane[WORDS_SHIFT] = 0


@kernel_function
def say(lane, place, seat):
    """Note an utterance: a put, or a free throw when WORDS_END says so later."""
    lane[WORDS] |= (place | (seat << 3)) << lane[WORDS_SHIFT]
    lane[WORDS_SHIFT] += 4


@kernel_function
def is_legal(lane, row, chair, action):
    """Whether the rules and the chair's cards allow this action here."""
    if action == PUT:
        return row[MAY_PUT] != 0
    if action == SEE:
        return row[ASKED] != 0
    if action == THROW:
        return row[MAY_THROW] != 0
    if row[MAY_PLAY] == 0 or action <= 0:
        return False
    own = CARDS + 3 * chair
    return lane[own] == action or lane[own + 1] == action or lane[own + 2] == action


@kernel_function
def apply(lane, row, chair, seat, action, tally):
    """Do a legal action: the lane's next state, its record and its tally."""
    lane[DECISION + chair] += 1
    if action == PUT:
        say(lane, row[PLACE], seat)
        lane[RECORD + 5 * chair + R_PUTS] += 1
        tally[T_PUTS + chair] += 1
        lane[STATE] = row[NEXT + A_PUT]
    elif action == SEE:
        lane[RECORD + 5 * chair + R_ASKED] += 1
        lane[RECORD + 5 * (1 - chair) + R_SEEN] += 1
        tally[T_SEEN + 1 - chair] += 1
        lane[STATE] = row[NEXT + A_SEE]
    elif action == THROW:
        if row[ASKED]:
            lane[RECORD + 5 * chair + R_ASKED] += 1
            lane[RECORD + 5 * chair + R_THROWN] += 1
            tally[T_DECLINED + 1 - chair] += 1
            lane[WORDS] |= SAID_DECLINED << WORDS_END
        else:
            say(lane, row[PLACE], seat)
            lane[WORDS] |= SAID_THROWN << WORDS_END
        lane[STATE] = row[NEXT + A_THROW]
    else:
        own = CARDS + 3 * chair
        for i in range(3):
            if lane[own + i] == action:
                lane[own + i] = 0
                break
        lane[PLAYED + 3 * chair + lane[PLAYS + chair]] = action
        lane[PLAYS + chair] += 1
        if row[ROW_LED] == 0:
            lane[LED] = action
            lane[STATE] = row[NEXT + A_LEAD]
        else:
            led = lane[LED]
            lane[LED] = 0
            if action < led:
                lane[STATE] = row[NEXT + A_LOWER]
            elif action == led:
                lane[STATE] = row[NEXT + A_EQUAL]
            else:
                lane[STATE] = row[NEXT + A_HIGHER]


@kernel_function
def only_card(lane, row, chair):
    """The card that must be played because nothing else may be done, or 0."""
    if row[MAY_PUT] or row[MAY_THROW] or lane[PLAYS + chair] < 2:
        return 0
    own = CARDS + 3 * chair
    return lane[own] | lane[own + 1] | lane[own + 2]  # the other two are 0


@kernel_function
def write_hand(lane, number, row, eldest, points, over, forfeit, n, keys, hands, words):
    """Row n of the hands buffer."""
    keys[0, n] = number
    keys[1, n] = lane[GAME]
    keys[2, n] = lane[HAND]
    dealer = 1 - eldest
    hands[0, n] = lane[LEG]
    hands[1, n] = eldest
    hands[2, n] = lane[OLD_SCORE + eldest]
    hands[3, n] = lane[OLD_SCORE + dealer]
    hands[4, n] = lane[DEALT + eldest]
    hands[5, n] = lane[DEALT + dealer]
    leader = 0
    for trick in range(3):
        lead_chair = eldest if leader == 0 else dealer
        hands[6 + 2 * trick, n] = lane[PLAYED + 3 * lead_chair + trick]
        hands[7 + 2 * trick, n] = lane[PLAYED + 3 * (1 - lead_chair) + trick]
        taker = row[TAKERS + trick]
        if taker < 2:
            leader = taker
    hands[12, n] = lane[STATE]
    hands[13, n] = points[eldest]
    hands[14, n] = points[dealer]
    hands[15, n] = over != 0
    hands[16, n] = over == 2
    hands[17, n] = forfeit
    words[n] = lane[WORDS]


@kernel_function
def score_hand(lane, row, eldest, knobs, points, tally):
    """Award the points of a finished hand; points[chair] gets them.

    Returns the chair that won the game with it, or 2.
    """
    points[0] = 0
    points[1] = 0
    target = knobs[TARGET]
    if row[ENDING] == DRAWN:
        tally[T_DRAWN] += 1
        if row[ANEW]:
            lane[SCORE] = 0
            lane[SCORE + 1] = 0
        return 2
    winner = eldest if row[WINNER] == 0 else 1 - eldest
    if row[POINTS] == WHOLE_GAME:
        tally[T_POINTS + winner] += target
        return winner
    # Scores are capped at the target, and what is above it was never won.
    before = lane[SCORE + winner]
    lane[SCORE + winner] = min(before + row[POINTS], target)
    points[winner] = lane[SCORE + winner] - before
    tally[T_POINTS + winner] += points[winner]
    return winner if lane[SCORE + winner] == target else 2


@kernel_function
def note_lost_puts(lane, row, eldest, tally):
    """Count puts that were seen in a hand then lost, for record and tally."""
    if row[SEEN] == 0 or row[WINNER] > 1:
        return
    loser = 1 - eldest if row[WINNER] == 0 else eldest
    loser_seat = 0 if loser == eldest else 1
    utterances = lane[WORDS_SHIFT] // 4
    for i in range(min(row[SEEN], utterances)):
        if (lane[WORDS] >> (4 * i + 3)) & 1 == loser_seat:
            lane[RECORD + 5 * loser + R_LOST] += 1
            tally[T_LOST + loser] += 1


@kernel_function
def end_game(lane, winner, how, fault_by, fault_kind, games, tally):
    """Write the game's row and make the lane ready for the next game, or finished."""
    g = lane[FIRST_ROW] + lane[GAME]
    games[0, g] = lane[CUT]
    games[1, g] = lane[CUT + 1]
    games[2, g] = lane[CUT + 2]
    games[3, g] = lane[FIRST_DEALER]
    games[4, g] = winner
    games[5, g] = lane[SCORE]
    games[6, g] = lane[SCORE + 1]
    games[7, g] = lane[LEGS]
    games[8, g] = lane[LEGS + 1]
    games[9, g] = lane[HAND]
    games[10, g] = how
    games[11, g] = fault_by
    games[12, g] = fault_kind
    tally[T_GAMES] += 1
    tally[T_WINS + winner] += 1
    if lane[FIRST_DEALER] == 0:
        tally[T_DEALT] += 1
        if winner == 0:
            tally[T_DEALT_WINS] += 1
    if fault_by < 2:
        tally[T_FAULTS + fault_by] += 1
    lane[GAME] += 1
    lane[STATUS] = NEW_GAME if lane[GAME] < lane[GAMES] else FINISHED


@kernel_function
def end_hand(
    lane, number, states, knobs, eldest, fault, n, keep, keys, hands, words, games, points, tally
):
    """Score and record a finished (or, with `fault` > 0, forfeited) hand and what it ends."""
    row = states[lane[STATE]]
    tally[T_HANDS] += 1
    lane[HANDS] += 1
    fault_by = 2
    if fault:
        points[0] = 0
        points[1] = 0
        fault_by = eldest if row[ACTOR] == 0 else 1 - eldest
        winner = 1 - fault_by
        if row[ASKED]:
            lane[WORDS] |= SAID_UNANSWERED << WORDS_END
    else:
        winner = score_hand(lane, row, eldest, knobs, points, tally)
        note_lost_puts(lane, row, eldest, tally)
    over = 0
    rubber = knobs[WINS_NEEDED] > 1
    if winner < 2:
        if rubber:
            lane[LEGS + winner] += 1
            tally[T_LEGS + winner] += 1
        won = not rubber or lane[LEGS + winner] == knobs[WINS_NEEDED]
        over = 2 if fault or won else 1
    # Outside rubbers the only game is game_over; `rubber_over` speaks of rubbers alone.
    ended = over if rubber else min(over, 1)
    if keep:
        write_hand(lane, number, row, eldest, points, ended, fault, n, keys, hands, words)
    lane[HAND] += 1
    lane[DEALER] = 1 - lane[DEALER]
    if over == 2:
        if fault:
            how = BY_FORFEIT
        elif row[POINTS] == WHOLE_GAME:
            how = BY_PUT if row[SEEN] else BY_TRICKS
        else:
            how = BY_CONCESSION if row[ENDING] == THROWN else BY_POINTS
        end_game(lane, winner, how, fault_by, fault, games, tally)
    else:
        lane[STATUS] = NEW_HAND
        if over == 1:
            lane[LEG] += 1
            lane[SCORE] = 0
            lane[SCORE + 1] = 0


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
            if status == FINISHED:
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
                if n == capacity:
                    full = True
                    break
                begin_hand(lane, knobs, subkeys[1], scratch)
                lane[STATUS] = DECIDE
            row = states[lane[STATE]]
            eldest = 1 - lane[DEALER]
            seat = row[ACTOR]
            chair = eldest if seat == 0 else 1 - eldest
            fault = 0
            if status in (ASK, JUDGE):
                action = lane[ANSWER]
                lane[STATUS] = DECIDE
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

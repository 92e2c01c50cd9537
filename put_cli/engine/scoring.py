"""A hand that is over, in compiled code: what it scores, what it ends, and the rows about it."""

from put_cli.engine.intrinsics import kernel_function
from put_cli.engine.lanes import (
    BY_CONCESSION,
    BY_FORFEIT,
    BY_POINTS,
    BY_PUT,
    BY_TRICKS,
    CUT,
    DEALER,
    DEALT,
    FINISHED,
    FIRST_DEALER,
    FIRST_ROW,
    GAME,
    GAMES,
    HAND,
    HANDS,
    LEG,
    LEGS,
    NEW_GAME,
    NEW_HAND,
    OLD_SCORE,
    PLAYED,
    R_LOST,
    RECORD,
    SAID_UNANSWERED,
    SCORE,
    STATE,
    STATUS,
    T_DEALT,
    T_DEALT_WINS,
    T_DRAWN,
    T_FAULTS,
    T_GAMES,
    T_HANDS,
    T_LEGS,
    T_LOST,
    T_POINTS,
    T_WINS,
    WORDS,
    WORDS_END,
    WORDS_SHIFT,
)
from put_cli.engine.tables import (
    ACTOR,
    ANEW,
    ASKED,
    ENDING,
    POINTS,
    SEEN,
    TAKERS,
    TARGET,
    WINNER,
    WINS_NEEDED,
)
from put_cli.rules.machine import Ending
from put_cli.rules.ruleset import GAME as WHOLE_GAME

# Numba takes module globals as constants, but not the members of an enum's class.
THROWN, DRAWN = int(Ending.THROWN), int(Ending.DRAWN)


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

"""A hand that is over, in compiled code: what it scores, what it ends, and the rows about it."""

from put_cli.engine.hand import clockwise
from put_cli.engine.intrinsics import kernel_function, rare_function
from put_cli.engine.lanes import ACT as ASKS_ACT
from put_cli.engine.lanes import (
    AWARD,
    BY_CONCESSION,
    BY_FORFEIT,
    BY_POINTS,
    BY_PUT,
    BY_TRICKS,
    CHOICE,
    CUT,
    DEALER,
    DEALT,
    DEALT_FIRST,
    FAULTS,
    FINISHED,
    FIRST_DEALER,
    FIRST_ROW,
    G_CUT,
    G_LEGS,
    G_SCORE,
    GAME,
    GAMES,
    GIVEN,
    HAND,
    HANDS,
    LAID_OUT,
    LAWS_AT,
    LEADER,
    LEG,
    LEGS,
    MAX_CHAIRS,
    MISDEAL,
    MISDEAL_CARD,
    MISDEAL_CHAIR,
    NEW_GAME,
    NEW_HAND,
    NO_CHAIR,
    OLD_SCORE,
    OUT,
    OUT_AFTER,
    OUT_KIND,
    PLAYED,
    PLAYER,
    PUTTER,
    R_LOST,
    RECORD,
    RECUTS,
    RULING,
    SAID_UNANSWERED,
    SCORE,
    SLOW,
    STATE,
    STATUS,
    T_DEALT,
    T_DEALT_WINS,
    T_DRAWN,
    T_FAULTS,
    T_FORFEITS,
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
    METHOD,
    N_CHAIRS,
    N_SIDES,
    POINTS,
    SEEN,
    TAKERS,
    TARGET,
    WINNER,
    WINS_NEEDED,
)
from put_cli.rules.machine import CHOICES, NOBODY, Act, Ending
from put_cli.rules.ruleset import GAME as WHOLE_GAME

# Numba takes module globals as constants, but not the members of an enum's class.
THROWN, DRAWN = int(Ending.THROWN), int(Ending.DRAWN)
REDEALT, AWARDED = int(Ending.REDEALT), int(Ending.AWARDED)
CHOSE_KEEP = 1 + CHOICES.index(Act.KEEP)
LAWS_AT_TWO, LAWS_AT_PARTNERS = LAWS_AT["two"], LAWS_AT["partners"]
LAWS_AT_MANY = LAWS_AT["many"]


@kernel_function
def write_hand(lane, number, row, points, over, forfeit, n, keys, hands, words, partners):
    """Row n of the hands buffer, for two sides."""
    keys[0, n] = number
    keys[1, n] = lane[GAME]
    keys[2, n] = lane[HAND]
    eldest = lane[PLAYER]
    dealer = lane[PLAYER + 1]
    hands[0, n] = lane[LEG]
    hands[1, n] = (lane[DEALER] + 1) & 3 if partners else eldest
    hands[2, n] = lane[OLD_SCORE + eldest]
    hands[3, n] = lane[OLD_SCORE + dealer]
    hands[4, n] = lane[DEALT + eldest]
    hands[5, n] = lane[DEALT + dealer]
    leader = 0
    for trick in range(3):
        lead_chair = eldest if leader == 0 else dealer
        reply_chair = dealer if leader == 0 else eldest
        hands[6 + 2 * trick, n] = lane[PLAYED + 3 * lead_chair + trick]
        hands[7 + 2 * trick, n] = lane[PLAYED + 3 * reply_chair + trick]
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
    if partners:
        write_gifts(lane, row, n, hands)


@kernel_function
def write_gifts(lane, row, n, hands):
    """The columns of partners: what was dealt, given and laid out, and who played."""
    for place in range(4):
        hands[18 + place, n] = lane[DEALT_FIRST + ((lane[DEALER] + place) & 3)]
    before = row[METHOD] != ASKS_ACT or row[ENDING] == REDEALT or row[ENDING] == AWARDED
    for seat in range(2):
        hands[22 + seat, n] = lane[CHOICE + seat]
        hands[24 + seat, n] = lane[GIVEN + seat]
        hands[26 + seat, n] = lane[LAID_OUT + seat]
        # Until the cards of a side are settled nobody of it plays.
        settled = not before or lane[LAID_OUT + seat] or lane[CHOICE + seat] == CHOSE_KEEP
        place = (lane[PLAYER + seat] - lane[DEALER]) & 3
        hands[28 + seat, n] = place if settled else -1
        if not settled:
            hands[4 + seat, n] = -1


@kernel_function
def write_hand_of_many(lane, number, row, points, over, forfeit, n, keys, hands, words, sides):
    """Row n of the hands buffer, for three and more players."""
    keys[0, n] = number
    keys[1, n] = lane[GAME]
    keys[2, n] = lane[HAND]
    hands[0, n] = lane[PLAYER]
    for seat in range(MAX_CHAIRS):
        there = seat < sides
        chair = lane[PLAYER + seat] if there else 0
        hands[1 + seat, n] = lane[OLD_SCORE + chair] if there else 0
        hands[7 + seat, n] = lane[DEALT + chair] if there else -1
        for trick in range(3):
            hands[16 + 6 * trick + seat, n] = lane[PLAYED + 3 * chair + trick] if there else 0
        hands[36 + seat, n] = points[chair] if there else 0
    for trick in range(3):
        hands[13 + trick, n] = lane[LEADER + trick]
    hands[34, n] = lane[STATE] & 0x7FFF
    hands[35, n] = lane[STATE] >> 15
    hands[42, n] = over != 0
    hands[43, n] = forfeit
    words[n] = lane[WORDS]


@kernel_function
def write_misdeal(lane, chairs, n, hands, at):
    """The columns of the Laws, from row `at` of the buffer on."""
    hands[at, n] = lane[MISDEAL]
    hands[at + 1, n] = (lane[MISDEAL_CHAIR] - lane[DEALER] + chairs) % chairs
    hands[at + 2, n] = lane[MISDEAL_CARD]
    hands[at + 3, n] = lane[RULING]


@kernel_function
def score_hand(lane, row, knobs, points, tally, partners):
    """Award the points of a finished hand; points[chair] gets them.

    Returns the chair that won the game with it, or NO_CHAIR.
    """
    target = knobs[TARGET]
    ending = row[ENDING]
    if ending == REDEALT:
        return NO_CHAIR
    if ending == DRAWN:
        tally[T_DRAWN] += 1
        if row[ANEW]:
            for chair in range(knobs[N_CHAIRS]):
                lane[SCORE + chair] = 0
        return NO_CHAIR
    winner = lane[PLAYER + row[WINNER]]
    if ending == AWARDED:  # the point is scored already
        return winner
    side = winner & 1 if partners else winner
    if row[POINTS] == WHOLE_GAME:
        tally[T_POINTS + side] += target
        return winner
    # Scores are capped at the target, and what is above it was never won.
    before = lane[SCORE + winner]
    now = min(before + row[POINTS], target)
    lane[SCORE + winner] = now
    if partners:
        lane[SCORE + ((winner + 2) & 3)] = now
    points[winner] += now - before
    tally[T_POINTS + side] += now - before
    return winner if now == target else NO_CHAIR


@kernel_function
def note_lost_puts(lane, row, tally, many, partners):
    """Count puts that were seen in a hand then lost, for record and tally."""
    if row[SEEN] == 0 or row[WINNER] == NOBODY:
        return
    if many:
        putter = lane[PUTTER]
        if putter != lane[PLAYER + row[WINNER]]:
            lane[RECORD + 5 * putter + R_LOST] += 1
            tally[T_LOST + putter] += 1
        return
    loser_seat = 1 - row[WINNER]
    loser = lane[PLAYER + loser_seat]
    utterances = lane[WORDS_SHIFT] // 4
    for i in range(min(row[SEEN], utterances)):
        if (lane[WORDS] >> (4 * i + 3)) & 1 == loser_seat:
            lane[RECORD + 5 * loser + R_LOST] += 1
            tally[T_LOST + (loser & 1 if partners else loser)] += 1


@rare_function
def gains_by_forfeit(lane, offender, chairs, sides):
    """The chair that wins the game when one forfeits it.

    Of three and more the one with the most points, of equals the next clockwise.
    """
    best = clockwise(offender, 1, chairs)
    for step in range(2, sides):
        chair = clockwise(offender, step, chairs)
        if lane[SCORE + chair] > lane[SCORE + best]:
            best = chair
    return best


@rare_function
def end_game(lane, winner, how, fault_by, fault_kind, games, tally, chairs, sides):
    """Write the game's row and make the lane ready for the next game, or finished."""
    g = lane[FIRST_ROW] + lane[GAME]
    won_by = clockwise(winner, 0, sides)
    first = clockwise(lane[FIRST_DEALER], 0, sides)
    games[0, g] = lane[RECUTS]
    games[1, g] = lane[FIRST_DEALER]
    games[2, g] = won_by
    games[3, g] = lane[HAND]
    games[4, g] = how
    games[5, g] = fault_by
    games[6, g] = fault_kind
    games[G_LEGS, g] = lane[LEGS]
    games[G_LEGS + 1, g] = lane[LEGS + 1]
    for chair in range(chairs):
        games[G_CUT + chair, g] = lane[CUT + chair]
    for side in range(sides):
        games[G_SCORE + side, g] = lane[SCORE + side]
    tally[T_GAMES] += 1
    tally[T_WINS + won_by] += 1
    tally[T_DEALT + first] += 1
    if won_by == first:
        tally[T_DEALT_WINS + first] += 1
    if fault_by != NO_CHAIR:
        column = T_FAULTS if lane[HAND] else T_FORFEITS
        tally[column + clockwise(fault_by, 0, sides)] += 1
    lane[GAME] += 1
    lane[STATUS] = NEW_GAME if lane[GAME] < lane[GAMES] else FINISHED


@rare_function
def lose_unplayed(lane, games, tally, chairs, sides):
    """The game that has just begun belongs to a forfeited rest of the match: it has no hands."""
    offender = lane[OUT] - 1
    winner = gains_by_forfeit(lane, offender, chairs, sides)
    end_game(lane, winner, BY_FORFEIT, offender, lane[OUT_KIND], games, tally, chairs, sides)


@rare_function
def note_fault(lane, offender, kind, sides):
    """Count a fault, and decide whether it forfeits the rest of the match too."""
    side = offender % sides
    lane[FAULTS + side] += 1
    if kind >= SLOW or lane[FAULTS + side] >= OUT_AFTER:
        lane[OUT] = 1 + offender
        lane[OUT_KIND] = kind


@kernel_function
def end_hand(
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
):
    """Score and record a finished (or, with `fault` > 0, forfeited) hand and what it ends."""
    row = states[lane[STATE]]
    chairs = 4 if partners else (knobs[N_CHAIRS] if many else 2)
    sides = knobs[N_SIDES] if many else 2
    tally[T_HANDS] += 1
    fault_by = NO_CHAIR
    for chair in range(chairs):
        points[chair] = 0
    if laws:
        points[lane[PLAYER]] = lane[AWARD]
    if fault:
        fault_by = lane[PLAYER + row[ACTOR]]
        winner = gains_by_forfeit(lane, fault_by, chairs, sides)
        note_fault(lane, fault_by, fault, sides)
        if row[ASKED] and not many:
            lane[WORDS] |= SAID_UNANSWERED << WORDS_END
    else:
        winner = score_hand(lane, row, knobs, points, tally, partners)
        note_lost_puts(lane, row, tally, many, partners)
    redealt = laws and not fault and row[ENDING] == REDEALT
    if not redealt:
        lane[HANDS] += 1
    over = 0
    rubber = knobs[WINS_NEEDED] > 1
    if winner != NO_CHAIR:
        side = winner & 1 if partners else winner
        if rubber:
            for chair in range(side, chairs, sides):
                lane[LEGS + chair] += 1
            tally[T_LEGS + side] += 1
        won = not rubber or lane[LEGS + winner] == knobs[WINS_NEEDED]
        over = 2 if fault or won else 1
    # Outside rubbers the only game is game_over; `rubber_over` speaks of rubbers alone.
    ended = over if rubber else min(over, 1)
    if keep:
        if many:
            write_hand_of_many(
                lane, number, row, points, ended, fault, n, keys, hands, words, sides
            )
            if laws:
                write_misdeal(lane, chairs, n, hands, LAWS_AT_MANY)
        else:
            write_hand(lane, number, row, points, ended, fault, n, keys, hands, words, partners)
            if laws:
                at = LAWS_AT_PARTNERS if partners else LAWS_AT_TWO
                write_misdeal(lane, chairs, n, hands, at)
    lane[HAND] += 1
    if not redealt:
        lane[DEALER] = clockwise(lane[DEALER], 1, chairs)
    if over == 2:
        if fault:
            how = BY_FORFEIT
        elif row[POINTS] == WHOLE_GAME:
            how = BY_PUT if row[SEEN] else BY_TRICKS
        else:
            how = BY_CONCESSION if row[ENDING] == THROWN else BY_POINTS
        end_game(lane, winner, how, fault_by, fault, games, tally, chairs, sides)
    else:
        lane[STATUS] = NEW_HAND
        if over == 1:
            lane[LEG] += 1
            for chair in range(chairs):
                lane[SCORE + chair] = 0

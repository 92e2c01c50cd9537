"""A hand under way, in compiled code: the cut, the deal, what is legal, what an act does.

`many` (three and more players) and `partners` are constants of the compilation: a kernel holds
only the code of its own games.
"""

from put_cli.engine import luck as chance
from put_cli.engine.intrinsics import kernel_function
from put_cli.engine.lanes import (
    BLOCK,
    CARDS,
    CUT,
    DEALER,
    DEALT,
    DECISION,
    EXPOSED,
    FIRST_DEALER,
    FOURTH,
    GAME,
    HAND,
    LEADER,
    LED,
    LEG,
    LEGS,
    LUCK,
    LUCK_KEY,
    MIRROR,
    OLD_SCORE,
    PLAYED,
    PLAYER,
    PLAYS,
    PUTTER,
    R_ASKED,
    R_PUTS,
    R_SEEN,
    R_THROWN,
    RECORD,
    RECUTS,
    SAID_DECLINED,
    SAID_PUT,
    SAID_SEE,
    SAID_THROW,
    SAID_THROWN,
    SCORE,
    STATE,
    T_DECLINED,
    T_PUTS,
    T_SEEN,
    WORDS,
    WORDS_END,
    WORDS_SHIFT,
)
from put_cli.engine.lanes import GIFT as ASKS_GIFT
from put_cli.engine.lanes import LAY_OUT as ASKS_LAY_OUT
from put_cli.engine.lanes import MISDEAL_RULING as ASKS_RULING
from put_cli.engine.tables import (
    ACTOR,
    ASKED,
    COPIES,
    DEAL_THRESHOLD,
    LAST,
    LOW_DEALS,
    MAY_KEEP,
    MAY_PLAY,
    MAY_PUT,
    MAY_THROW,
    METHOD,
    MUST_SWAP,
    N_CHAIRS,
    NEXT,
    PACK_SIZE,
    PLACE,
    RULED,
    SEEN,
    TOP,
    TRICK,
)
from put_cli.engine.tables import LED as ROW_LED
from put_cli.rules.machine import NOBODY, Act
from put_cli.strategy import DRAW, GIVE, KEEP, PUT, RECEIVE, REDEAL, SEE, STAND, THROW

# Numba takes module globals as constants, but not the members of an enum's class.
A_PUT, A_SEE, A_THROW, A_LEAD = int(Act.PUT), int(Act.SEE), int(Act.THROW), int(Act.LEAD)
A_LOWER, A_EQUAL, A_HIGHER = int(Act.LOWER), int(Act.EQUAL), int(Act.HIGHER)


@kernel_function
def cards_index(a, b, c):
    """The number of three cards a >= b >= c among all such: 0 for 1 1 1, 454 for 13 13 13."""
    return (a + 1) * a * (a - 1) // 6 + b * (b - 1) // 2 + c - 1


@kernel_function
def clockwise(chair, steps, chairs):
    """The chair so many steps on, at most once around: a division would be dear."""
    on = chair + steps
    return on - chairs if on >= chairs else on


@kernel_function
def begin_game(lane, knobs, cut_key, many, partners):
    """Cut for deal and set the scores to 0."""
    low_deals = knobs[LOW_DEALS] != 0
    if many or partners:
        lane[FIRST_DEALER], lane[RECUTS] = chance.cut_many(
            cut_key, lane[BLOCK], lane[GAME], knobs[TOP], knobs[N_CHAIRS], low_deals, lane[CUT:]
        )
    else:
        lane[RECUTS] = chance.cut(cut_key, lane[BLOCK], lane[GAME], knobs[TOP], lane[CUT:])
        first_is_higher = lane[CUT] > lane[CUT + 1]
        lane[FIRST_DEALER] = 0 if first_is_higher != low_deals else 1
    lane[DEALER] = lane[FIRST_DEALER]
    lane[HAND] = 0
    lane[LEG] = 0
    chairs = knobs[N_CHAIRS] if many else (4 if partners else 2)
    for chair in range(chairs):
        lane[SCORE + chair] = 0
        lane[LEGS + chair] = 0
        match = chance.luck_of_match(lane[LUCK_KEY + chair], lane[BLOCK])
        lane[LUCK + chair] = chance.luck_of_game(match, lane[MIRROR], lane[GAME])


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
def begin_hand(lane, knobs, deal_key, scratch, many, partners):
    """Deal, and set the hand to its first state."""
    if many or partners:
        chairs = 4 if partners else knobs[N_CHAIRS]
        chance.deal_many(
            deal_key,
            lane[BLOCK],
            lane[GAME],
            lane[HAND],
            knobs[PACK_SIZE],
            knobs[COPIES],
            knobs[DEAL_THRESHOLD],
            3 * chairs,
            scratch,
        )
        for seat in range(chairs):
            chair = clockwise(lane[DEALER], 1 + seat, chairs)
            lane[PLAYER + seat] = chair
            take_cards(
                lane, chair, scratch[seat], scratch[chairs + seat], scratch[2 * chairs + seat]
            )
    else:
        chairs = 2
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
        lane[PLAYER] = eldest
        lane[PLAYER + 1] = 1 - eldest
        take_cards(lane, eldest, scratch[0], scratch[2], scratch[4])
        take_cards(lane, 1 - eldest, scratch[1], scratch[3], scratch[5])
    for i in range(3 * chairs):
        lane[PLAYED + i] = 0
    for chair in range(chairs):
        lane[PLAYS + chair] = 0
        lane[DECISION + chair] = 0
        lane[OLD_SCORE + chair] = lane[SCORE + chair]
        lane[FOURTH + chair] = 0
        lane[EXPOSED + chair] = 0
    if many:
        for trick in range(3):
            lane[LEADER + trick] = -1
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
def say_word(lane, place, seat, word):
    """Note a word among three and more players."""
    lane[WORDS] |= (place | (seat << 3) | (word << 6)) << lane[WORDS_SHIFT]
    lane[WORDS_SHIFT] += 8


@kernel_function
def is_legal(lane, row, chair, action):
    """Whether the rules and the chair's cards allow this action here."""
    if action == PUT:
        return row[MAY_PUT] != 0
    if action == SEE:
        return row[ASKED] != 0
    if action == THROW:
        return row[MAY_THROW] != 0
    return (row[MAY_PLAY] != 0) & (action > 0) & holds(lane, chair, action)


@kernel_function
def holds(lane, chair, card):
    """Whether the chair has this card, a fourth one aside."""
    own = CARDS + 3 * chair
    return (lane[own] == card) | (lane[own + 1] == card) | (lane[own + 2] == card)


@kernel_function
def is_legal_before(lane, row, chair, action):
    """Whether the rules allow this action before the tricks."""
    method = row[METHOD]
    if method == ASKS_GIFT:
        return action in (GIVE, RECEIVE) or (action == KEEP and row[MAY_KEEP] != 0)
    if method == ASKS_LAY_OUT:
        gift = lane[FOURTH + chair]
        if action <= 0:
            return False
        return holds(lane, chair, action) or (action == gift and row[MUST_SWAP] == 0)
    if method == ASKS_RULING:
        return action == REDEAL or action == (STAND if row[RULED] == 1 else DRAW)
    return False


@kernel_function
def apply(lane, states, row, chair, seat, action, tally, many, partners):
    """Do a legal action of the tricks: the lane's next state, its record and its tally."""
    lane[DECISION + chair] += 1
    if action < PUT:
        lay(lane, states, row, chair, seat, action, many)
    elif action == PUT:
        lane[RECORD + 5 * chair + R_PUTS] += 1
        tally[T_PUTS + (chair & 1 if partners else chair)] += 1
        lane[STATE] = row[NEXT + A_PUT]
        if many:
            say_word(lane, row[PLACE], seat, SAID_PUT)
            lane[PUTTER] = chair
        else:
            say(lane, row[PLACE], seat)
    elif many and row[ASKED]:
        answer_of_many(lane, states, row, chair, seat, action, tally)
    elif action == SEE:
        other = lane[PLAYER + 1 - seat]
        lane[RECORD + 5 * chair + R_ASKED] += 1
        lane[RECORD + 5 * other + R_SEEN] += 1
        tally[T_SEEN + (other & 1 if partners else other)] += 1
        lane[STATE] = row[NEXT + A_SEE]
    else:
        if row[ASKED]:
            other = lane[PLAYER + 1 - seat]
            lane[RECORD + 5 * chair + R_ASKED] += 1
            lane[RECORD + 5 * chair + R_THROWN] += 1
            tally[T_DECLINED + (other & 1 if partners else other)] += 1
            lane[WORDS] |= SAID_DECLINED << WORDS_END
        else:
            say(lane, row[PLACE], seat)
            lane[WORDS] |= SAID_THROWN << WORDS_END
        lane[STATE] = row[NEXT + A_THROW]


@kernel_function
def lay(lane, states, row, chair, seat, card, many):
    """Lead or reply with a card that is held.

    With branches: the processor foresees most of them from those the player's own code took, and
    arithmetic in their place was measured to be slower.
    """
    own = CARDS + 3 * chair
    for i in range(3):
        if lane[own + i] == card:
            lane[own + i] = 0
            break
    lane[PLAYED + 3 * chair + lane[PLAYS + chair]] = card
    lane[PLAYS + chair] += 1
    best = lane[LED]
    if row[ROW_LED] == 0:
        lane[LED] = card
        lane[STATE] = row[NEXT + A_LEAD]
        if many:
            lane[LEADER + row[TRICK] - 1] = seat
    else:
        lane[LED] = max(best, card) if many else 0
        if card < best:
            lane[STATE] = row[NEXT + A_LOWER]
        elif card == best:
            lane[STATE] = row[NEXT + A_EQUAL]
        else:
            lane[STATE] = row[NEXT + A_HIGHER]
        if many and states[lane[STATE], ROW_LED] == 0:
            lane[LED] = 0


@kernel_function
def answer_of_many(lane, states, row, chair, seat, action, tally):
    """One of several answers to a put; the last one settles whether it was seen."""
    putter = lane[PUTTER]
    lane[RECORD + 5 * chair + R_ASKED] += 1
    if action == SEE:
        say_word(lane, row[PLACE], seat, SAID_SEE)
        lane[STATE] = row[NEXT + A_SEE]
    else:
        say_word(lane, row[PLACE], seat, SAID_THROW)
        lane[RECORD + 5 * chair + R_THROWN] += 1
        lane[STATE] = row[NEXT + A_THROW]
    after = states[lane[STATE]]
    if after[SEEN] > row[SEEN]:
        lane[RECORD + 5 * putter + R_SEEN] += 1
        tally[T_SEEN + putter] += 1
    elif after[ACTOR] == NOBODY:
        tally[T_DECLINED + putter] += 1


@kernel_function
def only_card(lane, row, chair):
    """The card that must be played because nothing else may be done, or 0."""
    own = CARDS + 3 * chair
    return lane[own] | lane[own + 1] | lane[own + 2] if row[LAST] else 0  # the other two are 0

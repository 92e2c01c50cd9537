"""A hand under way, in compiled code: the cut, the deal, what is legal, what an act does."""

from put_cli.engine import luck as chance
from put_cli.engine.intrinsics import kernel_function
from put_cli.engine.lanes import (
    BLOCK,
    CARDS,
    CUT,
    DEALER,
    DEALT,
    DECISION,
    FIRST_DEALER,
    GAME,
    HAND,
    LED,
    LEG,
    LEGS,
    LUCK,
    LUCK_KEY,
    MIRROR,
    OLD_SCORE,
    PLAYED,
    PLAYS,
    R_ASKED,
    R_PUTS,
    R_SEEN,
    R_THROWN,
    RECORD,
    SAID_DECLINED,
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
from put_cli.engine.tables import (
    ASKED,
    COPIES,
    DEAL_THRESHOLD,
    LAST,
    LOW_DEALS,
    MAY_PLAY,
    MAY_PUT,
    MAY_THROW,
    NEXT,
    PACK_SIZE,
    PLACE,
    TOP,
)
from put_cli.engine.tables import LED as ROW_LED
from put_cli.rules.machine import Act
from put_cli.strategy import PUT, SEE, THROW

# Numba takes module globals as constants, but not the members of an enum's class.
A_PUT, A_SEE, A_THROW, A_LEAD = int(Act.PUT), int(Act.SEE), int(Act.THROW), int(Act.LEAD)
A_LOWER, A_EQUAL, A_HIGHER = int(Act.LOWER), int(Act.EQUAL), int(Act.HIGHER)


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
    own = CARDS + 3 * chair
    held = (lane[own] == action) | (lane[own + 1] == action) | (lane[own + 2] == action)
    return (row[MAY_PLAY] != 0) & (action > 0) & held


@kernel_function
def apply(lane, row, chair, seat, action, tally):
    """Do a legal action: the lane's next state, its record and its tally."""
    lane[DECISION + chair] += 1
    if action < PUT:
        lay(lane, row, chair, action)
    elif action == PUT:
        say(lane, row[PLACE], seat)
        lane[RECORD + 5 * chair + R_PUTS] += 1
        tally[T_PUTS + chair] += 1
        lane[STATE] = row[NEXT + A_PUT]
    elif action == SEE:
        lane[RECORD + 5 * chair + R_ASKED] += 1
        lane[RECORD + 5 * (1 - chair) + R_SEEN] += 1
        tally[T_SEEN + 1 - chair] += 1
        lane[STATE] = row[NEXT + A_SEE]
    else:
        if row[ASKED]:
            lane[RECORD + 5 * chair + R_ASKED] += 1
            lane[RECORD + 5 * chair + R_THROWN] += 1
            tally[T_DECLINED + 1 - chair] += 1
            lane[WORDS] |= SAID_DECLINED << WORDS_END
        else:
            say(lane, row[PLACE], seat)
            lane[WORDS] |= SAID_THROWN << WORDS_END
        lane[STATE] = row[NEXT + A_THROW]


@kernel_function
def lay(lane, row, chair, card):
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
    if row[ROW_LED] == 0:
        lane[LED] = card
        lane[STATE] = row[NEXT + A_LEAD]
    else:
        led = lane[LED]
        lane[LED] = 0
        if card < led:
            lane[STATE] = row[NEXT + A_LOWER]
        elif card == led:
            lane[STATE] = row[NEXT + A_EQUAL]
        else:
            lane[STATE] = row[NEXT + A_HIGHER]


@kernel_function
def only_card(lane, row, chair):
    """The card that must be played because nothing else may be done, or 0."""
    own = CARDS + 3 * chair
    return lane[own] | lane[own + 1] | lane[own + 2] if row[LAST] else 0  # the other two are 0

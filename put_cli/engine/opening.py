"""What may come between the deal and the tricks, in compiled code: misdeals and gifts.

Only the kernels of rule sets that know them hold this code at all.
"""

from put_cli.engine import luck as chance
from put_cli.engine.hand import clockwise, take_cards
from put_cli.engine.intrinsics import kernel_function, rare_function
from put_cli.engine.lanes import (
    AWARD,
    BLOCK,
    CARDS,
    CHOICE,
    DEALER,
    DEALT,
    DEALT_FIRST,
    EXPOSED,
    FOURTH,
    GAME,
    GIVEN,
    HAND,
    LAID_OUT,
    MISDEAL,
    MISDEAL_CARD,
    MISDEAL_CHAIR,
    PLAYER,
    RULING,
    SCORE,
    STATE,
    T_POINTS,
)
from put_cli.engine.tables import (
    ACTOR,
    COPIES,
    MISDEAL_SHARE,
    N_CHAIRS,
    N_SIDES,
    NEXT,
    PACK_SIZE,
    START_AWARDED,
    START_EXPOSED,
    START_FACED,
    START_FOUR,
    START_FOUR_OWN,
    TARGET,
    TOP,
)
from put_cli.rules.machine import Act, Misdeal
from put_cli.strategy import DRAW, GIVE, KEEP, STAND

A_GIVE, A_RECEIVE, A_KEEP = int(Act.GIVE), int(Act.RECEIVE), int(Act.KEEP)
A_LAY_OUT = int(Act.LAY_OUT)
A_STAND, A_REDEAL, A_DRAW = int(Act.STAND), int(Act.REDEAL), int(Act.DRAW)
EXPOSED_THEIRS, EXPOSED_OWN = int(Misdeal.EXPOSED_THEIRS), int(Misdeal.EXPOSED_OWN)
FACED, FOUR_THEIRS = int(Misdeal.FACED), int(Misdeal.FOUR_THEIRS)
FOUR_OWN = int(Misdeal.FOUR_OWN)

KINDS = 5
# Places in the stream of the misdeals of a hand.
OCCURS, WHICH, WHOM, WHICH_CARD, FOURTH_CARD, DRAWN = range(6)


@kernel_function
def deal_goes_wrong(lane, knobs, key, tally):
    """Whether the dealer errs, how, and the state that leads to."""
    lane[MISDEAL] = 0
    lane[MISDEAL_CHAIR] = 0
    lane[MISDEAL_CARD] = 0
    lane[RULING] = 0
    lane[AWARD] = 0
    block, game, hand = lane[BLOCK], lane[GAME], lane[HAND]
    if chance.fraction53(key, block, game, hand, OCCURS) >= knobs[MISDEAL_SHARE]:
        return
    kind = 1 + chance.bounded(key, block, game, hand, WHICH, KINDS)
    chairs, sides, dealer = knobs[N_CHAIRS], knobs[N_SIDES], lane[DEALER]
    eldest = clockwise(dealer, 1, chairs)
    # The adversary it concerns: with partners one of the two opponents, else any other player.
    adversaries = 2 if chairs > sides else sides - 1
    whom = chance.bounded(key, block, game, hand, WHOM, adversaries)
    step = 1 + 2 * whom if chairs > sides else 1 + whom
    adversary = clockwise(dealer, step, chairs)
    seat = 0 if chairs > sides else whom
    concerned = dealer if kind in (EXPOSED_OWN, FOUR_OWN) else adversary
    lane[MISDEAL] = kind
    lane[MISDEAL_CHAIR] = concerned
    if kind == FACED:
        lane[STATE] = knobs[START_FACED]
    elif kind in (EXPOSED_OWN, EXPOSED_THEIRS):
        card = lane[CARDS + 3 * concerned + chance.bounded(key, block, game, hand, WHICH_CARD, 3)]
        lane[MISDEAL_CARD] = card
        lane[EXPOSED + concerned] = card
        if kind == EXPOSED_THEIRS:
            lane[STATE] = knobs[START_EXPOSED + seat]
            lane[PLAYER + seat] = adversary
    else:
        card = _fourth_card(lane, knobs, key)
        lane[MISDEAL_CARD] = card
        lane[FOURTH + concerned] = card
        if kind == FOUR_THEIRS:
            lane[STATE] = knobs[START_FOUR + seat]
            lane[PLAYER + seat] = adversary
        else:
            lane[STATE] = knobs[START_FOUR_OWN]
            lane[AWARD] = 1
            side = eldest % sides
            for chair in range(side, chairs, sides):
                lane[SCORE + chair] += 1
            tally[T_POINTS + side] += 1
            if lane[SCORE + eldest] == knobs[TARGET]:
                lane[STATE] = knobs[START_AWARDED]


@rare_function
def _fourth_card(lane, knobs, key):
    """One card more from what is left of the pack."""
    held = 3 * knobs[N_CHAIRS]
    place = chance.bounded(
        key, lane[BLOCK], lane[GAME], lane[HAND], FOURTH_CARD, knobs[PACK_SIZE] - held
    )
    for card in range(1, knobs[TOP] + 1):
        left = knobs[COPIES]
        for i in range(held):
            if lane[CARDS + i] == card:
                left -= 1
        if place < left:
            return card
        place -= left
    return 0  # not reached: place is below what is left


@rare_function
def rule_on_misdeal(lane, knobs, row, action, key):
    """The adversary's answer to a misdeal."""
    if action == STAND:
        lane[RULING] = 1
        lane[STATE] = row[NEXT + A_STAND]
    elif action == DRAW:
        lane[RULING] = 3
        lane[STATE] = row[NEXT + A_DRAW]
        chair = lane[MISDEAL_CHAIR]
        own = CARDS + 3 * chair
        place = chance.bounded(key, lane[BLOCK], lane[GAME], lane[HAND], DRAWN, 4)
        if place < 3:
            fourth = lane[FOURTH + chair]
            lane[MISDEAL_CARD] = lane[own + place]
            lane[own + place] = fourth
            take_cards(lane, chair, lane[own], lane[own + 1], lane[own + 2])
            lane[DEALT_FIRST + chair] = lane[DEALT + chair]
        lane[FOURTH + chair] = 0
    else:
        lane[RULING] = 2
        lane[STATE] = row[NEXT + A_REDEAL]
        return
    if knobs[N_CHAIRS] > knobs[N_SIDES]:  # partners: on with the captains
        lane[PLAYER] = clockwise(lane[DEALER], 1, knobs[N_CHAIRS])


@kernel_function
def choose(lane, row, action):
    """A captain's choice: the giver's best card passes to his partner."""
    seat = row[ACTOR]
    captain = lane[PLAYER + seat]
    partner = (captain + 2) & 3
    lane[CHOICE + seat] = 1 + action - GIVE
    if action == KEEP:
        lane[STATE] = row[NEXT + A_KEEP]
        return
    giver = captain if action == GIVE else partner
    receiver = partner if action == GIVE else captain
    card = lane[CARDS + 3 * giver]
    lane[FOURTH + receiver] = card
    lane[GIVEN + seat] = card
    lane[PLAYER + seat] = receiver
    lane[STATE] = row[NEXT + A_GIVE] if action == GIVE else row[NEXT + A_RECEIVE]


@kernel_function
def lay_out(lane, row, card):
    """A receiver's fourth card goes out of play."""
    seat = row[ACTOR]
    chair = lane[PLAYER + seat]
    own = CARDS + 3 * chair
    gift = lane[FOURTH + chair]
    lane[LAID_OUT + seat] = card
    lane[FOURTH + chair] = 0
    if card != gift:
        for i in range(3):
            if lane[own + i] == card:
                lane[own + i] = gift
                break
        take_cards(lane, chair, lane[own], lane[own + 1], lane[own + 2])
    lane[STATE] = row[NEXT + A_LAY_OUT]


@kernel_function
def begin_gifts(lane):
    """Before the captains choose: they sit at their sides' seats."""
    for seat in range(2):
        lane[CHOICE + seat] = 0
        lane[GIVEN + seat] = 0
        lane[LAID_OUT + seat] = 0
    lane[PLAYER] = clockwise(lane[DEALER], 1, 4)
    lane[PLAYER + 1] = lane[DEALER]
    for chair in range(4):
        lane[DEALT_FIRST + chair] = lane[DEALT + chair]

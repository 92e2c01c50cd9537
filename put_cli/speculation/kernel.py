"""The kernel: plays sessions of Speculation one after the other, bids, sales and payments included.

The same rules as in `machine`, told a second time as jumps between phases, so that it can stop
wherever a player has to be asked in Python and go on with the answer.
"""

import numpy as np
from numba import njit

from put_cli.engine.intrinsics import call_method, kernel_function, rare_function
from put_cli.engine.luck import (
    DIGITS_OF_MANY,
    deal_many,
    deal_threshold,
    luck_of_game,
    luck_of_match,
)
from put_cli.speculation import moves
from put_cli.speculation import state as at
from put_cli.speculation.cards import ACE, LOWEST, PACK, PER_SUIT
from put_cli.speculation.chance import survival_of_turn_up
from put_cli.speculation.rules import CARDS_EACH, MAX_BID
from put_cli.speculation.strategy import METHODS

DONE, ASK, JUDGE, FULL = range(4)
"""What `advance` returns: everything is played; a player must be asked in Python; an answer is not
legal; there is no room for another deal."""

(
    NEW_SESSION, NEW_DEAL, SHOW, SOLD, UNSOLD, NEXT, TURN, REVEAL, TAKE, SETTLE, END, NO_ROOM,
    PRESELL, BID, ACCEPT, OFFER,
) = range(16)  # fmt: skip
"""The phases; from PRESELL on a player is asked."""

THRESHOLD = deal_threshold(PACK, DIGITS_OF_MANY)

ROOM = PACK + DIGITS_OF_MANY
"""Length of the `pack` array: the cards, and room to draw them."""

_PRESELL, _BID, _ACCEPT, _OFFER = range(len(METHODS))

_survival_of_turn_up = rare_function(survival_of_turn_up)


@rare_function
def begin_session(s, matches, codes, parameters, lucks):
    """Seat the players of the next session; nothing is owed and no card seen."""
    match = matches[s[at.MATCH]]
    s[at.BLOCK] = match[at.M_BLOCK]
    s[at.MIRROR] = match[at.M_MIRROR]
    s[at.DEAL] = 0
    s[at.CARRIED] = 0
    for seat in range(s[at.PLAYERS]):
        who = match[at.M_CHAIRS + seat]
        silent = s[at.GAME] >= match[at.M_SPEAKS + seat]
        for method in range(len(METHODS)):
            code = at.NOTHING if silent else codes[who, method]
            s[at.CODE + at.SEATS * method + seat] = code
        s[at.PARAMETERS + seat] = parameters[who]
        own = luck_of_match(lucks[s[at.MATCH], seat], s[at.BLOCK])
        s[at.LUCK + seat] = luck_of_game(own, s[at.MIRROR], s[at.GAME])
        s[at.CHIPS + seat] = 0
        s[at.TAKEN + seat] = 0
        s[at.BOUGHT + seat] = 0
        s[at.SOLD + seat] = 0
        s[at.PAID + seat] = 0


@rare_function
def begin_deal(s, piles, pack, subkey, events, deals):
    """Shuffle where it is due, ante, deal."""
    players = s[at.PLAYERS]
    number = s[at.DEAL]
    if number % s[at.DEALS_A_PACK] == 0:
        shuffle = number // s[at.DEALS_A_PACK]
        count = s[at.CARDS_A_DEAL] * s[at.DEALS_A_PACK]
        deal_many(subkey, s[at.BLOCK], s[at.GAME], shuffle, PACK, 1, THRESHOLD, count, pack)
        s[at.PACK_AT] = 0
        s[at.UNKNOWN] = PACK
        s[at.UNKNOWN_PAYERS] = 8
        for suit in range(4):
            s[at.KNOWN + suit] = 0
    s[at.UNSEEN] = PACK
    s[at.PAYERS] = 8
    for suit in range(4):
        s[at.SEEN + suit] = 0
    dealer = number % players
    place = s[at.PACK_AT]
    seat = dealer
    for _ in range(players):
        seat = moves.left_of(s, seat)
        for k in range(CARDS_EACH):
            piles[seat, k] = pack[place] - 1  # it counts cards from 1
            place += 1
        s[at.HEAD + seat] = 0
        s[at.LEFT + seat] = CARDS_EACH
        s[at.BIDS + seat] = -1
        s[at.DECISION + seat] = 0
        s[at.CHIPS_BEFORE + seat] = s[at.CHIPS + seat]
    s[at.UP] = pack[place] - 1
    s[at.DEALT_AT] = place + 1
    s[at.PACK_AT] += s[at.CARDS_A_DEAL]
    s[at.TO_COME] = CARDS_EACH * players + s[at.SPARE]
    if s[at.PRESALE] and s[at.DEALS_A_PACK] > 1:
        facts = s.view(np.float64)
        known = (s[at.KNOWN], s[at.KNOWN + 1], s[at.KNOWN + 2], s[at.KNOWN + 3])
        facts[at.UP_SURVIVES_KNOWN] = _survival_of_turn_up(known, s[at.TO_COME])
    s[at.DEALER] = dealer
    s[at.HOLDER] = dealer
    s[at.TRUMP] = -1
    s[at.BEST] = 0
    s[at.POOL] = s[at.CARRIED]
    s[at.SPOKEN] = 0
    s[at.WINNER] = -1
    s[at.SALE] = moves.NO_SALE
    s[at.SELLER] = -1
    s[at.OFFERED] = 0
    s[at.BEST_BID] = 0
    s[at.BEST_BIDDER] = -1
    s[at.FIRST_EVENT] = s[at.EVENT_ROW]
    if s[at.KEEP]:
        row = deals[s[at.DEAL_ROW]]
        row[at.D_CARRIED] = s[at.CARRIED]
        row[at.D_EVENTS] = s[at.EVENT_ROW]
        for seat in range(players):
            for k in range(CARDS_EACH):
                row[at.D_CARDS + CARDS_EACH * seat + k] = piles[seat, k]
        for k in range(s[at.SPARE]):
            row[at.D_SPARE + k] = pack[s[at.DEALT_AT] + k] - 1
    seat = dealer
    for _ in range(players):
        seat = moves.left_of(s, seat)
        ante = s[at.DEALER_ANTE] if seat == dealer else s[at.ANTE]
        moves.pay(s, events, moves.ANTE, seat, ante)


@rare_function
def settle(s, deals, sessions):
    """Close the deal, and the session when it was the last. Returns the next phase."""
    if s[at.KEEP]:
        row = deals[s[at.DEAL_ROW]]
        row[at.D_SESSION] = s[at.SESSION]
        row[at.D_NUMBER] = s[at.DEAL]
        row[at.D_DEALER] = s[at.DEALER]
        row[at.D_UP] = s[at.UP]
        row[at.D_BEST] = s[at.BEST]
        row[at.D_WINNER] = s[at.WINNER]
        row[at.D_POOL] = s[at.PRIZE]
        for seat in range(s[at.PLAYERS]):
            row[at.D_NET + seat] = s[at.CHIPS + seat] - s[at.CHIPS_BEFORE + seat]
        s[at.DEAL_ROW] += 1
    s[at.CARRIED] = s[at.POOL] if s[at.WINNER] < 0 else 0
    s[at.DEAL] += 1
    if s[at.DEAL] < s[at.DEALS] or s[at.WINNER] < 0:
        return NEW_DEAL
    row = sessions[s[at.SESSION]]
    row[at.G_MATCH] = s[at.MATCH]
    row[at.G_GAME] = s[at.GAME]
    row[at.G_DEALS] = s[at.DEAL]
    for seat in range(s[at.PLAYERS]):
        row[at.G_CHIPS + seat] = s[at.CHIPS + seat]
        row[at.G_TAKEN + seat] = s[at.TAKEN + seat]
        row[at.G_BOUGHT + seat] = s[at.BOUGHT + seat]
        row[at.G_SOLD + seat] = s[at.SOLD + seat]
        row[at.G_PAID + seat] = s[at.PAID + seat]
    s[at.SESSION] += 1
    s[at.GAME] += 1
    return NEW_SESSION


@kernel_function
def turn_on(s, piles, events, offered):
    """Whoever is to turn turns, until there is a sale, somebody may offer, or all is turned.

    `offered`: the turner had his choice. Returns the next phase.
    """
    while True:
        if not offered:
            s[at.TURNER] = moves.next_turner(s, s[at.TURNER])
            seat = s[at.TURNER]
            if seat < 0:
                return REVEAL
            if s[at.MAY_OFFER] and s[at.SPOKEN] >> seat & 1 == 0:
                if s[at.CODE + at.SEATS * _OFFER + seat] != at.NOTHING:
                    return OFFER
                s[at.DECISION + seat] += 1  # he has the choice, and never offers
        offered = False
        if moves.turn(s, piles, events):
            moves.begin_sale(s, moves.TRUMP, s[at.TURNER], 0)
            return BID


@kernel_function
def move(phase, s, piles, pack, subkey, matches, codes, parameters, lucks, events, deals, sessions):
    """A phase in which nobody is asked; arguments as for `advance`. Returns the next phase."""
    if phase in (NEXT, TURN):
        return turn_on(s, piles, events, phase == TURN)
    if phase in (SOLD, UNSOLD):
        sale = moves.end_sale(s)
        if sale == moves.TURN_UP:
            return SHOW
        if sale == moves.TRUMP:
            s[at.TURNER] = s[at.HOLDER]
            return NEXT
        return NEXT if phase == SOLD else TURN
    if phase == REVEAL:
        if not moves.reveal(s, pack, events):
            return TAKE
        moves.carry(s, events)
        return SETTLE
    if phase == TAKE:
        moves.take(s, events)
        return SETTLE
    if phase == SETTLE:
        return settle(s, deals, sessions)
    if phase == SHOW:
        s[at.TRUMP] = s[at.UP] // PER_SUIT
        moves.see(s, s[at.UP])
        s[at.BEST] = s[at.UP] % PER_SUIT + LOWEST
        moves.note(s, events, moves.UP, s[at.DEALER], s[at.UP], -1, 0)
        if s[at.BEST] == ACE:
            return TAKE
        moves.begin_sale(s, moves.TRUMP, s[at.HOLDER], 0)
        return BID
    if phase == NEW_DEAL:
        if s[at.KEEP] and (
            s[at.DEAL_ROW] == len(deals) or s[at.EVENT_ROW] + s[at.MOST_EVENTS] > len(events)
        ):
            return NO_ROOM
        begin_deal(s, piles, pack, subkey, events, deals)
        return PRESELL if s[at.PRESALE] else SHOW
    while s[at.MATCH] < len(matches) and s[at.GAME] == matches[s[at.MATCH], at.M_GAMES]:
        s[at.MATCH] += 1
        s[at.GAME] = 0
    if s[at.MATCH] == len(matches):
        return END
    begin_session(s, matches, codes, parameters, lucks)
    return NEW_DEAL


@kernel_function
def follow(phase, answer, seat, s, piles, events):
    """What an answer leads to. Returns the next phase."""
    s[at.DECISION + seat] += 1
    if phase == BID:
        s[at.BIDS + seat] = answer
        if answer > 0:
            moves.note(s, events, moves.BIDDEN, seat, -1, -1, answer)
            if answer > s[at.BEST_BID]:
                s[at.BEST_BID] = answer
                s[at.BEST_BIDDER] = seat
        s[at.BIDDER] = moves.left_of(s, seat)
        return BID
    if phase == ACCEPT:
        if answer:
            moves.hand_over(s, piles, events)
            return SOLD
        moves.note(s, events, moves.KEPT, seat, -1, -1, 0)
        return UNSOLD
    if phase == OFFER:
        if not answer:
            return TURN
        s[at.SPOKEN] |= 1 << seat
        moves.note(s, events, moves.OFFERED, seat, -1, -1, answer)
        moves.begin_sale(s, moves.UNTURNED, seat, answer)
        return BID
    if not answer:
        return SHOW
    moves.note(s, events, moves.PRESOLD, seat, -1, -1, 0)
    moves.begin_sale(s, moves.TURN_UP, seat, 0)
    return BID


@njit(nogil=True, _nrt=False)
def advance(
    s, piles, pack, subkey, matches, codes, parameters, lucks, chances, events, deals, sessions
):
    """Play on until everything is played or Python is needed.

    Arguments: s (WIDTH,) int64; piles (SEATS, PILE) and pack (ROOM,) int64; subkey of the deals;
    matches (F, MATCH_WIDTH), codes (contestants, 4), parameters (contestants,) and lucks (F, SEATS)
    int64; chances as `view.survivals` gives them; events (E, 8) and deals (D, DEAL_WIDTH) int32;
    sessions (G, GAME_WIDTH) int64.

    Returns DONE, ASK, JUDGE or FULL; with ASK and JUDGE state ACTOR and METHOD say who is asked
    what, and with JUDGE state ANSWER what he answered.
    """
    phase = s[at.PHASE]
    while True:
        if phase < PRESELL:
            phase = move(
                phase, s, piles, pack, subkey, matches, codes, parameters, lucks, events, deals,
                sessions,
            )  # fmt: skip
            if phase == END:
                return DONE
            if phase == NO_ROOM:
                s[at.PHASE] = NEW_DEAL
                return FULL
            continue
        if phase == BID:
            seat = s[at.BIDDER]
            method = _BID
            most = MAX_BID
            if seat == s[at.SELLER]:  # all have spoken
                phase = ACCEPT if s[at.BEST_BID] > 0 else UNSOLD
                continue
        elif phase == ACCEPT:
            seat = s[at.SELLER]
            method = _ACCEPT
            most = 1
        elif phase == OFFER:
            seat = s[at.TURNER]
            method = _OFFER
            most = s[at.LEFT + seat]
        else:
            seat = s[at.DEALER]
            method = _PRESELL
            most = 1
        if s[at.STATUS] == at.ANSWERED:
            s[at.STATUS] = at.RUNNING
            answer = s[at.ANSWER]
        else:
            code = s[at.CODE + at.SEATS * method + seat]
            answer = 0
            if code != at.NOTHING:
                s[at.METHOD] = method
                if code == at.PYTHON:
                    s[at.ACTOR] = seat
                    s[at.PHASE] = phase
                    return ASK
                answer = call_method(
                    code, s.ctypes.data, chances.ctypes.data, s[at.PARAMETERS + seat], seat, 0
                )
        whole = method != _OFFER or not s[at.WHOLE_HAND] or answer == 0 or answer == most
        if answer < 0 or answer > most or not whole:
            s[at.ACTOR] = seat
            s[at.ANSWER] = answer
            s[at.PHASE] = phase
            return JUDGE
        phase = follow(phase, answer, seat, s, piles, events)

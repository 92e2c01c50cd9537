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
from put_cli.speculation import state as at
from put_cli.speculation.cards import ACE, FIVE, KNAVE, LOWEST, PACK, PER_SUIT
from put_cli.speculation.chance import survival_of_turn_up
from put_cli.speculation.machine import Sale, What
from put_cli.speculation.rules import CARDS_EACH, MAX_BID
from put_cli.speculation.strategy import METHODS

DONE, ASK, JUDGE, FULL, GO_ON = range(5)
"""What `advance` returns: everything is played; a player must be asked in Python; an answer is not
legal; there is no room for another deal."""

(
    NEW_SESSION, NEW_DEAL, SHOW, SOLD, UNSOLD, NEXT, TURN, REVEAL, TAKE, SETTLE,
    PRESELL, BID, ACCEPT, OFFER,
) = range(14)  # fmt: skip
"""The phases; from PRESELL on a player is asked."""

THRESHOLD = deal_threshold(PACK, DIGITS_OF_MANY)

ROOM = PACK + DIGITS_OF_MANY
"""Length of the `pack` array: the cards, and room to draw them."""

_PRESELL, _BID, _ACCEPT, _OFFER = range(len(METHODS))

# Numba takes members of an IntEnum for numbers only where they are constants of their own.
(
    _ANTE,
    _PRESOLD,
    _OFFERED,
    _BIDDEN,
    _SOLD,
    _KEPT,
    _UP,
    _TURNED,
    _PAYMENT,
    _SPARE,
    _TAKEN,
    _CARRIED,
) = map(int, What)
_NO_SALE, _TURN_UP, _TRUMP, _UNTURNED = map(int, Sale)


_survival_of_turn_up = rare_function(survival_of_turn_up)


@rare_function
def note(s, events, what, seat, card, to, amount):
    """Log an event, if events are logged."""
    if s[at.KEEP]:
        row = events[s[at.EVENT_ROW]]
        row[0] = s[at.DEAL_ROW]
        row[1] = what
        row[2] = seat
        row[3] = card
        row[4] = to
        row[5] = amount
        row[6] = s[at.HOLDER]
        row[7] = s[at.POOL]
        s[at.EVENT_ROW] += 1


@kernel_function
def left_of(s, seat):
    """The seat to the left."""
    return seat + 1 if seat + 1 < s[at.PLAYERS] else 0


@rare_function
def pay(s, events, what, seat, amount):
    """Chips from a seat to the pool."""
    s[at.CHIPS + seat] -= amount
    s[at.POOL] += amount
    note(s, events, what, seat, -1, -1, amount)


@rare_function
def see(s, card):
    """A card is shown; whether it is a better trump than the best out."""
    suit = card // PER_SUIT
    rank = card - PER_SUIT * suit + LOWEST
    s[at.SEEN + suit] |= 1 << rank
    s[at.KNOWN + suit] |= 1 << rank
    s[at.UNSEEN] -= 1
    s[at.UNKNOWN] -= 1
    if rank in (KNAVE, FIVE):
        s[at.PAYERS] -= 1
        s[at.UNKNOWN_PAYERS] -= 1
    return suit == s[at.TRUMP] and rank > s[at.BEST]


@rare_function
def next_turner(s, seat):
    """Who turns after `seat`: the holder only when nobody else has cards; -1 when nobody has."""
    other = seat
    for _ in range(s[at.PLAYERS]):
        other = left_of(s, other)
        if other != s[at.HOLDER] and s[at.LEFT + other] > 0:
            return other
    return s[at.HOLDER] if s[at.LEFT + s[at.HOLDER]] > 0 else -1


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
        seat = left_of(s, seat)
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
    s[at.SALE] = _NO_SALE
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
        seat = left_of(s, seat)
        ante = s[at.DEALER_ANTE] if seat == dealer else s[at.ANTE]
        pay(s, events, _ANTE, seat, ante)


@rare_function
def begin_sale(s, sale, seller, offered):
    """Put something up for sale: the next phase is BID."""
    s[at.SALE] = sale
    s[at.SELLER] = seller
    s[at.OFFERED] = offered
    s[at.BIDDER] = left_of(s, seller)
    s[at.PHASE] = BID


@rare_function
def hand_over(s, piles, events):
    """The best bid is accepted."""
    seller, buyer, price = s[at.SELLER], s[at.BEST_BIDDER], s[at.BEST_BID]
    s[at.CHIPS + buyer] -= price
    s[at.CHIPS + seller] += price
    s[at.BOUGHT + buyer] += 1
    s[at.SOLD + seller] += 1
    if s[at.SALE] == _UNTURNED:
        for _ in range(s[at.OFFERED]):
            card = piles[seller, s[at.HEAD + seller] & (at.PILE - 1)]
            piles[buyer, (s[at.HEAD + buyer] + s[at.LEFT + buyer]) & (at.PILE - 1)] = card
            s[at.HEAD + seller] += 1
            s[at.LEFT + seller] -= 1
            s[at.LEFT + buyer] += 1
    else:
        s[at.HOLDER] = buyer
    note(s, events, _SOLD, seller, -1, buyer, price)


@kernel_function
def end_sale(s):
    """Nothing is for sale any more; returns what was."""
    sale = s[at.SALE]
    s[at.SALE] = _NO_SALE
    s[at.SELLER] = -1
    s[at.OFFERED] = 0
    s[at.BEST_BID] = 0
    s[at.BEST_BIDDER] = -1
    for seat in range(s[at.PLAYERS]):
        s[at.BIDS + seat] = -1
    return sale


@rare_function
def turn(s, piles, events):
    """The turner's top card is turned; whether it is the best trump now."""
    seat = s[at.TURNER]
    card = piles[seat, s[at.HEAD + seat] & (at.PILE - 1)]
    s[at.HEAD + seat] += 1
    s[at.LEFT + seat] -= 1
    s[at.TO_COME] -= 1
    s[at.SPOKEN] = 0
    better = see(s, card)
    rank = card % PER_SUIT + LOWEST
    if better:
        s[at.HOLDER] = seat
        s[at.BEST] = rank
    note(s, events, _TURNED, seat, card, -1, 0)
    if rank in (KNAVE, FIVE) and s[at.PAYMENT] > 0:
        pay(s, events, _PAYMENT, seat, s[at.PAYMENT])
        s[at.PAID + seat] += s[at.PAYMENT]
    return better


@rare_function
def reveal(s, pack, events):
    """The spare hand is shown; whether it holds a better trump."""
    beaten = False
    for k in range(s[at.SPARE]):
        card = pack[s[at.DEALT_AT] + k] - 1
        s[at.TO_COME] -= 1
        if see(s, card):
            beaten = True
        note(s, events, _SPARE, -1, card, -1, 0)
    return beaten


@rare_function
def settle(s, deals, sessions):
    """Close the deal, and the session when it was the last."""
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
        s[at.PHASE] = NEW_DEAL
        return
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
    s[at.PHASE] = NEW_SESSION


@kernel_function
def move(phase, s, piles, pack, subkey, matches, codes, parameters, lucks, events, deals, sessions):
    """One phase in which nobody is asked; arguments as for `advance`.

    Returns GO_ON, DONE or FULL.
    """
    if phase == NEW_SESSION:
        while s[at.MATCH] < len(matches) and s[at.GAME] == matches[s[at.MATCH], at.M_GAMES]:
            s[at.MATCH] += 1
            s[at.GAME] = 0
        if s[at.MATCH] == len(matches):
            return DONE
        begin_session(s, matches, codes, parameters, lucks)
        s[at.PHASE] = NEW_DEAL
    elif phase == NEW_DEAL:
        if s[at.KEEP] and (
            s[at.DEAL_ROW] == len(deals) or s[at.EVENT_ROW] + s[at.MOST_EVENTS] > len(events)
        ):
            return FULL
        begin_deal(s, piles, pack, subkey, events, deals)
        s[at.PHASE] = PRESELL if s[at.PRESALE] else SHOW
    elif phase == SHOW:
        s[at.TRUMP] = s[at.UP] // PER_SUIT
        see(s, s[at.UP])
        s[at.BEST] = s[at.UP] % PER_SUIT + LOWEST
        note(s, events, _UP, s[at.DEALER], s[at.UP], -1, 0)
        if s[at.BEST] == ACE:
            s[at.PHASE] = TAKE
        else:
            begin_sale(s, _TRUMP, s[at.HOLDER], 0)
    elif phase in (SOLD, UNSOLD):
        sale = end_sale(s)
        if sale == _TURN_UP:
            s[at.PHASE] = SHOW
        elif sale == _TRUMP:
            s[at.TURNER] = next_turner(s, s[at.HOLDER])
            s[at.PHASE] = NEXT
        elif phase == SOLD:
            s[at.TURNER] = next_turner(s, s[at.TURNER])
            s[at.PHASE] = NEXT
        else:
            s[at.PHASE] = TURN
    elif phase == NEXT:
        if s[at.TURNER] < 0:
            s[at.PHASE] = REVEAL
        elif s[at.MAY_OFFER] and s[at.SPOKEN] >> s[at.TURNER] & 1 == 0:
            s[at.PHASE] = OFFER
        else:
            s[at.PHASE] = TURN
    elif phase == TURN:
        if turn(s, piles, events):
            begin_sale(s, _TRUMP, s[at.TURNER], 0)
        else:
            s[at.TURNER] = next_turner(s, s[at.TURNER])
            s[at.PHASE] = NEXT
    elif phase == REVEAL:
        if reveal(s, pack, events):
            s[at.PRIZE] = s[at.POOL]
            note(s, events, _CARRIED, -1, -1, -1, s[at.POOL])
            s[at.PHASE] = SETTLE
        else:
            s[at.PHASE] = TAKE
    elif phase == TAKE:
        winner, taken = s[at.HOLDER], s[at.POOL]
        s[at.WINNER] = winner
        s[at.PRIZE] = taken
        s[at.POOL] = 0
        s[at.CHIPS + winner] += taken
        s[at.TAKEN + winner] += 1
        note(s, events, _TAKEN, winner, -1, -1, taken)
        s[at.PHASE] = SETTLE
    elif phase == SETTLE:
        settle(s, deals, sessions)
    return GO_ON


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
    while True:
        phase = s[at.PHASE]
        if phase < PRESELL:
            status = move(
                phase, s, piles, pack, subkey, matches, codes, parameters, lucks, events, deals,
                sessions,
            )  # fmt: skip
            if status != GO_ON:
                return status
            continue
        if phase == BID:
            seat = s[at.BIDDER]
            method = _BID
            most = MAX_BID
            if seat == s[at.SELLER]:  # all have spoken
                s[at.PHASE] = ACCEPT if s[at.BEST_BID] > 0 else UNSOLD
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
            if code == at.NOTHING:
                answer = 0
            else:
                s[at.METHOD] = method
                s[at.ACTOR] = seat
                if code == at.PYTHON:
                    return ASK
                answer = call_method(
                    code, s.ctypes.data, chances.ctypes.data, s[at.PARAMETERS + seat], seat, 0
                )
        whole = method != _OFFER or not s[at.WHOLE_HAND] or answer == 0 or answer == most
        if answer < 0 or answer > most or not whole:
            s[at.ANSWER] = answer
            return JUDGE
        s[at.DECISION + seat] += 1
        if phase == BID:
            s[at.BIDS + seat] = answer
            if answer > 0:
                note(s, events, _BIDDEN, seat, -1, -1, answer)
                if answer > s[at.BEST_BID]:
                    s[at.BEST_BID] = answer
                    s[at.BEST_BIDDER] = seat
            s[at.BIDDER] = left_of(s, seat)
        elif phase == ACCEPT:
            if answer:
                hand_over(s, piles, events)
                s[at.PHASE] = SOLD
            else:
                note(s, events, _KEPT, seat, -1, -1, 0)
                s[at.PHASE] = UNSOLD
        elif phase == OFFER:
            if answer:
                s[at.SPOKEN] |= 1 << seat
                note(s, events, _OFFERED, seat, -1, -1, answer)
                begin_sale(s, _UNTURNED, seat, answer)
            else:
                s[at.PHASE] = TURN
        elif answer:
            note(s, events, _PRESOLD, seat, -1, -1, 0)
            begin_sale(s, _TURN_UP, seat, 0)
        else:
            s[at.PHASE] = SHOW

"""What happens at the table, each a small change of the kernel's state that writes its events.

Nothing here decides what comes next, nor asks anybody: that is `kernel`.
"""

from put_cli.engine.intrinsics import kernel_function, rare_function
from put_cli.speculation import state as at
from put_cli.speculation.cards import FIVE, KNAVE, LOWEST, PER_SUIT
from put_cli.speculation.machine import Sale, What

# Numba takes members of an IntEnum for numbers only where they are constants of their own.
(
    ANTE,
    PRESOLD,
    OFFERED,
    BIDDEN,
    SOLD,
    KEPT,
    UP,
    TURNED,
    PAYMENT,
    SPARE,
    TAKEN,
    CARRIED,
) = map(int, What)
NO_SALE, TURN_UP, TRUMP, UNTURNED = map(int, Sale)


@rare_function
def write(s, events, what, seat, card, to, amount):
    """Log an event."""
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
def note(s, events, what, seat, card, to, amount):
    """Log an event, if events are logged."""
    if s[at.KEEP]:
        write(s, events, what, seat, card, to, amount)


@kernel_function
def left_of(s, seat):
    """The seat to the left."""
    return seat + 1 if seat + 1 < s[at.PLAYERS] else 0


@kernel_function
def pay(s, events, what, seat, amount):
    """Chips from a seat to the pool."""
    s[at.CHIPS + seat] -= amount
    s[at.POOL] += amount
    note(s, events, what, seat, -1, -1, amount)


@kernel_function
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


@kernel_function
def next_turner(s, seat):
    """Who turns after `seat`: the holder only when nobody else has cards; -1 when nobody has."""
    other = seat
    for _ in range(s[at.PLAYERS]):
        other = left_of(s, other)
        if other != s[at.HOLDER] and s[at.LEFT + other] > 0:
            return other
    return s[at.HOLDER] if s[at.LEFT + s[at.HOLDER]] > 0 else -1


@kernel_function
def begin_sale(s, sale, seller, offered):
    """Put something up for sale: bids are next."""
    s[at.SALE] = sale
    s[at.SELLER] = seller
    s[at.OFFERED] = offered
    s[at.BIDDER] = left_of(s, seller)


@rare_function
def hand_over(s, piles, events):
    """The best bid is accepted."""
    seller, buyer, price = s[at.SELLER], s[at.BEST_BIDDER], s[at.BEST_BID]
    s[at.CHIPS + buyer] -= price
    s[at.CHIPS + seller] += price
    s[at.BOUGHT + buyer] += 1
    s[at.SOLD + seller] += 1
    if s[at.SALE] == UNTURNED:
        for _ in range(s[at.OFFERED]):
            card = piles[seller, s[at.HEAD + seller] & (at.PILE - 1)]
            piles[buyer, (s[at.HEAD + buyer] + s[at.LEFT + buyer]) & (at.PILE - 1)] = card
            s[at.HEAD + seller] += 1
            s[at.LEFT + seller] -= 1
            s[at.LEFT + buyer] += 1
    else:
        s[at.HOLDER] = buyer
    note(s, events, SOLD, seller, -1, buyer, price)


@kernel_function
def end_sale(s):
    """Nothing is for sale any more; returns what was."""
    sale = s[at.SALE]
    s[at.SALE] = NO_SALE
    s[at.SELLER] = -1
    s[at.OFFERED] = 0
    s[at.BEST_BID] = 0
    s[at.BEST_BIDDER] = -1
    for seat in range(s[at.PLAYERS]):
        s[at.BIDS + seat] = -1
    return sale


@kernel_function
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
    note(s, events, TURNED, seat, card, -1, 0)
    if rank in (KNAVE, FIVE) and s[at.PAYMENT] > 0:
        pay(s, events, PAYMENT, seat, s[at.PAYMENT])
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
        note(s, events, SPARE, -1, card, -1, 0)
    return beaten


@kernel_function
def take(s, events):
    """The holder takes the pool."""
    winner, taken = s[at.HOLDER], s[at.POOL]
    s[at.WINNER] = winner
    s[at.PRIZE] = taken
    s[at.POOL] = 0
    s[at.CHIPS + winner] += taken
    s[at.TAKEN + winner] += 1
    note(s, events, TAKEN, winner, -1, -1, taken)


@kernel_function
def carry(s, events):
    """Nobody takes the pool."""
    s[at.PRIZE] = s[at.POOL]
    note(s, events, CARRIED, -1, -1, -1, s[at.POOL])

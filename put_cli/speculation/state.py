"""The kernel's memory of a session: one row of int64, by the names of its places.

Seats are chairs; what each seat has stands in MOST_PLAYERS places from the name on.
"""

from put_cli.speculation.rules import MOST_PLAYERS

SEATS = MOST_PLAYERS

(
    # Where the session stands.
    PHASE, STATUS, ANSWER, METHOD, ACTOR,
    # Which one it is.
    SESSION, MATCH, GAME, BLOCK, MIRROR,
    # The deal.
    DEAL, DEALER, HOLDER, TRUMP, BEST, UP, POOL, CARRIED, TURNER, SPOKEN, WINNER, PRIZE,
    TO_COME, PACK_AT, DEALT_AT,
    # The sale.
    SALE, SELLER, OFFERED, BIDDER, BEST_BID, BEST_BIDDER,
    # The rules.
    PLAYERS, DEALS, ANTE, DEALER_ANTE, PAYMENT, PRESALE, MAY_OFFER, WHOLE_HAND, SPARE,
    CARDS_A_DEAL, DEALS_A_PACK,
    # The log.
    KEEP, EVENT_ROW, DEAL_ROW, MOST_EVENTS, FIRST_EVENT,
    # The bits of two floats: how the unseen turn-up survives, by the cards seen in this deal and
    # by those since the pack was shuffled.
    UP_SURVIVES, UP_SURVIVES_KNOWN,
    # What has not been seen in this deal, and since the pack was shuffled: cards; Knaves and fives.
    UNSEEN, UNKNOWN, PAYERS, UNKNOWN_PAYERS,
    # By suit: ranks seen in this deal, and since the pack was shuffled.
    SEEN, KNOWN,
) = (*range(53), 53, 57)  # fmt: skip

(
    CHIPS,
    CHIPS_BEFORE,  # the deal
    LEFT,  # unturned cards
    HEAD,  # where in its row of `piles` a seat's top card lies
    BIDS,
    DECISION,  # how many there were in the deal
    LUCK,
    PARAMETERS,
    TAKEN,  # of the session: pools
    BOUGHT,
    SOLD,
    PAID,  # chips for Knaves and fives
    CODE,  # by method, then seat: an address, PYTHON or NOTHING
) = (61 + SEATS * place for place in range(13))
WIDTH = CODE + 4 * SEATS

PILE = 64
"""Places in a seat's row of `piles`, a ring: more than cards that can lie in front of anybody."""

PYTHON, NOTHING = 0, -1
"""Codes of methods that are answered in Python, or not overridden: their answer is 0."""

RUNNING, ANSWERED = 0, 1
"""Values of STATUS."""

# Columns of the kernel's tables.
EVENT_COLUMNS = ("deal_row", "what", "seat", "card", "to", "amount", "holder", "pool")

D_SESSION, D_NUMBER, D_DEALER, D_UP, D_BEST, D_WINNER, D_POOL, D_CARRIED, D_EVENTS = range(9)
D_NET = 9
D_CARDS = D_NET + SEATS
D_SPARE = D_CARDS + 3 * SEATS
DEAL_WIDTH = D_SPARE + 3

G_MATCH, G_GAME, G_DEALS = range(3)
G_CHIPS = 3
G_TAKEN, G_BOUGHT, G_SOLD, G_PAID = (G_CHIPS + SEATS * k for k in range(1, 5))
GAME_WIDTH = G_CHIPS + 5 * SEATS

M_PAIRING, M_BLOCK, M_MIRROR, M_GAMES = range(4)
M_CHAIRS = 4
M_SPEAKS = M_CHAIRS + SEATS
"""By chair, in how many sessions of the match its player may speak: all, unless he forfeits."""
MATCH_WIDTH = M_SPEAKS + SEATS

"""Where everything about a running match stands in its lane, a row of int64.

A lane is one match. A chair is a person's place at the table for the whole match; columns that
hold something for every chair come MAX_CHAIRS at a time, chair 0 first. This file is only names:
the kernel moves lanes on, `view.py` reads them, `play.py` sets them up.

Chairs go clockwise. With partners chairs 0 and 2 are side 0 and chairs 1 and 3 are side 1; in all
other games each chair is a side. What a side owns (score, games won) stands at each of its chairs.
"""

from itertools import count

from put_cli.rules.ruleset import MAX_PLAYERS, RuleSet

MAX_CHAIRS = MAX_PLAYERS
"""Chairs that a lane has columns for."""

NO_CHAIR = MAX_CHAIRS
"""Nobody, where a chair or side is meant."""

_column = count()


def _take(width: int = 1) -> int:
    first = next(_column)
    for _ in range(width - 1):
        next(_column)
    return first


# What a strategy is asked: which of its methods decides. A lane keeps an address for each.
METHODS = ("act", "gift", "lay_out", "misdeal")
ACT, GIFT, LAY_OUT, MISDEAL_RULING = range(len(METHODS))

# The match.
STATUS = _take()  # one of the statuses below
BLOCK = _take()
MIRROR = _take()
GAMES = _take()  # games in this match
FIRST_ROW = _take()  # where its games start in the games table
CODE = _take(len(METHODS) * MAX_CHAIRS)  # by method, then chair: compiled code, 0 for Python
PARAMETERS = _take(MAX_CHAIRS)  # address of the parameters
LUCK_KEY = _take(MAX_CHAIRS)  # subkey of the chair's luck
LEARNS = _take(MAX_CHAIRS)  # whether the chair wants to hear of every finished hand
ANY_LEARNS = _take()
# The game.
GAME = _take()
HAND = _take()
LEG = _take()
DEALER = _take()  # chair
FIRST_DEALER = _take()  # chair
CUT = _take(MAX_CHAIRS)  # the card each chair cut, after equal cuts were cut again
RECUTS = _take()  # how many equal cuts went before
SCORE = _take(MAX_CHAIRS)
LEGS = _take(MAX_CHAIRS)
LUCK = _take(MAX_CHAIRS)  # luck_of_game of each chair
# The hand.
STATE = _take()  # row of the tables
PLAYER = _take(MAX_CHAIRS)  # by seat of the tricks: the chair that plays there
CARDS = _take(3 * MAX_CHAIRS)  # best first, 0 where played
FOURTH = _take(MAX_CHAIRS)  # a fourth card while one is held, else 0
PLAYED = _take(3 * MAX_CHAIRS)  # in order, 0 where not yet
PLAYS = _take(MAX_CHAIRS)  # how many cards each chair has played
LED = _take()  # the best card on the table, or 0
LEADER = _take(3)  # by trick: the seat that led; -1 where nobody has
PUTTER = _take()  # the chair that said the last put
DECISION = _take(MAX_CHAIRS)
DEALT = _take(MAX_CHAIRS)  # index of the cards a chair holds for the tricks, see cards_index
WORDS = _take()  # everything said, see say
WORDS_SHIFT = _take()
OLD_SCORE = _take(MAX_CHAIRS)  # before the hand
AWARD = _take()  # points the Laws gave eldest in this hand
# The Laws.
MISDEAL = _take()  # of `Misdeal`
MISDEAL_CHAIR = _take()  # the adversary it concerns, or the dealer
MISDEAL_CARD = _take()  # exposed, or the fourth card that was dealt, or the one drawn out
RULING = _take()  # 1 + index into RULINGS; 0 for none
EXPOSED = _take(MAX_CHAIRS)  # a card of the chair that all have seen, or 0
# Partners, by seat (side: 0 eldest's, 1 the dealer's).
CHOICE = _take(2)  # 1 + index into CHOICES; 0 for none yet
GIVEN = _take(2)  # the card that passed
LAID_OUT = _take(2)
DEALT_FIRST = _take(MAX_CHAIRS)  # cards_index as dealt, before gifts
# The public record of the match, and what the driver is told and answers.
HANDS = _take()
RECORD = _take(5 * MAX_CHAIRS)  # chair by chair, each as RECORD_FIELDS
ANSWER = _take()
# Faults of the match.
FAULTS = _take(MAX_CHAIRS)  # by side
OUT = _take()  # 1 + the chair whose fault forfeited the rest of the match, or 0
OUT_KIND = _take()  # of that fault
WIDTH = next(_column)

RECORD_FIELDS = ("puts", "puts_seen", "puts_lost", "asked", "thrown")
R_PUTS, R_SEEN, R_LOST, R_ASKED, R_THROWN = range(5)

# Statuses.
NEW_GAME = 0
NEW_HAND = 1
DECIDE = 2  # the player to act is to be asked
ASK = 3  # waiting for a decision from Python, in ANSWER
JUDGE = 4  # a compiled act faulted or an answer was illegal: waiting for a ruling, in ANSWER
HAND_OVER = 5  # waiting for a learning player to hear of the hand
FINISHED = 6

# Kinds of fault; an ANSWER of minus the kind forfeits the game.
FAULT_KINDS = ("", "raised", "illegal", "nonsense", "slow", "died")
NO_FAULT, RAISED, ILLEGAL, NONSENSE, SLOW, DIED = range(len(FAULT_KINDS))
OUT_AFTER = 3
"""So many faults of a side forfeit the rest of a match; a single one from SLOW on does."""

# What `say` packs with two sides: four bits an utterance (place, then seat), oldest lowest, and
# above them how the last one ended. With more, every word said is eight bits: place, seat, word.
WORDS_END = 48
SAID_SEEN, SAID_DECLINED, SAID_THROWN, SAID_UNANSWERED = 0, 1, 2, 3
SAID_PUT, SAID_SEE, SAID_THROW = 1, 2, 3

# Columns of the tables the kernel fills, one row a finished hand or game.
HAND_KEYS = ("lane", "game", "hand")  # int32

_LAWS_COLUMNS = (
    "misdeal",  # of `Misdeal`
    "misdeal_place",  # whom it concerns: chairs clockwise from the dealer
    "misdeal_card",  # exposed, or the fourth card that was dealt, or the one drawn out; or 0
    "ruling",  # 1 + index into RULINGS, or 0
)
_TWO_SIDES = (
    "leg",
    "eldest_chair",
    "eldest_score",
    "dealer_score",
    "eldest_cards",
    "dealer_cards",
    "lead1",
    "reply1",
    "lead2",
    "reply2",
    "lead3",
    "reply3",
    "state",
    "eldest_points",
    "dealer_points",
    "game_over",
    "rubber_over",
    "forfeit",  # kind of fault, or 0
)
_PARTNERS_COLUMNS = (
    *(f"dealt{place}" for place in range(4)),  # cards_index, chairs clockwise from the dealer
    "eldest_choice",  # 1 + index into CHOICES, or 0
    "dealer_choice",
    "eldest_given",
    "dealer_given",
    "eldest_laid_out",
    "dealer_laid_out",
    "eldest_player",  # who played the tricks: place clockwise from the dealer; -1 for nobody yet
    "dealer_player",
)
_MANY_COLUMNS = (
    "eldest_chair",
    *(f"score{seat}" for seat in range(MAX_CHAIRS)),
    *(f"cards{seat}" for seat in range(MAX_CHAIRS)),
    *(f"leader{trick}" for trick in (1, 2, 3)),  # seat; -1 where there was no such trick
    *(f"card{trick}_{seat}" for trick in (1, 2, 3) for seat in range(MAX_CHAIRS)),
    "state",  # its low 15 bits: with many players there are more states than int16 holds
    "state_high",  # the bits above
    *(f"points{seat}" for seat in range(MAX_CHAIRS)),
    "game_over",
    "forfeit",
)


def hand_columns(rules: RuleSet) -> tuple[str, ...]:
    """The columns of the hands buffer under these rules; all are int16.

    Seats count clockwise from eldest. Eldest's and the dealer's seats are sides with partners.
    """
    columns = _MANY_COLUMNS if rules.players > 2 else _TWO_SIDES
    columns += _PARTNERS_COLUMNS if rules.partners else ()
    return columns + (_LAWS_COLUMNS if rules.misdeals else ())


HAND_COLUMNS = _TWO_SIDES
"""The columns under two-handed rules without misdeals."""

LAWS_AT = {"many": len(_MANY_COLUMNS), "partners": len(_TWO_SIDES + _PARTNERS_COLUMNS)}
LAWS_AT["two"] = len(_TWO_SIDES)

GAME_COLUMNS = (  # int32
    "recuts",
    "first_dealer",  # chair
    "winner",  # side
    "hands",
    "how",
    "fault_by",  # chair; NO_CHAIR for nobody
    "fault_kind",
    *(f"legs{side}" for side in range(2)),
    *(f"cut{chair}" for chair in range(MAX_CHAIRS)),
    *(f"score{side}" for side in range(MAX_CHAIRS)),
)
G_LEGS = GAME_COLUMNS.index("legs0")
G_CUT = GAME_COLUMNS.index("cut0")
G_SCORE = GAME_COLUMNS.index("score0")

HOW = ("points", "put", "tricks", "conceded", "forfeit")
BY_POINTS, BY_PUT, BY_TRICKS, BY_CONCESSION, BY_FORFEIT = range(len(HOW))

# One row a match: totals, then for each count MAX_CHAIRS columns, side 0 first.
SIDE_COUNTS = (
    "wins",
    "dealt",  # games in which the side dealt first
    "dealt_wins",  # of those, won by it
    "legs",
    "points",
    "puts",
    "seen",  # puts of the side that somebody saw
    "declined",  # and that nobody saw
    "lost",  # puts seen in hands it then lost
    "faults",
    "forfeits",  # games lost unplayed
)
TALLY_COLUMNS = (
    "games",
    "hands",
    "drawn",
    *(f"{name}{side}" for name in SIDE_COUNTS for side in range(MAX_CHAIRS)),
)
T_GAMES, T_HANDS, T_DRAWN = range(3)
(
    T_WINS,
    T_DEALT,
    T_DEALT_WINS,
    T_LEGS,
    T_POINTS,
    T_PUTS,
    T_SEEN,
    T_DECLINED,
    T_LOST,
    T_FAULTS,
    T_FORFEITS,
) = range(3, len(TALLY_COLUMNS), MAX_CHAIRS)

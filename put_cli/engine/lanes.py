"""Where everything about a running match stands in its lane, a row of int64.

A lane is one match. `CARDS`, `PLAYED` and the like hold chair 0 first, then chair 1. This file is
only names: the kernel moves lanes on, `view.py` reads them, `play.py` sets them up.
"""

from itertools import count

_column = count()


def _take(width: int = 1) -> int:
    first = next(_column)
    for _ in range(width - 1):
        next(_column)
    return first


# The match.
STATUS = _take()  # one of the statuses below
BLOCK = _take()
MIRROR = _take()
GAMES = _take()  # games in this match
FIRST_ROW = _take()  # where its games start in the games table
CODE = _take(2)  # address of the compiled act of chair 0, 1; 0 when Python decides
PARAMETERS = _take(2)  # address of its parameters
LUCK_KEY = _take(2)  # subkey of each chair's luck
LEARNS = _take(2)  # whether the chair wants to hear of every finished hand
# The game.
GAME = _take()
HAND = _take()
LEG = _take()
DEALER = _take()  # chair
FIRST_DEALER = _take()  # chair
CUT = _take(3)  # the cards of chair 0 and 1, then how many equal cuts before
SCORE = _take(2)
LEGS = _take(2)
LUCK = _take(2)  # luck_of_game of each chair
# The hand.
STATE = _take()  # row of the tables
CARDS = _take(6)  # best first, 0 where played
PLAYED = _take(6)  # in order, 0 where not yet
PLAYS = _take(2)  # how many cards each chair has played
LED = _take()  # the card to reply to, or 0
DECISION = _take(2)
DEALT = _take(2)  # index of the cards as dealt, see cards_index
WORDS = _take()  # everything said, see say
WORDS_SHIFT = _take()
OLD_SCORE = _take(2)  # before the hand
# The public record of the match, and what the driver is told and answers.
HANDS = _take()
RECORD = _take(10)  # chair 0, then chair 1, each as RECORD_FIELDS
ANSWER = _take()
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
NO_FAULT, RAISED, ILLEGAL, NONSENSE = 0, 1, 2, 3
FAULT_KINDS = ("", "raised", "illegal", "nonsense")

# What `say` packs: four bits an utterance (place, then seat), oldest lowest, and above them how
# the last one ended.
WORDS_END = 48
SAID_SEEN, SAID_DECLINED, SAID_THROWN, SAID_UNANSWERED = 0, 1, 2, 3

# Columns of the tables the kernel fills, one row a finished hand or game.
HAND_KEYS = ("lane", "game", "hand")  # int32
HAND_COLUMNS = (  # int16
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
GAME_COLUMNS = (  # int32
    "cut0",
    "cut1",
    "recuts",
    "first_dealer",
    "winner",
    "score0",
    "score1",
    "legs0",
    "legs1",
    "hands",
    "how",
    "fault_by",  # chair; 2 for nobody
    "fault_kind",
)
HOW = ("points", "put", "tricks", "conceded", "forfeit")
BY_POINTS, BY_PUT, BY_TRICKS, BY_CONCESSION, BY_FORFEIT = range(len(HOW))

# One row a match: totals, chair 0 before chair 1 where there are two.
TALLY_COLUMNS = (
    "games",
    "wins0",
    "wins1",
    "dealt0",  # games in which chair 0 dealt first
    "dealt_wins0",  # of those, won by chair 0
    "legs0",
    "legs1",
    "hands",
    "drawn",
    "points0",
    "points1",
    "puts0",
    "puts1",
    "seen0",
    "seen1",
    "declined0",
    "declined1",
    "lost0",
    "lost1",
    "faults0",
    "faults1",
)
(
    T_GAMES,
    T_WINS,
    _,
    T_DEALT,
    T_DEALT_WINS,
    T_LEGS,
    _,
    T_HANDS,
    T_DRAWN,
    T_POINTS,
    _,
    T_PUTS,
    _,
    T_SEEN,
    _,
    T_DECLINED,
    _,
    T_LOST,
    _,
    T_FAULTS,
    _,
) = range(len(TALLY_COLUMNS))

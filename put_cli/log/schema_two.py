"""The tables of games between two sides: two-handed, and four-handed where a side is a pair.

Columns speak of eldest and dealer; with partners these are sides, and what the four players held
and passed on comes after the columns that all share.
"""

import pyarrow as pa

from put_cli.log import column
from put_cli.log.column import NAME, SAID, WORD, Column
from put_cli.rules.ruleset import RuleSet

KEY = (
    Column("pairing", pa.int32(), "number of the pairing: j(j-1)/2 + i for strategies i < j"),
    Column("block", pa.int32(), "block of mirrored matches within the pairing, from 0"),
    Column("mirror", pa.int8(), "1 where the two strategies have exchanged chairs, else 0"),
    Column("game", pa.int32(), "game within its match, from 0; in le Truc a whole rubber"),
)

_PLAYERS = "0 dealer, 1 eldest, 2 dealer's partner, 3 eldest's partner"


def hands(rules: RuleSet) -> tuple[Column, ...]:
    """One row a deal."""
    # With partners a hand can end before it is settled who plays, and with which cards.
    early = rules.partners
    held = "held for the tricks" if early else "as dealt"
    unsettled = "; null where it ended before the tricks" if early else ""
    return (
        *KEY,
        Column("hand", pa.int32(), "hand within its game, from 0; every deal is a row"),
        Column("leg", pa.int8(), "game within the rubber, from 1; 0 outside rubbers"),
        Column("eldest", NAME, "strategy that led first"),
        Column("dealer", NAME, "strategy that dealt"),
        Column("eldest_score", pa.int16(), "eldest's score before the hand"),
        Column("dealer_score", pa.int16(), "dealer's score before the hand"),
        Column(
            "eldest_cards",
            NAME,
            f"eldest's cards {held}, best first: `3 K 7`{unsettled}",
            early,
        ),
        Column("dealer_cards", NAME, f"dealer's cards {held}, best first{unsettled}", early),
        *(
            Column(
                f"{act}{trick}",
                WORD,
                f"rank of the {act} of trick {trick}; null if not played",
                True,
            )
            for trick in (1, 2, 3)
            for act in ("lead", "reply")
        ),
        *column.tricks("eldest, dealer"),
        Column(
            "words",
            SAID,
            "everything said, in order: `reply1:D:put reply1:E:see`; places lead1 reply1 after1 "
            "lead2 reply2 lead3 reply3; empty where nothing was",
        ),
        Column("puts", pa.int8(), "puts said"),
        Column("puts_seen", pa.int8(), "puts seen"),
        Column("put_by", WORD, "who said the first put: eldest or dealer; or null", True),
        column.FIRST_PUT_AT,
        Column("put_answer", WORD, "answer to the first put: see or throw; null without one", True),
        Column("worth", WORD, "worth of the hand at its end: points, or `game`"),
        Column("ending", WORD, column.endings(bool(rules.misdeals))),
        Column("winner", WORD, "eldest or dealer; null for a drawn hand", True),
        Column(
            "eldest_points", pa.int16(), "points eldest scored; 0 where the game was won outright"
        ),
        Column(
            "dealer_points", pa.int16(), "points dealer scored; 0 where the game was won outright"
        ),
        Column("outright", pa.bool_(), "whether the hand won the game, whatever the scores"),
        Column(
            "game_over", pa.bool_(), "whether the hand ended a game (in le Truc, of the rubber)"
        ),
        Column("rubber_over", pa.bool_(), "whether the hand ended a rubber"),
        *(_exchanges() if rules.partners else ()),
        *(
            column.laws(_PLAYERS if rules.partners else "eldest or dealer")
            if rules.misdeals
            else ()
        ),
    )


def _exchanges() -> tuple[Column, ...]:
    """What partners held and passed on."""
    return (
        Column(
            "dealer_chair",
            pa.int8(),
            "chair of the dealer; player n of a hand sits n chairs clockwise from him",
        ),
        *(
            Column(
                f"cards{place}",
                NAME,
                f"cards as dealt to player {place}, best first; clockwise: {_PLAYERS}",
            )
            for place in range(4)
        ),
        *(
            Column(f"{side}_choice", WORD, f"choice of {side}'s captain: {choices}; or null", True)
            for side, choices in (
                ("eldest", "give or receive"),
                ("dealer", "give, receive or keep"),
            )
        ),
        *(
            Column(
                f"{side}_gift", WORD, f"rank that passed between {side} and partner; or null", True
            )
            for side in ("eldest", "dealer")
        ),
        *(
            Column(f"{side}_laid_out", WORD, f"rank that {side}'s receiver laid out; or null", True)
            for side in ("eldest", "dealer")
        ),
        *(
            Column(
                f"{side}_player",
                pa.int8(),
                f"which player of {side}'s side played the tricks, numbered as the cards; or null",
                True,
            )
            for side in ("eldest", "dealer")
        ),
    )


def games(rules: RuleSet) -> tuple[Column, ...]:
    """One row a game."""
    return (
        *KEY,
        *(_sides_and_cuts() if rules.partners else _chairs_and_cuts()),
        Column("winner", NAME, "strategy that won; no game is drawn"),
        Column(
            "score0",
            pa.int16(),
            "side 0's score at the end (of the last game of a rubber)"
            if rules.partners
            else "chair 0's score at the end (of the last game of a rubber)",
        ),
        Column("score1", pa.int16(), f"{_seat(rules)} 1's score at the end"),
        Column(
            "legs0", pa.int8(), f"games of the rubber won by {_seat(rules)} 0; 0 outside rubbers"
        ),
        Column(
            "legs1", pa.int8(), f"games of the rubber won by {_seat(rules)} 1; 0 outside rubbers"
        ),
        Column("hands", pa.int32(), "hands dealt"),
        *column.FAULT,
        *(
            [Column("fault_chair", pa.int8(), "chair of the player at fault; or null", True)]
            if rules.partners
            else []
        ),
    )


def _seat(rules: RuleSet) -> str:
    return "side" if rules.partners else "chair"


def _chairs_and_cuts() -> tuple[Column, ...]:
    return (
        Column("chair0", NAME, "strategy in chair 0; cards, cut and deal belong to the chairs"),
        Column("chair1", NAME, "strategy in chair 1"),
        Column("cut0", WORD, "rank cut by chair 0, after equal cuts were cut again"),
        Column("cut1", WORD, "rank cut by chair 1"),
        Column("recuts", pa.int16(), "equal cuts before"),
        Column("first_dealer", NAME, "strategy that dealt first"),
    )


def _sides_and_cuts() -> tuple[Column, ...]:
    return (
        Column(
            "side0",
            NAME,
            "strategy, or team, in chairs 0 and 2; of a team `a+b` a has the lower chair. Cards, "
            "cuts and deal belong to the chairs",
        ),
        Column("side1", NAME, "strategy, or team, in chairs 1 and 3"),
        *(
            Column(
                f"cut{chair}", WORD, f"rank cut by chair {chair}, after equal cuts were cut again"
            )
            for chair in range(4)
        ),
        Column("recuts", pa.int16(), "equal cuts before"),
        Column("first_dealer", NAME, "side that dealt first"),
        Column(
            "first_dealer_chair", pa.int8(), "chair that dealt first; the deal passes to the left"
        ),
    )

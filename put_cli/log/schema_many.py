"""The tables of games of three to six players, each for himself.

Seats are letters, clockwise from eldest: A leads first, the last one deals. Cards played are a
table of their own, one row a card.
"""

import pyarrow as pa

from put_cli.log import column
from put_cli.log.column import NAME, SAID, WORD, Column
from put_cli.rules.machine import seat_names
from put_cli.rules.ruleset import RuleSet

KEY = (
    Column(
        "pairing",
        pa.int64(),
        "number of the table: the sum of C(c_k, k) for its strategies c_1 < c_2 < ...",
    ),
    Column("block", pa.int32(), "block of mirrored matches at the table, from 0"),
    Column("mirror", pa.int8(), "how many chairs on all sit of where they began the block, from 0"),
    Column("game", pa.int32(), "game within its match, from 0"),
)
HAND = Column("hand", pa.int32(), "hand within its game, from 0; every deal is a row")


def hands(rules: RuleSet) -> tuple[Column, ...]:
    """One row a deal."""
    seats = seat_names(rules)
    letters = ", ".join(seats)

    def of_each(name: str, kind: pa.DataType, meaning: str) -> tuple[Column, ...]:
        return tuple(Column(f"{name}_{seat}", kind, meaning.format(seat)) for seat in seats)

    return (
        *KEY,
        HAND,
        *of_each("strategy", NAME, f"strategy in seat {{}}; A is eldest, {seats[-1]} dealt"),
        *of_each("score", pa.int16(), "score of seat {} before the hand"),
        *of_each("cards", NAME, "cards of seat {}, best first: `3 K 7`"),
        *column.tricks(letters),
        Column(
            "words",
            SAID,
            "everything said, in order: `reply1:B:put reply1:C:see reply1:A:throw`; places lead1 "
            "reply1 lead2 reply2 lead3 reply3; empty where nothing was",
        ),
        Column("puts", pa.int8(), "puts said"),
        Column("puts_seen", pa.int8(), "puts that somebody saw"),
        Column("put_by", WORD, f"who said the first put: {letters}; or null", True),
        column.FIRST_PUT_AT,
        Column("seen_by", WORD, "who saw the first put, seats in order: `AC`; or null", True),
        Column("thrown_by", WORD, "who threw to the first put, seats in order; or null", True),
        Column("worth", WORD, "worth of the hand at its end: points, or `game`"),
        Column("ending", WORD, column.endings(bool(rules.misdeals))),
        Column("winner", WORD, f"{letters}; null for a drawn hand", True),
        *of_each("points", pa.int16(), "points seat {} scored; 0 where the game was won outright"),
        Column("outright", pa.bool_(), "whether the hand won the game, whatever the scores"),
        Column("game_over", pa.bool_(), "whether the hand ended a game"),
        *(column.laws(letters) if rules.misdeals else ()),
    )


def plays(rules: RuleSet) -> tuple[Column, ...]:
    """One row a card."""
    return (
        *KEY,
        HAND,
        Column("trick", pa.int8(), "trick, from 1"),
        Column("turn", pa.int8(), "turn within the trick, from 1, the lead"),
        Column("seat", WORD, f"who played it: {', '.join(seat_names(rules))}"),
        Column("strategy", NAME, "strategy in that seat"),
        Column("card", WORD, "its rank"),
    )


def games(rules: RuleSet) -> tuple[Column, ...]:
    """One row a game."""
    chairs = range(rules.players)
    return (
        *KEY,
        *(
            Column(
                f"chair{chair}",
                NAME,
                f"strategy in chair {chair}; clockwise; cards, cuts and deal belong to the chairs",
            )
            for chair in chairs
        ),
        *(
            Column(
                f"cut{chair}", WORD, f"rank cut by chair {chair}, after equal cuts were cut again"
            )
            for chair in chairs
        ),
        Column("recuts", pa.int16(), "equal cuts before"),
        Column("first_dealer", NAME, "strategy that dealt first; the deal passes to the left"),
        Column("winner", NAME, "strategy that won; no game is drawn"),
        *(
            Column(f"score{chair}", pa.int16(), f"chair {chair}'s score at the end")
            for chair in chairs
        ),
        Column("hands", pa.int32(), "hands dealt"),
        *column.FAULT,
    )

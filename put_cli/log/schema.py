"""The tables of the log: every column, its type and its meaning, in one place.

The data dictionary of a run and the Parquet schemas are both made from here. A family of games has
its own tables; these are the two-handed ones.
"""

from dataclasses import dataclass

import pyarrow as pa

from put_cli.stats.tally import COLUMNS as TALLY_COLUMNS

FAMILY = "two-handed"
VERSION = 1
"""Version of the format: columns, key, directory and manifest."""

_WORD = pa.dictionary(pa.int8(), pa.string())
_CARDS = pa.dictionary(pa.int16(), pa.string())


@dataclass(frozen=True)
class Column:
    """A column of the log."""

    name: str
    type: pa.DataType
    meaning: str
    null: bool = False
    """Whether there may be none; a column that always has a value is smaller and quicker."""


_KEY = (
    Column("pairing", pa.int32(), "number of the pairing: j(j-1)/2 + i for strategies i < j"),
    Column("block", pa.int32(), "block of mirrored matches within the pairing, from 0"),
    Column("mirror", pa.int8(), "1 where the two strategies have exchanged chairs, else 0"),
    Column("game", pa.int32(), "game within its match, from 0; in le Truc a whole rubber"),
)

HANDS = (
    *_KEY,
    Column("hand", pa.int32(), "hand within its game, from 0; every deal is a row"),
    Column("leg", pa.int8(), "game within the rubber, from 1; 0 outside rubbers"),
    Column("eldest", _CARDS, "strategy that led first"),
    Column("dealer", _CARDS, "strategy that dealt"),
    Column("eldest_score", pa.int16(), "eldest's score before the hand"),
    Column("dealer_score", pa.int16(), "dealer's score before the hand"),
    Column("eldest_cards", _CARDS, "eldest's cards as dealt, best first: `3 K 7`"),
    Column("dealer_cards", _CARDS, "dealer's cards as dealt, best first"),
    *(
        Column(
            f"{act}{trick}", _WORD, f"rank of the {act} of trick {trick}; null if not played", True
        )
        for trick in (1, 2, 3)
        for act in ("lead", "reply")
    ),
    *(
        Column(
            f"trick{trick}", _WORD, f"who took trick {trick}: eldest, dealer or tie; or null", True
        )
        for trick in (1, 2, 3)
    ),
    Column(
        "words",
        pa.dictionary(pa.int32(), pa.string()),
        "everything said, in order: `reply1:D:put reply1:E:see`; places lead1 reply1 after1 lead2 "
        "reply2 lead3 reply3; empty where nothing was",
    ),
    Column("puts", pa.int8(), "puts said"),
    Column("puts_seen", pa.int8(), "puts seen"),
    Column("put_by", _WORD, "who said the first put: eldest or dealer; or null", True),
    Column("put_at", _WORD, "where the first put was said, a place as in words; or null", True),
    Column("put_answer", _WORD, "answer to the first put: see or throw; null without one", True),
    Column("worth", _WORD, "worth of the hand at its end: points, or `game`"),
    Column("ending", _WORD, "tricks, thrown, drawn, redealt or forfeit"),
    Column("winner", _WORD, "eldest or dealer; null for a drawn hand", True),
    Column("eldest_points", pa.int16(), "points eldest scored; 0 where the game was won outright"),
    Column("dealer_points", pa.int16(), "points dealer scored; 0 where the game was won outright"),
    Column("outright", pa.bool_(), "whether the hand won the game, whatever the scores"),
    Column("game_over", pa.bool_(), "whether the hand ended a game (in le Truc, of the rubber)"),
    Column("rubber_over", pa.bool_(), "whether the hand ended a rubber"),
)

GAMES = (
    *_KEY,
    Column("chair0", _CARDS, "strategy in chair 0; cards, cut and deal belong to the chairs"),
    Column("chair1", _CARDS, "strategy in chair 1"),
    Column("cut0", _WORD, "rank cut by chair 0, after equal cuts were cut again"),
    Column("cut1", _WORD, "rank cut by chair 1"),
    Column("recuts", pa.int16(), "equal cuts before"),
    Column("first_dealer", _CARDS, "strategy that dealt first"),
    Column("winner", _CARDS, "strategy that won; no game is drawn"),
    Column("score0", pa.int16(), "chair 0's score at the end (of the last game of a rubber)"),
    Column("score1", pa.int16(), "chair 1's score at the end"),
    Column("legs0", pa.int8(), "games of the rubber won by chair 0; 0 outside rubbers"),
    Column("legs1", pa.int8(), "games of the rubber won by chair 1; 0 outside rubbers"),
    Column("hands", pa.int32(), "hands dealt"),
    Column("how", _WORD, "points, put, tricks, conceded or forfeit"),
    Column("fault_by", _CARDS, "strategy whose fault ended the game; or null", True),
    Column("fault_kind", _WORD, "raised, illegal or nonsense; or null", True),
    Column("fault_reason", pa.string(), "the fault in one line; or null", True),
)

TALLIES = (
    *(
        Column(
            column.name,
            {"mirror": pa.int8(), "pairing": pa.int32(), "block": pa.int32()}.get(
                column.name, pa.int64()
            ),
            column.meaning,
        )
        for column in TALLY_COLUMNS
    ),
)

TABLES: dict[str, tuple[Column, ...]] = {"hands": HANDS, "games": GAMES, "tallies": TALLIES}
"""The tables in the order in which a shard's parts are written; the last commits the shard."""

LOGGED = {
    "hands": ("hands", "games", "tallies"),
    "games": ("games", "tallies"),
    "none": ("tallies",),
}
"""What each value of --log writes."""


def schema(table: str) -> pa.Schema:
    """The Arrow schema of a table; footers add their own metadata."""
    return pa.schema([pa.field(each.name, each.type, each.null) for each in TABLES[table]])

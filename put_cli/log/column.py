"""What a column of the log is, and the few types there are besides plain numbers."""

from dataclasses import dataclass

import pyarrow as pa

WORD = pa.dictionary(pa.int8(), pa.string())
"""One of a few words: a rank, a seat, a place."""

NAME = pa.dictionary(pa.int16(), pa.string())
"""A strategy, or three cards."""

SAID = pa.dictionary(pa.int32(), pa.string())
"""Everything said in a hand."""


@dataclass(frozen=True)
class Column:
    """A column of the log."""

    name: str
    type: pa.DataType
    meaning: str
    null: bool = False
    """Whether there may be none; a column that always has a value is smaller and quicker."""


def tricks(takers: str) -> tuple[Column, ...]:
    """Who took each trick."""
    return tuple(
        Column(f"trick{trick}", WORD, f"who took trick {trick}: {takers} or tie; or null", True)
        for trick in (1, 2, 3)
    )


FIRST_PUT_AT = Column(
    "put_at", WORD, "where the first put was said, a place as in words; or null", True
)

FAULT = (
    Column("how", WORD, "points, put, tricks, conceded or forfeit"),
    Column("fault_by", NAME, "strategy whose fault ended the game; or null", True),
    Column("fault_kind", WORD, "raised, illegal, nonsense, slow or died; or null", True),
    Column("fault_reason", pa.string(), "the fault in one line; or null", True),
)


def laws(whom: str) -> tuple[Column, ...]:
    """The columns that the Laws of Put add to the hands."""
    return (
        Column(
            "misdeal",
            WORD,
            "what went wrong with the deal: exposed-theirs, exposed-own, faced, four-theirs or "
            "four-own; or null",
            True,
        ),
        Column("misdeal_to", WORD, f"whose cards it concerns: {whom}; or null", True),
        Column(
            "misdeal_card",
            WORD,
            "rank exposed, or of the fourth card: the one dealt last, after `draw` the one drawn "
            "out; or null",
            True,
        ),
        Column("ruling", WORD, "what was chosen then: stand, redeal or draw; or null", True),
    )


def endings(misdeals: bool) -> str:
    """How a hand can end, in words."""
    if not misdeals:
        return "tricks, thrown, drawn, redealt or forfeit"
    return (
        "tricks, thrown, drawn, redealt (the same dealer deals again), awarded (the point for the "
        "dealer's four cards won the game) or forfeit"
    )

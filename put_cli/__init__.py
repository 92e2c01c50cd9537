"""put: tournaments and simulations of the tavern card game Put and its relatives.

    from put_cli import PUT, SEE, THROW, Strategy, View

is all that a strategy needs.
"""

from put_cli.strategy import (
    DRAW,
    GAME,
    GIVE,
    KEEP,
    PUT,
    RECEIVE,
    REDEAL,
    SEE,
    STAND,
    THROW,
    HandRecord,
    Match,
    Other,
    Player,
    Strategy,
    View,
)

__version__ = "0.1.0"
__all__ = [
    "DRAW",
    "GAME",
    "GIVE",
    "KEEP",
    "PUT",
    "RECEIVE",
    "REDEAL",
    "SEE",
    "STAND",
    "THROW",
    "HandRecord",
    "Match",
    "Other",
    "Player",
    "Strategy",
    "View",
]

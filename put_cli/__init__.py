"""put: tournaments and simulations of the tavern card game Put and its relatives.

    from put_cli import PUT, SEE, THROW, Strategy, View

is all that a strategy needs.
"""

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from put_cli.solve.consult import consult, open_policy

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`consult` and `open_policy` play a solution of `put solve`; they need heavy libraries."""
    if name in ("consult", "open_policy"):
        from put_cli.solve import consult

        return getattr(consult, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    "consult",
    "open_policy",
]

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
    from put_cli.solutions import consult, open_policy, policy_rules

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What plays a solution of `put solve`, and needs heavy libraries."""
    if name in ("consult", "open_policy", "policy_rules"):
        from put_cli import solutions

        return getattr(solutions, name)
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
    "policy_rules",
]

"""put: tournaments and simulations of the tavern card game Put and its relatives.

    from put_cli import PUT, SEE, THROW, Strategy, View

is all that a strategy needs.
"""

from put_cli.strategy import GAME, PUT, SEE, THROW, HandRecord, Match, Player, Strategy, View

__version__ = "0.1.0"
__all__ = ["GAME", "PUT", "SEE", "THROW", "HandRecord", "Match", "Player", "Strategy", "View"]

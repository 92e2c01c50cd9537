"""What the author of a Speculation strategy builds on: `Speculator`, `View` and the kinds of sale.

Standard library only, as `put_cli.strategy`.
"""

from typing import ClassVar, NamedTuple

from put_cli.speculation.machine import Sale
from put_cli.speculation.rules import NAME
from put_cli.strategy import Strategy

TURN_UP = int(Sale.TURN_UP)
"""For sale is the turn-up, unseen."""
TRUMP = int(Sale.TRUMP)
"""For sale is the best trump out."""
UNTURNED = int(Sale.UNTURNED)
"""For sale are `view.offered` unturned cards."""

Seats = tuple[int, int, int, int, int, int, int, int, int, int, int, int]
"""A number for each player clockwise from the one asked, who is number 0; 0 beyond the table."""


class View(NamedTuple):
    """Everything a player may know when asked. Seats count clockwise from his own, which is 0."""

    # The sale, if there is one.
    sale: int
    """TURN_UP, TRUMP or UNTURNED; 0 without a sale."""
    seller: int
    """The seat that sells; -1 without a sale."""
    offered: int
    """How many unturned cards are for sale."""
    best_bid: int
    """The best bid so far; 0 without one."""
    best_bidder: int
    """The seat it is from; -1 without one."""
    bids: Seats
    """The bids by seat; -1 for who has not been asked."""

    # The table.
    pool: int
    holder: int
    """The seat that holds the best trump; before the turn-up the dealer's, or who bought it."""
    best: int
    """Rank of the best trump out, 2 to 14, the Ace; 0 before the turn-up."""
    trump: int
    """The suit of trumps, 0 to 3: clubs, diamonds, hearts, spades; -1 before the turn-up."""
    cards: int
    """Own unturned cards."""
    unturned: Seats
    """Unturned cards by seat."""
    chips: Seats
    """Everybody's change in chips since the session began, by seat."""
    dealer: int
    """The seat that dealt."""
    deal: int
    """The deal of the session, from 0."""
    deals: int
    """Deals of the session, but for those that a carried pool adds."""

    # What the seen cards tell: those of this deal and, with `memory = True`, of all since the
    # pack was shuffled.
    seen: tuple[int, int, int, int]
    """The ranks seen of each suit, clubs first: bit 14 is the Ace, bit 2 the deuce."""
    unseen: int
    """Cards of the pack not seen."""
    to_come: int
    """Cards still to be turned or, of the spare hand, revealed in this deal."""
    better: int
    """Unseen trumps above the best; 0 before the turn-up."""
    payers: int
    """Unseen Knaves and fives."""
    survives: float
    """The exact chance that the best trump stays the best to the end of the deal; before the
    turn-up that of the turn-up."""

    # The rules.
    players: int
    ante: int
    payment: int
    """Chips that a turned Knave or five pays."""
    spare: int
    """Cards of the spare hand that will be revealed, 3 or 0."""
    whole_hand: bool
    """Whether unturned cards may be offered only all together."""

    luck: float
    """A fresh uniform number in [0, 1): the only randomness a strategy has."""


class Speculator(Strategy):
    """A way of playing Speculation: a frozen dataclass that overrides what it wants to do.

    As it is, it never trades. Parameters are the dataclass fields, all with defaults; the methods
    must depend on nothing but `self` and `view`, and are compiled where they can be.
    """

    game: ClassVar[str] = NAME

    memory: ClassVar[bool] = False
    """True for a strategy that remembers the cards of earlier deals while the pack lasts."""

    def act(self, view: object) -> int:
        """Put asks for it; Speculation asks for the methods below."""
        raise NotImplementedError(f"{type(self).__name__} plays Speculation, which never asks this")

    def presell(self, view: View) -> bool:
        """As dealer: whether to put the turn-up up for sale before it is seen."""
        return False

    def bid(self, view: View) -> int:
        """What to bid for what is for sale (`view.sale`); 0 for nothing."""
        return 0

    def accept(self, view: View) -> bool:
        """As seller: whether to sell for `view.best_bid`."""
        return False

    def offer(self, view: View) -> int:
        """How many of one's `view.cards` to offer instead of turning one; 0 turns.

        Where `view.whole_hand`, 0 or all.
        """
        return 0


METHODS = ("presell", "bid", "accept", "offer")
"""What a Speculator can be asked, in the order of `machine.Ask`."""

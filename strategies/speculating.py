"""The players of Speculation: what is for sale has an exact price, and who makes it pay?"""

from dataclasses import dataclass
from typing import ClassVar

from put_cli.speculation import TRUMP, UNTURNED, Speculator, View


def final_pool(view: View) -> float:
    """The pool as the end of the deal may be expected to find it, payments included."""
    to_turn = view.to_come - view.spare
    return view.pool + view.payment * to_turn * view.payers / max(1, view.unseen)


def price(view: View, unturned: int) -> float:
    """What `unturned` cards, or without any the best trump, add to their owner's expected chips.

    When the best trump is beaten, any card that is still to come is as likely as another to be the
    one that is best in the end.
    """
    if unturned == 0:
        return view.survives * final_pool(view)
    share = (1.0 - view.survives) * unturned / max(1, view.to_come)
    fines = view.payment * unturned * view.payers / max(1, view.unseen)
    return share * final_pool(view) - fines


@dataclass(frozen=True)
class Never(Speculator):
    """Never trades: turns its cards and waits.

    The measure of what trading is worth.
    """


@dataclass(frozen=True)
class Fair(Speculator):
    """Buys and sells at the exact price, as far as this deal's cards tell it.

    It puts everything up for sale, because refusing costs nothing.
    """

    margin: float = 0.0  # share of the price that it wants to gain by a trade

    def presell(self, view: View) -> bool:
        return True

    def bid(self, view: View) -> int:
        most = int(price(view, view.offered) * (1.0 - self.margin))
        return most if most > view.best_bid else 0

    def accept(self, view: View) -> bool:
        return view.best_bid >= price(view, view.offered) * (1.0 + self.margin)

    def offer(self, view: View) -> int:
        return view.cards


@dataclass(frozen=True)
class Mindful(Fair):
    """Fair, but remembers the cards of earlier deals while the pack lasts (exhaust_pack).

    Where every deal has a shuffled pack it is Fair.
    """

    memory: ClassVar[bool] = True


@dataclass(frozen=True)
class Greedy(Speculator):
    """Cannot see chips without taking them: sells all it has to the best bid; buys nothing."""

    least: float = 0.5  # share of the price from which on it takes a bid

    def presell(self, view: View) -> bool:
        return True

    def accept(self, view: View) -> bool:
        return view.best_bid >= price(view, view.offered) * self.least

    def offer(self, view: View) -> int:
        return view.cards


@dataclass(frozen=True)
class Eager(Speculator):
    """Wants to be in the game: outbids everybody, above the price, and keeps what it has."""

    zeal: float = 0.4  # share of the price that it pays on top

    def bid(self, view: View) -> int:
        most = int(price(view, view.offered) * (1.0 + self.zeal))
        return most if most > view.best_bid else 0


@dataclass(frozen=True)
class Late(Speculator):
    """Buys unseen cards when no high trump is out; sells a trump early, while it is not sure.

    It buys no trumps.
    """

    high: int = 11  # a trump of this rank, the Knave, or above is high
    sure: float = 0.8  # chance to survive from which on it keeps a trump

    def bid(self, view: View) -> int:
        if view.sale != UNTURNED or view.best >= self.high:
            return 0
        most = int(price(view, view.offered))
        return most if most > view.best_bid else 0

    def accept(self, view: View) -> bool:
        if view.sale == TRUMP and view.survives >= self.sure:
            return False
        return view.best_bid >= price(view, view.offered)

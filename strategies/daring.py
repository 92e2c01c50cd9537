"""Daring and its lack: Cotton's two players.

Cotton (The Compleat Gamester, 1674) says that the game consists very much in daring: a bold player
will put on very bad cards, a Five, a Seven and a Nine, and take one from a timid holder of
middling ones.
"""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .play import ahead, best, strength, thrifty_card


@dataclass(frozen=True)
class Bold(Strategy):
    """Puts on a Five, a Seven and a Nine or anything better, unless it is behind in tricks.

    It is bold with its tongue, not with its eyes shut: to see, it wants cards of the upper half.
    """

    worst: float = 4.0  # mean card number of 5 7 9 (2, 4 and 6 of 13)
    sees: float = 8.0  # mean card number that sees a put

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if strength(view) >= self.sees or ahead(view) > 0 else THROW
        if view.may_put and ahead(view) >= 0 and strength(view) >= self.worst:
            return PUT
        return THROW if view.must_speak else thrifty_card(view)


@dataclass(frozen=True)
class Timid(Strategy):
    """Dares only on cards that can hardly lose: two Threes or Twos, or one and a trick already won.

    It throws good middling cards to anybody's put.
    """

    ranks: int = 2  # how many best ranks it trusts

    def act(self, view: View) -> int:
        safe = best(view.cards, view.top, self.ranks) + ahead(view) >= 2
        if view.asked:
            return SEE if safe else THROW
        if view.may_put and safe:
            return PUT
        return THROW if view.must_speak else thrifty_card(view)

"""False colours: those whose words and cards do not say what they hold."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .play import ahead, best, strength, thrifty_card


@dataclass(frozen=True)
class Bluffer(Strategy):
    """Puts with its best cards and, now and then, with its worst; middling ones it plays quietly.

    The boldest player wins, says the older encyclopedia page: a put on nothing costs little where
    the other throws, and earns the good ones an answer.
    """

    strong: float = 10.0  # mean card number put for what it is worth
    weak: float = 5.0  # mean card number below which it may bluff
    bluff: float = 0.25  # share of those that it puts, at each chance it has

    def act(self, view: View) -> int:
        held = strength(view)
        strong = held >= self.strong and ahead(view) >= 0
        if view.asked:
            return SEE if strong or ahead(view) > 0 else THROW
        bluff = held < self.weak and view.luck < self.bluff
        if view.may_put and (strong or bluff):
            return PUT
        return THROW if view.must_speak else thrifty_card(view)


@dataclass(frozen=True)
class Sly(Strategy):
    """Lies low: leads its worst card first, and puts over a led card that it can beat.

    Having given away a trick it still holds two good cards, and the other has shown one of his.
    """

    ranks: int = 4  # its good cards are those of this many best ranks: 3 2 A K

    def act(self, view: View) -> int:
        good = best(view.cards, view.top, self.ranks)
        if view.asked:
            return SEE if good + ahead(view) >= 2 else THROW
        over = not view.is_leader and view.cheapest_winner > 0
        if view.may_put and good + ahead(view) >= 2 and (over or view.trick > 1):
            return PUT
        if view.must_speak:
            return PUT if good + ahead(view) >= 1 else THROW
        if view.is_leader and view.trick == 1:
            return view.lowest
        return thrifty_card(view)

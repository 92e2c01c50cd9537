"""The simple players: yardsticks whose every move can be told from one sentence."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .play import held, mean, thrifty_card


@dataclass(frozen=True)
class Random(Strategy):
    """Does anything allowed: each card held and each word that may be said is equally likely.

    Two equal cards are two choices. Nobody should lose to it; it is the measure of luck.
    """

    def act(self, view: View) -> int:
        cards = held(view.cards) if view.may_play else 0
        put, throw = int(view.may_put), int(view.may_throw)
        see = int(view.asked)
        choice = int(view.luck * (cards + put + see + throw))
        for card in view.cards:
            if card > 0 and cards > 0:
                if choice == 0:
                    return card
                choice -= 1
        if choice < put:
            return PUT
        return SEE if choice < put + see else THROW


@dataclass(frozen=True)
class Highest(Strategy):
    """Plays its best card every time, never puts, sees every put.

    Where it must speak it throws.
    """

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        return THROW if view.must_speak else view.highest


@dataclass(frozen=True)
class Thrifty(Strategy):
    """Wins tricks as cheaply as it can, never puts, sees every put.

    It leads its best card and replies with the cheapest that wins, else one that ties, else its
    worst. Where it must speak it puts.
    """

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        return PUT if view.must_speak else thrifty_card(view)


@dataclass(frozen=True)
class Threshold(Strategy):
    """Puts and sees when the cards in its hand average at least a level; plays them thriftily.

    `level` is in card numbers of the 52-card pack, Four 1 to Three 13, and is not rescaled to
    shorter packs. With no card left in hand it throws.
    """

    level: float = 9.0

    def act(self, view: View) -> int:
        strong = view.highest > 0 and mean(view.cards) >= self.level
        if view.asked:
            return SEE if strong else THROW
        if view.may_put and strong:
            return PUT
        return THROW if view.must_speak else thrifty_card(view)

"""Strategies for the tests: with words, luck and an eye on the score."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View


@dataclass(frozen=True)
class Steady(Strategy):
    """Plays low, sees and puts with the best rank."""

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if view.highest == view.top or view.my_tricks > 0 else THROW
        if view.may_put and view.highest == view.top:
            return PUT
        if view.must_speak:
            return THROW
        return view.cheapest_winner or view.lowest


@dataclass(frozen=True)
class Fickle(Strategy):
    """Bluffs by luck, and more when behind."""

    bluff: float = 0.25

    def act(self, view: View) -> int:
        often = 2 * self.bluff if view.score < view.their_score else self.bluff
        if view.asked:
            return SEE if view.luck < 0.5 or view.highest >= view.top - 1 else THROW
        if view.may_put and view.luck < often:
            return PUT
        if view.must_speak:
            return PUT if view.luck < 0.5 else THROW
        return view.highest if view.luck < 0.5 else view.lowest

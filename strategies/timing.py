"""Those who wait for their moment."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .play import FULL_TOP, ahead, strength, thrifty_card


@dataclass(frozen=True)
class Patient(Strategy):
    """Waits for the first trick, then puts when it won it and still holds a court card.

    Winning the first trick lets one choose the moment, says the full-rules page. After a tied
    trick the best card decides everything, so it puts only with an Ace or better.
    """

    court: int = 9  # after a trick won it puts with this card (of 13: the Queen) or better
    top: int = 11  # after a tie, with this one (the Ace) or better
    sees: float = 10.0  # mean card number with which it sees a put in the first trick

    def act(self, view: View) -> int:
        moment = self.moment(view)
        if view.asked:
            return SEE if moment or (view.trick == 1 and strength(view) >= self.sees) else THROW
        if view.may_put and moment:
            return PUT
        return THROW if view.must_speak else thrifty_card(view)

    def moment(self, view: View) -> bool:
        """Whether the first trick, or the first two, have gone so well that it is time to put."""
        best = view.highest * FULL_TOP / view.top
        if view.trick == 1 or ahead(view) < 0:
            return False
        if ahead(view) > 0:
            return best >= self.court
        return view.ties > 0 and best >= self.top

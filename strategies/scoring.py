"""Those who play the score."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .play import ahead, strength, thrifty_card


@dataclass(frozen=True)
class Closer(Strategy):
    """Lets the score decide how much to dare: everything when behind, nothing when one point short.

    With the opponent one point short of the target a put costs nothing, since the hand may lose
    the game anyhow, and throwing would lose it at once. With itself one point short a put gains
    nothing that winning the hand does not. In between it dares more the further it is behind.
    """

    level: float = 9.5  # mean card number it puts and sees with at even scores
    slope: float = 2.0  # how much less it asks when a whole target behind
    trick: float = 2.5  # what a trick won counts for

    def act(self, view: View) -> int:
        last_chance = view.their_score + view.worth_if_thrown >= view.target
        home = view.score + view.worth >= view.target
        behind = (view.their_score - view.score) / view.target
        held = strength(view) + self.trick * ahead(view) + self.slope * behind
        if view.asked:
            return SEE if last_chance or held >= self.level else THROW
        if view.must_speak:
            return PUT if last_chance or held >= self.level - 1.0 else THROW
        if view.may_put and not home and (last_chance or held >= self.level):
            return PUT
        return thrifty_card(view)

"""Foxes: they put with good cards, and now and then with none."""

from dataclasses import dataclass
from typing import ClassVar

from put_cli import PUT, SEE, THROW, Strategy, View
from put_fox.cards import good_cards, sparing_card


@dataclass(frozen=True)
class Fox(Strategy):
    """Puts and sees with two good cards, counting tricks it is ahead; bluffs at a fixed rate."""

    best: int = 4  # a card is good when it is of this many best ranks: 3 2 A K
    bluff: float = 0.10  # share of its chances to put that it takes with less

    def act(self, view: View) -> int:
        strong = good_cards(view, self.best) + view.my_tricks - view.their_tricks >= 2
        if view.asked:
            return SEE if strong or self.nothing_to_lose(view) else THROW
        if view.may_put and (strong or view.luck < self.bluffs(view)):
            return PUT
        return sparing_card(view) if view.may_play else THROW

    def bluffs(self, view: View) -> float:
        """The share of its chances to put that it takes without good cards."""
        return self.bluff

    def nothing_to_lose(self, view: View) -> bool:
        """Whether throwing would lose the game anyhow."""
        return view.their_score + view.worth_if_thrown >= view.target


@dataclass(frozen=True)
class OldFox(Fox):
    """A fox that bluffs the more, the oftener this opponent has thrown to a put."""

    memory: ClassVar[bool] = True

    doubt: float = 10.0  # puts it must have made for the record to weigh as much as its habit

    def bluffs(self, view: View) -> float:
        # A bluff earns its point when it is thrown to, and costs a game when it is seen.
        asked, thrown = view.their_asked, view.their_thrown
        thrown_to = (thrown + 0.5 * self.doubt) / (asked + self.doubt)
        return 2.0 * self.bluff * thrown_to

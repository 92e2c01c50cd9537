"""A strategy in one file: a good place to start from.

    put tournament examples/my_bot.py bold odds --games 20000
    put match examples/my_bot.py "examples/my_bot.py:MyBot(bluff=0.3)"

It is compiled as it stands. Everything `view` holds is documented in `put_cli.strategy.View`.
"""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View


@dataclass(frozen=True)
class MyBot(Strategy):
    """Counts its good cards and the tricks it is ahead; bluffs a little; minds the score."""

    good: int = 4  # cards of this many best ranks are good: 3 2 A K
    bluff: float = 0.10  # share of its chances to put that it takes with nothing in hand

    def act(self, view: View) -> int:
        """One decision: a card of the hand, PUT, SEE or THROW."""
        nothing_to_lose = view.their_score + view.worth_if_thrown >= view.target
        nothing_to_gain = view.score + view.worth >= view.target
        daring = nothing_to_lose or self.promise(view) >= 2

        if view.asked:
            return SEE if daring else THROW
        if view.may_put and not nothing_to_gain and (daring or view.luck < self.bluff):
            return PUT
        if view.may_play:
            return self.card(view)
        return PUT if daring else THROW

    def promise(self, view: View) -> int:
        """Good cards still held, and tricks won less tricks lost; two of them usually win."""
        count = view.my_tricks - view.their_tricks
        for card in view.cards:
            if card > view.top - self.good:
                count += 1
        return count

    def card(self, view: View) -> int:
        """Lead the best; reply with the cheapest that wins, else one that ties, else the worst."""
        if view.is_leader:
            return view.highest
        return view.cheapest_winner or view.equal or view.lowest

"""Those who calculate: the chance of the hand against what throwing costs at this score."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .chances import chances, game_chance, result


@dataclass(frozen=True)
class Odds(Strategy):
    """Plays the odds: exact chances of the hand, weighed by what each outcome does to the game.

    The chances are those against random unseen cards. Two numbers stand for the opponent: what he
    does with a put, and how much better than random the cards are that he puts or sees with.
    """

    throws: float = 0.3  # share of puts that the opponent is taken to throw to
    edge: float = 4.0  # odds in his favour, against random cards, when he puts or sees

    def act(self, view: View) -> int:
        card, win, draw = self.outlook(view)
        thrown = game_chance(view, 0, view.worth_if_thrown)
        if view.asked:
            seen = self.stake(view, win, draw, view.worth_if_seen, self.edge_putting(view))
            return SEE if seen >= thrown else THROW
        throws = self.their_throws(view)
        seen = self.stake(view, win, draw, view.worth_if_seen, self.edge)
        put = throws * game_chance(view, view.worth_if_thrown, 0) + (1.0 - throws) * seen
        if view.must_speak:
            return PUT if put >= thrown else THROW
        play = self.stake(view, win, draw, view.worth, 1.0)
        if view.may_put and put > play and put > thrown:
            return PUT
        if view.may_throw and thrown > play:
            return THROW
        return card

    def their_throws(self, view: View) -> float:
        """The share of puts that the opponent throws to."""
        return self.throws

    def edge_putting(self, view: View) -> float:
        """The odds by which his cards are better than random ones when he puts."""
        return self.edge

    def stake(self, view: View, win: float, draw: float, worth: int, edge: float) -> float:
        """The chance to win the game when the hand is played out for `worth`."""
        lose = (1.0 - win - draw) * edge
        total = (
            win * game_chance(view, worth, 0)
            + draw * game_chance(view, 0, 0)
            + lose * game_chance(view, 0, worth)
        )
        return total / (win + draw + lose)

    def outlook(self, view: View) -> tuple[int, float, float]:
        """The card to play, and with it the chances to win and to draw the hand.

        On the lead every card has the same chance against cards in random order. The worst leads:
        it draws a better card than it is worth, and the good ones are kept for replies.
        """
        a, b, c = view.cards
        seen = view.cards + view.played + view.their_played
        lead = view.my_tricks - view.their_tricks
        if view.is_leader or view.led == 0:
            own_led = view.played[view.trick - 1]
            if a == 0:
                a = own_led
            elif b == 0:
                b = own_led
            else:
                c = c or own_led
            win, draw = chances(a, b, c, lead, seen, view.top, view.copies)
            return view.lowest, win, draw
        best, best_win, best_draw = 0, -1.0, 0.0
        for slot in range(3):
            card = view.cards[slot]
            if card == 0:
                continue
            win, draw = chances(
                a if slot != 0 else 0,
                b if slot != 1 else 0,
                c if slot != 2 else 0,
                lead + result(card, view.led),
                seen,
                view.top,
                view.copies,
            )
            if win + draw / 2 >= best_win + best_draw / 2:
                best, best_win, best_draw = card, win, draw
        return best, best_win, best_draw

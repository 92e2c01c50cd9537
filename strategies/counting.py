"""Those who count cards."""

from dataclasses import dataclass

from put_cli import PUT, SEE, THROW, Strategy, View

from .play import ahead, best, held, thrifty_card


@dataclass(frozen=True)
class Counter(Strategy):
    """Counts the eight top cards, its own and those gone; two of them usually win.

    The full-rules page gives the advice. What is not in its hand and not on the table is the
    opponent's by so much, and a trick won is as good as a top card that has done its work.
    """

    ranks: int = 2  # best ranks counted: the Threes and the Twos
    sees: float = 0.5  # how many more than the opponent's share it wants, to see a put
    puts: float = 1.0  # and to put: two top cards, or one and a trick

    def act(self, view: View) -> int:
        count = self.lead_in_tops(view) + ahead(view)
        if view.asked:
            return SEE if count >= self.sees else THROW
        if view.may_put and count >= self.puts:
            return PUT
        if view.must_speak:
            return PUT if count >= self.sees else THROW
        return thrifty_card(view)

    def lead_in_tops(self, view: View) -> float:
        """Top cards held less those the opponent may be expected to hold."""
        mine = best(view.cards, view.top, self.ranks)
        gone = best(view.played, view.top, self.ranks) + best(
            view.their_played, view.top, self.ranks
        )
        theirs = 3 - held(view.their_played)
        unseen = view.pack_size - 3 - held(view.their_played)
        return mine - (self.ranks * view.copies - mine - gone) * theirs / unseen

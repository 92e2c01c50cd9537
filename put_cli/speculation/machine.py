"""One deal of Speculation: who is asked what, and what follows.

Laws of this file: it knows no strategy, no chance and no session; cards and chips carried over come
in from outside. The course of a deal is `Deal._course`, to be read beside the rules; a refused
answer changes nothing. The compiled kernel is a second, independent telling of the same rules.
"""

from collections.abc import Generator, Iterator, Sequence
from enum import Enum, IntEnum
from typing import NamedTuple

from put_cli.errors import PutError
from put_cli.speculation import cards
from put_cli.speculation.rules import MAX_BID, Speculation


class Ask(Enum):
    """What a player can be asked."""

    PRESELL = "presell"
    """The dealer: whether to sell the turn-up unseen; 0 or 1."""
    BID = "bid"
    """What to bid for what is for sale; 0 is no bid."""
    ACCEPT = "accept"
    """The seller: whether to take the best bid; 0 or 1."""
    OFFER = "offer"
    """How many unturned cards to offer; 0 turns one."""


class Sale(IntEnum):
    """What is for sale."""

    NOTHING = 0
    TURN_UP = 1
    """The turn-up, unseen."""
    TRUMP = 2
    """The best trump out."""
    UNTURNED = 3
    """Unturned cards, from the top."""


class What(IntEnum):
    """The kinds of events of a deal."""

    ANTE = 0
    PRESELL = 1
    OFFER = 2
    """`amount` unturned cards are offered."""
    BID = 3
    SOLD = 4
    """`seat` sells to `to` for `amount`."""
    KEPT = 5
    """`seat` refuses the best bid."""
    TURN_UP = 6
    TURN = 7
    PAYMENT = 8
    SPARE = 9
    """A card of the spare hand; `seat` is NOBODY."""
    TAKEN = 10
    """`seat` takes the pool of `amount`."""
    CARRIED = 11
    """Nobody takes the pool of `amount`."""


NOBODY = -1


class Event(NamedTuple):
    """Something that happened; `holder` and `pool` are those after it."""

    what: What
    seat: int
    card: int = NOBODY
    to: int = NOBODY
    amount: int = 0
    holder: int = NOBODY
    pool: int = 0


class Question(NamedTuple):
    """Who is asked what, and the answers that are allowed."""

    ask: Ask
    seat: int
    allowed: range | tuple[int, ...]


class IllegalAnswer(PutError):
    """An answer that the rules do not allow; nothing has changed."""


_Course = Generator[Question, int, None]


class Deal:
    """A deal under way: seats clockwise from 0, each seat's left the next number.

    `piles` are the hands as dealt, the card to be turned first at the front; `spare` is empty
    without the knob. `question` is what has to be answered next, None when the deal is over.
    """

    def __init__(
        self,
        rules: Speculation,
        dealer: int,
        piles: Sequence[Sequence[int]],
        turn_up: int,
        spare: Sequence[int] = (),
        carried: int = 0,
    ) -> None:
        self.rules = rules
        self.dealer = dealer
        self.piles = [list(pile) for pile in piles]
        self.spare = tuple(spare)
        self.pool = carried
        self.chips = [0] * rules.players
        """Everybody's change in this deal."""
        self.holder = dealer
        self.trump: int | None = None
        self.best = 0
        """Rank of the best trump out, 0 before the turn-up."""
        self.seen: list[int] = []
        self.sale = Sale.NOTHING
        self.seller = NOBODY
        self.offered = 0
        """Unturned cards for sale."""
        self.bids: list[int | None] = [None] * rules.players
        """Named in the running sale."""
        self.events: list[Event] = []
        self.winner = NOBODY
        """Who took the pool; NOBODY while the deal runs and when it was carried over."""
        self._turn_up = turn_up
        self._spoken: set[int] = set()
        self._course_left = self._course()
        self.question: Question | None = next(self._course_left, None)

    def answer(self, value: int) -> None:
        """Answer the question and go on to the next.

        Raises:
            IllegalAnswer: the rules do not allow it; nothing has changed.
        """
        question = self.question
        if question is None:
            raise IllegalAnswer("the deal is over.")
        if value not in question.allowed:
            raise IllegalAnswer(
                f"{question.ask.value}: expected {allowed_text(question)}, got {value!r}."
            )
        try:
            self.question = self._course_left.send(value)
        except StopIteration:
            self.question = None

    @property
    def to_come(self) -> int:
        """Cards that will still be turned or revealed in this deal."""
        return sum(map(len, self.piles)) + len(self.spare)

    @property
    def best_bid(self) -> int:
        """The best bid of the running sale; 0 without one."""
        return max((bid for bid in self.bids if bid), default=0)

    @property
    def best_bidder(self) -> int:
        """Whose it is: of equal bids that of whoever sits nearer to the seller's left."""
        best = self.best_bid
        if not best:
            return NOBODY
        return next(seat for seat in self._left_of(self.seller) if self.bids[seat] == best)

    def _course(self) -> _Course:
        rules = self.rules
        for seat in self._left_of(self.dealer, itself=True):
            self._pay(What.ANTE, seat, rules.ante_of(dealer=seat == self.dealer))
        if rules.presale and (yield Question(Ask.PRESELL, self.dealer, (0, 1))):
            self._note(What.PRESELL, self.dealer)
            yield from self._sell(Sale.TURN_UP, self.dealer)
        self.trump, self.best = cards.suit_of(self._turn_up), cards.rank_of(self._turn_up)
        self.seen.append(self._turn_up)
        self._note(What.TURN_UP, self.dealer, card=self._turn_up)
        if self.best == cards.ACE:
            self._take()
            return
        yield from self._sell(Sale.TRUMP, self.holder)
        turner = self._next(self.holder)
        while turner != NOBODY:
            count = len(self.piles[turner])
            if rules.unseen != "none" and turner not in self._spoken:
                allowed = (0, count) if rules.unseen == "hand" else range(count + 1)
                offered = yield Question(Ask.OFFER, turner, allowed)
                if offered:
                    self._spoken.add(turner)
                    self._note(What.OFFER, turner, amount=offered)
                    if (yield from self._sell(Sale.UNTURNED, turner, offered)):
                        turner = self._next(turner)
                        continue
            if self._turn(turner):
                yield from self._sell(Sale.TRUMP, turner)
                turner = self.holder
            turner = self._next(turner)
        self._end()

    def _sell(
        self, what: Sale, seller: int, cards_offered: int = 0
    ) -> Generator[Question, int, bool]:
        """Sell by auction; whether it was sold."""
        self.sale, self.seller, self.offered = what, seller, cards_offered
        self.bids = [None] * self.rules.players
        for seat in self._left_of(seller):
            bid = yield Question(Ask.BID, seat, range(MAX_BID + 1))
            self.bids[seat] = bid
            if bid:
                self._note(What.BID, seat, amount=bid)
        buyer, price, sold = self.best_bidder, self.best_bid, False
        if price:
            sold = bool((yield Question(Ask.ACCEPT, seller, (0, 1))))
            if sold:
                self._hand_over(what, seller, buyer, price)
            else:
                self._note(What.KEPT, seller)
        self.sale, self.seller, self.offered = Sale.NOTHING, NOBODY, 0
        return sold

    def _hand_over(self, what: Sale, seller: int, buyer: int, price: int) -> None:
        self.chips[buyer] -= price
        self.chips[seller] += price
        if what is Sale.UNTURNED:
            bought = [self.piles[seller].pop(0) for _ in range(self.offered)]
            self.piles[buyer] += bought  # they go under the buyer's own
        else:
            self.holder = buyer
        self._note(What.SOLD, seller, to=buyer, amount=price)

    def _turn(self, seat: int) -> bool:
        """Turn the top card; whether it is the best trump now."""
        card = self.piles[seat].pop(0)
        self._spoken.clear()
        self.seen.append(card)
        better = cards.suit_of(card) == self.trump and cards.rank_of(card) > self.best
        if better:
            self.holder, self.best = seat, cards.rank_of(card)
        self._note(What.TURN, seat, card=card)
        if cards.pays(card) and self.rules.payment:
            self._pay(What.PAYMENT, seat, self.rules.payment)
        return better

    def _end(self) -> None:
        beaten = False
        for card in self.spare:
            self.seen.append(card)
            self._note(What.SPARE, NOBODY, card=card)
            beaten |= cards.suit_of(card) == self.trump and cards.rank_of(card) > self.best
        if beaten:
            self._note(What.CARRIED, NOBODY, amount=self.pool)
        else:
            self._take()

    def _take(self) -> None:
        self.winner, taken, self.pool = self.holder, self.pool, 0
        self.chips[self.winner] += taken
        self._note(What.TAKEN, self.winner, amount=taken)

    def _pay(self, what: What, seat: int, amount: int) -> None:
        self.chips[seat] -= amount
        self.pool += amount
        self._note(what, seat, amount=amount)

    def _note(
        self, what: What, seat: int, *, card: int = -1, to: int = -1, amount: int = 0
    ) -> None:
        self.events.append(Event(what, seat, card, to, amount, self.holder, self.pool))

    def _left_of(self, seat: int, *, itself: bool = False) -> Iterator[int]:
        """Everybody else clockwise from the left of `seat`, then perhaps he himself."""
        players = self.rules.players
        yield from ((seat + step) % players for step in range(1, players + itself))

    def _next(self, seat: int) -> int:
        """Who turns next after `seat`: the holder only when nobody else has cards left."""
        for other in self._left_of(seat, itself=True):
            if other != self.holder and self.piles[other]:
                return other
        return self.holder if self.piles[self.holder] else NOBODY


def allowed_text(question: Question) -> str:
    """The answers that are allowed, in words."""
    if isinstance(question.allowed, tuple):
        return " or ".join(map(str, question.allowed))
    return f"a number from 0 to {question.allowed[-1]}"

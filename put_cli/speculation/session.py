"""A session of Speculation told slowly: deals one after the other, and what each player may know.

Plain Python over `machine`, for reading, for people and as the measure of the kernel. Where the
cards and the luck come from is for the caller to say.
"""

from collections.abc import Callable, Sequence
from typing import cast

from put_cli.speculation import cards
from put_cli.speculation.chance import survival, survival_of_turn_up
from put_cli.speculation.machine import NOBODY, Ask, Deal
from put_cli.speculation.rules import CARDS_EACH, MOST_PLAYERS, Speculation
from put_cli.speculation.strategy import Seats, Speculator, View

Pack = Callable[[int], Sequence[int]]
"""The cards in the order dealt after the shuffle with a number, counted from 0 in the session."""

Luck = Callable[[int, int, int], float]
"""The luck of a seat in a deal for its decision with a number."""


class Session:
    """A session under way. Seats are chairs; chair 0 deals first and the deal passes left."""

    def __init__(self, rules: Speculation, pack: Pack) -> None:
        self.rules = rules
        self.chips = [0] * rules.players
        """Everybody's change over the finished deals."""
        self.deals: list[Deal] = []
        """The deals begun; the last one may be under way."""
        self.remembered: list[int] = []
        """Cards seen in earlier deals since the pack was shuffled."""
        self._pack = pack
        self._left: list[int] = []

    def begin_deal(self) -> Deal:
        """Deal the next one."""
        rules, number = self.rules, len(self.deals)
        carried = self.deals[-1].pool if self.deals else 0
        if number % rules.deals_a_pack == 0:
            self._left = list(self._pack(number // rules.deals_a_pack))
            self.remembered = []
        dealt, self._left = self._left[: rules.cards_a_deal], self._left[rules.cards_a_deal :]
        dealer = number % rules.players
        piles: list[Sequence[int]] = [()] * rules.players
        for step in range(rules.players):  # from the dealer's left, himself last
            at = CARDS_EACH * step
            piles[(dealer + 1 + step) % rules.players] = dealt[at : at + CARDS_EACH]
        at = CARDS_EACH * rules.players
        deal = Deal(rules, dealer, piles, dealt[at], dealt[at + 1 :], carried)
        self.deals.append(deal)
        return deal

    def end_deal(self) -> None:
        """Settle the deal that is over."""
        deal = self.deals[-1]
        for seat, change in enumerate(deal.chips):
            self.chips[seat] += change
        self.remembered += deal.seen

    @property
    def over(self) -> bool:
        """Whether, between deals, the session is."""
        return len(self.deals) >= self.rules.deals_a_session and self.deals[-1].winner != NOBODY

    def view(self, seat: int, luck: float, *, memory: bool) -> View:
        """What the player in `seat` knows now."""
        rules, deal = self.rules, self.deals[-1]
        known = deal.seen + (self.remembered if memory else [])
        seen = [0, 0, 0, 0]
        for card in known:
            seen[cards.suit_of(card)] |= 1 << cards.rank_of(card)
        masks = (seen[0], seen[1], seen[2], seen[3])
        unseen = [card for card in range(cards.PACK) if card not in known]
        better = [
            card
            for card in unseen
            if cards.suit_of(card) == deal.trump and cards.rank_of(card) > deal.best
        ]
        if deal.trump is None:
            survives = survival_of_turn_up(masks, deal.to_come)
        else:
            survives = survival(len(unseen), deal.to_come, len(better))

        def from_here(values: Sequence[int]) -> Seats:
            turned = [*values[seat:], *values[:seat], *[0] * (MOST_PLAYERS - rules.players)]
            return cast(Seats, tuple(turned))

        def steps(other: int) -> int:
            return NOBODY if other == NOBODY else (other - seat) % rules.players

        bids = deal.bids if deal.sale else [None] * rules.players
        return View(
            sale=int(deal.sale),
            seller=steps(deal.seller),
            offered=deal.offered,
            best_bid=deal.best_bid if deal.sale else 0,
            best_bidder=steps(deal.best_bidder) if deal.sale else NOBODY,
            bids=from_here([NOBODY if bid is None else bid for bid in bids]),
            pool=deal.pool,
            holder=steps(deal.holder),
            best=deal.best,
            trump=NOBODY if deal.trump is None else deal.trump,
            cards=len(deal.piles[seat]),
            unturned=from_here([len(pile) for pile in deal.piles]),
            chips=from_here([a + b for a, b in zip(self.chips, deal.chips, strict=True)]),
            dealer=steps(deal.dealer),
            deal=len(self.deals) - 1,
            deals=rules.deals_a_session,
            seen=masks,
            unseen=len(unseen),
            to_come=deal.to_come,
            better=len(better),
            payers=sum(map(cards.pays, unseen)),
            survives=survives,
            players=rules.players,
            ante=rules.ante,
            payment=rules.payment,
            spare=len(deal.spare),
            whole_hand=rules.unseen == "hand",
            luck=luck,
        )


def ask(player: Speculator, what: Ask, view: View) -> int:
    """The player's answer."""
    match what:
        case Ask.PRESELL:
            return int(player.presell(view))
        case Ask.BID:
            return player.bid(view)
        case Ask.ACCEPT:
            return int(player.accept(view))
        case Ask.OFFER:
            return player.offer(view)


def play(rules: Speculation, pack: Pack, players: Sequence[Speculator], luck: Luck) -> Session:
    """A whole session of well-behaved players, by chair.

    Raises:
        IllegalAnswer: one of them is not.
    """
    session = Session(rules, pack)
    while not session.deals or not session.over:
        deal = session.begin_deal()
        decisions = [0] * rules.players
        while deal.question is not None:
            what, seat, _ = deal.question
            chance = luck(seat, len(session.deals) - 1, decisions[seat])
            decisions[seat] += 1
            memory = players[seat].memory
            deal.answer(ask(players[seat], what, session.view(seat, chance, memory=memory)))
        session.end_deal()
    return session

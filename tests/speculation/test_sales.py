"""What is sold, and what it is worth: counted from the log as the players are shown it."""

import numpy as np
import pytest
from put_strategies.speculating import price

from put_cli.speculation import UNTURNED, View
from put_cli.speculation.machine import Ask, What
from put_cli.speculation.rules import Speculation
from put_cli.speculation.sales import Events, sales
from put_cli.speculation.session import Session, ask

from .tables import Whim, pack_of

GAMES = {
    "usual": Speculation(),
    "spare": Speculation(players=4, spare_hand=True, payment=3),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_sale_is_worth_what_its_seller_was_shown(game: str) -> None:
    """By the views of the slow machine and the price of the built-in players."""
    rules = GAMES[game]
    players = [Whim(0.3 + n / 10, most=6) for n in range(rules.players)]
    chance = np.random.default_rng(5)
    session = Session(rules, pack_of(rules, 9, 0, 0))
    shown: list[tuple[View, int, int]] = []
    events: list[list[int]] = []
    for number in range(40):
        deal = session.begin_deal()
        while deal.question is not None:
            what, seat, _ = deal.question
            view = session.view(seat, chance.random(), memory=False)
            answer = ask(players[seat], what, view)
            if what is Ask.ACCEPT and answer:
                shown.append((view, seat, deal.best_bidder))
            deal.answer(answer)
        session.end_deal()
        events += [[number, e.what, e.card, e.amount, e.seat, e.to, e.pool] for e in deal.events]
    columns = np.array(events).T
    found = sales(rules, Events(*columns))
    assert len(shown) == len(found.kind) == (columns[1] == What.SOLD).sum() > 60
    assert found.kind.tolist() == [view.sale for view, _, _ in shown]
    assert set(found.kind.tolist()) == {1, 2, 3}
    assert found.price.tolist() == [view.best_bid for view, _, _ in shown]
    assert found.seller.tolist() == [seat for _, seat, _ in shown]
    assert found.buyer.tolist() == [buyer for _, _, buyer in shown]
    assert found.cards.tolist() == [
        view.offered if view.sale == UNTURNED else 0 for view, _, _ in shown
    ]
    assert found.worth == pytest.approx([price(view, view.offered) for view, _, _ in shown])

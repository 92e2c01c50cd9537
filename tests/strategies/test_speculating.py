"""The players of Speculation do what their descriptions say, and trading at the price pays."""

from itertools import combinations

import numpy as np
import pytest
from put_strategies.speculating import Eager, Fair, Greedy, Late, Mindful, Never, price

from put_cli.engine.players import NATIVE
from put_cli.speculation import TRUMP, TURN_UP, UNTURNED, Speculator, View
from put_cli.speculation import state as at
from put_cli.speculation.machine import Ask, Deal, What
from put_cli.speculation.rules import Speculation
from put_cli.speculation.session import Session

from ..speculation.tables import contestants, matches, play_all

ALL = (Fair(), Mindful(), Late(), Greedy(), Never(), Eager())


def view_at(up: int, seat: int) -> View:
    """The View of a seat when the turn-up, in seat 0, is for sale; nothing else has been seen."""
    session = Session(Speculation(players=3, presale=False), lambda _: dealt(up))
    session.begin_deal()
    return session.view(seat, 0.5, memory=False)


def dealt(up: int) -> list[int]:
    """Nine cards for three hands, then the turn-up."""
    return [*[card for card in range(52) if card != up][:9], up]


def test_all_are_compiled() -> None:
    assert {each.tier for each in contestants(ALL)} == {NATIVE}


def test_the_price_of_a_trump_is_its_chance_of_the_final_pool() -> None:
    ten, queen = view_at(8, 1), view_at(10, 1)
    assert ten.sale == TRUMP
    pool = 8 + 9 * 8 / 51  # eight payers among 51 cards, nine of them to be turned
    better = [42 * 41 * 40 * 39 / (51 * 50 * 49 * 48), 42 * 41 / (51 * 50)]
    assert [price(ten, 0), price(queen, 0)] == pytest.approx([pool * each for each in better])


def test_fair_bids_the_price_and_sells_from_it_on() -> None:
    view = view_at(10, 1)
    assert Fair().bid(view) == int(price(view, 0)) == 6
    assert Fair().bid(view._replace(best_bid=6)) == 0
    assert not Fair().accept(view._replace(best_bid=6))
    assert Fair().accept(view._replace(best_bid=7))
    assert Fair(margin=0.5).bid(view) == 3


def test_greedy_sells_from_half_the_price_on_and_buys_nothing() -> None:
    view = view_at(10, 1)
    assert Greedy().bid(view) == 0
    assert Greedy().presell(view)
    assert Greedy().offer(view) == view.cards
    assert not Greedy().accept(view._replace(best_bid=3))
    assert Greedy().accept(view._replace(best_bid=4))
    assert not Greedy(least=0.8).accept(view._replace(best_bid=4))


def test_eager_overpays_and_never_sells() -> None:
    view = view_at(10, 1)
    assert Eager().bid(view) == 8
    assert not Eager().accept(view._replace(best_bid=1000))


def test_late_buys_unseen_cards_while_no_high_trump_is_out() -> None:
    low = view_at(5, 1)._replace(sale=UNTURNED, offered=3)
    assert Late().bid(low) == int(price(low, 3)) > 0
    assert Late().bid(low._replace(best=11)) == 0
    assert Late().bid(low._replace(sale=TRUMP, offered=0)) == 0
    assert Late().bid(low._replace(sale=TURN_UP, offered=0)) == 0
    sure = low._replace(sale=TRUMP, offered=0, survives=0.8, best_bid=100)
    assert not Late().accept(sure)
    assert Late().accept(sure._replace(survives=0.7))


def test_mindful_knows_what_earlier_deals_showed() -> None:
    rules = Speculation(players=3, exhaust_pack=True, presale=False, unseen="none")
    session = Session(rules, lambda _: list(range(52)))
    deal: Deal = session.begin_deal()
    while deal.question is not None:
        deal.answer(0)
    session.end_deal()
    deal = session.begin_deal()
    fair = session.view(1, 0.5, memory=Fair.memory)
    mindful = session.view(1, 0.5, memory=Mindful.memory)
    assert deal.question is not None
    assert deal.question.ask is Ask.BID
    assert fair.unseen == 51
    assert mindful.unseen == 41
    assert Fair().bid(fair) != Fair().bid(mindful)


def test_never_says_nothing() -> None:
    played = play_all(Speculation(), [Never()] * 5, matches(5, 1, 40))
    assert not {What.BID, What.OFFER, What.PRESELL} & set(played.events[:, 1].tolist())


def chips_a_deal(
    rules: Speculation, field: tuple[Speculator, ...], blocks: int
) -> dict[str, float]:
    """Mean chips a deal of a field, at every table of it and from every chair."""
    chips = dict.fromkeys((type(each).__name__ for each in field), 0.0)
    deals = dict(chips)
    for table in combinations(field, rules.players):
        seats = matches(rules.players, blocks, games=50, mirrors=rules.players)
        played = play_all(rules, table, seats)
        chairs = played.matches[played.sessions[:, at.G_MATCH], at.M_CHAIRS :]
        for seat in range(rules.players):
            for number, each in enumerate(table):
                here = chairs[:, seat] == number
                name = type(each).__name__
                chips[name] += float(played.sessions[here, at.G_CHIPS + seat].sum())
                deals[name] += float(played.sessions[here, at.G_DEALS].sum())
    return {name: chips[name] / deals[name] for name in chips}


def test_fair_ends_up_ahead_of_never_greedy_and_eager() -> None:
    found = chips_a_deal(Speculation(), ALL, blocks=10)
    for other in ("Never", "Greedy", "Eager"):
        assert found["Fair"] > found[other] + 0.1


def test_who_neither_buys_nor_sells_wins_nothing_on_average() -> None:
    """From every chair of the same deals, whatever the others sell one another."""
    found = chips_a_deal(Speculation(), ALL, blocks=2)
    assert found["Never"] == pytest.approx(0, abs=1e-9)


def test_where_the_pack_is_exhausted_a_memory_pays() -> None:
    rules = Speculation(players=3, exhaust_pack=True, deals=10)
    found = chips_a_deal(rules, (Fair(), Mindful(), Eager()), blocks=60)
    assert found["Mindful"] > found["Fair"]
    assert np.isclose(sum(found.values()), 0, atol=1e-9)

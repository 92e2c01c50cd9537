"""Views for the tests of a player: who is asked what after a line of notation."""

import pytest

from put_cli.errors import NotationError
from put_cli.speculation import TRUMP, TURN_UP, UNTURNED
from put_cli.speculation.rules import Speculation
from put_cli.speculation.views import view_at

DEAL = "A 2c 8d Jc | B Qh 5d 6c | C Qs 9s 3h | up Ks |"


def test_after_a_line_somebody_is_asked_the_next_question() -> None:
    view = view_at(DEAL)
    assert (view.sale, view.dealer, view.trump) == (0, 0, -1)  # the dealer, about the presale
    view = view_at(f"{DEAL} A:presell")
    assert (view.sale, view.dealer, view.seller) == (TURN_UP, 2, 2)  # who sits on his left


def test_one_is_shown_what_he_sees_when_his_turn_has_come() -> None:
    view = view_at(f"{DEAL} B:bid:3", "C")
    assert (view.sale, view.best_bid, view.best_bidder, view.seller) == (TRUMP, 3, 2, 1)
    assert view_at(f"{DEAL} B:bid:3 C:bid:4", "A").bids[:3] == (-1, 3, 4)
    assert view_at(f"{DEAL} up BQh C:offer:2", "B").sale == UNTURNED


def test_rules_and_luck_may_be_given() -> None:
    rules = Speculation(presale=False, ante=3)
    view = view_at(DEAL, rules=rules, luck=0.25)
    assert (view.pool, view.luck, view.sale) == (12, 0.25, TRUMP)


def test_who_is_never_asked_has_no_view() -> None:
    with pytest.raises(NotationError, match="the deal is over before A is asked"):
        view_at(f"{DEAL} up BQh CQs B5d C9s B6c C3h A2c A8d AJc", "A")
    with pytest.raises(NotationError, match="expected BQh"):
        view_at(f"{DEAL} up C9s")

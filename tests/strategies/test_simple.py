"""The simple players do exactly what their one sentence says."""

from collections import Counter

import pytest
from put_strategies.simple import Highest, Random, Threshold, Thrifty

from put_cli import PUT, SEE, THROW
from tests.strategies.views import card, view


def shares(act, situation) -> dict[int, int]:
    """How often each action comes up over luck spread evenly in 100 steps."""
    return dict(Counter(act(situation._replace(luck=i / 100)) for i in range(100)))


def test_random_counts_two_equal_cards_as_two_choices():
    assert shares(Random().act, view("K K 7")) == {card("K"): 50, card("7"): 25, PUT: 25}


def test_random_sees_half_the_puts():
    assert shares(Random().act, view("K Q 7", asked=True)) == {SEE: 50, THROW: 50}


def test_random_puts_or_throws_where_it_must_speak():
    assert shares(Random().act, view("K Q 7", "K", "9", must_speak=True)) == {PUT: 50, THROW: 50}


def test_random_uses_a_free_throw_like_any_other_word():
    situation = view("K Q 7", "K Q", "9 A", may_throw=True)
    assert shares(Random().act, situation) == {card("7"): 34, PUT: 33, THROW: 33}


def test_random_plays_its_only_card_when_no_word_is_allowed():
    assert shares(Random().act, view("K Q 7", "K 7", "9 9", may_put=False)) == {card("Q"): 100}


def test_highest_plays_its_best_card_on_the_lead_and_in_reply():
    assert Highest().act(view("3 9 4")) == card("3")
    assert Highest().act(view("K 9 4", "", "3")) == card("K")


def test_highest_sees_every_put_and_throws_only_where_it_must_speak():
    assert Highest().act(view("6 5 4", asked=True)) == SEE
    assert Highest().act(view("3 3 3", "3", "2", must_speak=True)) == THROW


@pytest.mark.parametrize(
    ("led", "reply"),
    [("Q", "K"), ("K", "3"), ("3", "3"), ("8", "K"), ("4", "5")],
)
def test_thrifty_replies_with_the_cheapest_that_wins_else_ties(led, reply):
    assert Thrifty().act(view("3 K 5", "", led)) == card(reply)


def test_thrifty_gives_its_worst_where_it_cannot_win_or_tie():
    assert Thrifty().act(view("A K 5", "", "3")) == card("5")


def test_thrifty_leads_its_best_and_sees_everything():
    assert Thrifty().act(view("A K 5")) == card("A")
    assert Thrifty().act(view("6 5 4", asked=True)) == SEE


def test_thrifty_puts_where_it_must_speak():
    assert Thrifty().act(view("A 5 4", "A", "3", must_speak=True)) == PUT


def test_threshold_puts_and_sees_at_exactly_its_level():
    nine = view("A Q 9")  # 11, 9 and 6
    assert Threshold(26 / 3).act(nine) == PUT
    assert Threshold(8.7).act(nine) == card("A")
    assert Threshold(26 / 3).act(view("A Q 9", asked=True)) == SEE
    assert Threshold(8.7).act(view("A Q 9", asked=True)) == THROW


def test_threshold_looks_only_at_the_cards_still_in_hand():
    assert Threshold().act(view("3 5 4", "3", "2")) == card("5")
    assert Threshold().act(view("3 2 4", "4", "2")) == PUT


def test_threshold_throws_when_it_holds_no_card():
    assert Threshold(-1.0).act(view("3 2 A", "3 A 2", "2 3", asked=True)) == THROW


def test_threshold_is_not_rescaled_to_a_shorter_pack():
    assert Threshold().act(view("7 7 7", pack="truc32")) == card("7", "truc32")


def test_threshold_puts_or_throws_where_it_must_speak():
    assert Threshold().act(view("3 2 A", "A", "3", must_speak=True)) == PUT
    assert Threshold().act(view("3 5 4", "3", "2", must_speak=True)) == THROW


@pytest.mark.parametrize("strategy", [Highest(), Thrifty(), Threshold()])
def test_no_simple_strategy_throws_unasked(strategy):
    assert strategy.act(view("6 5 4", may_throw=True)) == card("6")

"""The strategies with character: each keeps to the sentence that introduces it."""

import pytest
from put_strategies.bluffing import Bluffer, Sly
from put_strategies.counting import Counter
from put_strategies.daring import Bold, Timid
from put_strategies.odds import Odds
from put_strategies.reading import Reader, Sharper
from put_strategies.scoring import Closer
from put_strategies.timing import Patient

from put_cli import PUT, SEE, THROW
from tests.strategies.views import card, view


def test_bold_puts_on_cottons_five_seven_and_nine_and_not_on_less():
    assert Bold().act(view("9 7 5")) == PUT
    assert Bold().act(view("8 7 5")) == card("8")


def test_bold_throws_its_five_seven_and_nine_to_a_put():
    assert Bold().act(view("9 7 5", asked=True)) == THROW
    assert Bold().act(view("2 K 7", asked=True)) == SEE


def test_bold_does_not_put_behind():
    assert Bold().act(view("3 Q 4", "4", "5")) == card("3")


def test_timid_throws_middling_cards_to_a_put():
    assert Timid().act(view("A K Q", asked=True)) == THROW
    assert Timid().act(view("3 A K", asked=True)) == THROW
    assert Timid().act(view("3 2 4", asked=True)) == SEE


def test_timid_puts_with_a_three_and_a_trick_won():
    assert Timid().act(view("3 A K")) == card("3")
    assert Timid().act(view("3 A K", "A", "9")) == PUT


def test_bluffer_puts_good_cards_and_some_bad_ones_but_no_middling_ones():
    assert Bluffer().act(view("3 2 4", luck=0.9)) == card("3")  # 9 on average
    assert Bluffer().act(view("3 2 8", luck=0.9)) == PUT
    assert Bluffer().act(view("8 5 4", luck=0.2)) == PUT
    assert Bluffer().act(view("8 5 4", luck=0.3)) == card("8")
    assert Bluffer().act(view("K 9 7", luck=0.0)) == card("K")


def test_sly_leads_its_worst_and_puts_over_a_card_it_can_beat():
    assert Sly().act(view("3 2 4")) == card("4")
    assert Sly().act(view("3 2 4", "", "A")) == PUT
    assert Sly().act(view("3 Q 4", "", "A")) == card("3")


def test_counter_sees_with_one_top_card_and_puts_with_two():
    assert Counter().act(view("3 K 7", asked=True)) == SEE
    assert Counter().act(view("A A A", asked=True)) == THROW
    assert Counter().act(view("3 K 7")) == card("3")
    assert Counter().act(view("3 2 7")) == PUT


def test_counter_takes_top_cards_gone_into_account():
    before = Counter().lead_in_tops(view("3 K 7", "7", "4"))
    assert Counter().lead_in_tops(view("3 K 7", "7", "3")) > before


def test_patient_says_nothing_before_the_first_trick_is_decided():
    assert Patient().act(view("3 3 3")) == card("3")


def test_patient_puts_after_winning_the_first_trick_with_a_court_card_left():
    assert Patient().act(view("A Q 7", "A", "9")) == PUT
    assert Patient().act(view("A J 7", "A", "9")) == card("J")


def test_patient_wants_an_ace_after_a_tie_and_gives_up_after_a_loss():
    assert Patient().act(view("A K 7", "K", "K")) == PUT
    assert Patient().act(view("K K 7", "K", "K")) == card("K")
    assert Patient().act(view("3 3 7", "7", "8")) == card("3")


@pytest.mark.parametrize("hand", ["6 5 4", "3 3 3", "K J 7"])
def test_closer_puts_anything_when_the_opponent_is_one_point_short(hand):
    assert Closer().act(view(hand, score=2, their_score=4)) == PUT
    assert Closer().act(view(hand, score=2, their_score=4, asked=True)) == SEE


@pytest.mark.parametrize("their_score", [0, 3, 4])
def test_closer_never_puts_when_one_point_short_itself(their_score):
    assert Closer().act(view("3 3 3", score=4, their_score=their_score)) == card("3")


def test_closer_dares_more_when_behind():
    assert Closer().act(view("3 K 5", score=0, their_score=3)) == PUT
    assert Closer().act(view("3 K 5", score=0, their_score=0)) == card("3")
    assert Closer().act(view("3 K 5", score=3, their_score=0)) == card("3")


def test_reader_bluffs_one_who_always_throws():
    assert Reader().act(view("K 9 7")) == card("K")
    assert Reader().act(view("K 9 7", hands=60, their_asked=40, their_thrown=40)) == PUT


def test_reader_sees_one_whose_puts_are_always_lost():
    middling = view("K J 7", asked=True)
    assert Reader().act(middling) == THROW
    caught = middling._replace(hands=60, their_puts_seen=30, their_puts_lost=30)
    assert Reader().act(caught) == SEE


@pytest.mark.parametrize("strategy", [Odds(), Sharper()])
def test_a_put_costs_nothing_when_the_opponent_is_one_point_short(strategy):
    assert strategy.act(view("5 5 4", score=1, their_score=4)) == PUT
    assert strategy.act(view("5 5 4", score=1, their_score=4, asked=True)) == SEE


def test_odds_wants_nothing_of_a_put_where_it_cannot_gain_by_it():
    assert Odds(throws=0.0).act(view("2 A 9", score=4, their_score=2)) == card("9")


def test_odds_puts_a_hand_that_cannot_lose():
    assert Odds().act(view("3 3 9", "3", "K")) == PUT


def test_odds_throws_bad_cards_and_sees_good_ones():
    assert Odds().act(view("9 6 4", asked=True)) == THROW
    assert Odds().act(view("3 3 2", asked=True)) == SEE


def test_odds_counts_the_card_it_led_when_the_reply_is_a_put():
    card_led = Odds().outlook(view("3 A 4", "3", "", asked=True))
    in_hand = Odds().outlook(view("3 A 4", asked=True))
    assert card_led[1:] == pytest.approx(in_hand[1:])


def test_odds_ties_or_wins_where_thrift_would_too():
    assert Odds().act(view("3 K 5", "", "Q", may_put=False)) == card("K")


def test_odds_throws_unasked_only_where_every_hand_is_the_game():
    parlett = view("5 5 4", may_throw=True, worth=100, may_put=False)
    assert Odds().act(parlett) == THROW
    assert Odds().act(view("5 5 4", may_throw=True, may_put=False)) == card("4")


def test_sharper_trusts_a_put_of_one_who_seldom_puts():
    good = view("3 2 9", asked=True)
    rare = good._replace(hands=200, their_puts=4)
    often = good._replace(hands=200, their_puts=190, their_puts_seen=60, their_puts_lost=40)
    assert Sharper().edge_putting(rare) > Sharper().edge < 2 * Sharper().edge_putting(rare)
    assert Sharper().edge_putting(often) < Sharper().edge

"""A View tells nothing that its player may not know: what is hidden may be anything."""

import random
from functools import cache

import numpy as np
import pytest

from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.asking import legal_actions
from put_cli.engine.tables import Tables, compile_rules
from put_cli.engine.view import ASK_CHAIR, ASK_STATE
from put_cli.engine.views import Views
from put_cli.rules.finding import find_ruleset
from put_cli.rules.notation import parse_hand
from put_cli.strategy import View
from tests.engine.one_lane import OneLane

FAMILIES = (
    "cotton(misdeals=0.5)",
    "hoyle(partners=true, misdeals=0.3)",
    "four-handed(must_swap=true)",
    "three-handed(misdeals=0.3)",
    "willughby(players=4)",
)


@cache
def tables(rules: str) -> Tables:
    """The compiled rule set."""
    return compile_rules(find_ruleset(rules))


@cache
def views(rules: str) -> Views:
    """What makes Views of these rules."""
    return Views(tables(rules))


def view_of(lane: OneLane, rules: str) -> View:
    """The View that the lane asks with."""
    memory = np.ones(1, bool)
    return next(iter(views(rules).single(lane.asks[:, :1], lane._lucks, memory)))


def asked_again(lane: OneLane, hidden: np.ndarray) -> np.ndarray:
    """What the kernel asks where the lane holds `hidden` instead."""
    kept, asks = lane.lane, lane.asks.copy()
    lane.lane = hidden
    lane.lane[ln.STATUS] = ln.DECIDE
    lane.advance()
    again, lane.asks, lane.lane = lane.asks, asks, kept
    return again


def scrambled(lane: OneLane, dice: random.Random) -> np.ndarray:
    """A copy of the lane in which everything that the player asked does not see is different."""
    chair, rules = int(lane.asks[ASK_CHAIR, 0]), lane.rules
    row = lane.tables.states[lane.asks[ASK_STATE, 0]]
    hidden = lane.lane.copy()
    for other in range(rules.chairs):
        hidden[ln.DEALT + other] = hidden[ln.DEALT_FIRST + other] = dice.randrange(455)
        if other != chair:
            for place in range(3):
                at = ln.CARDS + 3 * other + place
                if hidden[at]:
                    hidden[at] = dice.randrange(1, rules.cards.top + 1)
            if hidden[ln.FOURTH + other]:
                hidden[ln.FOURTH + other] = dice.randrange(1, rules.cards.top + 1)
    hidden[ln.MISDEAL_CARD] = dice.randrange(1, rules.cards.top + 1)
    seat = 1 - row[tb.ACTOR]
    for column in (ln.CHOICE, ln.GIVEN, ln.LAID_OUT):
        hidden[column + seat] = dice.randrange(1, 4)
    return hidden


@pytest.mark.parametrize("rules", FAMILIES)
def test_no_view_depends_on_what_its_player_may_not_know(rules: str) -> None:
    dice = random.Random(5)
    methods = set()
    for seed in range(12):
        lane = OneLane(tables(rules), seed=seed)
        lane.knobs[tb.MISDEAL_SHARE] = tables(rules).knobs[tb.MISDEAL_SHARE]
        for _ in range(60):
            if lane.lane[ln.STATUS] != ln.ASK:
                break
            asks, view = lane.asks.copy(), view_of(lane, rules)
            assert np.array_equal(asked_again(lane, scrambled(lane, dice)), asks)
            method = ln.METHODS[lane.tables.states[asks[ASK_STATE, 0], tb.METHOD]]
            methods.add(method)
            lane.lane[ln.ANSWER] = dice.choice(legal_actions(view, method))
            lane.advance()
    assert methods == {ln.METHODS[method] for method in tables(rules).methods}


def shown_at_the_end(rules: str, line: str) -> View:
    """What the next player sees after these steps."""
    lane = OneLane(tables(rules))
    hand = parse_hand(line)
    lane.set_hand(hand, (0,) * lane.rules.players, eldest=0)
    lane.play(hand)
    return view_of(lane, rules)


def test_an_exposed_card_is_public_to_both() -> None:
    line = "E 7 2 3 | D 9 K A | D:shows:DK"
    eldest = shown_at_the_end("cotton(misdeals=0.5)", line)
    dealer = shown_at_the_end("cotton(misdeals=0.5)", f"{line} E7")
    assert (eldest.exposed_mine, eldest.exposed_theirs) == (0, 12 - 2)
    assert (dealer.exposed_mine, dealer.exposed_theirs) == (10, 0)


def test_whoever_may_draw_from_the_dealers_four_does_not_see_them() -> None:
    view = shown_at_the_end("cotton(misdeals=0.5)", "E 7 2 3 | D 9 K A 4 | D:gives:D")
    assert (view.misdeal, view.fourth, view.score) == (5, 0, 1)
    own = shown_at_the_end("cotton(misdeals=0.5)", "E 7 2 3 9 | D 9 K A | D:gives:E")
    assert (own.misdeal, own.fourth) == (4, 6)


def test_a_receiver_sees_the_gift_and_a_captain_not_what_the_other_chose() -> None:
    cards = "0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3"
    views = [shown_at_the_end("four-handed", f"{cards} | 1:{word}") for word in ("give", "receive")]
    assert views[0] == views[1]
    assert views[0].may_keep
    receiver = shown_at_the_end("four-handed", f"{cards} | 1:receive 0:keep")
    assert (receiver.fourth, receiver.highest) == (13, 13)


def test_the_others_are_told_of_clockwise_from_the_next() -> None:
    view = shown_at_the_end(
        "willughby(players=4, misdeals=0.1)",
        "A K 9 6 | B Q T 5 | C J 4 7 | D 8 8 A | D:shows:CJ C:stand A:put B:throw C:see",
    )
    # D is asked: the next is A, then come B, who has thrown, and C, whose Knave lies open.
    assert [other.live for other in view.others] == [False, True, False, False]
    assert [other.exposed for other in view.others] == [0, 8, 0, 0]
    assert (view.puts_theirs, view.asked) == (1, True)

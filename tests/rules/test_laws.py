"""The Laws of Put, and the choices of partners, as the machine knows them."""

import pytest

from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import (
    DEALER,
    ELDEST,
    NOBODY,
    Act,
    Ending,
    Machine,
    Misdeal,
    Outcome,
    Stage,
    State,
    walk,
)
from put_cli.rules.score import after, after_four_cards

STAND_OR_REDEAL = (Act.STAND, Act.REDEAL)
REDEAL_OR_DRAW = (Act.REDEAL, Act.DRAW)
RULED = [
    (Misdeal.EXPOSED_THEIRS, STAND_OR_REDEAL),
    (Misdeal.FOUR_THEIRS, REDEAL_OR_DRAW),
    (Misdeal.FOUR_OWN, REDEAL_OR_DRAW),
]
FAMILIES = ("cotton(misdeals=0.1)", "three-handed(misdeals=0.1)", "four-handed(misdeals=0.1)")


def machine_of(name: str) -> Machine:
    return Machine(find_ruleset(name))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(("misdeal", "choices"), RULED)
def test_a_ruling_comes_first_and_anything_but_a_redeal_leads_into_the_hand(
    name: str, misdeal: Misdeal, choices: tuple[Act, ...]
) -> None:
    machine = machine_of(name)
    state = machine.start(misdeal)
    assert (machine.actor(state), machine.place(state)) == (ELDEST, "deal")
    assert machine.legal(state) == choices
    for choice in choices:
        ruled = machine.act(state, choice)
        if choice is Act.REDEAL:
            assert ruled.outcome == Outcome(Ending.REDEALT, NOBODY, 0)
        else:
            assert ruled == machine.start()


@pytest.mark.parametrize("name", FAMILIES)
def test_the_dealers_own_exposed_card_must_stand_and_a_faced_card_must_not(name: str) -> None:
    machine = machine_of(name)
    assert machine.start(Misdeal.EXPOSED_OWN) == machine.start()
    faced = machine.start(Misdeal.FACED)
    assert faced.outcome == Outcome(Ending.REDEALT, NOBODY, 0)
    assert machine.legal(faced) == ()


def test_the_player_whose_cards_are_concerned_rules_and_eldest_leads_after_him() -> None:
    machine = machine_of("three-handed(misdeals=0.1)")
    state = machine.start(Misdeal.EXPOSED_THEIRS, adversary=1)
    assert machine.actor(state) == 1
    assert machine.actor(machine.act(state, Act.STAND)) == ELDEST


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("cotton", 1),
        ("cotton(misdeals=0.1)", 6),  # dealt, faced, awarded, and three rulings of eldest
        ("four-handed(misdeals=0.1)", 6),
        ("three-handed(misdeals=0.1)", 8),  # of A and B, but only A on the dealer's four
        ("cotton(players=5, misdeals=0.1)", 12),
    ],
)
def test_a_hand_can_begin_in_as_many_ways_as_the_laws_have_it(name: str, starts: int) -> None:
    machine = machine_of(name)
    found = machine.starts()
    assert found[0] == machine.start()
    assert len(found) == len(set(found)) == starts


def test_without_misdeals_no_state_knows_of_any() -> None:
    for name in ("cotton", "four-handed", "three-handed"):
        states = walk(machine_of(name))
        assert all(state.stage is not Stage.RULING for state in states)
        assert not {Ending.REDEALT, Ending.AWARDED} & {
            state.outcome.ending for state in states if state.outcome
        }


def test_the_point_for_the_dealers_four_cards_is_scored_at_once_and_may_win_the_game() -> None:
    rules = find_ruleset("cotton(misdeals=0.1)")
    assert after_four_cards(rules, (1, 1)) == ((2, 1), NOBODY)
    assert after_four_cards(rules, (4, 4)) == ((5, 4), ELDEST)
    assert machine_of("cotton(misdeals=0.1)").awarded().over
    many = find_ruleset("cotton(players=4, misdeals=0.1)")
    assert after_four_cards(many, (4, 0, 0, 0)) == ((5, 0, 0, 0), ELDEST)


def test_a_redealt_hand_leaves_the_scores_alone() -> None:
    rules = find_ruleset("three-handed(misdeals=0.1)")
    faced = Machine(rules).start(Misdeal.FACED).outcome
    assert faced is not None
    assert after(rules, (4, 0, 2), faced) == ((4, 0, 2), NOBODY)


def chosen(machine: Machine, eldest: Act, dealer: Act) -> State:
    return machine.act(machine.act(machine.start(), eldest), dealer)


def test_eldests_captain_chooses_first_and_only_the_dealers_may_keep() -> None:
    machine = machine_of("four-handed")
    state = machine.start()
    assert (machine.actor(state), machine.place(state)) == (ELDEST, "gift")
    assert machine.legal(state) == (Act.GIVE, Act.RECEIVE)
    state = machine.act(state, Act.GIVE)
    assert machine.actor(state) == DEALER
    assert machine.legal(state) == (Act.GIVE, Act.RECEIVE, Act.KEEP)
    required = machine_of("four-handed(dealer_gift=required)")
    state = required.act(required.start(), Act.GIVE)
    assert required.legal(state) == (Act.GIVE, Act.RECEIVE)


def test_whoever_received_lays_out_a_card_and_a_dealer_who_kept_does_not() -> None:
    machine = machine_of("four-handed")
    state = chosen(machine, Act.RECEIVE, Act.GIVE)
    for side in (ELDEST, DEALER):
        assert (machine.actor(state), machine.place(state)) == (side, "lay-out")
        assert machine.legal(state) == (Act.LAY_OUT,)
        state = machine.act(state, Act.LAY_OUT)
    kept = machine.act(chosen(machine, Act.GIVE, Act.KEEP), Act.LAY_OUT)
    assert (state.stage, machine.actor(state)) == (Stage.TRICKS, ELDEST)
    assert kept == state


def test_after_the_exchange_partners_play_the_base_game() -> None:
    for base in ("cotton", "hoyle", "truc"):
        machine, two = machine_of(f"{base}(partners=true)"), machine_of(base)
        start = machine.act(chosen(machine, Act.GIVE, Act.KEEP), Act.LAY_OUT)
        assert start == two.start()
        assert machine.legal(start) == two.legal(start)

"""Chips are neither made nor lost, whatever the knobs and whoever plays."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from put_cli.speculation import state as at
from put_cli.speculation.machine import What
from put_cli.speculation.rules import Speculation

from .tables import Remembering, Whim, matches, play_all

any_rules = st.builds(
    Speculation,
    players=st.integers(3, 12),
    deals=st.integers(0, 6),
    ante=st.integers(1, 3),
    dealer_ante=st.integers(1, 4),
    presale=st.booleans(),
    unseen=st.sampled_from(["none", "hand", "any"]),
    payment=st.integers(0, 5),
    spare_hand=st.booleans(),
    exhaust_pack=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(any_rules, st.integers(0, 2**40), st.sampled_from([0.05, 0.4, 0.95]))
def test_chips_and_pool_add_up_to_what_was_paid_in(
    rules: Speculation, seed: int, often: float
) -> None:
    strategies = [(Remembering if n % 2 else Whim)(often) for n in range(rules.players)]
    played = play_all(rules, strategies, matches(rules.players, 1, 3), seed)
    seats = slice(at.D_NET, at.D_NET + rules.players)
    for deal in played.deals:
        carried = deal[at.D_POOL] if deal[at.D_WINNER] < 0 else 0
        assert deal[seats].sum() + carried == deal[at.D_CARRIED]
    # The pool is empty when a session ends, so its chips are all somebody's.
    assert (played.sessions[:, at.G_CHIPS : at.G_CHIPS + rules.players].sum(axis=1) == 0).all()


@settings(max_examples=30, deadline=None)
@given(any_rules, st.integers(0, 2**40))
def test_the_pool_is_the_antes_and_payments_and_every_card_is_turned_once(
    rules: Speculation, seed: int
) -> None:
    strategies = [Whim(0.3) for _ in range(rules.players)]
    played = play_all(rules, strategies, matches(rules.players, 1, 2), seed)
    for number, deal in enumerate(played.deals):
        events = played.events[played.events[:, 0] == number]
        what, card, amount = events[:, 1], events[:, 3], events[:, 5]
        paid = amount[(what == What.ANTE) | (what == What.PAYMENT)].sum()
        assert paid + deal[at.D_CARRIED] == deal[at.D_POOL]
        shown = card[(what == What.TURN) | (what == What.SPARE)]
        dealt = deal[at.D_CARDS : at.D_CARDS + 3 * rules.players]
        spare = deal[at.D_SPARE : at.D_SPARE + 3 * rules.spare_hand]
        ace_turned_up = deal[at.D_UP] % 13 == 12
        expected = [] if ace_turned_up else sorted([*dealt, *spare])
        assert sorted(shown) == expected
        assert len(np.unique([*dealt, *spare, deal[at.D_UP]])) == rules.cards_a_deal


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 12), st.booleans(), st.integers(0, 2**40))
def test_until_the_pack_is_exhausted_no_card_comes_twice(
    players: int, spare: bool, seed: int
) -> None:
    rules = Speculation(players=players, spare_hand=spare, exhaust_pack=True, deals=12)
    played = play_all(rules, [Whim(0.2)] * players, matches(players, 1, 1), seed)
    cards = np.concatenate(
        [
            played.deals[:, at.D_CARDS : at.D_CARDS + 3 * players],
            played.deals[:, [at.D_UP]],
            played.deals[:, at.D_SPARE : at.D_SPARE + 3 * spare],
        ],
        axis=1,
    )
    for first in range(0, len(cards), rules.deals_a_pack):
        dealt = cards[first : first + rules.deals_a_pack].ravel()
        assert len(np.unique(dealt)) == len(dealt)

"""The exact chances, against counting every possible set of cards and against whole fractions."""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.speculation.chance import survival, survival_of_turn_up, unseen_above


@pytest.mark.parametrize("unseen", range(1, 9))
def test_the_chance_to_survive_is_the_share_of_all_sets_without_a_better_card(unseen: int) -> None:
    for to_come in range(unseen + 1):
        for better in range(unseen + 1):
            sets = list(combinations(range(unseen), to_come))
            without = sum(all(card >= better for card in drawn) for drawn in sets)
            assert survival(unseen, to_come, better) == pytest.approx(without / len(sets))


@given(st.integers(1, 51), st.data())
def test_the_chance_to_survive_is_hypergeometric(unseen: int, data: st.DataObject) -> None:
    to_come = data.draw(st.integers(0, unseen))
    better = data.draw(st.integers(0, min(12, unseen)))
    exact = Fraction(comb(unseen - better, to_come), comb(unseen, to_come))
    assert survival(unseen, to_come, better) == pytest.approx(float(exact), abs=1e-14)


def test_ranks_above_are_counted_where_they_are_unseen() -> None:
    seen = 1 << 14 | 1 << 12 | 1 << 3
    assert unseen_above(seen, 10) == 2  # the King and the Knave
    assert unseen_above(0, 2) == 12
    assert unseen_above(seen, 14) == 0


def test_a_turn_up_survives_as_often_as_in_all_orders_of_a_short_pack() -> None:
    """Of seven unseen cards one is turned up and two come after it: every order is counted."""
    seen_by_suit = []
    short = {0: (14, 9), 1: (13, 12, 4), 2: (7,), 3: (2,)}
    for suit in range(4):
        every = sum(1 << rank for rank in range(2, 15))
        seen_by_suit.append(every - sum(1 << rank for rank in short[suit]))
    pack = [(suit, rank) for suit, ranks in short.items() for rank in ranks]
    orders = list(permutations(pack, 3))
    survived = sum(
        up[1] == 14 or all(suit != up[0] or rank < up[1] for suit, rank in others)
        for up, *others in orders
    )
    a, b, c, d = seen_by_suit
    assert survival_of_turn_up((a, b, c, d), 2) == pytest.approx(survived / len(orders))


def test_a_turn_up_of_a_whole_pack_is_the_mean_over_its_ranks() -> None:
    to_come = 15
    by_rank = [survival(51, to_come, better) for better in range(13)]
    assert survival_of_turn_up((0, 0, 0, 0), to_come) == pytest.approx(sum(by_rank) / 13)

"""The exact chances, against every way the unseen cards can lie."""

import itertools
from collections import Counter

import pytest
from put_strategies.chances import chances


def brute_force(own, lead, seen, top, copies):
    """Chances to win and to draw, by laying out every ordered draw of ranks from the unseen."""
    left = Counter(dict.fromkeys(range(1, top + 1), copies))
    left.subtract(card for card in seen if card)
    own = [card for card in own if card]
    wins = draws = ways_in_all = 0
    for theirs in itertools.product(range(1, top + 1), repeat=len(own)):
        ways = 1
        drawn: Counter[int] = Counter()
        for card in theirs:
            ways *= left[card] - drawn[card]
            drawn[card] += 1
        balance = lead + sum((a > b) - (a < b) for a, b in zip(own, theirs, strict=True))
        ways_in_all += ways
        wins += ways if balance > 0 else 0
        draws += ways if balance == 0 else 0
    return wins / ways_in_all, draws / ways_in_all


@pytest.mark.parametrize(("top", "copies"), [(13, 4), (8, 4), (7, 4)])
def test_every_hand_of_three_before_the_first_card(top, copies):
    hands = list(itertools.combinations_with_replacement(range(top, 0, -1), 3))
    for own in hands[:: 1 if top < 13 else 7]:
        expected = brute_force(own, 0, own, top, copies)
        assert chances(*own, 0, own, top, copies) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("lead", [-1, 0, 1])
def test_later_tricks_with_cards_gone(lead):
    gone = (5, 8, 13, 2)
    for own in itertools.product(range(14), repeat=2):
        if not any(own):
            continue
        cards = (own[0], 0, own[1])
        expected = brute_force(cards, lead, own + gone, 13, 4)
        assert chances(*cards, lead, own + gone, 13, 4) == pytest.approx(expected, abs=1e-12)


def test_a_hand_already_decided_is_certain():
    assert chances(1, 0, 0, 2, (1,), 13, 4) == (1.0, 0.0)
    assert chances(0, 13, 0, -2, (13,), 13, 4) == (0.0, 0.0)


def test_over_all_hands_they_are_the_known_chances_of_random_play():
    for top, win, drawn in ((13, 0.460876, 0.078248), (8, 0.440564, 0.118873)):
        total = won = drew = 0.0
        for hand in itertools.combinations_with_replacement(range(1, top + 1), 3):
            weight = 1
            for card, number in Counter(hand).items():
                weight *= (4, 6, 4)[number - 1] if card else 0
            a, b = chances(*hand, 0, hand, top, 4)
            total, won, drew = total + weight, won + weight * a, drew + weight * b
        assert won / total == pytest.approx(win, abs=1e-6)
        assert drew / total == pytest.approx(drawn, abs=1e-6)

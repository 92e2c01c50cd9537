"""The exact chances of a hand, against hands laid out card by card."""

from itertools import combinations_with_replacement, permutations
from math import comb

import numpy as np
import pytest

from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import NOBODY, Machine
from put_cli.rules.ruleset import RuleSet
from put_cli.stats.chances import hand_won, winning_draws


@pytest.mark.parametrize(
    ("rules", "won"),
    [
        ("cotton", 0.460876),
        ("cotton(pack=short32)", 0.440564),
        ("cotton(pack=short28)", 0.433802),
    ],
)
def test_cards_laid_in_random_order_win_as_often_as_published(rules: str, won: float) -> None:
    found = find_ruleset(rules)
    top, copies = found.cards.top, found.cards.copies
    held = np.array(list(combinations_with_replacement(range(top, 0, -1), 3)))
    ways = [np.prod([comb(copies, list(row).count(c)) for c in set(row)]) for row in held.tolist()]
    wins, draws = winning_draws(found, held, held[:, :0], replies=False)
    weight = np.array(ways) / comb(found.cards.size, 3)
    assert sum(ways) == comb(found.cards.size, 3)
    assert float((weight * wins / draws).sum()) == pytest.approx(won, abs=5e-7)


def laid_out(rules: RuleSet, own: tuple[int, ...], theirs: tuple[int, ...], replies: bool) -> float:
    """The same chance from real cards, one by one, in every order of both players."""
    pack = [card for card in range(1, rules.cards.top + 1) for _ in range(rules.cards.copies)]
    for card in (*own, *theirs):
        pack.remove(card)
    played = len(theirs) - replies
    best = 0.0
    for reply in own[played:] if replies else (0,):
        rest = list(own[played:])
        known = list(own[:played])
        if replies:
            rest.remove(reply)
            known.append(reply)
        results = [
            hand_won(rules, np.sign(np.array([*known, *mine]) - np.array([*theirs, *other])))
            for mine in set(permutations(rest))
            for other in permutations(pack, len(rest))
        ]
        best = max(best, float(np.mean(results)))
    return best


@pytest.mark.parametrize("rules", ["cotton(pack=short28)", "truc-french"])
@pytest.mark.parametrize(
    ("own", "theirs", "replies"),
    [
        ((7, 4, 4), (), False),
        ((5, 4, 1), (4,), True),
        ((3, 6, 2), (5,), False),
        ((3, 6, 2), (3,), False),
        ((3, 6, 2), (3, 5), True),
        ((7, 1, 4), (6, 2), False),
        ((7, 1, 4), (6, 2, 4), True),
    ],
)
def test_a_chance_is_the_share_of_all_orders_of_all_cards(
    rules: str, own: tuple[int, ...], theirs: tuple[int, ...], replies: bool
) -> None:
    found = find_ruleset(rules)
    ours, others = np.array([own]), np.array([theirs], np.int64).reshape(1, -1)
    won, draws = winning_draws(found, ours, others, replies)
    assert won[0] / draws[0] == pytest.approx(laid_out(found, own, theirs, replies))


@pytest.mark.parametrize("rules", ["cotton", "truc-french", "cotton(lone_trick=false)"])
def test_a_hand_is_won_as_the_rules_say(rules: str) -> None:
    found = find_ruleset(rules)
    machine = Machine(found)
    takers = {1: 0, -1: 1, 0: NOBODY}
    for results in np.ndindex(3, 3, 3):
        signs = np.array(results) - 1
        outcome = machine._outcome(tuple(takers[sign] for sign in signs.tolist()), (), 0)
        assert outcome is not None
        assert bool(hand_won(found, signs)) == (outcome.winner == 0), signs

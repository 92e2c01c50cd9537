"""What exchanging cards is worth to partners, on the same deals."""

import math

import numpy as np
import pytest

from put_cli import Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.matches import Fixture, Played
from put_cli.engine.tables import WINNER, compile_rules
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import KEEP, RECEIVE
from tests.engine.field import enlisted, played

RULES = "plain(partners=true, target=1)"
GAMES = 20_000


class Receives(Strategy):
    """Plays its best card; its captains receive."""

    def act(self, view: View) -> int:
        return view.highest

    def gift(self, view: View) -> int:
        return RECEIVE


class Keeps(Receives):
    """The same, but its dealer keeps his own three cards."""

    def gift(self, view: View) -> int:
        return KEEP if view.may_keep else RECEIVE


def first_hands(strategy: Strategy) -> Played:
    """Games of the strategy against itself: the first hand of each has the same cards."""
    field = [enlisted(strategy, name) for name in ("a", "b")]
    return played(field, [Fixture(0, 0, 0, GAMES, (0, 1))], rules=RULES, seed=9)


def test_with_a_free_lay_out_a_dealer_who_exchanges_does_better_than_one_who_keeps() -> None:
    rules = find_ruleset(RULES)
    states, columns = compile_rules(rules).states, ln.hand_columns(rules)
    results = {}
    for strategy in (Keeps(), Receives()):
        result = first_hands(strategy)
        hands = dict(zip(columns, result.hands[:, result.keys[2] == 0], strict=True))
        winner = states[hands["state"], WINNER]
        results[type(strategy).__name__] = hands, (winner == 1) * 1.0 - (winner == 0)
    (kept, without), (exchanged, gained) = results["Keeps"], results["Receives"]
    for name in ("dealt0", "dealt1", "dealt2", "dealt3", "eldest_cards"):
        assert np.array_equal(kept[name], exchanged[name])
    # The dealer's cards are never worse, one by one, than those he could have kept.
    assert (exchanged["dealer_cards"] >= exchanged["dealt0"]).all()
    difference = gained - without
    error = difference.std(ddof=1) / math.sqrt(GAMES)
    assert difference.mean() > 4 * error


@pytest.mark.parametrize("share", [0.314686])
def test_three_players_who_lay_at_random_draw_as_often_as_they_must(share: float) -> None:
    rules = find_ruleset("plain(players=3)")
    field = [enlisted("random", name) for name in "abc"]
    result = played(field, [Fixture(0, 0, 0, 6_000, (0, 1, 2))], rules="plain(players=3)", seed=3)
    state = result.hands[ln.hand_columns(rules).index("state")]
    drawn = compile_rules(rules).states[state, WINNER] == 6
    assert drawn.size > 60_000
    assert abs(drawn.mean() - share) < 4 * math.sqrt(share * (1 - share) / drawn.size)

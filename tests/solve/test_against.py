"""The best response to a strategy, for advice."""

from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from put_cli.engine.players import enlist
from put_cli.errors import UsageError
from put_cli.plugins.code_store import DiskStore
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve.advice import Adviser
from put_cli.solve.against import adviser_against
from put_cli.solve.chain import Score
from put_cli.solve.exact import exactly
from put_cli.solve.hand import Board
from put_cli.solve.places import Situation
from put_cli.solve.room import room
from put_cli.solve.weighing import place_in
from tests.solve.field import Fickle, Steady

RULES = "cotton(pack=tiny,target=2)"
FIELD = Path(__file__).with_name("field.py")


@pytest.fixture(scope="module", params=["Steady", "Fickle"])
def adviser(request: pytest.FixtureRequest) -> tuple[str, Adviser]:
    """Against a strategy that does not look at the score, and one that does."""
    found, name = adviser_against(
        find_ruleset(RULES), f"{FIELD}:{request.param}", 1, [Score(0, 0), Score(1, 0)]
    )
    assert request.param in name
    return request.param, found


def test_nobody_wins_more_against_a_strategy_than_the_best_answer(
    adviser: tuple[str, Adviser],
) -> None:
    name, found = adviser
    strategies = {"Steady": Steady(), "Fickle": Fickle(), "bluffer": Fickle(bluff=0.5)}
    field = {key: enlist(key, each, DiskStore()) for key, each in strategies.items()}
    with room(find_ruleset(RULES), classes=False, threads=1) as (chain, board):
        for each in field.values():
            result = exactly(chain, board, each, field[name])
            assert result.wins_as_eldest < found.values[ELDEST, 0] + 1e-6
            assert result.wins_as_dealer < found.values[DEALER, 0] + 1e-6
    assert found.values[ELDEST, 0] + found.values[DEALER, 0] > 1.05


@pytest.mark.parametrize("score", [Score(0, 0), Score(1, 0)])
def test_the_best_actions_hand_by_hand_are_worth_what_the_score_is(
    adviser: tuple[str, Adviser], score: Score
) -> None:
    _, found = adviser
    board = Board(found.chain.tree)
    ways = board.share * (board.pack.full @ board.share) / board.deals
    total = 0.0
    for cards in combinations_with_replacement(range(4, 0, -1), 3):
        if all(cards.count(card) <= 2 for card in cards):
            advice = found.advise(Situation(score, ELDEST, cards, ()))
            assert {each.share for each in advice.options} == {None}
            total += ways[place_in(4, tuple(card - 1 for card in cards))] * advice.best.worth
    assert total == pytest.approx(found.values[ELDEST, found.chain.find(score)], abs=1e-5)


def test_what_reads_the_record_has_no_best_answer(tmp_path: Path) -> None:
    text = FIELD.read_text().replace("class Steady(Strategy):", "class Steady(Strategy):\n"
                                     "    memory = True\n")  # fmt: skip
    (tmp_path / "reader.py").write_text(text)
    with pytest.raises(UsageError, match="reads the record"):
        adviser_against(find_ruleset(RULES), f"{tmp_path}/reader.py:Steady", 1, [])

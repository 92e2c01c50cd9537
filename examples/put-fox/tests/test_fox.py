"""What the foxes do, and that they keep the contract of a strategy."""

import pytest
from put_fox import FOXHOLE, Fox, OldFox

from put_cli import PUT, SEE, THROW, Strategy
from put_cli.plugins.contract import assert_conforms, view_at
from put_cli.rules.finding import from_mapping

HOUSE = from_mapping({"name": "foxhole"} | FOXHOLE, "put_fox")


@pytest.mark.parametrize("strategy", [Fox(), OldFox()], ids=repr)
def test_a_fox_keeps_the_contract_in_the_usual_rules_and_in_its_own(strategy: Strategy) -> None:
    assert_conforms(strategy, samples=1)
    assert_conforms(strategy, rules=[HOUSE])


def test_a_fox_puts_with_two_good_cards() -> None:
    assert Fox(bluff=0.0).act(view_at("E 3 A 5 | D Q 9 8 |")) == PUT


def test_a_fox_bluffs_by_luck() -> None:
    weak = "E 7 6 5 | D Q 9 8 |"
    assert Fox().act(view_at(weak, luck=0.05)) == PUT
    assert Fox().act(view_at(weak, luck=0.15)) != PUT


def test_a_fox_throws_to_a_put_unless_that_loses_the_game() -> None:
    put = "E 3 A 5 | D Q 9 8 | E:put"
    assert Fox().act(view_at(put)) == THROW
    assert Fox().act(view_at(put, score=(4, 0))) == SEE


def test_an_old_fox_bluffs_more_against_one_who_throws() -> None:
    weak = "E 7 6 5 | D Q 9 8 |"
    bold = view_at(weak, luck=0.15, their_asked=50, their_thrown=50)
    wary = view_at(weak, luck=0.05, their_asked=50, their_thrown=0)
    assert OldFox().act(bold) == PUT
    assert OldFox().act(wary) != PUT

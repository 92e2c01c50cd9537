"""The hands of tests/vectors, through the referee."""

from pathlib import Path

import pytest

from put_cli.errors import NotationError
from put_cli.rules.finding import find_ruleset
from put_cli.rules.referee import referee
from tests.vectors import Refusal, Vector, load

VECTORS, REFUSALS = load()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.place)
def test_the_referee_scores_a_known_hand_as_its_source_does(vector: Vector) -> None:
    verdict = referee(find_ruleset(vector.rules), vector.hand, vector.score_before)
    assert (None if verdict.outright else verdict.score_after) == vector.score_after
    assert verdict.game_winner == vector.game_winner
    assert (verdict.ending == "redealt") == vector.redealt


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.place)
def test_the_referee_refuses_what_the_rules_forbid(refusal: Refusal) -> None:
    with pytest.raises(NotationError) as caught:
        referee(find_ruleset(refusal.rules), refusal.hand)
    assert str(caught.value).startswith(f"step {refusal.step} ")
    assert refusal.reason in str(caught.value)


def test_a_folder_without_vectors_is_an_error_not_a_pass(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no vectors found"):
        load(tmp_path)


def test_a_vector_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("rules cotton\nE 5 7 9 | D K 8 6 | E:put ; 0-0\n")
    with pytest.raises(ValueError, match="bad:2: expected HAND ; RESULT"):
        load(tmp_path)

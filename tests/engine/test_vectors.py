"""The hands of tests/vectors, through the compiled kernel."""

from dataclasses import replace
from functools import cache

import pytest

from put_cli.engine import lanes as ln
from put_cli.engine.decode import triples, utterances
from put_cli.engine.tables import ENDING, POINTS, TAKERS, WINNER, Tables, compile_rules
from put_cli.rules.machine import SEATS
from put_cli.rules.notation import Hand, Step
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import GAME, find_ruleset
from tests.engine.one_lane import WORDS, OneLane
from tests.vectors import Refusal, Vector, load

VECTORS, REFUSALS = load()
OFF_TURN = ("it is ", "the hand is already over", "the words are", "the hand is not over")
"""Refusals the kernel cannot meet: it asks whose turn it is, takes numbers and stops."""
ILLEGAL = [each for each in REFUSALS if not each.reason.startswith(OFF_TURN)]


@cache
def tables(rules: str) -> Tables:
    """The compiled rule set."""
    return compile_rules(find_ruleset(rules))


@pytest.mark.parametrize("eldest", [0, 1], ids=["chair0", "chair1"])
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.place)
def test_the_kernel_scores_a_known_hand_as_its_source_does(vector: Vector, eldest: int) -> None:
    lane = OneLane(tables(vector.rules))
    lane.set_hand(vector.hand, vector.score_before, eldest=eldest)
    lane.play(vector.hand, eldest=eldest)
    row = lane.hand_row()
    rules = lane.tables.rules
    outcome = lane.tables.states[row["state"]]

    assert lane.rows == 1
    assert row["eldest_chair"] == eldest
    assert (row["eldest_score"], row["dealer_score"]) == vector.score_before
    assert row["forfeit"] == 0
    cards = triples(rules.cards.top)
    for seat in (0, 1):
        dealt = tuple(rules.cards.rank(card) for card in cards[row[f"{SEATS[seat]}_cards"]])
        assert sorted(dealt) == sorted(vector.hand.cards(seat))
    assert played(lane) == [step.rank for step in vector.hand.steps if step.rank]
    said = [(step.seat, step.word) for step in vector.hand.steps if step.word]
    assert [(u.seat, u.word) for u in utterances(int(lane.buffers.words[0]))] == said

    over = vector.game_winner is not None
    assert row["game_over"] == over
    if vector.score_after is None:
        assert outcome[POINTS] == GAME
        assert (row["eldest_points"], row["dealer_points"]) == (0, 0)
    elif not referee(rules, vector.hand, vector.score_before).anew:
        gained = [a - b for a, b in zip(vector.score_after, vector.score_before, strict=True)]
        assert [row["eldest_points"], row["dealer_points"]] == gained
    if over:
        assert SEATS[outcome[WINNER]] == vector.game_winner
    after = vector.score_after or vector.score_before
    by_chair = (after[0], after[1]) if eldest == 0 else (after[1], after[0])
    if over and rules.rubber == 1:
        game = lane.game_row()
        assert lane.lane[ln.STATUS] == ln.FINISHED
        assert (game["score0"], game["score1"]) == by_chair
        assert game["winner"] == (eldest if vector.game_winner == "eldest" else 1 - eldest)
    else:
        # The next hand of the game, or the next game of the rubber, is dealt.
        assert lane.lane[ln.HAND] == 1
        assert 1 - lane.lane[ln.DEALER] == 1 - eldest
        scores = tuple(lane.lane[ln.SCORE : ln.SCORE + 2])
        assert scores == ((0, 0) if over else by_chair)


def played(lane: OneLane) -> list[str]:
    """The ranks of the first hand in the order in which they were played."""
    row = lane.hand_row()
    takers = lane.tables.states[row["state"], TAKERS : TAKERS + 3]
    cards = [row[f"{act}{trick}"] for trick in (1, 2, 3) for act in ("lead", "reply")]
    assert all(taker < 3 for taker in takers[: sum(card > 0 for card in cards) // 2])
    return [lane.tables.rules.cards.rank(card) for card in cards if card]


@pytest.mark.parametrize("refusal", ILLEGAL, ids=lambda refusal: refusal.place)
def test_the_kernel_refuses_what_the_rules_forbid(refusal: Refusal) -> None:
    lane = OneLane(tables(refusal.rules))
    lane.set_hand(refusal.hand, (0, 0), eldest=0)
    before = replace(refusal.hand, steps=refusal.hand.steps[: refusal.step - 1])
    lane.play(before, eldest=0)
    wrong = refusal.hand.steps[refusal.step - 1]
    if lane.rows:  # with one card and no word allowed nobody is asked: the hand went on
        said = [u.word for u in utterances(int(lane.buffers.words[0]))]
        assert said == [step.word for step in before.steps if step.word]
        return
    assert lane.asked == wrong.seat
    as_it_was = lane.lane.copy()
    lane.take(wrong)
    assert lane.lane[ln.STATUS] == ln.JUDGE
    as_it_was[[ln.STATUS, ln.ANSWER]] = lane.lane[[ln.STATUS, ln.ANSWER]]
    assert (lane.lane == as_it_was).all()


def test_most_refusals_can_be_put_to_the_kernel() -> None:
    assert len(ILLEGAL) > len(REFUSALS) / 2


@pytest.mark.parametrize("answer", [0, 2**63 - 1, 14, 99, 100, 104, WORDS["see"], WORDS["throw"]])
def test_a_number_that_is_no_action_here_is_refused_and_changes_nothing(answer: int) -> None:
    lane = OneLane(tables("cotton"))
    before = lane.lane.copy()
    lane.lane[ln.ANSWER] = answer
    lane.advance()
    assert lane.lane[ln.STATUS] == ln.JUDGE
    before[[ln.STATUS, ln.ANSWER]] = lane.lane[[ln.STATUS, ln.ANSWER]]
    assert (lane.lane == before).all()


def test_a_card_already_played_is_refused() -> None:
    hand = Hand("ED", (("5", "7", "9"), ("3", "8", "6")), (Step(0, rank="5"), Step(1, rank="3")))
    lane = OneLane(tables("cotton"))
    lane.set_hand(hand, (0, 0), eldest=0)
    lane.play(hand, eldest=0)
    lane.take(Step(1, rank="3"))
    assert lane.lane[ln.STATUS] == ln.JUDGE


def test_equal_cards_in_one_hand_are_played_one_at_a_time() -> None:
    steps = (Step(0, rank="9"), Step(1, rank="3"), Step(1, rank="8"), Step(0, rank="9"))
    hand = Hand("ED", (("9", "9", "9"), ("3", "8", "6")), steps)
    lane = OneLane(tables("cotton"))
    lane.set_hand(hand, (0, 0), eldest=0)
    lane.play(hand, eldest=0)
    assert sorted(lane.lane[ln.CARDS : ln.CARDS + 3]) == [0, 0, 6]


def test_an_unended_state_has_no_ending_and_an_ended_one_has_no_moves() -> None:
    states = tables("cotton").states
    over = states[:, ENDING] >= 0
    assert over.any()
    assert (states[over, WINNER] >= 0).all()
    assert (states[~over, WINNER] == -1).all()

"""The hands of tests/vectors, through the compiled kernel."""

from dataclasses import replace
from functools import cache

import pytest

from put_cli.engine import lanes as ln
from put_cli.engine.decode import triples, utterances, utterances_of_many
from put_cli.engine.tables import ENDING, POINTS, WINNER, Tables, compile_rules
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import CHOICES, RULINGS, Act, Misdeal, seat_names
from put_cli.rules.notation import DRAW, FACED, GIVES, SHOWS, Hand, Step
from put_cli.rules.referee import Verdict, referee
from put_cli.rules.ruleset import GAME
from tests.engine.one_lane import WORDS, OneLane
from tests.vectors import Refusal, Vector, load

VECTORS, REFUSALS = load()
MISDEALS = (SHOWS, FACED, GIVES)
NEVER_ASKED = (
    "it is ",
    "the hand is already over",
    "the words are",
    "the hand is not over",
    "a card has to be laid out first",
)
"""Refusals the kernel cannot meet: it asks whose turn it is and for what, and takes numbers."""


def is_expressible(refusal: Refusal) -> bool:
    """Whether a player can do what is refused: he neither errs as dealer nor picks what to draw."""
    wrong = refusal.hand.steps[refusal.step - 1 :][:1]
    if refusal.reason.startswith(NEVER_ASKED) or not wrong or wrong[0].word in MISDEALS:
        return False
    out = refusal.reason.endswith(("is out of play", "has thrown in his cards"))
    return not out and not (wrong[0].word == DRAW and "does not hold" in refusal.reason)


ILLEGAL = [each for each in REFUSALS if is_expressible(each)]


@cache
def tables(rules: str) -> Tables:
    """The compiled rule set."""
    return compile_rules(find_ruleset(rules))


IN_EVERY_CHAIR = [
    pytest.param(vector, chair, id=f"{vector.place}-chair{chair}")
    for vector in VECTORS
    for chair in range(find_ruleset(vector.rules).chairs)
]


@pytest.mark.parametrize(("vector", "eldest"), IN_EVERY_CHAIR)
def test_the_kernel_scores_a_known_hand_as_its_source_does(vector: Vector, eldest: int) -> None:
    rules = tables(vector.rules).rules
    lane = OneLane(tables(vector.rules))
    lane.set_hand(vector.hand, vector.score_before, eldest=eldest)
    lane.play(vector.hand)
    row = lane.hand_row()
    verdict = referee(rules, vector.hand, vector.score_before)

    assert lane.rows == 1 or (lane.rows > 1 and over_at_once(vector.hand))
    assert row["eldest_chair"] == eldest
    assert row["forfeit"] == 0
    assert tuple(row[name] for name in score_columns(lane)) == vector.score_before
    if not over_at_once(vector.hand):
        assert_cards_and_words(lane, vector.hand, row)
    if rules.misdeals:
        assert_misdeal(lane, vector.hand, row, verdict)
    if rules.partners and not over_at_once(vector.hand):
        assert_exchange(lane, row, verdict)
    assert_result(lane, vector, row, verdict)
    if not over_at_once(vector.hand):  # else another hand, dealt wrongly too, may follow at once
        assert_it_goes_on(lane, vector)


def over_at_once(hand: Hand) -> bool:
    """Whether a misdeal was all of the hand."""
    return len(hand.steps) == 1 and hand.steps[0].word in MISDEALS


def score_columns(lane: OneLane) -> list[str]:
    """The columns of the scores before the hand, by seat."""
    if lane.rules.players == 2:
        return ["eldest_score", "dealer_score"]
    return [f"score{seat}" for seat in range(lane.rules.players)]


def points_columns(lane: OneLane) -> list[str]:
    """The columns of the points, by seat."""
    if lane.rules.players == 2:
        return ["eldest_points", "dealer_points"]
    return [f"points{seat}" for seat in range(lane.rules.players)]


def assert_cards_and_words(lane: OneLane, hand: Hand, row: dict[str, int]) -> None:
    """The row tells what was held and played, and all that was said."""
    pack = lane.rules.cards
    cards = triples(pack.top)
    if lane.rules.partners:
        columns = [f"dealt{place}" for place in range(4)]
    elif lane.rules.players == 2:
        columns = ["eldest_cards", "dealer_cards"]
    else:
        columns = [f"cards{seat}" for seat in range(lane.rules.players)]
    drawn = [pack.card(step.rank) for step in hand.steps if step.word == DRAW]
    for place, column in enumerate(columns):
        held = list(cards[row[column]])
        dealt = sorted(map(pack.card, hand.cards(place)), reverse=True)
        if len(dealt) == 4:
            # The three held for play once one of the four was drawn; else the three first dealt.
            held += drawn or [pack.card(hand.cards(place)[3])]
        assert sorted(held, reverse=True) == dealt
    assert played(lane, row) == [step.rank for step in hand.steps if step.plays]
    code = int(lane.buffers.words[0])
    spoken = [(step.seat, step.word) for step in hand.steps if step.word in ("put", "see", "throw")]
    if lane.rules.players > 2:
        assert [(u.seat, u.word) for u in utterances_of_many(code)] == spoken
    else:
        eldest = (1, 3) if lane.rules.partners else (0,)
        assert [(u.seat, u.word) for u in utterances(code)] == [
            (0 if seat in eldest else 1, word) for seat, word in spoken
        ]


def played(lane: OneLane, row: dict[str, int]) -> list[str]:
    """The ranks of the first hand in the order in which they were played."""
    n = lane.rules.players
    laid = []
    for trick in (1, 2, 3):
        if n == 2:
            laid += [row[f"lead{trick}"], row[f"reply{trick}"]]
        elif row[f"leader{trick}"] >= 0:
            laid += [row[f"card{trick}_{(row[f'leader{trick}'] + step) % n}"] for step in range(n)]
    return [lane.rules.cards.rank(card) for card in laid if card]


def assert_misdeal(lane: OneLane, hand: Hand, row: dict[str, int], verdict: Verdict) -> None:
    """The row tells what the dealer did and what was ruled."""
    expected = Misdeal[verdict.misdeal.upper()] if verdict.misdeal else Misdeal.NONE
    assert row["misdeal"] == expected
    ruling = 1 + RULINGS.index(Act[verdict.ruling.upper()]) if verdict.ruling else 0
    assert row["ruling"] == ruling
    if not expected or expected is Misdeal.FACED or over_at_once(hand):
        return
    first = hand.steps[0]
    dealer = (row["eldest_chair"] - 1) % lane.rules.chairs
    assert (dealer + row["misdeal_place"]) % lane.rules.chairs == lane.chairs[first.whose]
    drawn = [step.rank for step in hand.steps if step.word == DRAW]
    rank = first.rank or (drawn or hand.cards(first.whose)[3:])[0]
    assert row["misdeal_card"] == lane.rules.cards.card(rank)


def assert_exchange(lane: OneLane, row: dict[str, int], verdict: Verdict) -> None:
    """The row tells what the captains chose, what passed and who played."""
    exchange, pack = verdict.exchange, lane.rules.cards
    assert exchange is not None
    for seat, side in enumerate(("eldest", "dealer")):
        choice = exchange.choices[seat]
        assert row[f"{side}_choice"] == (1 + CHOICES.index(Act[choice.upper()]) if choice else 0)
        assert row[f"{side}_given"] == pack.card(exchange.gifts[seat] or "")
        assert row[f"{side}_laid_out"] == pack.card(exchange.laid_out[seat] or "")
        player = exchange.players[seat]
        assert row[f"{side}_player"] == (-1 if player is None else player)


def assert_result(lane: OneLane, vector: Vector, row: dict[str, int], verdict: Verdict) -> None:
    """The row tells what the hand came to."""
    state = row["state"] + (row.get("state_high", 0) << 15)
    outcome = lane.tables.states[state]
    points = tuple(row[name] for name in points_columns(lane))
    if vector.score_after is None or verdict.anew:
        assert points == verdict.law_points
        assert (outcome[POINTS] == GAME) == (vector.score_after is None)
    else:
        gained = zip(vector.score_after, vector.score_before, strict=True)
        assert points == tuple(after - before for after, before in gained)
    assert row["game_over"] == (vector.game_winner is not None)
    if vector.game_winner is not None:
        assert seat_names(lane.rules)[outcome[WINNER]] == vector.game_winner


def assert_it_goes_on(lane: OneLane, vector: Vector) -> None:
    """The game is over, or the next hand is dealt by whom it should be, at the right scores."""
    rules, lanes = lane.rules, lane.lane
    after = vector.score_after
    if after is None:  # the points before it still stand: those of the Laws as well
        law = referee(rules, vector.hand, vector.score_before).law_points
        after = tuple(a + b for a, b in zip(vector.score_before, law, strict=True))
    # The seat of a side is that of its captain.
    by_side = {chair % rules.players: points for chair, points in zip(lane.seats, after)}  # noqa: B905
    over = vector.game_winner is not None
    if over and rules.rubber == 1:
        game = lane.game_row()
        assert lanes[ln.STATUS] == ln.FINISHED
        assert {side: game[f"score{side}"] for side in by_side} == by_side
        winner = seat_names(rules).index(vector.game_winner or "")
        assert game["winner"] == lane.seats[winner] % rules.players
        return
    # The next hand of the game, or the next game of the rubber, is dealt.
    assert lanes[ln.HAND] == 1
    dealer = lane.seats[-1]
    assert lanes[ln.DEALER] == (dealer if vector.redealt else (dealer + 1) % rules.chairs)
    for chair in range(rules.chairs):
        assert lanes[ln.SCORE + chair] == (0 if over else by_side[chair % rules.players])


def said_by(lane: OneLane) -> list[str]:
    """Words said in the first hand."""
    code = int(lane.buffers.words[0])
    return [u.word for u in (utterances_of_many if lane.rules.players > 2 else utterances)(code)]


@pytest.mark.parametrize("refusal", ILLEGAL, ids=lambda refusal: refusal.place)
def test_the_kernel_refuses_what_the_rules_forbid(refusal: Refusal) -> None:
    lane = OneLane(tables(refusal.rules))
    lane.set_hand(refusal.hand, (0,) * lane.rules.players, eldest=0)
    before = replace(refusal.hand, steps=refusal.hand.steps[: refusal.step - 1])
    lane.play(before)
    wrong = refusal.hand.steps[refusal.step - 1]
    if lane.rows:  # with one card and no word allowed nobody is asked: the hand went on
        assert said_by(lane) == [
            step.word for step in before.steps if step.word in ("put", "see", "throw")
        ]
        return
    assert lane.asked == lane.chairs[wrong.seat]
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
    lane.play(hand)
    lane.take(Step(1, rank="3"))
    assert lane.lane[ln.STATUS] == ln.JUDGE


def test_equal_cards_in_one_hand_are_played_one_at_a_time() -> None:
    steps = (Step(0, rank="9"), Step(1, rank="3"), Step(1, rank="8"), Step(0, rank="9"))
    hand = Hand("ED", (("9", "9", "9"), ("3", "8", "6")), steps)
    lane = OneLane(tables("cotton"))
    lane.set_hand(hand, (0, 0), eldest=0)
    lane.play(hand)
    assert sorted(lane.lane[ln.CARDS : ln.CARDS + 3]) == [0, 0, 6]


def test_an_unended_state_has_no_ending_and_an_ended_one_has_no_moves() -> None:
    states = tables("cotton").states
    over = states[:, ENDING] >= 0
    assert over.any()
    assert (states[over, WINNER] >= 0).all()
    assert (states[~over, WINNER] == -1).all()

"""Hands in notation: read, written back, refereed and scored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.errors import NotationError, PutError, UsageError
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, Ending, Outcome
from put_cli.rules.notation import MAX_LINE, Step, parse_hand
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import GAME, RuleSet
from put_cli.rules.score import after
from tests.legal_play import legal_hands, rule_sets

LINE = "E 7 2 3 | D 9 K A | E7 D9 D:put E:see DK E2 E3 DA"


def why_refused(text: str, rules: RuleSet | None = None) -> str:
    """The message that refuses a hand (of `cotton`); empty when it is accepted."""
    try:
        referee(rules or find_ruleset("cotton"), parse_hand(text))
    except PutError as error:
        return str(error)
    return ""


def test_a_line_is_read_into_cards_and_steps() -> None:
    hand = parse_hand(LINE)
    assert hand.letters == "ED"
    assert hand.cards(ELDEST) == ("7", "2", "3")
    assert hand.cards(DEALER) == ("9", "K", "A")
    assert hand.steps[0] == Step(ELDEST, rank="7")
    assert hand.steps[2] == Step(DEALER, word="put")


def test_the_letters_say_who_sits_at_the_table() -> None:
    many = parse_hand("A K 9 5 | B Q T 4 | C J 4 7 | AK B:put C:see")
    assert (many.letters, many.cards(2)) == ("ABC", ("J", "4", "7"))
    assert many.steps[2] == Step(2, word="see")
    partners = parse_hand("0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:give 3-J 33 13")
    assert partners.letters == "0123"
    assert partners.steps == (
        Step(1, word="give"),
        Step(3, rank="J", word="lay out"),
        Step(3, rank="3"),
        Step(1, rank="3"),
    )


def test_a_misdeal_and_its_ruling_are_steps_like_any_other() -> None:
    cards = "E 7 2 3 | D 9 K A"
    assert parse_hand(f"{cards} | D:shows:E3 E:stand").steps == (
        Step(DEALER, rank="3", word="shows", whose=ELDEST),
        Step(ELDEST, word="stand"),
    )
    assert parse_hand(f"{cards} | D:faced").steps == (Step(DEALER, word="faced"),)
    assert parse_hand(f"{cards} 4 | D:gives:D E:draw:K").steps == (
        Step(DEALER, word="gives", whose=DEALER),
        Step(ELDEST, rank="K", word="draw"),
    )


def test_blanks_and_capitals_do_not_matter() -> None:
    assert parse_hand(f"  {LINE.lower().replace(' ', '   ')}\t\n") == parse_hand(LINE)
    assert parse_hand(LINE.upper()).text() == LINE


@given(st.data(), rule_sets())
def test_any_hand_played_by_the_rules_survives_the_round_trip(
    data: st.DataObject, rules: RuleSet
) -> None:
    hand = data.draw(legal_hands(rules))
    assert parse_hand(hand.text()) == hand
    assert len(hand.text()) <= MAX_LINE


@given(st.data(), rule_sets())
def test_steps_in_disorder_are_judged_or_refused_and_nothing_else(
    data: st.DataObject, rules: RuleSet
) -> None:
    hand = data.draw(legal_hands(rules))
    odd = st.sampled_from(
        [f"{one}{act}" for one in hand.letters for act in (":put", ":see", ":draw:7", ":redeal")]
        + [f"{one}{act}" for one in hand.letters for act in ("-7", "3", ":faced", ":keep")]
        + [f"{one}:{act}" for one in hand.letters for act in (f"gives:{one}", f"shows:{one}7")]
    )
    steps = data.draw(st.permutations(hand.step_texts()))
    steps[data.draw(st.integers(0, len(steps))) :] = data.draw(st.lists(odd, max_size=3))
    cards = hand.text().rpartition("|")[0]
    assert why_refused(f"{cards}| {' '.join(steps)}", rules).isprintable()


@given(st.text() | st.text(alphabet="ED 7K3|:putse\x1bABC012-", max_size=60))
def test_any_other_text_is_refused_on_one_printable_line(text: str) -> None:
    assert why_refused(text).isprintable()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "expected 'E cards | D cards | steps'"),
        ("E 7 2 3 | D 9 K A", "expected 'E cards | D cards | steps'"),
        ("D 7 2 3 | E 9 K A | E7", "cards of eldest: expected E and three ranks"),
        (" | D 9 K A | E7", "cards of eldest: expected E and three ranks"),
        ("E 7 2 | D 9 K A | E7", "cards of eldest: expected 3, got 2"),
        ("E 7 2 3 | D 9 K A A | E7", "cards of dealer: expected 3, got 4"),
        ("E 7 2 3 | D 9 K A | D:gives:D", "cards of dealer: expected 4, got 3"),
        ("E 7 2 3 | D 9 K A | D:gives:", "step 1 'D:gives:': expected a seat and a card"),
        ("E 7 2 3 | D 9 K A | D:gives", "step 1 'D:gives': expected a seat and a card"),
        ("E 7 2 3 | D 9 K A | D:shows:3", "step 1 'D:shows:3': expected a seat and a card"),
        ("E 7 2 3 | D 9 K A | E:draw", "step 1 'E:draw': expected a seat and a card"),
        ("A 7 2 3 | B 9 K A | A7", "expected 'A cards | B cards | C cards | steps'"),
        ("A 7 2 3 | B 9 K A | D 4 5 6 | A7", "cards of C: expected C and three ranks"),
        ("A 7 2 3 | B 9 K A | C 4 5 6 | D7", "step 1 'D7': expected a seat and a card"),
        ("0 7 2 3 | 1 9 K A | 2 4 5 6 | 17", "expected '0 cards | 1 cards | 2 cards | 3 cards"),
        ("0 7 2 3 | 1 9 K A | 2 4 5 | 3 4 5 6 |", "cards of player 2: expected 3, got 2"),
        ("E 10 2 3 | D 9 K A | E7", "expected ranks of one letter or digit (T is ten), got '10'"),
        ("E 7 2 3 | D 9 K A | E7 X9", "step 2 'X9': expected a seat and a card"),
        ("E 7 2 3 | D 9 K A | E7 D:", "step 2 'D:': expected a seat and a card"),
        ("E 7 2 3 | D 9 K A | \x1b[31m", "step 1 '\\x1b[31m': expected"),
        ("E 7 2 3 | D 9 K A | E٧", "step 1 'E٧': expected"),
        ("E7 " * 200, "expected at most 400 characters, got 600"),
    ],
)
def test_a_malformed_line_is_refused_with_the_place_and_the_form(line: str, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hand(line)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "cards", "says"),
    [
        ("cotton", "E 7 7 7 | D 7 7 A", "5 cards of rank 7, but the pack full52 has 4 of each"),
        ("cotton(pack=short32)", "E 8 2 3 | D 9 K A", "there is no 8 in the pack short32"),
        ("truc", "E 7 2 A | D 9 K A", "its ranks are 7 8 A K Q J T 9"),
        ("cotton", "E 7 2 X | D 9 K A", "cards of eldest: there is no X in the pack full52"),
    ],
)
def test_cards_the_pack_cannot_deal_are_refused(rules: str, cards: str, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        referee(find_ruleset(rules), parse_hand(f"{cards} | E:put"))
    assert says in str(caught.value)


def test_a_refused_step_is_named_with_the_reason_and_the_legal_choices() -> None:
    with pytest.raises(NotationError) as caught:
        referee(find_ruleset("cotton"), parse_hand("E 7 2 3 | D 9 K A | E7 D9 DK D:throw"))
    assert str(caught.value) == (
        "step 4 'D:throw': it is eldest's turn; eldest may put or reply with a card (2 3)."
    )


def test_an_unfinished_hand_says_whose_turn_it_is() -> None:
    with pytest.raises(NotationError) as caught:
        referee(find_ruleset("cotton"), parse_hand("E 7 2 3 | D 9 K A | E:put"))
    assert str(caught.value) == (
        "step 2 is missing: the hand is not over; dealer may see or throw."
    )


def test_a_score_no_hand_can_begin_with_is_refused() -> None:
    for score in ((5, 0), (0, -1)):
        with pytest.raises(UsageError, match="score: expected 0 to 4 points a side"):
            referee(find_ruleset("cotton"), parse_hand(LINE), score)
    with pytest.raises(UsageError, match=r"score: expected points of 2 sides .*, got 0-0-0"):
        referee(find_ruleset("cotton"), parse_hand(LINE), (0, 0, 0))


def test_a_hand_of_another_family_of_games_is_refused() -> None:
    with pytest.raises(NotationError, match=r"three-handed is played by A B C, .* cards of E D"):
        referee(find_ruleset("three-handed"), parse_hand(LINE))


def test_the_verdict_tells_every_step_in_words() -> None:
    verdict = referee(find_ruleset("cotton"), parse_hand(LINE))
    assert verdict.steps == (
        "eldest leads 7",
        "dealer replies with 9, higher: dealer takes trick 1 and leads on",
        "dealer puts: the game if seen, 1 point if not",
        "eldest sees: the hand is worth the game; dealer must lead",
        "dealer leads K",
        "eldest replies with 2, higher: eldest takes trick 2 and leads on",
        "eldest leads 3",
        "dealer replies with A, lower: eldest takes trick 3",
    )
    assert verdict.result == "eldest wins the game outright"
    assert verdict.points == 0


MANY_SEEN = "A 3 2 K | B 5 7 8 | C Q J 4 | A:put B:throw C:see A3 CQ A2 CJ"
MANY_DEAD = "A 5 5 K | B 4 4 8 | C Q 6 9 | A5 B8 CQ C6 A5 B:put C:throw A:see B4 AK B4"
MANY_TIED = "A 5 5 K | B 4 4 8 | C Q 5 9 | A5 B8 CQ C5 A5 B4 C9 AK B4"
PARTNERS = "0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:give 0:receive 3-J 0-4 33 02 3A 0K"
MISDEALT = "E 7 2 3 | D 9 K A 4 | D:gives:D E:draw:4 E7 D9 D:put E:throw"
SHOWN = "A 5 5 K | B 4 4 8 | C Q 6 9 | C:shows:B8 B:redeal"


@pytest.mark.parametrize(
    ("rules", "line", "told"),
    [
        ("truc-french", "E 7 9 T | D 8 T J | E7 D8 ET DT", "trick 2 is tied and counts for eldest"),
        (
            "truc-french",
            "E 9 7 T | D 9 8 J | E9 D9 E7 D8",
            "eldest takes trick 2 and the tie before it",
        ),
        ("truc", "E 9 7 T | D 9 8 J | E9 D9 E7 D8 ET DJ", "trick 1 is tied; eldest leads again"),
        ("hoyle", "E 5 7 9 | D K 8 6 | E5 DK E:throw", "eldest must put or throw"),
        ("hoyle", "E 5 7 9 | D K 8 6 | E:throw", "eldest throws unasked: 1 point to dealer"),
        ("truc", "E J 7 9 | D K 8 Q | E:put D:throw", "2 points if seen, 1 point if not"),
        ("three-handed", MANY_SEEN, "A puts: the game if seen, 1 point if nobody sees"),
        ("three-handed", MANY_SEEN, "B throws and is out of the hand"),
        ("three-handed", MANY_SEEN, "C sees: the hand is worth the game; A must lead"),
        ("three-handed", MANY_SEEN, "C replies with Q, lower: A takes trick 1 and leads on"),
        ("three-handed", MANY_DEAD, "B replies with 8, higher"),
        ("three-handed", MANY_DEAD, "A sees: the hand is worth the game; B must reply"),
        (
            "three-handed",
            "A K 9 6 | B 2 T 5 | C Q 4 7 | AK B:put C:see A:throw B2 CQ BT C4",
            "A throws and is out of the hand: the hand is worth the game; B must reply",
        ),
        ("three-handed", MANY_TIED, "A replies with 5, equal"),
        (
            "three-handed",
            MANY_DEAD,
            "B replies with 4, lower: the best card is C's, who threw: "
            "trick 2 is nobody's; A leads",
        ),
        ("four-handed", PARTNERS, "player 1 gives: A, his best card, passes to player 3"),
        ("four-handed", PARTNERS, "player 0 receives: 2, the best card of player 2, passes to him"),
        ("four-handed", PARTNERS, "player 3 lays out J"),
        ("four-handed", PARTNERS, "eldest's side takes trick 1; player 3 leads"),
        ("cotton(misdeals=1)", MISDEALT, "dealer gives himself four cards: 1 point to eldest"),
        ("cotton(misdeals=1)", MISDEALT, "eldest draws 4 from the four of dealer: it is out"),
        ("three-handed(misdeals=1)", SHOWN, "C exposes B's 8"),
        ("three-handed(misdeals=1)", SHOWN, "B wants new cards: C deals again"),
    ],
)
def test_the_verdict_tells_what_the_rule_set_makes_of_a_step(
    rules: str, line: str, told: str
) -> None:
    assert any(told in step for step in referee(find_ruleset(rules), parse_hand(line)).steps)


@pytest.mark.parametrize(
    ("rules", "line", "score", "result"),
    [
        ("cotton(misdeals=1)", "E 7 2 3 | D 9 K A 4 | D:gives:D", (4, 0),
         "eldest wins 1 point and with it the game"),
        ("cotton(misdeals=1)", MISDEALT, (0, 0),
         "dealer wins 1 point; 1 point to eldest by the Laws"),
        ("three-handed(misdeals=1)", SHOWN, (0, 0, 0), "redealt: the same dealer deals again"),
        ("three-handed", MANY_SEEN, (0, 0, 0), "A wins the game outright"),
        ("four-handed", PARTNERS, (4, 0), "eldest's side wins 1 point and with it the game"),
    ],
)  # fmt: skip
def test_the_result_is_told_in_words(
    rules: str, line: str, score: tuple[int, ...], result: str
) -> None:
    verdict = referee(find_ruleset(rules), parse_hand(line), score)
    assert verdict.result == result


def test_the_point_that_wins_the_game_by_the_laws_is_what_the_hand_pays() -> None:
    line = "E 7 2 3 | D 9 K A 4 | D:gives:D"
    verdict = referee(find_ruleset("cotton(misdeals=1)"), parse_hand(line), (4, 2))
    assert (verdict.ending, verdict.winner, verdict.points) == ("awarded", "eldest", 1)
    assert (verdict.law_points, verdict.score_after) == ((0, 0), (5, 2))


@given(st.data(), rule_sets())
def test_the_score_after_a_hand_adds_up(data: st.DataObject, rules: RuleSet) -> None:
    points = st.integers(0, rules.target - 1)
    before = data.draw(st.tuples(*[points] * rules.players))
    verdict = referee(rules, data.draw(legal_hands(rules, before)), before)
    beside = sum(verdict.law_points)
    assert beside == (verdict.misdeal == "four_own" and verdict.ending != "awarded")
    if verdict.anew:
        assert verdict.score_after == (0,) * rules.players
    else:
        assert sum(verdict.score_after) == sum(before) + verdict.points + beside
        assert (verdict.points >= 1) == (verdict.winner is not None and not verdict.outright)
    reached = rules.target in verdict.score_after
    assert (verdict.game_winner is not None) == (reached or verdict.outright)
    assert verdict.game_winner in (None, verdict.winner)


@given(st.data(), rule_sets())
def test_a_drawn_hand_never_scores(data: st.DataObject, rules: RuleSet) -> None:
    verdict = referee(rules, data.draw(legal_hands(rules)))
    assert (verdict.ending in ("drawn", "redealt")) == (verdict.winner is None)
    if verdict.winner is None:
        assert (verdict.points, verdict.game_winner) == (0, None)
        assert verdict.score_after == ((0,) * rules.players if verdict.anew else verdict.law_points)


@pytest.mark.parametrize(
    ("outcome", "score_after", "game_winner"),
    [
        (Outcome(Ending.TRICKS, ELDEST, 4), (12, 3), ELDEST),  # capped: 10 and 4 are 12
        (Outcome(Ending.TRICKS, DEALER, 4), (10, 7), NOBODY),
        (Outcome(Ending.TRICKS, DEALER, GAME), (10, 3), DEALER),
        (Outcome(Ending.DRAWN, NOBODY, 0), (10, 3), NOBODY),
        (Outcome(Ending.DRAWN, NOBODY, 0, anew=True), (0, 0), NOBODY),
    ],
)
def test_an_outcome_becomes_a_score_and_perhaps_a_game(
    outcome: Outcome, score_after: tuple[int, int], game_winner: int
) -> None:
    assert after(find_ruleset("truc"), (10, 3), outcome) == (score_after, game_winner)

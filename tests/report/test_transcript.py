"""Logged hands in words, of every family of games."""

from put_cli.report.logged import Logged
from put_cli.report.transcript import tell_logged
from put_cli.rules.finding import find_ruleset
from put_cli.rules.notation import Hand, parse_hand

TWO = parse_hand("E 5 7 9 | D K 8 6 | E:put D:throw")
MANY = parse_hand("A 5 7 9 | B K 8 6 | C Q J 4 | A:put B:throw C:throw")
PARTNERS = parse_hand("0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:give 0:keep 3-Q 33 0K 3A 08")


def logged(
    hand: Hand, names: tuple[str, ...], score: tuple[int, ...], ending: str, winner: str | None
) -> Logged:
    return Logged(
        number=7, leg=0, hand=hand, names=names, score=score, ending=ending, winner=winner
    )


def test_a_hand_of_two_names_eldest_and_dealer() -> None:
    told = logged(TWO, ("odds", "bold"), (4, 0), "thrown", "eldest")
    assert tell_logged(find_ruleset("cotton"), told) == [
        "Hand 7: odds is eldest, bold deals; score 4-0",
        "  E 5 7 9 | D K 8 6 | E:put D:throw",
        "  E:put    eldest puts: the game if seen, 1 point if not",
        "  D:throw  dealer throws: 1 point to eldest",
        "  eldest wins 1 point and with it the game",
    ]


def test_a_hand_of_more_names_everybody_by_his_letter() -> None:
    told = logged(MANY, ("odds", "bold", "fox"), (0, 1, 2), "thrown", "A")
    lines = tell_logged(find_ruleset("three-handed"), told)
    assert lines[0] == (
        "Hand 7: odds is A, bold is B, fox is C; odds is eldest, fox deals; score 0-1-2"
    )
    assert lines[-1] == "  A wins 1 point"


def test_a_hand_of_partners_names_the_sides_by_their_numbers() -> None:
    told = logged(PARTNERS, ("odds", "bold", "fox", "owl"), (0, 0), "tricks", "eldest")
    lines = tell_logged(find_ruleset("four-handed"), told)
    assert lines[0] == (
        "Hand 7: bold (1, eldest) and owl (3) against odds (0, deals) and fox (2); score 0-0"
    )
    assert "  3-Q      player 3 lays out Q" in lines
    assert lines[-1] == "  eldest's side wins 1 point"


def test_a_hand_dealt_again_is_told_as_such() -> None:
    hand = parse_hand("E 5 7 9 | D K 8 6 | D:shows:E5 E:redeal")
    told = logged(hand, ("odds", "bold"), (1, 1), "redealt", None)
    assert tell_logged(find_ruleset("cotton(misdeals=0.1)"), told)[-3:] == [
        "  D:shows:E5 dealer exposes eldest's 5",
        "  E:redeal   eldest wants new cards: dealer deals again",
        "  redealt: the same dealer deals again",
    ]


def test_a_forfeited_hand_is_not_refereed() -> None:
    fault = "  the hand was not finished: a fault; fox and owl win the game"
    two = logged(TWO, ("odds", "bold"), (0, 0), "forfeit", "dealer")
    assert tell_logged(find_ruleset("cotton"), two)[-1] == fault.replace(
        "fox and owl win", "bold wins"
    )
    pair = logged(PARTNERS, ("fox", "odds", "owl", "bold"), (0, 0), "forfeit", "dealer")
    assert tell_logged(find_ruleset("four-handed"), pair)[-1] == fault
    many = logged(MANY, ("odds", "bold", "fox"), (0, 0, 0), "forfeit", "B")
    assert tell_logged(find_ruleset("three-handed"), many)[-1] == fault.replace(
        "fox and owl win", "bold wins"
    )


def test_where_log_and_rules_disagree_the_transcript_says_so() -> None:
    told = logged(TWO, ("odds", "bold"), (0, 0), "tricks", "dealer")
    assert tell_logged(find_ruleset("cotton"), told)[-1] == (
        "  the log says otherwise: tricks, winner dealer"
    )
    broken = logged(TWO, ("odds", "bold"), (0, 0), "thrown", "eldest")
    assert "the log breaks the rules here" in tell_logged(find_ruleset("plain"), broken)[-1]

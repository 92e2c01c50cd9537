"""Whole deals in notation, refereed: those of the rules, and what may not be."""

from pathlib import Path

import pytest

from put_cli.errors import NotationError
from put_cli.speculation.notation import parse
from put_cli.speculation.referee import referee
from put_cli.speculation.rules import Speculation

VECTORS = Path(__file__).parent / "vectors"


def vectors(name: str) -> list[tuple[str, str]]:
    """Lines of a file in two parts, the line and what is expected of it."""
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line and not line.startswith("#")]
    assert len(found) >= 3, f"{name} holds no vectors"
    return [(left.strip(), right.strip()) for left, right in (x.split("=>") for x in found)]


@pytest.mark.parametrize(("line", "expected"), vectors("deals.txt"))
def test_a_deal_comes_to_what_the_rules_say(line: str, expected: str) -> None:
    assert referee(Speculation(), parse(line)).result == expected


@pytest.mark.parametrize(("line", "expected"), vectors("spare-hand.txt"))
def test_a_deal_with_a_spare_hand_comes_to_what_the_rules_say(line: str, expected: str) -> None:
    assert referee(Speculation(spare_hand=True), parse(line)).result == expected


@pytest.mark.parametrize(("line", "expected"), vectors("illegal.txt"))
def test_what_breaks_a_rule_is_refused_with_the_step_and_what_was_expected(
    line: str, expected: str
) -> None:
    with pytest.raises(NotationError) as refused:
        referee(Speculation(), parse(line))
    assert expected in str(refused.value)


@pytest.mark.parametrize(("line", "_expected"), vectors("deals.txt"))
def test_a_line_is_written_as_it_was_read(line: str, _expected: str) -> None:
    assert str(parse(line)).strip() == line


def test_without_the_presale_the_dealer_may_not_offer_the_turn_up() -> None:
    line = parse("A 2c 8d Jc | B Qh 5d 6c | C 9s Ks 3h | up As | A:presell B:bid:2 A:sell")
    with pytest.raises(NotationError, match="step 1 'A:presell': the deal is over"):
        referee(Speculation(presale=False), line)


def test_an_offer_of_a_part_is_refused_where_only_whole_hands_are_sold() -> None:
    line = parse("A 2c 8d Jc | B Qh 5d 6c | C 9s Ks 3h | up 7s | B:offer:1")
    with pytest.raises(NotationError, match="offer: expected 0 or 3, got 1"):
        referee(Speculation(unseen="hand"), line)


def test_who_told_the_whole_deal_hears_it_in_words() -> None:
    line = parse(
        "A 2c 8d Jc | B Qh 5d 6c | C 9s Ks 3h | up 7s | "
        "BQh C9s A:bid:3 C:sell B5d CKs A2c B6c A8d AJc C3h"
    )
    told = referee(Speculation(), line).steps
    assert told[2:9] == (
        "A antes 4",
        "7s is turned up: spades are trumps",
        "B turns Qh",
        "C turns 9s, a better trump",
        "A bids 3",
        "C sells to A for 3",
        "B turns 5d",
    )
    assert told[-1] == "C takes the pool of 10"

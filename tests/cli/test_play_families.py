"""`put play` at a terminal with partners, with three players, and with a dealer who errs."""

import re
from pathlib import Path
from typing import Any

import pytest

from put_cli.log import manifest
from put_cli.report.logged import logged
from put_cli.rules.referee import referee
from put_cli.tournament.finding import find_game
from tests.cli.conftest import Put
from tests.cli.sittings import STYLE, Sitting

pytestmark = pytest.mark.usefixtures("at_a_table")


def answer(cards: list[str], offered: str) -> str:
    """Sees every put, plays the best card, receives gifts, lays out the worst, draws from four."""
    if "lay out" in offered:
        return cards[-2]
    if "card" in offered:
        return cards[0]
    words = offered.split(" or ")
    return next((word for word in ("see", "receive", "stand", "draw") if word in words), words[0])


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rules", "three-handed", "--against", "bold", "--against", "odds"), "out of the hand"),
        (("--rules", "four-handed", "--partner", "thrifty"), "Your partner (gives|receives)"),
        (
            (
                "--rules",
                "cotton(misdeals=1)",
            ),
            "lets? the deal stand",
        ),
    ],
)
def test_a_match_at_a_terminal_is_logged_as_the_referee_would_have_it(
    arguments: tuple[str, ...], says: str, sittings: list[Any], put: Put
) -> None:
    sitting = Sitting(*arguments, "--games", "3", "--seed", "6", "--out", "run")
    sittings.append(sitting)
    turns = 0
    while turns < 400 and (prompt := sitting.prompted()):
        sitting.type(f"{answer(prompt[1].split(), prompt[2])}\n" if turns else "?\n")
        turns += 1
    assert sitting.code() == 0
    assert turns > 5
    told = " ".join(STYLE.sub("", sitting.out).replace("\0", "").split())
    assert re.search(says, told)
    assert re.search("Games won: (you|your side) \\d, ", told)

    made = manifest.read(Path("run"))
    checked = 0
    for number in range(3):
        game, hands = find_game(made, 0, 0, 0, number)
        assert game["how"] != "forfeit"
        for row in hands:
            hand = logged(made.rules, row)
            verdict = referee(made.rules, hand.hand, hand.score)
            assert (verdict.winner, verdict.ending) == (hand.winner, hand.ending)
            checked += 1
        assert "the log" not in put("replay", "run", "--game", f"0/0/0/{number}").out
    assert checked >= 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--partner", "bold"), "--partner: nobody has a partner in cotton."),
        (("--against", "bold", "--against", "odds"), "--against: cotton has one other side, got 2"),
        (("--against", "bold+odds"), "is a team, and in this game nobody has a partner"),
        (
            ("--rules", "cotton(players=4)", "--against", "bold", "--against", "odds"),
            "cotton(players=4) is played against 3, so expected it once or 3 times, got 2.",
        ),
        (("--rules", "four-handed", "--partner", "bodl"), "Did you mean 'bold'?"),
    ],
)
def test_a_table_that_cannot_be_is_one_line_and_exit_code_2(
    put: Put, arguments: tuple[str, ...], says: str
) -> None:
    result = put("play", *arguments)
    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert result.err.count("\n") == 1
    assert not Path("runs").exists()

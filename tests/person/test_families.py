"""A person with a partner, among several, and at a table whose dealer errs."""

import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from put_cli.log import manifest
from put_cli.person import match
from put_cli.person.player import NAME
from put_cli.tournament.finding import find_game
from tests.person.tables import person, sit
from tests.person.test_hand import acts, anything, expected
from tests.person.test_match import MOODY, log


def players(run: Path) -> list[str]:
    """The sides of a run."""
    return manifest.read(run).names


@pytest.mark.parametrize(
    ("rules", "against", "partner", "sides"),
    [
        ("three-handed", ["bold"], None, [NAME, "bold", "bold#2"]),
        ("three-handed", ["bold", "odds"], None, [NAME, "bold", "odds"]),
        ("cotton(players=4)", ["odds", "bold", "odds"], None, [NAME, "odds", "bold", "odds#2"]),
        ("four-handed", ["bold"], None, [f"{NAME}+bold", "bold"]),
        ("four-handed", ["bold"], "thrifty", [f"{NAME}+thrifty", "bold"]),
        ("four-handed", ["bold+odds"], None, [f"{NAME}+bold", "bold+odds"]),
    ],
)
def test_everybody_has_a_chair_and_a_name_in_the_log(
    rules: str, against: list[str], partner: str | None, sides: list[str], tmp_path: Path
) -> None:
    prepared, talk = sit(tmp_path, anything(2), against=against, partner=partner, rules=rules)
    met = match.play(prepared)
    assert players(tmp_path) == sides
    assert (met.left, met.faults) == (False, 0)
    assert met.finished is not None
    if "odds" in against[0]:
        assert any("odds on your right" in line for line in talk.said) == ("+" in against[0])


def explained(tmp_path: Path, rules: str, place: str) -> str:
    """Everything that `?` says where the prompt begins so."""
    asked, answer = count(), anything(5)

    def curious(cards: str, prompt: str) -> str | None:
        if not prompt.startswith(place):
            return str(answer(cards, prompt))
        turn = next(asked)
        if turn == 40:
            return None
        return str(answer(cards, prompt)) if turn % 2 else "?"

    prepared, talk = sit(tmp_path, curious, against="random", rules=rules, games=50)
    match.play(prepared)
    return "\n".join(talk.said)


@pytest.mark.parametrize(
    ("rules", "place", "says"),
    [
        ("four-handed", "gift", r"\ngive    you give: \w, your best card, passes to your partner"),
        ("four-handed", "gift", r"\nreceive you receive: the best card of your partner passes to"),
        ("four-handed", "lay-out", r"one of the four goes out of play\..*\n\w       you lay out"),
        ("four-handed", "trick", r"tricks: your side \d, the other side \d\."),
        ("cotton(misdeals=1)", "deal: stand", r"\nstand   you let the deal stand"),
        ("cotton(misdeals=1)", "deal: redeal or draw", r"\ndraw    you draw a card from "),
        ("three-handed", "trick", r"tricks: you \d, random \d, random#2 \d"),
        ("three-handed", "trick 2", r"Out of it: random(#2)?\."),
    ],
)
def test_a_question_mark_explains_every_situation(
    rules: str, place: str, says: str, tmp_path: Path
) -> None:
    assert re.search(says, explained(tmp_path, rules, place))


def test_a_captain_hears_nothing_of_the_others_choice_before_his_own(tmp_path: Path) -> None:
    do, second = anything(6), 0

    def answer(cards: str, prompt: str) -> str:
        nonlocal second
        if prompt.startswith("gift"):
            heading = max(n for n, line in enumerate(talk.said) if line.startswith("Game "))
            told = talk.said[heading + 1 :]
            assert not any(re.search("gives|receives|keeps", line) for line in told)
            second += "keep" in prompt
        return str(do(cards, prompt))

    prepared, talk = sit(tmp_path, answer, against="random", rules="four-handed", games=20)
    met = match.play(prepared)
    assert (met.left, second > 3) == (False, True)


def test_no_card_is_named_that_is_not_the_persons_or_on_the_table(tmp_path: Path) -> None:
    prepared, talk = sit(tmp_path, anything(7), against="random", rules="four-handed", games=20)
    match.play(prepared)
    others = [line for line in talk.told if not line.startswith("You ")]
    assert sum("lays out a card" in line for line in others) > 5
    assert not any(re.search(r"lays out \w\b(?! card)|: \w, ", line) for line in others)


@pytest.mark.parametrize("decisions", [1, 2, 3, 9, 31])
def test_leaving_keeps_what_was_chosen_before_the_tricks(decisions: int, tmp_path: Path) -> None:
    rules = "four-handed(misdeals=0.5)"
    (tmp_path / "moody.py").write_text(MOODY)
    left, do = count(), anything(8)

    def answer(cards: str, prompt: str) -> Any:
        return do(cards, prompt) if next(left) < decisions else None

    moody = str(tmp_path / "moody.py")
    prepared, talk = sit(
        tmp_path / "run", answer, against="random", partner=moody, rules=rules, games=1000
    )
    speech = person(prepared).speech
    met = match.play(prepared)
    assert (met.left, met.broken) == (True, None)
    games, hands = log(tmp_path / "run")
    if met.forfeited:
        assert (games[-1]["how"], games[-1]["fault_reason"]) == ("forfeit", "left the table")
    made = manifest.read(tmp_path / "run")
    finished = [row for game in hands for row in game if row["ending"] != "forfeit"]
    lines = [line for row in finished for line in expected(made.rules, row, made.names, speech)]
    assert acts(talk)[: len(lines)] == lines


def test_one_of_several_may_fail_and_the_game_goes_to_whom_the_log_says(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "from put_cli import Strategy\n\n\nclass Broken(Strategy):\n"
        "    def act(self, view):\n        raise ValueError('no idea')\n"
    )
    broken = str(tmp_path / "broken.py")
    prepared, talk = sit(
        tmp_path / "run", anything(1), against=["odds", broken], rules="three-handed", games=3
    )
    met = match.play(prepared)
    made = manifest.read(tmp_path / "run")
    winners = [find_game(made, 0, 0, 0, game)[0]["winner"] for game in range(3)]
    assert met.faults > 0
    assert winners.count(NAME) == met.course.games_won
    assert sum("broken has failed and forfeits." in line for line in talk.said) == met.faults

"""A match with a person in it: what is kept when it ends, is left, or goes wrong."""

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from put_cli.errors import UsageError
from put_cli.log import manifest, reader
from put_cli.person import match
from put_cli.person.player import NAME
from put_cli.tournament.finding import find_game
from put_cli.tournament.outcome import rate
from tests.person.tables import Answer, person, sit
from tests.tournament.runs import LEARNER

MOODY = '''
import random

from put_cli import PUT, SEE, THROW, Strategy
from put_cli.strategy import Player


LUCK = random.Random(7)


class Moods(Player):
    """Has chance of its own, and gets upset."""

    def act(self, view):
        if view.asked:
            return LUCK.choice([SEE, THROW])
        if view.may_put and LUCK.random() < 0.3:
            return PUT
        return LUCK.choice([card for card in view.cards if card])

    def hand_over(self, record):
        if LUCK.random() < 0.02:
            raise ValueError("upset")


class Moody(Strategy):
    """Never plays the same game twice."""

    def begin_match(self, match):
        return Moods()
'''

SULKY = '''
from put_cli import SEE, Strategy
from put_cli.strategy import Player


class Sulk(Player):
    upsets = 0

    def act(self, view):
        return SEE if view.asked else view.lowest

    def hand_over(self, record):
        self.upsets += 1
        raise ValueError(f"upset {self.upsets}")


class Sulky(Strategy):
    """Takes no hand well."""

    def begin_match(self, match):
        return Sulk()
'''

BROKEN = '''
from put_cli import Strategy


class Broken(Strategy):
    """Fails when it is asked."""

    def act(self, view):
        raise ValueError("no idea")
'''


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """Strategies in files."""
    texts = {"moody": MOODY, "sulky": SULKY, "broken": BROKEN, "learner": LEARNER}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return {name: str(tmp_path / f"{name}.py") for name in texts}


def worst(cards: str, prompt: str) -> str:
    """Plays the worst card, sees every put, and never puts unless made to."""
    if "see" in prompt:
        return "see"
    return cards.split()[-1] if "card" in prompt else "put"


def leaving_after(decisions: int, leave: Callable[[], str | None] = lambda: None) -> Answer:
    """`worst` for so many decisions, then `leave`."""
    left: Iterator[Any] = chain(repeat(worst, decisions), repeat(lambda _cards, _prompt: leave()))
    return lambda cards, prompt: next(left)(cards, prompt)


def log(run: Path) -> tuple[list[dict[str, Any]], list[list[dict[str, Any]]]]:
    """The games of a run, and the hands of each."""
    found = [
        find_game(manifest.read(run), 0, 0, 0, game)
        for game in range(manifest.read(run).rounds[0]["games"])
    ]
    return [game for game, _ in found], [hands for _, hands in found]


def test_a_match_is_a_run_of_one_pairing_in_the_format_of_any_other(tmp_path: Path) -> None:
    prepared, talk = sit(tmp_path, worst, against="threshold(level=8.5)", games=3)
    met = match.play(prepared)
    assert not met.left
    made = manifest.read(tmp_path)
    assert made.names == [NAME, "threshold(level=8.5)"]
    assert made.strategies[0]["memory"] is True
    games, hands = log(tmp_path)
    assert [game["winner"] == NAME for game in games].count(True) == met.course.games_won
    assert sum(map(len, hands)) == rate(tmp_path).hands
    assert {row["eldest"] for row in hands[0]} <= set(made.names)
    assert talk.said[-1].endswith("of 3.")


def test_leaving_in_mid_game_forfeits_that_game_and_keeps_everything_before(
    tmp_path: Path,
) -> None:
    whole, _ = sit(tmp_path / "whole", worst, against="thrifty", games=5)
    match.play(whole)
    all_games, all_hands = log(tmp_path / "whole")
    left, _ = sit(tmp_path / "left", leaving_after(40), against="thrifty", games=5)
    met = match.play(left)
    games, hands = log(tmp_path / "left")
    assert (met.left, met.forfeited, met.interrupted, met.faults) == (True, True, False, 0)
    assert 1 < len(games) < 5
    assert games[:-1] == all_games[: len(games) - 1]
    assert hands[:-1] == all_hands[: len(games) - 1]
    last = games[-1]
    assert (last["how"], last["winner"], last["fault_reason"]) == (
        "forfeit",
        "thrifty",
        "left the table",
    )
    assert hands[-1][:-1] == all_hands[len(games) - 1][: len(hands[-1]) - 1]
    assert hands[-1][-1]["ending"] == "forfeit"
    footers = reader.committed(manifest.read(left.run))
    assert list(footers) == [0]


def test_one_decision_makes_a_game_that_is_kept(tmp_path: Path) -> None:
    prepared, _ = sit(tmp_path, leaving_after(1), against="thrifty", games=2)
    match.play(prepared)
    [game], [[hand]] = log(tmp_path)
    assert (game["how"], hand["ending"]) == ("forfeit", "forfeit")
    mine = "eldest" if hand["eldest"] == NAME else "dealer"
    played = hand["lead1" if mine == "eldest" else "reply1"]
    assert played == hand[f"{mine}_cards"].split()[-1]


def test_leaving_between_games_forfeits_nothing(tmp_path: Path) -> None:
    finished: list[int] = []

    def answer(cards: str, prompt: str) -> str | None:
        finished.append(course.games_over)
        return None if course.games_over else worst(cards, prompt)

    prepared, _ = sit(tmp_path, answer, against="bold", games=4)
    course = person(prepared).course
    met = match.play(prepared)
    games, _ = log(tmp_path)
    assert finished[-1] == 1
    assert (met.left, met.forfeited, len(games)) == (True, False, 1)
    assert games[0]["how"] != "forfeit"


def test_one_who_leaves_before_anything_is_played_keeps_nothing(tmp_path: Path) -> None:
    prepared, _ = sit(tmp_path, lambda _cards, _prompt: None, against="bold")
    met = match.play(prepared)
    assert (met.finished, met.left, met.forfeited) == (None, True, False)
    assert not list(tmp_path.glob("*/part-*"))


def interrupt() -> str:
    raise KeyboardInterrupt


def test_an_interrupt_keeps_what_was_played_too(tmp_path: Path) -> None:
    prepared, _ = sit(tmp_path, leaving_after(6, interrupt), against="thrifty", games=3)
    met = match.play(prepared)
    assert (met.left, met.interrupted, met.forfeited) == (True, True, True)
    assert log(tmp_path)[0][-1]["fault_by"] == NAME


def test_a_terminal_that_fails_is_no_fault_of_play_but_the_end_of_the_match(
    tmp_path: Path,
) -> None:
    def fail() -> str:
        raise OSError("gone")

    prepared, _ = sit(tmp_path, leaving_after(6, fail), against="thrifty", games=3)
    met = match.play(prepared)
    assert (met.left, str(met.broken)) == (True, "gone")
    assert log(tmp_path)[0][-1]["fault_reason"] == "left the table"


@pytest.mark.parametrize("decisions", [3, 10, 40])
def test_what_was_played_with_a_player_of_its_own_chance_is_kept_as_it_was(
    decisions: int, own: dict[str, str], tmp_path: Path
) -> None:
    prepared, talk = sit(
        tmp_path / "run", leaving_after(decisions), against=own["moody"], games=1000
    )
    match.play(prepared)
    games, hands = log(tmp_path / "run")
    headers = [line for line in talk.said if line.startswith("Game ")]
    scores = [
        (row["eldest_score"], row["dealer_score"])[:: 1 if row["eldest"] == NAME else -1]
        for row in chain(*hands)
    ]
    assert [f"You {mine}, moody {theirs}." for mine, theirs in scores] == [
        header.partition(". ")[2].partition(". ")[2] for header in headers[: len(scores)]
    ]
    assert len(headers) - len(scores) in (0, 1)
    assert [game["winner"] for game in games].count(NAME) == sum(
        ("You win" in line and "the game" in line) or "failed" in line for line in talk.said
    )


def test_a_player_that_learns_hears_of_every_hand(own: dict[str, str], tmp_path: Path) -> None:
    answers: list[list[Any]] = []
    for out in ("one", "two"):
        prepared, _ = sit(tmp_path / out, worst, against=own["learner"], games=3, seed=8)
        match.play(prepared)
        answers.append(log(tmp_path / out)[1])
    assert answers[0] == answers[1]
    words = " ".join(row["words"] for row in chain(*answers[0]))
    assert "put" in words  # it puts only once it has lost a hand


def test_an_opponent_that_broke_down_between_hands_fails_as_in_any_run(
    own: dict[str, str], tmp_path: Path
) -> None:
    prepared, _ = sit(tmp_path / "run", worst, against=own["sulky"], games=3)
    match.play(prepared)
    person_lost = [game for game in log(tmp_path / "run")[0] if game["winner"] != NAME]
    reasons = {game["fault_reason"] for game in log(tmp_path / "run")[0]}
    assert (person_lost, reasons) == ([], {"raised ValueError: upset 1"})


def test_an_opponent_that_fails_loses_the_game_and_the_person_is_told(
    own: dict[str, str], tmp_path: Path
) -> None:
    prepared, talk = sit(tmp_path / "run", worst, against=own["broken"], games=2)
    met = match.play(prepared)
    assert (met.faults, met.left, met.course.games_won) == (2, False, 2)
    assert talk.said.count("broken has failed and forfeits. You win the game.") == 2


def test_a_rubber_is_counted_by_its_games(tmp_path: Path) -> None:
    prepared, talk = sit(tmp_path, worst, against="bold", rules="truc", games=2)
    met = match.play(prepared)
    games, hands = log(tmp_path)
    assert met.course.games_over == 2
    assert sum("the rubber, 2-" in line for line in talk.said) == 2
    assert sum(" hand 1." in line for line in talk.said) == 2
    assert sum("games of the rubber" in line for line in talk.said) == len([*chain(*hands)])
    assert [game["winner"] for game in games].count(NAME) == met.course.games_won


def test_the_opponent_cannot_have_the_name_of_the_person(tmp_path: Path) -> None:
    (tmp_path / "human.py").write_text(BROKEN)
    with pytest.raises(UsageError, match="the log calls the person"):
        sit(tmp_path / "run", worst, against=str(tmp_path / "human.py"))
    assert not (tmp_path / "run").exists()

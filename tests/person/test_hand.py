"""What a seat is told of a hand agrees with the rules, the engine and the log."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from put_cli.engine.players import is_legal
from put_cli.log import manifest
from put_cli.person import match
from put_cli.person.hand import KnownHand
from put_cli.report.transcript import hand_of
from put_cli.rules.machine import SEATS, Machine, walk
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import BUILT_IN, find_ruleset
from put_cli.rules.telling import tell
from put_cli.strategy import PUT, SEE, THROW, View
from put_cli.tournament.run import find_game
from tests.legal_play import VARIANTS
from tests.person.tables import sit

RULES = (*BUILT_IN, *VARIANTS)
GAMES = 12


def anything(seed: int) -> Any:
    """A person who does anything that is offered, in full words and capital ranks."""
    luck = random.Random(seed)

    def answer(cards: str, prompt: str) -> str:
        offered = [word for word in ("put", "see", "throw") if word in prompt.split(":")[1]]
        return luck.choice(offered + (2 * cards.split() if "card" in prompt else []))

    return answer


@pytest.mark.parametrize("rules", RULES)
def test_every_hand_is_told_act_by_act_as_the_referee_tells_the_log(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    see = KnownHand.see

    def see_and_compare(hand: KnownHand, view: View) -> list[str]:
        nonlocal compared
        told = see(hand, view)
        actions = [*range(1, view.top + 1), PUT, SEE, THROW]
        assert set(hand.legal) == {action for action in actions if is_legal(view, action)}
        assert hand.held == [card for card in view.cards if card]
        compared += 1
        return told

    monkeypatch.setattr(KnownHand, "see", see_and_compare)
    prepared, talk = sit(tmp_path / "run", anything(3), against="random", rules=rules, games=GAMES)
    met = match.play(prepared)
    assert met.finished is not None
    assert (met.finished.faults, met.left) == (0, False)
    assert compared > 20

    expected = []
    made = manifest.read(tmp_path / "run")
    for game in range(GAMES):
        for row in find_game(made, 0, 0, 0, game)[1]:
            score = (row["eldest_score"], row["dealer_score"])
            steps = referee(made.rules, hand_of(row), score).steps
            seat = KnownHand(
                made.rules, is_dealer=row["dealer"] == "human", cards=(), name="random"
            )
            expected += map(seat.addressed, steps)
    acts = [line for line in talk.said if re.match(_ACT, line)]
    assert [line[0].lower() + line[1:] for line in acts] == expected


_ACT = "(You|random) (put|see|throw|lead|repl)"


@pytest.mark.parametrize("rules", ["cotton", "enquire", "truc", "parlett"])
def test_the_score_told_after_a_hand_is_the_score_before_the_next(
    rules: str, tmp_path: Path
) -> None:
    prepared, talk = sit(tmp_path / "run", anything(4), against="random", rules=rules, games=GAMES)
    match.play(prepared)
    compared = 0
    before = "you 0, random 0"
    for line in talk.said:
        if header := re.match(r"Game \d+, hand (\d+)\. .*\. You (\d+, random \d+)", line):
            assert header[2] == before.removeprefix("you ")
            compared += header[1] != "1"
        elif result := re.match(r"(?:Drawn|You win|random wins).*(you \d+, random \d+)\.$", line):
            before = result[1]
        if re.search("the game( outright)?[.:]", line):
            before = "you 0, random 0"
    assert compared > GAMES


@pytest.mark.parametrize("rules", RULES)
def test_whatever_is_told_is_told_to_you_in_good_english(rules: str) -> None:
    machine = Machine(find_ruleset(rules))
    told = {
        tell(machine, state, act, "K") for state in walk(machine) for act in machine.legal(state)
    }
    for is_dealer in (False, True):
        hand = KnownHand(machine.rules, is_dealer=is_dealer, cards=(), name="Fox")
        mine, theirs = SEATS[is_dealer], SEATS[not is_dealer]
        for sentence in told:
            said = hand.addressed(sentence)
            assert len(re.findall(r"\byou\b", said)) == len(re.findall(mine, sentence))
            assert len(re.findall(r"\bFox\b", said)) == len(re.findall(theirs, sentence))
            assert not re.search(r"\byou \w+s\b|\bFox (put|see|throw|lead|reply|take)\b", said)
            if said.endswith(" on"):
                subject = "you take" in said.partition(":")[2]
                assert said.endswith("and lead on" if subject else "and leads on")


def test_a_sentence_names_the_opponent_and_says_you() -> None:
    hand = KnownHand(find_ruleset("cotton"), is_dealer=True, cards=(), name="Fox\x1b[1m")
    sentence = "eldest replies with 9, lower: dealer takes trick 2 and leads on"
    assert hand.addressed(sentence) == (
        "Fox\\x1b[1m replies with 9, lower: you take trick 2 and lead on"
    )

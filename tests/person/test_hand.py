"""What a person is told of a hand agrees with the rules, the engine and the log."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from put_cli.engine.asking import legal_actions
from put_cli.log import manifest
from put_cli.person import match
from put_cli.person.hand import ACTS, KnownHand
from put_cli.person.speech import ME, Speech, capital, mark
from put_cli.report.logged import Logged, logged
from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.machine import Machine, Stage, walk
from put_cli.rules.notation import LAY_OUT
from put_cli.rules.play import Play
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.telling import tell
from put_cli.strategy import View
from put_cli.tournament.finding import find_game
from tests.legal_play import VARIANTS
from tests.person.tables import Talk, person, sit

GAMES = 12

RULES = (*BUILT_IN, *VARIANTS, "cotton(players=4, later_lead=none)")

CHOICES = ("give", "receive", "keep")

METHODS = {
    Stage.TRICKS: "act",
    Stage.RULING: "misdeal",
    Stage.CHOOSING: "gift",
    Stage.LAYING_OUT: "lay_out",
}


def anything(seed: int) -> Any:
    """A person who does anything that is offered, in full words and capital ranks."""
    luck = random.Random(seed)
    words = {act.name.lower() for act in ACTS.values()}

    def answer(cards: str, prompt: str) -> str:
        offered = [word for word in prompt.partition(": ")[2].split(" or ") if word in words]
        return luck.choice(offered + (2 * cards.split() if "a card" in prompt else []))

    return answer


def chairs(rules: RuleSet, told: Logged, row: Any, names: list[str]) -> list[int]:
    """The chair of everybody in a hand, in the order of its letters."""
    if rules.partners:
        return [(row["dealer_chair"] + place) % 4 for place in range(4)]
    return [names.index(name) for name in told.names]


def in_public(told: str) -> str:
    """What an act of others, or a draw, is to everybody: no rank."""
    told = re.sub(r": \w, his best card, passes", ": his best card passes", told)
    told = re.sub(r": \w, (the best card of @\d), passes", r": \1 passes", told)
    told = re.sub(r"lays out \w", "lays out a card", told)
    return re.sub(r"draws \w from", "draws a card from", told)


def expected(rules: RuleSet, row: Any, names: list[str], speech: Speech) -> list[str]:
    """A hand of the log as the referee plays it, with what a player may not know left out."""
    hand = logged(rules, row)
    seated = chairs(rules, hand, row, names)
    play = Play(rules, hand.hand, hand.score)
    play._names = tuple(map(mark, seated))
    play.machine.names = tuple(mark(seated[place] % rules.players) for place in play.players)
    lines, later = [], []
    for step in hand.hand.steps:
        told = play.take(step)
        mine = seated[step.seat] == ME
        shows = mine and (step.word in ("give", LAY_OUT))
        line = told if step.plays or shows else in_public(told)
        # Nobody hears what the other captain says before he has chosen himself.
        (later if step.word in CHOICES and not mine else lines).append(line)
        if play.state.stage is not Stage.CHOOSING:
            lines += later
            later = []
    return [capital(speech.said(line)) for line in lines]


def acts(talk: Talk) -> list[str]:
    """What was told, without what follows from it."""
    extra = re.compile("The card drawn is|.* plays? against ")
    return [line for line in talk.told if not extra.match(line)]


@pytest.mark.parametrize("rules", RULES)
def test_every_hand_is_told_act_by_act_as_the_referee_tells_the_log(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    see = KnownHand.see

    def see_and_compare(hand: KnownHand, view: View, chair: int = ME) -> list[str]:
        nonlocal compared
        told = see(hand, view, chair)
        if chair == ME:
            legal = legal_actions(view, METHODS[hand.state.stage])
            assert sorted(hand.legal) == sorted(legal)
            assert hand.held == [card for card in (*view.cards, view.fourth) if card]
            compared += 1
        return told

    monkeypatch.setattr(KnownHand, "see", see_and_compare)
    found = find_ruleset(rules)
    prepared, talk = sit(tmp_path / "run", anything(3), against="random", rules=rules, games=GAMES)
    speech = person(prepared).speech
    met = match.play(prepared)
    assert met.finished is not None
    assert met.broken is None
    assert (met.finished.faults, met.left) == (0, False)
    assert compared > 20

    made = manifest.read(tmp_path / "run")
    lines, headings = [], []
    for game in range(GAMES):
        for row in find_game(made, 0, 0, 0, game)[1]:
            lines += expected(made.rules, row, made.names, speech)
            told = logged(made.rules, row)
            seats = chairs(made.rules, told, row, made.names)
            dealer = 0 if found.partners else -1
            scores = list(told.score)
            sides = [seats[1] % 2, seats[0] % 2] if found.partners else seats
            by_side = sorted(zip(sides, scores, strict=True))
            score = ", ".join(f"{speech.sides[side]} {n}" for side, n in by_side)
            headings.append((game + 1, told.number + 1, seats[dealer], capital(score)))
    assert acts(talk) == lines
    said = [line for line in talk.said if line.startswith("Game ")]
    assert len(said) == len(headings)
    for line, (game, number, dealer, score) in zip(said, headings, strict=True):
        if dealer == ME:
            deals = "You deal"
        elif found.chairs == 2:
            deals = "You are eldest"
        else:
            deals = f"(?:You are eldest. )?{capital(speech.people[dealer])} deals"
        score = re.escape(score)
        assert re.match(rf"Game {game}, hand {number}\. {deals}\. {score}[ .]", line)


@pytest.mark.parametrize("rules", ["cotton", "enquire", "truc", "parlett", "cotton(misdeals=1)"])
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
        elif result := re.match(
            r"(?:Drawn|You win|random wins|Nothing).*(you \d+, random \d+)\.$", line
        ):
            before = result[1]
        if "with it the game" in line or "the game outright" in line:
            before = "you 0, random 0"
    assert compared > GAMES


@pytest.mark.parametrize("rules", ["cotton", "truc", "hoyle", "four-handed", "three-handed"])
def test_whatever_is_told_is_told_to_you_in_good_english(rules: str) -> None:
    machine = Machine(find_ruleset(rules))
    seats = range(machine.seats)
    for me in seats:
        names = [mark((seat - me) % machine.seats) for seat in seats]
        machine.names = tuple(names)
        others = ["Fox", "Hen", "Owl"] if machine.rules.partners else ["Fox", "Hen"]
        speech = Speech(machine.rules, others[: machine.rules.chairs - 1])
        for state in walk(machine):
            if state.stage is not Stage.TRICKS:
                continue
            for act in machine.legal(state):
                said = speech.said(tell(machine, state, act, "A", names))
                assert "@" not in said
                assert not re.search(
                    r"\byou (?!must)\w+s\b|\b(Fox|Hen) (put|see|lead|take)\b", said
                )
                assert not re.search(r"\byou is\b|\byou'|\byour, ", said)


def test_a_sentence_names_the_others_and_says_you() -> None:
    speech = Speech(find_ruleset("cotton"), ["Fox\x1b[1m"])
    sentence = "@1 replies with 9, lower: @0 takes trick 2 and leads on"
    assert speech.said(sentence) == (
        "Fox\\x1b[1m replies with 9, lower: you take trick 2 and lead on"
    )


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("@0 exposes his own K and must stand", "you expose your own K and must stand"),
        ("@1 exposes @0's K", "Fox on your left exposes your K"),
        ("@0 gives himself four cards", "you give yourself four cards"),
        ("@0 draws K from the four of @2", "you draw K from the four of your partner"),
        ("@0 throws and is out of the hand", "you throw and are out of the hand"),
        ("the best card is @0's, who threw", "the best card is yours, who threw"),
        ("@1's side takes trick 1; @2 leads", "the other side takes trick 1; your partner leads"),
        (
            "@2 receives: the best card of @0 passes to him",
            "your partner receives: the best card of yours passes to him",
        ),
        (
            "@0 receives: the best card of @2 passes to him",
            "you receive: the best card of your partner passes to you",
        ),
    ],
)
def test_pronouns_and_possessives_are_yours(told: str, said: str) -> None:
    speech = Speech(find_ruleset("four-handed"), ["Fox", "Hen", "Owl"])
    assert speech.said(told) == said

"""`put rules`."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from put_cli.cli import rules as rules_command
from put_cli.rules import explain
from put_cli.rules.explain import WIDTH
from put_cli.rules.finding import BUILT_IN, built_in
from put_cli.rules.machine import Machine, State, walk
from put_cli.rules.ruleset import RuleSet, knob_help
from tests.cli.conftest import Put


def test_the_list_names_every_rule_set_with_its_title_and_a_summary(put: Put) -> None:
    result = put("rules")
    assert (result.code, result.err) == (0, "")
    for name in BUILT_IN:
        assert f"{name} " in result.out
        assert built_in(name).title in result.out
    text = " ".join(result.out.split())
    assert "52 cards to 5; worth 1, the game; put: lead 1, reply 1, after trick 1" in text
    assert "32 cards to 12; worth 1, 2, 4, 8, 12; put at any turn; best of 3" in text
    assert "two pairs of partners; 52 cards to 5; worth 1, the game; put at any turn" in text
    assert "3 players; 52 cards to 5; worth 1, the game; put at any turn" in text
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_plugged_in_rule_set_is_listed_unloaded_and_a_broken_one_stops_nothing(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {
        "fine": "put_cli:HOUSE",
        "gone": "no_such_package.rules:HOUSE",
        "odd": "not an entry point!",
        "cotton": "put_cli:HOUSE",
    }
    points = {name: EntryPoint(name, value, "put.rules") for name, value in values.items()}
    monkeypatch.setattr(rules_command, "plugged_in", lambda: points)
    listed = put("rules")
    assert listed.code == 0
    assert "'put rules fine' loads and explains it" in listed.out
    assert "broken: there is no package 'no_such_package'" in listed.out
    assert "broken: expected package.module:name, got 'not an entry point!'" in listed.out
    assert "broken: its name is taken by the built-in 'cotton'" in listed.out
    data = {entry["name"]: entry for entry in json.loads(put("rules", "--json").out)}
    assert data["fine"] == {"name": "fine", "from": "put_cli:HOUSE", "broken": None}
    assert data["gone"]["broken"] == "there is no package 'no_such_package'"


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_explanation_holds_what_matters_within_its_width(put: Put, name: str) -> None:
    rules = built_in(name)
    result = put("rules", name)
    text = " ".join(result.out.split())
    assert (result.code, result.err) == (0, "")
    assert f"{name}: {rules.title}" in text
    assert f"Source: {rules.source}" in text
    assert f"best first {' '.join(rules.cards.ranks)}" in text
    for knob, meaning in knob_help().items():
        assert f"{knob} = " in text
        assert meaning in text
    assert all(reading in text for reading in rules.readings)
    assert max(map(len, result.out.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hoyle", "after trick 1, eldest put | throw"),
        ("hoyle", "reply in trick 1, dealer put (until a put has been seen)"),
        ("hoyle", "lead to trick 2, the leader lead a card (only after a seen put)"),
        ("hoyle", "won by tricks, 1 put seen the game"),
        ("hoyle", 'after_first "speak" (cotton: "play")'),
        ("cotton", "won by tricks, no put seen 1 point"),
        ("cotton", "drawn, 0 to 1 puts seen nothing"),
        ("cotton", "Among the rule sets - The others are compared with this one."),
        ("enquire", "drawn, 1 put seen nothing; both scores go back to 0"),
        ("enquire", "the lower cut deals first"),
        ("pigott", "throw (until a put has been seen)"),
        ("parlett", "reply in trick 1, dealer reply with a card"),
        ("truc", "put declined, 3 puts seen 8 points to the other side"),
        ("truc", "put (until 4 puts have been seen)"),
        ("truc", "best of 3 games"),
        ("truc-french", "the trick is his who wins the first decided trick"),
        ("cotton(lone_trick=false)", "one trick and two ties are drawn"),
        ("cotton(target=7)", "target 7 (cotton: 5)"),
        ("four-handed", "1, eldest's captain give | receive 0, dealer's captain"),
        ("four-handed", "0, dealer's captain give | receive | keep each receiver lay out a card"),
        ("four-handed", "lays out one of the four."),
        ("four-handed", "lead to trick 1, eldest put | lead a card"),
        ("four-handed", "partners true (cotton: false)"),
        ("four-handed(must_swap=true)", "lays out one of his own three, not the one received."),
        ("four-handed(dealer_gift=required)", "0, dealer's captain give | receive each receiver"),
        ("hoyle(partners=true)", "after trick 1, eldest put | throw"),
        ("three-handed", "reply in trick 1, each replier put (until a put has been seen)"),
        ("three-handed", "put declined, no put seen 1 point to the putter"),
        ("three-handed", "asked by a put, each in turn see | throw"),
        ("cotton(players=6, first_dealer=low)", "the lowest cut deals first"),
        ("cotton(players=4, lone_trick=false)", "so is a hand in which the most is one trick"),
        ("cotton(misdeals=0.05)", "The dealer errs in 0.05 of the deals"),
        ("cotton(misdeals=0.05)", "exposes a card of eldest stand | redeal"),
        ("cotton(misdeals=0.05)", "exposes a card of his own he must stand"),
        ("cotton(misdeals=0.05)", "a faced card in the pack redealt"),
        ("cotton(players=3, misdeals=0.05)", "gives an opponent four cards redeal | draw"),
        ("cotton(misdeals=0.05)", "eldest scores 1 point at once, which may win the game; then"),
    ],
)
def test_an_explanation_is_derived_from_the_rules(put: Put, name: str, says: str) -> None:
    assert says in " ".join(put("rules", name).out.split())


def test_without_misdeals_partners_or_more_players_nothing_is_said_of_them(put: Put) -> None:
    played = " ".join(put("rules", "cotton").out.split()).partition("Knobs")[0]
    assert "Laws of Put" not in played
    assert "captain" not in played
    assert "clockwise" not in played


def test_more_than_three_players_say_and_are_paid_what_three_are(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(players: int) -> str:
        text = put("rules", f"cotton(players={players})").out
        return text.partition("Who may say what")[2].partition("Readings")[0]

    def all_states(rules: RuleSet) -> tuple[Machine, list[State]]:
        return Machine(rules), walk(Machine(rules))

    short = told(4)
    monkeypatch.setattr(explain, "_walked", all_states)
    assert told(4) == short == told(3)


def test_a_rule_file_is_explained_like_any_other(put: Put, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('base = "cotton"\ntarget = 9\n')
    assert "target 9 (cotton: 5)" in " ".join(put("rules", str(path)).out.split())


def test_house_rules_without_a_title_or_a_difference_are_explained_too(
    put: Put, tmp_path: Path
) -> None:
    path = tmp_path / "house.toml"
    path.write_text("target = 5\n")
    told = put("rules", str(path)).out
    assert told.startswith("house\n\n")
    assert "It is played as cotton is: every knob is set alike." in told
    assert "Differs from" not in told
    assert "Differs from" not in put("rules", "cotton").out


def test_json_is_the_rule_set_as_data(put: Put) -> None:
    one = json.loads(put("rules", "truc", "--json").out)
    assert (one["name"], one["target"], one["stakes"]) == ("truc", 12, [1])
    assert (one["ranks"], len(one["fingerprint"])) == ("78AKQJT9", 16)
    assert [entry["name"] for entry in json.loads(put("rules", "--json").out)] == [
        *BUILT_IN,
        "speculation",
    ]


def test_an_unknown_rule_set_is_misuse_with_a_suggestion(put: Put) -> None:
    result = put("rules", "hoile")
    assert result.code == 2
    assert result.err == (
        "Error: there is no rule set 'hoile'. Did you mean 'hoyle'? 'put rules' lists them all.\n"
    )

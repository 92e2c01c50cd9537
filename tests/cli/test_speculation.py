"""The commands of Put, asked about Speculation."""

import json
import re
import sys
from pathlib import Path

import pytest

from .conftest import Put, assert_refused

LINE = "A 2c 8d 4c | B Qh 6d 6c | C 9c 3c 3h | up Ks | B:bid:7 A:keep BQh C9c B6d C3c B6c C3h"
PLAY = ("tournament", "--rules", "speculation", "--players", "4", "--seed", "1", "--workers", "1")
FIELD = ("fair", "late", "never", "eager")


@pytest.fixture
def run(put: Put, in_a_folder: None) -> str:
    """A small run, as its directory."""
    result = put(*PLAY, *FIELD, "--games", "40", "--match-games", "5", "--out", "run")
    assert result.code == 0, result
    assert (
        "speculation(players=4): 4 strategies (4 native), 1 table of 4, 40 games each" in result.err
    )
    assert "160 deals in" in result.err
    assert result.out.splitlines()[0].split()[:4] == ["#", "strategy", "chips", "interval"]
    return "run"


def test_standings_are_computed_again_in_every_format(put: Put, run: str) -> None:
    text = put("standings", run).out
    for name in FIELD:
        assert name in text
    assert put("standings", run, "--format", "csv").out == Path(run, "standings.csv").read_text()
    assert (
        put("standings", run, "--format", "markdown").out == Path(run, "standings.md").read_text()
    )
    told = json.loads(put("standings", run, "--json").out)
    assert told["rules"] == "speculation(players=4)"
    assert sum(line["chips_per_deal"] for line in told["standings"]) == pytest.approx(0, abs=1e-5)


def test_an_anchor_sets_the_scale(put: Put, run: str) -> None:
    told = json.loads(put("standings", run, "--json", "--anchor", "never=1000").out)
    rating = {line["name"]: line["rating"] for line in told["standings"]}
    assert rating["never"] == 1000
    wrong = put("standings", run, "--anchor", "nemo=1")
    assert wrong.code == 2
    assert "there is no 'nemo' in this run" in wrong.err


def test_a_logged_deal_is_told_and_judged_again(put: Put, run: str) -> None:
    told = put("replay", run, "--game", "fair v late v never v eager/0/1/2", "--hand", "0").out
    line = next(each.strip() for each in told.splitlines() if each.strip().startswith("A "))
    net = next(each.strip() for each in told.splitlines() if each.strip().startswith("net "))
    judged = put("judge", "--rules", "speculation", line)
    assert judged.code == 0
    said = [part.split()[-1] for part in net.removeprefix("net ").split(", ")]
    assert [part.split()[-1] for part in judged.out.rpartition("net ")[2].split(", ")] == said
    rows = json.loads(put("replay", run, "--json").out)
    assert len(rows["deals"]) == rows["game"]["deals"] == 4


def test_two_runs_on_the_same_deals_are_compared(put: Put, run: str) -> None:
    other = ("fair(margin=0.5)", *FIELD[1:])
    assert put(*PLAY, *other, "--games", "40", "--match-games", "5", "--out", "other").code == 0
    told = json.loads(put("compare", run, "other", "--format", "json").out)
    own = {}
    for each in (run, "other"):
        for line in json.loads(put("standings", each, "--json").out)["standings"]:
            own[each, line["name"]] = line["chips_per_deal"]
    rows = {row["second_name"]: row for row in told}
    assert rows["late"]["first"] == pytest.approx(own[run, "late"], abs=1e-6)
    assert rows["fair(margin=0.5)"]["second"] == pytest.approx(
        own["other", "fair(margin=0.5)"], abs=1e-6
    )
    assert rows["late"]["margin"] < rows["late"]["alone"]
    assert put(*PLAY[:-4], "--seed", "2", *FIELD, "--games", "4", "--out", "third").code == 0
    refused = put("compare", run, "third")
    assert (refused.code, refused.out) == (2, "")
    assert "expected runs of the same seed" in refused.err


def test_a_precision_in_chips_is_planned(put: Put, run: str) -> None:
    rows = json.loads(put("plan", run, "--chips", "0.1", "--format", "json").out)
    for row in rows:
        wanted = 40 * (row["margin"] / 0.1) ** 2
        assert row["games_for_precision"] == pytest.approx(wanted, abs=4.5)
    assert "For everybody's chips a deal within +/- 0.05: --games" in put("plan", run).out
    refused = put("plan", run, "--elo", "5")
    assert (refused.code, refused.out) == (2, "")
    assert "say --chips" in refused.err


def test_what_is_for_runs_of_put_says_so(put: Put, run: str) -> None:
    result = put("habits", run)
    assert result.code == 1
    assert "is a run of speculation, and this is for runs of Put" in result.err
    assert result.err.count("\n") == 1


def test_a_deal_is_judged(put: Put) -> None:
    result = put("judge", "--rules", "speculation", f"{LINE} A2c A8d A4c")
    assert result.code == 0
    assert result.out.splitlines()[-1] == "  pool 8 to A; net A +4, B -2, C -2"
    told = json.loads(
        put("judge", "--rules", "speculation", "--json", stdin=LINE + " A2c A8d A4c").out
    )
    assert (told["winner"], told["net"]) == ("A", [4, -2, -2])


def test_a_deal_that_stops_early_is_refused(put: Put) -> None:
    result = put("judge", "--rules", "speculation", LINE)
    assert result.code == 1
    assert "step 9 is missing: expected A2c" in result.err


def test_the_rules_are_explained_and_listed(put: Put) -> None:
    assert "speculation" in put("rules").out
    told = put("rules", "speculation(spare_hand=true)").out
    assert "SPARE" in told
    assert "Readings:" in told
    assert json.loads(put("rules", "speculation(ante=3)", "--json").out)["ante"] == 3
    assert json.loads(put("rules", "--json").out)[-1]["name"] == "speculation"


def test_wrong_knobs_and_games_are_refused(put: Put, in_a_folder: None) -> None:
    assert_refused(
        put(*PLAY[:3], "--players", "2"), "players: expected a whole number from 3 to 12"
    )
    assert_refused(put(*PLAY, "--misdeals", "0.1"), "there is no knob 'misdeals'")
    assert_refused(put("tournament", "--deals", "5"), "there is no knob 'deals'")
    assert_refused(put(*PLAY, *FIELD, "odds"), "'odds' plays put, not speculation")
    assert_refused(put("match", "odds", "fair"), "'fair' plays speculation, not put")


PROGRAM = """
import json, sys
for text in sys.stdin:
    print(json.dumps({"type": "hello", "protocol": 1, "version": "1"}), flush=True)
"""


def test_programs_and_isolated_players_are_refused(put: Put, in_a_folder: None) -> None:
    Path("bot.py").write_text(PROGRAM)
    bot = f"exec({sys.executable} bot.py)"
    for wanted in (
        (*PLAY, *FIELD, bot, "--games", "4"),
        ("play", "--rules", "speculation(players=3)", "--against", bot),
    ):
        assert_refused(put(*wanted), "plays put, not speculation")
    assert_refused(put(*PLAY, *FIELD, "--isolate"), "players of Speculation cannot be isolated")
    assert not Path("runs").exists()


def test_players_are_a_knob_of_put_too(put: Put, in_a_folder: None) -> None:
    result = put("tournament", "--players", "3", "bold", "odds", "timid", "--games", "3", "--json")
    assert result.code == 0
    assert json.loads(result.out)["players"] == 3


def test_a_player_is_checked_and_listed(put: Put) -> None:
    result = put("check", "late")
    assert result.code == 0
    assert "compiled and interpreted it plays the same deals" in result.out
    (told,) = json.loads(put("strategies", "late", "--json").out)
    assert (told["game"], told["tier"]) == ("speculation", "native")


def test_a_person_plays_sessions_that_are_logged_and_verified(put: Put, in_a_folder: None) -> None:
    answers = "?\nrules\n" + "0\n2\n1\n" * 400
    rules = "speculation(players=3)"
    result = put("play", "--rules", rules, "--seed", "4", "--games", "2", stdin=answers)
    assert result.code == 0
    told = re.search(r"Chips over 2 of 2 sessions: you ([+-]\d+), fair ", result.out)
    assert told
    data = json.loads(put("standings", "runs/latest", "--json").out)
    mine = next(line for line in data["standings"] if line["name"] == "human")
    assert mine["chips_per_deal"] * mine["deals"] == pytest.approx(int(told[1]))
    assert "is sound" in put("verify").out
    again = put("replay", "runs/latest", "--game", "0/0/0/1").out
    assert "human" in again
    assert "Session: " in again


def test_a_person_plays_a_session_to_its_end(put: Put, in_a_folder: None) -> None:
    answers = "?\nrules\n" + "0\n" * 400
    result = put(
        "play", "--rules", "speculation(players=3)", "--seed", "4", "--out", "run", stdin=answers
    )
    assert result.code == 0
    assert "To hear it again: put replay run" in result.out
    assert "Chips over 1 of 1 sessions: you " in result.out
    assert result.out.count("deal.") + result.out.count("deals.") >= 3
    assert "it stays the best with a chance of" in result.out or "with a chance of" in result.out


def test_a_person_who_leaves_keeps_the_finished_sessions(put: Put, in_a_folder: None) -> None:
    rules = "speculation(players=3, deals=1, presale=false, unseen=none)"
    wanted = ("play", "--rules", rules, "--against", "never", "--seed", "4", "--games", "9")
    result = put(*wanted, "--out", "run", stdin="0\n0\n0\n0\nq\n")
    assert result.code == 0
    assert "the session under way is not counted" in result.out
    told = re.search(r"Chips over (\d) of 9 sessions", result.out)
    assert told
    assert "is sound" in put("verify", "run").out
    data = json.loads(put("standings", "run", "--json").out)
    assert data["total_sessions"] == int(told[1])


def test_who_leaves_at_once_leaves_nothing_behind(put: Put, in_a_folder: None) -> None:
    wanted = ("play", "--rules", "speculation(players=3)", "--seed", "4")
    result = put(*wanted, stdin="q\n")
    assert result.code == 0
    assert "nothing is kept" in result.out
    assert not list(Path("runs").iterdir())


FAULTY = """
from dataclasses import dataclass
from put_cli.speculation import Speculator


@dataclass(frozen=True)
class Faulty(Speculator):
    def bid(self, view):
        return -1 if view.deal else 1
"""


def test_a_fault_at_a_persons_table_is_told_and_logged(put: Put, in_a_folder: None) -> None:
    Path("faulty.py").write_text(FAULTY)
    rules = "speculation(players=3)"
    company = ("--against", "./faulty.py", "--against", "fair")
    result = put("play", "--rules", rules, "--seed", "4", *company, stdin="0\n" * 300)
    assert result.code == 3
    text = " ".join(result.out.split())
    assert "faulty makes a fault (bid returned -1 where 0 to 1000000 is allowed)" in text
    assert text.count("makes a fault") == 1
    (line,) = [
        line
        for line in json.loads(put("standings", "--json").out)["standings"]
        if line["name"] == "faulty"
    ]
    assert line["faults"] == 1
    assert "is sound" in put("verify").out


def test_what_speculation_has_not_is_refused_at_the_table(put: Put) -> None:
    result = put("play", "--rules", "speculation(players=3)", "--coach")
    assert_refused(result, "Speculation has neither partners nor a solution")


def test_a_person_is_seated_with_strategies_of_the_game_alone(put: Put) -> None:
    rules = "speculation(players=3)"
    assert (
        "'odds' plays put"
        in put("play", "--rules", rules, "--against", "odds", "--against", "fair").err
    )
    assert (
        "is played against 2 others"
        in put("play", "--rules", rules, *["--against", "fair"] * 3).err
    )

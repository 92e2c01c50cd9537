"""`put judge`."""

import json
import subprocess
import sys

from tests.cli.conftest import Put

WON = "E 5 7 9 | D K 8 6 | E:put D:throw"
DRAWN = "E A K Q | D A K Q | EA DA EK DK EQ DQ"
OUTRIGHT = "E 7 2 3 | D 9 K A | E7 D9 D:put E:see DK E2 E3 DA"
ILLEGAL = "E 5 7 9 | D K 8 6 | E:throw"


def test_a_hand_is_told_step_by_step_with_its_result_and_the_score_after(put: Put) -> None:
    result = put("judge", "--score", "4-0", WON)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        WON,
        "  E:put    eldest puts: the game if seen, 1 point if not",
        "  D:throw  dealer throws: 1 point to eldest",
        "  eldest wins 1 point and with it the game",
        "  score 4-0 -> 5-0",
    ]


def test_json_is_one_object_a_line_for_each_hand(put: Put) -> None:
    result = put("judge", "--json", "--score", "3-3", WON, DRAWN, OUTRIGHT)
    won, drawn, outright = map(json.loads, result.out.splitlines())
    assert won["steps"][0].startswith("eldest puts")
    assert {key: won[key] for key in won if key != "steps"} == {
        "rules": "cotton",
        "hand": WON,
        "ending": "thrown",
        "winner": "eldest",
        "points": 1,
        "outright": False,
        "anew": False,
        "score_before": [3, 3],
        "score_after": [4, 3],
        "game_winner": None,
        "misdeal": None,
        "ruling": None,
        "law_points": [0, 0],
        "exchange": None,
    }
    assert (drawn["ending"], drawn["winner"], drawn["score_after"]) == ("drawn", None, [3, 3])
    assert (outright["outright"], outright["points"], outright["score_after"]) == (True, 0, [3, 3])
    assert outright["game_winner"] == "eldest"


def test_the_rule_set_decides(put: Put) -> None:
    assert put("judge", "--rules", "hoyle", ILLEGAL).code == 0
    assert json.loads(put("judge", "--json", "--rules", "cotton(target=7)", WON).out)["rules"] == (
        "cotton(target=7)"
    )


def test_a_refused_hand_is_one_line_that_says_which_step_why_and_what_was_legal(put: Put) -> None:
    result = put("judge", ILLEGAL)
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        "Error: step 1 'E:throw': throw is not allowed here; "
        "eldest may put or lead a card (5 7 9).\n"
    )


def test_a_refused_hand_does_not_stop_the_others(put: Put) -> None:
    result = put("judge", "--json", stdin=f"# hands\n\n{WON}\n{ILLEGAL}\n  {DRAWN}")
    assert result.code == 1
    assert [json.loads(line)["hand"] for line in result.out.splitlines()] == [WON, DRAWN]
    assert result.err.startswith("Error: line 4: step 1 'E:throw': ")
    assert put("judge", WON, ILLEGAL).err.startswith("Error: hand 2: step 1 ")


def test_strange_bytes_on_standard_input_are_refused_line_by_line(put: Put) -> None:
    endless = b"E 7 " * 100_000
    lines = [b"\xef\xbb\xbf" + WON.encode() + b"\r", b"\xff\x00\x1b[31m", endless, DRAWN.encode()]
    result = put("judge", "--json", stdin=b"\n".join(lines))
    assert result.code == 1
    assert [json.loads(line)["hand"] for line in result.out.splitlines()] == [WON, DRAWN]
    first, second = result.err.splitlines()
    assert first.startswith("Error: line 2: expected")
    assert second.startswith("Error: line 3: expected at most 400 characters")
    assert first.isprintable()


def test_a_bad_score_is_misuse(put: Put) -> None:
    for score, says in (
        ("5-0", "score: expected 0 to 4 points a side (the target is 5), got 5-0"),
        ("0", "--score: expected eldest-dealer such as 0-4, got '0'"),
        ("1--1", "--score: expected eldest-dealer such as 0-4, got '1--1'"),
    ):
        result = put("judge", "--score", score, WON)
        assert (result.code, result.out) == (2, "")
        assert says in result.err


def test_a_score_has_as_many_numbers_as_there_are_sides(put: Put) -> None:
    line = "A K 9 5 | B Q T 4 | C J 4 7 | A:put B:throw C:throw"
    scored = put("judge", "--rules", "three-handed", "--score", "1-0-2", line)
    assert scored.out.splitlines()[-2:] == ["  A wins 1 point", "  score 1-0-2 -> 2-0-2"]
    fresh = json.loads(put("judge", "--rules", "three-handed", "--json", line).out)
    assert (fresh["score_before"], fresh["score_after"]) == ([0, 0, 0], [1, 0, 0])
    assert fresh["winner"] == "A"
    short = put("judge", "--rules", "three-handed", "--score", "1-2", line)
    assert short.code == 2
    assert "--score: expected A-B-C such as 0-0-4, got '1-2'" in short.err
    high = put("judge", "--rules", "three-handed", "--score", "1-2-5", line)
    assert "score: expected 0 to 4 points a side (the target is 5), got 1-2-5" in high.err


def test_json_tells_what_partners_exchanged_and_who_played(put: Put) -> None:
    line = "0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:give 0:keep 3-J 33 0K 3A 08"
    verdict = json.loads(put("judge", "--rules", "four-handed", "--json", line).out)
    assert (verdict["winner"], verdict["score_after"]) == ("eldest", [1, 0])
    assert verdict["exchange"] == {
        "choices": ["give", "keep"],
        "gifts": ["A", None],
        "laid_out": ["J", None],
        "players": [3, 0],
    }
    assert "eldest's side wins 1 point" in put("judge", "--rules", "four-handed", line).out


def test_json_tells_a_misdeal_its_ruling_and_the_point_by_the_laws(put: Put) -> None:
    rules = "cotton(misdeals=0.1)"
    line = "E 7 2 3 | D 9 K A 4 | D:gives:D E:draw:4 E7 D9 DK E2 E3 DA"
    verdict = json.loads(put("judge", "--rules", rules, "--score", "1-1", "--json", line).out)
    assert (verdict["misdeal"], verdict["ruling"]) == ("four_own", "draw")
    assert (verdict["law_points"], verdict["points"]) == ([1, 0], 1)
    assert verdict["score_after"] == [3, 1]
    told = put("judge", "--rules", rules, "--score", "1-1", line).out
    assert "eldest wins 1 point; 1 point to eldest by the Laws" in told


def test_no_hand_at_all_is_misuse(put: Put) -> None:
    result = put("judge", stdin="# nothing\n")
    assert result.code == 2
    assert "no hand to judge" in result.err


def test_without_a_standard_input_there_is_no_hand_to_judge(put: Put) -> None:
    result = put("judge", stdin=None)
    assert result.code == 2
    assert result.err.startswith("Error: no hand to judge: give a LINE")


def test_the_module_runs_as_the_command_does() -> None:
    command = [sys.executable, "-m", "put_cli", "judge", "--json", WON]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert json.loads(done.stdout)["winner"] == "eldest"

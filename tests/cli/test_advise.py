"""`put advise`, the coach of `put play` and `put replay`, and `put tournament --exact`."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Put
from tests.solve.conftest import tiny_pack  # noqa: F401
from tests.solve.test_advice import write_solution

pytestmark = pytest.mark.usefixtures("tiny_pack", "at_a_table")

TINY = "cotton(pack=tiny,target=2)"
ANYTHING = "p\ns\nthrow\n3\n2\nA\nK\n"
"""Whatever is asked, something in here answers it."""

FIELD = Path(__file__).parents[1] / "solve" / "field.py"


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory, tiny_pack: None) -> str:  # noqa: F811
    """A solution of a tiny game."""
    path = tmp_path_factory.mktemp("solved") / "cotton.policy"
    write_solution(TINY, path, gap=1e-3)
    return str(path)


def test_advice_is_told_in_words(put: Put, policy: str) -> None:
    result = put("advise", "--rules", TINY, "--policy", policy, "--score", "0-1", "D 3 2 K | E:put")
    assert (result.code, result.err) == (0, "")
    first, heading, *rows, last = result.out.splitlines()
    assert first == "cotton(pack=tiny, target=2), 0-1 (eldest-dealer): dealer, holding 3 2 K."
    assert heading.split() == ["action", "solution", "wins", "the", "game", "costs"]
    assert [row.split()[0] for row in rows] == ["see", "throw"]
    assert last.startswith("Against the solution; chances hold to")


def test_advice_in_json_says_what_each_action_is_worth(put: Put, policy: str) -> None:
    line = "E 3 2 K"
    out = put("advise", "--rules", TINY, "--policy", policy, "--json", line).out
    record = json.loads(out)
    assert [each["action"] for each in record["options"]] == ["put", "3", "2", "K"]
    assert sum(each["share"] for each in record["options"]) == pytest.approx(1)
    assert record["worth"] == max(each["worth"] for each in record["options"])
    assert record["held"] == "3 2 K"
    assert record["likelihood"] == pytest.approx(1)


def test_against_a_strategy_the_best_answer_wins_more_than_the_solution_allows(
    put: Put, policy: str
) -> None:
    line = "E 3 2 K"
    solved = json.loads(put("advise", "--rules", TINY, "--policy", policy, "--json", line).out)
    answer = json.loads(
        put("advise", "--rules", TINY, "--against", f"{FIELD}:Steady", "--json", line).out
    )
    assert answer["worth"] > solved["worth"] + 0.01
    assert {each["share"] for each in answer["options"]} == {None}
    words = put("advise", "--rules", TINY, "--against", f"{FIELD}:Steady", line).out
    assert "who is answered as well as can be" in words


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rules", "plain", "E 3 2 K"), "there is no solution of plain here: make one with"),
        (("--rules", "three-handed", "A 3 2 K"), "only games of two players"),
        (("--legs", "x", "E 3 2 K"), "--legs: expected eldest-dealer such as 0-1, got 'x'"),
        (("--score", "5-0", "E 3 2 K"), "score: expected 0 to 4 points a side"),
        (("E 3 2 K | E3",), "it is dealer's turn there"),
        (("--against", "nobody-such", "E 3 2 K"), "nobody-such"),
    ],
)
def test_what_cannot_be_advised_on_is_refused_in_a_line(
    put: Put, arguments: tuple[str, ...], says: str
) -> None:
    result = put("advise", *arguments)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert says in result.err
    assert result.err.count("\n") == 1


def test_the_coach_remarks_on_every_choice_and_tells_before_when_asked(
    put: Put, policy: str
) -> None:
    options = ("--rules", TINY, "--coach", "--policy", policy, "--against", "highest")
    result = put("play", *options, "--seed", "4", stdin="?\n" + ANYTHING * 30)
    assert (result.code, result.err) == (0, "")
    remarks = re.findall(r"Coach: (.*)", result.out)
    assert remarks
    assert all(re.match(r"(put|see|throw|[32AK]) (is right|costs [0-9.]+ %)", r) for r in remarks)
    asked = result.out[: result.out.index("Coach: ")]
    assert re.search(r"put +wins [0-9.]+ %", asked)
    silent = put(
        "play", "--rules", TINY, "--against", "highest", "--seed", "4", stdin=ANYTHING * 30
    )
    assert "Coach" not in silent.out


def test_replay_marks_mistakes_with_what_they_cost(put: Put, policy: str) -> None:
    own = [f"{FIELD}:Steady", f"{FIELD}:Fickle"]
    run = ("tournament", *own, "--rules", TINY, "--games", "20", "--seed", "2", "--quiet")
    assert put(*run, "--workers", "1", "--out", "run", "--tier", "interpreted").code == 0
    options = ("replay", "run", "--coach", "--policy", policy)
    costs = 0.0
    for game in range(10):
        key = ("--game", f"0/0/0/{game}")
        result = put(*options, *key)
        assert result.code == 0, result.err
        record = json.loads(put(*options, *key, "--json").out)
        told = re.findall(r"mistake: costs ([0-9.]+) % of the game; ", result.out)
        assert told == [f"{100 * each['cost']:.1f}" for each in record["mistakes"]]
        last = result.out.splitlines()[-1]
        assert last.startswith("Mistakes and what they cost of a game: ")
        for each in record["mistakes"]:
            assert each["strategy"] in ("field:Steady", "field:Fickle")
            assert 0.001 < each["cost"] <= 1
            costs += each["cost"]
            one = put(*options, *key, "--hand", str(each["hand"])).out
            assert each["said"] in one
    assert costs > 0


def test_a_tournament_is_held_against_the_exact_chances(put: Put) -> None:
    own = (f"{FIELD}:Steady", f"{FIELD}:Fickle", f"{FIELD}:Fickle(bluff=0.5)")
    run = ("tournament", *own, "--rules", TINY, "--seed", "2", "--quiet")
    run = (*run, "--workers", "1", "--log", "none", "--exact")
    pairings = json.loads(put(*run, "--games", "300", "--json").out)["exact"]["pairings"]
    assert len(pairings) == 3
    assert all(abs(each["z"]) < 4 for each in pairings)
    assert all(abs(each["exact"] - each["score"]) < 0.15 for each in pairings)
    words = put(*run, "--games", "50").out
    assert "Exact chances of a against b" in words
    assert "Pairings beyond 3 standard errors: 0 of 3" in words


def test_exact_chances_are_of_two_players(put: Put) -> None:
    result = put("tournament", "--rules", "three-handed", "--exact", "--out", "run")
    assert result.code == 2
    assert "only games of two players" in result.err
    assert not Path("run").exists()

"""`put habits`: tables that fit, numbers of the log, and one line where there is nothing."""

import csv
import io
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from put_cli.tournament.outcome import rate
from tests.cli.conftest import Put
from tests.tournament.runs import play_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("habits")
    play_run(folder / "run", "odds", "bold", "timid", games=60)
    return folder / "run"


def table(text: str, title: str) -> dict[str, list[str]]:
    """The rows of the table below its title."""
    below = f"\n{text}".split(f"\n{title}\n")[1].split("\n\n")[0]
    return {row.split()[0]: row.split()[1:] for row in below.splitlines()}


def test_the_tables_fit_and_say_what_the_standings_say(put: Put, run: Path) -> None:
    told = put("habits", str(run)).out
    assert all(len(line) <= 80 for line in told.splitlines())
    puts, hands = table(told, "Puts"), table(told, "Hands and points")
    for line in rate(run).strategies:
        assert puts[line.name][0] == f"{100 * (line.puts_per_hand or 0):.1f}"
        assert hands[line.name][0] == f"{line.hands:,}"
        assert hands[line.name][1] == f"{line.hands / line.games:.2f}"
    for title in (
        "Where puts were said, % of them",
        "Hands put, by strength, %",
        "Hands thrown, by strength, %",
        "Hands put, by own score before the hand, %",
    ):
        assert set(table(told, title)) >= {"odds", "bold", "timid"}


@pytest.mark.parametrize(("rules", "is_there"), [("cotton", False), ("hoyle", True)])
def test_after1_is_explained_where_somebody_put_there(
    put: Put, tmp_path: Path, rules: str, is_there: bool
) -> None:
    play_run(tmp_path / "run", "odds", "bold", "random", rules=rules, games=40)
    told = put("habits", str(tmp_path / "run")).out
    assert told.count("after1") == 2 * is_there


def test_csv_has_the_shares_of_the_counts(put: Put, run: Path) -> None:
    rows = {
        row["name"]: row
        for row in csv.DictReader(io.StringIO(put("habits", str(run), "--format", "csv").out))
    }
    for each in json.loads(put("habits", str(run), "--json").out)["strategies"]:
        row = rows[each["name"]]
        assert int(row["hands"]) == each["hands"]
        shares = {
            "thrown": each["throws"] / each["hands"],
            "puts_of_strength_0.9-1.0": sum(each["puts_by_strength"][9])
            / each["hands_by_strength"][9],
            "throws_of_strength_0.0-0.1": each["throws_by_strength"][0]
            / each["hands_by_strength"][0],
            "led_best": each["first_leads"][0] / sum(each["first_leads"]),
            "points_per_hand_eldest": each["points_by_seat"][0] / each["hands_by_seat"][0],
        }
        assert {key: float(row[key]) for key in shares} == pytest.approx(shares, abs=1e-6)


def test_markdown_has_every_table_under_its_title(put: Put, run: Path) -> None:
    told, text = put("habits", str(run), "--format", "markdown").out, put("habits", str(run)).out
    titles = re.findall(r"^\*\*(.*)\*\*$", told, re.MULTILINE)
    assert len(titles) >= 8
    for title in titles:
        under = told.split(f"**{title}**\n\n")[1].split("\n\n")[0].splitlines()
        assert len(under) == 2 + 3
        assert set(table(text, title)) >= {"odds", "bold", "timid"}


def test_the_counts_are_printed_as_json(put: Put, run: Path) -> None:
    plain = json.loads(put("habits", str(run), "--json", "--strategy", "bold").out)
    (bold,) = plain["strategies"]
    line = next(line for line in rate(run).strategies if line.name == "bold")
    assert bold["hands"] == sum(bold["hands_by_strength"]) == line.hands
    assert sum(map(sum, bold["puts_by_chance"])) == round((line.puts_per_hand or 0) * line.hands)
    assert len(plain["strengths"]) == len(bold["throws_by_strength"]) == 10


def test_by_score_the_hands_are_those_of_the_score(put: Put, run: Path) -> None:
    told = put("habits", str(run), "--by-score", "--strategy", "bold").out
    assert all(len(line) <= 80 for line in told.splitlines())
    rows = [line.split() for line in told.splitlines() if line.startswith("bold ")]
    assert [row[1] for row in rows] == ["0", "1", "2", "3", "4"]
    hands = pq.read_table(run / "hands").to_pylist()
    for row in rows:
        mine = [
            (hand, seat, other)
            for hand in hands
            for seat, other in (("eldest", "dealer"), ("dealer", "eldest"))
            if hand[seat] == "bold" and hand[f"{seat}_score"] == int(row[1])
        ]
        puts = [each for each in mine if each[0]["put_by"] == each[1]]
        seen = [each for each in puts if each[0]["put_answer"] == "see"]
        lost = [each for each in seen if each[0]["winner"] == each[2]]
        thrown = [h for h, _, other in mine if h["ending"] == "thrown" and h["winner"] == other]
        tricks = [h["trick1"] == seat for h, seat, _ in mine if h["trick1"] is not None]
        assert row[2] == f"{len(mine):,}"
        assert row[4] == f"{100 * len(puts) / len(mine):.1f}"
        assert row[5] == f"{100 * len(seen) / len(puts):.1f}"
        assert row[7] == f"{100 * len(lost) / len(puts):.1f}"
        assert row[9] == f"{100 * len(thrown) / len(mine):.1f}"
        assert row[10] == f"{100 * sum(tricks) / len(tricks):.1f}"


def test_bluffs_by_score_add_up_to_all_bluffs(put: Put, run: Path) -> None:
    for each in json.loads(put("habits", str(run), "--json").out)["strategies"]:
        assert sum(map(sum, each["bluffs_by_score"])) == sum(map(sum, each["puts_by_chance"][:5]))
        assert sum(map(sum, each["points_by_score"])) == sum(each["points_by_seat"])


@pytest.mark.parametrize("rules", ["plain", "truc", "three-handed", "four-handed(misdeals=0.2)"])
def test_every_family_has_habits(put: Put, tmp_path: Path, rules: str) -> None:
    play_run(tmp_path / "run", "odds", "bold", "random", rules=rules, games=6)
    result = put("habits", str(tmp_path / "run"))
    assert result.code == 0
    assert "\nFirst tricks, %\n" in result.out
    assert "nan" not in result.out
    assert ("bluff" in result.out) == (rules not in ("plain", "three-handed"))


def test_without_hands_or_with_another_name_it_says_what_was_expected(
    put: Put, run: Path, tmp_path: Path
) -> None:
    play_run(tmp_path / "run", "odds", "bold", games=4, log="games")
    result = put("habits", str(tmp_path / "run"))
    assert (result.code, result.out) == (2, "")
    assert "expected a run that logged its hands" in result.err
    result = put("habits", str(run), "--strategy", "bald")
    assert (result.code, result.out) == (2, "")
    assert "Did you mean 'bold'?" in result.err

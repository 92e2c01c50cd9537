"""`put cycles`: what the ratings of a run miss, as text that fits and as JSON."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Put
from tests.tournament.runs import play_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("cycles")
    play_run(folder / "run", "sly", "bold", "bluffer", "threshold(level=8.5)", games=400)
    return str(folder / "run")


def test_the_circle_of_sly_bold_and_bluffer_is_told(put: Put, run: str) -> None:
    told = put("cycles", run)
    assert told.code == 0
    circle = ("sly", "bold", "bluffer") * 2
    assert any(" > ".join(circle[k : k + 3]) in told.out for k in range(3))
    assert "one would choose among" in " ".join(told.out.split())
    assert all(len(line) <= 80 for line in told.out.splitlines())


def test_the_numbers_are_those_of_the_text(put: Put, run: str) -> None:
    plain = json.loads(put("cycles", run, "--json", "--draws", "50").out)
    assert plain["draws"] == 50
    assert len(plain["pairs"]) == 6
    assert sum(place["nash"]["value"] for place in plain["places"]) == pytest.approx(1, abs=1e-4)
    assert sum(place["alpha"]["value"] for place in plain["places"]) == pytest.approx(1, abs=1e-4)
    first = plain["pairs"][0]
    rows = [line.split() for line in put("cycles", run).out.splitlines()]
    row = next(row for row in rows if row[:2] == [first["a"], first["b"]])
    assert row[2:4] == [f"{100 * first['score']:.1f}", f"{100 * first['expected']:.1f}"]


def test_fewer_lines_are_printed_where_fewer_are_asked_for(put: Put, run: str) -> None:
    told = put("cycles", run, "--limit", "2").out
    assert "4 more are left out (--limit)." in told


def test_csv_has_a_row_for_every_strategy_pairing_and_circle(put: Put, run: str) -> None:
    words = ("cycles", run, "--draws", "50", "--limit", "1")
    rows = list(csv.DictReader(io.StringIO(put(*words, "--format", "csv").out)))
    plain = json.loads(put(*words, "--format", "json").out)
    kinds = {"strategy": "places", "pairing": "pairs", "circle": "rings"}
    for kind, key in kinds.items():
        some = [row for row in rows if row["what"] == kind]
        assert len(some) == len(plain[key]) >= 1
    pairing = next(row for row in rows if row["what"] == "pairing")
    first = plain["pairs"][0]
    assert (pairing["first"], pairing["second"]) == (first["a"], first["b"])
    assert float(pairing["misfit_low"]) == first["misfit"]["low"]
    assert pairing["rating"] == ""
    circle = next(row for row in rows if row["what"] == "circle")
    ring = plain["rings"][0]
    assert [circle["first"], circle["second"], circle["third"]] == ring["names"]
    assert [float(circle[k]) for k in ("score", "score_2", "score_3")] == ring["scores"]


def test_markdown_has_a_table_of_each(put: Put, run: str) -> None:
    told = put("cycles", run, "--format", "markdown").out
    for heading in ("strategy", "better than rated", "each beats the next"):
        assert f"\n| {heading} |" in told
    assert told.startswith("Ratings miss the score")


def test_as_many_circles_are_told_as_in_the_standings(put: Put, run: str) -> None:
    pattern = json.loads(put("standings", run, "--json").out)["pattern"]
    plain = json.loads(put("cycles", run, "--json", "--draws", "50").out)
    assert plain["ring_count"] == pattern["circle_count"] == 1
    named = [each["name"] for each in pattern["circles"][0]]
    assert plain["rings"][0]["names"] == named
    assert "there is 1 circle of three" in " ".join(put("cycles", run).out.split())


@pytest.mark.parametrize(
    ("field", "rules", "says"),
    [
        (("odds", "bold"), "cotton", "three strategies with a rating estimate"),
        (("odds", "bold", "random"), "three-handed", "games of two"),
    ],
)
def test_where_there_can_be_no_circle_it_says_so(
    put: Put, tmp_path: Path, field: tuple[str, ...], rules: str, says: str
) -> None:
    play_run(tmp_path / "run", *field, rules=rules, games=6)
    result = put("cycles", str(tmp_path / "run"))
    assert (result.code, result.out) == (2, "")
    assert says in result.err

"""`put cycles`: what the ratings of a run miss, as text that fits and as JSON."""

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
    assert "one would choose among" in told.out
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
    told = put("cycles", run, "--most", "2").out
    assert "4 more are left out (--most, --json)." in told


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

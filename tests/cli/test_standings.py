"""`put standings`: runs that cannot be read are one line and exit code 1."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Put, Result
from tests.tournament.runs import play_run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small run, in the folder the commands are given in."""
    monkeypatch.chdir(tmp_path)
    play_run(tmp_path / "run", "random", "thrifty", games=4)
    return Path("run")


def assert_failed(result: Result, says: str) -> None:
    """One line on standard error that names what is wrong, and nothing else."""
    assert (result.code, result.out) == (1, ""), result
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert says in result.err


def test_the_table_is_that_of_the_run(put: Put, run: Path) -> None:
    assert put("standings", "run", "--format", "csv").out == (run / "standings.csv").read_text()
    told = json.loads(put("standings", "run", "--json").out)
    assert told == json.loads((run / "standings.json").read_text()) | {"run": "run"}


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"root:x:0:0\nsys:x:3:3\n", b"..", b".", b"\0"]
)
def test_a_file_is_no_run(put: Put, run: Path, content: bytes) -> None:
    Path("file").write_bytes(content)
    assert_failed(put("standings", "file"), "'file' is a file, and a run is a directory such as")


def test_a_file_that_names_a_run_beside_it_leads_there(put: Put, run: Path) -> None:
    Path("latest").write_text("run\n")
    assert put("standings", "latest").code == 0


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"rounds": []}, "manifest.json: rounds: expected at least one, got []"),
        ({"strategies": [1, 2]}, "strategies[0]: expected an object, got 1"),
        ({"rules": {"name": "cotton", "pack": {}}}, "rules: pack: expected one of full52"),
        ({"seed": None}, "seed: expected a whole number, got null"),
    ],
)
def test_a_manifest_that_was_spoilt_is_told_by_its_key(
    put: Put, run: Path, keys: dict[str, Any], says: str
) -> None:
    path = run / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | keys))
    for command in (["standings", "run", "--json"], ["replay", "run"]):
        assert_failed(put(*command), says)


@pytest.mark.parametrize("key", ["games", "match_games"])
def test_a_plan_that_cannot_be_is_told_by_its_file(put: Put, run: Path, key: str) -> None:
    path = run / "manifest.json"
    data = json.loads(path.read_text())
    data["rounds"][-1][key] = 0
    path.write_text(json.dumps(data))
    assert_failed(put("replay", "run"), "manifest.json: rounds[0]: --")


def test_a_part_of_another_run_is_refused_by_name(put: Put, run: Path) -> None:
    play_run(Path("other"), "random", "thrifty", games=4, seed=6)
    part = Path("tallies/part-000000.parquet")
    (run / part).write_bytes(("other" / part).read_bytes())
    assert_failed(put("standings", "run"), "part-000000.parquet is a part of another run, or of")


def test_a_part_that_is_no_parquet_is_refused_by_name(put: Put, run: Path) -> None:
    (run / "games/part-000000.parquet").write_bytes(b"nonsense")
    assert_failed(put("replay", "run"), "games/part-000000.parquet is not a part of a log")
    (run / "tallies/part-000000.parquet").write_bytes(b"nonsense")
    assert_failed(put("standings", "run"), "tallies/part-000000.parquet is not a part of a log")


def test_luck_is_taken_off_beside_what_is_raw(put: Put, tmp_path: Path) -> None:
    play_run(tmp_path / "field", "odds", "bold", "random", games=100)
    field = str(tmp_path / "field")
    told = put("standings", field, "--luck-removed").out
    assert told.startswith(put("standings", field).out.rstrip())
    assert "adjusted" in told
    assert "Without the luck of the deal the variance of ratings is" in " ".join(told.split())
    plain = json.loads(put("standings", field, "--luck-removed", "--json").out)
    for rating, line in zip(plain["luck_removed"]["ratings"], plain["standings"], strict=True):
        assert (rating["name"], round(rating["raw"], 2)) == (line["name"], line["rating"])
    assert len(plain["luck_removed"]["scores"]) == 3
    refused = put("standings", field, "--luck-removed", "--format", "csv")
    assert (refused.code, refused.out) == (2, "")

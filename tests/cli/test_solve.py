"""`put solve`: what it writes, certifies and tells."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from put_cli.solve.solver import Solved, Solver
from tests.cli.conftest import Put, assert_refused
from tests.solve.conftest import tiny_pack  # noqa: F401
from tests.solve.test_advice import write_solution

pytestmark = pytest.mark.usefixtures("tiny_pack", "in_a_folder")

TINY = "cotton(pack=tiny,target=2)"


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory, tiny_pack: None) -> Path:  # noqa: F811
    """A solution of a tiny game."""
    path = tmp_path_factory.mktemp("solved") / "cotton.policy"
    write_solution(TINY, path, gap=1e-3)
    return path


def test_it_writes_a_certified_file_that_whoever_may_read_others_may_read(put: Put) -> None:
    before = os.umask(0o022)
    try:
        done = put("solve", "--rules", TINY, "-o", "tiny.policy", "--gap", "0.01", "--quiet")
    finally:
        os.umask(before)
    assert (done.code, done.err) == (0, "")
    assert stat.S_IMODE(os.stat("tiny.policy").st_mode) == 0o644 or os.name == "nt"
    assert [each.name for each in Path().iterdir()] == ["tiny.policy"]
    checked = put("solve", "--check", "tiny.policy")
    assert (checked.code, checked.out) == (0, done.out)
    assert "(certified by best responses): the gap is" in done.out.splitlines()[-1]


def test_what_is_begun_is_gone_on_with(put: Put, policy: Path) -> None:
    table = pq.read_table(policy)
    facts = json.loads(table.schema.metadata[b"put.policy"]) | {"whole": False}
    half = table.replace_schema_metadata({b"put.policy": json.dumps(facts)}).slice(1)
    pq.write_table(half, "tiny.policy")
    refused = put("solve", "--table", "tiny.policy")
    assert_refused(refused, "holds 3 of 4 scores: the solution is not finished", code=1)
    done = put("solve", "--rules", TINY, "-o", "tiny.policy", "--gap", "0.01", "--json")
    assert done.code == 0
    assert {line.split()[0] for line in done.err.splitlines()} == {"3"}  # scores solved before
    assert (
        json.loads(done.out)["scores"][1:]
        == json.loads(put("solve", "--table", str(policy), "--json").out)["scores"][1:]
    )


def test_a_file_that_claims_too_much_is_found_out(put: Put, policy: Path) -> None:
    table = pq.read_table(policy)
    raised = [low + 1e-3 for low in table["low"].to_pylist()]
    pq.write_table(table.set_column(4, "low", [raised]), "proud.policy")
    assert_refused(put("solve", "--check", "proud.policy"), "the file claims", code=1)


def test_the_opening_is_told_in_words(put: Put, policy: Path) -> None:
    lines = put("solve", "--table", str(policy)).out.splitlines()
    at = lines.index("How eldest begins at 0-0, by his best card, in % of such hands:")
    assert lines[at + 1].split() == ["his", "best", "card", "3", "2", "A"]  # K K K cannot be
    named = [line[:17].strip() for line in lines[at + 2 : at + 7]]
    assert named == ["comes up", "puts", "leads his best", "his middle card", "his worst"]
    at = lines.index("How the dealer begins at 0-0, by the lead, in % of such hands:")
    assert lines[at + 1].split()[:2] == ["the", "lead"]
    named = [line[:17].strip() for line in lines[at + 2 : at + 7]]
    assert named == ["comes up", "puts", "replies higher", "ties", "lays a lower"]
    tables = [line for line in lines[lines.index("") :] if not line.startswith("Puts most often")]
    assert all(len(line) <= 79 for line in tables)


def test_without_a_file_it_is_the_solution_of_the_rules(put: Put, policy: Path) -> None:
    refused = put("solve", "--table", "--rules", TINY)
    assert_refused(refused, "there is no solution of cotton(pack=tiny, target=2) here", code=1)
    Path("cotton-pack-tiny-target-2.policy").write_bytes(policy.read_bytes())
    for option in ("--table", "--check"):
        told = put("solve", option, "--rules", TINY)
        assert (told.code, told.out) == (0, put("solve", option, str(policy)).out)


def test_the_solution_of_cotton_comes_with_the_program(put: Put) -> None:
    record = json.loads(put("solve", "--table", "--json").out)
    assert record["rules"] == "cotton"
    assert record["gap"] <= 0.001
    assert len(record["scores"]) == 25
    value = {(each["eldest"], each["dealer"]): each for each in record["scores"]}
    # Computed elsewhere, and certified there: from 0.44791 to 0.44804, and from 0.69288 to 0.69303.
    assert value[4, 4]["low"] <= 0.44804
    assert value[4, 4]["high"] >= 0.44791
    assert value[4, 2]["low"] <= 0.69303
    assert value[4, 2]["high"] >= 0.69288
    eldest, dealer = record["opening"]
    assert [row["rank"] for row in eldest["rows"]] == list("32AKQJT987654")
    for row in eldest["rows"] + dealer["rows"]:
        assert sum(row["does"].values()) == pytest.approx(1)
    assert next(iter(eldest["puts"])) == "3 3 3"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "expected one of -o FILE, --check FILE and --table FILE"),
        (["--table", "--check"], "expected one of"),
        (["-o", "a.policy", "--gap", "0"], "--gap"),
        (["-o", "a.policy", "--gap", "nan"], "expected a share of the games between 0 and 1"),
        (["-o", "a.policy", "--gap", "inf"], "expected a share of the games between 0 and 1"),
        (["-o", "a.policy", "--threads", "0"], "--threads"),
    ],
)
def test_what_makes_no_sense_is_refused(put: Put, arguments: list[str], says: str) -> None:
    result = put("solve", *arguments)
    assert (result.code, result.out) == (2, "")
    assert says in result.err


@pytest.mark.parametrize("option", ["--table", "--check"])
def test_a_file_that_is_none_is_refused(put: Put, option: str) -> None:
    assert_refused(put("solve", option, "no.policy"), "there is no file 'no.policy'", code=1)
    Path("no.policy").write_text("hello")
    assert_refused(put("solve", option, "no.policy"), "cannot read 'no.policy'", code=1)


@pytest.mark.parametrize(
    ("out", "says"), [(".", "got a folder"), ("nowhere/a.policy", "there is no folder 'nowhere'")]
)
def test_where_nothing_can_be_written_is_said_at_once(put: Put, out: str, says: str) -> None:
    refused = put("solve", "--rules", TINY, "-o", out)
    assert_refused(refused, says, code=1)
    assert len(refused.err.splitlines()) <= 2  # no progress before it


def test_a_gap_that_the_file_does_not_have_is_said_with_what_helps(put: Put, policy: Path) -> None:
    Path("a.policy").write_bytes(policy.read_bytes())
    result = put("solve", "--rules", TINY, "-o", "a.policy", "--gap", "1e-7", "--quiet")
    assert result.code == 1
    assert "the same with another file comes nearer" in result.err
    assert Path("a.policy").read_bytes() == policy.read_bytes()


def test_a_file_that_changes_meanwhile_is_left_to_whoever_changes_it(
    put: Put, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = Solver.solve

    def interrupted(self: Solver, *arguments: Any) -> Iterator[list[Solved]]:
        for found in solve(self, *arguments):
            Path("a.policy").write_bytes(policy.read_bytes())
            yield found

    monkeypatch.setattr(Solver, "solve", interrupted)
    refused = put("solve", "--rules", TINY, "-o", "a.policy", "--quiet")
    assert_refused(refused, "has been written by another process meanwhile", code=1)
    assert Path("a.policy").read_bytes() == policy.read_bytes()


def test_what_lies_there_and_is_no_policy_stays_as_it_is(put: Put) -> None:
    Path("notes.txt").write_text("mine")
    refused = put("solve", "--rules", TINY, "-o", "notes.txt")
    assert_refused(refused, "that is no policy file, and stays as it is", code=1)
    assert Path("notes.txt").read_text() == "mine"


def test_a_damaged_file_is_found_out(put: Put) -> None:
    assert put("solve", "--rules", TINY, "-o", "a.policy", "--gap", "0.01", "--quiet").code == 0
    whole = Path("a.policy").read_bytes()
    found = pq.ParquetFile("a.policy").metadata.row_group(0).column(7)
    at = found.data_page_offset + found.total_compressed_size - 2
    Path("a.policy").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert_refused(put("solve", "--check", "a.policy"), "CRC", code=1)

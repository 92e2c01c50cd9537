"""What was verified is told as text, Markdown, CSV and JSON, whatever was found."""

import csv
import io
import json
from pathlib import Path

from put_cli.verify.faults import Fault, Findings
from put_cli.verify.run import Verified
from put_cli.verify.telling import MOST_FAULTS, Told
from tests.cli.conftest import Put, put
from tests.tournament.runs import play_run

__all__ = ["put"]


def told(faults: int) -> Told:
    """Of a run with so many faults, each in a row of its own."""
    findings = Findings()
    findings.checked["hands replayed"] = 1234
    for number in range(faults):
        key = f"0/0/0/{number}"
        findings.add(Fault("hands/part-000000.parquet", key, "worth", "a|b", "\x1b[2J"))
    return Told(Verified(Path("run"), findings, ("Whether it rains. " * 9,), 2.0), "run\x07")


def test_a_sound_run_has_no_table_of_faults() -> None:
    sound = told(0)
    assert sound.csv() == "file,key,column,expected,found,further\n"
    markdown = sound.markdown()
    assert markdown.startswith("run\\\\x07 is sound: ")
    assert "expected |" not in markdown
    assert "| hands replayed | 1,234 |" in markdown


def test_every_fault_is_a_row() -> None:
    rows = list(csv.DictReader(io.StringIO(told(2).csv())))
    assert [row["key"] for row in rows] == ["0/0/0/0", "0/0/0/1"]
    assert (rows[0]["expected"], rows[0]["found"]) == ("a|b", "\\x1b[2J")
    lines = told(2).markdown().splitlines()
    assert lines[0] == "run\\\\x07 has 2 faults:"
    assert lines[4].startswith("| hands/part-000000.parquet | 0/0/0/0 | worth | a\\|b |")


def test_of_many_faults_the_first_are_printed_and_all_are_in_csv() -> None:
    many = told(MOST_FAULTS + 3)
    assert many.text(80).count("hands/part-000000.parquet") == MOST_FAULTS
    for text in (many.text(80), many.markdown()):
        assert "and 3 more; --format csv and --json list them." in text
    assert len(many.csv().splitlines()) == 1 + MOST_FAULTS + 3


def test_what_was_not_checked_fits_the_window_and_faults_stay_whole() -> None:
    lines = told(1).text(50).splitlines()
    assert "expected a|b" in next(line for line in lines if "worth" in line)
    assert all(len(line) <= 50 for line in lines[lines.index("Not checked:") :])


def test_the_command_prints_all_forms(put: Put, tmp_path: Path) -> None:
    play_run(tmp_path / "run", "odds", "bold", games=4)
    run = str(tmp_path / "run")
    (tmp_path / "run" / "standings.csv").write_text("name\n")
    asked = ("verify", run, "-q", "--sample", "0", "--format")
    results = {form: put(*asked, form) for form in ("table", "markdown", "csv", "json")}
    assert {result.code for result in results.values()} == {1}
    (row,) = csv.DictReader(io.StringIO(results["csv"].out))
    (fault,) = json.loads(results["json"].out)["faults"]
    assert row["file"] == fault["file"] == "standings.csv"
    assert "standings.csv" in results["table"].out
    assert "| standings.csv |" in results["markdown"].out

"""The analyses of a log print the same numbers in every language, and the numbers are right."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
ANALYSES = ROOT / "examples" / "analyses"

FIELD = ("odds", "bold", "sly", "thrifty")
"""thrifty never puts, so it has no row in the second answer."""


def put(*words: object) -> None:
    """Run a command of the program, which must succeed."""
    command = [sys.executable, "-m", "put_cli", *map(str, words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tournament, with misdeals, for which points are scored as well."""
    out = tmp_path_factory.mktemp("analyses") / "run"
    words = ("--games", 200, "--misdeals", 0.05, "--seed", 1674, "--quiet")
    put("tournament", *FIELD, *words, "--out", out)
    return out


def printed(script: str, run: Path) -> str:
    """What an analysis in Python prints."""
    command = [sys.executable, str(ANALYSES / script), str(run)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def expected(run: Path) -> str:
    """What SQL prints."""
    pytest.importorskip("duckdb")
    return printed("in_duckdb.py", run)


def tables(text: str) -> list[list[dict[str, str]]]:
    """The printed answers, as rows."""
    answers = []
    for block in text.strip().split("\n\n"):
        _, heading, *lines = block.splitlines()
        names = heading.split()
        answers.append([dict(zip(names, line.split(), strict=True)) for line in lines])
    return answers


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_python_prints_what_sql_prints(library: str, run: Path, expected: str) -> None:
    pytest.importorskip(library)
    assert printed(f"in_{library}.py", run) == expected


def test_the_points_are_those_of_the_standings(run: Path, expected: str) -> None:
    seats, _, _ = tables(expected)
    lines = json.loads((run / "standings.json").read_text(encoding="utf-8"))["standings"]
    assert {row["strategy"] for row in seats} == set(FIELD)
    for line in lines:
        own = [row for row in seats if row["strategy"] == line["name"]]
        hands = [int(row["hands"]) for row in own]
        points = sum(n * float(row["points"]) for n, row in zip(hands, own, strict=True))
        assert sum(hands) == line["hands"]
        assert points / sum(hands) == pytest.approx(line["points_per_hand"], abs=0.001)


def test_the_puts_and_the_scores_are_those_of_the_log(run: Path, expected: str) -> None:
    _, putters, scores = tables(expected)
    columns = ["put_answer", "eldest_score", "dealer_score"]
    rows = pq.read_table(run / "hands", columns=columns).to_pylist()
    answered = [row["put_answer"] for row in rows if row["put_answer"] is not None]
    assert sum(int(row["puts"]) for row in putters) == len(answered)
    through = sum(int(row["puts"]) * float(row["got_through"]) for row in putters)
    assert through / len(answered) == pytest.approx(
        answered.count("throw") / len(answered), abs=0.001
    )
    for row in scores:
        here = (int(row["eldest_score"]), int(row["dealer_score"]))
        at = [each for each in rows if (each["eldest_score"], each["dealer_score"]) == here]
        assert int(row["hands"]) == len(at)
    assert len(scores) == 25


R_WITHOUT_ARROW = """
open_dataset <- function(sources) {
  rows <- utils::read.csv(paste0(sources, ".csv"), na.strings = "", stringsAsFactors = FALSE)
  rows[] <- lapply(rows, function(x) if (all(x %in% c("true", "false"))) x == "true" else x)
  rows
}
"""
"""Stands in for arrow where R lacks it, so that at least the rest of the script is run."""


@pytest.mark.long
def test_r_prints_what_sql_prints(run: Path, expected: str, tmp_path: Path) -> None:
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("Rscript is not installed")
    environment = os.environ | {"LC_ALL": "C", "R_LIBS": str(tmp_path)}

    def r(*words: object) -> subprocess.CompletedProcess[str]:
        command = [rscript, "--no-init-file", *map(str, words)]
        return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")

    for package in ("dplyr", "jsonlite"):
        if r("-e", f"library({package})").returncode:
            pytest.skip(f"R has no package {package}")
    if r("-e", "library(arrow)").returncode:
        _install_stand_in(tmp_path, environment)
        run = _as_csv(run, tmp_path / "run")
    done = r(ANALYSES / "in_r.R", run)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected


def _install_stand_in(library: Path, environment: dict[str, str]) -> None:
    source = library / "source" / "arrow"
    (source / "R").mkdir(parents=True)
    (source / "DESCRIPTION").write_text("Package: arrow\nVersion: 0.0.1\nTitle: Stand-in\n")
    (source / "NAMESPACE").write_text("export(open_dataset)\n")
    (source / "R" / "open_dataset.R").write_text(R_WITHOUT_ARROW)
    command = ["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", f"--library={library}", source]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def _as_csv(run: Path, copy: Path) -> Path:
    from pyarrow import csv

    copy.mkdir()
    shutil.copy(run / "manifest.json", copy)
    for name in ("hands", "games"):
        table = pq.read_table(run / name)
        plain = [
            pa.field(field.name, pa.string() if "string" in str(field.type) else field.type)
            for field in table.schema
        ]
        options = csv.WriteOptions(quoting_style="needed")
        csv.write_csv(table.cast(pa.schema(plain)), copy / f"{name}.csv", options)
    return copy


def test_the_questions_about_more_players_are_answered(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    run, field = tmp_path / "run", ("odds", "bold", "timid")
    words = ("--rules", "three-handed", "--games", 90, "--quiet", "--seed", 1)
    put("tournament", *field, *words, "--out", run)
    connection = duckdb.connect()
    for table in ("hands", "plays"):
        connection.read_parquet(str(run / table / "*.parquet")).create_view(table)
    text = (ANALYSES / "more_players.sql").read_text(encoding="utf-8")
    cards, asked = (
        connection.execute(each).fetchall() for each in connection.extract_statements(text)
    )
    first = "SELECT count(*) FROM plays WHERE trick = 1"
    assert sum(row[2] for row in cards) == connection.sql(first).fetchall()[0][0]
    assert all(0 <= row[3] <= 1 for row in cards)
    puts = connection.sql("SELECT count(*) FROM hands WHERE puts > 0").fetchall()[0][0]
    assert {row[0] for row in asked} == set(field)
    assert sum(row[1] for row in asked) == 2 * puts > 0


EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient

source, target = sys.argv[1:]
notebook = nbformat.read(source, 4)
folder = {"metadata": {"path": sys.argv[1].rpartition("/")[0]}}
NotebookClient(notebook, timeout=300, resources=folder).execute()
nbformat.write(notebook, target)
"""


def outputs(notebook: Path) -> tuple[list[str], int]:
    """What the cells of a notebook printed, and how many pictures there are."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    found = [output for cell in cells for output in cell.get("outputs", ())]
    texts = ["".join(each["text"]) for each in found if each["output_type"] == "stream"]
    return texts, sum("image/png" in each.get("data", {}) for each in found)


@pytest.mark.long
def test_the_notebook_tells_what_the_log_says_and_stores_it(tmp_path: Path) -> None:
    for library in ("nbclient", "ipykernel", "matplotlib", "duckdb", "pandas"):
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    stored, done = ANALYSES / "story.ipynb", tmp_path / "done.ipynb"
    command = [sys.executable, "-c", EXECUTE, stored.as_posix(), done.as_posix()]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    executed = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert executed.returncode == 0, executed.stderr
    texts, pictures = outputs(done)
    assert (texts, pictures) == outputs(stored)
    assert pictures == 2
    (run,) = tmp_path.glob("*/run")
    assert "".join(texts[1:]) == printed("in_pandas.py", run)
    assert stored.stat().st_size < 100_000

"""The three questions of questions.sql, asked of a run. Needs `pip install duckdb`.

    python examples/analyses/in_duckdb.py runs/latest

DuckDB reads the log as it goes, so the run may be far larger than memory.
"""

import sys
from pathlib import Path
from typing import Any

import duckdb

SQL = Path(__file__).with_name("questions.sql")
QUESTIONS = (
    "1. Which seat earns what?",
    "2. How often does a put get through, and what does it earn?",
    "3. What is a score worth?",
)


def answers(run: Path) -> list[duckdb.DuckDBPyRelation]:
    """The result of each question of the file, in order."""
    connection = duckdb.connect()
    for table in ("hands", "games"):
        connection.read_parquet(str(run / table / "*.parquet")).create_view(table)
    connection.read_json(str(run / "manifest.json")).create_view("manifest")
    results = []
    for statement in connection.extract_statements(SQL.read_text(encoding="utf-8")):
        if statement.type == duckdb.StatementType.SELECT:
            results.append(connection.sql(statement.query))
        else:
            connection.execute(statement)
    return results


def show(question: str, headings: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Print an answer; shares and points have three digits."""
    cells = [headings] + [[text(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(question)
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    print()


def text(value: Any) -> str:
    """A value as it is printed."""
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python in_duckdb.py RUN")
    for question, answer in zip(QUESTIONS, answers(Path(sys.argv[1])), strict=True):
        show(question, answer.columns, answer.fetchall())

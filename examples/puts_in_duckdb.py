"""Ask a run the questions of how_often_a_put_gets_through.sql; needs `pip install duckdb`.

python examples/puts_in_duckdb.py runs/latest
"""

import sys
from pathlib import Path

import duckdb

QUESTIONS = Path(__file__).with_name("how_often_a_put_gets_through.sql")


def answers(run: Path) -> list[duckdb.DuckDBPyRelation]:
    """The result of each SELECT of the file, in order."""
    connection = duckdb.connect()
    connection.read_parquet(str(run / "hands" / "*.parquet")).create_view("hands")
    results = []
    for statement in connection.extract_statements(QUESTIONS.read_text(encoding="utf-8")):
        if statement.type == duckdb.StatementType.SELECT:
            results.append(connection.sql(statement.query))
        else:
            connection.execute(statement)
    return results


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python puts_in_duckdb.py RUN")
    for answer in answers(Path(sys.argv[1])):
        answer.show(max_rows=100)

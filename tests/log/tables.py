"""Reading the tables of a run, without the reader of the program."""

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from put_cli.log.schema import Format
from put_cli.rules.finding import find_ruleset

FORM = Format(find_ruleset("cotton"))
TABLES = FORM.tables


def paths(run: Path, table: str) -> list[Path]:
    """The parts of a table in order."""
    return sorted((run / table).glob("part-*.parquet"))


def read(run: Path, table: str) -> pd.DataFrame:
    """A table of the run; text where the file has a dictionary, None where it has null."""
    tables = [pq.ParquetFile(path).read() for path in paths(run, table)]
    columns = {
        column.name: [cell for part in tables for cell in part[column.name].to_pylist()]
        for column in TABLES[table]
    }
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})

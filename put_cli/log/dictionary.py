"""The README.md of a run: what its files are, column by column, and how to open them."""

from put_cli.log.schema import LOGGED, TABLES, VERSION

_ABOUT = {
    "hands": "One row a deal.",
    "games": "One row a game (in le Truc a rubber); the key without `hand`.",
    "tallies": "One row a match, counted for the strategies a and b of the pairing: standings and "
    "intervals are computed from it.",
}

_SNIPPETS = """\
## Opening it

DuckDB:

    SELECT put_by, put_at, avg((put_answer = 'throw')::int) AS gets_through, count(*) AS puts
    FROM 'hands/*.parquet' WHERE puts > 0 GROUP BY ALL ORDER BY puts DESC;

pandas:

    import pandas as pd
    hands = pd.read_parquet("hands")

polars:

    import polars as pl
    hands = pl.scan_parquet("hands/*.parquet")

R:

    hands <- arrow::open_dataset("hands")
"""


def text(log: str) -> str:
    """The data dictionary for a run with the given value of --log, as Markdown."""
    lines = [
        "# A run of put",
        "",
        f"Log format {VERSION}, two-handed games. `manifest.json` says what was played and from",
        "which seed; `standings.*` and `crosstable.csv` are computed from the log; `run.log` is",
        "what the processes had to say. The parts in each folder together are one table.",
        "",
    ]
    for name, columns in TABLES.items():
        if name not in LOGGED[log]:
            continue
        lines += [
            f"## {name}/",
            "",
            _ABOUT[name],
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| {c.name} | {_type(c.type)} | {c.meaning} |" for c in columns]
        lines.append("")
    if log == "hands":
        lines.append(_SNIPPETS)
    return "\n".join(lines)


def _type(kind: object) -> str:
    """The type as most readers show it; dictionary columns read as text."""
    shown = str(kind)
    return "text" if "string" in shown else shown

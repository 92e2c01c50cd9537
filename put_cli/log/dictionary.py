"""The README.md of a run: what its files are, column by column, and how to open them."""

from put_cli.log.schema import VERSION, Format

_ABOUT = {
    "hands": "One row a deal.",
    "plays": "One row a card played, in the order of play; `turn` is 1 for a lead.",
    "games": "One row a game (in le Truc a rubber); the key without `hand`.",
    "tallies": "One row a match, counted for the strategies {letters} of the {table}: standings "
    "and intervals are computed from it.",
}

_KINDS = {
    "two-handed": "two-handed games",
    "four-handed": "four-handed games, partners against partners",
}

_QUERIES = {
    "two-handed": """\
    SELECT put_by, put_at, avg((put_answer = 'throw')::int) AS gets_through, count(*) AS puts
    FROM 'hands/*.parquet' WHERE puts > 0 GROUP BY ALL ORDER BY puts DESC;
""",
    "four-handed": """\
    SELECT dealer_choice, avg((winner = 'dealer')::int) AS won_of_decided, count(*) AS hands
    FROM 'hands/*.parquet' GROUP BY ALL ORDER BY hands DESC;
""",
    "many-handed": """\
    SELECT put_by, put_at, avg((seen_by IS NULL)::int) AS gets_through, count(*) AS puts
    FROM 'hands/*.parquet' WHERE puts > 0 GROUP BY ALL ORDER BY puts DESC;
""",
}

_READERS = """\
pandas:

    import pandas as pd
    hands = pd.read_parquet("hands")
    print(hands["winner"].value_counts(dropna=False))

polars:

    import polars as pl
    hands = pl.scan_parquet("hands/*.parquet")
    print(hands.group_by("winner").len().collect())

R:

    hands <- arrow::open_dataset("hands")
    hands |> dplyr::count(winner = as.character(winner)) |> dplyr::collect()

Rows of one hand or game share their key: `pairing`, `block`, `mirror`, `game`, and `hand`.
"""


def text(form: Format, log: str) -> str:
    """The data dictionary for a run with the given value of --log, as Markdown."""
    players = form.rules.players
    kind = _KINDS.get(form.family, f"games of {players} players, each for himself")
    lines = [
        "# A run of put",
        "",
        f"Log format {VERSION}, {kind}. `manifest.json` says what was played and from",
        "which seed; `standings.*` and `crosstable.csv` are computed from the log; `run.log` is",
        "what the processes had to say. The parts in each folder together are one table.",
        "",
    ]
    letters = list("abcdef"[:players])
    said = {
        "letters": f"{', '.join(letters[:-1])} and {letters[-1]}",
        "table": "pairing" if players == 2 else "table",
    }
    for name in form.logged(log):
        columns = form.tables[name]
        lines += [
            f"## {name}/",
            "",
            _ABOUT[name].format(**said),
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| {c.name} | {_type(c.type)} | {c.meaning} |" for c in columns]
        lines.append("")
    if log == "hands":
        lines += ["## Opening it", "", "DuckDB:", "", _QUERIES[form.family], _READERS]
    return "\n".join(lines)


def _type(kind: object) -> str:
    """The type as most readers show it; dictionary columns read as text."""
    shown = str(kind)
    return "text" if "string" in shown else shown

"""The files of a run: its parts, their footers, manifest and dictionary, for us and others."""

import hashlib
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from put_cli.log import manifest, reader
from put_cli.log.schema import LOGS
from put_cli.rules.ruleset import RuleSet
from put_cli.tournament.run import Finished
from tests.log.tables import FORM, TABLES, paths


def test_a_run_leaves_what_it_should_and_no_temporary_file(run: Path, finished: Finished) -> None:
    shards = len(finished.prepared.workshop.shards)
    assert shards > 2
    assert {path.name for path in run.iterdir()} == {
        ".lock",
        "manifest.json",
        "README.md",
        "run.log",
        "hands",
        "games",
        "tallies",
        "standings.json",
        "standings.csv",
        "standings.md",
        "crosstable.csv",
    }
    for table in TABLES:
        names = [f"part-{shard:06d}.parquet" for shard in range(shards)]
        assert sorted(path.name for path in (run / table).iterdir()) == names


@pytest.mark.parametrize("table", TABLES)
def test_every_part_has_the_schema_of_its_table(run: Path, table: str) -> None:
    for path in paths(run, table):
        part = pq.ParquetFile(path).read()
        assert part.schema.remove_metadata() == FORM.schema(table)
        part.validate(full=True)
        for field in part.schema:
            if not field.nullable:
                assert part[field.name].null_count == 0
            assert not pa.types.is_null(field.type)
            assert not pa.types.is_unsigned_integer(field.type)


def test_parts_are_compressed_and_readable_without_our_schema(run: Path) -> None:
    group = pq.ParquetFile(paths(run, "hands")[0]).metadata.row_group(0)
    for number in range(group.num_columns):
        column = group.column(number)
        assert column.compression == "ZSTD"
        assert set(column.encodings) <= {"PLAIN", "RLE", "RLE_DICTIONARY", "PLAIN_DICTIONARY"}


def test_the_last_footer_of_a_shard_names_rows_and_content_of_all_its_parts(
    run: Path, finished: Finished
) -> None:
    plan = finished.prepared.workshop.shards.fingerprint(0)
    for shard, path in enumerate(paths(run, "tallies")):
        footer = reader.footer_of(path)
        assert {key: footer[key] for key in footer if key != "parts"} == {
            "family": "two-handed",
            "version": 1,
            "table": "tallies",
            "shard": shard,
            "plan": plan,
        }
        assert list(footer["parts"]) == ["games", "hands", "tallies"]  # keys are sorted
        for table in ("hands", "games"):
            part = paths(run, table)[shard]
            assert footer["parts"][table] == {
                "rows": pq.read_metadata(part).num_rows,
                "blake2b": hashlib.blake2b(part.read_bytes(), digest_size=16).hexdigest(),
            }
            own = reader.footer_of(part)
            assert (own["table"], own["shard"], own["plan"]) == (table, shard, plan)
        content = hashlib.blake2b(digest_size=16)
        whole = pq.ParquetFile(path).read()
        for column in whole.columns:
            content.update(column.to_numpy().tobytes())
        assert footer["parts"]["tallies"] == {
            "rows": whole.num_rows,
            "blake2b": content.hexdigest(),
        }


def test_committed_shards_are_those_of_the_plan(run: Path, finished: Finished) -> None:
    made = manifest.read(run)
    assert sorted(reader.committed(made)) == list(range(len(finished.prepared.workshop.shards)))
    other = [each | {"fingerprint": "another plan"} for each in made.rounds]
    assert reader.committed(manifest.Manifest(made.path, {**made.data, "rounds": other})) == {}


def test_the_manifest_says_what_was_played(run: Path, finished: Finished, rules: RuleSet) -> None:
    made = manifest.read(run)
    assert made.rules == rules
    assert made.seed == 5
    assert [each["name"] for each in made.strategies] == made.names
    assert made.names == [each.name for each in finished.prepared.workshop.contestants]
    assert made.rounds[0]["games"] == 46
    assert made.rounds[0]["fingerprint"] == finished.prepared.workshop.shards.fingerprint(0)
    assert made.data["generator"] == "philox4x32-10+splitmix64/1"
    assert made.data["rules_fingerprint"] == rules.fingerprint()
    sources = [each["source"] for each in made.strategies]
    assert len(set(sources)) == len(sources)
    assert all(len(source) == 16 for source in sources)


def test_the_data_dictionary_lists_every_column(run: Path) -> None:
    text = (run / "README.md").read_text()
    for table, columns in TABLES.items():
        section = text.split(f"## {table}/")[1].split("\n## ")[0]
        for column in columns:
            assert f"| {column.name} |" in section
            assert column.meaning in section
        assert section.count("\n|") == len(columns) + 2


def test_the_run_log_names_every_player_and_shard(run: Path, finished: Finished) -> None:
    text = (run / "run.log").read_text()
    for player in finished.prepared.workshop.contestants:
        assert f"{player.name} plays in the {player.tier} tier" in text
    for shard in range(len(finished.prepared.workshop.shards)):
        assert f"shard {shard}: " in text
    assert "WARNING" in text  # the faults, told one by one
    assert "faulty raised IndexError" in text


# Other readers.


def test_duckdb_pandas_and_polars_read_the_same_rows(run: Path, hands: pd.DataFrame) -> None:
    pattern = str(run / "hands" / "*.parquet")
    puts = int(hands.puts.sum())
    drawn = int((hands.ending == "drawn").sum())
    query = (
        f"SELECT count(*), sum(puts)::BIGINT, count(*) FILTER (ending = 'drawn') FROM '{pattern}'"
    )
    assert duckdb.sql(query).fetchall()[0] == (len(hands), puts, drawn)
    frame = pd.read_parquet(run / "hands")
    assert (len(frame), frame.puts.sum(), (frame.ending == "drawn").sum()) == (
        len(hands),
        puts,
        drawn,
    )
    lazy = pl.scan_parquet(pattern).select(
        pl.len(),
        pl.col("puts").cast(pl.Int64).sum(),
        (pl.col("ending") == "drawn").sum().alias("d"),
    )
    assert lazy.collect().row(0) == (len(hands), puts, drawn)


def test_the_query_of_the_readme_runs(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (run / "README.md").read_text()
    query = text.split("DuckDB:")[1].split("pandas:")[0].strip()
    monkeypatch.chdir(run)
    rows = duckdb.sql(query).fetchall()
    assert rows
    assert all(0 <= share <= 1 for _, _, share, _ in rows if share is not None)


# What is logged.


def test_each_choice_of_log_writes_its_tables_and_says_so() -> None:
    from put_cli.log import dictionary

    for log in LOGS:
        text, tables = dictionary.text(FORM, log), FORM.logged(log)
        assert [name for name in TABLES if f"## {name}/" in text] == list(tables)
        assert tables[-1] == "tallies"

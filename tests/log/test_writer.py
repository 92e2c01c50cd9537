"""Parts appear whole or not at all; what is not a log is refused in words."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError
from put_cli.log import manifest, reader, writer
from put_cli.log.schema import TABLES, schema
from put_cli.rules.ruleset import find_ruleset


def empty(table: str) -> pa.Table:
    """A table without rows."""
    return schema(table).empty_table()


def tables() -> dict[str, pa.Table]:
    """All tables of a shard, empty."""
    return {name: empty(name) for name in TABLES}


def test_parts_are_written_in_the_order_that_commits_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    replace = os.replace

    def note(source: Any, target: Any) -> None:
        assert Path(source).parent == Path(target).parent
        written.append(Path(target).parent.name)
        replace(source, target)

    monkeypatch.setattr(os, "replace", note)
    writer.write_shard(tmp_path, 3, "plan", dict(reversed(tables().items())))
    assert written == ["hands", "games", "tallies"]
    assert reader.committed(tmp_path, "plan")[3]["shard"] == 3


@pytest.mark.parametrize("failing", ["hands", "games", "tallies"])
def test_a_shard_whose_writing_fails_is_not_committed_and_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    replace = os.replace

    def full(source: Any, target: Any) -> None:
        if Path(target).parent.name == failing:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RunError, match=r"cannot write '.*part-000000.parquet': No space left"):
        writer.write_shard(tmp_path, 0, "plan", tables())
    assert reader.committed(tmp_path, "plan") == {}
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


def test_a_part_is_synced_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(os, "fsync", lambda _handle: calls.append("sync"))
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: (calls.append("name"), replace(*names)))
    writer.write_shard(tmp_path, 0, "plan", {"tallies": empty("tallies")})
    assert calls == ["sync", "name"]


def test_temporary_files_are_swept_and_parts_are_not(tmp_path: Path) -> None:
    writer.write_shard(tmp_path, 0, "plan", tables())
    for name in TABLES:
        (tmp_path / name / ".tmp-4711-part-000001.parquet").write_bytes(b"half")
    writer.sweep(tmp_path)
    assert {path.name for path in tmp_path.rglob("*.parquet")} == {"part-000000.parquet"}
    writer.sweep(tmp_path / "nowhere")


def test_the_same_tables_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        writer.write_shard(tmp_path / name, 0, "plan", tables())
    for name in TABLES:
        one, two = (
            writer.part_path(tmp_path / run, name, 0).read_bytes() for run in ("one", "two")
        )
        assert one == two


def test_tallies_of_a_run_without_parts_are_empty(tmp_path: Path) -> None:
    found = reader.tallies(tmp_path)
    assert list(found) == [column.name for column in TABLES["tallies"]]
    assert all(values.dtype == np.int64 and len(values) == 0 for values in found.values())


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PAR1" + bytes(20)])
def test_a_part_that_is_no_parquet_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "part-000000.parquet"
    path.write_bytes(content)
    with pytest.raises(RunError, match=r"part-000000.parquet is not a part of a log"):
        reader.footer_of(path)


@pytest.mark.parametrize("metadata", [{}, {b"put": b"[1]"}, {b"put": b"not json"}])
def test_a_foreign_parquet_file_is_no_part(tmp_path: Path, metadata: dict[bytes, bytes]) -> None:
    path = tmp_path / "part-000000.parquet"
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata(metadata), path)
    with pytest.raises(RunError, match="is not a part of a log"):
        reader.footer_of(path)


def test_rows_of_a_missing_part_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"has no hands log for that game \(no part-000007.parquet"):
        list(reader.rows(tmp_path, "hands", 7, {}))


# The manifest.


def made(**changes: Any) -> dict[str, Any]:
    """A manifest, with changes."""
    return (
        manifest.make(
            program="put",
            generator="g",
            command=["put"],
            created="now",
            seed=2**63 - 1,
            rules=find_ruleset("truc-french(raise=plus2)"),
            strategies=[{"name": "á\n"}],
            plan={"games": 2},
        )
        | changes
    )


def test_a_manifest_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    manifest.write(tmp_path, made())
    back = manifest.read(tmp_path)
    assert back.data == made()
    assert back.rules == find_ruleset("truc-french(raise=plus2)")
    assert (back.seed, back.names, back.run) == (2**63 - 1, ["á\n"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, r"is not a run: it has no manifest.json. 'put tournament' makes one"),
        ("", "cannot read"),
        ("{", "cannot read"),
        ("[" * 100_000, "cannot read"),
        ("[]", "expected a log of the family 'two-handed' in version 1, got None"),
        (json.dumps(made(format={"family": "two-handed", "version": 2})), "in version 1, got"),
        (
            json.dumps({"format": {"family": "two-handed", "version": 1}, "seed": 1}),
            "rounds, rules, strategies missing",
        ),
    ],
)
def test_what_is_no_manifest_is_refused_in_words(
    tmp_path: Path, text: str | None, says: str
) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RunError, match=says):
        manifest.read(tmp_path)


def test_a_text_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest.write(tmp_path, made())

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RunError, match="No space left on device"):
        manifest.write(tmp_path, made(seed=1))
    monkeypatch.undo()
    assert manifest.read(tmp_path).seed == 2**63 - 1
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]

"""Parts appear whole or not at all; what is not a log is refused in words."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError
from put_cli.log import manifest, numbers, reader, schema, writer
from put_cli.log.schema import Format
from put_cli.log.store import Folder
from put_cli.rules.finding import find_ruleset

FORM = Format(find_ruleset("cotton"))
TABLES = FORM.tables


def empty(table: str) -> pa.Table:
    """A table without rows."""
    return FORM.schema(table).empty_table()


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
    writer.write_shard(Folder(tmp_path), FORM, 3, "plan", dict(reversed(tables().items())))
    assert written == ["hands", "games", "tallies"]
    assert reader.committed(a_run(tmp_path))[3]["shard"] == 3


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
        writer.write_shard(Folder(tmp_path), FORM, 0, "plan", tables())
    assert reader.committed(a_run(tmp_path)) == {}
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_that_lies_in_wait_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if somebody could know the name of the file that is written first."""
    monkeypatch.setattr("secrets.token_hex", lambda _bytes: "known")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    for name in ("manifest.json", "part-000000.parquet"):
        (tmp_path / f".tmp-known-{name}").symlink_to(elsewhere)
    with pytest.raises(RunError, match="cannot write"):
        manifest.write_text(tmp_path / "manifest.json", "theirs")
    with pytest.raises(RunError, match="cannot write"):
        Folder(tmp_path.parent).put(f"{tmp_path.name}/part-000000.parquet", pa.py_buffer(b"theirs"))
    assert elsewhere.read_text() == "mine"
    assert not (tmp_path / "manifest.json").exists()


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    with ThreadPoolExecutor(4) as pool:
        texts = [f"{n}" * 100_000 for n in range(8)]
        list(pool.map(lambda text: manifest.write_text(path, text), texts))
    assert path.read_text() in texts
    assert [each.name for each in tmp_path.iterdir()] == ["manifest.json"]


def test_a_part_is_synced_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(os, "fsync", lambda _handle: calls.append("sync"))
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: (calls.append("name"), replace(*names)))
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", {"tallies": empty("tallies")})
    assert calls == ["sync", "name", "sync"]  # the second is of the folder


def test_temporary_files_are_swept_and_parts_are_not(tmp_path: Path) -> None:
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", tables())
    for name in TABLES:
        (tmp_path / name / ".tmp-4711-part-000001.parquet").write_bytes(b"half")
        Folder(tmp_path).sweep(name)
    assert {path.name for path in tmp_path.rglob("*.parquet")} == {"part-000000.parquet"}
    Folder(tmp_path / "nowhere").sweep("hands")


def test_the_same_tables_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        writer.write_shard(Folder(tmp_path / name), FORM, 0, "plan", tables())
    for name in TABLES:
        one, two = (
            writer.part_path(tmp_path / run, name, 0).read_bytes() for run in ("one", "two")
        )
        assert one == two


def test_tallies_come_part_by_part_in_whole_numbers(tmp_path: Path) -> None:
    assert list(reader.tallies(a_run(tmp_path))) == []
    for shard in (0, 1):
        writer.write_shard(Folder(tmp_path), FORM, shard, "plan", tables())
    found = list(reader.tallies(a_run(tmp_path)))
    assert len(found) == 2
    for part in found:
        assert list(part) == [column.name for column in TABLES["tallies"]]
        assert all(values.dtype == np.int64 and len(values) == 0 for values in part.values())


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PAR1" + bytes(20)])
def test_a_part_that_is_no_parquet_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "part-000000.parquet"
    path.write_bytes(content)
    with pytest.raises(RunError, match=r"part-000000.parquet is not a part of a log"):
        reader.footer_of(path)


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {b"put": b"[1]"},
        {b"put": b"not json"},
        {b"put": b"[" * 100_000},
        {b"put": b"\xff"},
        {b"put": b'{"table": "tallies", "plan": "plan"}'},
        {b"put": b'{"table": "tallies", "plan": "plan", "shard": "first"}'},
    ],
)
def test_a_foreign_parquet_file_is_no_part(tmp_path: Path, metadata: dict[bytes, bytes]) -> None:
    path = tmp_path / "part-000000.parquet"
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata(metadata), path)
    with pytest.raises(RunError, match=r"is (not a|no) part of a log"):
        reader.footer_of(path)


def test_rows_of_a_missing_part_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"has no hands log for that game \(no part-000007.parquet"):
        list(reader.rows(a_run(tmp_path), "hands", 7, {}))


# Parts that do not belong where they lie.


def a_round(**changes: Any) -> dict[str, Any]:
    """A round of ten shards, as a manifest has it."""
    return {
        "strategies": 1,
        "games": 2,
        "match_games": 9,
        "mirror": True,
        "first_block": 0,
        "newcomers_from": 0,
        "units_per_shard": 1,
        "shards": 10,
        "log": "hands",
        "fingerprint": "plan",
    } | changes


def a_run(path: Path, plan: str = "plan") -> manifest.Manifest:
    """The manifest of a run of cotton, whose only round has this fingerprint."""
    data = {
        "format": FORM.facts(),
        "rules": FORM.rules.plain(),
        "rounds": [a_round(fingerprint=plan)],
    }
    return manifest.Manifest(path / "manifest.json", data)


def a_match(table: str = "tallies", **values: int) -> pa.Table:
    """A table of one row: of one game (in tallies), the given values and zeros."""
    form = FORM.schema(table)
    row = {name: int(name == "games") for name in form.names}
    return pa.Table.from_pylist([row | values], form)


def refused(run: Path, says: str) -> None:
    """The tallies of a run of the plan 'plan' cannot be read, for that reason."""
    with pytest.raises(RunError, match=says):
        list(reader.tallies(a_run(run)))


def test_a_part_of_another_run_or_plan_is_refused_by_name(tmp_path: Path) -> None:
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", {"tallies": a_match()})
    writer.write_shard(Folder(tmp_path), FORM, 1, "other", {"tallies": a_match()})
    refused(
        tmp_path,
        r"tallies/part-000001.parquet is a part of another run, or of another plan: its "
        r"fingerprint is 'other', that of this run 'plan'\.",
    )


def test_a_part_under_the_name_of_another_is_refused(tmp_path: Path) -> None:
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", {"tallies": a_match()})
    part = writer.part_path(tmp_path, "tallies", 0)
    (copy := part.with_name("part-000007.parquet")).write_bytes(part.read_bytes())
    refused(tmp_path, r"part-000007.parquet is out of its place: it was written as part 0 of tall")
    copy.unlink()
    (tmp_path / "more").mkdir()
    writer.write_shard(Folder(tmp_path / "more"), FORM, 0, "plan", tables())
    part.write_bytes(writer.part_path(tmp_path / "more", "hands", 0).read_bytes())
    refused(tmp_path, r"part-000000.parquet is out of its place: it was written as part 0 of hands")


def test_a_part_of_another_format_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = Format(find_ruleset("three-handed"))
    tallies = {"tallies": three.schema("tallies").empty_table()}
    writer.write_shard(Folder(tmp_path), three, 0, "plan", tallies)
    refused(tmp_path, r"expected a part of the format .*'two-handed'.*, got .*'many-handed'")
    monkeypatch.setattr(schema, "VERSION", 99)
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", {"tallies": a_match()})
    monkeypatch.undo()
    refused(tmp_path, r"expected a part in version 1, got 99")


def test_a_part_whose_rows_were_changed_is_refused(tmp_path: Path) -> None:
    footer = writer.write_shard(Folder(tmp_path), FORM, 0, "plan", {"tallies": a_match(games=3)})
    assert next(reader.tallies(a_run(tmp_path)))["games"].tolist() == [3]
    path = writer.part_path(tmp_path, "tallies", 0)
    for changed in (a_match(games=4), a_match(games=3).drop_columns("wins_a")):
        pq.write_table(changed.replace_schema_metadata({b"put": json.dumps(footer)}), path)
        refused(tmp_path, r"part-000000.parquet is damaged: ")


def test_parts_are_read_one_at_a_time(tmp_path: Path) -> None:
    for shard in (0, 1):
        made = {"tallies": a_match(games=shard + 1)}
        writer.write_shard(Folder(tmp_path), FORM, shard, "plan", made)
    parts = reader.tallies(a_run(tmp_path))
    writer.part_path(tmp_path, "tallies", 1).write_bytes(b"")
    assert next(parts)["games"].tolist() == [1]
    with pytest.raises(RunError, match=r"part-000001.parquet is not a part of a log"):
        next(parts)


@pytest.mark.parametrize("at", [0.002, 0.1, 0.25, 0.9, 0.999])
def test_a_part_with_a_damaged_byte_or_cut_short_is_refused_by_name(
    tmp_path: Path, at: float
) -> None:
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", {"tallies": a_match(games=3)})
    path = writer.part_path(tmp_path, "tallies", 0)
    whole = path.read_bytes()
    place = int(len(whole) * at)
    for damaged in (whole[:place] + b"\xff\xff\xff\xff" + whole[place + 4 :], whole[:place]):
        path.write_bytes(damaged)
        with pytest.raises(RunError, match=r"part-000000.parquet"):
            list(reader.tallies(a_run(tmp_path)))


def test_rows_of_a_part_that_was_changed_or_is_foreign_are_refused(tmp_path: Path) -> None:
    made = tables() | {"tallies": a_match()}
    writer.write_shard(Folder(tmp_path), FORM, 0, "plan", made)
    assert list(reader.rows(a_run(tmp_path), "hands", 0, {})) == []
    with pytest.raises(RunError, match=r"hands/part-000000.parquet is a part of another run"):
        list(reader.rows(a_run(tmp_path, "other"), "hands", 0, {}))
    path = writer.part_path(tmp_path, "hands", 0)
    footer = json.dumps(reader.footer_of(path))
    pq.write_table(empty("hands").replace_schema_metadata({b"put": footer}), path, compression=None)
    with pytest.raises(RunError, match=r"hands/part-000000.parquet is damaged"):
        list(reader.rows(a_run(tmp_path), "hands", 0, {}))


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
            strategies=[{"name": "á\n\udcff", "memory": False}],
            folder="/",
            settings={},
            first_round=a_round(),
        )
        | changes
    )


def test_a_manifest_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    manifest.write(tmp_path, made())
    back = manifest.read(tmp_path)
    assert back.data == made()
    assert back.rules == find_ruleset("truc-french(raise=plus2)")
    assert (back.seed, back.names, back.run) == (2**63 - 1, ["á\n\udcff"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, r"is not a run: it has no manifest.json. 'put tournament' makes one"),
        ("", "cannot read"),
        ("{", "cannot read"),
        ("[" * 100_000, "cannot read"),
        ("[]", "expected a log in version 1, got None"),
        (json.dumps(made(format={"family": "two-handed", "version": 2})), "in version 1, got"),
        (
            json.dumps({"format": {"family": "two-handed", "version": 1}, "seed": 1}),
            "rounds, rules, strategies missing",
        ),
        (json.dumps(made(seed="1")), r"manifest.json: seed: expected a whole number, got \"1\""),
        (json.dumps(made(seed=True)), r"seed: expected a whole number, got true"),
        (json.dumps(made(seed=1.5)), r"seed: expected a whole number, got 1.5"),
        (json.dumps(made(rules=["cotton"])), r"rules: expected an object, got \[\"cotton\"\]"),
        (json.dumps(made(strategies={})), r"strategies: expected a list, got {}"),
        (json.dumps(made(strategies=["fox"])), r"strategies\[0\]: expected an object, got \"fox\""),
        (json.dumps(made(strategies=[{"name": "fox"}])), r"strategies\[0\]: memory missing"),
        (
            json.dumps(made(strategies=[{"name": ["fox"] * 99, "memory": False}])),
            r"strategies\[0\]: name: expected a text, got .{,60}\.$",
        ),
        (json.dumps(made(rounds=[])), r"rounds: expected at least one, got \[\]"),
        (json.dumps(made(rounds=[[]])), r"rounds\[0\]: expected an object, got \[\]"),
        (
            json.dumps(made(rounds=[{"games": 2}])),
            r"rounds\[0\]: fingerprint, first_block, log, match_games, mirror, newcomers_from, "
            r"shards, strategies, units_per_shard missing",
        ),
        (
            json.dumps(made(rounds=[a_round(), a_round(mirror=False)])),
            r"rounds: mirror: expected one value, got \[false, true\]",
        ),
        (json.dumps(made(rounds=[a_round(log="all")])), r"rounds: log: expected one of hands"),
    ],
)
def test_what_is_no_manifest_is_refused_in_words(
    tmp_path: Path, text: str | None, says: str
) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RunError, match=says):
        manifest.read(tmp_path)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"name": "house", "target": []}, r"manifest.json: rules: target: expected a whole number"),
        ({"name": "house", "colour": 1}, r"manifest.json: rules: there is no knob 'colour'"),
        ({}, r"manifest.json: rules: name: expected the name of the rule set, got none"),
    ],
)
def test_a_manifest_whose_rules_cannot_be_is_a_run_that_cannot_be_read(
    tmp_path: Path, rules: dict[str, Any], says: str
) -> None:
    manifest.write(tmp_path, made(rules=rules))
    with pytest.raises(RunError, match=says):
        _ = manifest.read(tmp_path).rules


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


def test_a_word_beyond_its_dictionary_is_an_error_in_one_line() -> None:
    damaged = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int8()), ["tie"], safe=False)
    with pytest.raises(RunError, match="words it does not have"):
        numbers.codes(damaged, {"tie": 2}, -1)

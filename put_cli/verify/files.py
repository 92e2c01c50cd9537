"""The files of a shard: there, unharmed, in their places, and as the last of them says."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.errors import RunError
from put_cli.log.manifest import Manifest
from put_cli.log.part import Part, read_part
from put_cli.log.schema import EVERY_TABLE, Format
from put_cli.log.writer import content, encoded, part_path
from put_cli.report.tables import printable
from put_cli.verify.faults import Fault, Findings
from put_cli.verify.rows import one_chunk

MOST_HANDS = 1000
"""Hands of a game, on an average over a shard, that are taken for one."""

MOST_DEALS = 20_000
"""And deals of a session; its events are at most so many a deal, on an average."""

_ROWS = {
    "tallies": 1,
    "games": 1,
    "hands": MOST_HANDS,
    "plays": 18 * MOST_HANDS,
    "deals": MOST_DEALS,
    "events": 1000 * MOST_DEALS,
}


def tables_of(made: Manifest, shard: int, games: int, findings: Findings) -> dict[str, pa.Table]:
    """The tables of a shard that can be read, each column in one piece; faults go to `findings`.

    `games` is how many the shard has.
    """
    run, form = made.run, made.form
    found: dict[str, tuple[pa.Table, dict[str, Any], str]] = {}
    ours = {}
    for name in form.logged(made.log):
        path = part_path(run, name, shard)
        file = f"{name}/{path.name}"
        try:
            part = read_part(path, form, name, rows=_ROWS[name] * games + 100_000)
        except RunError as error:
            missing = not path.exists()
            what = "no such file" if missing else printable(str(error).rstrip("."))
            findings.add(Fault(file, "", "", f"a part of {name}", what))
            continue
        ours[name] = _otherwise_written(part) if name == "tallies" else False
        digest = hashlib.blake2b(part.data, digest_size=16).hexdigest()
        found[name] = one_chunk(part.table), part.footer, digest
    _check_footers(made, shard, found, findings)
    if ours.get("tallies") and not findings.count:
        # Its hash is of the rows: the file itself cannot hold its own.
        file = f"tallies/{part_path(run, 'tallies', shard).name}"
        what = "the same rows and footer in other bytes"
        findings.add(Fault(file, "", "", "the file as it was written", what))
    return {name: table for name, (table, _, _) in found.items()}


def _otherwise_written(part: Part) -> bool:
    """Whether these versions of the libraries would have written the part in other bytes."""
    again = encoded(part.table, part.footer)
    by = pq.read_metadata(pa.BufferReader(again)).created_by
    return by == part.created_by and not again.equals(part.data)


def _check_footers(
    made: Manifest,
    shard: int,
    found: Mapping[str, tuple[pa.Table, dict[str, Any], str]],
    findings: Findings,
) -> None:
    form = made.form
    commit: Any = found["tallies"][1].get("parts") if "tallies" in found else None
    parts = {}
    for name, (table, _, digest) in found.items():
        parts[name] = {
            "rows": table.num_rows,
            "blake2b": content(table) if name == "tallies" else digest,
        }
    for name, (_, footer, _) in found.items():
        file = f"{name}/{part_path(Path(), name, shard).name}"
        facts = {**form.facts(), "table": name, "shard": shard, "plan": made.fingerprint(shard)}
        for key in sorted({*facts, *footer} - {"parts"}):
            if footer.get(key) != facts.get(key):
                findings.add(
                    Fault(
                        file,
                        "footer",
                        printable(key),
                        _json(facts.get(key)),
                        _json(footer.get(key)),
                    )
                )
        if "tallies" in found:
            written = commit.get(name) if isinstance(commit, dict) else None
            for key in ("rows", "blake2b"):
                told = written.get(key) if isinstance(written, dict) else None
                if told != parts[name][key]:
                    findings.add(
                        Fault(file, "", f"{key} as committed", _json(told), _json(parts[name][key]))
                    )
    if isinstance(commit, dict):
        for name in sorted(set(commit) - set(form.logged(made.log))):
            file = f"tallies/{part_path(Path(), 'tallies', shard).name}"
            findings.add(Fault(file, "footer", "parts", "parts that are logged", _json(name)))
    findings.checked["parts hashed"] += len(found)


def strange_files(run: Path, form: Format, expected: Mapping[str, set[str]]) -> list[Fault]:
    """Files in the folders of the tables that no shard of the plan has."""
    faults = []
    for name in EVERY_TABLE:
        folder = run / name
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            faults.append(Fault(name, "", "", "a folder of the run", "something else"))
            continue
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name not in expected.get(name, set()):
                file = f"{name}/{printable(path.name)}"
                faults.append(Fault(file, "", "", "no such file", "a file that no shard has"))
    return faults


def _json(value: object) -> str:
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 80 else f"{text[:80]}..."

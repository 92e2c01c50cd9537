"""A run with anything written into its log, and a program that answers anything.

The log is damaged by somebody who knows its format: every hash fits, so what is wrong are figures
and words alone. Both take their orders from bytes, which is what a fuzzer makes.
"""

import shutil
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.engine.asking import Fault
from put_cli.engine.lanes import METHODS
from put_cli.engine.remote import Lost
from put_cli.engine.watch import Watch
from put_cli.log import manifest
from put_cli.log.store import Folder
from put_cli.log.writer import part_path, write_shard
from put_cli.plugins import wire
from put_cli.plugins.child import Gone
from put_cli.plugins.external import EXTERNAL
from put_cli.plugins.outside import LoadedOutside, Outside, introduce
from put_cli.plugins.situations import view_at
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import Match
from tests.tournament.runs import play_run

EDIT = struct.Struct("<BBBq")
"""Which table, column and row, counted round and round, and what is written there."""

MOST_EDITS = 24

WORDS = ("", "odds", "nobody", "eldest", "put", "7", "3 K 7", "9 8 4", "reply1:D:put", "\x1b[2J")
"""What is written where a column has words."""


@cache
def _sound() -> Path:
    """A small run, kept as long as this process."""
    folder = Path(tempfile.mkdtemp(prefix="put-fuzz-run-"))
    play_run(folder / "run", "odds", "bold", "bluffer", games=8, match_games=2)
    return folder / "run"


@cache
def _rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.ParquetFile(part_path(_sound(), name, 0)).read().to_pylist()
    return found


def _written(kind: pa.DataType, value: int) -> object:
    """A value that a column of this type can hold."""
    if pa.types.is_boolean(kind):
        return bool(value % 2)
    if pa.types.is_integer(kind):
        size = kind.bit_width
        return (value + (1 << (size - 1))) % (1 << size) - (1 << (size - 1))
    return WORDS[value % len(WORDS)]


@contextmanager
def damaged_run(data: bytes, tables: Sequence[str]) -> Iterator[Path]:
    """A run with edits, EDIT by EDIT, in these tables."""
    made = manifest.read(_sound())
    rows = {name: [dict(row) for row in _rows(name)] for name in made.form.tables}
    for at in range(0, min(len(data), MOST_EDITS * EDIT.size) - EDIT.size + 1, EDIT.size):
        table, column, row, value = EDIT.unpack_from(data, at)
        name = tables[table % len(tables)]
        field = made.form.schema(name).field(column % len(made.form.schema(name)))
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        rows[name][row % len(rows[name])][field.name] = _written(kind, value)
    with tempfile.TemporaryDirectory(prefix="put-fuzz-") as folder:
        run = Path(folder)
        shutil.copy(_sound() / manifest.NAME, run)
        parts = {
            name: pa.Table.from_pylist(some, made.form.schema(name)) for name, some in rows.items()
        }
        for name in made.form.tables:
            (run / name).mkdir()
        write_shard(Folder(run), made.form, 0, made.fingerprint(0), parts)
        yield run


class _Reciting:
    """Instead of a child process: its answers are the lines of a text, whatever it is sent."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self.waited = 0.0

    def send(self, line: bytes) -> None:
        pass

    def receive(self, seconds: float, alive: Callable[[], None]) -> bytes:
        if not self._lines:
            raise Gone("ended its process")
        return self._lines.pop(0)

    def end(self, seconds: float = 0.0) -> None:
        pass


def play_with(data: bytes) -> None:
    """Greet a program that says these lines, and have it decide, as far as it can be understood."""
    lines = data.split(b"\n")

    def child(*_arguments: object) -> _Reciting:
        return _Reciting(lines)

    with (
        patch("put_cli.plugins.outside.Child", child),
        patch("put_cli.plugins.remote.Child", child),
    ):
        hello = wire.hello("exec(it)")
        described = introduce("exec(it)", [], hello)
        strategy = Outside(EXTERNAL, "", list, hello, described)
        told = LoadedOutside("it", "it", strategy, "it", "", facts=described.facts)
        assert all(isinstance(each, str) for each in (told.summary, told.source, *told.plays))
        client = strategy.connect("it")
        client.open(find_ruleset("cotton"), Watch(0.0))
        views = [view_at("E 3 9 4 | D A 8 6 |"), view_at("E 7 9 4 | D A 8 6 | E:put")]
        match = Match("cotton", 5, "32AKQJT987654", 2, "it", "odds") if client.learns else None
        with suppress(Lost, Fault):
            if match:
                client.begin([(1, match)])
            for method in METHODS:
                client.ask(method, [1, 1], views)
                actions, faults = client.answers()
                assert len(actions) == len(views)
                assert all(0 <= at < len(views) and f.reason for at, f in faults.items())

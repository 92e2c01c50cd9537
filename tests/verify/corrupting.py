"""Changing a finished run as somebody would who knows how its files are made.

Tables are written back with hashes and footers that fit the altered rows: what gives the change
away is then the rules, the seed and the plan alone.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.log import manifest
from put_cli.log.store import Folder
from put_cli.log.writer import part_path, write_shard
from put_cli.verify.keys import keys_of

Row = dict[str, Any]

KINDS = ("cell", "exchanged cells", "key", "missing", "twice", "swapped")
"""What becomes of a row, or of two."""


@dataclass(frozen=True)
class Corruption:
    """What was done."""

    kind: str
    table: str
    file: str
    keys: tuple[str, ...]
    """Of the rows concerned, as they were and as they are."""
    column: str = ""

    @property
    def units(self) -> set[str]:
        """The games (of tallies: matches) concerned."""
        return {"/".join(key.split("/")[:4]) for key in self.keys}


def read(run: Path, name: str, shard: int) -> pa.Table:
    return pq.ParquetFile(part_path(run, name, shard)).read()


def shards(run: Path) -> list[int]:
    """Numbers of the finished shards."""
    return [int(path.stem.removeprefix("part-")) for path in sorted((run / "tallies").iterdir())]


def write(run: Path, name: str, shard: int, rows: Iterable[Row]) -> None:
    """Put other rows in a part, and have all hashes fit again."""
    made = manifest.read(run)
    tables = {each: read(run, each, shard) for each in made.form.logged(made.log)}
    plain = pa.Table.from_pylist(list(rows), _plain(made.form.schema(name)))
    tables[name] = plain.cast(made.form.schema(name))
    write_shard(Folder(run), made.form, shard, made.fingerprint(shard), tables)


def _plain(schema: pa.Schema) -> pa.Schema:
    return pa.schema(
        [
            (each.name, each.type.value_type if pa.types.is_dictionary(each.type) else each.type)
            for each in schema
        ]
    )


def corrupt(
    run: Path, chance: random.Random, table: str, kind: str, shard: int | None = None
) -> Corruption:
    """One change of one table, in any shard unless one is given."""
    if shard is None:
        shard = chance.choice(shards(run))
    rows = read(run, table, shard).to_pylist()
    at = chance.randrange(len(rows))
    other = chance.choice([n for n in range(len(rows)) if n != at])
    key = keys_of(manifest.read(run).form)[table]
    columns = [name for name in rows[at] if name not in key]
    keys, column = [key_of(key, rows[at])], ""
    match kind:
        case "cell":
            column = chance.choice(columns)
            rows[at][column] = another(rows, at, column, chance)
        case "exchanged cells":
            other, differing = next(
                (n, names)
                for n in chance.sample(range(len(rows)), len(rows))
                if (names := [name for name in columns if rows[at][name] != rows[n][name]])
            )
            column = chance.choice(differing)
            rows[at][column], rows[other][column] = rows[other][column], rows[at][column]
            keys.append(key_of(key, rows[other]))
        case "key":
            column = chance.choice(key)
            rows[at][column] += chance.choice([-1, 1, 7])
            keys.append(key_of(key, rows[at]))
        case "missing":
            del rows[at]
        case "twice":
            rows.insert(other, rows[at])
        case "swapped":
            rows[at], rows[other] = rows[other], rows[at]
            keys.append(key_of(key, rows[at]))
    write(run, table, shard, rows)
    return Corruption(kind, table, f"{table}/part-{shard:06d}.parquet", tuple(keys), column)


def another(rows: list[Row], at: int, column: str, chance: random.Random) -> Any:
    """A value that the cell could have and has not."""
    value = rows[at][column]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1])
    others = sorted({str(row[column]) for row in rows if row[column] not in (None, value)})
    return chance.choice(others) if others else "7" if value is None else "8 8 8"


def key_of(key: Iterable[str], row: Row) -> str:
    return "/".join(str(row[name]) for name in key)

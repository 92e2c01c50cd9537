"""Which shards are committed, and whether they still are what was written."""

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.errors import RunError, one_line
from put_cli.log import reader
from put_cli.log.schema import EVERY_TABLE, Format
from put_cli.log.store import Store
from put_cli.log.writer import content, content_of, part_name


def damage(store: Store, form: Format, log: str, shard: int, plan: str) -> str | None:
    """What is wrong with the parts of a committed shard, in words; None where nothing is.

    Every part is read whole: its footer, rows and content are compared with what the footer of
    the tallies says. `log`: of LOGS; `plan`: the fingerprint of the shard's round.
    """
    name = part_name("tallies", shard)
    try:
        data = store.get(name)
        if data is None:
            return f"{name} is missing"
        with pq.ParquetFile(pa.BufferReader(data)) as file:
            footer = reader.footer_in(file.metadata.metadata or {}, name)
            table = file.read()
        written = footer["parts"]
        tables = form.logged(log)
        expected = {**form.facts(), "table": "tallies", "shard": shard, "plan": plan}
        if {key: footer.get(key) for key in expected} != expected or set(written) != set(tables):
            return f"{name} was not written as part {shard} of this run"
        if (
            table.schema.remove_metadata() != form.schema("tallies")
            or table.num_rows != written["tallies"]["rows"]
            or content(table) != written["tallies"]["blake2b"]
        ):
            return f"{name} no longer holds what was written"
        for other in tables[:-1]:
            name = part_name(other, shard)
            data = store.get(name)
            if data is None:
                return f"{name} is missing"
            if content_of(data) != written[other]["blake2b"]:
                return f"{name} no longer holds what was written"
    except RunError as error:
        return str(error).rstrip(".")
    except (KeyError, TypeError, AttributeError, *reader.UNREADABLE) as error:
        return f"{name} is damaged ({one_line(error)})"
    return None


def drop_unfinished(store: Store) -> None:
    """Remove the parts of shards without tallies: whoever wrote them was ended before the last.

    Raises:
        RunError: one cannot be removed.
    """
    finished = {name.rpartition("/")[2] for name in store.names("tallies")}
    for table in EVERY_TABLE:
        for name in store.names(table):
            if name.rpartition("/")[2] not in finished:
                store.remove(name)

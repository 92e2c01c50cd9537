"""The tables of the log of Speculation. Seats are letters clockwise from the dealer's, A."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from put_cli.log.column import NAME, WORD, Column
from put_cli.log.schema import VERSION, Format
from put_cli.speculation.machine import What
from put_cli.speculation.rules import NAME as FAMILY
from put_cli.speculation.rules import Speculation
from put_cli.speculation.telling import LETTERS

PLACES = "abcdefghijkl"
"""The strategies of a table, in the order of their numbers."""

OF_EACH = {
    "chips": "change of {} in chips over the session",
    "taken": "pools that {} took",
    "bought": "things that {} bought",
    "sold": "things that {} sold",
    "paid": "chips that {} paid for Knaves and fives",
    "faults": "1 where {} made a fault, and said nothing more in the session",
}
"""What the tallies count for each strategy of a table."""

EVENT_WORDS = tuple(what.name.lower().replace("_", "-") for what in What)
"""Kinds of events as the log calls them."""

_CHIPS = pa.int64()

_KEY = (
    Column(
        "pairing",
        pa.int64(),
        "number of the table: the sum of C(c_k, k) for its strategies c_1 < c_2 < ...",
    ),
    Column("block", pa.int32(), "block of mirrored matches at the table, from 0"),
    Column("mirror", pa.int8(), "how many chairs on all sit of where they began the block, from 0"),
    Column("game", pa.int32(), "session within its match, from 0"),
)
_DEAL = Column("deal", pa.int32(), "deal within its session, from 0")

_EVENTS = (
    *_KEY,
    _DEAL,
    Column("event", pa.int32(), "number of the event in its deal, from 0"),
    Column("what", WORD, f"{', '.join(EVENT_WORDS[:-1])} or {EVENT_WORDS[-1]}"),
    Column("seat", WORD, "whose doing it is; or null", True),
    Column("strategy", NAME, "strategy in that seat; or null", True),
    Column("card", WORD, "card shown; or null", True),
    Column("to", WORD, "seat of who buys; or null", True),
    Column("amount", _CHIPS, "chips; of an offer, cards"),
    Column("holder", WORD, "seat that holds the best trump, or the turn-up, after it"),
    Column("pool", _CHIPS, "chips in the pool after it"),
)


@dataclass(frozen=True)
class SpeculationFormat(Format):
    """The tables of games of Speculation."""

    rules: Speculation  # type: ignore[assignment]

    @property
    def family(self) -> str:
        """What the log calls games of this kind."""
        return FAMILY

    def facts(self) -> dict[str, Any]:
        """What manifest and footers say of the format."""
        return {"family": FAMILY, "version": VERSION, "players": self.rules.players}

    @cached_property
    def tables(self) -> Mapping[str, tuple[Column, ...]]:
        """Columns by table, in the order in which a shard's parts are written; the last commits."""
        players = self.rules.players
        return {
            "events": _EVENTS,
            "deals": _deals(players),
            "games": _games(players),
            "tallies": _tallies(players),
        }

    def impossible(self, rows: Mapping[str, Any], *, games: int, blocks: int) -> str | None:
        """Nothing: chips are added up without asking who won."""
        return None

    def logged(self, log: str) -> tuple[str, ...]:
        """The tables that a value of --log writes."""
        first = {"hands": "events", "games": "games", "none": "tallies"}[log]
        names = list(self.tables)
        return tuple(names[names.index(first) :])


def _deals(players: int) -> tuple[Column, ...]:
    def of_each(name: str, kind: pa.DataType, meaning: str) -> tuple[Column, ...]:
        return tuple(Column(f"{name}_{s}", kind, meaning.format(s)) for s in LETTERS[:players])

    return (
        *_KEY,
        _DEAL,
        *of_each("strategy", NAME, "strategy in seat {}; A dealt"),
        *of_each("cards", pa.string(), "cards of seat {}, the one to be turned first in front"),
        Column("up", WORD, "card turned up"),
        Column("spare", pa.string(), "cards of the spare hand; or null", True),
        Column("carried", _CHIPS, "chips carried over from the deal before"),
        Column("pool", _CHIPS, "pool that was taken, or is carried over"),
        Column("taken_by", WORD, "seat that took it; null when it is carried over", True),
        *of_each("net", _CHIPS, "change of seat {} in chips"),
    )


def _games(players: int) -> tuple[Column, ...]:
    chairs = range(players)
    return (
        *_KEY,
        *(
            Column(f"chair{n}", NAME, f"strategy in chair {n}; clockwise; chair 0 deals first")
            for n in chairs
        ),
        *(Column(f"chips{n}", _CHIPS, f"change of chair {n} in chips") for n in chairs),
        Column("deals", pa.int32(), "deals, those for a carried pool included"),
        Column("fault_by", NAME, "strategy that made the first fault; or null", True),
        Column("fault_kind", WORD, "raised, illegal, nonsense, slow or died; or null", True),
        Column("fault_reason", pa.string(), "the fault in one line; or null", True),
    )


def _tallies(players: int) -> tuple[Column, ...]:
    each = (
        Column(f"{name}_{place}", pa.int64(), meaning.format(place))
        for name, meaning in OF_EACH.items()
        for place in PLACES[:players]
    )
    return (*_KEY, Column("deals", pa.int32(), "deals of the session"), *each)


_ABOUT = {
    "events": "One row for everything that happened, in order.",
    "deals": "One row a deal.",
    "games": "One row a session.",
    "tallies": "One row a session, counted for the strategies a, b ... of the table: the standings "
    "are computed from it.",
}

_HOW = """\
## Opening it

DuckDB:

    SELECT strategy, what, count(*) AS times, avg(amount) AS chips
    FROM 'events/*.parquet' WHERE what IN ('bid', 'sold') GROUP BY ALL ORDER BY times DESC;

pandas:

    import pandas as pd
    deals = pd.read_parquet("deals")

polars:

    import polars as pl
    deals = pl.scan_parquet("deals/*.parquet")

R:

    deals <- arrow::open_dataset("deals")
"""


def dictionary(form: Format, log: str) -> str:
    """The data dictionary of a run with the given value of --log, as Markdown."""
    lines = [
        "# A run of put",
        "",
        f"Log format {VERSION}, Speculation for {form.rules.players} players. `manifest.json` says",
        "what was played and from which seed; `standings.*` are computed from the log; `run.log`",
        "is what the processes had to say. The parts in each folder together are one table.",
        "",
    ]
    for name in form.logged(log):
        lines += [
            f"## {name}/",
            "",
            _ABOUT[name],
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| {c.name} | {_type(c.type)} | {c.meaning} |" for c in form.tables[name]]
        lines.append("")
    if log == "hands":
        lines.append(_HOW)
    return "\n".join(lines)


def _type(kind: pa.DataType) -> str:
    """The type as most readers show it; dictionary columns read as text."""
    return "text" if "string" in str(kind) else str(kind)

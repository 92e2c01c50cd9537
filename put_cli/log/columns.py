"""From the kernel's numbers to the tables of the log."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.matches import Played
from put_cli.log import hands_many, hands_two
from put_cli.log.arrays import Ints, Lookup, Matches, coded, table
from put_cli.stats import tally

_HOW = pa.array(ln.HOW)
_FAULT_KINDS = pa.array(ln.FAULT_KINDS[1:])


class Columns:
    """Makes the tables of one run: rule set and names are fixed, `Played` comes by shard."""

    def __init__(self, tables: tb.Tables, names: Sequence[str]) -> None:
        self._lookup = Lookup(tables)
        self._rules = tables.rules
        self._names = pa.array(names, pa.string())

    def tables(self, played: Played, log: str) -> dict[str, pa.Table]:
        """The tables that a value of --log keeps, by name."""
        hands = hands_many.hands if self._rules.players > 2 else hands_two.hands
        made = {
            "hands": lambda: hands(self._lookup, played, self._names),
            "plays": lambda: hands_many.plays(self._lookup, played, self._names),
            "games": lambda: self._games(played),
            "tallies": lambda: self._tallies(played),
        }
        return {name: made[name]() for name in self._lookup.form.logged(log)}

    def _games(self, played: Played) -> pa.Table:
        rules, matches = self._rules, Matches(played)
        fixture = np.repeat(np.arange(len(matches.games)), matches.games)
        column = dict(zip(ln.GAME_COLUMNS, played.games, strict=True))
        by = column["fault_by"]
        offender = np.where(by == ln.NO_CHAIR, -1, matches.sitting(fixture, by % rules.players))
        reasons = [played.reasons.get(row) for row in range(len(by))] if played.reasons else []
        seat = "side" if rules.partners else "chair"
        sides = range(rules.players)
        dealer = column["first_dealer"]
        made: dict[str, Any] = {
            **column,
            **matches.key(fixture),
            "game": np.arange(len(fixture)) - matches.starts[fixture],
            **{f"{seat}{n}": self._name(matches.sitting(fixture, n)) for n in sides},
            **{f"cut{n}": self._lookup.rank(column[f"cut{n}"]) for n in range(rules.chairs)},
            "first_dealer": self._name(matches.sitting(fixture, dealer % rules.players)),
            "first_dealer_chair": dealer,
            "winner": self._name(matches.sitting(fixture, column["winner"])),
            "how": coded(column["how"], _HOW),
            "fault_by": self._name(offender),
            "fault_chair": pa.array(by, pa.int8(), mask=by == ln.NO_CHAIR),
            "fault_kind": coded(column["fault_kind"] - 1, _FAULT_KINDS),
            "fault_reason": pa.array(reasons or [None] * len(by), pa.string()),
        }
        return table(self._lookup.form, "games", made)

    def _tallies(self, played: Played) -> pa.Table:
        """Sides become the strategies a, b ... of the table, whichever chairs they sit in."""
        count = dict(zip(ln.TALLY_COLUMNS, played.tallies.T, strict=True))
        matches = Matches(played)
        seated = matches.places()
        match = np.arange(len(seated))
        made: dict[str, Any] = matches.key(match)
        for name in ("games", "hands", "drawn"):
            made[name] = count[name]
        for name in ln.SIDE_COUNTS:
            by_side = np.stack([count[f"{name}{side}"] for side in range(self._rules.players)])
            for n, place in enumerate(tally.PLACES[: self._rules.players]):
                made[f"{name}_{place}"] = by_side[seated[:, n], match]
        if self._rules.players == 2:
            for cell, values in enumerate(_pair_cells(played, matches)):
                made[f"pairs_{cell}"] = values
        return table(self._lookup.form, "tallies", made)

    def _name(self, who: Ints) -> pa.Array:
        return coded(who, self._names, np.int16)


def _pair_cells(played: Played, matches: Matches) -> npt.NDArray[np.int64]:
    """Mirrored pairs of which a won 0, 1, 2, on the rows of mirror 0; (3, F) int64."""
    winner = played.games[ln.GAME_COLUMNS.index("winner")]
    fixture = np.repeat(np.arange(len(matches.games)), matches.games)
    # The mirror match follows its first match; a sits in chair 0 there, in 1 here.
    again = np.flatnonzero(matches.mirror[fixture] == 1)
    match = fixture[again]
    won = (winner[again - matches.games[match]] == 0).astype(np.int64) + (winner[again] == 1)
    cells = np.bincount(3 * (match - 1) + won, minlength=3 * len(matches.games))
    return cells.reshape(-1, 3).T

"""The tables of a shard laid beside those worked out again: what games of every kind share.

Rows are matched by their keys with the plan and with each other; what differs is told once for a
game, for what follows from a fault differs as it must.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine.forfeits import Forfeit
from put_cli.engine.matches import Fixture
from put_cli.log import forfeits
from put_cli.log.manifest import Manifest
from put_cli.speculation.rules import Rules
from put_cli.tournament import rounds
from put_cli.verify import files, keys, rows
from put_cli.verify.faults import Fault, Findings
from put_cli.verify.keys import Placed

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_FIRST_MOST = 20
"""Kinds of differing rows listed for a table, before the rest is only counted game by game."""


class Checker(ABC):
    """What one process needs to check any shard of a run.

    Raises:
        RunError: the manifest cannot be read.
    """

    dealt: str
    """What a deal and its play are called: `hands` or `deals`."""

    def __init__(self, made: Manifest, sample: int) -> None:
        self.made, self.run, self.sample = made, made.run, sample
        self.rules: Rules = made.any_rules
        self.form = made.form
        self.schedule = rounds.read(made)
        self.known = forfeits.read(made.run)

    @abstractmethod
    def check(self, shard: int) -> Findings:
        """Everything about a shard."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table as found, in the order of the plan, each row once."""

    rows: pa.Table
    unit: Ints
    """(R,): row of the match or game."""
    order: Ints


class Beside:
    """The tables of one shard, and what was found about them."""

    def __init__(self, checker: Checker, shard: int) -> None:
        self.made, self.form, self.shard = checker.made, checker.form, shard
        self.fixtures: Sequence[Fixture] = checker.schedule.fixtures(shard)
        self.plan = keys.Plan(self.fixtures, keys.keys_of(checker.form))
        self.games = int(self.plan.starts[-1])
        self.findings = Findings()
        self.bad_games = np.zeros(self.games, bool)
        """Games in which faults were found: what follows from them is not told again."""
        self.of_game = np.repeat(np.arange(len(self.fixtures)), self.plan.games)

    def found(self) -> dict[str, Table]:
        """The tables as they are, as far as they can be read."""
        read = files.tables_of(self.made, self.shard, self.games, self.findings)
        return {name: self._placed(name, table) for name, table in read.items()}

    def _file(self, name: str) -> str:
        return f"{name}/part-{self.shard:06d}.parquet"

    def _placed(self, name: str, table: pa.Table) -> Table:
        """The rows that have a place; the others are faults."""
        placed, wrong = self.plan.place(name, table)
        expected = "each row once, in order"
        for row, what, further in wrong:
            key = keys.text_of(self.plan.keys[name], table, row)
            self.findings.add(Fault(self._file(name), key, "key", expected, what, further))
        self.findings.checked[f"rows of {name}"] += table.num_rows
        whole = len(placed.rows) == table.num_rows and (np.diff(placed.rows) == 1).all()
        ordered = table if whole else rows.one_chunk(table.take(pa.array(placed.rows)))
        return Table(ordered, placed.unit, placed.order)

    def _reasons(self, games: Table, *, where: Bools | None = None) -> dict[int, str]:
        """Reasons of faults by game, as logged; of all games, or those at some rows."""
        by = games.rows["fault_reason"]
        some = by.is_valid().to_numpy()
        at = np.flatnonzero(some if where is None else some & where)
        texts = by.take(pa.array(at)).to_pylist()
        return dict(zip(games.unit[at].tolist(), texts, strict=True))

    def _due(self, known: Iterable[Forfeit]) -> dict[int, list[Forfeit]]:
        """The entries of forfeits.json that are of matches of the shard, by fixture."""
        number = {(f.pairing, f.block, f.mirror): n for n, f in enumerate(self.fixtures)}
        due: dict[int, list[Forfeit]] = {}
        for each in known:
            if each.match in number:
                due.setdefault(number[each.match], []).append(each)
        return due

    def _game_key(self, game: int, hand: int | None = None) -> str:
        match = int(self.of_game[game])
        each = self.fixtures[match]
        key = (each.pairing, each.block, each.mirror, game - int(self.plan.starts[match]))
        return "/".join(map(str, key if hand is None else (*key, hand)))

    def _compare(
        self, name: str, made: pa.Table, found: Table, columns: Iterable[str] | None = None
    ) -> None:
        """A table as worked out and as found; `columns` are all unless some are named."""
        there, _ = self.plan.place(name, made)
        bad = self._bad_units(name)
        expected_at, found_at = self._outside(there, bad), self._outside(found, bad)
        orders = there.order[expected_at], found.order[found_at]
        if not np.array_equal(*orders):
            for mine, other, what in ((0, 1, "no such row"), (1, 0, "a row")):
                lacking = np.flatnonzero(~np.isin(orders[mine], orders[other]))
                table, at = (made, expected_at) if mine == 0 else (found.rows, found_at)
                units = (there if mine == 0 else found).unit[at][lacking]
                self._tell_rows(name, table, at[lacking], units, what)
            bad = self._bad_units(name)
            expected_at, found_at = self._outside(there, bad), self._outside(found, bad)
            orders = there.order[expected_at], found.order[found_at]
            expected_at = expected_at[np.isin(orders[0], orders[1])]
            found_at = found_at[np.isin(orders[1], orders[0])]
        kept = list(columns) if columns else made.column_names
        mine = _taken(made.select(kept), expected_at)
        theirs = _taken(found.rows.select(kept), found_at)
        wrong = rows.differing(mine, theirs)
        self.findings.checked["cells compared"] += mine.num_rows * mine.num_columns
        if wrong:
            self._tell_cells(name, mine, theirs, wrong, found.unit[found_at], (made, expected_at))

    def _by_game(self, name: str) -> bool:
        """Whether the rows of a table belong to games, not to whole matches."""
        return "game" in self.plan.keys[name]

    def _bad_units(self, name: str) -> Bools:
        """By match or game: whether faults were found there already."""
        if self._by_game(name):
            return self.bad_games
        bad = np.zeros(len(self.fixtures), bool)
        bad[self.of_game[self.bad_games]] = True
        return bad

    @staticmethod
    def _outside(table: Table | Placed, bad: Bools) -> Ints:
        """The rows of units that are not bad."""
        if not bad.any():
            return np.arange(len(table.unit))
        return np.flatnonzero(~bad[table.unit])

    def _tell_rows(self, name: str, table: pa.Table, at: Ints, units: Ints, what: str) -> None:
        """Rows that are there and should not be, or the other way; one a game."""
        for unit in np.unique(units).tolist():
            mine = at[units == unit]
            key = keys.text_of(self.plan.keys[name], table, int(mine[0]))
            expected = "a row" if what == "no such row" else "no such row"
            self.findings.add(Fault(self._file(name), key, "key", expected, what, len(mine) - 1))
        self._mark(name, units)

    def _tell_cells(
        self,
        name: str,
        mine: pa.Table,
        theirs: pa.Table,
        wrong: Mapping[str, Bools],
        units: Ints,
        made: tuple[pa.Table, Ints],
    ) -> None:
        """Rows that differ: of every game the first in full, the others by number."""
        table, expected_at = made
        somewhere = np.logical_or.reduce(list(wrong.values()))
        at = np.flatnonzero(somewhere)
        _, first, counts = np.unique(units[at], return_index=True, return_counts=True)
        for row, count in zip(at[first].tolist(), counts.tolist(), strict=True):
            if self.findings.count > len(self.findings.faults) + _FIRST_MOST:
                self.findings.count += 1
                continue
            key = keys.text_of(self.plan.keys[name], table, int(expected_at[row]))
            self.findings.add(
                *(
                    Fault(self._file(name), key, each.column, each.expected, each.found, count - 1)
                    for each in rows.differences(mine, theirs, dict(wrong), [row])
                )
            )
        self._mark(name, units[at])

    def _mark(self, name: str, units: Ints) -> None:
        if self._by_game(name):
            self.bad_games[units] = True

    def _compare_counts(
        self, made: pa.Table, tallies: Table, decided: Iterable[str], name: str = "tallies"
    ) -> None:
        """As `_compare`, of the key and the counts that are `decided` by what was worked out."""
        columns = [
            column
            for column in made.column_names
            if column in self.plan.keys[name] or any(holds(column, each) for each in decided)
        ]
        self._compare(name, rows.one_chunk(made), tallies, columns)

    def _whole(self, name: str, table: Table) -> None:
        """Every game has its row."""
        lacking = np.setdiff1d(np.arange(self.games), table.unit)
        for game in lacking.tolist():
            key = self._game_key(game)
            self.findings.add(Fault(self._file(name), key, "key", "a row", "no such row"))
        self.bad_games[lacking] = True

    def _tell_sums(
        self, name: str, table: Table, where: Bools, columns: str, expected: str
    ) -> None:
        for row in np.flatnonzero(where).tolist():
            shown = [
                f"{column} {rows.shown(table.rows[column][row])}"
                for column in table.rows.column_names
                if any(holds(column, each) for each in columns.split(", "))
            ]
            key = keys.text_of(self.plan.keys[name], table.rows, row)
            self.findings.add(Fault(self._file(name), key, columns, expected, ", ".join(shown)))


def holds(column: str, count: str) -> bool:
    """Whether a column holds this count, of somebody or of all: `wins_a` and `score0` do."""
    return re.fullmatch(re.escape(count) + "(_?[a-l0-9]|1[01])?", column) is not None


def _taken(table: pa.Table, at: Ints) -> pa.Table:
    return table if len(at) == table.num_rows else rows.one_chunk(table.take(pa.array(at)))

"""One shard: its rows worked out again from the seed and the logged acts, and compared."""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine.forfeits import HAND_OVER, Forfeit
from put_cli.engine.matches import Buffers, Fixture
from put_cli.engine.play import prepare_kernel
from put_cli.engine.script_reader import reader
from put_cli.engine.scripted import Lost, Replayed, Stopped, cuts, explain_unplayed, replay
from put_cli.engine.tables import compile_rules
from put_cli.log import forfeits, manifest
from put_cli.log.columns import Columns
from put_cli.plugins.code_store import DiskStore
from put_cli.report.tables import printable
from put_cli.strategy import WORD_NAMES
from put_cli.tournament import rounds
from put_cli.verify import files, keys, rows, sums
from put_cli.verify.faults import Fault, Findings
from put_cli.verify.keys import Placed
from put_cli.verify.opinion import second_opinion
from put_cli.verify.script import KINDS, numbers, script_of

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_FIRST_MOST = 20
"""Kinds of differing rows listed for a table, before the rest is only counted game by game."""


class Checker:
    """What one process needs to check any shard of a run.

    Raises:
        RunError: the directory is no run, or its manifest cannot be read.
    """

    def __init__(self, run: Path, sample: int) -> None:
        self.made = manifest.read(run)
        self.run, self.sample = run, sample
        self.rules, self.form = self.made.rules, self.made.form
        self.schedule = rounds.read(self.made)
        store = DiskStore()
        prepare_kernel(store)
        self.reads = reader(self.rules.players > 2, store)
        self.tables = compile_rules(self.rules)
        self.columns = Columns(self.tables, self.made.names)
        self.buffers = Buffers()
        self.known = forfeits.read(run)

    def check(self, shard: int) -> Findings:
        """Everything about a shard."""
        return _Shard(self, shard).check()


@dataclass(frozen=True, eq=False)
class _Table:
    """A table as found, in the order of the plan, each row once."""

    rows: pa.Table
    unit: Ints
    """(R,): row of the match or game."""
    order: Ints


class _Shard:
    def __init__(self, checker: Checker, shard: int) -> None:
        self.checker, self.shard = checker, shard
        self.fixtures: Sequence[Fixture] = checker.schedule.fixtures(shard)
        self.plan = keys.Plan(self.fixtures)
        self.games = int(self.plan.starts[-1])
        self.findings = Findings()
        self.bad_games = np.zeros(self.games, bool)
        """Games in which faults were found: what follows from them is not told again."""
        self.of_game = np.repeat(np.arange(len(self.fixtures)), self.plan.games)

    def check(self) -> Findings:
        checker, findings = self.checker, self.findings
        read = files.tables_of(checker.made, self.shard, self.games, findings)
        found = {name: self._placed(name, table) for name, table in read.items()}
        log = checker.made.log
        if log == "hands" and all(name in found for name in checker.form.logged("hands")):
            self._replay(found)
        elif "games" in found:
            self._add_up(found)
        elif "tallies" in found:
            self._count(found["tallies"])
        if "tallies" in found:
            self._relations(found["tallies"])
        findings.checked["shards"] += 1
        return findings

    def _file(self, name: str) -> str:
        return f"{name}/part-{self.shard:06d}.parquet"

    def _placed(self, name: str, table: pa.Table) -> _Table:
        """The rows that have a place; the others are faults."""
        placed, wrong = self.plan.place(name, table)
        for row, what in wrong:
            key = keys.text_of(name, table, row)
            self.findings.add(Fault(self._file(name), key, "key", "each row once, in order", what))
        self.findings.checked[f"rows of {name}"] += table.num_rows
        whole = len(placed.rows) == table.num_rows and (np.diff(placed.rows) == 1).all()
        ordered = table if whole else rows.one_chunk(table.take(pa.array(placed.rows)))
        return _Table(ordered, placed.unit, placed.order)

    # With hands.

    def _replay(self, found: Mapping[str, _Table]) -> None:
        checker = self.checker
        hands, games = found["hands"], found["games"]
        self._whole("games", games)
        starts = np.searchsorted(hands.unit, np.arange(self.games + 1)).astype(np.int64)
        starts = self._without_gaps(hands, starts)
        kinds = np.zeros(self.games, np.int8)
        kinds[games.unit] = numbers(games.rows["fault_kind"].chunk(0), KINDS)
        plays = None
        if "plays" in found:
            cards = found["plays"]
            everything = np.arange(cards.rows.num_rows)
            plays = cards.rows, Placed(everything, cards.unit, cards.order)
        script = script_of(checker.form, starts, hands.rows, plays, kinds)
        replayed = replay(
            checker.tables,
            self.fixtures,
            checker.made.seed,
            script,
            checker.reads,
            checker.buffers,
        )
        for each in replayed.stopped:
            self._stopped(each, hands)
        reasons = self._reasons(games, found_only=True)
        replayed.played.reasons.update(explain_unplayed(replayed, reasons))
        made = checker.columns.tables(replayed.played, "hands")
        for name in made:
            self._compare(name, rows.one_chunk(made[name]), found[name])
        self._forfeits(replayed, reasons)
        self._second_opinion(found)
        checked = self.findings.checked
        checked["hands replayed"] += replayed.played.words.size
        checked["deals worked out"] += replayed.played.words.size
        checked["cuts worked out"] += self.games

    def _without_gaps(self, hands: _Table, starts: Ints) -> Ints:
        """Tell of games that lack a hand in the middle; `starts` again."""
        hand = hands.rows["hand"].to_numpy()
        gap = np.flatnonzero(hand != np.arange(len(hand)) - starts[hands.unit])
        for game in np.unique(hands.unit[gap]).tolist():
            first = gap[hands.unit[gap] == game][0]
            missing = int(first - starts[game])
            self.findings.add(
                Fault(
                    self._file("hands"),
                    self._game_key(game, missing),
                    "key",
                    "the hand before the next",
                    "no such row",
                )
            )
            self.bad_games[game] = True
        return starts

    def _game_key(self, game: int, hand: int | None = None) -> str:
        match = int(self.of_game[game])
        each = self.fixtures[match]
        key = (each.pairing, each.block, each.mirror, game - int(self.plan.starts[match]))
        return "/".join(map(str, key if hand is None else (*key, hand)))

    def _stopped(self, at: Stopped, hands: _Table) -> None:
        if self.bad_games[at.game]:
            return
        self.bad_games[at.game] = True
        if at.missing:
            column, found = "key", "no such row"
            expected = f"another hand: the game is not over, and {at.allowed} is to come"
        else:
            rules = self.checker.rules
            if at.action == 0:
                column, found = at.place or "ruling or choice", "nothing that can be done there"
            elif at.action in WORD_NAMES:
                column, found = "words", f"{WORD_NAMES[at.action]} at {at.place or 'the deal'}"
            else:
                column, found = at.place or "laid_out", rules.cards.rank(at.action)
            expected = at.allowed
            first = np.searchsorted(hands.unit, at.game)
            logged = rows.shown(hands.rows["words"][int(first) + at.hand])
            found = f"{found} (words {logged})"
        key = self._game_key(at.game, at.hand)
        self.findings.add(Fault(self._file_of_acts(), key, column, expected, found))

    def _file_of_acts(self) -> str:
        """Where words and cards stand: of many players in two files, and either may be wrong."""
        hands = self._file("hands")
        return f"{hands} with {self._file('plays')}" if self.checker.rules.players > 2 else hands

    def _reasons(self, games: _Table, *, found_only: bool) -> dict[int, str]:
        """Reasons of faults by game, as logged; `found_only`: of games that were played."""
        by = games.rows["fault_reason"]
        some = by.is_valid().to_numpy()
        if found_only:
            some = some & (games.rows["hands"].to_numpy() > 0)
        at = np.flatnonzero(some)
        texts = by.take(pa.array(at)).to_pylist()
        return dict(zip(games.unit[at].tolist(), texts, strict=True))

    # Side by side.

    def _compare(
        self, name: str, made: pa.Table, found: _Table, columns: Iterable[str] | None = None
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

    def _bad_units(self, name: str) -> Bools:
        """By match or game: whether faults were found there already."""
        if name != "tallies":
            return self.bad_games
        bad = np.zeros(len(self.fixtures), bool)
        bad[self.of_game[self.bad_games]] = True
        if (
            self.checker.rules.players == 2 and self.checker.made.mirror
        ):  # rows of mirror 0 count pairs
            bad[0::2] |= bad[1::2]
        return bad

    @staticmethod
    def _outside(table: _Table | Placed, bad: Bools) -> Ints:
        """The rows of units that are not bad."""
        if not bad.any():
            return np.arange(len(table.unit))
        return np.flatnonzero(~bad[table.unit])

    def _tell_rows(self, name: str, table: pa.Table, at: Ints, units: Ints, what: str) -> None:
        """Rows that are there and should not be, or the other way; one a game."""
        for unit in np.unique(units).tolist():
            mine = at[units == unit]
            key = keys.text_of(name, table, int(mine[0]))
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
            key = keys.text_of(name, table, int(expected_at[row]))
            self.findings.add(
                *(
                    Fault(self._file(name), key, each.column, each.expected, each.found, count - 1)
                    for each in rows.differences(mine, theirs, dict(wrong), [row])
                )
            )
        self._mark(name, units[at])

    def _mark(self, name: str, units: Ints) -> None:
        if name != "tallies":
            self.bad_games[units] = True

    # Faults that a clock or a death brought about.

    def _forfeits(self, replayed: Replayed, reasons: Mapping[int, str]) -> None:
        """Every such fault is written in forfeits.json, and what is written there came to pass."""
        due = self._due()
        for lost in replayed.lost:
            if lost.kind < ln.SLOW:
                continue
            each = self.fixtures[lost.fixture]
            game = int(self.plan.starts[lost.fixture]) + lost.game
            exact = [
                f
                for f in due.get(lost.fixture, [])
                if (f.chair, f.kind, f.reason) == (lost.chair, lost.kind, reasons.get(game))
                and _when(f, lost)
            ]
            if not exact:
                key = (each.pairing, each.block, each.mirror, lost.game, lost.hand)
                self.findings.add(
                    Fault(
                        self._file("games"),
                        "/".join(map(str, key)),
                        "fault_kind, fault_reason",
                        "an entry of forfeits.json about this decision",
                        f"none ({printable(str(reasons.get(game)))})",
                    )
                )
        self._unheard(due, replayed.out)

    def _due(self) -> dict[int, list[Forfeit]]:
        number = {(f.pairing, f.block, f.mirror): n for n, f in enumerate(self.fixtures)}
        due: dict[int, list[Forfeit]] = {}
        for each in self.checker.known:
            if each.match in number:
                due.setdefault(number[each.match], []).append(each)
        return due

    def _unheard(
        self, due: Mapping[int, list[Forfeit]], out: Mapping[int, tuple[int, int]]
    ) -> None:
        """Entries of forfeits.json that the log does not honour.

        One that comes after the end of a match, or when the last hand was told, cost nothing.
        """
        for fixture, entries in due.items():
            if self.bad_games[self.of_game == fixture].any():
                continue
            for each in entries:
                ended = out.get(fixture)
                heard = ended is not None and ended <= (each.game, each.hand)
                # Of what a learner was told the decision after it tells the tale.
                heard |= ended is not None and each.decision < 0
                if heard or (each.decision == HAND_OVER and ended is None):
                    continue
                key = (*each.match, each.game, each.hand)
                self.findings.add(
                    Fault(
                        forfeits.NAME,
                        "/".join(map(str, key)),
                        "",
                        f"the log to have this forfeit of chair {each.chair}",
                        "that it has not",
                    )
                )

    # The referee.

    def _second_opinion(self, found: Mapping[str, _Table]) -> None:
        """The scalar referee on a sample of the hands of games without faults."""
        hands = found["hands"]
        good = np.flatnonzero(~self.bad_games[hands.unit])
        count = min(self.checker.sample, len(good))
        at = good[sorted(random.Random(self.shard).sample(range(len(good)), count))]
        sampled = hands.rows.take(pa.array(at)).to_pylist()
        if "plays" in found:
            self._give_plays(sampled, hands.unit[at], found["plays"])
        for row in sampled:
            if row["ending"] == "forfeit":
                continue
            for column, expected, value in second_opinion(self.checker.rules, row):
                key = "/".join(str(row[name]) for name in keys.KEYS["hands"])
                self.findings.add(
                    Fault(self._file("hands"), key, column, printable(expected), printable(value))
                )
            self.findings.checked["hands refereed card by card"] += 1

    @staticmethod
    def _give_plays(sampled: list[dict[str, Any]], units: Ints, plays: _Table) -> None:
        hand = plays.rows["hand"].to_numpy()
        for row, unit in zip(sampled, units.tolist(), strict=True):
            begin, end = np.searchsorted(plays.unit, [unit, unit + 1])
            mine = begin + np.flatnonzero(hand[begin:end] == row["hand"])
            row["plays"] = plays.rows.take(pa.array(mine)).to_pylist()

    # Without hands.

    def _add_up(self, found: Mapping[str, _Table]) -> None:
        """Games by themselves, and tallies as far as games decide them."""
        checker, games = self.checker, found["games"]
        self._whole("games", games)
        if len(games.unit) != self.games:
            return
        cut = cuts(checker.tables, self.fixtures, checker.made.seed)
        names = checker.made.names
        logged = sums.games_as_numbers(checker.rules, names, self.fixtures, cut, games.rows)
        for where, column, expected in sums.wrong_games(checker.rules, logged):
            self._tell_sums("games", games, where, column, expected)
        counted = sums.tallies_of(checker.rules, self.fixtures, logged)
        reasons = self._reasons(games, found_only=False)
        played = sums.as_played(self.fixtures, logged, counted, reasons)
        made = checker.columns.tables(played, "games")
        self._compare("games", rows.one_chunk(made["games"]), games)
        if "tallies" in found:
            self._compare_counts(made["tallies"], found["tallies"], sums.FROM_GAMES)
        self.findings.checked["cuts worked out"] += self.games

    def _count(self, tallies: _Table) -> None:
        """Tallies as far as the plan and the cuts decide them."""
        checker = self.checker
        cut = cuts(checker.tables, self.fixtures, checker.made.seed)
        counted = sums.tallies_of(checker.rules, self.fixtures, cut)
        played = sums.as_played(self.fixtures, cut, counted, {})
        made = checker.columns.tables(played, "none")["tallies"]
        self._compare_counts(made, tallies, sums.FROM_CUTS)
        self.findings.checked["cuts worked out"] += self.games

    def _compare_counts(self, made: pa.Table, tallies: _Table, counts: tuple[str, ...]) -> None:
        decided = [
            name
            for name in made.column_names
            if name in keys.KEYS["tallies"] or any(_counts(name, each) for each in counts)
        ]
        self._compare("tallies", rows.one_chunk(made), tallies, decided)

    def _whole(self, name: str, table: _Table) -> None:
        """Every game has its row."""
        lacking = np.setdiff1d(np.arange(self.games), table.unit)
        for game in lacking.tolist():
            key = self._game_key(game)
            self.findings.add(Fault(self._file(name), key, "key", "a row", "no such row"))
        self.bad_games[lacking] = True

    def _relations(self, tallies: _Table) -> None:
        """What no row of the tallies can be, whatever was played."""
        if len(tallies.unit) != len(self.fixtures):
            if self.checker.made.log == "none":
                for match in np.setdiff1d(np.arange(len(self.fixtures)), tallies.unit).tolist():
                    each = self.fixtures[match]
                    key = f"{each.pairing}/{each.block}/{each.mirror}"
                    fault = Fault(self._file("tallies"), key, "key", "a row", "no such row")
                    if fault not in self.findings.faults:
                        self.findings.add(fault)
            return
        counts = {
            name: tallies.rows[name].to_numpy().astype(np.int64)
            for name in tallies.rows.column_names
            if name not in keys.KEYS["tallies"]
        }
        mirrored = self.checker.made.mirror
        told = self._bad_units("tallies")
        for where, column, expected in sums.wrong_tallies(
            self.checker.rules, self.plan.games, mirrored, counts
        ):
            self._tell_sums("tallies", tallies, where & ~told, column, expected)

    def _tell_sums(
        self, name: str, table: _Table, where: Bools, columns: str, expected: str
    ) -> None:
        for row in np.flatnonzero(where).tolist():
            shown = [
                f"{column} {rows.shown(table.rows[column][row])}"
                for column in table.rows.column_names
                if any(_counts(column, each) for each in columns.split(", "))
            ]
            key = keys.text_of(name, table.rows, row)
            self.findings.add(Fault(self._file(name), key, columns, expected, ", ".join(shown)))


def _counts(column: str, count: str) -> bool:
    """Whether a column holds this count, of somebody or of all: `wins_a` and `score0` do."""
    return re.fullmatch(re.escape(count) + "(_?[a-f0-9])?", column) is not None


def _when(each: Forfeit, lost: Lost) -> bool:
    """Whether an entry is of this moment, or of something a learner was told before it."""
    if each.decision < 0:
        return (each.game, each.hand) <= (lost.game, lost.hand)
    return (each.game, each.hand, each.decision) == (lost.game, lost.hand, lost.decision)


def _taken(table: pa.Table, at: Ints) -> pa.Table:
    return table if len(at) == table.num_rows else rows.one_chunk(table.take(pa.array(at)))

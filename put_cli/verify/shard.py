"""One shard: its rows worked out again from the seed and the logged acts, and compared."""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine.forfeits import HAND_OVER, Forfeit
from put_cli.engine.matches import Buffers
from put_cli.engine.play import prepare_kernel
from put_cli.engine.script_reader import reader
from put_cli.engine.scripted import Lost, Replayed, Stopped, cuts, explain_unplayed, replay
from put_cli.engine.tables import compile_rules
from put_cli.log import forfeits
from put_cli.log.columns import Columns
from put_cli.log.manifest import Manifest
from put_cli.plugins.code_store import DiskStore
from put_cli.report.tables import printable
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import WORD_NAMES
from put_cli.verify import keys, rows, sums
from put_cli.verify.beside import Beside, Bools, Checker, Ints, Table
from put_cli.verify.faults import Fault, Findings
from put_cli.verify.keys import Placed
from put_cli.verify.opinion import second_opinion
from put_cli.verify.script import KINDS, numbers, script_of


class HandsChecker(Checker):
    """What one process needs to check any shard of a run of Put."""

    rules: RuleSet
    dealt = "hands"

    def __init__(self, made: Manifest, sample: int) -> None:
        super().__init__(made, sample)
        store = DiskStore()
        prepare_kernel(store)
        self.reads = reader(self.rules.players > 2, store)
        self.tables = compile_rules(self.rules)
        self.columns = Columns(self.tables, self.made.names)
        self.buffers = Buffers()

    def check(self, shard: int) -> Findings:
        """Everything about a shard."""
        return _Shard(self, shard).check()


class _Shard(Beside):
    def __init__(self, checker: HandsChecker, shard: int) -> None:
        super().__init__(checker, shard)
        self.checker = checker

    def check(self) -> Findings:
        checker, findings = self.checker, self.findings
        found = self.found()
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

    # With hands.

    def _replay(self, found: Mapping[str, Table]) -> None:
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
        reasons = self._reasons(games, where=games.rows["hands"].to_numpy() > 0)
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

    def _without_gaps(self, hands: Table, starts: Ints) -> Ints:
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

    def _stopped(self, at: Stopped, hands: Table) -> None:
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

    # Side by side.

    def _bad_units(self, name: str) -> Bools:
        bad = super()._bad_units(name)
        if name == "tallies" and self.checker.rules.players == 2 and self.checker.made.mirror:
            bad[0::2] |= bad[1::2]  # rows of mirror 0 count pairs
        return bad

    # Faults that a clock or a death brought about.

    def _forfeits(self, replayed: Replayed, reasons: Mapping[int, str]) -> None:
        """Every such fault is written in forfeits.json, and what is written there came to pass."""
        due = self._due(self.checker.known)
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

    def _second_opinion(self, found: Mapping[str, Table]) -> None:
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
    def _give_plays(sampled: list[dict[str, Any]], units: Ints, plays: Table) -> None:
        hand = plays.rows["hand"].to_numpy()
        for row, unit in zip(sampled, units.tolist(), strict=True):
            begin, end = np.searchsorted(plays.unit, [unit, unit + 1])
            mine = begin + np.flatnonzero(hand[begin:end] == row["hand"])
            row["plays"] = plays.rows.take(pa.array(mine)).to_pylist()

    # Without hands.

    def _add_up(self, found: Mapping[str, Table]) -> None:
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
        reasons = self._reasons(games)
        played = sums.as_played(self.fixtures, logged, counted, reasons)
        made = checker.columns.tables(played, "games")
        self._compare("games", rows.one_chunk(made["games"]), games)
        if "tallies" in found:
            self._compare_counts(made["tallies"], found["tallies"], sums.FROM_GAMES)
        self.findings.checked["cuts worked out"] += self.games

    def _count(self, tallies: Table) -> None:
        """Tallies as far as the plan and the cuts decide them."""
        checker = self.checker
        cut = cuts(checker.tables, self.fixtures, checker.made.seed)
        counted = sums.tallies_of(checker.rules, self.fixtures, cut)
        played = sums.as_played(self.fixtures, cut, counted, {})
        made = checker.columns.tables(played, "none")["tallies"]
        self._compare_counts(made, tallies, sums.FROM_CUTS)
        self.findings.checked["cuts worked out"] += self.games

    def _relations(self, tallies: Table) -> None:
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


def _when(each: Forfeit, lost: Lost) -> bool:
    """Whether an entry is of this moment, or of something a learner was told before it."""
    if each.decision < 0:
        return (each.game, each.hand) <= (lost.game, lost.hand)
    return (each.game, each.hand, each.decision) == (lost.game, lost.hand, lost.decision)

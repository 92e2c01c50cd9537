"""One shard of Speculation: played again from the seed and the logged answers, and compared.

Cards, and so how many deals a session has, who pays for Knaves and fives in all and which pools are
carried over, come from the seed whatever is said: where deals are not logged, that is what is left.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from put_cli.engine.lanes import FAULT_KINDS, SLOW
from put_cli.log import forfeits
from put_cli.log.manifest import Manifest
from put_cli.plugins.code_store import DiskStore
from put_cli.report.tables import printable
from put_cli.speculation import columns, scripted
from put_cli.speculation import state as at
from put_cli.speculation.play import Buffers, Mishap, Played, prepare_kernel, seated
from put_cli.speculation.rules import Speculation
from put_cli.speculation.schema import EVENT_WORDS, PLACES, SpeculationFormat
from put_cli.speculation.telling import LETTERS
from put_cli.verify import keys, ledger, rows
from put_cli.verify.beside import Beside, Bools, Checker, Ints, Table
from put_cli.verify.faults import Fault, Findings
from put_cli.verify.opinion import second_opinion_on_a_deal
from put_cli.verify.script import KINDS, numbers

_ANSWERS = {"presell": (0, 1), "bid": (1, None), "sold": (2, 1), "kept": (2, 0), "offer": (3, None)}
"""Events that are answers: the number of the method, and the answer where it is not the amount."""

_EVENTS_A_DEAL = keys.SPAN["event"]


class SessionsChecker(Checker):
    """What one process needs to check any shard of a run of Speculation."""

    rules: Speculation
    form: SpeculationFormat
    dealt = "deals"

    def __init__(self, made: Manifest, sample: int) -> None:
        super().__init__(made, sample)
        store = DiskStore()
        prepare_kernel(store)
        self.reads = scripted.reader(store)
        self.buffers = Buffers()

    def check(self, shard: int) -> Findings:
        """Everything about a shard."""
        return _Shard(self, shard).check()

    def replayed(self, matches: Ints, script: Ints, *, keep: bool) -> Played:
        """What the rules make of a script."""
        return scripted.replay(
            self.rules, matches, self.made.seed, script, self.reads, self.buffers, keep=keep
        )


class _Shard(Beside):
    def __init__(self, checker: SessionsChecker, shard: int) -> None:
        super().__init__(checker, shard)
        self.checker = checker
        self.players = checker.rules.players
        self.matches = seated(
            (each.pairing, each.block, each.mirror, each.games, *each.chairs)
            for each in self.fixtures
        )
        self.chairs = self.matches[:, at.M_CHAIRS : at.M_CHAIRS + self.players][self.of_game]
        """(G, N): who sits where in each session."""

    def check(self) -> Findings:
        found = self.found()
        log = self.made.log
        if log == "hands" and all(name in found for name in self.form.logged("hands")):
            self._replay(found)
        else:
            self._add_up(found)
        self.findings.checked["shards"] += 1
        return self.findings

    # With deals.

    def _replay(self, found: Mapping[str, Table]) -> None:
        self._faults_in_full(found["games"])
        played = self.checker.replayed(self.matches, self._script(found["events"]), keep=True)
        made = self._made(played, found, "hands")
        for name in made:
            self._compare(name, rows.one_chunk(made[name]), found[name])
        self._books(found)
        self._forfeits(found)
        self._second_opinion(found)
        self.findings.checked["deals replayed"] += len(played.deals)
        self.findings.checked["events replayed"] += len(played.events)

    def _script(self, events: Table) -> Ints:
        """(N, 4): the logged answers, in order."""
        table = events.rows
        what = ledger.numbers_of(table, "what", EVENT_WORDS)
        answers = np.isin(what, [EVENT_WORDS.index(word) for word in _ANSWERS])
        method, given = np.zeros(len(EVENT_WORDS), np.int64), np.full(len(EVENT_WORDS), -1)
        for word, (number, answer) in _ANSWERS.items():
            method[EVENT_WORDS.index(word)] = number
            given[EVENT_WORDS.index(word)] = -1 if answer is None else answer
        what = what[answers]
        deal = table["deal"].to_numpy()[answers].astype(np.int64)
        event = table["event"].to_numpy()[answers].astype(np.int64)
        seat = ledger.numbers_of(table, "seat", LETTERS)[answers]
        amount = table["amount"].to_numpy()[answers]
        return np.stack(
            [
                scripted.moment.py_func(events.unit[answers], deal, event),
                method[what],
                np.where(seat < 0, -1, (seat + deal) % self.players),
                np.where(given[what] < 0, amount, given[what]),
            ],
            axis=1,
        )

    def _made(self, played: Played, found: Mapping[str, Table], log: str) -> dict[str, pa.Table]:
        """The tables of what was played again, with the faults that were logged."""
        told = replace(played, mishaps=tuple(self._mishaps(found)))
        return columns.tables(self.checker.form, told, self.made.names, log)

    def _mishaps(self, found: Mapping[str, Table]) -> Iterator[Mishap]:
        """The faults as tallies and games have them, in order."""
        kinds, reasons = np.zeros(self.games, np.int64), {}
        if "games" in found:
            games = found["games"]
            kinds[games.unit] = numbers(games.rows["fault_kind"].chunk(0), KINDS)
            reasons = self._reasons(games)
        for session, chair in np.argwhere(self._faulty(found["tallies"])).tolist():
            yield Mishap(session, chair, int(kinds[session]), reasons.get(session, ""))

    def _faulty(self, tallies: Table) -> Bools:
        """(G, N): by session and chair whether the tallies count a fault."""
        places = [tallies.rows[f"faults_{place}"].to_numpy() for place in PLACES[: self.players]]
        counted = np.zeros((self.games, self.players), np.int64)
        counted[tallies.unit] = np.stack(places, axis=1)
        place_of_chair = np.argsort(np.argsort(self.chairs, axis=1), axis=1)
        faulty: Bools = np.take_along_axis(counted, place_of_chair, axis=1) != 0
        return faulty

    def _faults_in_full(self, games: Table) -> None:
        """Who made a fault, of what kind, and the words about it: all of them or none."""
        there = [
            games.rows[f"fault_{what}"].is_valid().to_numpy() for what in ("by", "kind", "reason")
        ]
        some = np.logical_or.reduce(there) & ~np.logical_and.reduce(there)
        what = "fault_by, fault_kind, fault_reason"
        self._tell_sums("games", games, some, what, "all three where there is a fault")
        self.bad_games[games.unit[some]] = True

    def _books(self, found: Mapping[str, Table]) -> None:
        """The chips of every deal and session, added up from the events as they are logged."""
        deals, events = self._good(found["deals"]), self._good(found["events"])
        deal_of_event = np.searchsorted(deals.order, events.order // _EVENTS_A_DEAL)
        kept = ledger.book(events.rows, deals.rows, deal_of_event, self.players)
        for name, where, column, expected in ledger.wrong(kept):
            table = deals if name == "deals" else events
            self._tell_sums(name, table, where, column, expected)
        chips = np.zeros((self.games, self.players), np.int64)
        dealer = deals.rows["deal"].to_numpy().astype(np.int64) % self.players
        for seat in range(self.players):
            np.add.at(chips, (deals.unit, (dealer + seat) % self.players), kept.net[:, seat])
        games = self._good(found["games"])
        wrong = (self._chips(games) != chips[games.unit]).any(axis=1)
        self._tell_sums("games", games, wrong, "chips", "the chips of its deals")
        self.findings.checked["events added up"] += len(events.unit)

    def _chips(self, games: Table) -> Ints:
        """(R, N): what everybody won in each session, by chair, as logged."""
        return np.stack([games.rows[f"chips{n}"].to_numpy() for n in range(self.players)], axis=1)

    def _good(self, table: Table) -> Table:
        """The rows of sessions without faults."""
        where = self._outside(table, self.bad_games)
        if len(where) == len(table.unit):
            return table
        taken = rows.one_chunk(table.rows.take(pa.array(where)))
        return Table(taken, table.unit[where], table.order[where])

    # Faults that a clock or a death brought about.

    def _forfeits(self, found: Mapping[str, Table]) -> None:
        """Who forfeits is silent to the end of the match; and every such fault has its entry."""
        silent = np.zeros((self.games, self.players), bool)
        faulty = self._faulty(found["tallies"])
        spoke = self._spoke(found["events"])
        for fixture, entries in self._due(self.checker.known).items():
            begin, end = self.plan.starts[fixture : fixture + 2]
            for each in entries:
                if not 0 <= each.chair < self.players:
                    continue
                silent[begin + each.game : end, each.chair] = True
                broken = spoke[:, each.chair] | ~faulty[:, each.chair]
                broken &= ~self.bad_games
                broken[: begin + each.game] = False
                broken[end:] = False
                for game in np.flatnonzero(broken)[:1].tolist():
                    expected = f"the log to have this forfeit of chair {each.chair}"
                    key = self._game_key(game)
                    self.findings.add(Fault(forfeits.NAME, key, "", expected, "that it has not"))
        self._without_entry(found["games"], silent, faulty)

    def _spoke(self, events: Table) -> Bools:
        """(G, N): who said anything, by session and chair; who says nothing refuses."""
        what = ledger.numbers_of(events.rows, "what", EVENT_WORDS)
        seat = ledger.numbers_of(events.rows, "seat", LETTERS)
        said = [EVENT_WORDS.index(word) for word in _ANSWERS if word != "kept"]
        some = np.isin(what, said) & (seat >= 0)
        deal = events.rows["deal"].to_numpy()[some]
        spoke = np.zeros((self.games, self.players), bool)
        spoke[events.unit[some], (seat[some] + deal) % self.players] = True
        return spoke

    def _without_entry(self, games: Table, silent: Bools, faulty: Bools) -> None:
        """Faults by time or death that no entry of forfeits.json is about."""
        kinds = np.zeros(self.games, np.int64)
        kinds[games.unit] = numbers(games.rows["fault_kind"].chunk(0), KINDS)
        by = faulty.argmax(axis=1)
        given = silent[np.arange(self.games), by]
        unheard = (kinds >= SLOW) & ~given & ~self.bad_games
        for game in np.flatnonzero(unheard).tolist():
            self.findings.add(
                Fault(
                    self._file("games"),
                    self._game_key(game),
                    "fault_kind",
                    "an entry of forfeits.json about it",
                    FAULT_KINDS[kinds[game]],
                )
            )

    # The slow machine.

    def _second_opinion(self, found: Mapping[str, Table]) -> None:
        """The machine, card by card, on a sample of the deals of sessions without faults."""
        deals, events = found["deals"], found["events"]
        good = np.flatnonzero(~self.bad_games[deals.unit])
        count = min(self.checker.sample, len(good))
        where = good[sorted(random.Random(self.shard).sample(range(len(good)), count))]
        sampled = deals.rows.take(pa.array(where)).to_pylist()
        for row, order in zip(sampled, deals.order[where].tolist(), strict=True):
            begin, end = np.searchsorted(
                events.order, [order * _EVENTS_A_DEAL, (order + 1) * _EVENTS_A_DEAL]
            )
            row["events"] = events.rows.slice(begin, end - begin).to_pylist()
            for column, expected, value in second_opinion_on_a_deal(self.checker.rules, row):
                key = "/".join(str(row[name]) for name in self.plan.keys["deals"])
                self.findings.add(
                    Fault(self._file("deals"), key, column, printable(expected), printable(value))
                )
            self.findings.checked["deals refereed card by card"] += 1

    # Without deals.

    def _add_up(self, found: Mapping[str, Table]) -> None:
        """What the seed decides whatever was said, and what adds up."""
        if "tallies" not in found:
            return
        tallies, games = found["tallies"], found.get("games")
        for name in ("games", "tallies"):
            if name in found:
                self._whole(name, found[name])
        if self.bad_games.any():
            return
        played = self.checker.replayed(self.matches, scripted.silent(), keep=False)
        totals = {
            name: played.sessions[:, first : first + self.players].sum(axis=1)
            for name, first in (("taken", at.G_TAKEN), ("paid", at.G_PAID))
        }
        decided = ["deals"]
        if games is not None:
            self._faults_in_full(games)
            chips = self._chips(games)
            uneven = chips.sum(axis=1) != 0
            self._tell_sums("games", games, uneven, "chips", "as many won as lost")
            self.bad_games |= uneven
            played.sessions[:, at.G_CHIPS : at.G_CHIPS + self.players] = chips
            made = self._made(played, found, "games")
            self._compare("games", rows.one_chunk(made["games"]), games)
            decided += ["chips", "faults"]
        else:
            made = self._made(played, found, "none")
        self._compare_counts(made["tallies"], tallies, decided)
        self._relations(tallies, totals)
        self.findings.checked["sessions dealt again"] += self.games

    def _relations(self, tallies: Table, totals: Mapping[str, Ints]) -> None:
        """What no row of the tallies can be, whatever was said."""

        def total(name: str) -> Ints:
            each = [tallies.rows[f"{name}_{place}"].to_numpy() for place in PLACES[: self.players]]
            low = np.stack(each).min(axis=0) < 0
            if name != "chips":
                self._tell_sums("tallies", tallies, low & ~self.bad_games, name, "at least 0")
            summed: Ints = np.stack(each).sum(axis=0)
            return summed

        for wrong, column, expected in (
            (total("chips") != 0, "chips", "as many won as lost"),
            (total("bought") != total("sold"), "bought, sold", "as many bought as sold"),
            (total("taken") != totals["taken"], "taken", "the pools of the seed's deals"),
            (total("paid") != totals["paid"], "paid", "the Knaves and fives of the seed's deals"),
        ):
            self._tell_sums("tallies", tallies, wrong & ~self.bad_games, column, expected)

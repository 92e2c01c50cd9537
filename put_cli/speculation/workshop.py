"""The unit of work: a shard of sessions is played and its parts written."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from put_cli.engine.forfeits import Forfeit
from put_cli.engine.native import NotNative
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant
from put_cli.engine.watch import Watch
from put_cli.errors import UsageError
from put_cli.log import forfeits
from put_cli.log.writer import write_shard
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load_all
from put_cli.plugins.loaded import Loaded
from put_cli.speculation import columns
from put_cli.speculation import state as at
from put_cli.speculation.play import (
    Buffers,
    Ints,
    Played,
    Witness,
    enlist,
    play,
    prepare_kernel,
    seated,
)
from put_cli.speculation.rules import Speculation
from put_cli.speculation.schema import SpeculationFormat
from put_cli.speculation.strategy import Speculator
from put_cli.tournament.pace import SHARD
from put_cli.tournament.shard import MAX_NOTES, Order, Result, Workshop

LOG = logging.getLogger("put")


def _enlist(loaded: Loaded, store: DiskStore, tier: str) -> Contestant:
    assert isinstance(loaded.strategy, Speculator)
    try:
        return enlist(loaded.name, loaded.strategy, store, tier)
    except NotNative as why:
        raise UsageError(f"--tier: {loaded.name} cannot be compiled: {why}.") from None


class SpeculationWorkshop(Workshop):
    """What one process needs to play any shard of an order."""

    def __init__(self, order: Order, rules: Speculation, loaded: Sequence[Loaded] = ()) -> None:
        store = DiskStore()
        prepare_kernel(store)
        loaded = loaded or load_all(order.strategies, rules=rules, load=order.loader)[0]
        self.order = order
        self.rules = rules
        self.contestants = [_enlist(each, store, order.tier) for each in loaded]
        self.form = SpeculationFormat(rules)
        self._store = order.target()
        self.alive: Callable[[], None] = lambda: None
        self._beaten = self._silence = 0.0
        self.watch = Watch(order.move_timeout, self._beat)
        self._room = Buffers()
        # Have the kernel compiled or loaded now, and not by every worker.
        play(self.rules, self.contestants, np.zeros((0, at.MATCH_WIDTH), np.int64), order.seed)

    def _play(self, shard: int) -> Result:
        begin = self._beaten = time.perf_counter()
        self._silence = 0.0
        matches = self._matches(shard)
        known = forfeits.read(self.order.run)
        differing = self._compare_tiers_of(matches, known)
        keep = self.order.log == "hands"
        played = self._played(self.contestants, matches, known, keep=keep)
        self._beat()
        if not played.forfeits:
            names = [each.name for each in self.contestants]
            tables = columns.tables(self.form, played, names, self.order.log)
            write_shard(self._store, self.form, shard, self.shards.fingerprint(shard), tables)
        seconds = time.perf_counter() - begin
        return self._handed_on(self._outcome(shard, played, differing, seconds))

    def _played(
        self,
        contestants: Sequence[Contestant],
        matches: Ints,
        known: Sequence[Forfeit],
        *,
        keep: bool = False,
        witness: Witness | None = None,
    ) -> Played:
        return play(
            self.rules,
            contestants,
            matches,
            self.order.seed,
            keep=keep,
            buffers=self._room,
            watch=self.watch,
            forfeits=known,
            witness=witness,
        )

    def _matches(self, shard: int) -> Ints:
        """The matches of a shard as the kernel has them: (F, MATCH_WIDTH)."""
        return seated(
            (each.pairing, each.block, each.mirror, each.games, *each.chairs)
            for each in self.shards.fixtures(shard)
        )

    def _compare_tiers_of(self, matches: Ints, known: Sequence[Forfeit]) -> list[str]:
        """Play one session of the shard compiled and interpreted; tell of any difference."""
        first = matches[:1].copy()
        first[0, at.M_GAMES] = 1
        chairs = first[0, at.M_CHAIRS : at.M_CHAIRS + self.rules.players]
        who = [self.contestants[each] for each in chairs]
        if all(each.tier != NATIVE for each in who):
            return []
        fast = self._played(self.contestants, first, known, keep=True)
        events = fast.events.copy()  # the room for them is used again
        slow = self._played(self._interpreted(), first, known, keep=True)
        if fast.forfeits or slow.forfeits or np.array_equal(events, slow.events):
            return []
        names = " and ".join(each.name for each in who)
        return [f"{names}: compiled and interpreted play differ in the first session"]

    def _outcome(
        self, shard: int, played: Played, differing: Sequence[str], seconds: float
    ) -> Result:
        for note in [*differing, *played.differences][:MAX_NOTES]:
            LOG.warning("shard %d: %s", shard, note)
        example = ""
        for mishap in played.mishaps[:MAX_NOTES]:
            session = played.sessions[mishap.session]
            match = played.matches[session[at.G_MATCH]]
            told = f"{self.contestants[match[at.M_CHAIRS + mishap.seat]].name} {mishap.reason}"
            example = example or told
            LOG.warning("game %d/%d/%d/%d: %s", *match[:3], session[at.G_GAME], told)
        games = len(played.sessions)
        deals = int(played.sessions[:, at.G_DEALS].sum())
        LOG.info(SHARD, shard, games, deals, seconds)
        return Result(
            shard=shard,
            games=games,
            hands=deals,
            faults=len(played.mishaps),
            example=example,
            differences=len(differing) + len(played.differences),
            seconds=seconds,
            forfeits=played.forfeits,
            silence=self._silence,
        )

    def _interpreted(self) -> list[Contestant]:
        """The same players without compiled code."""
        return [replace(each, tier=INTERPRETED, native={}) for each in self.contestants]

    def try_out(
        self, shard: int, known: Sequence[Forfeit], strikes: Sequence[Forfeit], witness: Witness
    ) -> tuple[Forfeit, ...]:
        """Play a shard without compiled players, to see what becomes of it; nothing is written."""
        with self.watch.running():
            matches = self._matches(shard)
            return self._played(self._interpreted(), matches, known, witness=witness).forfeits

    def try_match(self, shard: int, match: tuple[int, int, int], witness: Witness) -> None:
        """The same for one match of it, by its key."""
        with self.watch.running():
            matches = self._matches(shard)
            here = (matches[:, : at.M_GAMES] == match).all(axis=1)
            self._played(self._interpreted(), matches[here], (), witness=witness)

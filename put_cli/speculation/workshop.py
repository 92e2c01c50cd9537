"""The unit of work: a shard of sessions is played and its parts written."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from put_cli.engine.native import NotNative
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant
from put_cli.engine.watch import Watch
from put_cli.errors import UsageError
from put_cli.log.writer import write_shard
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import Loaded, load_all
from put_cli.speculation import columns
from put_cli.speculation import state as at
from put_cli.speculation.play import Buffers, Ints, Played, enlist, play, prepare_kernel
from put_cli.speculation.rules import NAME, Speculation
from put_cli.speculation.schema import SpeculationFormat
from put_cli.speculation.strategy import Speculator
from put_cli.tournament.schedule import Shards
from put_cli.tournament.shard import MAX_NOTES, Order, Result, Workshop

LOG = logging.getLogger("put")


@dataclass(frozen=True, kw_only=True)
class SpeculationOrder(Order):
    """Everything that says how the shards of a run of Speculation are played."""

    rules: Speculation  # type: ignore[assignment]

    def workshop(self) -> Workshop:
        """What plays them in this process."""
        return SpeculationWorkshop(self)


def _enlist(loaded: Loaded, store: DiskStore, tier: str) -> Contestant:
    assert isinstance(loaded.strategy, Speculator)
    try:
        return enlist(loaded.name, loaded.strategy, store, tier)
    except NotNative as why:
        raise UsageError(f"--tier: {loaded.name} cannot be compiled: {why}.") from None


class SpeculationWorkshop(Workshop):
    """What one process needs to play any shard of an order."""

    def __init__(self, order: SpeculationOrder, loaded: Sequence[Loaded] = ()) -> None:
        store = DiskStore()
        prepare_kernel(store)
        loaded = loaded or load_all(order.strategies, game=NAME)[0]
        self.order = order
        self.rules = order.rules
        self.contestants = [_enlist(each, store, order.tier) for each in loaded]
        self.shards = Shards.of(order.plan, self.rules)
        self.form = SpeculationFormat(self.rules)
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
        differing = self._compare_tiers_of(matches)
        played = self._played(self.contestants, matches, keep=self.order.log == "hands")
        self._beat()
        names = [each.name for each in self.contestants]
        tables = columns.tables(self.form, played, names, self.order.log)
        write_shard(self.order.run, self.form, shard, self.order.fingerprint, tables)
        return self._outcome(shard, played, differing, time.perf_counter() - begin)

    def _played(self, contestants: Sequence[Contestant], matches: Ints, *, keep: bool) -> Played:
        return play(
            self.rules,
            contestants,
            matches,
            self.order.seed,
            keep=keep,
            buffers=self._room,
            watch=self.watch,
        )

    def _matches(self, shard: int) -> Ints:
        """The matches of a shard as the kernel has them: (F, MATCH_WIDTH)."""
        empty = (0,) * (at.SEATS - self.rules.players)
        rows = [
            (each.pairing, each.block, each.mirror, each.games, *each.chairs, *empty)
            for each in self.shards.fixtures(shard)
        ]
        return np.array(rows, np.int64)

    def _compare_tiers_of(self, matches: Ints) -> list[str]:
        """Play one session of the shard compiled and interpreted; tell of any difference."""
        first = matches[:1].copy()
        first[0, at.M_GAMES] = 1
        seated = first[0, at.M_CHAIRS : at.M_CHAIRS + self.rules.players]
        who = [self.contestants[each] for each in seated]
        if all(each.tier != NATIVE for each in who):
            return []
        slow = [replace(each, tier=INTERPRETED, native={}) for each in self.contestants]
        fast = self._played(self.contestants, first, keep=True).events.copy()
        if np.array_equal(fast, self._played(slow, first, keep=True).events):
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
        LOG.info("shard %d: %d sessions, %d deals in %.2f s", shard, games, deals, seconds)
        return Result(
            shard=shard,
            games=games,
            hands=deals,
            faults=len(played.mishaps),
            example=example,
            differences=len(differing) + len(played.differences),
            seconds=seconds,
            silence=self._silence,
        )

    def try_out(self, *_task: Any) -> Any:
        """Nothing is found out of a worker that died or is stuck: see `trial`."""
        return ()

    def try_match(self, *_task: Any) -> None:
        """The same."""

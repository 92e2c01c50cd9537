"""The unit of work: a shard is played and its parts written, by whoever has a free hand."""

import itertools
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from put_cli.engine import lanes as ln
from put_cli.engine.forfeits import Forfeit
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.native import NotNative
from put_cli.engine.play import Witness, play, prepare_kernel
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant, enlist
from put_cli.engine.tables import compile_rules
from put_cli.engine.watch import Watch
from put_cli.errors import UsageError
from put_cli.log import forfeits
from put_cli.log.columns import Columns
from put_cli.log.schema import Format
from put_cli.log.store import Folder, Handing, Store, Target
from put_cli.log.writer import write_shard
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import Load, load_all
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.loading import loader
from put_cli.plugins.shipping import Place
from put_cli.rules.ruleset import RuleSet
from put_cli.speculation.rules import Rules, Speculation
from put_cli.strategy import Strategy
from put_cli.tournament.pace import SHARD
from put_cli.tournament.rounds import Schedule
from put_cli.tournament.schedule import expected_hands_per_game

LOG = logging.getLogger("put")

MAX_NOTES = 20  # faults or differences told one by one, a shard


@dataclass(frozen=True)
class Result:
    """What a worker says of a shard; the games themselves are in the parts."""

    shard: int
    games: int
    hands: int
    faults: int
    example: str
    """The first fault in words; empty without one."""
    differences: int
    seconds: float
    tracebacks: dict[tuple[str, str], str] = field(default_factory=dict)
    """Of the first fault of each player and kind."""
    forfeits: tuple[Forfeit, ...] = ()
    """Not known before. Nothing is written then: they are, and the shard is played again."""
    silence: float = 0.0
    """The longest time in seconds without a sign of life."""
    parts: tuple[tuple[str, bytes], ...] = ()
    """Names and contents that whoever hears of this has to put, in this order."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """Everything that says how the shards of a run are played; can be sent to another process."""

    run: Path
    rules: Rules
    strategies: tuple[str, ...]
    """As `discovery.load` takes them."""
    tier: str
    schedule: Schedule
    seed: int
    log: str
    move_timeout: float = 0.0
    """Seconds a player may take for a decision; 0 for no limit."""
    memory_limit: int = 0
    """MB that a worker may take besides what it begins with; 0 for no limit."""
    isolate: bool = False
    """Whether every strategy decides in a process of its own, of so much memory."""
    places: tuple[Place, ...] = ()
    """Where files of strategies lie that were sent here."""
    far: bool = False
    """Whether this is played for a run that another machine keeps: see `log.store.Handing`. `run`
    is then a folder of the worker's own."""
    store: Store | None = None
    """Far from the run: where parts are put; None where all are handed on."""

    @property
    def loader(self) -> Load:
        """How strategies are loaded."""
        return loader(
            isolate=self.isolate,
            tier=self.tier,
            memory_limit=self.memory_limit,
            places=self.places,
        )

    def target(self) -> Target:
        """Where the parts of shards go."""
        return Handing(self.store, "tallies") if self.far else Folder(self.run)

    def workshop(self, loaded: Sequence[Loaded] = ()) -> "Workshop":
        """What plays the shards in this process; `loaded` is what `strategies` names."""
        if isinstance(self.rules, Speculation):
            from put_cli.speculation.workshop import SpeculationWorkshop

            return SpeculationWorkshop(self, self.rules, loaded)
        return Workshop(self, self.rules, loaded)


def _enlist(loaded: Loaded, store: DiskStore, tier: str, methods: Sequence[int]) -> Contestant:
    try:
        player = enlist(loaded.name, loaded.strategy, store, tier, methods)
    except NotNative as why:
        raise UsageError(f"--tier: {loaded.name} cannot be compiled: {why}.") from None
    if loaded.partner is None:
        return player
    return replace(player, partner=_enlist(loaded.partner, store, tier, methods))


def _interpreted(player: Contestant) -> Contestant:
    """The same side without compiled code."""
    partner = player.partner and _interpreted(player.partner)
    if player.tier != NATIVE:
        return replace(player, partner=partner)
    return replace(player, tier=INTERPRETED, native={}, partner=partner)


class Workshop:
    """What one process needs to play any shard of an order: tables, compiled players, buffers.

    `rules` are those of the order; `loaded` is what `order.strategies` names, for whom has it
    already.
    """

    def __init__(self, order: Order, rules: RuleSet, loaded: Sequence[Loaded] = ()) -> None:
        store = DiskStore()
        prepare_kernel(store)
        loaded = loaded or load_all(order.strategies, rules=rules, load=order.loader)[0]
        self.order = order
        self.tables = compile_rules(rules)
        self.contestants = [
            _enlist(each, store, order.tier, self.tables.methods) for each in loaded
        ]
        self._store = order.target()
        self._compile_kernel()
        self._columns = Columns(self.tables, [each.name for each in self.contestants])
        self._form = Format(rules)
        self._buffers = Buffers()
        self.alive: Callable[[], None] = _nothing
        """Called as a sign of life while a shard is played."""
        self._beaten = self._silence = 0.0
        self.watch = Watch(order.move_timeout, self._beat)

    @property
    def shards(self) -> Schedule:
        """What can be played."""
        return self.order.schedule

    @property
    def hands_per_shard(self) -> int:
        """A rough number of the hands of the longest shard."""
        return round(self.shards.games_per_shard * expected_hands_per_game(self.order.rules))

    def take(self, order: Order) -> None:
        """Play another order of the same field from now on: elsewhere, or with more rounds."""
        self.order = order
        self._store = order.target()

    def _compile_kernel(self) -> None:
        """Have the kernel compiled or loaded now, and not by every worker."""
        sides = self.order.rules.players
        nobody = [Contestant("", Strategy(), INTERPRETED)] * sides
        nothing = Fixture(0, 0, 0, 0, tuple(range(sides)))
        play(self.tables, nobody, [nothing], self.order.seed)

    def play(self, shard: int) -> Result:
        """Play a shard and commit its parts, unless forfeits are found that must be written first.

        Raises:
            RunError: the file system refused.
        """
        with self.watch.running():
            return self._play(shard)

    def _play(self, shard: int) -> Result:
        begin = self._beaten = time.perf_counter()
        self._silence = 0.0
        fixtures = self.shards.fixtures(shard)
        known = forfeits.read(self.order.run)
        differing = self._compare_tiers(fixtures, known)
        played = play(
            self.tables,
            self.contestants,
            fixtures,
            self.order.seed,
            keep_hands=self.order.log == "hands",
            buffers=self._buffers,
            forfeits=known,
            watch=self.watch,
        )
        self._beat()
        self._tell_prints()
        if not played.forfeits:
            tables = self._columns.tables(played, self.order.log)
            plan = self.shards.fingerprint(shard)
            write_shard(self._store, self._form, shard, plan, tables)
        result = self._result(shard, played, differing, time.perf_counter() - begin)
        if result.forfeits:
            return result
        LOG.info(
            SHARD,
            shard,
            result.games,
            result.hands,
            result.seconds,
        )
        return self._handed_on(result)

    def _handed_on(self, result: Result) -> Result:
        """The result with the parts that whoever hears of it has to put."""
        if isinstance(self._store, Handing):
            return replace(result, parts=self._store.taken())
        return result

    def try_out(
        self, shard: int, known: Sequence[Forfeit], strikes: Sequence[Forfeit], witness: Witness
    ) -> tuple[Forfeit, ...]:
        """Play a shard without compiled players, to see what becomes of it; nothing is written.

        `strikes` are those of the known forfeits that count as a player's strikes.
        """
        with self.watch.running():
            return play(
                self.tables,
                [_interpreted(each) for each in self.contestants],
                self.shards.fixtures(shard),
                self.order.seed,
                keep_hands=False,
                buffers=self._buffers,
                forfeits=known,
                strikes=strikes,
                watch=self.watch,
                witness=witness,
            ).forfeits

    def try_match(self, shard: int, match: tuple[int, int, int], witness: Witness) -> None:
        """The same for one match of it, by its key."""
        with self.watch.running():
            play(
                self.tables,
                [_interpreted(each) for each in self.contestants],
                [
                    each
                    for each in self.shards.fixtures(shard)
                    if (each.pairing, each.block, each.mirror) == match
                ],
                self.order.seed,
                keep_hands=False,
                buffers=self._buffers,
                watch=self.watch,
                witness=witness,
            )

    def _tell_prints(self) -> None:
        """Log what players in processes of their own have printed."""
        for each in {id(m.remote): m for c in self.contestants for m in c.members}.values():
            if each.remote and (text := each.remote.told()):
                LOG.info("%s prints: %s", each.name, text)

    def close(self) -> None:
        """End the processes of players."""
        for contestant in self.contestants:
            for each in contestant.members:
                if each.remote:
                    each.remote.close()

    def _beat(self) -> None:
        now = time.perf_counter()
        self._silence = max(self._silence, now - self._beaten)
        self._beaten = now
        self.alive()

    def _compare_tiers(self, fixtures: Sequence[Fixture], known: Sequence[Forfeit]) -> list[str]:
        """Play one game of the shard compiled and interpreted; tell of any difference.

        A learning player may have chance of its own, so games with one prove nothing.
        """
        first: list[Fixture] = []
        for fixture in fixtures:
            players = [
                each for index in fixture.seating for each in self.contestants[index].members
            ]
            compiled = any(each.tier == NATIVE for each in players)
            if compiled and not any(each.learns for each in players):
                first = [replace(fixture, games=min(1, fixture.games))]
                break
        if not first:
            return []
        slow = [_interpreted(each) for each in self.contestants]
        outcomes: list[dict[str, Any]] = []
        for field_of_players in (self.contestants, slow):
            played = play(
                self.tables,
                field_of_players,
                first,
                self.order.seed,
                keep_hands=True,
                buffers=Buffers(),
                forfeits=known,
                watch=self.watch,
            )
            if played.forfeits:  # they will be found again, and written down, in the game itself
                return []
            outcomes.append({"hands": played.hands, "words": played.words, "games": played.games})
        if all(np.array_equal(outcomes[0][name], outcomes[1][name]) for name in outcomes[0]):
            return []
        names = " and ".join(self.contestants[index].name for index in first[0].seating)
        return [f"{names}: compiled and interpreted play differ in {first[0]}"]

    def _result(
        self, shard: int, played: Played, differing: Sequence[str], seconds: float
    ) -> Result:
        for note in [*differing, *played.differences][:MAX_NOTES]:
            LOG.warning("shard %d: %s", shard, note)
        for forfeit in played.forfeits[:MAX_NOTES]:
            LOG.info("shard %d is played again: %s", shard, forfeit)
        starts = np.cumsum([0, *(f.games for f in played.fixtures)])
        by = played.games[ln.GAME_COLUMNS.index("fault_by")]
        hands = played.games[ln.GAME_COLUMNS.index("hands")]
        example = ""
        faulty = (row for row in played.reasons if hands[row] and not played.forfeits)
        for row in itertools.islice(faulty, MAX_NOTES):
            number = int(np.searchsorted(starts, row, side="right")) - 1
            fixture = played.fixtures[number]
            chair = int(by[row])
            side = self.contestants[fixture.chairs[chair % len(fixture.chairs)]]
            offender = f"{side.name} (chair {chair})" if side.partner else side.name
            key = (fixture.pairing, fixture.block, fixture.mirror, row - int(starts[number]))
            told = f"{offender} {played.reasons[row]}"
            example = example or told
            LOG.warning("game %d/%d/%d/%d: %s", *key, told)
        return Result(
            shard=shard,
            games=played.games.shape[1],
            hands=int(played.tallies[:, ln.T_HANDS].sum()),
            faults=int(played.tallies[:, ln.T_FAULTS : ln.T_FAULTS + ln.MAX_CHAIRS].sum()),
            example=example,
            differences=len(differing) + len(played.differences),
            seconds=seconds,
            tracebacks=played.tracebacks,
            forfeits=played.forfeits,
            silence=self._silence,
        )


def _nothing() -> None:
    pass

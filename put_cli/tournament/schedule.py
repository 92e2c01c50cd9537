"""What is played, as pure arithmetic: tables (of two: pairings), blocks, shards.

A schedule never lists its games. It depends on the rule set and the plan alone, never on tiers,
workers or interruptions.

A block is one stretch of deals, played once for every chair that a strategy can have: mirror 0
seats the table as the block says, and with every further mirror all move on by one chair, while
cards and cuts stay with the chairs. Of two this is the mirrored match. Who sits to whose left
changes from block to block.
"""

import hashlib
import json
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise, permutations

from put_cli.engine.matches import Fixture
from put_cli.errors import UsageError
from put_cli.rules.ruleset import RuleSet
from put_cli.stats.tally import table_members, table_number
from put_cli.tournament.sampling import Table, balanced_tables

SHARD_HANDS = 500_000
"""Expected hands of a shard: a second of work at most, a good size of a Parquet part."""

MAX_GAMES = 10**9

DEFAULT_GAMES = 10_000

_STRIDE = {2: 1, 3: 1, 4: 5, 5: 11, 6: 23}
"""From one block's seating to the next, in the list of all, by sides. With these steps few blocks
suffice for everybody to sit to the left of everybody about equally often; (sides - 1)! blocks do
so exactly."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A round robin: `games` at every table of `sides` strategies out of `strategies`.

    `tables` takes a balanced sample of so many tables (see `sampling`); None plays all. The other
    fields are for what is added to a run later.

    Raises:
        UsageError: a number is out of range, or mirroring cannot divide `games`.
    """

    strategies: int
    games: int
    match_games: int = 100
    mirror: bool = True
    sides: int = 2
    tables: int | None = None
    first_block: int = 0
    """Blocks are counted from here: the tables have played those before."""
    newcomers_from: int = 0
    """Only tables at which a strategy of this number or a higher one sits."""
    chosen: tuple[int, ...] | None = None
    """Only the tables of these numbers, in rising order."""

    def __post_init__(self) -> None:
        for name, value, most in (
            ("games", self.games, MAX_GAMES),
            ("match-games", self.match_games, 1_000_000),
        ):
            if not 1 <= value <= most:
                raise UsageError(f"--{name}: expected a number from 1 to {most}, got {value}.")
        self._check_mirrored_games()
        if self.strategies < self.sides:
            raise UsageError(
                f"a table seats {self.sides}, so expected at least {self.sides} strategies, got "
                f"{self.strategies}."
            )
        if self.tables is not None:
            self._check_tables(self.tables)
        if self.first_block < 0 or not 0 <= self.newcomers_from < self.strategies:
            raise UsageError(
                f"expected a first block from 0 and newcomers among {self.strategies} strategies, "
                f"got {self.first_block} and {self.newcomers_from}."
            )
        if self.chosen is not None:
            self._check_chosen(self.chosen)

    def _check_mirrored_games(self) -> None:
        if not self.mirror or not self.games % self.sides:
            return
        enough = whole_games(self.games, self.sides)
        if self.sides == 2:
            expected = "mirrored games come in pairs, so expected an even number"
        else:
            expected = (
                f"mirrored games come in sets of {self.sides}, one for each chair, so expected a "
                f"multiple of {self.sides}"
            )
        raise UsageError(f"--games: {expected}, got {self.games}. Use {enough}, or --no-mirror.")

    def _check_tables(self, tables: int) -> None:
        # Fewer would leave somebody out.
        least, most = math.ceil(self.strategies / self.sides), self._all_tables
        if not least <= tables <= most:
            raise UsageError(
                f"--tables: with {self.strategies} strategies, {self.sides} at a table, expected "
                f"a number from {least} to {most}, got {tables}."
            )

    def _check_chosen(self, chosen: tuple[int, ...]) -> None:
        rising = all(a < b for a, b in pairwise(chosen))
        if not chosen or not rising or not 0 <= chosen[0] <= chosen[-1] < self._all_tables:
            raise UsageError(
                f"expected numbers of tables in rising order, below {self._all_tables}, got "
                f"{chosen[:5]}."
            )

    @property
    def matches_per_block(self) -> int:
        """One for each chair under mirroring, else one."""
        return self.sides if self.mirror else 1

    @property
    def blocks(self) -> int:
        """Blocks of each table; the last may be shorter."""
        return math.ceil(self.games / (self.match_games * self.matches_per_block))

    @property
    def _all_tables(self) -> int:
        return math.comb(self.strategies, self.sides)

    @cached_property
    def _sample(self) -> list[Table] | None:
        if self.tables is None:
            return None
        return balanced_tables(self.strategies, self.sides, self.tables)

    @property
    def table_count(self) -> int:
        """How many tables are played."""
        if self.chosen is not None:
            return len(self.chosen)
        return self._all_tables - self._first_table if self.tables is None else self.tables

    @property
    def _first_table(self) -> int:
        # Numbers grow with the highest strategy at a table, so newcomers have the last ones.
        return math.comb(self.newcomers_from, self.sides)

    @property
    def total_games(self) -> int:
        """Games of the whole plan."""
        return self.table_count * self.games

    @property
    def games_in_block(self) -> int:
        """Games of each block but the last, which may have fewer."""
        return self.games_in_match(self.first_block) * self.matches_per_block

    def games_in_match(self, block: int) -> int:
        """Games of each match of a block, one of this plan."""
        before = (block - self.first_block) * self.match_games
        left = self.games // self.matches_per_block - before
        return min(self.match_games, left)

    def table(self, place: int) -> tuple[int, Table]:
        """Number and strategies of a table, by its place in the order of the numbers."""
        if self._sample is None:
            number = self._first_table + place if self.chosen is None else self.chosen[place]
            return number, table_members(number, self.sides)
        members = self._sample[place]
        return table_number(members), members

    def place_of(self, number: int) -> int | None:
        """The place of the table with this number; None when it is not played."""
        if self.chosen is not None:
            place = bisect_left(self.chosen, number)
            return place if number in self.chosen[place : place + 1] else None
        if self._sample is None:
            place = number - self._first_table
            return place if 0 <= place < self.table_count else None
        place = bisect_left(self._sample, number, key=table_number)
        found = place < len(self._sample) and table_number(self._sample[place]) == number
        return place if found else None

    def all_tables(self) -> list[Table]:
        """The strategies of every table, i < j < ..., in the order of their numbers."""
        if self.chosen is None and self._sample is None:
            # Working each out from its number would take a minute for two million.
            highest = range(max(self.newcomers_from, self.sides - 1), self.strategies)
            return [(*rest, top) for top in highest for rest in _tables(top, self.sides - 1)]
        return [self.table(place)[1] for place in range(self.table_count)]


def _tables(strategies: int, sides: int) -> Iterator[Table]:
    """All tables of so many strategies, in the order of their numbers."""
    if sides == 0:
        yield ()
    elif sides == 1:
        yield from ((i,) for i in range(strategies))
    else:
        for top in range(sides - 1, strategies):
            for rest in _tables(top, sides - 1):
                yield (*rest, top)


def whole_games(games: int, sides: int) -> int:
    """The least number of games from `games` up that gives every chair the same number."""
    return games + -games % sides


def seatings(table: Table) -> list[Table]:
    """How a table sits down in mirror 0 of block 0, 1 ..., in the order of the chairs.

    The first strategy keeps its chair, for whoever it is, mirrors give everybody every chair.
    After the last seating the first follows again.
    """
    first, *others = table
    orders = list(permutations(others))
    return [
        (first, *orders[block * _STRIDE[len(table)] % len(orders)]) for block in range(len(orders))
    ]


def expected_hands_per_game(rules: RuleSet) -> float:
    """A rough count of the hands of a game (in le Truc, of a rubber), for sizes only.

    Measured with the built-in strategies: more players see more puts, and partners have better
    cards to put with.
    """
    hands = 2.4 * rules.target / rules.players * (0.65 if rules.partners else 1)
    return hands * (1 if rules.rubber == 1 else 0.8 * rules.rubber)


@dataclass(frozen=True)
class Shards:
    """A plan cut into shards: contiguous ranges of units, a unit being a block of a table."""

    plan: Plan
    units_per_shard: int

    @classmethod
    def of(cls, plan: Plan, rules: RuleSet) -> "Shards":
        """Shards of about SHARD_HANDS expected hands."""
        hands = plan.games_in_block * expected_hands_per_game(rules)
        return cls(plan, max(1, round(SHARD_HANDS / hands)))

    def fingerprint(self, rules: RuleSet, seed: int, names: Sequence[str]) -> str:
        """16 hex digits over everything that decides which games are played in which shard."""
        facts = [asdict(self), rules.fingerprint(), seed, [*names]]
        return hashlib.blake2b(json.dumps(facts).encode(), digest_size=8).hexdigest()

    @property
    def games_per_shard(self) -> int:
        """Games of a shard, of the longest."""
        return min(self.units, self.units_per_shard) * self.plan.games_in_block

    @property
    def units(self) -> int:
        """How many units there are."""
        return self.plan.table_count * self.plan.blocks

    def __len__(self) -> int:
        return math.ceil(self.units / self.units_per_shard)

    def shard_of(self, place: int, block: int) -> int:
        """The shard that plays a block of the table at this place of the plan."""
        block -= self.plan.first_block
        return (place * self.plan.blocks + block) // self.units_per_shard

    def fixtures(self, shard: int) -> list[Fixture]:
        """The matches of a shard in the order of their keys."""
        first = shard * self.units_per_shard
        end = min(first + self.units_per_shard, self.units)
        plan = self.plan
        blocks, mirrors = plan.blocks, range(plan.matches_per_block)
        whole, offset = plan.match_games, plan.first_block
        last = offset + blocks - 1
        rest = plan.games_in_match(last)
        made: list[Fixture] = []
        # Worked out a table at a time: a shard of short matches has very many fixtures.
        for place in range(first // blocks, math.ceil(end / blocks)):
            number, members = plan.table(place)
            orders = seatings(members)
            begin = place * blocks
            made += [
                Fixture(
                    number,
                    block,
                    mirror,
                    rest if block == last else whole,
                    orders[block % len(orders)],
                )
                for block in range(
                    offset + max(first - begin, 0), offset + min(end - begin, blocks)
                )
                for mirror in mirrors
            ]
        return made

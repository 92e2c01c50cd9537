"""What is played, as pure arithmetic: pairings, blocks, shards.

A schedule never lists its games. It depends on the rule set and the plan alone, never on tiers,
workers or interruptions.
"""

import hashlib
import json
import math
from dataclasses import asdict, dataclass

from put_cli.engine.play import Fixture
from put_cli.errors import UsageError
from put_cli.rules.ruleset import RuleSet
from put_cli.stats.tally import pairing_number

SHARD_HANDS = 500_000
"""Expected hands of a shard: a second of work at most, a good size of a Parquet part."""

MAX_GAMES = 10**9


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A round robin: `games` for every pairing of `strategies`.

    Raises:
        UsageError: a number is out of range, or `games` is odd under mirroring.
    """

    strategies: int
    games: int
    match_games: int = 100
    mirror: bool = True

    def __post_init__(self) -> None:
        for name, value, most in (
            ("games", self.games, MAX_GAMES),
            ("match-games", self.match_games, 1_000_000),
        ):
            if not 1 <= value <= most:
                raise UsageError(f"--{name}: expected a number from 1 to {most}, got {value}.")
        if self.mirror and self.games % 2:
            raise UsageError(
                f"--games: mirrored games come in pairs, so expected an even number, got "
                f"{self.games}. Use {self.games + 1}, or --no-mirror."
            )

    @property
    def matches_per_block(self) -> int:
        """Two mirrored matches, or one."""
        return 2 if self.mirror else 1

    @property
    def blocks(self) -> int:
        """Blocks of each pairing; the last may be shorter."""
        return math.ceil(self.games / (self.match_games * self.matches_per_block))

    @property
    def pairings(self) -> int:
        """How many pairings there are."""
        return self.strategies * (self.strategies - 1) // 2

    @property
    def total_games(self) -> int:
        """Games of the whole plan."""
        return self.pairings * self.games

    def games_in_match(self, block: int) -> int:
        """Games of each match of a block."""
        left = self.games // self.matches_per_block - block * self.match_games
        return min(self.match_games, left)

    def pairs(self) -> list[tuple[int, int]]:
        """The pairings (i, j), i < j, in the order of their numbers."""
        return [(i, j) for j in range(self.strategies) for i in range(j)]

    def fingerprint(self, rules: RuleSet, seed: int, names: list[str]) -> str:
        """16 hex digits over everything that decides which games are played."""
        facts = [asdict(self), rules.fingerprint(), seed, names]
        return hashlib.blake2b(json.dumps(facts).encode(), digest_size=8).hexdigest()


def expected_hands_per_game(rules: RuleSet) -> float:
    """A rough count of the hands of a game (in le Truc, of a rubber), for sizes only."""
    return 1.2 * rules.target * (1 if rules.rubber == 1 else 0.8 * rules.rubber)


@dataclass(frozen=True)
class Shards:
    """A plan cut into shards: contiguous ranges of units, a unit being a (pairing, block)."""

    plan: Plan
    units_per_shard: int

    @classmethod
    def of(cls, plan: Plan, rules: RuleSet) -> "Shards":
        """Shards of about SHARD_HANDS expected hands."""
        games = plan.games_in_match(0) * plan.matches_per_block
        hands = games * expected_hands_per_game(rules)
        return cls(plan, max(1, round(SHARD_HANDS / hands)))

    @property
    def units(self) -> int:
        """How many units there are."""
        return self.plan.pairings * self.plan.blocks

    def __len__(self) -> int:
        return math.ceil(self.units / self.units_per_shard)

    def shard_of(self, pairing: int, block: int) -> int:
        """The shard that plays a block of a pairing."""
        return (pairing * self.plan.blocks + block) // self.units_per_shard

    def fixtures(self, shard: int) -> list[Fixture]:
        """The matches of a shard in the order of their keys."""
        first = shard * self.units_per_shard
        end = min(first + self.units_per_shard, self.units)
        blocks, mirrors = self.plan.blocks, range(self.plan.matches_per_block)
        whole, last = self.plan.match_games, blocks - 1
        rest = self.plan.games_in_match(last)
        made: list[Fixture] = []
        # Worked out a pairing at a time: a shard of short matches has very many fixtures.
        for pairing in range(first // blocks, math.ceil(end / blocks)):
            i, j = pair_of(pairing)
            begin = pairing * blocks
            made += [
                Fixture(pairing, block, mirror, rest if block == last else whole, i, j)
                for block in range(max(first - begin, 0), min(end - begin, blocks))
                for mirror in mirrors
            ]
        return made


def pair_of(pairing: int) -> tuple[int, int]:
    """The strategies (i, j), i < j, of a pairing number."""
    j = (1 + math.isqrt(1 + 8 * pairing)) // 2
    i = pairing - pairing_number(0, j)
    return i, j

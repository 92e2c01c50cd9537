"""The rounds of a run: what was planned at first, and what was added to it later.

Every round is a plan of its own. Shards are numbered through all rounds, and a table's blocks go on
where an earlier round ended, so that nothing that exists changes when a round is added.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from put_cli.engine.matches import Fixture
from put_cli.errors import RunError, UsageError
from put_cli.log.manifest import Manifest
from put_cli.rules.ruleset import RuleSet
from put_cli.tournament.sampling import Table
from put_cli.tournament.schedule import Plan, Shards


@dataclass(frozen=True)
class Round:
    """A plan and its shards, and what their footers call it."""

    shards: Shards
    fingerprint: str

    @classmethod
    def of(cls, shards: Shards, rules: RuleSet, seed: int, names: Sequence[str]) -> "Round":
        """`names` of all strategies of the run; those that joined later do not count."""
        return cls(shards, shards.fingerprint(rules, seed, names[: shards.plan.strategies]))

    @property
    def plan(self) -> Plan:
        """What is played in it."""
        return self.shards.plan


@dataclass(frozen=True)
class Schedule:
    """All rounds of a run; at least one."""

    rounds: tuple[Round, ...]

    @cached_property
    def _starts(self) -> list[int]:
        """The first shard of each round, and the number of all."""
        return [0, *accumulate(len(each.shards) for each in self.rounds)]

    def __len__(self) -> int:
        """How many shards there are."""
        return self._starts[-1]

    def bare(self) -> "Schedule":
        """The same, without what was worked out from it, which can be large: to be sent."""
        return Schedule(
            tuple(
                Round(replace(each.shards, plan=replace(each.plan)), each.fingerprint)
                for each in self.rounds
            )
        )

    def _find(self, shard: int) -> tuple[Round, int]:
        """The round of a shard, and its number within it."""
        number = bisect_right(self._starts, shard) - 1
        return self.rounds[number], shard - self._starts[number]

    def fixtures(self, shard: int) -> list[Fixture]:
        """The matches of a shard in the order of their keys."""
        found, number = self._find(shard)
        return found.shards.fixtures(number)

    def fingerprint(self, shard: int) -> str:
        """Of the round that a shard belongs to."""
        return self._find(shard)[0].fingerprint

    def place_of(self, table: int, block: int) -> tuple[int, int] | None:
        """Where a block of the table with this number is played: the shard, and games a match.

        None when it is not.
        """
        for start, each in zip(self._starts, self.rounds, strict=False):
            plan = each.plan
            place = plan.place_of(table)
            if place is not None and 0 <= block - plan.first_block < plan.blocks:
                return start + each.shards.shard_of(place, block), plan.games_in_match(block)
        return None

    @property
    def total_games(self) -> int:
        """Games of all rounds."""
        return sum(each.plan.total_games for each in self.rounds)

    @property
    def games(self) -> int | None:
        """Games of each table; None where some play more than others."""
        if any(each.plan.chosen is not None for each in self.rounds):
            return None
        return sum(plan.games for plan in self.everybody)

    @property
    def games_per_shard(self) -> int:
        """Games of a shard, of the longest."""
        return max(each.shards.games_per_shard for each in self.rounds)

    @property
    def blocks(self) -> int:
        """Blocks of the table that has the most."""
        return max(each.plan.first_block + each.plan.blocks for each in self.rounds)

    @property
    def everybody(self) -> tuple[Plan, ...]:
        """What every table plays, a plan for each stretch of blocks; what only some play is not."""
        own = (each.plan for each in self.rounds if each.plan.chosen is None)
        return tuple({plan.first_block: plan for plan in own}.values())

    @property
    def _beginnings(self) -> list[Plan]:
        """The plans in which tables play their first block: one for each time strategies joined."""
        plans = (each.plan for each in self.rounds)
        return [plan for plan in plans if plan.chosen is None and plan.first_block == 0]

    @property
    def table_count(self) -> int:
        """How many tables there are."""
        return sum(plan.table_count for plan in self._beginnings)

    def all_tables(self) -> list[Table]:
        """The strategies of every table, i < j < ..., in the order of their numbers."""
        return [table for plan in self._beginnings for table in plan.all_tables()]

    def played(self) -> dict[int, tuple[int, int]]:
        """How many blocks and games each table has, by its number; worked out table by table."""
        found: dict[int, tuple[int, int]] = {}
        for each in self.rounds:
            plan = each.plan
            for place in range(plan.table_count):
                number = plan.table(place)[0]
                found[number] = (
                    plan.first_block + plan.blocks,
                    found.get(number, (0, 0))[1] + plan.games,
                )
        return found


def read(made: Manifest) -> Schedule:
    """The schedule of a run.

    Raises:
        RunError: its manifest holds none that can be.
    """
    found: list[Round] = []
    for number, facts in enumerate(made.rounds):
        where = f"{made.path}: rounds[{number}]"
        try:
            plan = Plan(
                strategies=facts["strategies"],
                games=facts["games"],
                match_games=facts["match_games"],
                mirror=facts["mirror"],
                sides=made.rules.players,
                tables=facts.get("tables"),
                first_block=facts["first_block"],
                newcomers_from=facts["newcomers_from"],
                chosen=None if facts.get("chosen") is None else tuple(facts["chosen"]),
            )
        except (UsageError, TypeError) as error:
            raise RunError(f"{where}: {error}") from None
        if facts["units_per_shard"] < 1:
            raise RunError(f"{where}: units_per_shard: expected at least 1.")
        found.append(Round(Shards(plan, facts["units_per_shard"]), facts["fingerprint"]))
    for what, expected in (
        ("strategies", [min(each.plan.strategies, len(made.strategies)) for each in found]),
        ("shards", [len(each.shards) for each in found]),
    ):
        values = [facts[what] for facts in made.rounds]
        if values != expected:
            raise RunError(f"{made.path}: rounds: {what}: expected {expected}, got {values}.")
    first = found[0].plan
    if found[-1].plan.strategies != len(made.strategies) or first.chosen or first.first_block:
        raise RunError(f"{made.path}: rounds: expected some in which everybody plays.")
    return Schedule(tuple(found))


def facts(made: Round, log: str, why: dict[str, Any]) -> dict[str, Any]:
    """A round as the manifest has it; `why` is what else is to be known of it."""
    return (
        asdict(made.plan)
        | {
            "units_per_shard": made.shards.units_per_shard,
            "shards": len(made.shards),
            "log": log,
            "fingerprint": made.fingerprint,
        }
        | why
    )

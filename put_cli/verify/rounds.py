"""What a manifest promises: the rounds of a run and the shards of each."""

from collections.abc import Iterator
from dataclasses import dataclass

from put_cli.engine.matches import Fixture
from put_cli.errors import RunError
from put_cli.log.manifest import Manifest
from put_cli.rules.ruleset import RuleSet
from put_cli.tournament.run import plan_of
from put_cli.tournament.schedule import Plan, Shards


@dataclass(frozen=True)
class Round:
    """One round: what was planned, and how much of it was logged."""

    plan: Plan
    log: str
    fingerprint: str
    """What the manifest and every footer call the plan."""
    shards: Shards

    def worked_out(self, rules: RuleSet, seed: int, names: list[str]) -> str:
        """The fingerprint that the plan should have."""
        return self.plan.fingerprint(rules, seed, names)

    def numbers(self) -> range:
        """The shards as the files call them."""
        return range(len(self.shards))

    def fixtures(self, shard: int) -> list[Fixture]:
        """The matches of one of them."""
        return self.shards.fixtures(shard)


def rounds_of(made: Manifest) -> Iterator[Round]:
    """The rounds of a run, in order.

    Raises:
        RunError: the manifest holds a plan that cannot be.
    """
    if len(made.data["rounds"]) != 1:
        raise RunError(f"{made.path}: rounds: expected one, got {len(made.data['rounds'])}.")
    plan = plan_of(made)
    facts = made.plan
    yield Round(plan, facts["log"], facts["fingerprint"], Shards.of(plan, made.rules))

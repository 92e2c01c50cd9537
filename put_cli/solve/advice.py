"""What to do in a situation: what a solution does there, and what every action is worth.

An action is worth the chance of winning the game with it, against an opponent who plays what he
plays (the solution, or a strategy), with the best possible play after it. Against a solution its
own actions are worth the same up to its gap, and all others less; what they are worth less is
what they cost.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from put_cli.rules.machine import SEATS
from put_cli.rules.ruleset import RuleSet
from put_cli.solve import policy_file
from put_cli.solve.chain import Chain, chain_of
from put_cli.solve.places import Map, Situation
from put_cli.solve.policy_file import PolicyError
from put_cli.solve.tree import grow
from put_cli.solve.weighing import Plan, Values, Weighing
from put_cli.strategy import WORD_NAMES

REMEMBERED = 4
"""Scores whose plans are kept in memory: a hand is advised on several times."""


@dataclass(frozen=True)
class Option:
    """Something that may be done."""

    action: str
    """`put`, `see`, `throw`, or the rank of a card."""
    share: float | None
    """How often the solution does it; None where the solution itself never gets there."""
    worth: float
    """The chance of winning the game (or rubber) with it."""
    cost: float
    """What it is worth less than the best."""


@dataclass(frozen=True)
class Advice:
    """On one situation."""

    seat: str
    held: str
    """The cards still held, best first."""
    options: tuple[Option, ...]
    likelihood: float
    """How probable what the opponent has done is, the way he plays, given one's own cards and
    doing. Where it is 0 he is taken to have slipped, whatever his cards."""
    margin: float
    """How much of the worths is uncertain, as a rule: the gap of the solution at this score is of
    all situations together, so that where he seldom gets it may be much."""

    @property
    def expected(self) -> bool:
        """Whether the opponent, the way he plays, ever gets there."""
        return self.likelihood > 0

    @property
    def best(self) -> Option:
        """The action that is worth most."""
        return max(self.options, key=lambda each: each.worth)

    def of(self, action: str) -> Option:
        """The option of an action."""
        return next(each for each in self.options if each.action == action)

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**asdict(self), "worth": self.best.worth, "best": self.best.action}


@dataclass(frozen=True, eq=False)
class Adviser:
    """Advises on situations of one rule set."""

    chain: Chain
    values: Values
    """(2, scores): the player's chance of winning as eldest, and as the dealer, by the score from
    eldest's side."""
    plan: Callable[[int], Plan]
    """What the opponent plays at the score of this number."""
    gaps: Values
    """(scores,): how far the value of every score is certain; 0 for an exact plan."""
    solved: bool = True
    """Whether the plan is a solution, so that the player may well follow it himself."""

    @property
    def rules(self) -> RuleSet:
        """What is played."""
        return self.chain.tree.rules

    def advise(self, situation: Situation) -> Advice:
        """What to do there.

        Raises:
            UsageError: no hand begins at the score.
        """
        number = self.chain.find(situation.score)
        plan = self.plan(number)
        pays = self.chain.pays_of(number, situation.seat, self.values)
        weighing = Weighing(plan, pays, situation)
        worths = weighing.worths()
        best = max(worths.values())
        shares = weighing.own_shares() if self.solved else {}
        likelihood, gap = weighing.likelihood, float(self.gaps[number])
        return Advice(
            seat=SEATS[situation.seat],
            held=" ".join(self.rules.cards.rank(card + 1) for card in weighing.held),
            options=tuple(
                Option(name_of(self.rules, action), shares.get(action), worth, best - worth)
                for action, worth in worths.items()
            ),
            likelihood=likelihood,
            margin=min(1.0, gap / likelihood) if likelihood else 1.0,
        )


def name_of(rules: RuleSet, action: int) -> str:
    """An action as the notation writes it: a rank or a word."""
    return WORD_NAMES[action].lower() if action in WORD_NAMES else rules.cards.rank(action)


def solution_of(rules: RuleSet, given: Path | None = None) -> Path:
    """The policy file of a rule set: the one given, one of its name in this folder, or as shipped.

    Raises:
        PolicyError: there is none, or the one found is of other rules or not finished.
    """
    if given is not None:
        _check(given, rules)
        return given
    own, refused = Path(policy_file.file_name(rules)), None
    if own.exists():
        try:
            _check(own, rules)
        except PolicyError as error:
            refused = error
        else:
            return own
    for shipped in sorted(shipped_solutions().glob("*.policy")):
        if policy_file.solves(shipped, rules):
            return shipped
    raise refused or PolicyError(
        f"there is no solution of {rules.name} here: make one with "
        f"'put solve --rules \"{rules.name}\" -o {own}', which takes minutes, or name one with "
        "--policy FILE."
    )


def shipped_solutions() -> Path:
    """The folder of the solutions that come with the built-in strategies, which play them."""
    # Found, not imported: the program stands without the strategies.
    spec = find_spec("put_strategies")
    return Path(spec.origin).parent if spec and spec.origin else Path()


def _check(path: Path, rules: RuleSet) -> None:
    policy_file.check_solution(path)
    facts = policy_file.facts_of(path)
    if not policy_file.solves(path, rules):
        raise PolicyError(
            f"{path}: expected a solution of {rules.name}, got one of "
            f"{facts['rules'].get('name')!r}. Make one with "
            f"'put solve --rules \"{rules.name}\" -o FILE' and name it with --policy FILE."
        )
    if not facts["whole"]:
        raise PolicyError(
            f"{path}: the solution is not finished. Go on with "
            f"'put solve --rules \"{rules.name}\" -o {path}'."
        )


def adviser_of(path: Path, rules: RuleSet | None = None) -> Adviser:
    """An adviser who follows a policy file, and reads of it what he needs.

    `rules` are those played, which the file `solves`; its own unless given.
    """
    chain = chain_of(grow(rules or policy_file.rules_of(path)))
    low, high = policy_file.read_values(path, chain)
    the = Map(chain.tree)

    @lru_cache(REMEMBERED)
    def plan(number: int) -> Plan:
        return Plan(the, policy_file.read_policy(path, chain, number))

    middle = (low + high) / 2
    return Adviser(chain, np.array([middle, 1 - middle]), plan, high - low)

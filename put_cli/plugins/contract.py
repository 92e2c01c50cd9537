"""The contract of a strategy as a test: `put check`, and two calls for a plugin's own tests.

    from put_cli.plugins.contract import assert_conforms, view_at

    def test_it_keeps_the_contract():
        assert_conforms(Fox())

    def test_it_puts_with_a_three():
        assert Fox().act(view_at("E 3 9 4 | D A 8 6 |")) == PUT

What is tested of single decisions is in `conduct`, what needs games in `trials`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from put_cli.engine.lanes import METHODS
from put_cli.engine.native import NotNative, compile_method
from put_cli.engine.players import LEARNING, NATIVE, Contestant, enlist
from put_cli.errors import PutError
from put_cli.plugins import advice, conduct, trials
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.findings import Finding
from put_cli.plugins.habits import Habit, habits
from put_cli.plugins.situations import Situation, situations, view_at
from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.ruleset import RuleSet
from put_cli.speculation.strategy import Speculator
from put_cli.strategy import Strategy

__all__ = ["Finding", "Report", "Situation", "assert_conforms", "check", "situations", "view_at"]

EVERYWHERE = (*BUILT_IN, "cotton(misdeals=0.5)")
"""The rule sets in which a strategy is tested that does not say what it plays.

The dealer errs often, so that a few games hold every ruling."""

SAMPLES = 4
"""Views drawn for each state of each rule set, unless asked otherwise."""


@dataclass(frozen=True)
class Report:
    """What the contract test found about one strategy."""

    name: str
    findings: tuple[Finding, ...]
    tier: str
    """The tier it plays in."""
    why_not_native: tuple[str, ...]
    """What of it is not compiled, why, and what to write instead, a line each."""
    hands_per_second: dict[str, float]
    """By tier, playing against itself under the first of its rule sets; of Speculation deals."""
    habits: tuple[Habit, ...]
    dealt: str = "hands"
    """What they are called: `hands` or `deals`."""

    @property
    def ok(self) -> bool:
        """Whether it keeps the contract."""
        return all(finding.ok for finding in self.findings)

    def text(self) -> str:
        """The report as `put check` prints it."""
        lines = [line for finding in self.findings for line in finding.lines()]
        lines += ["", f"It plays in the {self.tier} tier."]
        lines += [f"  {line}" for line in self.why_not_native]
        width = max((len(tier) for tier in self.hands_per_second), default=0)
        lines += [
            f"  {tier:<{width}}  {trials.rounded(speed):>11,} {self.dealt} a second against itself"
            for tier, speed in self.hands_per_second.items()
        ]
        if self.habits:
            lines += ["", "With three cards in hand, from the weakest quarter to the strongest:"]
            lines += [f"  {line}" for line in Habit.table(self.habits)]
        return "\n".join(lines)

    def plain(self) -> dict[str, Any]:
        """The report as JSON holds it."""
        return {
            "name": self.name,
            "ok": self.ok,
            "findings": [finding.plain() for finding in self.findings],
            "tier": self.tier,
            "why_not_native": list(self.why_not_native),
            "hands_per_second": self.hands_per_second,
            "habits": [habit.plain() for habit in self.habits],
        }


def check(
    strategy: Strategy,
    *,
    name: str = "",
    rules: Sequence[str | RuleSet] = (),
    samples: int = SAMPLES,
    measure: bool = True,
) -> Report:
    """Test a strategy against everything the program relies on.

    `rules` replaces the rule sets it says it plays. `samples` is the number of Views for each
    state of each of them. Without `measure` nothing is timed and no habits are counted.
    """
    name = name or type(strategy).__name__.lower()
    findings = [conduct.made(strategy), conduct.parameters(strategy)]
    if isinstance(strategy, Speculator):
        from put_cli.speculation import contract

        more, tier, lines, speeds = contract.check(strategy, name, measure=measure)
        return Report(name, (*findings, *more), tier, lines, speeds, (), dealt="deals")
    sets, finding = rule_sets(strategy.plays, rules)
    if finding:
        findings.append(finding)
    native, why = _compiled(strategy, sets)
    learns = strategy.begin_match is not None
    if learns:
        findings += trials.learning(Contestant(name, strategy, LEARNING), sets)
    else:
        findings += conduct.conduct(strategy, sets, samples)
        findings += trials.tiers_agree(strategy, name, sets, native)
    return Report(
        name=name,
        findings=tuple(findings),
        tier=trials.tier_of(strategy, native),
        why_not_native=why,
        hands_per_second=trials.speeds(strategy, native, sets[0]) if measure and sets else {},
        habits=habits(strategy, sets[0]) if measure and sets else (),
    )


def advice_for(strategy: Strategy) -> tuple[str, ...]:
    """What of a strategy is not compiled where it plays, why, and what to write instead."""
    sets, _ = rule_sets(strategy.plays, ())
    return _compiled(strategy, sets)[1]


def assert_conforms(
    strategy: Strategy, *, rules: Sequence[str | RuleSet] = (), samples: int = SAMPLES
) -> None:
    """Fail, with everything that is wrong, unless the strategy keeps the contract.

    Raises:
        AssertionError: it does not; the message is made for reading.
    """
    report = check(strategy, rules=rules, samples=samples, measure=False)
    wrong = [line for finding in report.findings if not finding.ok for line in finding.lines()]
    if wrong:
        raise AssertionError("\n".join([f"{report.name} does not keep the contract:", *wrong]))


def rule_sets(
    plays: Sequence[str], asked: Sequence[str | RuleSet]
) -> tuple[list[RuleSet], Finding | None]:
    """The rule sets to test in; the finding is one that cannot be found."""
    title = "it says which rule sets it plays"
    texts = asked or plays
    if isinstance(texts, str):
        return [], Finding(title, False, examples=(f'write plays = ("{texts}",), a tuple',))
    if not texts:
        return [find_ruleset(each) for each in EVERYWHERE], None
    try:
        return [find_ruleset(each) if isinstance(each, str) else each for each in texts], None
    except PutError as error:
        return [], Finding(title, False, examples=(str(error),))


def _compiled(
    strategy: Strategy, sets: Sequence[RuleSet]
) -> tuple[trials.Compiled, tuple[str, ...]]:
    """The methods that these rule sets ask for, compiled, or why there is no compiled act and
    what would help.
    """
    if strategy.begin_match is not None:
        return {}, ("It learns: it defines begin_match, and learning players are interpreted.",)
    if type(strategy).act is Strategy.act:
        return {}, ("It defines act_batch and no act; only act can be compiled.",)
    methods = {method for rules in sets for method in trials.tables_of(rules).methods}
    try:
        native = enlist("it", strategy, DiskStore(), NATIVE, sorted(methods)).native
    except NotNative as error:
        return {}, tuple(advice.advise(strategy, error))
    return native, tuple(_interpreted(strategy, [METHODS[each] for each in methods - set(native)]))


def _interpreted(strategy: Strategy, methods: Sequence[str]) -> Iterator[str]:
    """Why these methods of a strategy whose act is compiled are not, and what would help."""
    for method in sorted(methods):
        try:
            compile_method(strategy, DiskStore(), method)
        except NotNative as error:
            yield from advice.advise(strategy, error, method)

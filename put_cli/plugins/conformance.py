"""The contract of a program that plays by the line protocol, as far as it can be seen from here."""

from collections.abc import Sequence

from put_cli.engine.lanes import METHODS
from put_cli.engine.players import enlist
from put_cli.engine.watch import Watch
from put_cli.plugins import trials, wire
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.conduct import Answer, alike, judged, legal_everywhere
from put_cli.plugins.contract import SAMPLES, Report, rule_sets
from put_cli.plugins.findings import Finding
from put_cli.plugins.habits import Habit, habits
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.outside import Called, Outside
from put_cli.plugins.remote import MOST_AT_ONCE, Client
from put_cli.plugins.situations import Situation, situations
from put_cli.rules.ruleset import RuleSet

MOVE_SECONDS = 1.0
"""Time for a decision, as in a tournament of which nothing else is asked."""

_FEW = 7
"""A size of batch, besides all at once, that must give the same answers."""


def check(loaded: Loaded, *, rules: Sequence[str | RuleSet] = (), samples: int = SAMPLES) -> Report:
    """Test a player in a process of its own; arguments as for `contract.check`."""
    outside, name = loaded.strategy, loaded.name
    assert isinstance(outside, Outside)
    sets, finding = rule_sets(loaded.plays, rules)
    findings = [Finding("it speaks the protocol", detail=f"version {wire.PROTOCOL}")]
    findings += [finding] if finding else []
    player = enlist(name, outside, DiskStore())
    if player.learns:
        findings += trials.learning(player, sets)
    else:
        findings += _conduct(outside.connect(name), sets, samples, memory=outside.memory)
    speeds = {}
    if sets:
        rivals = [enlist(f"{name}{n}", outside, DiskStore()) for n in range(1, sets[0].players)]
        for _ in range(2):  # the first time the processes are started
            speeds[player.tier] = trials.speed(sets[0], [player, *rivals])
        for each in (player, *rivals):
            if each.remote:
                each.remote.close()
    shown: tuple[Habit, ...] = ()
    if sets and not player.learns:
        called = Called(outside, name, sets[0], MOVE_SECONDS)
        shown = habits(called, sets[0])
        called.close()
    why = ("It decides in a process of its own; only Python is compiled.",)
    return Report(name, tuple(findings), player.tier, why, speeds, shown)


def _conduct(
    client: Client, sets: Sequence[RuleSet], samples: int, *, memory: bool
) -> list[Finding]:
    """Its decisions in every situation: legal, and always the same."""
    asked: list[Situation] = []
    answers: list[Answer] = []
    again: list[Answer] = []
    few: list[Answer] = []
    for rules in sets:
        there = list(situations(rules, samples=samples, memory=memory))
        asked += there
        client.open(rules, Watch(MOVE_SECONDS))
        answers += _ask(client, there, MOST_AT_ONCE)
        few += _ask(client, there[::-1], _FEW)[::-1]
        client.close()  # what it may remember is gone
        again += _ask(client, there, MOST_AT_ONCE)
    client.close()
    return [
        legal_everywhere(asked, answers, len(sets), "it answers legally everywhere"),
        alike(
            "it gives the same answers in batches of any size and order",
            *(asked, answers, few, f"in a batch of {MOST_AT_ONCE}", f"in one of {_FEW}"),
        ),
        alike(
            "it gives the same answers when it is started anew",
            *(asked, answers, again, "at first", "then"),
        ),
    ]


def _ask(client: Client, asked: Sequence[Situation], size: int) -> list[Answer]:
    """The answers to situations, asked so many at once."""
    found: dict[int, Answer] = {}
    for method in METHODS:
        places = [place for place, each in enumerate(asked) if each.method == method]
        for start in range(0, len(places), size):
            some = places[start : start + size]
            client.ask(method, [0] * len(some), [asked[place].view for place in some])
            actions, faults = client.answers()
            for position, place in enumerate(some):
                fault = faults.get(position)
                found[place] = fault or judged(asked[place], int(actions[position]))
    return [found[place] for place in range(len(asked))]

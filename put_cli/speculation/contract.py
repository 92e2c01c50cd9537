"""What `put check` tests of a strategy of Speculation beside what it tests of any."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from put_cli.engine.asking import raised
from put_cli.engine.compiled import NoStore
from put_cli.engine.native import NotNative
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant
from put_cli.plugins import advice
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.findings import SHOWN, Finding
from put_cli.speculation import state as at
from put_cli.speculation.play import Ints, Mishap, enlist, play, prepare_kernel, seated
from put_cli.speculation.rules import Speculation, find
from put_cli.speculation.strategy import Speculator, View

GAMES = (
    "speculation",
    "speculation(players=3, spare_hand=true, exhaust_pack=true, deals=7)",
    "speculation(players=8, unseen=hand, payment=3)",
    "speculation(players=12, presale=false, ante=3)",
)
"""Where a strategy is tested: few and many players, every knob in both ways."""

BLOCKS, SESSIONS = 3, 10
SPEED_SECONDS = 0.2
SEED = 1674


@dataclass(frozen=True)
class Anybody(Speculator):
    """Does anything allowed: the company in which a strategy is tested."""

    def presell(self, view: View) -> bool:
        return view.luck < 0.5

    def bid(self, view: View) -> int:
        return int(view.luck * 12.0)

    def accept(self, view: View) -> bool:
        return view.luck < 0.5

    def offer(self, view: View) -> int:
        if view.whole_hand:
            return view.cards if view.luck < 0.5 else 0
        return int(view.luck * (view.cards + 1))


@dataclass(frozen=True)
class _Noted(Speculator):
    """Another player's decisions, each with what it saw."""

    inner: Speculator = field(default_factory=Speculator)
    notes: list[tuple[str, View, object]] = field(default_factory=list)

    def presell(self, view: View) -> bool:
        return bool(self._note("presell", view))

    def bid(self, view: View) -> int:
        return self._note("bid", view)

    def accept(self, view: View) -> bool:
        return self._note("accept", view)  # type: ignore[return-value]

    def offer(self, view: View) -> int:
        return self._note("offer", view)

    def _note(self, method: str, view: View) -> int:
        answer: int = getattr(self.inner, method)(view)
        self.notes.append((method, view, answer))
        return answer


@dataclass(frozen=True)
class _NotedWithMemory(_Noted):
    memory = True


def check(
    strategy: Speculator, name: str, *, measure: bool
) -> tuple[list[Finding], str, tuple[str, ...], dict[str, float]]:
    """What was found, the tier, why it is not native, and deals a second by tier."""
    store = DiskStore()
    prepare_kernel(store)
    native: Contestant | None = None
    why: tuple[str, ...] = ()
    try:
        native = enlist(name, strategy, store, NATIVE)
    except NotNative as error:
        why = tuple(advice.advise(strategy, error))
    interpreted = enlist(name, strategy, NoStore(), INTERPRETED)
    company = enlist("anybody", Anybody(), store)
    rules = [found for text in GAMES if (found := find(text))]
    findings = [
        _allowed(interpreted, company, rules),
        _pure(strategy, company, rules),
    ]
    if native:
        findings.append(_tiers_agree(native, interpreted, company, rules))
    speeds = {}
    if measure and all(finding.ok for finding in findings):
        players = [each for each in (native, interpreted) if each]
        speeds = {each.tier: _speed(each, rules[0]) for each in players}
    return findings, NATIVE if native else INTERPRETED, why, speeds


def _matches(rules: Speculation, blocks: int = BLOCKS, sessions: int = SESSIONS) -> Ints:
    """Contestant 0 among several of contestant 1, in a chair that changes with the block."""
    chairs = range(rules.players)
    return seated(
        (0, block, 0, sessions, *(int(chair != block % rules.players) for chair in chairs))
        for block in range(blocks)
    )


def _allowed(player: Contestant, company: Contestant, rules: Sequence[Speculation]) -> Finding:
    title = "its answers are whole numbers that the rules allow"
    wrong: list[Mishap] = []
    for each in rules:
        wrong += play(each, [player, company], _matches(each), SEED).mishaps
    reasons = tuple(dict.fromkeys(str(mishap) for mishap in wrong))
    sessions = len(rules) * BLOCKS * SESSIONS
    detail = f"{len(wrong)} of {sessions} sessions failed" if wrong else f"{sessions} sessions"
    return Finding(title, not wrong, detail, reasons[:SHOWN])


def _pure(strategy: Speculator, company: Contestant, rules: Sequence[Speculation]) -> Finding:
    """Asked again what it was asked before, it answers the same."""
    title = "it answers the same question the same way"
    kind = _NotedWithMemory if strategy.memory else _Noted
    noted = kind(inner=strategy)
    for each in rules:
        player = Contestant("noted", noted, INTERPRETED)
        play(each, [player, company], _matches(each, blocks=1, sessions=4), SEED)
    differing = []
    for method, view, answer in noted.notes:
        try:
            again = getattr(strategy, method)(view)
        except BaseException as error:
            again = raised(error)
        if again != answer:
            differing.append(f"{method} answered {answer!r}, then {again!r}, in {view}")
    detail = f"{len(noted.notes):,} questions asked twice"
    return Finding(title, not differing, detail, tuple(differing[:SHOWN]))


def _tiers_agree(
    native: Contestant,
    interpreted: Contestant,
    company: Contestant,
    rules: Sequence[Speculation],
) -> Finding:
    title = "compiled and interpreted it plays the same deals"
    for each in rules:
        fast, slow = (
            play(each, [player, company], _matches(each), SEED) for player in (native, interpreted)
        )
        if not np.array_equal(fast.events, slow.events) or fast.differences:
            return Finding(title, False, each.name, tuple(fast.differences[:SHOWN]))
    return Finding(title, detail=f"{len(rules) * BLOCKS * SESSIONS} sessions")


def _speed(player: Contestant, rules: Speculation) -> float:
    """Deals a second at a table of nobody else."""
    deals, sessions, begin = 0, SESSIONS, time.perf_counter()
    while (passed := time.perf_counter() - begin) < SPEED_SECONDS or not deals:
        matches = seated([(0, 0, 0, sessions, *[0] * rules.players)])
        played = play(rules, [player], matches, deals, keep=False)
        deals += int(played.sessions[:, at.G_DEALS].sum())
        sessions = min(2 * sessions, 20_000)
    return deals / passed

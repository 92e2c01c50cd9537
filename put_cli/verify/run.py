"""A whole run: its manifest, its files, every shard, and what was computed from them."""

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from put_cli.engine import forking
from put_cli.engine.luck import GENERATOR
from put_cli.errors import RunError, one_line
from put_cli.log import manifest
from put_cli.log.schema import EVERY_TABLE
from put_cli.log.writer import part_path
from put_cli.report.tables import printable
from put_cli.speculation.rules import NAME as SPECULATION
from put_cli.tournament.outcome import rate
from put_cli.tournament.records import start_method
from put_cli.verify import again, files, results
from put_cli.verify.beside import Checker
from put_cli.verify.faults import Fault, Findings
from put_cli.verify.shard import HandsChecker

SAMPLE = 100
"""Hands, or deals, of a shard that the referee judges card by card."""


@dataclass(frozen=True)
class Verified:
    """What came of verifying a run."""

    run: Path
    findings: Findings
    unchecked: tuple[str, ...]
    """What could not be checked and why, in sentences."""
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether there is no fault."""
        return not self.findings.count

    def plain(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "run": str(self.run),
            "sound": self.sound,
            "fault_count": self.findings.count,
            "faults": [vars(each) for each in self.findings.faults],
            "checked": dict(self.findings.checked),
            "unchecked": list(self.unchecked),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What to do about a run."""

    run: Path
    sample: int = SAMPLE
    replay: int = 0
    """Shards to play again."""
    trust: bool = False
    """Whether strategies that the run names by file or module may be loaded."""
    workers: int = 1


@dataclass
class Progress:
    """Hears how many shards there are, and of each that is done."""

    total: Callable[[int], None] = field(default=lambda _shards: None)
    done: Callable[[Findings], None] = field(default=lambda _findings: None)


def checker_of(run: Path, sample: int) -> Checker:
    """What checks the shards of a run, whatever game it is of.

    Raises:
        RunError: the directory is no run, or its manifest cannot be read.
    """
    made = manifest.read(run)
    if made.game == SPECULATION:
        from put_cli.verify.sessions import SessionsChecker

        return SessionsChecker(made, sample)
    return HandsChecker(made, sample)


def verify(wish: Wish, progress: Progress | None = None) -> Verified:
    """Check everything about a run.

    Raises:
        RunError: it is no run, or its manifest cannot be read.
        UsageError: shards are to be played again, and cannot be.
    """
    begin = time.perf_counter()
    progress = progress or Progress()
    checker = checker_of(wish.run, wish.sample)
    field_ = again.field_of(checker, wish.trust) if wish.replay else []
    findings = Findings()
    _check_manifest(checker, findings)
    shards, missing = _present(checker, findings)
    progress.total(len(shards))
    # By file, however the workers took turns.
    with _crew(wish, checker) as check_all:
        found = []
        for each in check_all(shards):
            progress.done(each)
            found.append(each)
    findings.merge(found)
    known = {(each.pairing, each.block, each.mirror) for each in checker.known}
    if known:
        _check_forfeits(checker, known, findings)
    if wish.replay and shards:
        players = again.Players(checker, field_)
        findings.merge(players.play(shard) for shard in again.chosen(shards, wish.replay))
    if not missing:
        _check_results(checker, findings)
    seconds = time.perf_counter() - begin
    return Verified(wish.run, findings, tuple(_unchecked(checker, wish, missing)), seconds)


def _check_manifest(checker: Checker, findings: Findings) -> None:
    made = checker.made
    if made.data.get("generator") != GENERATOR:
        raise RunError(
            f"{made.path}: its deals come from the generator "
            f"{printable(str(made.data.get('generator')))!r}; this program has {GENERATOR!r}."
        )
    facts = [("rules_fingerprint", checker.rules.fingerprint(), made.data.get("rules_fingerprint"))]
    for number, each in enumerate(checker.schedule.rounds):
        names = made.names[: each.plan.strategies]
        expected = each.shards.fingerprint(checker.rules, made.seed, names)
        facts.append((f"rounds/{number}/fingerprint", expected, each.fingerprint))
    for key, expected, told in facts:
        if told != expected:
            findings.add(Fault(made.path.name, key, "", expected, printable(str(told))))
    findings.checked["fingerprints of the manifest"] += len(facts)


def _present(checker: Checker, findings: Findings) -> tuple[list[int], int]:
    """The shards to check, of which some file is there, and how many are missing.

    After a sequential test had its verdict, shards may be missing.
    """
    present, missing, decided = [], 0, _decided_at(checker)
    expected: dict[str, set[str]] = {name: set() for name in EVERY_TABLE}
    logged = checker.form.logged(checker.made.log)
    for shard in range(len(checker.schedule)):
        paths = [part_path(checker.run, name, shard) for name in logged]
        for path in paths:
            expected[path.parent.name].add(path.name)
        if any(path.exists() for path in paths):
            present.append(shard)
        elif decided is None or shard <= decided:
            missing += 1
            file = f"tallies/{paths[-1].name}"
            findings.add(Fault(file, "", "", "a finished shard", "none of its files"))
    findings.add(*files.strange_files(checker.run, checker.form, expected))
    return present, missing


def _decided_at(checker: Checker) -> int | None:
    """The shard in which a sequential test had its verdict; None where there was none."""
    if "sprt" not in checker.made.rounds[0]:
        return None
    try:
        ruling = rate(checker.run).ruling
    except (RunError, ValueError, ArithmeticError):  # which the checks of the shards explain
        return None
    if not ruling or not ruling.verdict:
        return None
    place = checker.schedule.place_of(0, ruling.blocks - 1)
    return place[0] if place else None


@contextmanager
def _crew(wish: Wish, checker: Checker) -> Iterator[Callable[[Sequence[int]], Iterable[Findings]]]:
    """Yield what checks shards, in this process or in several, in order."""
    if wish.workers == 1:
        yield lambda shards: (checker.check(shard) for shard in shards)
        return
    forking.guard()
    context: Any = multiprocessing.get_context(start_method())
    with context.Pool(wish.workers, _begin, (wish.run, wish.sample)) as pool:
        yield lambda shards: pool.imap(_check, shards)


_checker: Checker | None = None
"""This process's, where it is one of several."""


def _begin(run: Path, sample: int) -> None:
    global _checker
    _checker = checker_of(run, sample)


def _check(shard: int) -> Findings:
    assert _checker is not None
    return _checker.check(shard)


def _check_forfeits(checker: Checker, known: set[tuple[int, int, int]], findings: Findings) -> None:
    """Every entry of forfeits.json is about a match of the plan."""
    mirrors = checker.schedule.rounds[0].plan.matches_per_block
    for match in sorted(known):
        table, block, mirror = match
        if checker.schedule.place_of(table, block) and 0 <= mirror < mirrors:
            continue
        key = "/".join(map(str, match))
        findings.add(Fault("forfeits.json", key, "", "a match of the plan", "none"))
    findings.checked["forfeits by time or death"] += len(checker.known)


def _check_results(checker: Checker, findings: Findings) -> None:
    of = results.of_speculation if checker.made.game == SPECULATION else results.of_put
    try:
        expected = of(checker.made)
    except (RunError, LookupError, ValueError, ArithmeticError) as error:  # tallies cannot be so
        if not findings.count:
            what = printable(one_line(error))
            findings.add(Fault("standings.json", "", "", "tallies that can be rated", what))
        return
    results.check_results(checker.made, expected, findings)


_LESS = {
    ("put", "none"): "The run logged neither hands nor games (--log none): who won what was "
    "checked only for adding up, and for the cuts of the seed.",
    ("put", "games"): "The run logged no hands (--log games): points, puts and drawn hands were "
    "checked only for what cannot be, and how each game went not at all.",
    ("speculation", "none"): "The run logged neither deals nor sessions (--log none): who won what "
    "was checked only for adding up, and for the pools and payments of the seed.",
    ("speculation", "games"): "The run logged no deals (--log games): who traded what was checked "
    "only for adding up, and how each session went not at all.",
}
"""What cannot be checked, by game and value of --log."""


def _unchecked(checker: Checker, wish: Wish, missing: int) -> Iterator[str]:
    less = _LESS.get((checker.made.game, checker.made.log))
    if less:
        yield less
    if not wish.replay:
        yield (
            "Whether the strategies would do what the log says: --replay plays shards again to "
            "find out."
        )
    if missing:
        yield "The tables of results: the run is not finished."
    yield (
        "What nothing depends on: when and by which command the run was made, run.log, "
        "report.html, and the words of faults that strategies raised."
    )

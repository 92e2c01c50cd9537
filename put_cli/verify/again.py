"""Shards played again by the strategies themselves, and compared byte by byte.

This alone proves that the strategies did what the log says. It runs their code: of those that a
run names by a file or a module only when the user says so, for a run may come from a stranger.
"""

import random
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from put_cli.errors import RunError, UsageError
from put_cli.log import forfeits
from put_cli.log.part import read_part
from put_cli.log.schema import Format
from put_cli.log.writer import part_path
from put_cli.plugins import external, spec
from put_cli.plugins.discovery import installed
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.loading import loader
from put_cli.report.tables import printable
from put_cli.tournament.field import load_field
from put_cli.tournament.settings import MEMORY_LIMIT
from put_cli.tournament.shard import Order, Workshop
from put_cli.verify import keys, rows
from put_cli.verify.beside import Checker
from put_cli.verify.faults import Fault, Findings

MOVE_TIMEOUT = 600.0
"""Seconds for a decision: who was in time once should not be late for a busy machine."""

_EVERYTHING = 10**12


def field_of(checker: Checker, trust: bool) -> list[Loaded]:
    """The strategies of a run, the very ones that played it.

    Raises:
        UsageError: one is not installed, is not to be trusted, or has changed since.
    """
    described = checker.made.strategies
    texts = []
    for each in described:
        for text in _texts(each):
            _refuse_strange(text, trust)
        texts.append(str(each.get("spec", each["name"])))
    if len(set(texts)) != len(texts):
        raise UsageError("--replay: the manifest names a strategy twice.")
    load = loader(isolate=False, tier="auto", memory_limit=MEMORY_LIMIT)
    loaded = load_field(texts, checker.rules, load).loaded
    for told, found in zip(described, loaded, strict=True):
        differing = list(_differing(told, found))
        if differing:
            raise UsageError(
                f"--replay: {printable(str(told['name']))} is not what it was when the run was "
                f"played: {'; '.join(differing)}. Install that version, or verify without --replay."
            )
    return list(loaded)


def _texts(described: dict[str, Any]) -> list[str]:
    text = str(described.get("spec", described["name"]))
    return [member.strip() for member in spec.team(text)]


def _refuse_strange(text: str, trust: bool) -> None:
    target = text if external.names_program(text) else spec.parse(text).target
    if not trust and target not in {each.name for each in installed()}:
        raise UsageError(
            f"--replay: the run names the strategy {printable(target)!r}, which is no installed "
            "one, and to play it again is to run its code. If you trust it, say --trust."
        )


def _differing(told: dict[str, Any], loaded: Loaded) -> Iterator[str]:
    found = {
        "name": loaded.name,
        "parameters": loaded.parameters,
        "files": loaded.files,
        "version": loaded.version,
        "source": loaded.source,
    }
    for key, value in found.items():
        if (told.get(key) or None) != (value or None):
            then = printable(str(told.get(key)))[:80]
            yield f"{key} was {then}, is {printable(str(value))[:80]}"
    partner = told.get("partner")
    if (loaded.partner is None) != (not isinstance(partner, dict)):
        yield "the team has another number of members"
    elif loaded.partner and isinstance(partner, dict):
        yield from _differing(partner, loaded.partner)


def chosen(shards: Sequence[int], count: int) -> list[int]:
    """So many of the shards (all, if there are no more), by chance, in order."""
    if count >= len(shards):
        return list(shards)
    return sorted(random.Random(secrets.randbits(64)).sample(list(shards), count))


class Players:
    """Plays shards of a run again."""

    def __init__(self, checker: Checker, field: Sequence[Loaded]) -> None:
        self._checker, self._field = checker, field

    def play(self, shard: int) -> Findings:
        """Play a shard, and compare what is written with what is there.

        Raises:
            RunError: it cannot be played again.
        """
        checker = self._checker
        findings = Findings()
        with tempfile.TemporaryDirectory(prefix="put-verify-") as folder:
            again = Path(folder)
            if checker.known:
                forfeits.add(again, checker.known)
            result = self._workshop(again).play(shard)
            if result.forfeits:
                raise RunError(
                    f"--replay: shard {shard} cannot be played again: "
                    f"{printable(str(result.forfeits[0]))}."
                )
            for name in checker.form.logged(checker.made.log):
                _compare(again, checker.run, checker.form, name, shard, findings)
        findings.checked["shards played again"] += 1
        findings.checked[f"{checker.dealt} played again"] += result.hands
        return findings

    def _workshop(self, folder: Path) -> Workshop:
        order = Order(
            run=folder,
            rules=self._checker.rules,
            strategies=tuple(each.text for each in self._field),
            tier="auto",
            schedule=self._checker.schedule,
            seed=self._checker.made.seed,
            log=self._checker.made.log,
            move_timeout=MOVE_TIMEOUT,
        )
        return order.workshop(self._field)


def _compare(
    again: Path, run: Path, form: Format, name: str, shard: int, findings: Findings
) -> None:
    paths = [part_path(each, name, shard) for each in (again, run)]
    file = f"{name}/{paths[1].name}"
    try:
        ours, theirs = (read_part(path, form, name, _EVERYTHING) for path in paths)
    except RunError as error:
        findings.add(Fault(file, "", "", "the part played again", printable(str(error))))
        return
    if ours.data.equals(theirs.data):
        return
    mine, found = rows.one_chunk(ours.table), rows.one_chunk(theirs.table)
    if mine.num_rows != found.num_rows:
        told = f"{mine.num_rows:,} rows", f"{found.num_rows:,} rows"
        findings.add(Fault(file, "", "played again", told[0], told[1]))
        return
    wrong = rows.differing(mine, found)
    for column, where in wrong.items():
        row = int(where.argmax())
        (first,) = rows.differences(mine, found, {column: where}, [row])
        further = int(where.sum()) - 1
        key = keys.text_of(keys.keys_of(form)[name], mine, row)
        what = f"{column}, played again"
        findings.add(Fault(file, key, what, first.expected, first.found, further))
    if ours.footer != theirs.footer:
        findings.add(Fault(file, "footer", "played again", "other hashes of the parts", "these"))
    elif not wrong and ours.created_by == theirs.created_by:
        findings.add(Fault(file, "", "played again", "the same bytes", "the same rows otherwise"))

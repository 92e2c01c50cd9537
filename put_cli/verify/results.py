"""The tables of results and the data dictionary, against those computed from the log again."""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from put_cli.log import dictionary
from put_cli.log.bounds import read_text
from put_cli.log.manifest import Manifest
from put_cli.report import text
from put_cli.report.tables import printable
from put_cli.speculation import outcome as speculation
from put_cli.speculation import schema
from put_cli.speculation import text as of_sessions
from put_cli.tournament.outcome import rate, result
from put_cli.verify.faults import Fault, Findings

JSON, README = "standings.json", "README.md"

_CLOSE = 1e-9
"""Relative difference that another processor or version of a library may bring about."""


@dataclass(frozen=True)
class Results:
    """What was computed from the log again."""

    facts: dict[str, Any]
    """Of standings.json."""
    texts: Mapping[str, str]
    """Of other files, by name."""


def of_put(made: Manifest) -> Results:
    """The results of a run of Put.

    Raises:
        RunError, ValueError, ArithmeticError: its tallies cannot be rated.
    """
    table = rate(made.run)
    texts = {
        "standings.csv": text.standings_csv(table),
        "crosstable.csv": text.crosstable_csv(table),
        "standings.md": text.standings_markdown(table),
        README: dictionary.text(made.form, made.log),
    }
    return Results(result(made, table, Path()), texts)


def of_speculation(made: Manifest) -> Results:
    """The results of a run of Speculation; raises as `of_put`."""
    table = speculation.rate(made)
    texts = {
        "standings.csv": of_sessions.standings_csv(table),
        "standings.md": of_sessions.standings_markdown(table),
        README: schema.dictionary(made.form, made.log),
    }
    return Results(speculation.result(made, table, Path()), texts)


def check_results(made: Manifest, expected: Results, findings: Findings) -> None:
    """The tables of results and the data dictionary of a run."""
    exact = _check_json(made, expected.facts, findings)
    for name, expected_text in expected.texts.items():
        found = _content(made.run / name, findings)
        if found is None:
            continue
        findings.add(*_different_lines(name, expected_text, found, exact or name == README))
        findings.checked["tables of results compared"] += 1


def _content(path: Path, findings: Findings) -> str | None:
    if not path.exists():
        findings.add(Fault(path.name, "", "", "a file", "no such file"))
        return None
    try:
        return read_text(path)
    except (OSError, ValueError) as error:
        findings.add(Fault(path.name, "", "", "a text", printable(str(error))))
        return None


def _check_json(made: Manifest, facts: dict[str, Any], findings: Findings) -> bool:
    """Whether every number is to the last bit what this machine computes."""
    found = _content(made.run / JSON, findings)
    if found is None:
        return True
    try:
        data = json.loads(found)
    except (ValueError, RecursionError) as error:
        findings.add(Fault(JSON, "", "", "JSON", printable(str(error))))
        return True
    # Where the run was when it was played is nobody's business.
    shown = data.get("run") if isinstance(data, dict) else None
    expected = json.loads(json.dumps(facts))
    expected["run"] = shown if isinstance(shown, str) else ""
    differences = list(_different(expected, data, ""))
    findings.add(*differences)
    findings.checked["tables of results compared"] += 1
    return bool(differences) or expected == data


def _different(expected: Any, found: Any, where: str) -> Iterator[Fault]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            inside = f"{where}/{printable(str(key))}"
            if key in expected and key in found:
                yield from _different(expected[key], found[key], inside)
            else:
                ours, theirs = (_shown(each.get(key)) for each in (expected, found))
                yield Fault(JSON, inside, "", ours, theirs)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, pair in enumerate(zip(expected, found, strict=True)):
            yield from _different(*pair, f"{where}/{number}")
    elif type(expected) is not type(found) or not _same(expected, found):
        yield Fault(JSON, where, "", _shown(expected), _shown(found))


def _same(expected: Any, found: Any) -> bool:
    if isinstance(expected, float):
        return math.isclose(expected, found, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return bool(expected == found)


def _different_lines(name: str, expected: str, found: str, exact: bool) -> Iterator[Fault]:
    ours, theirs = expected.splitlines(), found.splitlines()
    for number in range(max(len(ours), len(theirs))):
        pair = [lines[number] if number < len(lines) else None for lines in (ours, theirs)]
        if pair[0] == pair[1] or (not exact and None not in pair and _near(*pair)):  # type: ignore[arg-type]
            continue
        yield Fault(name, f"line {number + 1}", "", _shown(pair[0]), _shown(pair[1]))
        return
    if ours == theirs and expected != found:
        yield Fault(name, "", "", "the same ends of lines", "other ones")


def _near(expected: str, found: str) -> bool:
    """Whether two lines differ only in the last digit of numbers."""
    separator = "|" if expected.startswith("|") else ","
    ours, theirs = (
        next(csv.reader(io.StringIO(line), delimiter=separator), []) for line in (expected, found)
    )
    return len(ours) == len(theirs) and all(map(_near_cells, ours, theirs))


def _near_cells(expected: str, found: str) -> bool:
    if expected == found:
        return True
    try:
        decimals = len(expected.partition(".")[2].strip())
        return abs(float(expected) - float(found)) <= 1.01 * 10.0**-decimals
    except ValueError:
        return False


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    shown = printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return repr(shown[:100]) if isinstance(value, str) else shown[:100]

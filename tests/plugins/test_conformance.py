"""`put check` of a program: what it answers, and whether it always answers the same."""

import os
from pathlib import Path

import pytest

from put_cli.plugins import conformance, discovery, trials
from put_cli.plugins.contract import Report
from tests.plugins.test_external import program

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MEASURED_SECONDS", 0.0)


def report_on(text: str, rules: str = "cotton") -> Report:
    """The report on a program under one rule set."""
    return conformance.check(discovery.load(text), rules=[rules], samples=1)


@pytest.mark.parametrize("rules", ["hoyle", "three-handed", "four-handed(misdeals=0.5)"])
def test_a_program_that_answers_what_it_should_passes(tmp_path: Path, rules: str) -> None:
    legal = (
        "if line['method'] != 'act': actions[:] = ["
        "104 if line['method'] == 'gift' else 108 if line['method'] == 'misdeal' else "
        "view['cards'][2] for view in views]"
    )
    report = report_on(program(tmp_path, legal), rules)
    assert report.ok, report.text()
    assert report.tier == "external"
    assert report.hands_per_second["external"] > 0
    assert report.habits


WRONG = {
    "actions[0] = 99": "it answers legally everywhere",
    "if len(views) < 8: actions[:] = [v['asked'] and 102 or v['highest'] for v in views]": (
        "it gives the same answers in batches of any size and order"
    ),
}


@pytest.mark.parametrize("deed", WRONG)
def test_a_program_that_does_not_is_told_where(tmp_path: Path, deed: str) -> None:
    report = report_on(program(tmp_path, deed))
    wrong = [finding.title for finding in report.findings if not finding.ok]
    assert WRONG[deed] in wrong
    assert "again: act(" in report.text()


def test_a_program_that_remembers_its_start_is_found_out(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    hello = f"open({str(begun)!r}, 'a').write('x'); started = os.path.getsize({str(begun)!r})"
    deed = "if started % 2: actions[:] = [v['asked'] and 102 or v['highest'] for v in views]"
    report = report_on(program(tmp_path, deed, hello))
    (wrong,) = [finding for finding in report.findings if not finding.ok]
    assert wrong.title == "it gives the same answers when it is started anew"

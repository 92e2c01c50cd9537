"""put check: exit codes, the report as text and as JSON."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Put

QUICK = ("--rules", "hoyle", "--samples", "1")
BOT = """
from put_cli import SEE, THROW, Strategy, View

class Bot(Strategy):
    '''Plays its worst card.'''

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if any(card > 9 for card in view.cards) else THROW
        return view.lowest if view.may_play else {else_}
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A strategy that keeps the contract, but is not compiled."""
    path = tmp_path / "good.py"
    path.write_text(BOT.replace("{else_}", "THROW"))
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A strategy that lays a card where it must speak."""
    path = tmp_path / "bad.py"
    path.write_text(BOT.replace("{else_}", "view.lowest"))
    return path


def test_a_strategy_that_keeps_the_contract_ends_with_0(put: Put, good: Path) -> None:
    done = put("check", str(good), *QUICK)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("good: Plays its worst card.\n\nok ")
    assert "FAIL" not in done.out
    assert "good.py:9: return SEE if any(card > 9" in done.out
    assert "any is not compiled; count:" in done.out
    assert "hands a second against itself" in done.out


def test_a_strategy_that_breaks_it_ends_with_1_and_says_where(put: Put, bad: Path) -> None:
    done = put("check", str(bad), *QUICK)
    assert done.code == 1
    assert "FAIL it answers legally everywhere" in done.out
    assert "again: act(view_at('E " in done.out


def test_json_holds_the_whole_report(put: Put, bad: Path) -> None:
    done = put("check", str(bad), *QUICK, "--json")
    report = json.loads(done.out)
    assert (done.code, report["ok"], report["tier"]) == (1, False, "interpreted")
    (wrong,) = (each for each in report["findings"] if not each["ok"])
    assert wrong["title"] == "it answers legally everywhere"
    assert wrong["examples"]
    assert report["hands_per_second"]["interpreted"] > 0
    assert len(report["habits"]) == 4


def test_what_cannot_be_loaded_is_misuse(put: Put, tmp_path: Path) -> None:
    assert put("check", str(tmp_path / "none.py")).code == 2
    assert put("check", "od").code == 2
    assert put("check", "odds", "--rules", "coton").code == 2
    assert put("check", "odds", "--samples", "0").code == 2


def test_an_installed_name_a_file_and_a_module_are_all_accepted(put: Put, good: Path) -> None:
    for text in ("odds(throws=0.4)", f"{good}:Bot", "put_strategies.simple:Highest"):
        assert put("check", text, *QUICK).code == 0, text

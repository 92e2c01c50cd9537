"""docs/the-game-solved.md says what its numbers say, and these agree with what is known."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Template
from types import ModuleType

import pytest

from put_cli.rules.finding import find_ruleset

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE = (DOCS / "the-game-solved.md").read_text(encoding="utf-8")
NUMBERS = json.loads((DOCS / "the-game-solved.json").read_text(encoding="utf-8"))
SETS = NUMBERS["rules"]
COTTON = SETS["cotton"]


@pytest.fixture(scope="module")
def page() -> Iterator[ModuleType]:
    """The module of the script that writes the page."""
    sys.path.insert(0, str(ROOT / "examples" / "the_game_solved"))
    yield importlib.import_module("page")
    sys.path.pop(0)


def at(rules: dict, eldest: int, dealer: int) -> dict:
    [found] = [e for e in rules["scores"] if (e["eldest"], e["dealer"]) == (eldest, dealer)]
    return found


def test_the_page_is_what_its_template_says_of_the_numbers(page: ModuleType) -> None:
    template = Template(page.TEMPLATE.read_text(encoding="utf-8"))
    fields = page.fields(NUMBERS)
    assert template.substitute(fields) == PAGE
    of_every_set = {name for rules in SETS.values() for name in page.facts(rules)}
    # Nothing is worked out for nobody.
    assert set(template.get_identifiers()) >= set(fields) - of_every_set


def test_the_numbers_are_kept_in_the_order_and_form_of_the_script(page: ModuleType) -> None:
    text = (DOCS / "the-game-solved.json").read_text(encoding="utf-8")
    assert page.as_json(NUMBERS | {"rules": page.ordered(SETS)}) == text


def test_every_picture_of_the_page_is_there_and_shows_these_numbers() -> None:
    names = re.findall(r"\]\((pictures/.+?\.svg)\)", PAGE)
    drawn = {f"pictures/{path.name}" for path in (DOCS / "pictures").glob("*.svg")}
    assert drawn >= set(names)
    assert len(names) >= 5
    values = (DOCS / "pictures" / "values.svg").read_text(encoding="utf-8")
    for score in COTTON["scores"]:
        assert f">{50 * (score['low'] + score['high']):.1f}<" in values
    skill = (DOCS / "pictures" / "skill.svg").read_text(encoding="utf-8")
    for rules in SETS.values():
        assert all(f">{100 * share:.1f}<" in skill for share in rules["against"].values())
        assert f">{rules['rules']}<" in skill


@pytest.mark.parametrize("name", SETS)
def test_a_rule_set_is_still_the_one_that_was_solved(name: str) -> None:
    rules = find_ruleset(name)
    assert SETS[name]["fingerprint"] == rules.fingerprint()
    assert SETS[name]["target"] == rules.target
    assert len(SETS[name]["scores"]) == rules.target**2


@pytest.mark.parametrize("name", SETS)
def test_the_numbers_of_a_rule_set_agree_with_each_other(name: str) -> None:
    rules = SETS[name]
    for score in rules["scores"]:
        assert 0 <= score["low"] <= score["high"] <= 1
    game = rules["game"]
    assert game["hands"] == pytest.approx(sum(e["hands"] for e in rules["scores"]), abs=1e-4)
    for key in ("puts", "bluffs", "seen", "throws"):
        total = sum(e["hands"] * e[key] for e in rules["scores"])
        assert game["hands"] * game[key] == pytest.approx(total, abs=1e-4)
        start = sum(place[key] for place in rules["start"])
        assert rules["scores"][0][key] == pytest.approx(start, abs=1e-4)
    assert game["seen"] <= game["puts"]
    assert sum(rules["opening"]["dealt"]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("score", "low", "high"), [((4, 4), 0.44791, 0.44804), ((4, 2), 0.69288, 0.69303)]
)
def test_values_of_cotton_are_those_computed_elsewhere(
    score: tuple[int, int], low: float, high: float
) -> None:
    found = at(COTTON, *score)
    assert found["low"] <= high + 5e-6
    assert found["high"] >= low - 5e-6
    assert found["high"] - found["low"] < 5e-4


def test_chances_of_two_built_ins_are_those_computed_elsewhere() -> None:
    field = COTTON["field"]
    assert 1 - field["random highest"] == pytest.approx(0.448918, abs=1e-6)
    assert 1 - field["highest thrifty"] == pytest.approx(0.674052, abs=1e-6)


def test_a_put_means_nothing_where_somebody_is_a_point_short() -> None:
    widest = max(score["high"] - score["low"] for score in COTTON["scores"])
    assert 0 <= COTTON["short"]["own_gain"] < widest
    assert 0 <= COTTON["short"]["their_cost"] < widest


def test_pigott_is_worth_what_cotton_is() -> None:
    carried = NUMBERS["carried"]
    assert carried["rules"] == "pigott"
    for known, there in zip(COTTON["scores"], carried["scores"], strict=True):
        assert (known["eldest"], known["dealer"]) == (there["eldest"], there["dealer"])
        assert there["low"] <= known["high"]
        assert there["high"] >= known["low"]
        assert there["high"] - there["low"] < 0.003


def test_nobody_beats_the_solution() -> None:
    for rules in SETS.values():
        gap = rules["scores"][0]["high"] - rules["scores"][0]["low"]
        assert all(share > 0.5 - gap for share in rules["against"].values())

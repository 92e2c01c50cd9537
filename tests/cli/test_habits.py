"""`put habits`: tables that fit, numbers of the log, and one line where there is nothing."""

import json
from pathlib import Path

import pytest

from put_cli.tournament.outcome import rate
from tests.cli.conftest import Put
from tests.tournament.runs import play_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("habits")
    play_run(folder / "run", "odds", "bold", "timid", games=60)
    return folder / "run"


def table(text: str, name: str) -> dict[str, list[str]]:
    """The rows of the table above the note that begins with its name."""
    above = text.split(f"\n{name}: ")[0].split("\n\n")[-1]
    return {row.split()[0]: row.split()[1:] for row in above.splitlines()}


def test_the_tables_fit_and_say_what_the_standings_say(put: Put, run: Path) -> None:
    told = put("habits", str(run)).out
    assert all(len(line) <= 80 for line in told.splitlines())
    puts, hands = table(told, "puts"), table(told, "hands")
    for line in rate(run).strategies:
        assert puts[line.name][0] == f"{100 * (line.puts_per_hand or 0):.1f}"
        assert hands[line.name][0] == f"{line.hands:,}"
        assert hands[line.name][1] == f"{line.hands / line.games:.2f}"
    for name in ("places", "puts by strength", "throws by strength", "puts by own score"):
        assert set(table(told, name)) >= {"odds", "bold", "timid"}


def test_the_counts_are_printed_as_json(put: Put, run: Path) -> None:
    plain = json.loads(put("habits", str(run), "--json", "--strategy", "bold").out)
    (bold,) = plain["strategies"]
    line = next(line for line in rate(run).strategies if line.name == "bold")
    assert bold["hands"] == sum(bold["hands_by_strength"]) == line.hands
    assert sum(map(sum, bold["puts_by_chance"])) == round((line.puts_per_hand or 0) * line.hands)
    assert len(plain["strengths"]) == len(bold["throws_by_strength"]) == 10


@pytest.mark.parametrize("rules", ["plain", "truc", "three-handed", "four-handed(misdeals=0.2)"])
def test_every_family_has_habits(put: Put, tmp_path: Path, rules: str) -> None:
    play_run(tmp_path / "run", "odds", "bold", "random", rules=rules, games=6)
    result = put("habits", str(tmp_path / "run"))
    assert result.code == 0
    assert "first trick: " in result.out
    assert "nan" not in result.out
    assert ("bluff" in result.out) == (rules not in ("plain", "three-handed"))


def test_without_hands_or_with_another_name_it_says_what_was_expected(
    put: Put, run: Path, tmp_path: Path
) -> None:
    play_run(tmp_path / "run", "odds", "bold", games=4, log="games")
    result = put("habits", str(tmp_path / "run"))
    assert (result.code, result.out) == (2, "")
    assert "expected a run that logged its hands" in result.err
    result = put("habits", str(run), "--strategy", "bald")
    assert (result.code, result.out) == (2, "")
    assert "Did you mean 'bold'?" in result.err

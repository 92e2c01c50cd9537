"""put exact against enumeration card by card, and against figures known from elsewhere."""

import pytest

from put_cli.engine.players import INTERPRETED, NATIVE, Contestant, enlist
from put_cli.errors import UsageError
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset
from put_cli.solve.exact import exactly
from put_cli.solve.players import NotPlayable
from put_cli.solve.room import room
from put_cli.strategy import Strategy, View
from tests.solve.by_hand import chance
from tests.solve.field import Fickle, Steady


def as_written(strategy: Strategy) -> Contestant:
    return Contestant(type(strategy).__name__, strategy, INTERPRETED)


@pytest.mark.parametrize("rules_text", ["cotton", "hoyle", "parlett"])
def test_chances_are_those_of_dealing_every_card_in_turn(rules_text: str) -> None:
    rules = find_ruleset(f"{rules_text}(pack=tiny,target=2)")
    expected = chance(rules, Steady(), Fickle())
    with room(rules, classes=False, threads=1) as (chain, board):
        found = exactly(chain, board, as_written(Steady()), as_written(Fickle()))
    assert (found.wins_as_eldest, found.wins_as_dealer) == pytest.approx(expected, abs=1e-12)


def test_compiled_and_interpreted_players_have_the_same_chances() -> None:
    rules = find_ruleset("cotton(pack=tiny,target=3)")
    native = [enlist(type(s).__name__, s, DiskStore(), NATIVE) for s in (Steady(), Fickle())]
    with room(rules, classes=False, threads=2) as (chain, board):
        compiled = exactly(chain, board, *native)
        written = exactly(chain, board, as_written(Steady()), as_written(Fickle()))
    assert compiled.wins == pytest.approx(written.wins, abs=1e-12)
    assert compiled.hands == pytest.approx(written.hands, abs=1e-9)
    assert compiled.puts == pytest.approx(written.puts, abs=1e-12)


def test_the_two_sides_chances_add_up_and_nobody_beats_himself() -> None:
    rules = find_ruleset("cotton(pack=tiny,target=3)")
    a, b = as_written(Steady()), as_written(Fickle())
    with room(rules, classes=False, threads=1) as (chain, board):
        forth, back, same = (exactly(chain, board, *pair) for pair in ((a, b), (b, a), (a, a)))
    assert forth.wins + back.wins == pytest.approx(1, abs=1e-12)
    assert forth.wins_as_eldest + back.wins_as_dealer == pytest.approx(1, abs=1e-12)
    assert same.wins == pytest.approx(0.5, abs=1e-12)


def test_a_strategy_with_a_memory_is_refused() -> None:
    class Rememberer(Steady):
        memory = True

    rules = find_ruleset("cotton(pack=tiny)")
    with (
        room(rules, classes=False, threads=1) as (chain, board),
        pytest.raises(UsageError, match="reads the record"),
    ):
        exactly(chain, board, as_written(Rememberer()), as_written(Steady()))


def test_a_strategy_that_breaks_the_rules_has_no_chances() -> None:
    class Cheat(Strategy):
        def act(self, view: View) -> int:
            return view.top

    rules = find_ruleset("cotton(pack=tiny)")
    with (
        room(rules, classes=False, threads=1) as (chain, board),
        pytest.raises(NotPlayable, match="Cheat"),
    ):
        exactly(chain, board, as_written(Cheat()), as_written(Steady()))


@pytest.mark.long
@pytest.mark.parametrize(
    ("a", "b", "wins"), [("highest", "random", 0.448918), ("thrifty", "highest", 0.674052)]
)
def test_chances_computed_elsewhere_are_met(a: str, b: str, wins: float) -> None:
    rules = find_ruleset("cotton")
    players = [enlist(text, load(text).strategy, DiskStore()) for text in (a, b)]
    with room(rules, classes=False) as (chain, board):
        assert exactly(chain, board, *players).wins == pytest.approx(wins, abs=1e-6)

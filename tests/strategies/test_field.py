"""All built-in strategies together: native, legal in every rule set, no two alike."""

from importlib.metadata import entry_points

import numpy as np
import pytest

from put_cli.engine import lanes as ln
from put_cli.engine.matches import Fixture
from put_cli.engine.play import play
from put_cli.engine.players import NATIVE, enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.rules.finding import BUILT_IN, find_ruleset

VARIANTS = (
    *(f"cotton(pack={pack})" for pack in ("short28", "short32", "truc32")),
    "cotton(misdeals=0.3)",
    "hoyle(partners=true, must_swap=true, misdeals=0.3)",
    "three-handed(misdeals=0.3)",
    "willughby(players=4)",
)
EVERY_METHOD = range(len(ln.METHODS))


@pytest.fixture(scope="module")
def field():
    points = entry_points(group="put.strategies")
    built_in = {p.name: p.load() for p in points if p.value.startswith("put_strategies.")}
    built_in = {name: each for name, each in built_in.items() if each.game == "put"}
    assert len(built_in) >= 12
    return [
        enlist(name, strategy(), DiskStore(), methods=EVERY_METHOD)
        for name, strategy in sorted(built_in.items())
    ]


def round_robin(field, rules, games=4):
    """Everybody against everybody; with three and more players every neighbourhood of the field."""
    tables = compile_rules(find_ruleset(rules))
    n, everybody = tables.rules.players, range(len(field))
    seatings = [(a, b) for b in everybody for a in range(b)]
    if n > 2:
        seatings = [
            tuple((first + step * each) % len(field) for each in range(n))
            for first in everybody
            for step in (1, 2, 3)
        ]
    fixtures = [
        Fixture(number, 0, mirror, games, seating)
        for number, seating in enumerate(seatings)
        for mirror in range(n)
    ]
    return play(tables, field, fixtures, seed=1)


def test_every_built_in_strategy_is_native(field):
    assert {player.name: player.why for player in field if player.tier != NATIVE} == {}
    assert all(set(player.native) == set(EVERY_METHOD) for player in field)


@pytest.mark.parametrize("rules", [*BUILT_IN, *VARIANTS])
def test_nobody_does_anything_illegal(field, rules):
    played = round_robin(field, rules)
    assert played.reasons == {}
    assert played.differences == []


def test_compiled_and_interpreted_they_play_the_same_games(field):
    plain = [enlist(p.name, p.strategy, DiskStore(), tier="interpreted") for p in field]
    for rules in ("cotton", "hoyle", "parlett", "four-handed(misdeals=0.3)", "three-handed"):
        native, interpreted = round_robin(field, rules, 2), round_robin(plain, rules, 2)
        assert np.array_equal(native.tallies, interpreted.tallies)


def test_no_two_strategies_are_twins(field):
    """Against the same opponent, at the same cards, no two come to the same figures."""
    opponent = next(i for i, player in enumerate(field) if player.name == "bold")
    others = [i for i in range(len(field)) if i != opponent]
    fixtures = [Fixture(i, 0, mirror, 100, (i, opponent)) for i in others for mirror in (0, 1)]
    tallies = play(compile_rules(find_ruleset("cotton")), field, fixtures, seed=1).tallies
    figures = {tuple(tallies[2 * k : 2 * k + 2].ravel()) for k in range(len(others))}
    assert len(figures) == len(others)


def test_those_who_calculate_beat_all_the_simple_ones_clearly(field):
    by_name = {player.name: i for i, player in enumerate(field)}
    pairs = [
        (by_name[strong], by_name[simple])
        for strong in ("odds", "sharper")
        for simple in ("random", "highest", "thrifty", "threshold")
    ]
    for rules in ("cotton", "hoyle", "truc"):
        fixtures = [Fixture(i, 0, 0, 200, (a, b)) for i, (a, b) in enumerate(pairs)]
        played = play(compile_rules(find_ruleset(rules)), field, fixtures, seed=1)
        won = played.tallies[:, ln.T_WINS]  # of chair 0
        assert won.min() > 130, rules

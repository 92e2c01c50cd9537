"""All built-in strategies together: native, legal in every rule set, no two alike."""

from importlib.metadata import entry_points

import numpy as np
import pytest

from put_cli.engine.compiled import NoStore
from put_cli.engine.play import Fixture, play
from put_cli.engine.players import NATIVE, enlist
from put_cli.engine.tables import compile_rules
from put_cli.rules.ruleset import BUILT_IN, find_ruleset

PACKS = [f"cotton(pack={pack})" for pack in ("short28", "short32", "truc32")]


@pytest.fixture(scope="module")
def field():
    points = entry_points(group="put.strategies")
    built_in = {p.name: p.load() for p in points if p.value.startswith("put_strategies.")}
    assert len(built_in) >= 12
    return [enlist(name, strategy(), NoStore()) for name, strategy in sorted(built_in.items())]


def round_robin(field, rules, games=4):
    pairs = [(a, b) for b in range(len(field)) for a in range(b)]
    fixtures = [
        Fixture(number, 0, mirror, games, (a, b))
        for number, (a, b) in enumerate(pairs)
        for mirror in (0, 1)
    ]
    return play(compile_rules(find_ruleset(rules)), field, fixtures, seed=1)


def test_every_built_in_strategy_is_native(field):
    assert {player.name: player.why for player in field if player.tier != NATIVE} == {}


@pytest.mark.parametrize("rules", [*BUILT_IN, *PACKS])
def test_nobody_does_anything_illegal(field, rules):
    played = round_robin(field, rules)
    assert played.reasons == {}
    assert played.differences == []


def test_compiled_and_interpreted_they_play_the_same_games(field):
    plain = [enlist(p.name, p.strategy, NoStore(), tier="interpreted") for p in field]
    for rules in ("cotton", "hoyle", "parlett"):
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
        won = played.tallies[:, 1]  # wins of chair 0
        assert won.min() > 130, rules

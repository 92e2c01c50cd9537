"""The solution of cotton that comes with the program, as a player among the others."""

from pathlib import Path

import numpy as np
import pytest

from put_cli.engine import lanes as ln
from put_cli.engine.matches import Fixture
from put_cli.engine.play import play
from put_cli.engine.players import NATIVE, Contestant, enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load, load_all, playing_others
from put_cli.rules.finding import find_ruleset
from put_cli.solve import policy_file
from put_cli.solve.advice import shipped_solutions
from put_cli.solve.chain import chain_of
from put_cli.solve.exact import exactly
from put_cli.solve.room import room
from put_cli.solve.tree import grow

MEGABYTES_SHIPPED = 20


@pytest.fixture(scope="module")
def guarantee() -> float:
    """What it wins at least, whoever the other is, the first deal being cut for."""
    chain = chain_of(grow(find_ruleset("cotton")))
    low, high = policy_file.read_values(shipped(), chain)
    return float((low[0] + 1 - high[0]) / 2)


def shipped() -> Path:
    return shipped_solutions() / "cotton.policy"


def enlisted(name: str) -> Contestant:
    return enlist(name, load(name).strategy, DiskStore(), NATIVE)


def test_it_comes_with_the_program_and_is_small() -> None:
    assert shipped().stat().st_size < MEGABYTES_SHIPPED << 20
    facts = policy_file.facts_of(shipped())
    assert facts["whole"]
    assert facts["fingerprint"] == find_ruleset("cotton").fingerprint()


def test_it_is_in_the_field_where_it_plays_the_rules_and_nowhere_else() -> None:
    for name in ("cotton", "pigott"):
        found, left_out = load_all((), rules=find_ruleset(name))
        assert "equilibrium" in [each.name for each in found]
        assert left_out == []
        assert "equilibrium" not in playing_others(find_ruleset(name))[1]
    for name in ("hoyle", "cotton(target=7)", "cotton(misdeals=0.1)", "four-handed"):
        found, left_out = load_all((), rules=find_ruleset(name))
        assert "equilibrium" not in [each.name for each in found]
        assert left_out == []
        assert playing_others(find_ruleset(name))[1] == ["equilibrium"]


@pytest.mark.long
@pytest.mark.parametrize("rules", ["cotton", "pigott"])
def test_it_beats_or_ties_every_other_built_in_strategy(rules: str, guarantee: float) -> None:
    loaded, _ = load_all((), rules=find_ruleset(rules))
    field = [enlisted(each.name) for each in loaded]
    me = next(n for n, player in enumerate(field) if player.name == "equilibrium")
    others = [n for n in range(len(field)) if n != me]
    blocks, games = 40, 100
    fixtures = [
        Fixture(number, block, mirror, games, (me, other))
        for number, other in enumerate(others)
        for block in range(blocks)
        for mirror in (0, 1)
    ]
    tallies = play(compile_rules(find_ruleset(rules)), field, fixtures, seed=7).tallies
    won = tallies[:, ln.T_WINS].reshape(len(others), -1).sum(axis=1)
    played = 2 * blocks * games
    least = played * guarantee - 4 * np.sqrt(played / 4)
    assert {field[o].name: int(w) for o, w in zip(others, won, strict=True) if w < least} == {}


@pytest.mark.long
def test_its_exact_chance_is_at_least_what_it_guarantees(guarantee: float) -> None:
    assert guarantee > 0.4995
    with room(find_ruleset("cotton"), classes=False) as (chain, board):
        result = exactly(chain, board, enlisted("equilibrium"), enlisted("odds"))
    assert result.wins > guarantee - 1e-9

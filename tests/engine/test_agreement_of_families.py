"""Partners, three and more players and the Laws of Put: the kernel plays by the machine, too."""

from functools import cache

import pytest

from put_cli.engine.matches import Fixture, Played
from put_cli.engine.play import play
from put_cli.engine.players import NATIVE, Contestant, enlist
from put_cli.engine.tables import Tables, compile_rules
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import Misdeal
from tests.engine.field import STORE
from tests.engine.replay import Anything, Replay

HANDS = 6_000
GAMES = (
    "four-handed",
    "hoyle(partners=true)",
    "enquire(partners=true, must_swap=true)",
    "cotton(partners=true, dealer_gift=required)",
    "parlett(partners=true)",
    "truc(partners=true)",
    "three-handed",
    "plain(players=3)",
    "willughby(players=4, pack=short28)",
    "three-handed(players=5)",
    "cotton(misdeals=0.3)",
    "hoyle(misdeals=0.3)",
    "enquire(misdeals=0.3)",
    "truc(misdeals=0.3)",
    "four-handed(misdeals=0.3)",
    "three-handed(misdeals=0.3)",
    "cotton(players=6)",
    "cotton(players=4, misdeals=0.5)",
)


@cache
def anybody(methods: tuple[int, ...]) -> list[Contestant]:
    """Seven players that do anything allowed."""
    made = [enlist(f"p{n}", Anything(), STORE, methods=methods) for n in range(7)]
    assert all(each.tier == NATIVE and set(each.native) == set(methods) for each in made)
    return made


@cache
def tables_of(rules: str) -> Tables:
    """The compiled rule set."""
    return compile_rules(find_ruleset(rules))


def at_least(hands: int, rules: str) -> Played:
    """So many hands of random play, every strategy in every chair."""
    tables, games = tables_of(rules), 20
    n = tables.rules.players
    while True:
        fixtures = [
            Fixture(0, block, mirror, games, tuple(range(block, n + block)))
            for block in range(2)
            for mirror in range(n)
        ]
        played = play(tables, anybody(tables.methods), fixtures, seed=11)
        if played.words.size >= hands:
            return played
        games *= 1 + hands // played.words.size


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_machine_and_kernel_agree_on_every_act(rules: str) -> None:
    replay = Replay(tables_of(rules))
    assert replay.check(at_least(HANDS, rules)) >= HANDS
    assert {"tricks", "drawn"} <= set(replay.endings)
    assert ("thrown" in replay.endings) == (not rules.startswith("plain"))
    misdeals = replay.rules.misdeals > 0
    assert ("redealt" in replay.endings) == misdeals
    if misdeals:
        assert {kind for kind, _ in replay.misdeals} == set(Misdeal) - {Misdeal.NONE}
    if replay.rules.players == 2:  # of more, hardly anybody gets near enough to the target
        assert ("awarded" in replay.endings) == misdeals

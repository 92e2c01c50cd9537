"""The hands buffer fills up in the middle of things and nothing is lost or overrun."""

import numpy as np
import pytest

from put_cli import Player, Strategy
from put_cli.engine import lanes as ln
from put_cli.engine import matches
from put_cli.engine.compiled import NoStore
from put_cli.engine.matches import Buffers, Fixture
from put_cli.engine.play import play
from put_cli.engine.players import INTERPRETED, LEARNING, enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset


class Learner(Strategy):
    """Plays like thrifty and listens."""

    def begin_match(self, match):
        return Pupil()


class Pupil(Player):
    def act(self, view):
        return load("thrifty").strategy.act(view)


def hands_of(players, games, capacity, monkeypatch):
    monkeypatch.setattr(matches, "FIRST_CAPACITY", capacity)
    fixtures = [Fixture(0, block, m, games, (0, 1)) for block in range(40) for m in (0, 1)]
    played = play(
        compile_rules(find_ruleset("cotton")), players, fixtures, seed=3, buffers=Buffers()
    )
    assert played.keys.shape[1] == played.tallies[:, ln.T_HANDS].sum()
    return np.concatenate([played.keys, played.hands, played.words[None]])


@pytest.mark.parametrize("games", [1, 5])
@pytest.mark.parametrize("capacity", [1, 2, 7, 64])
def test_a_full_buffer_in_the_middle_of_interpreted_matches_loses_nothing(
    games, capacity, monkeypatch
):
    players = [enlist(n, load(n).strategy, NoStore(), INTERPRETED) for n in ("random", "bold")]
    whole = hands_of(players, games, 50_000, monkeypatch)
    assert np.array_equal(hands_of(players, games, capacity, monkeypatch), whole)


def test_a_full_buffer_while_learning_players_are_told_loses_nothing(monkeypatch):
    players = [
        enlist("learner", Learner(), NoStore()),
        enlist("random", load("random").strategy, NoStore(), INTERPRETED),
    ]
    assert players[0].tier == LEARNING
    whole = hands_of(players, 3, 50_000, monkeypatch)
    assert np.array_equal(hands_of(players, 3, 3, monkeypatch), whole)

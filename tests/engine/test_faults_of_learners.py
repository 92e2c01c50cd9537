"""A learning player that fails to begin, to decide or to hear loses games and stops nothing."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from put_cli import HandRecord, Match, Player, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.matches import Played
from put_cli.engine.players import LEARNING
from tests.engine.faulty import (
    BAD_LUCK,
    GAMES,
    Fine,
    assert_only_the_fault_is_punished,
    fine,
    games_of,
)


class Pupil(Player):
    """Plays like `fine`; subclasses fail somewhere."""

    def act(self, view: View) -> int:
        return fine(view)


class FailsToAct(Pupil):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise ValueError("no idea")
        return fine(view)


class FailsToHear(Pupil):
    """Breaks down after the first hand of a match."""

    def hand_over(self, record: HandRecord) -> None:
        raise KeyError("lost the notebook")


@dataclass(frozen=True)
class School(Strategy):
    """Begins a match with a pupil, or not at all."""

    pupil: Any = None
    error: Any = None

    def begin_match(self, match: Match) -> Any:
        if self.error is not None:
            raise self.error
        return self.pupil


def test_a_learning_player_that_fails_a_decision_loses_that_game(spotless: Played) -> None:
    result = games_of(School(FailsToAct()), LEARNING)
    assert_only_the_fault_is_punished(result, "raised", "raised ValueError: no idea", spotless)


def test_a_learning_player_that_cannot_hear_loses_the_games_it_has_still_to_decide(
    spotless: Played,
) -> None:
    result = games_of(School(FailsToHear()), LEARNING)
    assert set(result.reasons.values()) == {"raised KeyError: 'lost the notebook'"}
    first = result.hands[:, (result.keys[1] == 0) & (result.keys[2] == 0)]
    assert (first[ln.HAND_COLUMNS.index("forfeit")] == 0).all()
    assert np.array_equal(
        first, spotless.hands[:, (spotless.keys[1] == 0) & (spotless.keys[2] == 0)]
    )
    lost = result.games[GAMES("fault_kind")].reshape(len(result.fixtures), -1) > 0
    assert lost[:, 1:].all()


@pytest.mark.parametrize("error", [ValueError("not today"), SystemExit("bye")], ids=repr)
def test_a_learning_player_that_cannot_begin_loses_its_games(error: BaseException) -> None:
    result = games_of(School(error=error), LEARNING)
    assert set(result.reasons.values()) == {f"raised {type(error).__name__}: {error}"}
    assert len(result.reasons) == result.games.shape[1]


@pytest.mark.parametrize("pupil", [None, 7, Fine])
def test_begin_match_that_returns_no_player_costs_the_games_and_not_the_run(pupil: Any) -> None:
    result = games_of(School(pupil), LEARNING)
    assert len(result.reasons) == result.games.shape[1]
    if pupil != Fine:
        assert result.reasons[0] == f"begin_match returned {pupil}, which is no Player"

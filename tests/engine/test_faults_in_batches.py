"""A fault among decisions that are made many at a time costs only the game it was made in."""

import sys
from typing import Any

import numpy as np
import pytest

from put_cli import SEE, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.matches import Played
from put_cli.engine.players import BATCH
from tests.engine.faulty import (
    BAD_LUCK,
    GAMES,
    assert_only_the_fault_is_punished,
    games_of,
)


class Batch(Strategy):
    """Answers like `fine`, many at a time; subclasses spoil it."""

    def act_batch(self, views: View) -> Any:
        return self.spoil(np.where(views.asked, SEE, views.highest), views.luck > BAD_LUCK)

    def spoil(self, answers: Any, bad: Any) -> Any:
        return answers


class RaisesForOne(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        if bad.any():
            raise ValueError(f"cannot answer {int(bad.sum())} of {len(bad)}")
        return answers


class IllegalForOne(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return np.where(bad, 0, answers)


class Unheld(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return np.where(bad, 55, answers)


class FloatForOne(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return [3.5 if wrong else int(answer) for answer, wrong in zip(answers, bad, strict=True)]


class HugeForOne(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return [10**30 if wrong else int(a) for a, wrong in zip(answers, bad, strict=True)]


class OneShort(Batch):
    """Returns too few answers, which is put down to the decisions that were asked badly."""

    def spoil(self, answers: Any, bad: Any) -> Any:
        return answers[:-1] if bad.any() else answers


class OneTooMany(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return np.append(answers, 1) if bad.any() else answers


class ReturnsNothing(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return None if bad.any() else answers


class ExitsForOne(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        if bad.any():
            sys.exit("enough")
        return answers


@pytest.mark.parametrize(
    ("strategy", "kind", "reason"),
    [
        (RaisesForOne(), "raised", "raised ValueError: cannot answer 1 of 1"),
        (IllegalForOne(), "illegal", "returned 0 where "),
        (Unheld(), "illegal", "returned 55 where "),
        (FloatForOne(), "nonsense", "returned 3.5, which is not an action"),
        (HugeForOne(), "illegal", f"returned {10**30} where "),
        (OneShort(), "raised", "raised ValueError: act_batch returned 0 actions for 1 decisions"),
        (OneTooMany(), "raised", "raised ValueError: act_batch returned 2 actions for 1 decisions"),
        (ReturnsNothing(), "raised", "raised TypeError: "),
        (ExitsForOne(), "raised", "raised SystemExit: enough"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_batch_that_fails_costs_only_the_games_whose_decisions_fail(
    spotless: Played, strategy: Strategy, kind: str, reason: str
) -> None:
    result = games_of(strategy, BATCH)
    assert_only_the_fault_is_punished(result, kind, reason, spotless)


class WholeFloats(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return answers.astype(float)


class Column(Batch):
    """Returns arrays of one number, and not numbers."""

    def spoil(self, answers: Any, bad: Any) -> Any:
        return answers.reshape(-1, 1)


@pytest.mark.parametrize(
    "strategy", [WholeFloats(), Column()], ids=lambda each: type(each).__name__
)
def test_a_batch_of_what_is_no_integer_costs_every_game_it_decides(strategy: Strategy) -> None:
    result = games_of(strategy, BATCH)
    assert len(result.reasons) == result.games.shape[1]
    assert {ln.FAULT_KINDS[kind] for kind in result.games[GAMES("fault_kind")]} == {"nonsense"}
    assert all(reason.endswith("which is not an action") for reason in result.reasons.values())

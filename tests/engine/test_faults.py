"""A player's fault, of whatever kind and in whatever tier, costs that player that game: no more."""

import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from put_cli import PUT, SEE, THROW, HandRecord, Match, Player, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.compiled import NoStore
from put_cli.engine.play import Played
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING, NATIVE, enlist
from tests.engine.field import enlisted, mirrored, played

GAMES = ln.GAME_COLUMNS.index
BAD_LUCK = 0.93  # above it, the faulty strategies below commit their fault


def fine(view: View) -> int:
    """What the faulty strategies do the rest of the time."""
    if view.asked:
        return SEE
    return view.highest


class Fine(Strategy):
    """Commits no fault."""

    def act(self, view: View) -> int:
        return fine(view)


class Divides(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return 1 // (view.trick - view.trick)
        return fine(view)


class Overruns(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.cards[view.trick + 2]
        return fine(view)


TABLE = np.array([1, 2, 3])


def looked_up(place: int) -> int:
    return TABLE[place]


class OverrunsAnArray(Strategy):
    """Compiled without a check, this would read whatever lies behind the array."""

    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.highest + 0 * TABLE[view.trick + 2]
        return fine(view)


class OverrunsInAHelper(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.highest + 0 * looked_up(view.trick + 2)
        return fine(view)


class OverrunsInAMethod(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            return view.highest + 0 * self.looked_up(view.trick + 2)
        return fine(view)

    def looked_up(self, place: int) -> int:
        return TABLE[place]


class Raises(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise ValueError("no idea")
        return fine(view)


class Asserts(Strategy):
    """As a failing `assert` does it; pytest rewrites those of a test."""

    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise AssertionError
        return fine(view)


class CardNotHeld(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            for card in range(1, view.top + 1):
                if card not in view.cards:
                    return card
        return fine(view)


class SeesUnasked(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.luck > BAD_LUCK and not view.asked else fine(view)


class ThrowsUnasked(Strategy):
    def act(self, view: View) -> int:
        return THROW if view.luck > BAD_LUCK and not view.may_throw else fine(view)


class PutsAtAnAnswer(Strategy):
    def act(self, view: View) -> int:
        return PUT if view.luck > BAD_LUCK and not view.may_put else fine(view)


class Nothing(Strategy):
    def act(self, view: View) -> int:
        return 0 if view.luck > BAD_LUCK else fine(view)


class Negative(Strategy):
    def act(self, view: View) -> int:
        return -3 if view.luck > BAD_LUCK else fine(view)


class MinusOne(Strategy):
    """What compiled code returns for an exception, returned by an author."""

    def act(self, view: View) -> int:
        return -1 if view.luck > BAD_LUCK else fine(view)


class Smallest(Strategy):
    def act(self, view: View) -> int:
        return -(2**63) if view.luck > BAD_LUCK else fine(view)


class Large(Strategy):
    def act(self, view: View) -> int:
        return 2**62 if view.luck > BAD_LUCK else fine(view)


COMPILED = (
    (Divides(), "raised", "raised ZeroDivisionError: "),
    (Overruns(), "raised", "raised IndexError: "),
    (OverrunsAnArray(), "raised", "raised IndexError: "),
    (OverrunsInAHelper(), "raised", "raised IndexError: "),
    (OverrunsInAMethod(), "raised", "raised IndexError: "),
    (Raises(), "raised", "raised ValueError: no idea"),
    (Asserts(), "raised", "raised AssertionError"),
    (CardNotHeld(), "illegal", "returned "),
    (SeesUnasked(), "illegal", "returned SEE where "),
    (ThrowsUnasked(), "illegal", "returned THROW where "),
    (PutsAtAnAnswer(), "illegal", "returned PUT where "),
    (Nothing(), "illegal", "returned 0 where "),
    (Negative(), "illegal", "returned -3 where "),
    (MinusOne(), "illegal", "returned -1 where "),
    (Smallest(), "illegal", f"returned {-(2**63)} where "),
    (Large(), "illegal", f"returned {2**62} where "),
)


@dataclass(frozen=True)
class Returns(Strategy):
    """Returns a nonsensical value; never compiled."""

    value: Any = None

    def act(self, view: View) -> int:
        return self.value if view.luck > BAD_LUCK else fine(view)


class Exits(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            sys.exit(3)
        return fine(view)


class Recurses(Strategy):
    def act(self, view: View) -> int:
        return self.act(view) if view.luck > BAD_LUCK else fine(view)


class RunsDry(Strategy):
    """Raises what ends a loop, which must not end the asking of the others."""

    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            next(iter(()))
        return fine(view)


class OddError(Exception):
    def __str__(self) -> str:
        return "two\nlines " + "x" * 500


class RaisesOddly(Strategy):
    def act(self, view: View) -> int:
        if view.luck > BAD_LUCK:
            raise OddError
        return fine(view)


INTERPRETED_ONLY = (
    (Returns(3.7), "nonsense", "returned 3.7, which is not an action"),
    (Returns(None), "nonsense", "returned None, which is not an action"),
    (Returns("put"), "nonsense", "returned 'put', which is not an action"),
    (Returns((1, 2)), "nonsense", "returned (1, 2), which is not an action"),
    (Returns(10**30), "illegal", f"returned {10**30} where "),
    (Returns(-(10**30)), "illegal", f"returned {-(10**30)} where "),
    (Returns(np.int64(-5)), "illegal", "returned -5 where "),
    (Returns(False), "illegal", "returned 0 where "),
    (Returns(200), "illegal", "returned 200 where "),
    (Returns(999), "illegal", "returned 999 where "),
    (Returns("x" * 500), "nonsense", "returned 'xxx"),
    (Exits(), "raised", "raised SystemExit: 3"),
    (Recurses(), "raised", "raised RecursionError: "),
    (RunsDry(), "raised", "raised StopIteration"),
    (RaisesOddly(), "raised", "raised OddError: two lines xxx"),
)


def assert_only_the_fault_is_punished(
    result: Played, kind: str, reason: str, spotless: Played | None = None
) -> None:
    """The contestant 0 forfeited some games, each for the reason; all others were played out."""
    games = result.games
    faulty = np.flatnonzero(games[GAMES("fault_kind")] > 0)
    assert 0 < len(faulty) < games.shape[1]
    assert sorted(result.reasons) == faulty.tolist()
    match_games = result.fixtures[0].games
    for row in faulty.tolist():
        chair = result.fixtures[row // match_games].chairs.index(0)
        assert games[GAMES("fault_by"), row] == chair
        assert games[GAMES("winner"), row] == 1 - chair
        assert ln.HOW[games[GAMES("how"), row]] == "forfeit"
        assert ln.FAULT_KINDS[games[GAMES("fault_kind"), row]] == kind
        assert result.reasons[row].startswith(reason)
        assert "\n" not in result.reasons[row]
        assert len(result.reasons[row]) < 300
    clean = np.flatnonzero(games[GAMES("fault_kind")] == 0)
    assert (games[GAMES("fault_by"), clean] == 2).all()
    assert (games[GAMES("how"), clean] != ln.BY_FORFEIT).all()
    # The last hand of a forfeited game, and no other, ends by forfeit.
    forfeit = result.hands[ln.HAND_COLUMNS.index("forfeit")] > 0
    assert forfeit.sum() == len(faulty)
    assert (result.hands[ln.HAND_COLUMNS.index("game_over"), forfeit] == 1).all()
    assert (result.hands[13:15, forfeit] == 0).all()  # no points
    by_match = [0] * len(result.fixtures)
    for row in faulty.tolist():
        by_match[row // match_games] += 1
    for number, fixture in enumerate(result.fixtures):
        chair = fixture.chairs.index(0)
        assert result.tallies[number, ln.T_FAULTS + chair] == by_match[number]
        assert result.tallies[number, ln.T_FAULTS + 1 - chair] == 0
        assert result.tallies[number, ln.T_GAMES] == fixture.games
        assert result.tallies[number, 1:3].sum() == fixture.games
    if spotless is not None:
        assert np.array_equal(games[:, clean], spotless.games[:, clean])


@pytest.fixture(scope="module")
def spotless() -> Played:
    """The same games where the player commits no fault."""
    return games_of(Fine(), NATIVE)


def games_of(strategy: Strategy, tier: str) -> Played:
    """Games against a player that does anything; `fine` reads no luck, so the games compare."""
    player = enlist("own", strategy, NoStore(), tier)
    assert player.tier == tier, player.why
    return played([player, OPPONENT], mirrored(2, 30), seed=12)


OPPONENT = enlisted("random", "opponent")


@pytest.mark.parametrize(
    ("strategy", "kind", "reason"), COMPILED, ids=lambda each: type(each).__name__
)
def test_a_fault_of_code_that_compiles_costs_the_game(
    spotless: Played, strategy: Strategy, kind: str, reason: str
) -> None:
    native, slow = games_of(strategy, NATIVE), games_of(strategy, INTERPRETED)
    assert_only_the_fault_is_punished(native, kind, reason, spotless)
    assert not native.differences
    assert native.reasons == slow.reasons
    for name in ("keys", "hands", "words", "games", "tallies"):
        assert np.array_equal(getattr(native, name), getattr(slow, name)), name


@pytest.mark.parametrize(
    ("strategy", "kind", "reason"),
    INTERPRETED_ONLY,
    ids=lambda each: str(getattr(each, "value", type(each).__name__))[:30],
)
def test_nonsense_from_python_costs_the_game(
    spotless: Played, strategy: Strategy, kind: str, reason: str
) -> None:
    assert_only_the_fault_is_punished(games_of(strategy, INTERPRETED), kind, reason, spotless)


@dataclass(frozen=True)
class Counts(Strategy):
    """Notes the luck of every decision, and commits a fault at some."""

    fault: Any = None
    lucks: list[float] = field(default_factory=list)

    def act(self, view: View) -> Any:
        self.lucks.append(view.luck)
        if view.luck > BAD_LUCK and isinstance(self.fault, Exception):
            raise self.fault
        return self.fault if view.luck > BAD_LUCK else fine(view)


@pytest.mark.parametrize("fault", [ValueError("no idea"), None, 0, 200, 999], ids=repr)
def test_a_fault_among_many_decisions_has_none_of_them_taken_twice(fault: Any) -> None:
    own, other = Counts(fault), Counts(fault)
    result = played(
        [enlisted(own, "own", INTERPRETED), enlisted(other, "other", INTERPRETED)], mirrored(2, 30)
    )
    assert len(result.reasons) > 10
    for lucks in (own.lucks, other.lucks):
        assert len(set(lucks)) == len(lucks) > 100


@pytest.mark.parametrize("reply", [True, np.int8(1), np.uint64(1)])
def test_numbers_of_other_types_are_numbers(reply: Any) -> None:
    @dataclass(frozen=True)
    class Typed(Strategy):
        def act(self, view: View) -> Any:
            if view.asked:
                return np.uint8(SEE)
            return reply if view.lowest == 1 else np.int64(view.lowest)

    assert not games_of(Typed(), INTERPRETED).reasons


def test_reasons_say_what_would_have_been_legal() -> None:
    reasons = set(games_of(SeesUnasked(), NATIVE).reasons.values())
    assert any("PUT or a card of [" in reason for reason in reasons)
    reasons = set(games_of(PutsAtAnAnswer(), NATIVE).reasons.values())
    assert "returned PUT where SEE or THROW was legal" in reasons


# In batches.


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


class WrongShape(Batch):
    def spoil(self, answers: Any, bad: Any) -> Any:
        return answers.reshape(-1, 1) if bad.any() else answers


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
        (WrongShape(), "nonsense", "returned "),
        (ExitsForOne(), "raised", "raised SystemExit: enough"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_batch_that_fails_costs_only_the_games_whose_decisions_fail(
    spotless: Played, strategy: Strategy, kind: str, reason: str
) -> None:
    result = games_of(strategy, BATCH)
    assert_only_the_fault_is_punished(result, kind, reason, spotless)


def test_floats_that_are_whole_are_still_no_actions() -> None:
    class Floats(Batch):
        def spoil(self, answers: Any, bad: Any) -> Any:
            return answers.astype(float)

    result = games_of(Floats(), BATCH)
    assert len(result.reasons) == result.games.shape[1]
    assert ln.FAULT_KINDS[result.games[GAMES("fault_kind"), 0]] == "nonsense"


# Learning players.


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


# Both sides, and rubbers.


def test_when_both_players_fault_the_first_to_do_so_loses() -> None:
    field = [enlist("a", Raises(), NoStore()), enlist("b", CardNotHeld(), NoStore())]
    result = played(field, mirrored(2, 30))
    by = result.games[GAMES("fault_by")]
    assert {0, 1} <= set(by.tolist())
    faulty = by < 2
    assert (result.games[GAMES("winner"), faulty] == 1 - by[faulty]).all()


@pytest.mark.parametrize("rules", ["truc", "hoyle", "parlett"])
def test_a_forfeit_ends_the_whole_game_or_rubber_under_any_rules(rules: str) -> None:
    result = played([enlisted(Raises()), OPPONENT], mirrored(1, 40), rules=rules)
    faulty = result.games[GAMES("fault_by")] < 2
    assert faulty.any()
    hands = result.hands[:, result.hands[ln.HAND_COLUMNS.index("forfeit")] > 0]
    rubber = hands[ln.HAND_COLUMNS.index("rubber_over")] == 1
    assert rubber.all() if rules == "truc" else not rubber.any()


def test_ctrl_c_in_a_strategy_is_the_users_and_not_a_fault() -> None:
    class Interrupted(Strategy):
        def act(self, view: View) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        games_of(Interrupted(), INTERPRETED)

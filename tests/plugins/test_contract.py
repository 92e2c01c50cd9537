"""`check` and `assert_conforms`: what keeps the contract passes, every way to break it is named."""

import random
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

from put_cli import PUT, SEE, THROW, HandRecord, Match, Player, Strategy, View
from put_cli.plugins.contract import Report, assert_conforms, check, view_at
from put_cli.plugins.discovery import installed, load

SETS = ("cotton", "hoyle")


def checked(strategy: Strategy, rules: tuple[str, ...] = SETS) -> Report:
    """The report, without measuring."""
    return check(strategy, rules=rules, samples=3, measure=False)


def wrong(strategy: Strategy, rules: tuple[str, ...] = SETS) -> str:
    """The failures as text."""
    report = checked(strategy, rules)
    assert not report.ok
    return "\n".join(
        line for finding in report.findings if not finding.ok for line in finding.lines()
    )


def play_on(view: View) -> int:
    """A legal answer anywhere."""
    if view.asked:
        return SEE
    return view.lowest if view.may_play else THROW


@pytest.mark.parametrize("name", sorted({each.name for each in installed()}))
@pytest.mark.long
def test_the_built_in_strategies_keep_the_contract(name: str) -> None:
    assert_conforms(load(name).strategy, samples=1)


@dataclass(frozen=True)
class Good(Strategy):
    """Plays its lowest, puts with luck."""

    share: float = 0.2

    def act(self, view: View) -> int:
        if view.may_put and view.luck < self.share:
            return PUT
        return play_on(view)


def test_a_strategy_that_keeps_the_contract_passes_in_all_rule_sets() -> None:
    report = check(Good(), measure=False)
    assert report.ok
    assert report.tier == "native"
    assert "14 rule sets" in report.text()
    assert "share=0.2" in report.text()
    assert_conforms(Good(), rules=SETS, samples=1)


def test_speed_is_measured_in_every_tier_and_habits_are_counted() -> None:
    report = check(Good(), rules=["pigott"], samples=1)
    assert list(report.hands_per_second) == ["native", "interpreted"]
    assert min(report.hands_per_second.values()) > 0
    assert len(report.habits) == 4
    for habit in report.habits:
        assert habit.puts == pytest.approx(0.2, abs=0.1)
        assert (habit.sees, habit.throws) == (1.0, 0.0)
    assert "a hand like" in report.text()
    assert report.plain()["habits"][0]["sees"] == 1.0


class PlaysWhereItMustSpeak(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest


def test_a_card_where_a_word_is_forced_is_named_with_the_situation_and_a_way_to_repeat_it() -> None:
    assert checked(PlaysWhereItMustSpeak(), ("cotton",)).ok
    text = wrong(PlaysWhereItMustSpeak(), ("hoyle",))
    situation, again = text.splitlines()[1:3]
    assert situation.strip().startswith("hoyle, 0 to 0, eldest holding ")
    assert "where PUT or THROW was legal" in situation
    line = again.strip().removeprefix("again: ")
    with_it = {"view_at": view_at, "act": PlaysWhereItMustSpeak().act}
    assert f"returned {eval(line, with_it)} where" in situation


class Gives(Strategy):
    """Returns something from a class attribute where it leads."""

    what: ClassVar[Any] = 0

    def act(self, view: View) -> Any:
        return self.what if view.is_leader and not view.asked else play_on(view)


def gives(value: Any) -> Strategy:
    """A strategy that gives `value` on the lead."""
    made: Strategy = type("Gives", (Gives,), {"what": value, "__module__": __name__})()
    return made


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "it returned None, which is not an action"),
        (3.7, "it returned 3.7, which is not an action"),
        ("put", "it returned 'put', which is not an action"),
        (0, "it returned 0 where"),
        (-1, "it returned -1 where"),
        (2**80, "where PUT or a card of"),
        (SEE, "it returned SEE where PUT or a card of"),
    ],
)
def test_nonsense_is_named(value: Any, says: str) -> None:
    assert says in wrong(gives(value), ("cotton",))


class Raises(Strategy):
    def act(self, view: View) -> int:
        return view.lowest // view.ties if view.trick == 2 and view.may_play else play_on(view)


def test_an_exception_is_named() -> None:
    text = wrong(Raises())
    assert "it raised ZeroDivisionError: integer division or modulo by zero" in text
    assert "1 of" not in text
    assert "in " in text.splitlines()[0]


@dataclass(frozen=True)
class NeedsLevel(Strategy):
    level: int

    def act(self, view: View) -> int:
        return play_on(view)


@dataclass
class NotFrozen(Strategy):
    level: int = 3

    def act(self, view: View) -> int:
        return play_on(view)


@dataclass(frozen=True)
class WrongType(Strategy):
    level: int = 0.5  # type: ignore[assignment]

    def act(self, view: View) -> int:
        return play_on(view)


@dataclass(frozen=True)
class ListParameter(Strategy):
    levels: list[int] = field(default_factory=list)

    def act(self, view: View) -> int:
        return play_on(view)


class NoDataclass(Strategy):
    level: int = 3

    def act(self, view: View) -> int:
        return play_on(view)


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (NeedsLevel(3), "NeedsLevel() failed"),
        (NeedsLevel(3), "level needs a default"),
        (NotFrozen(), "write @dataclass(frozen=True)"),
        (WrongType(), "level is annotated int but defaults to 0.5, a float"),
        (ListParameter(), "levels needs a default of its own"),
        (NoDataclass(), "write @dataclass(frozen=True) for level"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_parameters_are_typed_and_have_defaults(strategy: Strategy, says: str) -> None:
    assert says in wrong(strategy, ("plain",))


def test_a_strategy_that_cannot_be_sent_to_a_worker_is_named() -> None:
    @dataclass(frozen=True)
    class Local(Strategy):
        def act(self, view: View) -> int:
            return play_on(view)

    assert "pickle failed" in wrong(Local(), ("plain",))


class Counts(Strategy):
    seen: ClassVar[list[int]] = []

    def act(self, view: View) -> int:
        self.seen.append(view.lowest)
        if view.asked:
            return SEE if len(self.seen) % 2 else THROW
        return play_on(view)


def test_a_decision_that_depends_on_earlier_ones_is_named() -> None:
    text = wrong(Counts())
    assert "FAIL it gives the same answer to the same view, in any order" in text
    assert "at first it gave" in text
    assert "a class attribute or something else it can reach is not what it was" in text


class HoldsState(Strategy):
    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: View) -> int:
        self.asked += 1
        return play_on(view)


def test_an_instance_that_changes_is_named() -> None:
    assert "what the instance holds is not what it was" in wrong(HoldsState(), ("plain",))


class Random(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE if random.random() < 0.5 else THROW
        return play_on(view)


class NumpyRandom(Strategy):
    def act(self, view: View) -> int:
        np.random.rand()
        return play_on(view)


@pytest.mark.parametrize(("strategy", "names"), [(Random(), "random"), (NumpyRandom(), "numpy")])
def test_chance_of_its_own_is_named(strategy: Strategy, names: str) -> None:
    text = wrong(strategy, ("cotton",))
    assert f"FAIL its only chance is view.luck\n     it uses {names}" in text


class ReadsRecord(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return THROW if view.their_puts > 3 else SEE
        return play_on(view)


class MayReadRecord(ReadsRecord):
    memory: ClassVar[bool] = True


def test_the_record_without_memory_is_named_with_its_line() -> None:
    text = wrong(ReadsRecord())
    assert "it reads view.their_puts at " in text
    assert f"test_contract.py:{ReadsRecord.act.__code__.co_firstlineno + 2}" in text
    assert checked(MayReadRecord()).ok


class Overflows(Strategy):
    """Python's integers have no end, the compiled ones have."""

    def act(self, view: View) -> int:
        mixed = view.lowest + 1
        for _ in range(20):
            mixed *= 1000003
        if view.asked:
            return SEE if mixed % 2 else THROW
        if view.may_put and mixed % 7 < 3:
            return PUT
        return play_on(view)


def test_tiers_that_disagree_are_named_with_the_hand() -> None:
    text = wrong(Overflows(), ("cotton",))
    assert "FAIL its games are the same in every tier (native and interpreted)" in text
    assert "cotton: native " in text
    assert "; interpreted " in text
    assert " is eldest, E " in text


class Batch(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest if view.may_play else THROW

    def act_batch(self, views: View) -> Any:
        return np.where(views.asked, SEE, np.where(views.may_play, views.lowest, THROW))


class BatchOnly(Strategy):
    act_batch = Batch.act_batch


class OtherBatch(Batch):
    def act_batch(self, views: View) -> Any:
        return np.where(views.asked, THROW, np.where(views.may_play, views.lowest, THROW))


class SizeMatters(Batch):
    def act_batch(self, views: View) -> Any:
        word = SEE if len(views.luck) > 10 else THROW
        return np.where(views.asked, word, np.where(views.may_play, views.lowest, THROW))


class SpoilsArrays(Batch):
    def act_batch(self, views: View) -> Any:
        actions = Batch.act_batch(self, views)
        views.luck[:] = 0.0
        return actions


def test_batches_are_tested_like_single_decisions() -> None:
    report = checked(Batch())
    assert report.ok
    assert "native and batch and interpreted" in report.text()
    only = checked(BatchOnly())
    assert only.ok
    assert only.tier == "batch"
    assert "act_batch and act agree" in wrong(OtherBatch())
    assert "in a batch of" in wrong(SizeMatters())
    assert "it changed one of them" in wrong(SpoilsArrays())


class Learner(Player):
    def __init__(self) -> None:
        self.puts = 0

    def act(self, view: View) -> int:
        if view.may_put and self.puts % 3 == 1:
            return PUT
        return play_on(view)

    def hand_over(self, record: HandRecord) -> None:
        self.puts += len(record.words)


class Learns(Strategy):
    def begin_match(self, match: Match) -> Player:
        return Learner()


class Forgets(Strategy):
    """Its players share one memory."""

    shared: ClassVar[Learner] = Learner()

    def begin_match(self, match: Match) -> Player:
        return self.shared


class Breaks(Learner):
    def hand_over(self, record: HandRecord) -> None:
        raise KeyError(record.hand)


class BreaksAfterAHand(Strategy):
    def begin_match(self, match: Match) -> Player:
        return Breaks()


def test_learning_players_are_tested_in_matches() -> None:
    report = checked(Learns())
    assert report.ok
    assert report.tier == "learning"
    assert report.why_not_native == (
        "It learns: it defines begin_match, and learning players are interpreted.",
    )
    assert "it plays the same matches the same" in wrong(Forgets())
    assert "it raised KeyError" in wrong(BreaksAfterAHand())


class HoyleOnly(PlaysWhereItMustSpeak):
    plays: ClassVar[tuple[str, ...]] = ("cotton", "truc(target=7)")


class Misspelt(HoyleOnly):
    plays: ClassVar[tuple[str, ...]] = ("coton",)


class Text(HoyleOnly):
    plays: ClassVar[Any] = "cotton"


def test_a_strategy_is_tested_in_the_rule_sets_it_says_it_plays() -> None:
    report = check(HoyleOnly(), samples=1, measure=False)
    assert report.ok
    assert "2 rule sets" in report.text()
    assert "Did you mean 'cotton'" in wrong(Misspelt(), ())
    assert 'write plays = ("cotton",)' in wrong(Text(), ())


class WhyNot(Strategy):
    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        if view.may_play:
            return max(card for card in view.cards)
        return THROW


def test_why_it_is_not_native_is_no_failure_but_told() -> None:
    report = checked(WhyNot())
    assert report.ok
    assert report.tier == "interpreted"
    assert "max([...])" in report.text()
    assert "It plays in the interpreted tier." in report.text()


def test_assert_conforms_fails_with_everything_that_is_wrong() -> None:
    with pytest.raises(AssertionError, match="does not keep the contract") as failure:
        assert_conforms(Counts(), rules=SETS, samples=1)
    assert "ok  " not in str(failure.value)

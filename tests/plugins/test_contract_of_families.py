"""The contract beyond two-handed play: gifts, cards laid out, misdeals, and three at a table."""

from typing import Any, ClassVar

import numpy as np
import pytest

from put_cli.engine.lanes import METHODS
from put_cli.engine.players import NATIVE, Contestant, enlist
from put_cli.plugins import trials
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.contract import EVERYWHERE, Report, check, view_at
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import (
    DRAW,
    GIVE,
    KEEP,
    PUT,
    RECEIVE,
    SEE,
    STAND,
    THROW,
    Match,
    Player,
    Strategy,
    View,
)

FAMILIES = ("four-handed(misdeals=0.5)", "four-handed(must_swap=true)", "three-handed")


def checked(strategy: Strategy, *rules: str) -> Report:
    """The report, without measuring."""
    return check(strategy, rules=rules or FAMILIES, samples=2, measure=False)


def wrong(strategy: Strategy, *rules: str) -> str:
    """The failures as text."""
    report = checked(strategy, *rules)
    assert not report.ok
    return "\n".join(
        line for finding in report.findings if not finding.ok for line in finding.lines()
    )


class Fine(Strategy):
    """Decides everything itself, and legally."""

    def act(self, view: View) -> int:
        return SEE if view.asked else view.highest

    def gift(self, view: View) -> int:
        if view.luck < 0.4:
            return GIVE
        return KEEP if view.may_keep and view.luck > 0.8 else RECEIVE

    def lay_out(self, view: View) -> int:
        return view.cards[2] if view.must_swap else view.fourth

    def misdeal(self, view: View) -> int:
        return STAND if view.misdeal == 1 else DRAW


def test_a_strategy_that_decides_everything_legally_passes_in_every_family() -> None:
    report = checked(Fine())
    assert report.ok
    assert "3 rule sets" in report.text()
    assert "every tier (native and interpreted)" in report.text()


def test_who_does_not_say_what_he_plays_is_tested_in_every_family() -> None:
    methods = {
        METHODS[method]
        for name in EVERYWHERE
        for method in trials.tables_of(find_ruleset(name)).methods
    }
    assert methods == set(METHODS)
    assert {find_ruleset(name).players for name in EVERYWHERE} == {2, 3}


class GivesACard(Fine):
    def gift(self, view: View) -> int:
        return 3


class KeepsAlways(Fine):
    def gift(self, view: View) -> int:
        return KEEP


class GivesWords(Fine):
    def gift(self, view: View) -> Any:
        return "give"


class LaysOutWhatItHasNot(Fine):
    def lay_out(self, view: View) -> int:
        return next(card for card in range(1, 14) if card not in view.cards and card != view.fourth)


class LaysOutTheGift(Fine):
    def lay_out(self, view: View) -> int:
        return view.fourth


class Puts(Fine):
    def misdeal(self, view: View) -> int:
        return PUT


class StandsWithFour(Fine):
    def misdeal(self, view: View) -> int:
        return STAND


class BreaksOnFour(Fine):
    def misdeal(self, view: View) -> int:
        return STAND if view.misdeal == 1 else DRAW // view.puts_seen


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (GivesACard(), "gift returned 3 where GIVE or RECEIVE was legal"),
        (KeepsAlways(), "gift returned KEEP where GIVE or RECEIVE was legal"),
        (GivesWords(), "gift returned 'give', which is not an action"),
        (LaysOutWhatItHasNot(), "where a card of ["),
        (LaysOutTheGift(), "where a card of ["),
        (Puts(), "misdeal returned PUT where STAND or REDEAL was legal"),
        (StandsWithFour(), "misdeal returned STAND where DRAW or REDEAL was legal"),
        (BreaksOnFour(), "misdeal raised ZeroDivisionError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_may_not_be_done_before_the_tricks_is_named(strategy: Strategy, says: str) -> None:
    text = wrong(strategy)
    assert "FAIL it answers legally everywhere" in text
    assert says in text


def test_the_gift_may_be_laid_out_unless_the_rules_say_must_swap() -> None:
    assert checked(LaysOutTheGift(), "four-handed").ok
    assert "lay_out returned" in wrong(LaysOutTheGift(), "four-handed(must_swap=true)")


def test_the_line_that_repeats_a_situation_names_the_method() -> None:
    situation, again = wrong(Puts(), "cotton(misdeals=0.1)").splitlines()[1:3]
    line = again.strip().removeprefix("again: ")
    assert line.startswith("misdeal(view_at(")
    assert eval(line, {"view_at": view_at, "misdeal": Puts().misdeal}) == PUT
    assert " holding " in situation


class Wavers(Fine):
    asked: ClassVar[list[int]] = []

    def gift(self, view: View) -> int:
        self.asked.append(1)
        return GIVE if len(self.asked) % 2 else RECEIVE


class ReadsTheRecord(Fine):
    def lay_out(self, view: View) -> int:
        return view.cards[2] if view.their_puts > 3 or view.must_swap else view.lowest


class Overflows(Fine):
    """Python's integers have no end, the compiled ones have."""

    def gift(self, view: View) -> int:
        mixed = view.lowest + 1
        for _ in range(20):
            mixed *= 1000003
        return GIVE if mixed % 7 < 3 else RECEIVE


def test_what_is_asked_of_act_is_asked_of_the_other_methods() -> None:
    assert "FAIL it gives the same answer to the same view" in wrong(Wavers())
    assert "it reads view.their_puts at " in wrong(ReadsTheRecord())
    text = wrong(Overflows(), "four-handed")
    assert "FAIL its games are the same in every tier (native and interpreted)" in text
    assert " is eldest, 0 " in text


class OverflowsAmongThree(Fine):
    """The same on the word of another opponent's score."""

    def act(self, view: View) -> int:
        mixed = view.lowest + 1 + view.others[0].score
        for _ in range(20):
            mixed *= 1000003
        if view.asked:
            return SEE if mixed % 2 else THROW
        return PUT if view.may_put and mixed % 7 < 3 else view.highest


def test_tiers_that_disagree_among_three_are_named_with_the_hand() -> None:
    assert " is eldest, A " in wrong(OverflowsAmongThree(), "three-handed")


class AnswersWithACard(Fine):
    """In the last trick, if one more opponent than two-handed games have is still in."""

    def act(self, view: View) -> int:
        if view.asked:
            return view.highest if view.trick == 3 and view.others[0].live else SEE
        return view.highest


def test_a_fault_that_only_three_can_provoke_is_found() -> None:
    assert checked(AnswersWithACard(), "cotton").ok
    assert "three-handed, " in wrong(AnswersWithACard(), "three-handed")


class Batch(Fine):
    def act_batch(self, views: View) -> Any:
        return np.where(views.asked, SEE, views.highest)


class BatchOnly(Strategy):
    act_batch = Batch.act_batch


def test_a_batch_of_any_family_is_asked_for_the_tricks_alone() -> None:
    assert checked(Batch()).ok
    assert checked(BatchOnly()).ok


class Learner(Player):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest

    def lay_out(self, view: View) -> int:
        return view.fourth


class Learns(Strategy):
    def begin_match(self, match: Match) -> Player:
        return Learner()


def test_learning_players_are_tested_in_matches_of_every_family() -> None:
    assert checked(Learns(), "four-handed", "three-handed", "cotton(misdeals=0.5)").ok
    assert "returned" in wrong(Learns(), "four-handed(must_swap=true)")


def test_the_wanderers_do_everything_that_is_legal() -> None:
    """So every part of every hand is reached."""
    wanderer = enlist("it", trials.Wanderer(), DiskStore(), NATIVE, range(len(METHODS)))
    assert set(wanderer.native) == set(range(len(METHODS)))
    for name in FAMILIES:
        rules = find_ruleset(name)
        told = "\n".join(trials._told(rules, trials._trial(rules, wanderer)))
        words = {"put", "see", "throw"}
        words |= {"give", "receive", "keep"} if rules.partners else set()
        words |= {"stand", "redeal", "draw"} if rules.misdeals else set()
        for word in words:
            assert f":{word}" in told, word


def test_the_trial_has_the_strategy_in_every_chair() -> None:
    for name in ("cotton", "four-handed", "willughby(players=4)"):
        rules = find_ruleset(name)
        played = trials._trial(rules, Contestant("it", Fine(), "interpreted"))
        assert {each.chairs.index(0) for each in played.fixtures} == set(range(rules.players))
        assert {who for each in played.fixtures for who in each.chairs} == {0, 1, 2, 3}

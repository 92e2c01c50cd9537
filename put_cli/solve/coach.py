"""The coach: what a solution would have done, and what it cost to do something else, in a line."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from put_cli.errors import NotationError
from put_cli.rules.notation import Hand
from put_cli.rules.referee import under_way
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.advice import Advice, Adviser, Option, adviser_of, name_of, solution_of
from put_cli.solve.chain import Score
from put_cli.solve.known import situation_of
from put_cli.solve.places import Situation
from put_cli.solve.tree import check_solvable

SLIGHT = 0.001
"""A mistake costs more than this share of a game, and more than is uncertain."""

SELDOM = 0.005
"""What the solution does more seldom is not told."""


@dataclass(frozen=True)
class Mistake:
    """A step of a hand that costs its player something."""

    step: int
    """Counted from 0."""
    seat: int
    cost: float
    """Share of a game (or rubber)."""
    said: str
    """In words."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


class Coach:
    """Remarks on decisions, by an adviser's advice."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser

    def before(self, situation: Situation) -> list[str]:
        """What may be done and what it is worth, the most frequent first."""
        advice = self._adviser.advise(situation)
        return [_doing(advice), *[_worth(option) for option in _ranked(advice)], *_doubt(advice)]

    def after(self, situation: Situation, action: int) -> str:
        """On what was done there; empty where there was nothing to choose."""
        advice = self._adviser.advise(situation)
        if len(advice.options) == 1:
            return ""
        done = advice.of(name_of(self._adviser.rules, action))
        if _is_mistake(done, advice):
            told = f"{done.action} costs {_percent(done.cost)} of the game; {_doing(advice)}"
        else:
            told = f"{done.action} is right; {_doing(advice)}"
        return " ".join([told, *_doubt(advice)])

    def mistakes(self, hand: Hand, score: Score) -> Iterator[Mistake]:
        """Those of both players in a whole hand of two.

        After something that the solution never does, whatever the cards, nothing is a mistake:
        what it tells of the opponent's cards is anybody's guess.

        Raises:
            NotationError: the hand breaks a rule.
        """
        rules = self._adviser.rules
        for number, step in enumerate(hand.steps):
            before = Hand(hand.letters, hand.dealt, hand.steps[:number])
            play = under_way(rules, before, (score.eldest, score.dealer))
            if play.state.over or step.seat != play.player():
                raise NotationError(f"step {number + 1}: it is not this player's turn.")
            advice = self._adviser.advise(situation_of(rules, before, step.seat, score))
            if len(advice.options) > 1 and advice.expected:
                done = advice.of(step.rank or step.word)
                if _is_mistake(done, advice):
                    said = f"costs {_percent(done.cost)} of the game; {_doing(advice)}"
                    yield Mistake(number, step.seat, done.cost, said)


def coach_of(rules: RuleSet, policy: Path | None) -> Coach:
    """A coach who knows the solution of a rule set: see `solution_of`.

    Raises:
        UsageError: it is no game of two players without misdeals.
        PolicyError: there is no solution, or the file is of other rules or not finished.
    """
    check_solvable(rules)
    return Coach(adviser_of(solution_of(rules, policy), rules))


def scores_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[Score]:
    """The score before every hand of a game (or rubber), from its rows of the hands table."""
    legs: Counter[str] = Counter()
    for row in rows:
        eldest, dealer = row["eldest"], row["dealer"]
        yield Score(row["eldest_score"], row["dealer_score"], legs[eldest], legs[dealer])
        if row["game_over"] and row["winner"]:
            legs[row[row["winner"]]] += 1


def _is_mistake(done: Option, advice: Advice) -> bool:
    return done.cost > max(SLIGHT, advice.margin)


def _doing(advice: Advice) -> str:
    """What the solution does, in words: `the solution: put (62 %), 5 (38 %)`."""
    often = [each for each in _ranked(advice) if each.share is not None and each.share >= SELDOM]
    if not often:
        return f"best is {advice.best.action}"
    if len(often) == 1:
        return f"the solution: {often[0].action}"
    shares = ", ".join(f"{each.action} ({100 * (each.share or 0):.0f} %)" for each in often)
    return f"the solution: {shares}"


def _ranked(advice: Advice) -> list[Option]:
    return sorted(advice.options, key=lambda each: (-(each.share or 0.0), each.cost))


def _worth(option: Option) -> str:
    told = _percent(option.cost)
    cost = f", {told} less than the best" if told != _percent(0.0) else ""
    return f"  {option.action:<7} wins {_percent(option.worth)}{cost}"


def _doubt(advice: Advice) -> list[str]:
    return [] if advice.expected else ["(The solution would not have done what your opponent did.)"]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"

"""Situations and mistakes in words: `after winning the first trick (K to 9), to lead: puts`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from put_cli.rules.machine import SEATS
from put_cli.rules.notation import Step
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.advice import name_of
from put_cli.solve.exploit import Flaw, Group
from put_cli.solve.known import line_of, steps_of
from put_cli.solve.places import Situation
from put_cli.solve.spots import DECISIONS, Spots

ALWAYS = 0.995
"""What is done more often than this is done always."""

_TRICKS = ("first", "second")
_DOES = {"put": "puts", "see": "sees", "throw": "throws"}
_BETTER = {"put": "a put", "see": "seeing", "throw": "throwing"}


@dataclass(frozen=True)
class Told:
    """A flaw in words."""

    flaw: Flaw
    line: str
    """The situation as `put advise` reads it."""
    done: str
    """`put`, `see`, `throw`, or the rank of a card."""
    better: str
    sentence: str

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        score = self.flaw.score
        return {
            "score": [score.eldest, score.dealer],
            "legs": [score.eldest_legs, score.dealer_legs],
            "line": self.line,
            "done": self.done,
            "better": self.better,
            "share": self.flaw.share,
            "often": self.flaw.often,
            "cost": self.flaw.cost,
            "loss": self.flaw.loss,
            "said": self.sentence,
        }


@dataclass(frozen=True)
class ToldGroup:
    """A group of flaws in words."""

    group: Group
    worst: Told
    sentence: str

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "done": self.group.done,
            "better": self.group.better,
            "often": self.group.often,
            "loss": self.group.loss,
            "worst": self.worst.plain(),
            "said": self.sentence,
        }


@dataclass(frozen=True)
class _Story:
    """What has happened before a flaw."""

    rules: RuleSet
    situation: Situation
    steps: tuple[Step, ...]
    decision: str
    line: str

    @property
    def leads(self) -> bool:
        """Whether a card would be a lead."""
        return sum(step.plays for step in self.steps) % 2 == 0

    @property
    def seated(self) -> str:
        """The score, and on which side."""
        return f"At {self.situation.score} as {SEATS[self.situation.seat]}"

    @property
    def what(self) -> str:
        """What is won or lost."""
        return "rubber" if self.rules.rubber > 1 else "game"

    def before(self, cards: bool) -> str:
        """What has happened; `cards` names them."""
        return circumstances(
            self.rules, self.situation.seat, self.steps, self.decision, cards=cards
        )


def _story(spots: Spots, flaw: Flaw) -> _Story:
    rules = spots.board.tree.rules
    situation, actors = spots.situation(flaw.spot, flaw.score)
    steps = steps_of(rules, situation.actions, actors)
    decision = DECISIONS[spots.decision(flaw.spot.node)]
    return _Story(rules, situation, steps, decision, line_of(rules, situation, actors))


def tell(spots: Spots, flaw: Flaw) -> Told:
    """A flaw in words."""
    story, rules = _story(spots, flaw), spots.board.tree.rules
    done, better = (
        name_of(rules, spots.action(flaw.spot, n)) for n in (flaw.spot.action, flaw.better)
    )
    held = " ".join(rules.cards.rank(card + 1) for card in spots.held(flaw.spot)) or "no card"
    does = _DOES.get(done) or f"{'leads' if story.leads else 'plays'} {done}"
    instead = _BETTER.get(better) or f"{'leading' if story.leads else 'playing'} {better}"
    seldom = "" if flaw.share > ALWAYS else f" ({100 * flaw.share:.2g} % of the time)"
    sentence = (
        f"{story.seated} holding {held}, {story.before(cards=True)}: {does}{seldom}; {instead} "
        f"would win {100 * flaw.cost:.2g} % of the {story.what} more. "
        f"{_once(flaw.often, story.what)}."
    )
    return Told(flaw, story.line, done, better, sentence)


def tell_group(spots: Spots, group: Group) -> ToldGroup:
    """A group of flaws in words."""
    story, worst = _story(spots, group.worst), tell(spots, group.worst)
    does = _DOES.get(group.done) or f"{'leads' if story.leads else 'plays'} a card"
    another = "another" if group.done == "card" else "a"
    instead = _BETTER.get(group.better) or f"{another} card"
    sentence = (
        f"{story.seated}, {story.before(cards=False)}: {does} where {instead} is better, on "
        f"average by {100 * group.loss / group.often:.2g} % of the {story.what}. "
        f"{_once(group.often, story.what)}; worst with"
    )
    return ToldGroup(group, worst, f"{sentence} {worst.line}.")


def _once(often: float, what: str) -> str:
    if often > 0.95:
        return f"{often:.1f} times a {what}"
    games = 1 / often
    return f"Once in {games:.2g} {what}s" if games < 9.5 else f"Once in {games:,.0f} {what}s"


def circumstances(
    rules: RuleSet, seat: int, steps: Sequence[Step], decision: str, *, cards: bool = True
) -> str:
    """What has happened, and what is to be decided, from one player's side.

    `decision` is one of DECISIONS; `cards` names those on the table.
    """
    played = [step for step in steps if step.plays]
    told = [
        _trick(rules, which, *((lead, reply) if lead.seat == seat else (reply, lead)), cards=cards)
        for which, lead, reply in zip(_TRICKS, played[::2], played[1::2], strict=False)
    ]
    told += [
        f"having {'been seen' if put.seat == seat else 'seen a put'}"
        for put, answer in pairwise(steps)
        if answer.word == "see"
    ]
    led = played[-1] if len(played) % 2 else None
    lead = (led.rank if cards else "a card") if led else ""
    match decision:
        case "answer to a put":
            told.append(f"asked to see a put{f' after leading {lead}' if led else ''}")
        case "put or throw":
            told.append("to put or throw")
        case _:
            told.append(f"to reply to {lead}" if led else "to lead")
    return ", ".join(told)


def _trick(rules: RuleSet, which: str, own: Step, theirs: Step, *, cards: bool) -> str:
    mine, other = rules.cards.card(own.rank), rules.cards.card(theirs.rank)
    if mine == other:
        return f"after tying the {which} trick" + (f" ({own.rank} each)" if cards else "")
    how = "winning" if mine > other else "losing"
    return f"after {how} the {which} trick" + (f" ({own.rank} to {theirs.rank})" if cards else "")

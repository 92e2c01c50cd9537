"""Situations and decisions in words: `after winning the first trick (K to 9), to lead`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from put_cli.rules.machine import SEATS
from put_cli.rules.notation import Step
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.advice import name_of
from put_cli.solve.exploit import Flaw
from put_cli.solve.known import line_of, steps_of
from put_cli.solve.spots import DECISIONS, Spots
from put_cli.strategy import PUT, SEE, THROW

_TRICKS = ("first", "second")
_DOES = {PUT: "puts", SEE: "sees", THROW: "throws"}
ALWAYS = 0.995
"""What is done more often than this is done always."""

_NAMES = {PUT: "a put", SEE: "seeing", THROW: "throwing"}


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
        flaw = self.flaw
        return {
            "score": [flaw.score.eldest, flaw.score.dealer],
            "legs": [flaw.score.eldest_legs, flaw.score.dealer_legs],
            "line": self.line,
            "done": self.done,
            "better": self.better,
            "share": flaw.share,
            "often": flaw.often,
            "cost": flaw.cost,
            "loss": flaw.loss,
            "said": self.sentence,
        }


def tell(spots: Spots, flaw: Flaw) -> Told:
    """A flaw in words."""
    rules, spot = spots.board.tree.rules, flaw.spot
    situation, actors = spots.situation(spot, flaw.score)
    done, better = spots.action(spot, spot.action), spots.action(spot, flaw.better)
    steps = steps_of(rules, situation.actions, actors)
    leads = sum(step.plays for step in steps) % 2 == 0
    held = " ".join(rules.cards.rank(card + 1) for card in spots.held(spot)) or "nothing"
    decision = DECISIONS[spots.decision(spot.node)]
    seldom = "" if flaw.share > ALWAYS else f" ({100 * flaw.share:.2g} % of the time)"
    what = "rubber" if rules.rubber > 1 else "game"
    sentence = (
        f"At {flaw.score} as {SEATS[situation.seat]} holding {held}, "
        f"{circumstances(rules, situation.seat, steps, decision)}: "
        f"{_does(done, name_of(rules, done), leads)}{seldom}; "
        f"{_instead(better, name_of(rules, better), leads)} would win {100 * flaw.cost:.2g} % of "
        f"the {what} more. {_once(flaw.often, what)}."
    )
    line = line_of(rules, situation, actors)
    return Told(flaw, line, name_of(rules, done), name_of(rules, better), sentence)


def _once(often: float, what: str) -> str:
    if often > 0.95:
        return f"{often:.1f} times a {what}"
    games = 1 / often
    return f"Once in {games:.2g} {what}s" if games < 9.5 else f"Once in {games:,.0f} {what}s"


def circumstances(rules: RuleSet, seat: int, steps: Sequence[Step], decision: str) -> str:
    """What has happened, and what is to be decided, from one player's side.

    `decision` is one of `spots.DECISIONS`.
    """
    cards = [step for step in steps if step.plays]
    told = [
        _trick(rules, which, *((lead, reply) if lead.seat == seat else (reply, lead)))
        for which, lead, reply in zip(_TRICKS, cards[::2], cards[1::2], strict=False)
    ]
    told += [
        f"having {'been seen' if put.seat == seat else 'seen a put'}"
        for put, answer in pairwise(steps)
        if answer.word == "see"
    ]
    led = cards[-1] if len(cards) % 2 else None
    match decision:
        case "answer to a put":
            told.append(f"asked to see a put{f' after leading {led.rank}' if led else ''}")
        case "put or throw":
            told.append("to put or throw")
        case _:
            told.append(f"to reply to {led.rank}" if led else "to lead")
    return ", ".join(told)


def _does(action: int, rank: str, leads: bool) -> str:
    """What somebody does: `puts`, `leads K`."""
    return _DOES.get(action) or f"{'leads' if leads else 'plays'} {rank}"


def _instead(action: int, rank: str, leads: bool) -> str:
    """The same as something better: `a put`, `leading K`."""
    return _NAMES.get(action) or f"{'leading' if leads else 'playing'} {rank}"


def _trick(rules: RuleSet, which: str, own: Step, theirs: Step) -> str:
    mine, other = rules.cards.card(own.rank), rules.cards.card(theirs.rank)
    if mine == other:
        return f"after tying the {which} trick ({own.rank} each)"
    how = "winning" if mine > other else "losing"
    return f"after {how} the {which} trick ({own.rank} to {theirs.rank})"

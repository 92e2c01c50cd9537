"""A second opinion: the referee, card by card, on a sample of the logged hands and deals.

The referees share no code with the kernels but the rules themselves.
"""

from collections.abc import Iterator
from typing import Any

from put_cli.errors import PutError
from put_cli.report.logged import logged
from put_cli.rules.machine import seat_names
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import RuleSet
from put_cli.speculation.referee import played
from put_cli.speculation.rules import Speculation
from put_cli.speculation.telling import LETTERS
from put_cli.speculation.transcript import events_of, line_of

Difference = tuple[str, str, str]
"""Column, expected, found."""


def second_opinion(rules: RuleSet, row: dict[str, Any]) -> Iterator[Difference]:
    """Where the referee and a row of the hands table differ.

    Of three and more players the row holds its rows of the plays table as `plays`. A hand that a
    fault ended has no result to compare, and is left alone.
    """
    if row["ending"] == "forfeit":
        return
    try:
        told = logged(rules, row)
        verdict = referee(rules, told.hand, told.score)
    except PutError as error:
        yield "words", "a hand by the rules", str(error)
        return
    seats = seat_names(rules)
    two = rules.players == 2
    points = [row[f"{seat}_points" if two else f"points_{seat}"] for seat in seats]
    gained = list(verdict.law_points)
    if verdict.winner is not None and not verdict.outright:
        gained[seats.index(verdict.winner)] += verdict.points
    expected = {
        "ending": verdict.ending,
        "winner": verdict.winner,
        "points": gained,
        "outright": verdict.outright,
        "game_over": verdict.game_winner is not None,
        "misdeal": verdict.misdeal and verdict.misdeal.replace("_", "-"),
        "ruling": verdict.ruling,
    }
    found = {**row, "points": points}
    for name, value in expected.items():
        if found.get(name) != value:
            yield name, f"{value} by the referee", str(found.get(name))


def second_opinion_on_a_deal(rules: Speculation, row: dict[str, Any]) -> Iterator[Difference]:
    """Where the machine and a row of the deals table differ, whose rows of events are `events`."""
    try:
        deal = played(rules, line_of(rules, row))
    except PutError as error:
        yield "events", "a deal by the rules", str(error)
        return
    told = events_of(row)
    for number, (ours, theirs) in enumerate(zip(deal.events, told, strict=False)):
        if ours != theirs:
            yield f"event {number}", f"{ours} by the referee", str(theirs)
            return
    letters = LETTERS[: rules.players]
    expected = {
        "events": len(deal.events),
        "pool": deal.events[-1].amount,
        "taken_by": LETTERS[deal.winner] if deal.winner >= 0 else None,
        "net": list(deal.chips),
    }
    found = {**row, "events": len(told), "net": [row[f"net_{letter}"] for letter in letters]}
    for name, value in expected.items():
        if found[name] != value:
            yield name, f"{value} by the referee", str(found[name])

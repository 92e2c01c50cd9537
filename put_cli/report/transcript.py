"""A logged game told in words: rows of the log become hands in notation, and the referee speaks.

What is told is what the rules make of the logged cards and words, not what the engine noted; where
the two disagree, the transcript says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from put_cli.errors import NotationError
from put_cli.report.tables import printable
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.rules.notation import PARTNERS, TWO, Hand, Step, names_of
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score

Row = Mapping[str, Any]

_LETTERS = {"E": ELDEST, "D": DEALER}


@dataclass(frozen=True, kw_only=True)
class Logged:
    """What the log knows of a hand, of whatever family of games."""

    number: int
    leg: int
    """Which game of the rubber, from 1; 0 outside rubbers."""
    hand: Hand
    names: tuple[str, ...]
    """The strategies, in the order of the hand's letters."""
    score: Score
    """Before the hand, by seat."""
    ending: str
    winner: str | None
    """The seat, as a Verdict names it."""


def logged(row: Row) -> Logged:
    """The hand of a row of the two-handed hands table."""
    dealt = (tuple(row["eldest_cards"].split()), tuple(row["dealer_cards"].split()))
    return Logged(
        number=row["hand"],
        leg=row["leg"],
        hand=Hand(TWO, dealt, tuple(_steps(row))),
        names=(row["eldest"], row["dealer"]),
        score=(row["eldest_score"], row["dealer_score"]),
        ending=row["ending"],
        winner=row["winner"],
    )


def _steps(row: Row) -> Iterator[Step]:
    """Words and cards in the order in which they came."""
    said: dict[str, list[Step]] = {}
    for utterance in row["words"].split():
        place, letter, word = utterance.split(":")
        said.setdefault(place, []).append(Step(_LETTERS[letter], word=word))
    leader = ELDEST
    for trick in (1, 2, 3):
        for act, seat in (("lead", leader), ("reply", 1 - leader)):
            place = f"{act}{trick}"
            yield from said.get(place, [])
            if row[place] is not None:
                yield Step(seat, rank=row[place])
        if row[f"trick{trick}"] in SEATS:
            leader = SEATS.index(row[f"trick{trick}"])
        if trick == 1:
            yield from said.get("after1", [])


def tell_hand(rules: RuleSet, told: Logged) -> list[str]:
    """One hand in words: who held what, every step, the result."""
    leg = f", game {told.leg} of the rubber" if told.leg else ""
    score = "-".join(map(str, told.score))
    lines = [
        f"Hand {told.number}{leg}: {_seated(told)}; score {score}",
        f"  {told.hand.text()}",
    ]
    if told.ending == "forfeit":
        winner = f"; {_winners(told, told.winner)} the game" if told.winner else ""
        return [*lines, f"  the hand was not finished: a fault{winner}"]
    try:
        verdict = referee(rules, told.hand, told.score)
    except NotationError as error:
        return [*lines, f"  the log breaks the rules here: {error}"]
    texts = told.hand.step_texts()
    width = max(8, *map(len, texts))
    for text, step in zip(texts, verdict.steps, strict=True):
        lines.append(f"  {text:<{width}} {step}")
    lines.append(f"  {verdict.result}")
    if verdict.winner != told.winner or verdict.ending != told.ending:
        lines.append(f"  the log says otherwise: {told.ending}, winner {told.winner}")
    return lines


def _seated(told: Logged) -> str:
    """Who sits where."""
    names = [printable(name) for name in told.names]
    if told.hand.letters == TWO:
        return f"{names[ELDEST]} is eldest, {names[DEALER]} deals"
    if told.hand.letters == PARTNERS:
        dealer, eldest, dealers, eldests = names
        return (
            f"{eldest} (1, eldest) and {eldests} (3) against {dealer} (0, deals) and {dealers} (2)"
        )
    seated = [f"{name} is {letter}" for name, letter in zip(names, told.hand.letters, strict=True)]
    return f"{', '.join(seated)}; {names[ELDEST]} is eldest, {names[-1]} deals"


def _winners(told: Logged, seat: str) -> str:
    """`odds wins`, or both partners `win`, by the seat as a Verdict names it."""
    names = [printable(name) for name in told.names]
    if told.hand.letters == PARTNERS:
        first = 1 - SEATS.index(seat)
        return f"{names[first]} and {names[first + 2]} win"
    return f"{names[names_of(told.hand.letters).index(seat)]} wins"


def tell_game(row: Row) -> list[str]:
    """The outcome of a row of the games table in words."""
    chairs = [printable(row["chair0"]), printable(row["chair1"])]
    first = printable(row["first_dealer"])
    recuts = f" after {row['recuts']} equal cuts" if row["recuts"] else ""
    lines = [
        f"{chairs[0]} against {chairs[1]}",
        f"{chairs[0]} cuts {row['cut0']}, {chairs[1]} cuts {row['cut1']}{recuts}: {first} deals",
    ]
    how = {
        "points": "on points",
        "put": "by a seen put",
        "tricks": "by winning a hand",
        "conceded": "when the other threw",
        "forfeit": f"by forfeit: {row['fault_by']} {row['fault_reason']}",
    }[row["how"]]
    score = f"{chairs[0]} {row['score0']}, {chairs[1]} {row['score1']}"
    if row["legs0"] or row["legs1"]:
        score = f"games {row['legs0']}-{row['legs1']}; in the last {score}"
    winner = printable(row["winner"])
    lines.append(f"{winner} wins {printable(how)} ({score}; hands: {row['hands']})")
    return lines


def tell(rules: RuleSet, game: Row, hands: Sequence[Row]) -> str:
    """A game, hand by hand where the hands were logged."""
    opening, result = tell_game(game)[:-1], tell_game(game)[-1]
    lines = list(opening)
    for row in hands:
        lines += ["", *tell_hand(rules, logged(row))]
    return "\n".join([*lines, "", result])

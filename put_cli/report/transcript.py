"""A logged game told in words: rows of the log become hands in notation, and the referee speaks.

What is told is what the rules make of the logged cards and words, not what the engine noted; where
the two disagree, the transcript says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from put_cli.errors import NotationError
from put_cli.report.tables import printable
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.rules.notation import Hand, Step
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import RuleSet

Row = Mapping[str, Any]

_LETTERS = {"E": ELDEST, "D": DEALER}


def hand_of(row: Row) -> Hand:
    """The hand of a row of the hands table."""
    return Hand(
        tuple(row["eldest_cards"].split()),
        tuple(row["dealer_cards"].split()),
        tuple(_steps(row)),
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


def tell_hand(rules: RuleSet, row: Row) -> list[str]:
    """One hand in words: who held what, every step, the result."""
    hand = hand_of(row)
    score = (row["eldest_score"], row["dealer_score"])
    names = {seat: printable(row[seat]) for seat in SEATS}
    leg = f", game {row['leg']} of the rubber" if row["leg"] else ""
    lines = [
        f"Hand {row['hand']}{leg}: {names['eldest']} is eldest, {names['dealer']} deals; "
        f"score {score[0]}-{score[1]}",
        f"  {hand.text()}",
    ]
    if row["ending"] == "forfeit":
        winner = names[row["winner"]]
        return [*lines, f"  the hand was not finished: a fault; {winner} wins the game"]
    try:
        verdict = referee(rules, hand, score)
    except NotationError as error:
        return [*lines, f"  the log breaks the rules here: {error}"]
    for step, told in zip(hand.steps, verdict.steps, strict=True):
        lines.append(f"  {step.text():<8} {told}")
    lines.append(f"  {verdict.result}")
    if verdict.winner != row["winner"] or verdict.ending != row["ending"]:
        lines.append(f"  the log says otherwise: {row['ending']}, winner {row['winner']}")
    return lines


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
        lines += ["", *tell_hand(rules, row)]
    return "\n".join([*lines, "", result])

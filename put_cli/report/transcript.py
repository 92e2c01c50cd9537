"""A logged game told in words: rows of the log become hands in notation, and the referee speaks.

What is told is what the rules make of the logged cards and words, not what the engine noted; where
the two disagree, the transcript says so.
"""

from collections.abc import Mapping, Sequence

from put_cli.errors import NotationError
from put_cli.report.logged import Logged, Row, logged
from put_cli.report.tables import printable
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.rules.notation import PARTNERS, TWO, names_of
from put_cli.rules.referee import referee
from put_cli.rules.ruleset import RuleSet

NO_REMARKS: Mapping[int, str] = {}


def tell_hand(rules: RuleSet, row: Row, remarks: Mapping[int, str] = NO_REMARKS) -> list[str]:
    """A row of the hands table in words; `remarks` are on its steps, by their number from 0."""
    try:
        told = logged(rules, row)
    except NotationError as error:
        return [f"Hand {row.get('hand')}:", f"  {printable(str(error))}"]
    return tell_logged(rules, told, remarks)


def tell_logged(rules: RuleSet, told: Logged, remarks: Mapping[int, str] = NO_REMARKS) -> list[str]:
    """One hand in words: who held what, every step, the result."""
    return list(map(printable, _tell(rules, told, remarks)))


def _tell(rules: RuleSet, told: Logged, remarks: Mapping[int, str]) -> list[str]:
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
    for number, (text, step) in enumerate(zip(texts, verdict.steps, strict=True)):
        lines.append(f"  {text:<{width}} {step}")
        if number in remarks:
            lines.append(f"  {'':<{width}}   mistake: {remarks[number]}")
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


def tell_game(rules: RuleSet, row: Row) -> list[str]:
    """The outcome of a row of the games table in words: before the hands, and after them."""
    seats = [printable(row[f"{_seat(rules)}{n}"]) for n in range(rules.players)]
    first = printable(row["first_dealer"])
    again = row["recuts"]
    recuts = f" after {again} equal cut{'s' if again > 1 else ''}" if again else ""
    if rules.partners:
        cuts = ", ".join(f"chair {n} cuts {row[f'cut{n}']}" for n in range(4))
        first = f"{first} (chair {row['first_dealer_chair']})"
    else:
        cuts = ", ".join(f"{name} cuts {row[f'cut{n}']}" for n, name in enumerate(seats))
    how = {
        "points": "on points",
        "put": "by a seen put",
        "tricks": "by winning a hand",
        "conceded": "when the other threw" if rules.players == 2 else "when the others threw",
        "forfeit": f"by forfeit: {row['fault_by']} {row['fault_reason']}",
    }.get(row["how"], row["how"])
    score = ", ".join(f"{name} {row[f'score{n}']}" for n, name in enumerate(seats))
    if row.get("legs0") or row.get("legs1"):
        score = f"games {row['legs0']}-{row['legs1']}; in the last {score}"
    winner = printable(row["winner"])
    lines = [
        " against ".join(seats),
        f"{cuts}{recuts}: {first} deals",
        f"{winner} wins {how} ({score}; hands: {row['hands']})",
    ]
    return list(map(printable, lines))


def _seat(rules: RuleSet) -> str:
    return "side" if rules.partners else "chair"


def tell(
    rules: RuleSet,
    game: Row,
    hands: Sequence[Row],
    remarks: Mapping[int, Mapping[int, str]] | None = None,
) -> str:
    """A game, hand by hand where the hands were logged; `remarks` by the number of the hand."""
    *lines, result = tell_game(rules, game)
    for row in hands:
        lines += ["", *tell_hand(rules, row, (remarks or {}).get(row["hand"], NO_REMARKS))]
    return "\n".join([*lines, "", result])

"""put replay: a logged game or hand in words."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import policy_option, resolve_run, run_argument
from put_cli.errors import NotationError, UsageError
from put_cli.report.tables import printable
from put_cli.rules.ruleset import RuleSet
from put_cli.speculation.rules import NAME as SPECULATION

_VERSUS = " v "
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


@click.command(
    epilog="""\b
Examples:
  put replay
  put replay runs/latest --game "odds v bold/0/1/17"
  put replay runs/latest --game 12/0/1/17 --hand 3
  put replay runs/latest --coach --policy cotton.policy"""
)
@run_argument()
@click.option(
    "--game",
    "key",
    default="0/0/0/0",
    show_default=True,
    metavar="PAIRING/BLOCK/MIRROR/GAME",
    help="Which game: the key columns of the log; the pairing may be named, as 'A v B'.",
)
@click.option("--hand", type=click.IntRange(0), help="Only this hand of the game.")
@click.option(
    "--coach",
    "coached",
    is_flag=True,
    help="Mark the mistakes with what they cost, by the solution of the game. For two players, "
    "with a file of 'put solve'.",
)
@policy_option()
@click.option("--json", "as_json", is_flag=True, help="Print the rows of the log as one object.")
def command(
    run: Path, key: str, hand: int | None, coached: bool, policy: Path | None, as_json: bool
) -> None:
    """Tell a game of RUN (runs/latest unless given) in words, as the referee sees it."""
    from put_cli.log import manifest
    from put_cli.report.transcript import NO_REMARKS, tell, tell_hand
    from put_cli.tournament.finding import find_game

    made = manifest.read(resolve_run(run))
    if made.game == SPECULATION:
        from put_cli.cli import speculation

        speculation.replay(made, partial(_parse, key), hand, as_json=as_json)
        return
    game, hands = find_game(made, *_parse(key, made.names, made.rules.players))
    found = _mistakes(made.rules, policy, hands, hand) if coached else []
    if hand is not None:
        hands = [row for row in hands if row["hand"] == hand]
        if not hands:
            raise UsageError(f"--hand: hands of that game: {game['hands']}, from 0; got {hand}.")
    if as_json:
        record = {"game": game, "hands": hands}
        if coached:
            record["mistakes"] = found
        click.echo(json.dumps(record, ensure_ascii=False))
        return
    remarks: dict[int, dict[int, str]] = {}
    for each in found:
        remarks.setdefault(each["hand"], {})[each["step"]] = each["said"]
    if hand is None:
        click.echo(tell(made.rules, game, hands, remarks))
    else:
        click.echo("\n".join(tell_hand(made.rules, hands[0], remarks.get(hand, NO_REMARKS))))
    if coached:
        click.echo(_summary(found, [game["chair0"], game["chair1"]]))
    if not hands:
        click.echo("(the run kept no hands: --log was not hands)", err=True)


def _mistakes(
    rules: RuleSet, policy: Path | None, hands: list[Any], only: int | None
) -> list[dict[str, Any]]:
    """The mistakes in the hands of a game, or in one of them, with who made them; JSON-ready."""
    from put_cli.report.logged import logged
    from put_cli.solve.coach import coach_of, scores_of

    coach, found = coach_of(rules, policy), []
    for row, score in zip(hands, scores_of(hands), strict=True):
        if only not in (None, row["hand"]):
            continue
        told = logged(rules, row)
        # What breaks the rules is told by the transcript; the mistakes before it stand.
        with suppress(NotationError):
            for each in coach.mistakes(told.hand, score):
                found.append(
                    {"hand": row["hand"], "strategy": told.names[each.seat], **each.plain()}
                )
    return found


def _summary(found: list[dict[str, Any]], names: list[str]) -> str:
    """How many mistakes each made, and what they cost together."""
    told = []
    for name in names:
        costs = [each["cost"] for each in found if each["strategy"] == name]
        mistakes = f"{len(costs)} mistake{'' if len(costs) == 1 else 's'}"
        told.append(
            f"{printable(name)} {mistakes}" + (f", {100 * sum(costs):.1f} %" if costs else "")
        )
    return f"Mistakes and what they cost of a game: {'; '.join(told)}."


def _parse(key: str, names: list[str], sides: int) -> tuple[int, int, int, int]:
    """The four numbers of a key; 'A v B' becomes the number of the pairing."""
    from put_cli.stats.tally import table_number

    pairing, *rest = key.rsplit("/", 3)
    if _VERSUS in pairing:
        pairing = str(table_number(_who(pairing, names, sides)))
    numbers = [pairing, *rest]
    if len(numbers) != 4 or not all(map(_NUMBER.fullmatch, numbers)):
        shown = key if len(key) <= 200 else f"{key[:200]}..."
        raise UsageError(f"--game: expected PAIRING/BLOCK/MIRROR/GAME, got {shown!r}.")
    a, b, c, d = map(int, numbers)
    return a, b, c, d


def _who(pairing: str, names: list[str], sides: int) -> list[int]:
    """The strategies i < j < ... of a pairing or table named as 'A v B'.

    The names may hold ' v ' themselves.
    """
    splits = _splits(pairing.split(_VERSUS), names, sides)
    found = {tuple(sorted(who)) for who in splits if len(set(who)) == sides}
    if len(found) != 1:
        one = "pairing" if sides == 2 else f"table of {sides}"
        why = f"could be more than one {one}" if found else f"is no {one} of this run"
        raise UsageError(
            f"--game: {printable(pairing)!r} {why}; there were "
            f"{', '.join(map(printable, names))}. A number is understood too."
        )
    return list(found.pop())


def _splits(words: list[str], names: list[str], sides: int) -> Iterator[list[int]]:
    """Every way to read `words` as so many names."""
    for end in range(1, len(words) + 1) if sides > 1 else [len(words)]:
        name = _VERSUS.join(words[:end])
        if name in names and sides > 1:
            for others in _splits(words[end:], names, sides - 1):
                yield [names.index(name), *others]
        elif name in names:
            yield [names.index(name)]

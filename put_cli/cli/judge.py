"""`put judge`: referee hands written in notation."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict

import click

from put_cli.cli.options import rules_option
from put_cli.errors import NotationError, UsageError
from put_cli.rules.notation import MAX_LINE, Hand, parse_hand
from put_cli.rules.referee import Verdict, referee
from put_cli.rules.ruleset import RuleSet, find_ruleset
from put_cli.rules.score import Score, check_score

_SCORE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})", re.ASCII)
_MAX_BYTES = 4 * MAX_LINE + 2  # no UTF-8 character takes more than 4, and a line end 2


@click.command(
    epilog="Example:  put judge --rules cotton --score 0-0 "
    "'E 7 2 3 | D 9 K A | E7 D9 D:put E:see DK E2 E3 DA'"
)
@click.argument("lines", nargs=-1, metavar="[LINE]...")
@rules_option()
@click.option(
    "--score",
    "score_text",
    default="0-0",
    show_default=True,
    help="Points of eldest and dealer before each hand.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, one a hand.")
@click.pass_context
def command(
    ctx: click.Context, lines: tuple[str, ...], rules_text: str, score_text: str, as_json: bool
) -> None:
    """Referee hands written in notation.

    A LINE is a whole hand: the cards of E (eldest) and of D (dealer), in any order, then what
    happened: E7 (eldest plays a 7), D:put, E:see, D:throw. T is ten. Without a LINE the hands
    are read from standard input, one a line; blank lines and lines that begin with # are skipped.

    Every hand begins at --score. A refused hand does not stop the others; the exit code is then 1.
    """
    rules = find_ruleset(rules_text)
    score = _parse_score(rules, score_text)
    hands = _arguments(lines) if lines else _standard_input()
    judged = refused = 0
    for where, line in hands:
        judged += 1
        try:
            hand = parse_hand(line)
            verdict = referee(rules, hand, score)
        except NotationError as error:
            refused += 1
            click.echo(f"Error: {where}{error}", err=True)
        else:
            click.echo(_record(rules, hand, verdict) if as_json else _told(hand, verdict))
    if not judged:
        raise UsageError("no hand to judge: give a LINE, or one a line on standard input.")
    if refused:
        ctx.exit(1)


def _parse_score(rules: RuleSet, text: str) -> Score:
    match = _SCORE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--score: expected eldest-dealer such as 0-4, got {text!r}.")
    score = int(match[1]), int(match[2])
    check_score(rules, score)
    return score


def _arguments(lines: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each line with its place for an error message, which one line alone does not need."""
    for number, line in enumerate(lines, start=1):
        yield f"hand {number}: " if len(lines) > 1 else "", line


def _standard_input() -> Iterator[tuple[str, str]]:
    """The lines that hold a hand, each with its place; never more than one line in memory."""
    if sys.stdin is None:  # a process may be started without one
        return
    stream = sys.stdin.buffer
    number = 0
    while raw := stream.readline(_MAX_BYTES):
        number += 1
        chunk = raw
        while len(chunk) == _MAX_BYTES and not chunk.endswith(b"\n"):
            chunk = stream.readline(_MAX_BYTES)  # the rest of a line too long to be a hand
        line = raw.decode("utf-8-sig", errors="replace").strip()
        if line and not line.startswith("#"):
            yield f"line {number}: ", line


def _record(rules: RuleSet, hand: Hand, verdict: Verdict) -> str:
    return json.dumps({"rules": rules.name, "hand": hand.text()} | asdict(verdict))


def _told(hand: Hand, verdict: Verdict) -> str:
    width = max(len(step.text()) for step in hand.steps)
    acts = zip(hand.steps, verdict.steps, strict=True)
    return "\n".join(
        (
            hand.text(),
            *(f"  {step.text():<{width}}  {told}" for step, told in acts),
            f"  {verdict.result}",
            f"  score {_score(verdict.score_before)} -> {_score(verdict.score_after)}",
        )
    )


def _score(score: Score) -> str:
    return f"{score[0]}-{score[1]}"

"""`put judge`: referee hands written in notation."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict

import click

from put_cli.cli.options import rules_option
from put_cli.cli.printing import say
from put_cli.errors import NotationError, UsageError
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import seat_names
from put_cli.rules.notation import MAX_LINE, Hand, parse_hand
from put_cli.rules.referee import Verdict, referee
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score, check_score, no_points
from put_cli.speculation.rules import find

_SCORE = re.compile(r"[0-9]{1,2}(?:-[0-9]{1,2})*", re.ASCII)
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
    default="",
    help="Points before each hand, none unless given: of eldest and dealer such as 0-4 (with "
    "partners, of their sides), or of A, B, C ... such as 1-0-2.",
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

    Three to six players are A (eldest), B, C ..., clockwise; the last one deals. With --rules
    three-handed:

    \b
      A K 9 6 | B Q T 5 | C J 4 7 | AK BQ CJ A9 BT C4 B5 C7 A6

    Partners, with --rules four-handed, are 0 (dealer), 1 (eldest), 2 and 3 (their partners). First
    captain 1, then captain 0 says give or receive (0 where allowed also keep); the giver's best
    card passes by itself; 1-5 lays out a 5, 13 plays a 3:

    \b
      0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:receive 0:receive 1-5 0-4 13 02 1A 0K

    Where the rule set has misdeals, a line may begin with one, and a ruling on it:

    \b
      D:shows:E3  dealer exposes eldest's 3     then E:stand or E:redeal
      D:shows:DK  dealer exposes his own K      nothing to rule on
      D:faced     a faced card in the pack      redealt: the line ends there
      D:gives:E   eldest is dealt four cards    then E:redeal or E:draw:9
      D:gives:D   dealer has four: eldest +1    then E:redeal or E:draw:K

    A deal of Speculation has the dealer first, cards as they lie, the one to be turned in front;
    steps are cards turned and words. A spare hand and chips carried over are parts of their own,
    as in `spare 2d 3d 4d` and `pool 8`:

    \b
      A 2c 8d 4c | B Ks 6d 6c | C 9c 3c 3h | up 7s | B:offer:1 C:bid:1 B:sell C9c B6d C3c ...

    Every hand begins at --score. A refused hand does not stop the others; the exit code is then 1.
    """
    round_game = find(rules_text)
    if round_game is not None:
        from put_cli.cli import speculation

        if score_text:
            raise UsageError("--score: Speculation has no score; chips carried over are `pool 8`.")
        given = _arguments(lines) if lines else _standard_input()
        ctx.exit(speculation.judge(round_game, given, as_json=as_json))
    rules = find_ruleset(rules_text)
    score = parse_score(rules, score_text)
    hands = _arguments(lines) if lines else _standard_input()
    judged = refused = 0
    for where, line in hands:
        judged += 1
        try:
            hand = parse_hand(line)
            verdict = referee(rules, hand, score)
        except NotationError as error:
            refused += 1
            say(f"Error: {where}{error}", err=True)
        else:
            click.echo(_record(rules, hand, verdict) if as_json else _told(hand, verdict))
    if not judged:
        raise UsageError("no hand to judge: give a LINE, or one a line on standard input.")
    if refused:
        ctx.exit(1)


def parse_score(rules: RuleSet, text: str) -> Score:
    """The points of --score, by seat; nobody has any where it is empty.

    Raises:
        UsageError: it is of another form, or no hand can begin with it.
    """
    if not text:
        return no_points(rules)
    names = seat_names(rules)
    if _SCORE.fullmatch(text.strip()) is None or text.count("-") != len(names) - 1:
        example = "-".join(["0"] * (len(names) - 1) + ["4"])
        raise UsageError(f"--score: expected {'-'.join(names)} such as {example}, got {text!r}.")
    score = tuple(map(int, text.split("-")))
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
    texts = hand.step_texts()
    width = max(map(len, texts))
    return "\n".join(
        (
            hand.text(),
            *(
                f"  {text:<{width}}  {told}"
                for text, told in zip(texts, verdict.steps, strict=True)
            ),
            f"  {verdict.result}",
            f"  score {_score(verdict.score_before)} -> "
            f"{'the game' if verdict.outright else _score(verdict.score_after)}",
        )
    )


def _score(score: Score) -> str:
    return "-".join(map(str, score))

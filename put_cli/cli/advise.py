"""put advise: what to do in a situation, and what every action is worth."""

import json
from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import policy_option, rules_option, threads_option
from put_cli.cli.printing import say


@click.command(
    epilog="""\b
Examples:
  put advise "E 3 8 5"
  put advise --score 2-4 "D K 5 2 | E7"
  put advise --score 4-4 "D A 9 4 | E:put"
  put advise --against "bold(sees=7)" "E 9 7 5"
  put advise --rules hoyle --policy hoyle.policy --json "E A 7 4 | EA D9" """
)
@click.argument("line")
@rules_option()
@click.option(
    "--score",
    "score_text",
    default="0-0",
    show_default=True,
    help="Points of eldest and dealer before the hand, such as 2-4.",
)
@click.option(
    "--legs",
    "legs_text",
    default="0-0",
    show_default=True,
    help="In a rubber: games won by eldest and dealer before this one.",
)
@policy_option()
@click.option(
    "--against",
    metavar="STRATEGY",
    help="Answer this strategy as well as can be, instead of playing the solution.",
)
@threads_option(" for --against")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    line: str,
    rules_text: str,
    score_text: str,
    legs_text: str,
    policy: Path | None,
    against: str | None,
    threads: int | None,
    as_json: bool,
) -> int:
    """What to do in the situation of LINE, and what every action is worth.

    LINE is a hand so far: your cards (E for eldest, D for the dealer), then what has been done
    and said: 'D K 5 2 | E7' is the dealer's decision after eldest has led a 7. A line with the
    cards of both is read too; only those of whoever acts next are looked at.

    An action is worth the chance of winning the game with it, the opponent playing the solution
    (or, with --against, the way he plays) and you as well as can be from there on.
    """
    if policy is not None and against is not None:
        raise click.UsageError("--policy and --against exclude each other: one opponent, please.")
    from put_cli.cli.judge import parse_score
    from put_cli.rules.finding import find_ruleset
    from put_cli.solve.advice import adviser_of, solution_of
    from put_cli.solve.chain import Score
    from put_cli.solve.known import read_situation
    from put_cli.solve.tree import check_solvable

    rules = find_ruleset(rules_text)
    check_solvable(rules)
    eldest, dealer = parse_score(rules, score_text)
    score = Score(eldest, dealer, *_parse_legs(legs_text))
    situation = read_situation(rules, line, score)
    if against is None:
        adviser = adviser_of(solution_of(rules, policy), rules)
        opponent = "the solution"
    else:
        from put_cli.solve.against import adviser_against

        adviser, opponent = adviser_against(rules, against, threads, (score,))
    advice = adviser.advise(situation)
    if as_json:
        record = {
            "rules": rules.name,
            "score": [score.eldest, score.dealer],
            "legs": [score.eldest_legs, score.dealer_legs],
            "against": against,
            "line": line,
            **advice.plain(),
        }
        click.echo(json.dumps(record, ensure_ascii=False))
    else:
        say("\n".join(_told(adviser, advice, score, opponent)))
    return 0


def _parse_legs(text: str) -> tuple[int, int]:
    eldest, minus, dealer = text.partition("-")
    if not (minus and all(each.isascii() and each.isdigit() for each in (eldest, dealer))):
        raise click.UsageError(f"--legs: expected eldest-dealer such as 0-1, got {text!r}.")
    if max(len(eldest), len(dealer)) > 9:
        raise click.UsageError(f"--legs: expected games won, got {text!r}.")
    return int(eldest), int(dealer)


def _per_cent(share: float) -> str:
    """With two digits that count, and no more zeros than people read."""
    return f"{100 * share:.2g}" if share < 0.1 else f"{100 * share:.0f}"


def _told(adviser: Any, advice: Any, score: Any, opponent: str) -> list[str]:
    """The advice in words."""
    what = "rubber" if adviser.rules.rubber > 1 else "game"
    lines = [
        f"{adviser.rules.name}, {score} (eldest-dealer): {advice.seat}, holding {advice.held}.",
        f"{'action':<8}{'solution' if adviser.solved else '':>10}{f'wins the {what}':>18}"
        f"{'costs':>10}",
    ]
    for option in advice.options:
        share = ""
        if adviser.solved:
            share = "-" if option.share is None else f"{100 * option.share:.1f} %"
        cost = "" if option is advice.best else f"{100 * option.cost:.2f} %"
        lines.append(
            f"{option.action:<8}{share:>10}{100 * option.worth:>16.2f} %{cost:>10}".rstrip()
        )
    lines.append(
        f"Against {opponent}; chances hold to about ±{_per_cent(advice.margin)} %."
        if adviser.solved
        else f"Against {opponent}, who is answered as well as can be."
    )
    if adviser.solved and any(option.share is None for option in advice.options):
        lines.append(f"The solution itself never gets there as {advice.seat} with these cards.")
    if not advice.expected:
        lines.append(
            f"{opponent[:1].upper()}{opponent[1:]} never does what the opponent did here, whatever "
            "its cards: that counts as a slip, which any cards could have made."
        )
    return lines

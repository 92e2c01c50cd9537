"""put solve: an equilibrium of a rule set, with its certificate."""

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from put_cli.cli.options import rules_option, threads_option
from put_cli.cli.stopping import STOPPED

_LABEL, _CELL, _WIDTH = 17, 5, 79
"""Columns of the tables of openings, of each of their cells, and of a sentence below."""


def _share(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if not 0 < value < 1:  # not a number is none either
        raise click.BadParameter(f"expected a share of the games between 0 and 1, got {value:g}.")
    return value


@click.command(
    epilog="""\b
Examples:
  put solve --rules cotton -o cotton.policy
  put solve --rules "hoyle(target=3)" -o short.policy --gap 0.0003
  put solve --table
  put solve --check short.policy"""
)
@rules_option()
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write; a file begun before is gone on with.",
)
@click.option(
    "--gap",
    callback=_share,
    type=float,
    default=0.001,
    show_default=True,
    help="The certified gap to stop at: how far apart at most the chance that the solution "
    "guarantees and the chance it allows are, at 0-0.",
)
@click.option(
    "--check",
    "checked",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    help="Certify a policy file anew, by best responses, and do nothing else. Without FILE that "
    "of the --rules: RULES.policy in this folder, or the one that comes with the program.",
)
@click.option(
    "--table",
    "shown",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    help="Print what every score is worth and how the solution opens, from a policy file, and do "
    "nothing else. Without FILE as with --check.",
)
@threads_option()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(
    rules_text: str,
    out: Path | None,
    gap: float,
    checked: str | None,
    shown: str | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Solve a game of two: what both should do in every situation, and what the game is worth.

    The solution is certified: best responses against it bracket the value of the game. Ctrl-C
    keeps the scores that are solved; the same command goes on from there.
    """
    if sum(each is not None for each in (out, checked, shown)) != 1:
        raise click.UsageError("expected one of -o FILE, --check FILE and --table FILE.")
    if checked is not None:
        return _check(_file(checked, rules_text), threads, as_json)
    if shown is not None:
        return _table(_file(shown, rules_text), as_json)
    assert out is not None
    return _solve(rules_text, out, gap, threads, as_json, quiet)


def _solve(
    rules_text: str, out: Path, gap: float, threads: int | None, as_json: bool, quiet: bool
) -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    import numpy as np

    from put_cli.errors import PutError
    from put_cli.rules.files import stamp
    from put_cli.rules.finding import find_ruleset
    from put_cli.solve import policy_file
    from put_cli.solve.room import room
    from put_cli.solve.solver import Progress, Solver

    rules = find_ruleset(rules_text)
    policy_file.check_place(out)
    started = time.monotonic()
    with (
        room(rules, threads=threads, dtype=np.float32) as (chain, rough),
        room(rules, threads=threads) as (_, exact),
    ):
        solver = Solver(chain, rough, exact, policy_file.read(out, chain) if out.exists() else {})

        def report(progress: Progress) -> None:
            if not quiet:
                scores = " ".join(map(str, progress.scores[:4]))
                click.echo(
                    f"{progress.done:>3} of {progress.total} scores; {scores}: "
                    f"{progress.iterations:>4} iterations, gap {progress.gap:.1e}, "
                    f"{time.monotonic() - started:.0f} s",
                    err=True,
                )

        before, written = len(solver.solved), stamp(out)
        try:
            for _ in solver.solve(gap, report):
                if stamp(out) != written:
                    raise PutError(
                        f"{out} has been written by another process meanwhile: expected to be the "
                        "only one that solves into it. Stop one of them, or name another file."
                    )
                policy_file.write(out, chain, solver.solved)
                written = stamp(out)
        except KeyboardInterrupt:
            done = len(solver.solved)
            kept = f"are solved and kept in {out}. The same command goes on."
            what = f"{done} of {len(chain.scores)} scores {kept}" if done else "nothing is solved."
            click.echo(f"Stopped: {what}", err=True)
            return STOPPED
        _print_values(chain, solver.solved, as_json)
    if solver.gap > gap:
        again = (
            "Its scores were solved for a wider one; the same with another file comes nearer"
            if before == len(chain.scores)
            else "A smaller --gap, into another file, comes nearer"
        )
        raise PutError(
            f"the gap of {out} is {solver.gap:.1e}, more than the {gap:g} asked for. {again}."
        )
    return 0


def _file(given: str, rules_text: str) -> Path:
    """The policy file of that name; of none the one that belongs to the rules."""
    from put_cli.rules.finding import find_ruleset
    from put_cli.solve.advice import solution_of

    return Path(given) if given else solution_of(find_ruleset(rules_text))


def _check(path: Path, threads: int | None, as_json: bool) -> int:
    """Certify a file, and compare with what it says of itself."""
    from put_cli.errors import PutError
    from put_cli.solve import policy_file
    from put_cli.solve.response import certificate
    from put_cli.solve.room import room
    from put_cli.solve.stored import as_played

    rules = policy_file.rules_of(path)
    with room(rules, threads=threads) as (chain, board):
        solved = _whole(path, chain)
        low, high = certificate(chain, board, lambda n: as_played(board, solved[n].policy))
    for number, each in solved.items():
        if abs(low[number] - each.low) > 1e-6 or abs(high[number] - each.high) > 1e-6:
            raise PutError(
                f"{path}: at {each.score} the file claims {each.low:.6f} to {each.high:.6f}, but "
                f"best responses show {low[number]:.6f} to {high[number]:.6f}."
            )
    _print_values(chain, solved, as_json, answers=policy_file.answers_of(path))
    return 0


def _table(path: Path, as_json: bool) -> int:
    from put_cli.solve import policy_file
    from put_cli.solve.chain import chain_of
    from put_cli.solve.opening import openings
    from put_cli.solve.places import Map
    from put_cli.solve.tree import grow
    from put_cli.solve.weighing import Plan

    chain = chain_of(grow(policy_file.rules_of(path)))
    solved = _whole(path, chain)
    plan = Plan(Map(chain.tree), policy_file.read_policy(path, chain, 0))
    _print_values(chain, solved, as_json, openings(plan), policy_file.answers_of(path))
    return 0


def _whole(path: Path, chain: Any) -> Any:
    from put_cli.errors import PutError
    from put_cli.solve import policy_file

    solved = policy_file.read(path, chain)
    if len(solved) < len(chain.scores):
        raise PutError(
            f"{path} holds {len(solved)} of {len(chain.scores)} scores: the solution is not "
            f"finished. Go on with 'put solve --rules \"{chain.tree.rules.name}\" -o {path}'."
        )
    return solved


def _print_values(
    chain: Any, solved: Any, as_json: bool, openings: Any = (), answers: tuple[str, ...] = ()
) -> None:
    """What every score is worth to eldest, how the policy opens, and whom it answers."""
    rules = chain.tree.rules
    start = solved[0]
    if as_json:
        rows = [
            {
                "eldest": each.score.eldest,
                "dealer": each.score.dealer,
                "eldest_games": each.score.eldest_legs,
                "dealer_games": each.score.dealer_legs,
                "low": each.low,
                "high": each.high,
                "iterations": each.iterations,
            }
            for _, each in sorted(solved.items())
        ]
        record = {"rules": rules.name, "gap": start.high - start.low, "scores": rows}
        record |= {"answers": answers} if answers else {}
        record |= {"opening": [each.plain() for each in openings]} if openings else {}
        click.echo(json.dumps(record, ensure_ascii=False))
        return
    what = "rubber" if rules.rubber > 1 else "game"
    lines = [f"Eldest's chance of winning the {what} at {rules.name}, by score (eldest-dealer):"]
    if answers:
        lines.insert(0, f"No solution: the best answer to {', '.join(answers)}.")
    if rules.rubber == 1:
        lines.append("eldest \\ dealer" + "".join(f"{n:>9}" for n in range(rules.target)))
        by_score = {(each.score.eldest, each.score.dealer): each for each in solved.values()}
        for eldest in range(rules.target):
            cells = "".join(
                f"{(s.low + s.high) / 2:>9.4f}"
                if (s := by_score.get((eldest, dealer))) is not None
                else f"{'-':>9}"
                for dealer in range(rules.target)
            )
            lines.append(f"{eldest:>15}{cells}")
    lines.append(
        f"At 0-0 it lies between {start.low:.6f} and {start.high:.6f} (certified by best "
        f"responses): the gap is {start.high - start.low:.2e}."
    )
    for opening in openings:
        lines += ["", *_opening(opening)]
    click.echo("\n".join(lines))


_GLUE = "\N{NO-BREAK SPACE}"
"""Between the cards of a hand while lines are filled."""

_CASES = {"eldest": "his best card", "dealer": "the lead"}


def _opening(opening: Any) -> Iterator[str]:
    """The first decision of a seat: a column for every case, with percentages."""
    case = _CASES[opening.seat]
    who = "the dealer" if opening.seat == "dealer" else opening.seat
    yield f"How {who} begins at 0-0, by {case}, in % of such hands:"
    yield f"{case:<{_LABEL}}" + "".join(f"{row.rank:>{_CELL}}" for row in opening.rows)
    yield f"{'comes up':<{_LABEL}}" + "".join(_percent(row.share) for row in opening.rows)
    for what in opening.rows[0].does:
        cells = (_percent(row.does[what]) for row in opening.rows)
        yield f"{what:<{_LABEL}}" + "".join(cells)
    hands = (f"{hand} ({100 * share:.0f} %)" for hand, share in opening.puts.items())
    puts = ", ".join(hand.replace(" ", _GLUE) for hand in hands)
    if puts:
        lines = wrap(f"Puts most often with {puts}.", _WIDTH)
        yield from (line.replace(_GLUE, " ") for line in lines)


def _percent(share: float) -> str:
    text = f"{100 * share:.0f}" if share >= 0.0995 or share == 0 else f"{100 * share:.1f}"
    return f"{text if share else '-':>{_CELL}}"

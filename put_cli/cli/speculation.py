"""What the commands do for Speculation: each finds its own way here when the rules, the run or the
strategy are of that game."""

import json
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from put_cli.cli.printing import say, show_standings
from put_cli.errors import NotationError, UsageError


def standings(made: Any, run: Path, form: str, anchor: tuple[str, float] | None) -> None:
    """Print the standings of a run, computed again from its log."""
    from put_cli.speculation.outcome import rate, result

    table = rate(made, anchor)
    show_standings(form, table, lambda: result(made, table, run))


def plan(made: Any, chips: float) -> Any:
    """How many sessions of each table of a run give a precision, as a table."""
    from put_cli.report.plan import Pace, precision_plan
    from put_cli.speculation.comparison import chips_pilot
    from put_cli.speculation.outcome import rate
    from put_cli.tournament import rounds
    from put_cli.tournament.pace import seconds_per_game
    from put_cli.tournament.workers import available_cores

    schedule = rounds.read(made)
    if schedule.games is None:
        raise UsageError("put plan: expected a run whose tables all have as many sessions.")
    pace = Pace(
        tables=len(schedule.all_tables()),
        seconds_per_game=seconds_per_game(made.run),
        workers=available_cores(),
    )
    return precision_plan(chips_pilot(rate(made), schedule.games), chips, pace)


def judge(rules: Any, lines: Iterable[tuple[str, str]], *, as_json: bool) -> int:
    """Referee deals in notation, each with its place for an error message; the exit code."""
    from dataclasses import asdict

    from put_cli.speculation.notation import parse
    from put_cli.speculation.referee import referee

    judged = refused = 0
    for where, line in lines:
        judged += 1
        try:
            deal = parse(line)
            verdict = referee(rules, deal)
        except NotationError as error:
            refused += 1
            say(f"Error: {where}{error}", err=True)
            continue
        if as_json:
            click.echo(json.dumps({"rules": rules.name, "deal": str(deal)} | asdict(verdict)))
        else:
            steps = "".join(f"  {step}\n" for step in verdict.steps)
            click.echo(f"{deal}\n{steps}  {verdict.result}")
    if not judged:
        raise UsageError("no deal to judge: give a LINE, or one a line on standard input.")
    return 1 if refused else 0


def replay(
    made: Any,
    key: Callable[[list[str], int], tuple[int, int, int, int]],
    deal: int | None,
    *,
    as_json: bool,
) -> None:
    """Tell a logged session; `key` finds it among the names and players of the run."""
    from put_cli.speculation.outcome import find_session
    from put_cli.speculation.transcript import tell

    rules = made.any_rules
    game, deals = find_session(made, *key(made.names, rules.players))
    if deal is not None:
        deals = [row for row in deals if row["deal"] == deal]
        if not deals:
            raise UsageError(f"--hand: deals of that session: {game['deals']}, from 0; got {deal}.")
    if as_json:
        click.echo(json.dumps({"game": game, "deals": deals}, ensure_ascii=False))
        return
    for line in tell(rules, game, deals):
        click.echo(line)
    if not deals:
        click.echo("(the run kept no deals: --log was not hands)", err=True)


def play(settings: Any, against: Sequence[str], terminal: Any) -> int:
    """Seat a person at a table of strategies, and log what was played; the exit code."""
    from put_cli.report.tables import printable
    from put_cli.speculation.evening import evening, keep, sit_down

    prepared = sit_down(settings, against)
    met = evening(prepared, terminal)
    others = ", ".join(printable(name) for name in met.names[1:])
    terminal.say(
        f"{settings.rules.name} against {others}, seed {settings.seed}. "
        "? tells what you may do, q leaves."
    )
    interrupted = False
    try:
        sessions = met.play(settings.games)
    except KeyboardInterrupt:
        sessions, interrupted = met.finished, True
    terminal.say()
    finished = keep(prepared, met, sessions)
    if finished is None:
        terminal.say("No session is finished: nothing is kept.")
    else:
        told = ", ".join(
            f"{name} {chips:+d}" for name, chips in zip(met.names, met.totals, strict=True)
        )
        terminal.say(f"Chips over {sessions} of {settings.games} sessions: {told}.", bold=True)
        last = f" --game 0/0/0/{sessions - 1}" if sessions > 1 else ""
        terminal.show(f"To hear it again: put replay {shlex.quote(str(prepared.shown))}{last}")
    if interrupted:
        return 130
    return 3 if met.faults else 0

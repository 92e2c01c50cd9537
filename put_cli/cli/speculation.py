"""What the commands do for Speculation: each finds its own way here when the rules, the run or the
strategy are of that game."""

import json
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import of_another_game
from put_cli.errors import NotationError, UsageError
from put_cli.speculation.rules import NAME as SPECULATION

LARGE_BYTES = 200_000_000
"""A log expected to be larger is announced before the run starts."""


def tournament(prepared: Any, *, as_json: bool, quiet: bool, stopped: int) -> int:
    """Play a prepared run, print the result, and return the exit code; `stopped` when it was."""
    from put_cli.cli.progress import Progress
    from put_cli.report.tables import printable
    from put_cli.speculation.run import play
    from put_cli.speculation.text import standings_text
    from put_cli.tournament.run import TooManyFaults

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    try:
        for message in prepared.left_out:
            click.echo(f"Left out: {message}", err=True)
        note(_opening(prepared))
        if prepared.expected_bytes > LARGE_BYTES:
            size = prepared.expected_bytes / 1e9
            note(f"The log will take about {size:.1f} GB; --log games or none is smaller.")
        with Progress(prepared.plan.total_games, quiet=quiet) as progress:
            finished = play(prepared, progress.add)
    except (KeyboardInterrupt, TooManyFaults) as end:
        click.echo(_stopped(prepared), err=True)
        if isinstance(end, TooManyFaults):
            raise
        return stopped
    if as_json:
        click.echo(json.dumps(finished.plain(), ensure_ascii=False))
    else:
        click.echo(standings_text(finished.standings, _width()), nl=False)
    note(
        f"{finished.deals:,} deals in {finished.seconds:.1f} s "
        f"({finished.deals / finished.seconds / 1e6:.2f} million a second, standings included).\n"
        f"Log, tables and data dictionary: {prepared.shown}"
    )
    if finished.differences:
        click.echo(
            f"Warning: compiled and interpreted play differ (noticed {finished.differences}); "
            f"see {prepared.shown / 'run.log'}.",
            err=True,
        )
    if finished.faults:
        click.echo(
            f"Sessions with a fault: {finished.faults:,}. {printable(finished.example)}\n"
            f"All are in the games log, and {prepared.shown / 'run.log'} tells of some.",
            err=True,
        )
        return 3
    return 0


def _opening(prepared: Any) -> str:
    from put_cli.report.tables import counted

    plan, rules = prepared.plan, prepared.rules
    tiers = [each.tier for each in prepared.workshop.contestants]
    kinds = ", ".join(f"{tiers.count(tier)} {tier}" for tier in dict.fromkeys(tiers))
    return of_another_game(prepared.settings.strategies, SPECULATION) + (
        f"{rules.name}: {plan.strategies} strategies ({kinds}), "
        f"{counted(plan.table_count, 'table')} of {plan.sides}, {counted(plan.games, 'session')} "
        f"of {counted(rules.deals_a_session, 'deal')} each, seed {prepared.settings.seed}"
    )


def _stopped(prepared: Any) -> str:
    from put_cli.log.reader import committed

    done = len(committed(prepared.run, prepared.workshop.order.fingerprint))
    total = len(prepared.workshop.shards)
    told = f"Stopped: {done} of {total} parts are finished and kept in {prepared.shown}."
    if done:
        told += f"\nFor the standings so far: put standings {shlex.quote(str(prepared.shown))}"
    return told


def standings(run: Path, form: str, anchor: tuple[str, float] | None) -> None:
    """Print the standings of a run, computed again from its log."""
    from put_cli.log import manifest
    from put_cli.speculation import text
    from put_cli.speculation.run import rate, result

    table = rate(run, anchor)
    match form:
        case "json":
            click.echo(json.dumps(result(manifest.read(run), table, run), ensure_ascii=False))
        case "markdown":
            click.echo(text.standings_markdown(table), nl=False)
        case "csv":
            click.echo(text.standings_csv(table), nl=False)
        case _:
            click.echo(text.standings_text(table, _width()), nl=False)


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
            click.echo(f"Error: {where}{error}", err=True)
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
    from put_cli.speculation.run import find_session, form_of
    from put_cli.speculation.transcript import tell

    rules = form_of(made).rules
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


def _width() -> int:
    return shutil.get_terminal_size((80, 24)).columns


def play(rules: Any, against: Sequence[str], games: int, seed: int | None, terminal: Any) -> int:
    """Seat a person at a table of strategies; the exit code."""
    from put_cli.plugins.discovery import another_game, load
    from put_cli.report.tables import printable
    from put_cli.speculation import Speculator
    from put_cli.speculation.person import Evening
    from put_cli.tournament.settings import random_seed

    loaded = [load(text) for text in against]
    for each in loaded:
        if not isinstance(each.strategy, Speculator):
            raise UsageError(another_game(each, SPECULATION))
    others = rules.players - 1
    if len(loaded) not in (1, others):
        raise UsageError(
            f"--against: {rules.name} is played against {others} others: give one strategy for "
            f"all, or {others}; got {len(loaded)}."
        )
    seated = loaded * others if len(loaded) == 1 else loaded
    several = [each.name for each in seated]
    names = [n if several.count(n) == 1 else f"{n} {k}" for k, n in enumerate(several, start=1)]
    chosen = random_seed() if seed is None else seed
    terminal.say(
        f"{rules.name} against {', '.join(map(printable, names))}, seed {chosen}. "
        "? tells what you may do, q leaves."
    )
    players = [s for each in seated if isinstance(s := each.strategy, Speculator)]
    evening = Evening(rules, list(zip(names, players, strict=True)), chosen, terminal)
    finished = evening.play(games)
    terminal.say()
    if finished:
        told = ", ".join(
            f"{name} {chips:+d}" for name, chips in zip(evening.names, evening.totals, strict=True)
        )
        terminal.say(f"Chips over {finished} of {games} sessions: {told}.", bold=True)
    return 0

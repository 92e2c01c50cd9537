"""What the commands do for Speculation: each finds its own way here when the rules, the run or the
strategy are of that game."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from put_cli.cli.printing import say, show_standings
from put_cli.errors import NotationError, UsageError
from put_cli.speculation.rules import NAME as SPECULATION


def standings(made: Any, run: Path, form: str, anchor: tuple[str, float] | None) -> None:
    """Print the standings of a run, computed again from its log."""
    from put_cli.speculation.outcome import rate, result

    table = rate(made, anchor)
    show_standings(form, table, lambda: result(made, table, run))


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

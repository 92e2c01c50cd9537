"""put exact: the exact chance that one strategy beats another."""

import json
from dataclasses import asdict

import click

from put_cli.cli.options import rules_option, threads_option
from put_cli.cli.printing import say


@click.command(
    epilog="""\b
Examples:
  put exact thrifty highest
  put exact "bluffer(bluff=0.3)" odds --rules hoyle
  put exact ./my_bot.py bold --json"""
)
@click.argument("a")
@click.argument("b")
@rules_option()
@threads_option()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(a: str, b: str, rules_text: str, threads: int | None, as_json: bool) -> int:
    """The exact chance that A beats B: every deal with its weight, nothing sampled.

    For strategies without memory, in games of two players.
    """
    from put_cli.cli.progress import watched
    from put_cli.engine.players import enlist
    from put_cli.plugins.code_store import DiskStore
    from put_cli.plugins.discovery import load
    from put_cli.rules.finding import find_ruleset
    from put_cli.solve.exact import exactly
    from put_cli.solve.meeting import GRID
    from put_cli.solve.players import check_memoryless, reads
    from put_cli.solve.room import room

    rules = find_ruleset(rules_text)
    with room(rules, classes=False, threads=threads) as (chain, board):
        players = []
        for text in (a, b):
            loaded = load(text)
            players.append(enlist(loaded.name, loaded.strategy, DiskStore()))
            check_memoryless(players[-1])
        result = exactly(chain, board, players[0], players[1], watched)
    first, second = (each.name for each in players)
    if as_json:
        record = {"rules": rules.name, "a": first, "b": second, **asdict(result)}
        click.echo(json.dumps(record, ensure_ascii=False))
        return 0
    what = "rubber" if rules.rubber > 1 else "game"
    lines = [
        f"{first} beats {second} at {rules.name}: {result.wins:.6f} of a {what}",
        f"  when {second} deals first    {result.wins_as_eldest:.6f}",
        f"  when {first} deals first    {result.wins_as_dealer:.6f}",
        f"  hands a {what} {result.hands:.4f}, points a hand {result.points:.4f}, "
        f"drawn hands {100 * result.drawn:.3f} %",
        f"  puts a hand {result.puts:.4f}, seen puts a hand {result.seen:.4f}",
    ]
    lucky = [each.name for each in players if reads(each, "luck")]
    if lucky:
        lines.append(
            f"Luck of {' and '.join(lucky)}: looked at in {GRID} points, changes between two of "
            "them found to 2^-53."
        )
    say("\n".join(lines))
    return 0

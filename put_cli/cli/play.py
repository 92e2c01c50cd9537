"""put play: a person at the terminal against a strategy."""

import io
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import policy_option, rules_option


@click.command(
    epilog="""\b
Examples:
  put play
  put play --against "bold(sees=7)" --rules hoyle --games 3
  put play --against ./my_bot.py --seed 7 --out evening
  put play --coach --policy cotton.policy
  put play --rules four-handed --partner thrifty --against bold
  put play --rules three-handed --against bold --against odds
  put play --rules "speculation(players=4)" --against fair"""
)
@click.option(
    "--against",
    multiple=True,
    default=("odds",),
    metavar="STRATEGY",
    help="Who plays against you: a name, a file, parameters in brackets; odds unless given, at "
    "Speculation fair. With three and more players give one for each, clockwise, or one for all.",
)
@click.option(
    "--partner",
    metavar="STRATEGY",
    help="Who plays with you in four-handed games; who plays against you unless given.",
)
@rules_option()
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    help="Games in the match.",
)
@click.option("--seed", type=int, help="Seed of all chance; random when not given.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="Run directory, new or empty; runs/<time>-<rules> unless given.",
)
@click.option(
    "--coach",
    "coached",
    is_flag=True,
    help="Hear after every decision what the solution of the game does, and what yours costs; "
    "? tells it before. For two players, with a file of 'put solve'.",
)
@policy_option()
def command(
    against: tuple[str, ...],
    partner: str | None,
    rules_text: str,
    games: int,
    seed: int | None,
    out: Path | None,
    coached: bool,
    policy: Path | None,
) -> int:
    """Play a match against strategies at the terminal, with any rule set.

    Type the rank of a card (T or 10 is ten), or a word such as put, see, throw, or its first
    letter. `?` tells what may be done and what it would mean, `rules` explains the rule set, `q`
    or the end of input leaves.
    Where t may be ten or throw, or q queen or leaving, a capital is the card and the whole word
    (throw, quit) is the word.

    The match is logged like a tournament. Leaving keeps what was played; a game under way then is
    lost by forfeit; a session of Speculation under way is not counted. Speculation is played
    against fair unless others are named.
    Without a terminal the answers are read from standard input, one a line.
    """
    from put_cli.errors import UsageError
    from put_cli.person import match
    from put_cli.person.terminal import Terminal
    from put_cli.report.tables import printable
    from put_cli.rules.finding import find_ruleset
    from put_cli.rules.ruleset import RuleSet
    from put_cli.speculation.rules import find
    from put_cli.tournament.settings import Settings, random_seed

    for name in ("SIGTERM", "SIGHUP"):  # a terminal that goes away: keep what was played
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    terminal = Terminal(sys.stdin or io.StringIO(), sys.stdout)  # it may have been closed
    round_game = find(rules_text)
    rules = round_game or find_ruleset(rules_text)
    settings = Settings(
        strategies=(),
        rules=rules,
        games=games,
        seed=random_seed() if seed is None else seed,
        match_games=games,
        mirror=False,
        out=out,
        tier="interpreted",
        command=("put", *sys.argv[1:]),
    )
    if round_game is not None:
        from put_cli.cli import speculation

        if partner or coached or policy:
            raise UsageError(
                "--partner, --coach and --policy: Speculation has neither partners nor a solution."
            )
        return speculation.play(settings, ("fair",) if against == ("odds",) else against, terminal)
    assert isinstance(rules, RuleSet)
    coach = None
    if coached:
        from put_cli.solve.coach import coach_of

        coach = coach_of(rules, policy)
    prepared = match.sit_down(settings, against, partner, terminal, coach)
    _, *others = prepared.workshop.contestants
    several = f", {games:,} games" if games > 1 else ""
    names = " and ".join(printable(each.name) for each in others)
    beside = prepared.workshop.contestants[0].partner
    partners = f" with {printable(beside.name)}" if beside else ""
    terminal.say(
        f"{rules.name} to {rules.target}{partners} against {names}{several}, seed "
        f"{settings.seed}. ? tells what you may do, q leaves."
    )
    if terminal.interactive and not is_compiled(rules):
        terminal.say("The first time on a machine the engine is compiled: half a minute.")
    met = match.play(prepared)
    return _close(terminal, prepared, met)


def is_compiled(rules: Any) -> bool:
    """Whether the engine's code for a rule set is kept ready on this machine."""
    from put_cli.engine.compiled import kernel_digest
    from put_cli.engine.kernel import all_kernels, kernel_of
    from put_cli.plugins.code_store import DiskStore

    ours = kernel_of(rules)
    name = next(name for name, kernel in all_kernels().items() if kernel is ours)
    return DiskStore().load(kernel_digest(name)) is not None


def _close(terminal: Any, prepared: Any, met: Any) -> int:
    """Tell how it ended and where it is kept; the exit code."""
    from put_cli.report.tables import printable

    terminal.say()
    if met.finished is None:
        terminal.say("You leave before anything is played: nothing is kept.")
    else:
        if met.forfeited:
            terminal.say("You leave: the game under way is lost by forfeit.")
        mine, *others = [each.name for each in prepared.workshop.contestants]
        lines = {line.name: line for line in met.finished.standings.strategies}
        won = {name: line.wins for name, line in lines.items()}
        unplayed = sum(line.forfeits for line in lines.values())
        for name in others:
            if lines[name].forfeits:
                terminal.say(_forfeited(printable(name), lines[name].forfeits))
        side = "your side" if prepared.settings.rules.partners else "you"
        told = ", ".join(f"{printable(name)} {won[name]}" for name in others)
        terminal.say(f"Games won: {side} {won[mine]}, {told}.", bold=True)
        run, last = shlex.quote(str(prepared.shown)), sum(won.values()) - unplayed - 1
        terminal.show(
            f"To hear it again: put replay {run}" + (f" --game 0/0/0/{last}" if last else "")
        )
    if met.faults:
        terminal.say(f"A fault: {printable(met.finished.example)}", colour="yellow")
    if met.broken is not None:
        raise met.broken
    if met.interrupted:
        return 130
    return 3 if met.faults else 0


def _forfeited(name: str, games: int) -> str:
    rest = "a game" if games == 1 else f"{games:,} games"
    return f"{name} forfeits the rest of the match: {rest} that nobody plays count as yours."

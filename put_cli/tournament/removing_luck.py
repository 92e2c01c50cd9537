"""The luck of the deal of a run, learnt from its log and taken off its ratings."""

from pathlib import Path

from put_cli.errors import UsageError
from put_cli.log import manifest, reader
from put_cli.log.deals import games_of_two
from put_cli.stats.deal_luck import DealLuck
from put_cli.stats.luck_removed import LuckRemoved, LuckyGames, luck_removed
from put_cli.stats.sums import Sums
from put_cli.stats.watch import Ruling
from put_cli.tournament import rounds
from put_cli.tournament.outcome import precision_of
from put_cli.tournament.parts import Watch, unwatched

MOST_PAIRINGS = 2000
"""What deals are worth in so many takes about 1 GB to learn."""


def obstacle(made: manifest.Manifest, ruling: Ruling | None) -> str | None:
    """Why the luck of the deal cannot be taken off the results of a run; None where it can."""
    if made.rules.players > 2:
        return "with more than two at a table the worth of a deal is not learnt"
    if made.rules.partners:
        return "partners choose what to play with, so the worth of a deal is not learnt"
    if made.rules.misdeals:
        return "after a misdeal the cards are no longer all equally likely"
    n = len(made.strategies)
    if n * (n - 1) // 2 > MOST_PAIRINGS:
        return f"with more than {MOST_PAIRINGS:,} pairings it would take too much memory"
    if precision_of(made) is not None:
        return "how many games a pairing played depended on its results (--until)"
    if made.log != "hands":
        return "the run logged no hands (--log hands does)"
    if ruling is not None and ruling.verdict:
        return "when the match stopped depended on luck, so its mean is not zero"
    return None


def remove_luck(run: Path, ruling: Ruling | None, watch: Watch = unwatched) -> LuckRemoved:
    """Read a run and take off the luck of the deal; its hands are read three times.

    `ruling`: of the sequential test it was played by, if it was.

    Raises:
        UsageError: there is an `obstacle`.
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    why = obstacle(made, ruling)
    if why:
        raise UsageError(f"--luck-removed: the luck of the deal cannot be taken off: {why}.")
    tables = rounds.read(made).all_tables()
    sums = Sums.of(reader.tallies(made), tables)
    luck = DealLuck(made.rules, len(tables))
    number = luck.classes.number
    found = LuckyGames(len(tables), len(sums.won), made.match_games)
    with reader.counting(made, "hands"):
        for games in watch(games_of_two(made, tables, number), None):
            luck.count(games)
        for games in watch(games_of_two(made, tables, number), None):
            luck.learn(games)
        for games in watch(games_of_two(made, tables, number), None):
            found.add(games, luck.of(games))
    memory = [each["memory"] for each in made.strategies]
    return luck_removed(sums, found, made.names, memory)

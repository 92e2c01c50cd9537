"""What came of a run, computed from its log: the standings, and how a test that ends it stands."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest, reader
from put_cli.report import text
from put_cli.stats.sequential import SequentialTest
from put_cli.stats.standings import Standings, standings
from put_cli.stats.tally import Rows, up_to
from put_cli.stats.watch import Ruling, Watch
from put_cli.tournament.schedule import Plan


def rate(run: Path, anchor: tuple[str, float] | None = None) -> Standings:
    """The standings of a run, computed from its log, part by part.

    `anchor`: a strategy and the rating it is to have.

    Raises:
        UsageError: the anchor is no strategy of the run, or has no rating estimate.
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    ruling = _ruling(made)
    parts: Iterable[Rows] = reader.tallies(run, made.form, made.plan["fingerprint"])
    if ruling and ruling.verdict:  # what was played beyond it does not count
        parts = (up_to(part, ruling.blocks) for part in parts)
    table = standings(
        parts,
        names=made.names,
        memory=[each["memory"] for each in made.strategies],
        pairs=plan_of(made).all_tables(),
        anchor=anchor,
        ruling=ruling,
    )
    if not table.games:
        raise RunError(f"{str(run)!r} has no finished part yet: there is nothing to rate.")
    return table


def _watch(made: manifest.Manifest) -> Watch | None:
    """The sequential test that a run stops by, before its first game."""
    facts = made.plan.get("sprt")
    if facts is None:
        return None
    try:
        test = SequentialTest(**facts)
    except (TypeError, ValueError) as error:
        raise RunError(f"{made.path}: rounds: sprt: {error}") from None
    memory = any(each["memory"] for each in made.strategies)
    return Watch(test, mirror=made.plan["mirror"], memory=memory)


def _ruling(made: manifest.Manifest) -> Ruling | None:
    """How the sequential test of a run stands, by its log."""
    watch = _watch(made)
    if watch is None:
        return None
    for part in reader.tallies(made.run, made.form, made.plan["fingerprint"]):
        if watch.follow(part):
            break
    return watch.ruling()


def decided(run: Path) -> Callable[[int], bool]:
    """A function that hears of each finished shard, and says when the run may stop.

    Shards finish in any order; they count in the order of the schedule.
    """
    made = manifest.read(run)
    watch = _watch(made)
    finished: set[int] = set()
    due = 0

    def hear(shard: int) -> bool:
        nonlocal due
        finished.add(shard)
        decided = False
        while watch and due in finished and not decided:
            decided = watch.follow(reader.tally_part(run, made.form, made.plan["fingerprint"], due))
            due += 1
        return decided

    return hear


def result(made: manifest.Manifest, table: Standings, shown: Path) -> dict[str, Any]:
    """One JSON object about a run: what was played, and what came out.

    `shown` is the directory as the user knows it. `games` is for each pairing or table, as
    --games; `players` are those of one; `standings` is a list, best first. What happened at each
    is in `pairings`, or of more than two in `tables`.
    """
    found = table.plain()
    return {
        "rules": made.rules.name,
        "players": made.rules.players,
        "seed": made.seed,
        "games": made.plan["games"],
        "mirror": made.plan["mirror"],
        "match_games": made.plan["match_games"],
        "run": str(shown),
        "total_games": found.pop("games"),
        "total_hands": found.pop("hands"),
        "drawn_hands": found.pop("drawn"),
        "strategies": made.strategies,
        "standings": found.pop("strategies"),
        **found,
    }


def write_tables(run: Path, table: Standings, shown: Path) -> None:
    """Write standings.{json,csv,md} and crosstable.csv; `shown` as in `result`."""
    plain = result(manifest.read(run), table, shown)
    manifest.write_text(
        run / "standings.json", json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
    )
    manifest.write_text(run / "standings.csv", text.standings_csv(table))
    manifest.write_text(run / "standings.md", text.standings_markdown(table))
    manifest.write_text(run / "crosstable.csv", text.crosstable_csv(table))


def plan_of(made: manifest.Manifest) -> Plan:
    """The plan of a run.

    Raises:
        RunError: its manifest holds none that can be.
    """
    facts = made.plan
    tables = facts.get("tables")
    if tables is not None and type(tables) is not int:
        raise RunError(f"{made.path}: rounds: tables: expected a whole number or null.")
    try:
        return Plan(
            strategies=len(made.strategies),
            games=facts["games"],
            match_games=facts["match_games"],
            mirror=facts["mirror"],
            sides=made.rules.players,
            tables=tables,
        )
    except UsageError as error:
        raise RunError(f"{made.path}: rounds: {error}") from None

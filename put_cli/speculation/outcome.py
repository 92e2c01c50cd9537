"""What came of a run of Speculation, computed from its log: the standings, and single sessions."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest, reader
from put_cli.speculation import text
from put_cli.speculation.standings import Rows, SpeculationStandings, standings
from put_cli.tournament import rounds


def rate(made: manifest.Manifest, anchor: tuple[str, float] | None = None) -> SpeculationStandings:
    """The standings of a run, computed from its log, part by part.

    `anchor`: a strategy and the rating it is to have.

    Raises:
        UsageError: the anchor is no strategy of the run, or has no rating estimate.
        RunError: its log cannot be read.
    """

    def parts() -> Iterator[Rows]:
        return reader.tallies(made)

    table = standings(
        parts,
        names=made.names,
        players=made.any_rules.players,
        unit_games=made.match_games,
        anchor=anchor,
    )
    if not table.sessions:
        raise RunError(f"{str(made.run)!r} has no finished part yet: there is nothing to rate.")
    return table


def result(
    made: manifest.Manifest, table: SpeculationStandings, shown: Path | str
) -> dict[str, Any]:
    """One JSON object about a run; `shown` is the directory as the user knows it."""
    found = table.plain()
    return {
        "rules": made.any_rules.name,
        "players": found.pop("players"),
        "seed": made.seed,
        "games": rounds.read(made).games,
        "mirror": made.mirror,
        "match_games": made.match_games,
        "run": str(shown),
        "total_sessions": found.pop("sessions"),
        "total_deals": found.pop("deals"),
        "strategies": made.strategies,
        "standings": found.pop("strategies"),
        **found,
    }


def write_tables(made: manifest.Manifest, table: SpeculationStandings, shown: Path | str) -> None:
    """Write standings.{json,csv,md}; `shown` as in `result`."""
    plain, run = result(made, table, shown), made.run
    manifest.write_text(
        run / "standings.json", json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
    )
    manifest.write_text(run / "standings.csv", text.standings_csv(table))
    manifest.write_text(run / "standings.md", text.standings_markdown(table))


def find_session(
    made: manifest.Manifest, pairing: int, block: int, mirror: int, game: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a session and those of its deals, each with its `events`.

    There are none where only games were logged.

    Raises:
        UsageError: the plan has no such session.
        RunError: the run did not log games, or that part is not finished.
    """
    schedule = rounds.read(made)
    found = schedule.place_of(pairing, block)
    matches = made.any_rules.players if made.mirror else 1
    if found is None or mirror >= matches or game >= found[1]:
        raise UsageError(
            f"there is no session {pairing}/{block}/{mirror}/{game}: all are counted from 0, and "
            f"the run has tables: {schedule.table_count}, blocks: {schedule.blocks}, matches a "
            f"block: {matches}, sessions a match: {made.match_games}."
        )
    key = {"pairing": pairing, "block": block, "mirror": mirror, "game": game}

    def log(table: str) -> Iterator[dict[str, Any]]:
        return reader.rows(made, table, shard=found[0], key=key)

    row = next(log("games"), None)
    if row is None:
        raise RunError(f"{made.run}: the session is missing from its part of the log.")
    if made.log != "hands":
        return row, []
    deals = [deal | {"events": []} for deal in log("deals")]
    for event in log("events"):
        deals[event["deal"]]["events"].append(event)
    return row, deals

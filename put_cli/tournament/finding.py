"""One game of a run, found in its log."""

from collections.abc import Iterator
from typing import Any

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest, reader
from put_cli.tournament import rounds


def find_game(
    made: manifest.Manifest, pairing: int, block: int, mirror: int, game: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a game and the rows of its hands (none where hands were not logged).

    Where cards played are a table of their own, each hand has its rows of it as `plays`.

    Raises:
        UsageError: the plan has no such game.
        RunError: the run did not log games, or that part is not finished.
    """
    schedule = rounds.read(made)
    found = schedule.place_of(pairing, block)
    matches = made.rules.players if made.mirror else 1
    if found is None or mirror >= matches or game >= found[1]:
        counted = "pairings" if made.rules.players == 2 else "tables"
        raise UsageError(
            f"there is no game {pairing}/{block}/{mirror}/{game}: all are counted from 0, and the "
            f"run has {counted}: {schedule.table_count}, blocks: {schedule.blocks}, matches "
            f"a block: {matches}, games a match: {made.match_games}."
        )
    shard = found[0]
    key = {"pairing": pairing, "block": block, "mirror": mirror, "game": game}

    def log(table: str) -> Iterator[dict[str, Any]]:
        return reader.rows(made, table, shard=shard, key=key)

    row = next(log("games"), None)
    if row is None:
        raise RunError(f"{made.run}: the game is missing from its part of the log.")
    if made.log != "hands":
        return row, []
    hands = list(log("hands"))
    if "plays" in made.form.tables:
        for hand in hands:
            hand["plays"] = []
        for play in log("plays"):
            hands[play["hand"]]["plays"].append(play)
    return row, hands

"""One game of a run, found in its log."""

from collections.abc import Iterator
from typing import Any

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest, reader
from put_cli.tournament.outcome import plan_of
from put_cli.tournament.schedule import Shards


def find_game(
    made: manifest.Manifest, pairing: int, block: int, mirror: int, game: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a game and the rows of its hands (none where hands were not logged).

    Where cards played are a table of their own, each hand has its rows of it as `plays`.

    Raises:
        UsageError: the plan has no such game.
        RunError: the run did not log games, or that part is not finished.
    """
    plan = plan_of(made)
    place = plan.place_of(pairing)
    exists = (
        place is not None
        and block < plan.blocks
        and mirror < plan.matches_per_block
        and game < plan.games_in_match(block)
    )
    if place is None or not exists:
        counted = "pairings" if plan.sides == 2 else "tables"
        raise UsageError(
            f"there is no game {pairing}/{block}/{mirror}/{game}: all are counted from 0, and the "
            f"run has {counted}: {plan.table_count}, blocks: {plan.blocks}, matches a block: "
            f"{plan.matches_per_block}, games a match: {plan.match_games}."
        )
    shard = Shards.of(plan, made.rules).shard_of(place, block)
    key = {"pairing": pairing, "block": block, "mirror": mirror, "game": game}

    def log(table: str) -> Iterator[dict[str, Any]]:
        fingerprint = made.plan["fingerprint"]
        return reader.rows(made.run, made.form, table, shard=shard, plan=fingerprint, key=key)

    row = next(log("games"), None)
    if row is None:
        raise RunError(f"{made.run}: the game is missing from its part of the log.")
    if made.plan["log"] != "hands":
        return row, []
    hands = list(log("hands"))
    if "plays" in made.form.tables:
        for hand in hands:
            hand["plays"] = []
        for play in log("plays"):
            hands[play["hand"]]["plays"].append(play)
    return row, hands

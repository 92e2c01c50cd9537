"""What came of a run, computed from its log: the standings, and how a test that ends it stands."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest, reader
from put_cli.report import text
from put_cli.stats.sequential import SequentialTest
from put_cli.stats.standings import Standings, standings
from put_cli.stats.tally import Rows, up_to
from put_cli.stats.watch import Ruling, Watch
from put_cli.tournament import rounds
from put_cli.tournament.precision import Precision, told


def rate(run: Path, anchor: tuple[str, float] | None = None) -> Standings:
    """The standings of a run, computed from its log, part by part.

    `anchor`: a strategy and the rating it is to have.

    Raises:
        UsageError: the anchor is no strategy of the run, or has no rating estimate.
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    schedule = rounds.read(made)
    ruling = _ruling(made)
    parts: Iterable[Rows] = reader.tallies(made)
    if ruling and ruling.verdict:  # what was played beyond it does not count
        parts = (up_to(part, ruling.blocks) for part in parts)
    table = standings(
        parts,
        names=made.names,
        memory=[each["memory"] for each in made.strategies],
        pairs=schedule.all_tables(),
        anchor=anchor,
        ruling=ruling,
    )
    if not table.games:
        raise RunError(f"{str(run)!r} has no finished part yet: there is nothing to rate.")
    wanted = precision_of(made)
    if wanted is None:
        return table
    return replace(
        table, sentences=(*table.sentences, *told(wanted, table, even=schedule.games is not None))
    )


def test_of(made: manifest.Manifest) -> SequentialTest | None:
    """The sequential test that a run stops by, if there is one."""
    facts = made.rounds[0].get("sprt")
    if facts is None:
        return None
    try:
        return SequentialTest(**facts)
    except (TypeError, ValueError) as error:
        raise RunError(f"{made.path}: rounds: sprt: {error}") from None


def _watch(made: manifest.Manifest) -> Watch | None:
    """The test, before the first game."""
    test = test_of(made)
    if test is None:
        return None
    memory = any(each["memory"] for each in made.strategies)
    return Watch(test, mirror=made.mirror, memory=memory)


def _ruling(made: manifest.Manifest) -> Ruling | None:
    """How the sequential test of a run stands, by its log."""
    watch = _watch(made)
    if watch is None:
        return None
    for part in reader.tallies(made):
        if watch.follow(part):
            break
    return watch.ruling()


class Ending:
    """Whether the sequential test of a run, if it has one, has ended it.

    Shards finish in any order; they count in the order of the schedule.
    """

    def __init__(self, made: manifest.Manifest) -> None:
        self._made = made
        self._watch = _watch(made)
        self._waiting: set[int] = set()
        self._due = 0

    def hear(self, shard: int) -> bool:
        """A shard is finished; whether the run may stop."""
        if self._watch is None:
            return False
        self._waiting.add(shard)
        decided = False
        while self._due in self._waiting and not decided:
            decided = self._watch.follow(reader.tally_part(self._made, self._due))
            self._waiting.remove(self._due)
            self._due += 1
        return decided


def precision_of(made: manifest.Manifest) -> Precision | None:
    """What a run is played for, if it is played until ratings are precise."""
    facts = made.rounds[-1].get("until")
    if facts is None:
        return None
    try:
        return Precision(**facts)
    except (TypeError, UsageError) as error:
        raise RunError(f"{made.path}: rounds: until: {error}") from None


def result(made: manifest.Manifest, table: Standings, shown: Path | str) -> dict[str, Any]:
    """One JSON object about a run: what was played, and what came out.

    `shown` is the directory as the user knows it. `games` is for each pairing or table, as
    --games, and null where some play more than others; `players` are those of one; `standings` is a
    list, best first. What happened at each is in `pairings`, or of more than two in `tables`.
    """
    found = table.plain()
    return {
        "rules": made.rules.name,
        "players": made.rules.players,
        "seed": made.seed,
        "games": rounds.read(made).games,
        "mirror": made.mirror,
        "match_games": made.match_games,
        "run": str(shown),
        "total_games": found.pop("games"),
        "total_hands": found.pop("hands"),
        "drawn_hands": found.pop("drawn"),
        "strategies": made.strategies,
        "standings": found.pop("strategies"),
        **found,
    }


def write_tables(run: Path, table: Standings, shown: Path | str) -> None:
    """Write standings.{json,csv,md} and crosstable.csv; `shown` as in `result`."""
    plain = result(manifest.read(run), table, shown)
    manifest.write_text(
        run / "standings.json", json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
    )
    manifest.write_text(run / "standings.csv", text.standings_csv(table))
    manifest.write_text(run / "standings.md", text.standings_markdown(table))
    manifest.write_text(run / "crosstable.csv", text.crosstable_csv(table))

"""How long the games of a run took, by what its workers wrote into its run.log."""

import re
from pathlib import Path

SHARD = "shard %d: %d games, %d hands in %.2f s"
"""What the log says of a shard that was played and written."""

_SHARD = re.compile(r"shard \d+: (\d+) games, \d+ hands in (\d+\.\d+) s$")


def seconds_per_game(run: Path) -> float | None:
    """Of one worker, playing and writing; None where the run.log does not tell."""
    games, seconds = 0, 0.0
    try:
        with open(run / "run.log", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if found := _SHARD.search(line.rstrip()):
                    games += int(found[1])
                    seconds += float(found[2])
    except OSError:
        return None
    return seconds / games if games and seconds else None

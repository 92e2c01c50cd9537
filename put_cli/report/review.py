"""Everything that a report of a run is made from."""

from dataclasses import dataclass

from put_cli.log.manifest import Manifest
from put_cli.stats.endings import Endings
from put_cli.stats.habits import Habits
from put_cli.stats.intransitivity import Intransitivity
from put_cli.stats.luck_removed import LuckRemoved
from put_cli.stats.standings import Standings


@dataclass(frozen=True, kw_only=True)
class Moment:
    """The ratings as they stood after some of the blocks of deals."""

    blocks: int
    games: int
    ratings: dict[str, tuple[float, float, float]]
    """Rating and the ends of its interval, of the strategies that had one then."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """A run, read and counted."""

    made: Manifest
    run: str
    """The run directory as the user knows it."""
    standings: Standings
    moments: tuple[Moment, ...]
    """In order; the last is the end of the run."""
    habits: Habits | None
    """None where the run logged no hands."""
    endings: Endings | None
    """None where it logged no games."""
    cycles: Intransitivity | None
    """None where nobody beats another alone, or fewer than three have a rating."""
    luck: LuckRemoved | None
    """None where the luck of the deal cannot be taken off, or was not."""
    why_luck: str
    """Why not."""

    @property
    def names(self) -> list[str]:
        """The strategies, best first."""
        return [line.name for line in self.standings.strategies]

    @property
    def order(self) -> list[int]:
        """Their numbers in the run, in the same order."""
        return [self.made.names.index(name) for name in self.names]

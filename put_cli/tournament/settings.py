"""What may be asked of a run, checked before anything is written."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from put_cli.errors import UsageError
from put_cli.log.schema import LOGS
from put_cli.speculation.rules import Rules
from put_cli.stats.sequential import SequentialTest
from put_cli.tournament.precision import Precision

MOVE_TIMEOUT = 1.0
"""Seconds a player has for a decision, unless something else is asked for."""

MEMORY_LIMIT = 4096
"""MB for a worker."""

MAX_FAULTS = 1000
"""So many games lost by faults are borne."""


KEPT = ("tier", "move_timeout", "memory_limit", "isolate", "max_faults")
"""Settings that decide no game, and hold when a run is resumed unless others are given then."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What to play and where to leave it; checked before anything is written.

    Raises:
        UsageError: a number or a choice is not allowed.
    """

    strategies: tuple[str, ...]
    rules: Rules
    games: int
    seed: int
    match_games: int = 100
    mirror: bool = True
    tables: int | None = None
    """Play so many tables only, a balanced sample; None for all."""
    workers: int = 1
    log: str = "hands"
    out: Path | None = None
    tier: str = "auto"
    sprt: SequentialTest | None = None
    """Stop a match of two when this test has its verdict, at the latest after `games`."""
    move_timeout: float = MOVE_TIMEOUT
    memory_limit: int = MEMORY_LIMIT
    isolate: bool = False
    """Whether every strategy decides in a process of its own."""
    max_faults: int = MAX_FAULTS
    until: Precision | None = None
    """Play in steps until ratings are so precise, at most `games` a pairing or table."""
    strict: bool = False
    """Whether the first fault ends the run."""
    cluster: str = ""
    """Address of a Dask scheduler whose workers play; empty where this machine does."""
    collect: bool = False
    """Whether the workers of a cluster send all they log to this machine, which writes it."""
    store: str = ""
    """URL of the object store that keeps the run; `out` is then its working copy."""
    ship: bool = False
    """Whether the files of strategies are sent to the workers of a cluster."""
    command: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.log not in LOGS:
            raise UsageError(f"--log: expected one of {', '.join(LOGS)}, got {self.log!r}.")
        if not 1 <= self.workers <= 1024:
            raise UsageError(f"--workers: expected a number from 1 to 1024, got {self.workers}.")
        if not 0 <= self.seed < 2**63:
            raise UsageError(f"--seed: expected a number from 0 to 2^63 - 1, got {self.seed}.")
        if not (self.move_timeout == 0 or 0.01 <= self.move_timeout <= 86_400):
            raise UsageError(
                "--move-timeout: expected seconds from 0.01 to 86400, or 0 for no limit, got "
                f"{self.move_timeout}."
            )
        if not (self.memory_limit == 0 or 64 <= self.memory_limit <= 10**7):
            raise UsageError(
                "--memory-limit: expected MB from 64 to 10000000, or 0 for no limit, got "
                f"{self.memory_limit}."
            )
        if self.store and not self.cluster:
            raise UsageError(
                f"{self.store!r}: an object store goes with --cluster, whose workers write to it."
            )
        for option in ("collect", "ship"):
            if getattr(self, option) and not self.cluster:
                raise UsageError(f"--{option} goes with --cluster: all is on this machine already.")
        if not 1 <= self.max_faults <= 10**12:
            raise UsageError(f"--max-faults: expected a number from 1, got {self.max_faults}.")


def random_seed() -> int:
    """A seed for when none is given; small enough to be exact in JSON readers."""
    return secrets.randbits(48)

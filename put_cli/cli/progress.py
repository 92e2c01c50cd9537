"""Progress on standard error: a tqdm bar on a terminal, plain lines elsewhere, or nothing."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType

import click
from tqdm import tqdm

from put_cli.tournament.parts import Part
from put_cli.tournament.shard import Result

_LINE_EVERY_SECONDS = 10.0


def watched(parts: Iterable[Part], total: int | None) -> Iterable[Part]:
    """The parts, while a bar on a terminal shows how many are done."""
    hidden = sys.stderr is None or not sys.stderr.isatty()
    bar: Iterable[Part] = tqdm(
        parts, total=total, unit="part", disable=hidden, dynamic_ncols=True, leave=False
    )
    return bar


@contextmanager
def line_of_progress(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A line on a terminal that says what is being done, gone at the end."""
    shown = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def report(what: str) -> None:
        if shown:
            click.echo(f"\r\033[K{what} ...", nl=False, err=True)

    try:
        yield report
    finally:
        if shown:
            click.echo("\r\033[K", nl=False, err=True)


class Progress:
    """Counts finished games and hands while a run plays."""

    def __init__(self, total_games: int, *, quiet: bool) -> None:
        self._total = total_games
        if sys.stderr is None:  # a process may be started without one
            quiet = True
        self._terminal = not quiet and sys.stderr.isatty()
        self._games = self._hands = 0
        self._begin = self._last_line = time.monotonic()
        self._quiet = quiet
        self._bar = tqdm(
            total=total_games,
            unit="game",
            unit_scale=True,
            disable=quiet or not self._terminal,
            dynamic_ncols=True,
            leave=False,
            file=sys.stderr,
        )

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()

    def more(self, games: int, why: str) -> None:
        """So many games are added, for a reason in words."""
        self._total += games
        self._bar.total = self._total
        if not self._quiet:
            self._bar.write(why, file=sys.stderr)

    def add(self, result: Result) -> None:
        """A shard is finished."""
        self._games += result.games
        self._hands += result.hands
        now = time.monotonic()
        seconds = max(now - self._begin, 1e-9)
        self._bar.set_postfix_str(f"{self._hands / seconds / 1e6:.2f}M hands/s", refresh=False)
        self._bar.update(result.games)
        if self._quiet or self._terminal or now - self._last_line < _LINE_EVERY_SECONDS:
            return
        self._last_line = now
        left = seconds / self._games * (self._total - self._games)
        sys.stderr.write(
            f"{self._games:,} of {self._total:,} games, {self._games / seconds:,.0f} games/s, "
            f"{self._hands / seconds:,.0f} hands/s, {left:.0f} s left\n"
        )
        sys.stderr.flush()

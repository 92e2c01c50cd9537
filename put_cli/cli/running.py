"""A tournament or match as the command line shows it: progress, result, and what if it stops."""

import shlex
from typing import TYPE_CHECKING, Any

import click

from put_cli.cli.exactness import exact_crosstable, show_crosstable
from put_cli.cli.printing import say, show_standings
from put_cli.cli.stopping import STOPPED, stops_in_good_order

if TYPE_CHECKING:
    from put_cli.tournament.run import Finished, Prepared

LARGE_BYTES = 200_000_000
"""A log expected to be larger is announced before the run starts."""

ROOM = 0.9
"""The share of the free disk that a log may be expected to take without a warning."""


def run(prepared: "Prepared", *, form: str, quiet: bool, exact: bool = False) -> int:
    """Play, print the result, and return the exit code."""
    from put_cli.cli.progress import Progress
    from put_cli.report.tables import printable
    from put_cli.tournament.precision import Step
    from put_cli.tournament.run import play

    note = _silent if quiet else _note
    with stops_in_good_order():
        try:
            for message in prepared.left_out:
                say(f"Left out: {printable(message)}", err=True)
            for line in (_opening(prepared), *prepared.notes, *_size(prepared)):
                note(line)
            with Progress(prepared.games_left, quiet=quiet) as progress:

                def on_round(step: Step) -> None:
                    progress.more(sum(plan.total_games for plan in step.plans), step.words)

                finished = play(prepared, progress.add, on_round)
        except KeyboardInterrupt:
            click.echo(_stopped(prepared), err=True)
            return STOPPED
        except Exception:
            click.echo(_stopped(prepared), err=True)
            raise
    return _tell(finished, form=form, quiet=quiet, exact=exact)


def _tell(finished: "Finished", *, form: str, quiet: bool, exact: bool) -> int:
    from put_cli.report.tables import printable, rounded
    from put_cli.speculation.standings import SpeculationStandings

    prepared = finished.prepared
    note = _silent if quiet else _note
    checked = exact_crosstable(prepared, finished.standings, note) if exact else None

    def plain() -> dict[str, Any]:
        return finished.plain() | ({"exact": checked.plain()} if checked else {})

    show_standings(form, finished.standings, plain)
    if checked and form == "table":
        show_crosstable(checked)
    dealt = "deals" if isinstance(finished.standings, SpeculationStandings) else "hands"
    done = (
        f"{finished.hands:,} {dealt} in {finished.seconds:.1f} s "
        f"({rounded(finished.hands / finished.seconds)} a second, standings included)"
        if finished.hands
        else "Nothing was missing"
    )
    note(f"{done}.\nLog, tables and data dictionary: {prepared.where}")
    if finished.differences:
        say(
            f"Warning: compiled and interpreted play differ (noticed {finished.differences}); "
            f"see {prepared.where}/run.log.",
            err=True,
        )
    if finished.faults:
        example = f" {printable(finished.example)}" if finished.example else ""
        say(
            f"Games lost by a fault: {finished.faults:,}.{example}\n"
            f"All are in the games log, and {prepared.where}/run.log tells of some.",
            err=True,
        )
        return 3
    return 0


def _opening(prepared: "Prepared") -> str:
    from put_cli.cli.options import of_other_rules
    from put_cli.report.tables import counted

    settings, schedule = prepared.settings, prepared.workshop.shards
    latest = schedule.rounds[-1].plan
    tiers = [
        member.tier
        for player in prepared.workshop.contestants
        for member in dict.fromkeys(player.members)
    ]
    kinds = ", ".join(f"{tiers.count(tier)} {tier}" for tier in dict.fromkeys(tiers))
    who = "sides" if settings.rules.partners else "strategies"
    games = schedule.games
    each = "not all as many games" if games is None else counted(games, "game")
    if latest.sides == 2:
        tables = f"{counted(schedule.table_count, 'pairing')} of {each}"
    else:
        tables = f"{counted(schedule.table_count, 'table')} of {latest.sides}, {each} each"
    until = f", until ratings are within ±{settings.until.elo:g} Elo" if settings.until else ""
    return of_other_rules(settings.strategies, settings.rules) + (
        f"{settings.rules.name}: {latest.strategies} {who} ({kinds}), {tables}{until}, "
        f"seed {settings.seed}"
    )


def _size(prepared: "Prepared") -> list[str]:
    """What is to be said of the size of the log and the room for it."""
    from put_cli.tournament.directory import free_bytes

    expected = prepared.expected_bytes
    free = None if prepared.settings.store else free_bytes(prepared.run)
    lines = []
    if expected > LARGE_BYTES:
        lines.append(
            f"The log will take about {expected / 1e9:.1f} GB "
            f"({prepared.expected_hands / 1e6:.0f} million hands); "
            "--log games or none is smaller."
        )
    if free is not None and expected > ROOM * free:
        lines.append(
            f"Warning: about {expected / 1e6:,.0f} MB are to be written to {prepared.where}, where "
            f"{free / 1e6:,.0f} MB are free. If the disk gets full the run stops, keeps what is "
            "finished, and can be resumed when there is room."
        )
    return lines


def _stopped(prepared: "Prepared") -> str:
    from put_cli.log.store import Folder

    # A worker may have committed one that was not heard of any more.
    done, total = len(Folder(prepared.run).names("tallies")), len(prepared.workshop.shards)
    shown = shlex.quote(prepared.where)
    lines = [f"Stopped: {done:,} of {total:,} parts are finished and kept in {prepared.where}."]
    if done:
        lines.append(f"For the standings so far: put standings {shown}")
    if not prepared.alone:
        lines.append(f"To go on: {shlex.join(_resuming(prepared))}")
    return "\n".join(lines)


def _resuming(prepared: "Prepared") -> list[str]:
    """The command that goes on with a run that was stopped."""
    from put_cli.tournament.workers import available_cores

    words = ["put", "tournament", "--resume", prepared.where]
    settings = prepared.settings
    if settings.cluster:
        given = [f"--{name}" for name in ("collect", "ship") if getattr(settings, name)]
        return [*words, "--cluster", settings.cluster, *given]
    if settings.workers != available_cores():
        words += ["--workers", str(settings.workers)]
    return words


def _note(text: str) -> None:
    say(text, err=True)


def _silent(text: str) -> None:
    """--quiet."""

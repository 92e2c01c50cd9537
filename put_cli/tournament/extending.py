"""Adding to a run that is finished: games, strategies, or precision. What exists stays as it is."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from put_cli.errors import UsageError
from put_cli.log import manifest
from put_cli.report.tables import counted
from put_cli.tournament import rounds
from put_cli.tournament.field import described
from put_cli.tournament.outcome import precision_of, rate
from put_cli.tournament.precision import Precision, next_step
from put_cli.tournament.resuming import Reopened, reopen, take_up
from put_cli.tournament.rounds import Round, Schedule
from put_cli.tournament.run import Prepared
from put_cli.tournament.schedule import Plan, Shards, whole_games


def extend(
    run: Path,
    workers: int,
    changes: Mapping[str, Any],
    *,
    games: int | None = None,
    join: Sequence[str] = (),
    until: Precision | None = None,
) -> Prepared:
    """A finished run with more to play, ready to play it.

    `games` more at every table; the strategies `join`, who meet everybody in all that was played
    so far; and precision `until` which rounds are added. `workers` and `changes` are those of
    `resuming.resume`. The additions are written down at once, so that the run can be resumed
    from here.

    Raises:
        UsageError: nothing was asked for, or something that this run cannot have.
        RunError: the run is not finished, or cannot go on; nothing was added.
    """
    if games is None and not join and until is None:
        raise UsageError("--extend: expected --games, --add or --until, to say what is added.")
    opened = reopen(run, changes, join)
    made = opened.made
    _refuse(opened, run, joining=bool(join))
    if until is not None and made.game != "put":
        raise UsageError("--until: it is for ratings of Put; say how many --games to add.")
    before = take_up(opened, workers, whole=True)
    everybody = described(opened.entrants, before.workshop.contestants)
    notes = list(before.notes)
    plans = _meetings(opened) if join else []
    if games is not None:
        grown = _with_newcomers(opened, plans)
        plans += _more(grown, made, games, len(opened.entrants.loaded))
        notes += _short_blocks(grown)
    why = {"until": asdict(until)} if until else {}
    if until is not None and not plans:
        step = next_step(until, rate(made.run), opened.schedule, made.names)
        if not step.plans:
            raise UsageError(
                f"--until: {str(run)!r} is within ±{until.elo:g} Elo already, or has the most "
                "games (--games); nothing is added."
            )
        plans = list(step.plans)
    elif until is None and (already := precision_of(made)) and not games:
        why = {"until": asdict(already)}  # of whoever joins, ratings get as precise
    new = [
        Round.of(Shards.of(plan, made.any_rules), made.any_rules, made.seed, opened.entrants.names)
        for plan in plans
    ]
    manifest.append(
        made,
        rounds=[rounds.facts(each, made.log, why) for each in new],
        strategies=everybody[len(made.strategies) :],
    )
    schedule = Schedule((*opened.schedule.rounds, *new))
    before.workshop.take(replace(before.workshop.order, schedule=schedule))
    added = sum(each.plan.total_games for each in new)
    return replace(
        before,
        settings=replace(before.settings, until=Precision(**why["until"]) if why else None),
        notes=(*notes, f"{counted(added, 'game')} are added."),
    )


def _refuse(opened: Reopened, run: Path, *, joining: bool) -> None:
    """Nothing can be added to some runs."""
    made, names = opened.made, opened.entrants.names
    if "sprt" in made.rounds[0]:
        raise UsageError(
            f"--extend: {str(run)!r} is played until its sequential test has a verdict, or its "
            "games run out: more would make it another test. Play a new match."
        )
    if joining and opened.schedule.rounds[0].plan.tables is not None:
        raise UsageError(
            f"--add: {str(run)!r} plays a balanced sample of tables (--tables), which would be "
            "another one with more strategies. Play a new tournament."
        )
    for then, now in zip(made.names, names, strict=False):
        if then != now:
            raise UsageError(
                f"--add: the run calls a strategy {then}, which would be {now} beside those that "
                "are added, and luck hangs on names. Rename the file of the new one."
            )


def _meetings(opened: Reopened) -> list[Plan]:
    """What newcomers play: with everybody, all that every table has played."""
    count = len(opened.made.strategies)
    return [
        replace(plan, strategies=len(opened.entrants.loaded), newcomers_from=count)
        for plan in opened.schedule.everybody
    ]


def _with_newcomers(opened: Reopened, plans: Sequence[Plan]) -> Schedule:
    """The schedule with rounds of which only the plans count."""
    more = [Round(Shards(plan, 1), "") for plan in plans]
    return Schedule((*opened.schedule.rounds, *more))


def _more(schedule: Schedule, made: manifest.Manifest, games: int, strategies: int) -> list[Plan]:
    """`games` more at every table, from the block on that it has not played yet."""
    first = schedule.rounds[0].plan
    if games > 0 and made.mirror and first.sides > 2:
        games = whole_games(games, first.sides)
    if schedule.games is not None:
        return [replace(first, strategies=strategies, games=games, first_block=schedule.blocks)]
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number, (blocks, _) in schedule.played().items():
        groups[blocks].append(number)
    return [
        replace(
            first,
            strategies=strategies,
            games=games,
            tables=None,
            first_block=blocks,
            chosen=tuple(sorted(numbers)),
        )
        for blocks, numbers in sorted(groups.items())
    ]


def _short_blocks(schedule: Schedule) -> list[str]:
    """In words, whether a run that goes on from here is what a fresh one would have been."""
    for each in schedule.rounds:
        plan = each.plan
        last = plan.first_block + plan.blocks - 1
        rest = plan.games_in_match(last)
        if rest < plan.match_games:
            return [
                f"Block {last} has matches of {counted(rest, 'game')} and keeps them, where a "
                f"fresh run of this size would play {plan.match_games:,}: its games are not quite "
                "those of such a run."
            ]
    if schedule.games is None:
        return []
    return ["The games are those of a fresh run of this size."]

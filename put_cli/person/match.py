"""A match with a person in it, played and logged as any run is.

A person may leave in the middle. What was played then is played again to where it was left, from
the answers that the learning players (the person is one) gave, as a match of the games begun: the
log is that of a match which was meant to be so long, and whose last game the person forfeited.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from put_cli import __version__
from put_cli.engine.players import Contestant
from put_cli.errors import UsageError
from put_cli.log import manifest
from put_cli.person.course import Course
from put_cli.person.listening import Tape, heard, members, taped
from put_cli.person.player import NAME, Left, Person
from put_cli.person.speech import ME
from put_cli.person.terminal import Terminal
from put_cli.plugins.discovery import load, load_side, names_team, refuse_others
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.outside import Called, Outside
from put_cli.plugins.spec import team
from put_cli.rules.ruleset import RuleSet
from put_cli.tournament import rounds
from put_cli.tournament import run as runs
from put_cli.tournament.directory import point_latest
from put_cli.tournament.rounds import Round, Schedule
from put_cli.tournament.schedule import Shards
from put_cli.tournament.settings import Settings

if TYPE_CHECKING:
    from put_cli.solve.coach import Coach


@dataclass(frozen=True, kw_only=True)
class Met:
    """What came of a match; `finished` is None when nothing was played."""

    course: Course
    finished: runs.Finished | None
    left: bool = False
    """Whether the person left before the end."""
    interrupted: bool = False
    """Whether by interrupting."""
    forfeited: bool = False
    """Whether a game was under way then, which the person has lost."""
    broken: BaseException | None = None
    """What went wrong at the terminal, if that is why."""

    @property
    def faults(self) -> int:
        """Games that others lost by a fault."""
        return self.finished.faults - self.forfeited if self.finished else 0


def sit_down(
    settings: Settings,
    against: Sequence[str],
    partner: str | None,
    terminal: Terminal,
    coach: "Coach | None" = None,
) -> runs.Prepared:
    """A run of one match, the person against strategies.

    `against` are those of the other sides, clockwise; one alone plays them all. `partner` is the
    person's, `against` unless given. The coach, if any, knows games of two. `settings.strategies`
    is not used; all play in the interpreted tier, which needs no compiling and plays the same
    games.

    Raises:
        UsageError: something asked for cannot be done; nothing was written.
    """
    rules = settings.rules
    assert isinstance(rules, RuleSet)  # Speculation has a table of its own
    others = _others(rules, against)
    friend = _partner(rules, partner, against[0])
    chairs = [team(each.name) if each.partner else [each.name] * 2 for each in others]
    names = [first for first, _ in chairs]
    if friend:
        names += [friend.name, *(second for _, second in chairs)]
    if NAME in names:
        raise UsageError(
            f"the log calls the person at the terminal {NAME!r}, so every other player needs "
            "another name."
        )
    person = Person(rules, settings.seed, names, terminal, coach)
    mine = Loaded(NAME, NAME, person, "put-cli", __version__)
    if friend:
        mine = replace(
            mine, name=f"{NAME}+{friend.name}", text=f"{NAME}+{friend.text}", partner=friend
        )
    return runs.prepare(settings, (mine, *others))


def _others(rules: RuleSet, against: Sequence[str]) -> list[Loaded]:
    """The other sides, clockwise, with names of their own."""
    wanted = rules.players - 1
    if len(against) not in (1, wanted):
        raise UsageError(
            f"--against: {rules.name} is played against {wanted}, so expected it once or "
            f"{wanted} times, got {len(against)}."
            if wanted > 1
            else f"--against: {rules.name} has one other side, got {len(against)}. Give it once."
        )
    texts = against if len(against) == wanted else [*against] * wanted
    others: list[Loaded] = []
    for each in [_at_table(load_side(text, partners=rules.partners), rules) for text in texts]:
        again = sum(other.name.partition("#")[0] == each.name for other in others)
        others.append(replace(each, name=f"{each.name}#{again + 1}") if again else each)
    return others


def _partner(rules: RuleSet, text: str | None, against: str) -> Loaded | None:
    """The person's partner; who plays against him, unless another is asked for."""
    if not rules.partners:
        if text is not None:
            raise UsageError(
                f"--partner: nobody has a partner in {rules.name}. Partners play --rules "
                "four-handed, or any two-handed set of Put with the knob partners=true."
            )
        return None
    return _at_table(
        load(text or (team(against)[0].strip() if names_team(against) else against)), rules
    )


def _at_table(loaded: Loaded, rules: RuleSet) -> Loaded:
    """A player, asked one view at a time where it decides in another process.

    Raises:
        SpecError: it does not play these rules.
    """
    refuse_others([loaded], rules)
    partner = loaded.partner and _at_table(loaded.partner, rules)
    strategy = loaded.strategy
    if isinstance(strategy, Outside):
        strategy = Called(strategy, loaded.name, rules)
    return replace(loaded, strategy=strategy, partner=partner)


def play(prepared: runs.Prepared) -> Met:
    """Play the match until it ends or the person leaves, and log it.

    Raises:
        RunError: the file system refused.
    """
    contestants = prepared.workshop.contestants
    person = contestants[ME].strategy
    assert isinstance(person, Person)
    course, sides, partners = person.course, len(contestants), prepared.settings.rules.partners
    tapes: list[Tape] = []

    def with_tape(contestant: Contestant, _place: int) -> Contestant:
        tapes.append(Tape())
        return taped(contestant, tapes[-1])

    def with_hearer(contestant: Contestant, side: int) -> Contestant:
        def in_chair(member: Contestant, place: int) -> Contestant:
            chair = side + place * sides
            return member if chair == ME else heard(member, chair, person)

        return members(contestant, in_chair, partners=partners)

    seated = [members(each, with_tape, partners=partners) for each in contestants]
    contestants[:] = [with_hearer(each, side) for side, each in enumerate(seated)]
    try:
        finished = runs.play(prepared, _unheard)
    except (KeyboardInterrupt, Left) as why:
        # What comes after the last answer is a fault, in a game under way.
        for tape in tapes:
            tape.over = True
        contestants[:] = seated
        begun, forfeited = course.games_begun, course.under_way
        if begun:
            kept = _kept(prepared, runs.play(shortened(prepared, begun), _unheard))
        else:
            kept = None
            shutil.rmtree(prepared.run, ignore_errors=True)
        return Met(
            course=course,
            finished=kept,
            left=True,
            interrupted=isinstance(why, KeyboardInterrupt),
            forfeited=forfeited,
            broken=why.__cause__,
        )
    return Met(course=course, finished=_kept(prepared, finished))


def _kept(prepared: runs.Prepared, finished: runs.Finished) -> runs.Finished:
    """What was played, which is the latest run from now."""
    if prepared.settings.out is None:
        point_latest(prepared.run)
    return finished


def shortened(prepared: runs.Prepared, games: int) -> runs.Prepared:
    """The same run, still without a log, as a plan of fewer games."""
    settings, workshop = prepared.settings, prepared.workshop
    plan = replace(prepared.plan, games=games)
    names = [each.name for each in workshop.contestants]
    only = Round.of(Shards.of(plan, settings.rules), settings.rules, settings.seed, names)
    workshop.take(replace(workshop.order, schedule=Schedule((only,))))
    data = dict(manifest.read(prepared.run).data)
    data["rounds"] = [rounds.facts(only, settings.log, {})]
    manifest.write(prepared.run, data)
    return prepared


def _unheard(_result: Any) -> None:
    """The person has heard of everything."""

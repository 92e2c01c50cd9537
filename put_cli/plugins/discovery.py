"""Which strategies there are, and loading the ones a run asks for.

Listing reads package metadata only and imports nothing, so a broken plugin is an error only when
it is used.
"""

import hashlib
import importlib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points, packages_distributions, version
from pathlib import Path, PurePath
from types import ModuleType

from put_cli.errors import SpecError, did_you_mean, one_line
from put_cli.plugins import external
from put_cli.plugins import spec as specs
from put_cli.plugins.loaded import Loaded
from put_cli.rules.files import stamp
from put_cli.rules.finding import find_ruleset
from put_cli.speculation.rules import Rules, find
from put_cli.strategy import Strategy

GROUP = "put.strategies"


@dataclass(frozen=True)
class Installed:
    """A strategy that some package registers, from its metadata."""

    name: str
    target: str
    package: str
    version: str


@cache
def _points() -> dict[str, tuple[EntryPoint, ...]]:
    """Every registered name with its entry points; the same registration twice counts once."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        same_name = found.setdefault(point.name, [])
        if not any(_origin(point) == _origin(other) for other in same_name):
            same_name.append(point)
    return {name: tuple(found[name]) for name in sorted(found)}


def _origin(point: EntryPoint) -> tuple[str, str]:
    """What a point names and whose it is (an editable install can be listed twice)."""
    return (point.value, point.dist.name if point.dist else "")


def forget() -> None:
    """Find and load everything anew, as another process would."""
    _points.cache_clear()
    _load.cache_clear()


def installed() -> list[Installed]:
    """Every registered strategy by name; a name registered twice is listed twice."""
    return [_describe(point) for points in _points().values() for point in points]


def _describe(point: EntryPoint) -> Installed:
    dist = point.dist
    package, version = (dist.name, dist.version) if dist else ("unknown", "")
    return Installed(point.name, point.value, package, version)


Load = Callable[[str], Loaded]


def load(text: str) -> Loaded:
    """The strategy a user means by `text`, with its parameters; the same whenever it is asked for.

    Raises:
        SpecError: it cannot be found, imported or given these parameters.
    """
    if external.names_program(text):
        return external.load(text)
    spec = specs.parse(text)
    given = (value for value in spec.parameters.values() if isinstance(value, str))
    return _load(text, tuple(map(stamp, given)))


@cache
def _load(text: str, stamps: tuple[tuple[int, int, int] | None, ...]) -> Loaded:
    """`load`, remembered; `stamps` are of the files among the parameters."""
    spec = specs.parse(text)
    target, file = spec.target, None
    if _is_file(target):
        name, cls, package, version = _from_file(target)
        file = PurePath(os.path.normpath(_file_and_class(target)[0])).with_suffix("")
    elif target in _points():
        name, cls, package, version = _from_entry_point(target)
    elif ":" in target:
        name, cls, package, version = _from_module(target)
    else:
        raise SpecError(
            f"there is no strategy {target!r}.{did_you_mean(target, _points())} "
            "'put strategies' lists them all."
        )
    strategy = specs.build(cls, spec)
    if cls.act is Strategy.act and cls.begin_match is None and cls.act_batch is None:
        raise SpecError(f"{target}: {cls.__name__} defines no act(self, view).")
    return Loaded(specs.canonical(name, strategy), text, strategy, package, version, file)


_Found = tuple[str, type[Strategy], str, str]


def _from_entry_point(name: str) -> _Found:
    points = _points()[name]
    described = [_describe(point) for point in points]
    if len(points) > 1:
        owners = " and ".join(f"{d.package} {d.version} ({d.target})" for d in described)
        raise SpecError(
            f"two packages register a strategy {name!r}: {owners}. Uninstall one of them, or name "
            f"the class: {described[0].target}."
        )
    where = described[0]
    try:
        value = points[0].load()
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"the strategy {name!r} of {where.package} {where.version} ({where.target}) failed to "
            f"import: {one_line(error)}."
        ) from None
    return name, _strategy_class(value, where.target), where.package, where.version


def _from_module(target: str) -> _Found:
    module_name, _, class_name = target.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        program = f" A program is named exec({class_name})." if module_name == "exec" else ""
        raise SpecError(
            f"the module {module_name!r} failed to import: {one_line(error)}.{program}"
        ) from None
    cls = _strategy_class(_attribute(module, class_name, target), target)
    return target, cls, *_package_of(module_name)


def _package_of(module_name: str) -> tuple[str, str]:
    """The installed package a module belongs to and its version, as far as that is known."""
    top = module_name.partition(".")[0]
    owners = packages_distributions().get(top, [])
    if len(set(owners)) != 1:  # not installed, or a namespace that several share
        return top, ""
    return owners[0], version(owners[0])


def file_named(text: str) -> str | None:
    """The file that a strategy's text names; None where it names none."""
    target = specs.parse(text).target
    return _file_and_class(target)[0] if _is_file(target) else None


def imported_beside(path: Path) -> list[str]:
    """Modules that strategies from a file's folder imported from there."""
    folder = path.resolve().parent
    return sorted(name for name, origin in _siblings.items() if origin == folder)


def _is_file(target: str) -> bool:
    return target.endswith(".py") or ".py:" in target


def _file_and_class(target: str) -> tuple[str, str]:
    """`my_bot.py:Class` in its parts; the class is empty where none was named."""
    file_text, _, class_name = target.rpartition(":") if ".py:" in target else (target, "", "")
    return file_text, class_name


def _shown(path: PurePath | str) -> str:
    """A path as names have it, with slashes; half a character is written as an escape."""
    return PurePath(path).as_posix().encode(errors="backslashreplace").decode()


def _from_file(target: str) -> _Found:
    file_text, class_name = _file_and_class(target)
    path = Path(file_text).expanduser()
    module = _module_of(path)
    stem = _shown(path.stem)
    if class_name:
        name = f"{stem}:{class_name}"
        return name, _strategy_class(_attribute(module, class_name, target), target), str(path), ""
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Strategy)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
    ]
    if len(own) != 1:
        names = ", ".join(cls.__name__ for cls in own) or "none"
        raise SpecError(
            f"{file_text}: expected one strategy (a subclass of put_cli.Strategy), found {names}. "
            f"Name one: {file_text}:{own[0].__name__ if own else 'MyStrategy'}."
        )
    return stem, own[0], str(path), ""


def _module_of(path: Path) -> ModuleType:
    """Import a file under a name made of its content, so that no two versions are confused."""
    from put_cli.engine.reach import FILE_MODULE  # imports NumPy

    try:
        source = path.read_bytes()
    except OSError as error:
        raise SpecError(f"cannot read the strategy file {str(path)!r}: {error.strerror}.") from None
    content = hashlib.blake2b(
        source + str(path.resolve()).encode("utf-8", "surrogateescape"), digest_size=8
    ).hexdigest()
    name = f"{FILE_MODULE}{content}"
    if name in sys.modules:
        return sys.modules[name]
    folder = str(path.resolve().parent)
    _refuse_mixed_siblings(path.resolve().parent, path)
    known = set(sys.modules)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # The file may import what lies beside it, as when Python runs it as a script.
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise SpecError(
            f"the strategy file {str(path)!r} failed to import: {one_line(error)}."
        ) from None
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    for each in set(sys.modules) - known - {name}:
        origin = getattr(sys.modules[each], "__file__", None)
        if origin and Path(origin).parent == Path(folder):
            _siblings[each] = Path(folder)
    return module


_siblings: dict[str, Path] = {}
"""Modules that strategy files imported from beside them, and the folder each came from."""


def _refuse_mixed_siblings(folder: Path, path: Path) -> None:
    """Python holds one module of a name: a second file must not get the first one's helper."""
    for name, origin in _siblings.items():
        if origin != folder and ((folder / f"{name}.py").exists() or (folder / name).is_dir()):
            raise SpecError(
                f"{path} lies beside a module {name!r}, and another strategy already brought one "
                f"of that name from {origin}: rename one of the two."
            )


def _attribute(module: ModuleType, name: str, target: str) -> object:
    try:
        return getattr(module, name)
    except AttributeError:
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise SpecError(f"{target}: there is no {name!r}.{did_you_mean(name, classes)}") from None


def _strategy_class(value: object, target: str) -> type[Strategy]:
    if isinstance(value, type) and issubclass(value, Strategy):
        return value
    raise SpecError(
        f"{target}: expected a subclass of put_cli.Strategy, got {value!r}. "
        "Write: class MyStrategy(Strategy)."
    )


def names_team(text: str) -> bool:
    """Whether a user means two strategies by `text`, and not a file with a plus in its name."""
    path, _ = _file_and_class(text.partition("(")[0].strip())
    return len(specs.team(text)) > 1 and not Path(path).is_file()


def _side(text: str, partners: bool, load: Load) -> tuple[Loaded, ...]:
    """Who plays a side: one strategy, or with partners two of a team such as `bold+counter`."""
    if not names_team(text):
        return (load(text),)
    if not partners:
        raise SpecError(
            f"{text!r} is a team, and in this game nobody has a partner. Teams play "
            "--rules four-handed, or any two-handed set of Put with the knob partners=true."
        )
    members = [member.strip() for member in specs.team(text)]
    if len(members) != 2 or not all(members):
        raise SpecError(f"expected a team of two strategies such as bold+counter, got {text!r}.")
    first, second = map(load, members)
    return (first,) if _who((first,)) == _who((second,)) else (first, second)


def load_side(text: str, *, partners: bool = False) -> Loaded:
    """Who plays a side: a strategy, or with partners it can be a team.

    Raises:
        SpecError: it cannot be loaded, or is a team where nobody has a partner.
    """
    return _joined(text, _told_apart(list(_side(text, partners, load))))


def load_all(
    texts: tuple[str, ...], *, rules: Rules, load: Load = load
) -> tuple[list[Loaded], list[str]]:
    """The strategies of a run in order, and messages about those left out.

    A strategy that was named must load and play these rules; with partners it can be a team. When
    none is named all installed ones play that say they play these rules, and one broken plugin
    does not keep the others from it. Names depend on `texts` alone, so that they are the same in
    every process and on every machine.

    Raises:
        SpecError: a named one cannot be loaded or plays other rules, two are the same, there are
            fewer than two, or a team is named where nobody has a partner.
    """
    sides: dict[str, tuple[Loaded, ...]] = {}
    given: dict[tuple[tuple[str, object], ...], str] = {}
    left_out: list[str] = []
    for text in texts or sorted(_points()):
        try:
            side = _side(text, rules.partners, load)
            if not texts and not all(_plays(each, rules) for each in side):
                continue
            refuse_others(side, rules)
        except SpecError as error:
            if texts:
                raise
            left_out.append(str(error))
            continue
        who = tuple(_who(side))
        if who in given:
            raise SpecError(
                f"{_name(side)} is given twice ({given[who]!r} and {text!r}): "
                "give variants different parameters."
            )
        given[who] = text
        sides[text] = side
    if len(sides) < 2:
        raise SpecError(f"expected at least two strategies, got {len(sides)}.")
    named = iter(_told_apart([each for side in sides.values() for each in side]))
    return [_joined(text, [next(named) for _ in side]) for text, side in sides.items()], left_out


def playing_others(rules: Rules) -> tuple[list[str], list[str]]:
    """The installed strategies, of those that load, that do not play these rules: those of another
    kind of game, and the others."""
    games, sets = [], []
    for name in sorted(_points()):
        with suppress(SpecError):
            loaded = load(name)
            if loaded.strategy.game != rules.game:
                games.append(name)
            elif not _plays(loaded, rules):
                sets.append(name)
    return games, sets


def another_game(loaded: Loaded, game: str) -> str:
    """Why a strategy cannot play a kind of game."""
    plays = loaded.strategy.game
    how = "--rules speculation" if plays != Strategy.game else "the rule sets of Put"
    return f"{loaded.name!r} plays {plays}, not {game}: it can be in games with {how}."


def refuse_others(side: Sequence[Loaded], rules: Rules) -> None:
    """Refuse strategies of another kind of game, or that say they play other rule sets.

    Raises:
        SpecError: one does.
    """
    for each in side:
        if each.strategy.game != rules.game:
            raise SpecError(another_game(each, rules.game))
        if not _plays(each, rules):
            raise SpecError(
                f"{each.name} does not play {rules.name}: it says it plays "
                f"{', '.join(each.plays)}, and is tested by 'put check' in these alone."
            )


def _plays(loaded: Loaded, rules: Rules) -> bool:
    """Whether a strategy says it plays these rules."""
    if loaded.strategy.game != rules.game:
        return False
    played = {(find(text) or find_ruleset(text)).fingerprint() for text in loaded.plays}
    return not played or rules.fingerprint() in played


def _who(side: tuple[Loaded, ...]) -> list[tuple[str, object]]:
    """What makes two sides the same."""
    return [(each.name, each.kind) for each in side]


def _name(side: Sequence[Loaded]) -> str:
    return "+".join(each.name for each in side)


def _joined(text: str, side: list[Loaded]) -> Loaded:
    """A side as one entry of a run."""
    if len(side) == 1:
        return side[0]
    return replace(side[0], name=_name(side), text=text, partner=side[1])


def _told_apart(loaded: list[Loaded]) -> list[Loaded]:
    """Files of one name are called by as much of their paths as tells them apart.

    A strategy's luck hangs on its name: beside a namesake it plays other games than without.
    """
    paths: dict[str, set[PurePath]] = {}
    for each in loaded:
        if each.file:
            paths.setdefault(each.file.name, set()).add(each.file)
    named = [_with_folders(each, paths[each.file.name]) if each.file else each for each in loaded]
    by_name: dict[str, list[Loaded]] = {}
    for each in named:
        namesakes = by_name.setdefault(each.name, [])
        for other in namesakes:
            # One strategy can be in several teams.
            if each.kind != other.kind:
                raise SpecError(
                    f"{other.text!r} and {each.text!r} would both be called {each.name}: "
                    "rename one of the files."
                )
        namesakes.append(each)
    return named


def _with_folders(loaded: Loaded, of_one_name: set[PurePath]) -> Loaded:
    assert loaded.file is not None
    parts = next(
        number
        for number in itertools.count(1)
        if len({path.parts[-number:] for path in of_one_name}) == len(of_one_name)
    )
    path = PurePath(*loaded.file.parts[-parts:])
    return replace(loaded, name=_shown(path) + loaded.name.removeprefix(_shown(path.name)))

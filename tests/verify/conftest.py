"""Sound runs of every family, with faults, forfeits and misdeals, to be changed in copies."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from put_cli.engine import tables
from put_cli.engine.forfeits import Forfeit
from put_cli.engine.lanes import DIED, SLOW
from put_cli.log import forfeits
from put_cli.rules.finding import find_ruleset
from put_cli.tournament import run as runs
from put_cli.tournament import shard as tournament_shard
from put_cli.verify import shard
from tests.tournament.runs import small_shards, write_strategies

FAMILIES = {
    "two-handed": ("cotton(misdeals=0.1)", 26),
    "rubbers": ("truc", 10),
    "free throws": ("hoyle", 26),
    "partners": ("four-handed(misdeals=0.1)", 26),
    "three": ("three-handed", 12),
    "four": ("cotton(players=4, misdeals=0.1)", 72),
}

FORFEITS = tuple(
    Forfeit(
        pairing=0, block=0, mirror=mirror, chair=chair, game=1, hand=0, decision=decision,
        kind=kind, reason=reason,
    )
    for mirror, chair, decision, kind, reason in (
        (0, 0, 0, SLOW, "took too long"), (1, 0, 0, DIED, "ended its process")
    )
)  # fmt: skip
"""What a clock and a dead process bring about in each of the runs."""

PlayRun = Callable[[Path, str, str], Path]


@pytest.fixture(scope="package")
def play_sound(tmp_path_factory: pytest.TempPathFactory) -> PlayRun:
    """Plays a family with a value of --log."""
    own = write_strategies(tmp_path_factory.mktemp("strategies"))

    def play(out: Path, family: str, log: str) -> Path:
        rules, games = FAMILIES[family]
        with pytest.MonkeyPatch.context() as patch:
            small_shards(patch, 400)
            settings = runs.Settings(
                strategies=(own["faulty"], "random", own["learner"], own["mixed"]),
                rules=find_ruleset(rules),
                games=games,
                seed=7,
                match_games=3,
                log=log,
                out=out,
            )
            prepared = runs.prepare(settings)
            forfeits.add(out, FORFEITS)
            runs.play(prepared, lambda _result: None)
        return out

    return play


@pytest.fixture(scope="package", autouse=True)
def rules_are_compiled_once() -> object:
    """Of four players that takes longer than all the rest, and is not what is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (shard, tournament_shard):
            patch.setattr(module, "compile_rules", compile_rules)
        yield


compile_rules = cache(tables.compile_rules)


@pytest.fixture(scope="package", autouse=True)
def shards_of_this_size() -> object:
    """The size of a shard is no part of a manifest: who reads these runs must cut alike."""
    with pytest.MonkeyPatch.context() as patch:
        small_shards(patch, 400)
        yield


@pytest.fixture(scope="package")
def sound(
    play_sound: PlayRun, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str], Path]:
    """The sound run of a family with a value of --log; not to be changed."""
    base = tmp_path_factory.mktemp("sound")
    made: dict[tuple[str, str], Path] = {}

    def run(family: str, log: str = "hands") -> Path:
        key = family, log
        if key not in made:
            made[key] = play_sound(base / f"{family}-{log}", family, log)
        return made[key]

    return run


@pytest.fixture
def copied(sound: Callable[[str, str], Path], tmp_path: Path) -> Callable[..., Path]:
    """A copy of a sound run, to be changed."""

    def copy(family: str, log: str = "hands", name: str = "run") -> Path:
        shutil.rmtree(tmp_path / name, ignore_errors=True)
        return Path(shutil.copytree(sound(family, log), tmp_path / name))

    return copy

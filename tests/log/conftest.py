"""Runs whose log the tests of this folder read."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from put_cli.rules.ruleset import RuleSet
from put_cli.tournament.run import Finished
from tests.log.tables import read
from tests.tournament.runs import play_run, small_shards, write_strategies

RULES = (
    "cotton",
    "hoyle",
    "parlett(throw_after_seen=true)",
    "truc",
    "truc-french(raise=plus2)",
    "enquire",
)


@pytest.fixture(scope="package", params=RULES)
def finished(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Finished]:
    """A run with faults in it, in several shards; mirrored, the last block shorter.

    A third fault can only come in the last game of a match: there is no rest to forfeit.
    """
    base: Path = tmp_path_factory.mktemp("log")
    own = write_strategies(base)
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_shards(monkeypatch, 800)
        field = (own["faulty"], "random", own["learner"], own["mixed"])
        yield play_run(base / "run", *field, rules=request.param, games=46, match_games=3)


@pytest.fixture(scope="package")
def run(finished: Finished) -> Path:
    return finished.prepared.run


@pytest.fixture(scope="package")
def rules(finished: Finished) -> RuleSet:
    return finished.prepared.settings.rules


@pytest.fixture(scope="package")
def hands(run: Path) -> pd.DataFrame:
    return read(run, "hands")


@pytest.fixture(scope="package")
def games(run: Path) -> pd.DataFrame:
    return read(run, "games")

"""A match that stops by a sequential test: the same verdict whoever plays how much of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from put_cli.errors import RunError, UsageError
from put_cli.rules.finding import find_ruleset
from put_cli.stats.sequential import SequentialTest
from put_cli.tournament import outcome
from put_cli.tournament.outcome import rate
from put_cli.tournament.run import Finished, play, prepare
from put_cli.tournament.settings import Settings
from tests.tournament.runs import small_shards


def unheard(_result: object) -> None:
    pass


def match(
    out: Path,
    *strategies: str,
    workers: int = 1,
    games: int = 2000,
    on_result: Callable[[object], None] = unheard,
) -> Finished:
    settings = Settings(
        strategies=strategies or ("sly", "closer"),
        rules=find_ruleset("cotton"),
        games=games,
        seed=3,
        match_games=10,
        workers=workers,
        log="none",
        out=out,
        sprt=SequentialTest(elo0=0, elo1=30),
    )
    return play(prepare(settings), on_result)


@pytest.fixture
def finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Finished:
    small_shards(monkeypatch, hands=600)
    return match(tmp_path / "one")


def test_play_stops_at_the_verdict_and_counts_no_game_beyond(finished: Finished) -> None:
    ruling = finished.standings.ruling
    assert ruling is not None
    assert ruling.verdict == "H0"
    assert finished.standings.games == ruling.games < 1000
    assert len(list((finished.prepared.run / "tallies").iterdir())) < 10  # of 20


def test_the_verdict_does_not_depend_on_the_number_of_workers(
    finished: Finished, tmp_path: Path
) -> None:
    two = match(tmp_path / "two", workers=2)
    assert two.standings.plain() == finished.standings.plain()


def test_a_verdict_stands_though_more_was_played(
    finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcome.Ending, "hear", lambda _self, _shard: False)
    everything = match(tmp_path / "all")
    assert everything.hands > finished.hands
    assert everything.standings.plain() == finished.standings.plain()


def test_the_log_tells_the_verdict_again(finished: Finished) -> None:
    assert rate(finished.prepared.run).plain() == finished.standings.plain()
    told = " ".join(finished.standings.sentences)
    assert "is sly at most 0 Elo above closer (H0) or at least 30 (H1)" in told
    assert "H0 is accepted after" in told


def test_games_that_run_out_leave_no_verdict(tmp_path: Path) -> None:
    finished = match(tmp_path / "short", games=20)
    assert finished.standings.ruling is not None
    assert finished.standings.ruling.verdict is None
    assert "no verdict after 20 games" in " ".join(finished.standings.sentences)


def test_a_sequential_test_is_of_two(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--sprt: a sequential test is of one strategy"):
        match(tmp_path / "three", "sly", "closer", "bold")
    assert not (tmp_path / "three").exists()


def test_a_spoilt_test_in_the_manifest_is_told_by_its_file(finished: Finished) -> None:
    path = finished.prepared.run / "manifest.json"
    path.write_text(path.read_text().replace('"elo1": 30', '"elo1": -1'))
    with pytest.raises(RunError, match=r"manifest\.json: rounds: sprt: expected elo0 < elo1"):
        rate(finished.prepared.run)


def test_nothing_is_left_of_a_shard_that_was_being_written_at_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_shards(monkeypatch, hands=600)
    begun = tmp_path / "run/hands/part-000018.parquet"

    def write(_result: object) -> None:
        begun.parent.mkdir(exist_ok=True)
        begun.write_bytes(b"hands whose tallies never came")

    match(tmp_path / "run", on_result=write)
    assert not begun.exists()
    assert list((tmp_path / "run/tallies").iterdir())

"""Shards played on a Dask cluster are those of a local run, whoever is lost meanwhile."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from put_cli.errors import UsageError
from put_cli.log import forfeits
from put_cli.log.store import Folder, Handing
from put_cli.plugins.discovery import load
from put_cli.plugins.shipping import Parcel, pack
from put_cli.tournament import cluster, software
from put_cli.tournament import run as runs
from put_cli.tournament.resuming import resume
from tests.tournament.clusters import LoopbackCluster
from tests.tournament.runs import parts, play_run, small_shards, write_strategies

pytest.importorskip("distributed")

TABLES = ("standings.csv", "standings.md", "crosstable.csv")

DEADLY = '''
import os

from put_cli import SEE, Strategy, View


class Deadly(Strategy):
    """Ends its process now and then."""

    def act(self, view: View) -> int:
        if view.luck > 0.99:
            os._exit(3)
        return SEE if view.asked else view.highest
'''


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    made = LoopbackCluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.add_worker()
        made.add_worker()
        yield made
    finally:
        made.close()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    small_shards(monkeypatch, hands=100)
    return write_strategies(tmp_path)


def same(run: Path, whole: Path) -> None:
    assert parts(run) == parts(whole)
    for name in TABLES:
        assert (run / name).read_bytes() == (whole / name).read_bytes()


def at(result: int, do: Callable[[], None]) -> Callable[[Any], None]:
    """What hears of results, and does something at one of them."""
    heard: list[Any] = []

    def hear(each: Any) -> None:
        heard.append(each)
        if len(heard) == result:
            do()

    return hear


def stop() -> None:
    raise KeyboardInterrupt


@pytest.mark.long
def test_a_killed_worker_changes_no_byte_of_what_all_write_to_a_shared_folder(
    tmp_path: Path, own: dict[str, str], two_workers: LoopbackCluster
) -> None:
    field = ("random", own["mixed"], own["faulty"])
    play_run(tmp_path / "whole", *field)
    lost = len(two_workers.workers) - 1
    finished = play_run(
        tmp_path / "run",
        *field,
        cluster=two_workers.address,
        on_result=at(3, lambda: two_workers.kill_worker(lost)),
    )
    two_workers.add_worker()
    same(tmp_path / "run", tmp_path / "whole")
    assert finished.faults > 0
    log = (tmp_path / "run" / "run.log").read_text()
    assert log.count(" games, ") == len(parts(tmp_path / "run")) / 3
    assert "Faulty" in log or "faulty" in log


@pytest.mark.long
def test_a_stopped_run_goes_on_from_the_cluster_to_here_and_back(
    tmp_path: Path, own: dict[str, str], two_workers: LoopbackCluster
) -> None:
    field, run = ("random", own["mixed"]), tmp_path / "run"
    play_run(tmp_path / "whole", *field, games=120)
    there = {"cluster": two_workers.address, "collect": True}
    with pytest.raises(KeyboardInterrupt):
        play_run(run, *field, games=120, on_result=at(2, stop), **there)
    with pytest.raises(KeyboardInterrupt):
        runs.play(resume(run, 1, {}), at(2, stop))
    committed = len(Folder(run).names("tallies"))
    assert 4 <= committed < len(Folder(tmp_path / "whole").names("tallies"))
    finished = runs.play(resume(run, 1, there), lambda _result: None)
    same(run, tmp_path / "whole")
    assert finished.hands > 0


@pytest.mark.long
def test_a_file_that_is_sent_along_plays_and_forfeits_by_death_as_it_would_here(
    tmp_path: Path,
    own: dict[str, str],
    two_workers: LoopbackCluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "deadly.py"
    path.write_text(DEADLY)
    field = ("random", str(path))
    play_run(tmp_path / "whole", *field, games=20)

    def pack_and_remove(texts: Sequence[str]) -> tuple[Parcel, ...]:
        packed = pack(texts)
        path.unlink()  # workers of this machine could read it where it is
        return packed

    monkeypatch.setattr(cluster, "pack", pack_and_remove)
    there = {"cluster": two_workers.address, "collect": True, "ship": True}
    play_run(tmp_path / "run", *field, games=20, **there)
    assert forfeits.read(tmp_path / "whole")
    assert forfeits.read(tmp_path / "run") == forfeits.read(tmp_path / "whole")
    same(tmp_path / "run", tmp_path / "whole")


@pytest.mark.long
def test_a_restarted_scheduler_costs_only_what_was_handed_out(
    tmp_path: Path, own: dict[str, str], two_workers: LoopbackCluster
) -> None:
    field = ("random", own["mixed"])
    play_run(tmp_path / "whole", *field, games=120)
    play_run(
        tmp_path / "run",
        *field,
        games=120,
        cluster=two_workers.address,
        on_result=at(3, two_workers.restart_scheduler),
    )
    same(tmp_path / "run", tmp_path / "whole")
    assert "the scheduler was lost" in (tmp_path / "run" / "run.log").read_text()


@pytest.mark.long
def test_a_worker_with_another_source_is_refused_by_name_before_anything_is_written(
    tmp_path: Path, own: dict[str, str], two_workers: LoopbackCluster
) -> None:
    load(own["mixed"])  # as it was; workers see what it has become
    path = Path(own["mixed"])
    path.write_text(path.read_text().replace("0.", "0.9", 1))
    with pytest.raises(UsageError, match=r"worker tcp://\S+ cannot play .*mixed: its source hash"):
        play_run(tmp_path / "run", "random", own["mixed"], cluster=two_workers.address)
    assert not (tmp_path / "run").exists()


@pytest.mark.long
def test_other_versions_are_refused_by_name_before_anything_is_written(
    tmp_path: Path, two_workers: LoopbackCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = software.software()
    monkeypatch.setattr(software, "software", lambda: {**found, "numba": "0.1"})
    says = f"the scheduler cannot play this run: numba is {found['numba']} there and 0.1 here"
    with pytest.raises(UsageError, match=says):
        play_run(tmp_path / "run", "random", "thrifty", cluster=two_workers.address)
    assert not (tmp_path / "run").exists()


def test_an_address_where_no_scheduler_is_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    with pytest.raises(UsageError, match="expected the address of a Dask scheduler"):
        play_run(tmp_path / "run", "random", "thrifty", cluster="tcp://127.0.0.1:9")
    assert not (tmp_path / "run").exists()


def test_what_commits_a_shard_is_handed_on_and_never_put(tmp_path: Path) -> None:
    import pyarrow as pa

    names = ("hands/part-000000.parquet", "tallies/part-000000.parquet")
    (here := Handing(Folder(tmp_path), "tallies")).put(names[0], pa.py_buffer(b"hands"))
    here.put(names[1], pa.py_buffer(b"tallies"))
    assert Folder(tmp_path).names("hands") == [names[0]]
    assert Folder(tmp_path).names("tallies") == []
    assert here.taken() == ((names[1], b"tallies"),)
    far = Handing(None, "tallies")
    for name in names:
        far.put(name, pa.py_buffer(name.encode()))
    assert far.taken() == tuple((name, name.encode()) for name in names)
    assert far.taken() == ()

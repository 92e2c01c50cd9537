"""The built-in player of a solution, and the table it plays from."""

import multiprocessing
import os
import pickle
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from put_strategies.solved import Equilibrium

from put_cli.engine.players import INTERPRETED, NATIVE, Contestant, enlist
from put_cli.errors import SpecError
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import ELDEST
from put_cli.solve import policy_file, sweep, table
from put_cli.solve.chain import chain_of
from put_cli.solve.exact import exactly
from put_cli.solve.policy_file import PolicyError
from put_cli.solve.room import room
from put_cli.solve.stored import as_played
from put_cli.solve.tree import grow
from tests.solve.field import Fickle, Steady
from tests.solve.test_advice import write_solution

TINY = "cotton(pack=tiny,target=2)"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of a tiny game."""
    path = tmp_path_factory.mktemp("solved") / "tiny.policy"
    write_solution(TINY, path, gap=1e-3)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where tables are unpacked: nothing is there, and nothing is mapped."""
    monkeypatch.setenv("PUT_CACHE_DIR", str(tmp_path / "cache"))
    before = dict(table._mapped)
    table._mapped.clear()
    yield tmp_path / "cache" / "policies"
    table._mapped.update(before)  # what others have mapped stays mapped


def value_of(file: Path) -> float:
    """Eldest's chance of winning when both play the policy, by the sweeps of the solver."""
    with room(find_ruleset(TINY), threads=1) as (chain, board):
        solved = policy_file.read(file, chain)
        policies = {n: as_played(board, each.policy) for n, each in solved.items()}
        values = np.full(len(chain.scores), 0.5)
        for _ in range(60):  # draws lead back: by repetition
            for n, policy in policies.items():
                pays = chain.payoffs(n, values)
                values[n] = board.chance(board.sweep(ELDEST, pays, policy, sweep.EVALUATE))
        return float(values[0])


@pytest.mark.parametrize("tier", [NATIVE, INTERPRETED])
def test_it_plays_its_policy_to_the_letter(file: Path, tier: str) -> None:
    """What it plays, looked up View by View, is worth what the solver's sweeps say."""
    player = enlist("equilibrium", Equilibrium(str(file)), DiskStore(), tier)
    assert player.tier == tier
    with room(find_ruleset(TINY), classes=False, threads=1) as (chain, board):
        itself = exactly(chain, board, player, player)
    assert itself.wins_as_eldest == pytest.approx(value_of(file), abs=1e-9)


def test_it_gets_what_its_policy_guarantees(file: Path) -> None:
    player = enlist("equilibrium", Equilibrium(str(file)), DiskStore(), NATIVE)
    with room(find_ruleset(TINY), classes=False, threads=1) as (chain, board):
        start = policy_file.read(file, chain_of(grow(find_ruleset(TINY))))[0]
        for other in (Steady(), Fickle()):
            result = exactly(chain, board, player, Contestant("other", other, INTERPRETED))
            assert result.wins_as_eldest > start.low - 1e-9
            assert result.wins_as_dealer > 1 - start.high - 1e-9


def test_it_plays_the_rules_of_its_policy_alone(file: Path) -> None:
    assert Equilibrium(str(file)).plays == ("cotton(pack=tiny, target=2)",)
    assert Equilibrium.plays == ("cotton", "pigott")


def test_a_policy_that_is_not_there_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="there is no file"):
        Equilibrium(str(tmp_path / "no.policy"))
    with pytest.raises(SpecError, match="there is no file"):
        load(f"equilibrium(policy={str(tmp_path / 'no.policy')!r})")


def test_nothing_is_unpacked_before_it_plays(file: Path, folder: Path) -> None:
    strategy = Equilibrium(str(file))
    player = enlist("equilibrium", strategy, DiskStore(), NATIVE)
    assert not folder.exists()
    assert player.native[0].parameters.tolist() == [strategy.table]
    assert len(list(folder.iterdir())) == 1


def test_an_address_is_not_sent_to_other_processes(file: Path, folder: Path) -> None:
    strategy = Equilibrium(str(file))
    assert strategy.table
    arrived = pickle.loads(pickle.dumps(strategy))
    assert arrived == strategy
    assert "table" not in vars(arrived)


def test_a_table_is_unpacked_once(file: Path, folder: Path) -> None:
    first = table.mapped(str(file))
    [unpacked] = folder.iterdir()
    written = unpacked.stat()
    assert table.mapped(str(file)) == first
    table._mapped.clear()
    assert table.mapped(str(file))
    assert unpacked.stat() == written


def unpack_and_say(path: str, said: "multiprocessing.queues.Queue[int]") -> None:
    """In a process of its own: the length of the table."""
    table.mapped(path)
    said.put(sum(len(each) for each in table._mapped.values()))


def test_who_comes_while_it_is_unpacked_waits_for_it(file: Path, folder: Path) -> None:
    """The first process is at it (its mark is there): a second one takes what the first makes."""
    whole = np.concatenate(list(table.packed(file))).tobytes()
    table.mapped(str(file))
    [unpacked] = folder.iterdir()
    unpacked.unlink()
    begun = unpacked.with_suffix(".begun")
    begun.touch()
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    table._mapped.clear()
    other = context.Process(target=unpack_and_say, args=(str(file), said))
    other.start()
    time.sleep(0.3)
    assert not unpacked.exists()  # it waits
    unpacked.write_bytes(whole)
    written = unpacked.stat()
    begun.unlink()
    assert said.get(timeout=60) == len(whole)
    other.join()
    assert unpacked.stat().st_mtime_ns == written.st_mtime_ns


def test_who_was_stopped_in_the_middle_holds_nobody_up_for_ever(
    file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.mapped(str(file))
    [unpacked] = folder.iterdir()
    unpacked.unlink()
    unpacked.with_suffix(".begun").touch()
    monkeypatch.setattr(table, "PATIENCE_SECONDS", 0.1)
    table._mapped.clear()
    table.mapped(str(file))
    assert [each.name for each in folder.iterdir()] == [unpacked.name]


@pytest.mark.parametrize("left", [0, 40, -1])
def test_a_table_that_was_cut_off_is_not_played_from(file: Path, folder: Path, left: int) -> None:
    table.mapped(str(file))
    [unpacked] = folder.iterdir()
    whole = unpacked.read_bytes()
    table._mapped.clear()
    unpacked.write_bytes(whole[:left])
    table.mapped(str(file))
    assert next(iter(table._mapped.values())).tobytes() == whole


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_without_a_folder_the_process_keeps_it_to_itself(file: Path, folder: Path) -> None:
    folder.parent.mkdir()
    folder.parent.chmod(0o500)
    assert table.mapped(str(file))
    assert not folder.exists()


def test_half_a_solution_is_not_played(tmp_path: Path, file: Path, folder: Path) -> None:
    chain = chain_of(grow(find_ruleset(TINY)))
    solved = policy_file.read(file, chain)
    del solved[0]
    half = tmp_path / "half.policy"
    policy_file.write(half, chain, solved)
    with pytest.raises(PolicyError, match="holds 3 of 4 scores: expected a whole solution"):
        table.mapped(str(half))


def test_what_somebody_killed_long_ago_had_begun_is_not_waited_for(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "policy.begun"
    begun.touch()
    os.utime(begun, (0, 0))
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits"))
    table._unpack(file, tmp_path / "policy.table")
    assert (tmp_path / "policy.table").stat().st_size > 0
    assert not begun.exists()

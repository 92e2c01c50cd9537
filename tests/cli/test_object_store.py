"""A run in an object store, played on a cluster: the same as in a folder."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import fs

from put_cli.log.bucket import Bucket
from tests.cli.conftest import Put, assert_refused
from tests.tournament.clusters import LoopbackCluster
from tests.tournament.runs import parts, small_shards

START_SECONDS = 60.0

WHAT = ("random", "thrifty", "bluffer", "--games", "60", "--match-games", "10", "--seed", "5")

_SERVER = "import sys; from moto.server import main; main(['-H', '127.0.0.1', '-p', sys.argv[1]])"

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a bucket of a server on this machine, which all processes find."""
    pytest.importorskip("moto")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        "AWS_ACCESS_KEY_ID": "anybody",
        "AWS_SECRET_ACCESS_KEY": "anything",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ,
    )
    try:
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1.0).close()
                break
            except OSError:
                assert server.poll() is None
                assert time.monotonic() < end
                time.sleep(0.05)
        fs.S3FileSystem(
            endpoint_override=f"127.0.0.1:{port}", scheme="http", allow_bucket_creation=True
        ).create_dir("games")
        yield f"s3://games/run-{port}"
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def address(bucket: str, tmp_path: Path) -> Iterator[str]:
    """The address of a cluster of one worker that can reach the bucket."""
    pytest.importorskip("distributed")
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = LoopbackCluster(folder)
    try:
        made.add_worker()
        yield made.address
    finally:
        made.close()


def contents(store: Bucket) -> dict[str, bytes | None]:
    """The bytes of every part in a store."""
    tables = ("hands", "games", "tallies")
    return {name: store.get(name) for table in tables for name in store.names(table)}


@pytest.mark.long
def test_a_run_in_an_object_store_is_the_run_in_a_folder_and_can_be_resumed_there(
    put: Put, bucket: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_shards(monkeypatch, hands=300)
    assert put("tournament", *WHAT, "--workers", "1", "--out", "here").code == 0
    there = ("--cluster", address)
    done = put("tournament", *WHAT, *there, "--out", bucket)
    assert done.code == 0, done
    assert f"Log, tables and data dictionary: {bucket}" in done.err
    store, whole = Bucket(bucket), parts(Path("here"))
    assert contents(store) == whole
    assert store.get("standings.csv") == Path("here/standings.csv").read_bytes()
    assert "shard 0: " in (store.get("run.log") or b"").decode()
    table = ("--format", "csv")
    assert put("standings", bucket, *table).out == put("standings", "here", *table).out

    assert "already holds files" in put("tournament", *WHAT, *there, "--out", bucket).err
    store.remove("tallies/part-000001.parquet")
    store.put("hands/part-000000.parquet", pa.py_buffer(b"not what was written"))
    again = put("tournament", "--resume", bucket, *there)
    assert again.code == 0, again
    assert "Part 0 is played again: hands/part-000000.parquet no longer holds" in again.err
    assert contents(store) == whole


def test_an_object_store_goes_with_a_cluster(put: Put) -> None:
    assert_refused(put("tournament", *WHAT, "--out", "s3://games/run"), "goes with --cluster")
    assert_refused(put("tournament", "--resume", "s3://games/run"), "expected --cluster")


@pytest.mark.parametrize("command", ["report", "replay", "habits"])
def test_who_reads_all_hands_is_told_to_copy_the_run_first(put: Put, command: str) -> None:
    assert_refused(put(command, "s3://games/run"), "aws s3 sync s3://games/run RUN")


def test_a_url_of_another_kind_is_refused(put: Put) -> None:
    assert_refused(put("standings", "ftp://games/run"), "or a URL such as s3://bucket/runs/1")
    assert_refused(put("standings", "s3://"), "or a URL such as s3://bucket/runs/1")

"""A run is killed at random moments until it is finished: benchmarks/survive.py, shortly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def survive(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "survive.py"), *words],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_run_that_is_killed_at_random_comes_out_the_same() -> None:
    assert "5  runs with the same bytes" in survive("--times", "5")


@pytest.mark.long
@pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="only root can mount a small disk"
)
def test_a_run_on_a_disk_that_gets_full_comes_out_the_same() -> None:
    told = survive("--times", "2", "--full-disk")
    assert "2  runs with the same bytes" in told
    assert "times the disk was full" in told

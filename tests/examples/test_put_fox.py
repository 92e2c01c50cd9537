"""The example package: its own tests pass, and installed it is found like any plugin."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "examples" / "put-fox"


def run(*command: object, cwd: Path = PACKAGE, **environment: str) -> str:
    """Run a command that must succeed and return what it printed."""
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env=os.environ | {"PYTEST_ADDOPTS": ""} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_tests_pass() -> None:
    where = os.pathsep.join((str(PACKAGE), os.environ.get("PYTHONPATH", "")))
    options = ("-q", "-p", "no:cacheprovider", "--rootdir", PACKAGE, "-c", os.devnull)
    assert "6 passed" in run(
        sys.executable, "-m", "pytest", *options, PACKAGE / "tests", PYTHONPATH=where
    )


@pytest.mark.long
def test_installed_from_wheels_everything_is_found(tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    # What put-cli depends on comes from here; put-cli itself is built and installed.
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = (python, "-m", "pip", "install", "--quiet", "--no-deps")
    run(*pip, ROOT)
    run(*pip, PACKAGE)

    def put(*arguments: object) -> str:
        # Somewhere else, where nothing but what is installed can be imported.
        return run(python, "-m", "put_cli", *arguments, cwd=tmp_path)

    listed = put("strategies", "fox", "old-fox")
    assert "fox      native       1.2.0" in listed
    assert "foxhole" in put("rules")
    match = ("match", "fox", "old-fox", "--rules", "foxhole", "--games", "20", "--seed", "1")
    assert "old-fox" in put(*match, "--out", "run")
    # A new package: the templates are in the wheel, and what they make is found at once.
    put("new", "badger")
    run(*pip, tmp_path / "put-badger")
    assert "badger" in put("check", "badger", "--rules", "cotton", "--samples", "1")

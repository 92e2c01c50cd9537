"""The directory of a run: a new one is claimed and locked, and runs/latest made to lead to it."""

import contextlib
import itertools
import os
import shutil
import time
from pathlib import Path

from put_cli.errors import UsageError
from put_cli.log.store import TEMPORARY
from put_cli.speculation.rules import Rules
from put_cli.tournament import lock


def claim_default(here: Path, rules: Rules) -> Path:
    """Make runs/<time>-<rules> in `here`, numbered when two runs begin in the same second."""
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in rules.name).strip("-.")[:60]
    base = Path("runs") / f"{time.strftime('%Y%m%d-%H%M%S')}-{safe}"
    for number in itertools.count(1):
        run = base if number == 1 else base.with_name(f"{base.name}-{number}")
        try:
            (here / run).mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"cannot make the run directory {str(run)!r}: {error}.") from None
        return run
    raise AssertionError("unreachable")


def claim(here: Path, out: Path) -> lock.Lock:
    """Make and lock the run directory `out`, seen from `here`; refuse one that holds anything."""
    run = here / out
    try:
        run.mkdir(parents=True, exist_ok=True)
        _refuse_used(run, out)
        if not os.access(run, os.W_OK):
            raise UsageError(f"--out: {str(out)!r} is not writable.")
        held = lock.Lock(run, out).take()
        _refuse_used(run, out)  # somebody may have been quicker
    except OSError as error:
        raise UsageError(f"--out: cannot write to {str(out)!r}: {error.strerror}.") from None
    return held


def _refuse_used(run: Path, out: Path) -> None:
    # A run that was stopped before its manifest was written leaves these.
    ours = (lock.NAME, TEMPORARY)
    if any(not path.name.startswith(ours) for path in run.iterdir()):
        raise UsageError(
            f"--out: {str(out)!r} already holds files, and results are never overwritten. "
            f"Name another directory; 'put tournament --resume {out}' goes on with a run."
        )


def free_bytes(run: Path) -> int | None:
    """How much can still be written to the disk of a run, as far as that is known."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(run).free
    return None


def point_latest(run: Path) -> None:
    """Make runs/latest lead to the run: a symbolic link, or a text file where links fail."""
    latest = run.parent / "latest"
    temporary = run.parent / f".latest-{os.getpid()}"
    try:
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(run.name)
        os.replace(temporary, latest)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if not latest.is_dir():
            latest.write_text(run.name + "\n", encoding="utf-8")

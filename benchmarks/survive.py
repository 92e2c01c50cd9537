"""One tournament, killed again and again at random moments and resumed until it is finished.

    python benchmarks/survive.py --times 200
    python benchmarks/survive.py --times 20 --full-disk      # needs the right to mount a tmpfs

Every time some process of the run (the client, one worker, all workers) gets SIGKILL, SIGTERM or
SIGINT at a random moment, and the run goes on with another number of workers. At the end its parts
must be those of a run that nobody disturbed, byte for byte, and so must its tables. Linux only.
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from put_cli.cli.main import main as put
from put_cli.rules.finding import find_ruleset
from put_cli.tournament import schedule
from put_cli.tournament.run import prepare
from put_cli.tournament.settings import Settings

FIELD = ("random", "thrifty", "highest", "bold")
GAMES, SEED = 1000, 1
SHARD_HANDS = 600

MOST_ATTEMPTS = 8
"""After so many the run is left in peace, so that it ends."""

DEADLINE_SECONDS = 120.0
"""A client that is still there then hangs."""

TABLES = ("standings.csv", "standings.md", "crosstable.csv")


class Lost(Exception):
    """The run did not survive."""


@dataclass
class Client:
    """`put tournament` in a process of its own, forked from this one, which has all compiled."""

    words: list[str]
    told: Path
    number: int = field(init=False)
    code: int | None = None

    def __post_init__(self) -> None:
        self.number = os.fork()
        if not self.number:
            os.setsid()
            file = os.open(self.told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(file, 1)
            os.dup2(file, 2)
            for each in (signal.SIGINT, signal.SIGTERM):
                signal.signal(each, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            code = 70
            try:
                put(self.words)
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)

    def wait(self, seconds: float) -> bool:
        """Wait for its end; whether it came."""
        end = time.monotonic() + seconds
        while self.code is None:
            found, status = os.waitpid(self.number, os.WNOHANG)
            if found:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                return False
            else:
                time.sleep(0.002)
        return True

    def workers(self) -> list[int]:
        """Its worker processes."""
        try:
            text = Path(f"/proc/{self.number}/task/{self.number}/children").read_text()
        except OSError:
            return []
        return [int(number) for number in text.split()]


def disturb(client: Client, chance: random.Random, done: Counter[str]) -> None:
    """Send a random signal to random processes of a run."""
    name = chance.choice(("SIGKILL", "SIGTERM", "SIGINT"))
    whom = chance.choice(("the client", "one worker", "all workers"))
    workers = client.workers()
    numbers = {
        "the client": [client.number],
        "one worker": workers and [chance.choice(workers)],
        "all workers": workers,
    }[whom]
    for number in numbers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, getattr(signal, name))
    if numbers:
        done[f"{name} to {whom}"] += 1


def begin(run: Path, workers: int) -> list[str]:
    """The arguments that begin the run, or go on with it."""
    end = ["--workers", str(workers), "--quiet"]
    if (run / "manifest.json").exists():
        return ["tournament", "--resume", str(run), *end]
    return [
        *("tournament", *FIELD, "--games", str(GAMES), "--seed", str(SEED)),
        *("--move-timeout", "0", "--out", str(run), *end),
    ]


def survived(run: Path, chance: random.Random, seconds: float, done: Counter[str]) -> None:
    """Play a run to its end, disturbed once at least; otherwise as `finish`."""
    while True:
        before = done.total()
        finish(run, chance, seconds, done)
        if done.total() - before > 1:  # more than the one process of an undisturbed run
            return
        done["processes of the client"] -= 1
        subprocess.run(["rm", "-r", str(run)], check=True)
        seconds *= 0.7


def finish(run: Path, chance: random.Random, seconds: float, done: Counter[str]) -> None:
    """Play a run to its end, disturbed; `seconds` is about what it takes undisturbed.

    Raises:
        Lost: it hangs, or ends as it should not.
    """
    told = run.with_suffix(".txt")
    for attempt in range(10 * MOST_ATTEMPTS):
        client = Client(begin(run, chance.randint(1, 3)), told)
        while not client.wait(chance.uniform(0, seconds)):
            if attempt >= MOST_ATTEMPTS:
                client.wait(DEADLINE_SECONDS)
                break
            disturb(client, chance, done)
            if client.wait(0.0 if chance.random() < 0.5 else 0.3 * seconds):
                break
        if client.code is None:
            os.killpg(client.number, signal.SIGKILL)
            raise Lost(f"{run}: the client hangs; it said: {told.read_text()[-2000:]}")
        done["processes of the client"] += 1
        if client.code == 0:
            return
        # 1: workers died again and again; -9: killed before it could say anything.
        if client.code not in (1, 130, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT):
            raise Lost(f"{run}: exit code {client.code}; it said: {told.read_text()[-2000:]}")
    raise Lost(f"{run}: not finished after {10 * MOST_ATTEMPTS} attempts.")


def content(run: Path) -> dict[str, bytes]:
    """The bytes of all parts and tables of a run; nothing else may be left half written."""
    leftovers = [*run.rglob(".tmp-*"), *run.glob("forfeits.json")]
    if leftovers:
        raise Lost(f"{run}: left behind: {leftovers}")
    parts = sorted(run.glob("*/part-*.parquet"))
    return {str(path.relative_to(run)): path.read_bytes() for path in parts} | {
        name: (run / name).read_bytes() for name in TABLES
    }


def compare(run: Path, expected: dict[str, bytes]) -> None:
    """Raises Lost unless a run is what the undisturbed one is."""
    found = content(run)
    wrong = [name for name in expected | found if expected.get(name) != found.get(name)]
    if wrong:
        raise Lost(f"{run}: differs in {len(wrong)} files: {', '.join(wrong[:5])}")


def undisturbed(folder: Path) -> tuple[dict[str, bytes], float]:
    """The content of a run that nobody disturbs, and the seconds that it takes."""
    prepare(  # compiles everything, which all others inherit
        Settings(
            strategies=FIELD,
            rules=find_ruleset("cotton"),
            games=GAMES,
            seed=SEED,
            out=folder / "compiled",
        )
    ).lock.release()
    run = folder / "undisturbed"
    start = time.monotonic()
    client = Client(begin(run, 2), folder / "undisturbed.txt")
    if not client.wait(DEADLINE_SECONDS) or client.code:
        raise Lost((folder / "undisturbed.txt").read_text()[-2000:])
    return content(run), time.monotonic() - start


def survive(times: int, seed: int) -> Counter[str]:
    """Disturb a run so many times; what was done to it. Raises Lost."""
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected, seconds = undisturbed(folder)
        for number in range(times):
            run = folder / f"run{number}"
            survived(run, random.Random(f"{seed}/{number}"), seconds, done)
            compare(run, expected)
            done["runs with the same bytes"] += 1
            subprocess.run(["rm", "-r", str(run)], check=True)
    done["parts of a run"] = len(expected) - len(TABLES)
    return done


@contextlib.contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """Mount a tmpfs of this size."""
    folder.mkdir()
    size = f"size={kilobytes}k"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "put-test", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_up(times: int, seed: int) -> Counter[str]:
    """Play a run on a disk that is too small until it has grown enough; what happened."""
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected, _ = undisturbed(folder)
        whole = sum(map(len, expected.values())) // 1000
        for number in range(times):
            chance = random.Random(f"{seed}/{number}")
            disk, size = folder / f"disk{number}", chance.randint(8, max(9, whole))
            with small_disk(disk, size):
                fill(disk / "run", size, whole, chance, done)
                compare(disk / "run", expected)
                done["runs with the same bytes"] += 1
    return done


def fill(run: Path, size: int, whole: int, chance: random.Random, done: Counter[str]) -> None:
    """Play a run on a small disk, which grows whenever it is full."""
    told = run.parents[1] / f"{run.parent.name}.txt"
    while True:
        client = Client(begin(run, chance.randint(1, 3)), told)
        if not client.wait(DEADLINE_SECONDS):
            raise Lost(f"{run}: the client hangs; it said: {told.read_text()[-2000:]}")
        if client.code == 0:
            return
        said = told.read_text()
        if "No space left on device" not in said or "Traceback" in said:
            raise Lost(f"{run}: exit code {client.code}; it said: {said[-2000:]}")
        done["times the disk was full"] += 1
        size += chance.randint(40, max(41, whole // 2))
        grown = f"remount,size={size}k"
        subprocess.run(["mount", "-o", grown, str(run.parent)], check=True)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=20, help="runs that are disturbed")
    parser.add_argument("--seed", type=int, default=1, help="of what is done to them")
    parser.add_argument("--full-disk", action="store_true", help="disks that are full, instead")
    asked = parser.parse_args()
    schedule.SHARD_HANDS = SHARD_HANDS
    start = time.monotonic()
    try:
        done = (fill_up if asked.full_disk else survive)(asked.times, asked.seed)
    except Lost as error:
        sys.exit(f"Lost: {error}")
    for what, count in sorted(done.items()):
        print(f"{count:6,}  {what}")
    print(f"{time.monotonic() - start:6.0f}  seconds")


if __name__ == "__main__":
    main()

"""What a whole process takes: seconds from start to end, and peak memory."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from figures import Figure, figure

_WITH_PEAK = """
import os, sys
child = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *sys.argv[1:]])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A process starts with the peak of the one that started it, so a small one stands in between."""


def child(*arguments: str) -> str:
    """Run Python in a process of its own; returns what it printed."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def peak_memory(arguments: Sequence[str]) -> int:
    """Peak memory in bytes of Python run with these arguments."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * int(child("-c", _WITH_PEAK, *arguments).split()[-1])


def tournament(games: int, log: str, folder: Path, number: int = 0) -> list[str]:
    """Arguments of Python for a tournament of two strategies in one process."""
    return [
        *("-m", "put_cli", "tournament", "threshold", "thrifty", "--games", str(games)),
        *("--log", log, "--out", str(folder / f"{log}-{games}-{number}")),
        *("--workers", "1", "--seed", "1", "--quiet"),
    ]


def speed_of_start(rounds: int) -> list[Figure]:
    """How long the program takes to do little, against Python doing nothing."""
    libraries = "import numba, pyarrow.parquet, scipy.special"
    commands: dict[str, Callable[[Path, int], list[str]]] = {
        "python -c pass": lambda folder, number: ["-c", "pass"],
        "put --help": lambda folder, number: ["-m", "put_cli", "--help"],
        libraries: lambda folder, number: ["-c", libraries],
        "put tournament, 1,000 games": lambda folder, number: tournament(
            1000, "hands", folder, number
        ),
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for name, arguments in commands.items():
                words = arguments(Path(folder), number)
                begin = time.perf_counter()
                child(*words)
                if number:
                    seconds[name].append(time.perf_counter() - begin)
    base = seconds["python -c pass"]
    return [
        *(figure("start", name, values, "s") for name, values in seconds.items()),
        *(
            figure(
                "start",
                f"{name} : python -c pass",
                [a / b for a, b in zip(values, base, strict=True)],
                "times",
            )
            for name, values in seconds.items()
            if values is not base
        ),
    ]


_WORKER = """
import sys
from pathlib import Path
from put_cli.rules.finding import find_ruleset
from put_cli.tournament.rounds import Round, Schedule
from put_cli.tournament.schedule import Plan, Shards
from put_cli.tournament.shard import Order
folder, games, log = sys.argv[1:]
Path(folder).mkdir()
rules = find_ruleset("cotton")
shards = Shards.of(Plan(strategies=2, games=int(games)), rules)
workshop = Order(
    run=Path(folder), rules=rules, strategies=("threshold", "thrifty"), tier="auto",
    schedule=Schedule((Round(shards, ""),)), seed=1, log=log,
).workshop()
for shard in range(len(workshop.shards)):
    workshop.play(shard)
"""
"""What a worker does: it plays shards and leaves their parts, and nobody rates them."""


def memory(most: int) -> list[Figure]:
    """Peak memory of a worker, and of a whole tournament, for few games and for many."""
    few = min(10_000, most)
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        child(*tournament(few, "hands", Path(folder), 1))  # whatever must be compiled, is now
        for log in ("none", "hands"):
            peaks = []
            for games in (few, most // 10, most):
                run = Path(folder) / f"worker-{log}-{games}"
                peaks.append(peak_memory(["-c", _WORKER, str(run), str(games), log]))
                what = f"a worker, --log {log}, {games:,} games"
                figures.append(Figure("memory", what, peaks[-1] / 2**20, "MiB"))
            for games, peak in ((most // 10, peaks[1]), (few, peaks[0])):
                what = f"a worker, --log {log}, {most:,} games : {games:,} games"
                figures.append(Figure("memory", what, peaks[-1] / peak, "times", aim="about 1"))
        peaks = [peak_memory(tournament(games, "none", Path(folder))) for games in (few, most)]
        what = f"a tournament with its rating, {most:,} games : {few:,} games"
        figures.append(Figure("memory", what, peaks[1] / peaks[0], "times"))
        figures += _memory_of_reading(most // 100, most // 10, Path(folder))
    return figures


def _memory_of_reading(few: int, many: int, folder: Path) -> list[Figure]:
    """Peak memory of the commands that read a run, for one with more hands ten times over."""
    runs = []
    for games in (few, many):
        words = tournament(games, "hands", folder, 2)
        child(*words)
        runs.append(words[words.index("--out") + 1])
    figures = []
    for command in ("standings", "compare", "report"):
        peaks = []
        for run in runs:
            given = (run, run) if command == "compare" else (run,)
            peaks.append(peak_memory(["-m", "put_cli", command, *given]))
        what = f"put {command}, {many:,} games"
        figures.append(Figure("memory", what, peaks[1] / 2**20, "MiB", aim="<= 1024"))
        what = f"{what} : {few:,} games"
        figures.append(Figure("memory", what, peaks[1] / peaks[0], "times", aim="about 1"))
    return figures

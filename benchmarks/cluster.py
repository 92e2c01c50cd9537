"""What two workers are worth against one, and what a Dask cluster costs, for the same shards.

    python benchmarks/cluster.py
    python benchmarks/cluster.py --rounds 5 --games 400000 --json

README.md beside this file says what each figure means.
"""

import argparse
import itertools
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import distributed
from figures import Figure, figure, text

from put_cli.rules.finding import find_ruleset
from put_cli.tournament.run import play, prepare
from put_cli.tournament.settings import Settings

FIELD = ("bold", "odds", "random", "thrifty")

LOGS = ("none", "hands")


def hands_a_second(out: Path, games: int, log: str, where: dict[str, Any]) -> float:
    """Play a run; the time to prepare it does not count, that to rate it does."""
    prepared = prepare(
        Settings(
            strategies=FIELD,
            rules=find_ruleset("cotton"),
            games=games,
            seed=1,
            log=log,
            out=out,
            **where,
        )
    )
    done = play(prepared, lambda _result: None)
    return done.hands / done.seconds


def measure(rounds: int, games: int, address: str, folder: Path) -> list[Figure]:
    """Everybody in turns, the first round not counted."""
    places: dict[str, dict[str, Any]] = {
        "one worker": {"workers": 1},
        "two workers": {"workers": 2},
        "Dask, shared folder": {"cluster": address},
        "Dask, --collect": {"cluster": address, "collect": True},
    }
    works = list(itertools.product(LOGS, places))
    rates: dict[tuple[str, str], list[float]] = {work: [] for work in works}
    for number in range(rounds + 1):
        for log, name in works:
            out = folder / f"{number}-{log}-{name}"
            rate = hands_a_second(out, games, log, places[name])
            if number:
                rates[log, name].append(rate)
    return [
        *(
            figure("cluster", f"{name}, log {log}", rates[log, name], "hands/s")
            for log, name in works
        ),
        *(
            _ratio(log, name, base, rates[log, name], rates[log, base])
            for log in LOGS
            for name, base in (
                ("two workers", "one worker"),
                ("Dask, shared folder", "two workers"),
                ("Dask, --collect", "two workers"),
            )
        ),
    ]


def _ratio(
    log: str, name: str, base: str, rates: Sequence[float], bases: Sequence[float]
) -> Figure:
    values = [a / b for a, b in zip(rates, bases, strict=True)]
    return figure("cluster", f"{name} : {base}, log {log}", values, "times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=400_000, help="a pairing, of six pairings")
    parser.add_argument("--json", action="store_true", help="print a JSON list of the figures")
    options = parser.parse_args()
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as workers,
        tempfile.TemporaryDirectory() as folder,
    ):
        figures = measure(options.rounds, options.games, workers.scheduler_address, Path(folder))
    if options.json:
        print(json.dumps([asdict(each) for each in figures], indent=2))
    else:
        print(text(figures))


if __name__ == "__main__":
    main()

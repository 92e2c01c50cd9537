"""put verify: prove the log of a run."""

import sys
from pathlib import Path

import click
from tqdm import tqdm

from put_cli.cli.options import resolve_run, run_argument
from put_cli.cli.printing import format_option, show_table


@click.command(
    epilog="""\b
Examples:
  put verify
  put verify runs/20260101-120000-cotton -w 4
  put verify runs/latest --replay 3
  put verify --json"""
)
@run_argument()
@click.option(
    "--replay",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Play N shards again, chosen by chance, with the same strategies; compare all bytes.",
)
@click.option(
    "--trust",
    is_flag=True,
    help="With --replay: run the code of strategies that the run names by file or module.",
)
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=100,
    show_default=True,
    metavar="HANDS",
    help="Hands, or deals, of a shard that the referee judges card by card, as a second opinion.",
)
@click.option(
    "-w", "--workers", type=click.IntRange(1, 1024), default=1, show_default=True,
    help="Processes that check.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
@format_option()
def command(
    run: Path,
    replay: int,
    trust: bool,
    sample: int,
    workers: int,
    quiet: bool,
    form: str,
) -> int:
    """Prove RUN (runs/latest unless given): replay every logged hand, recompute all the rest.

    Every deal and cut comes from the seed again, every hand is played again by the rules as
    logged, and every column of every table, the tallies, the standings and the hashes are worked
    out and compared. Faults are listed by file, key and column; the exit code is 1 if there are
    any. docs/verifying.md says what this proves, of runs of Speculation too. CSV has the faults
    alone.
    """
    from put_cli.verify.run import Progress, Wish, verify
    from put_cli.verify.telling import Told

    run = resolve_run(run)
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    with tqdm(unit="shard", disable=hidden, leave=False, dynamic_ncols=True) as bar:

        def total(shards: int) -> None:
            bar.reset(shards)

        found = verify(
            Wish(run=run, sample=sample, replay=replay, trust=trust, workers=workers),
            Progress(total, lambda _findings: bar.update()),
        )
    show_table(form, Told(found, str(run)), found.plain)
    return 0 if found.sound else 1

"""Feeds parsers with what atheris thinks of, for as long as one likes.

    pip install atheris
    python -m tests.untrusted.fuzz --minutes 45
    python -m tests.untrusted.fuzz notation part --minutes 10 --kept /tmp/corpus

All parsers, or those named, share the time, each in a process of its own with 2 GB and 60 seconds
for an input at most. What a parser does not refuse properly is written to the folder `found`
(--found), and told of at the end (exit code 1); put it, as small as it gets, into the parser's
folder of the corpus, which `test_parsers.py` reads. --kept names a folder for the inputs that went
where no other did; without it they are lost.

`python -m tests.untrusted.fuzz --one PARSER ...` is what a turn runs; whatever follows are options
of libFuzzer's, such as `-merge=1 OUT IN`, which chooses from a folder what is worth keeping.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"

COMPILED = ("put_cli.engine", "put_cli.verify", "put_cli.stats.habits", "put_cli.strategy")
"""Code that Numba compiles has to stay as it is written."""


def main() -> int:
    """Share out the time among the parsers."""
    from tests.untrusted.parsers import PARSERS
    from tests.untrusted.seeds import seeds

    options = ArgumentParser(description="Fuzz the parsers of what a stranger may have written.")
    options.add_argument("parsers", nargs="*", choices=[*PARSERS, []], metavar="PARSER")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--found", type=Path, default=Path("found"))
    options.add_argument("--kept", type=Path)
    wanted = options.parse_args()
    names = wanted.parsers or list(PARSERS)
    end = time.monotonic() + 60 * wanted.minutes
    with contextlib.ExitStack() as stack:
        kept = wanted.kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name in names:
            folder = kept / name
            folder.mkdir(parents=True, exist_ok=True)
            for number, seed in enumerate(seeds()[name]):
                (folder / f"seed-{number}").write_bytes(seed)
        for turn, name in enumerate(names):
            seconds = (end - time.monotonic()) / (len(names) - turn)
            _turn(name, max(1, round(seconds)), kept / name, wanted.found / name)
    found = sorted(wanted.found.glob("*/*"))
    for path in found:
        print(path)
    print(f"{len(found)} inputs that were not refused properly.")
    return 1 if found else 0


def _turn(name: str, seconds: int, kept: Path, found: Path) -> None:
    """Fuzz one parser for so many seconds."""
    found.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.untrusted.fuzz", "--one", name, str(kept)]
    corpus = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
    limits = [f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=2048", "-verbosity=0"]
    told = [f"-artifact_prefix={found}/", "-print_final_stats=1"]
    done = subprocess.run([*command, *corpus, *limits, *told], capture_output=True, check=False)
    text = done.stderr.decode("utf-8", "backslashreplace")
    count = next((line.split()[-1] for line in text.split("\n") if "executed_units" in line), "?")
    print(f"{name}: {count} inputs in {seconds} s, exit code {done.returncode}", flush=True)
    if done.returncode:
        output = done.stdout.decode("utf-8", "backslashreplace")
        print("\n".join((output + text).split("\n")[-60:]), flush=True)
    with contextlib.suppress(OSError):
        found.rmdir()  # if there is nothing in it


def one(name: str) -> None:
    """Fuzz one parser in this process, by libFuzzer's options."""
    import atheris

    with atheris.instrument_imports(include=["put_cli", "tomllib"], exclude=COMPILED):
        from tests.untrusted.parsers import PARSERS, REFUSED

    parse = PARSERS[name]

    def once(data: bytes) -> None:
        with contextlib.suppress(*REFUSED):
            parse(data)

    atheris.Setup(sys.argv, once)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        del sys.argv[1]
        one(sys.argv.pop(1))
    else:
        sys.exit(main())

"""Feeds a parser with what atheris thinks of, for as long as one likes.

    pip install atheris
    python -m tests.untrusted.fuzz notation -max_total_time=300
    python -m tests.untrusted.fuzz part tests/untrusted/corpus/part -max_total_time=300

The options are libFuzzer's. An input that a parser does not refuse properly is written to the
current directory; put it, as small as it gets, into the parser's folder of the corpus, which
`test_parsers.py` reads. `-merge=1 OUT IN` chooses from a folder what is worth keeping.
"""

import contextlib
import sys

import atheris

with atheris.instrument_imports(include=["put_cli", "tomllib"]):
    from tests.untrusted.parsers import PARSERS, REFUSED


def main() -> None:
    """Fuzz the parser named first."""
    if len(sys.argv) < 2 or sys.argv[1] not in PARSERS:
        sys.exit(f"expected a parser: {', '.join(PARSERS)}.")
    parse = PARSERS[sys.argv.pop(1)]

    def once(data: bytes) -> None:
        with contextlib.suppress(*REFUSED):
            parse(data)

    atheris.Setup(sys.argv, once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Whatever a file or a line holds, it is read or refused in a sentence: nothing else is raised."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from put_cli.errors import PutError
from tests.untrusted.parsers import PARSERS, REFUSED
from tests.untrusted.seeds import seeds

CORPUS = Path(__file__).parent / "corpus"

SLOW = ("tally_figures", "logged_figures")
"""These write and read a whole run for every input: fewer are tried here."""


def tries(parser: str, many: int) -> settings:
    """So many inputs, and of the slow ones a fifth."""
    return settings(
        max_examples=many // 5 if parser in SLOW else many,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,  # the same every time; `fuzz.py` looks for new ones
    )


def parse(parser: str, data: bytes) -> None:
    """Read it; a refusal is a sentence that says something."""
    try:
        PARSERS[parser](data)
    except REFUSED as error:
        said = str(error) if isinstance(error, PutError) else error.message
        if not said:
            pytest.fail(f"{type(error).__name__} says nothing")


def kept(parser: str) -> list[bytes]:
    """Inputs that were once refused in the wrong way, or went where no other did."""
    return [path.read_bytes() for path in sorted((CORPUS / parser).glob("*"))]


@st.composite
def mutations(draw: st.DrawFn, parser: str) -> bytes:
    """A seed with some stretches replaced, doubled or left out."""
    data = bytearray(draw(st.sampled_from(seeds()[parser])))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(len(data), begin + draw(st.integers(0, 8)))
        new = draw(
            st.one_of(
                st.binary(max_size=4),
                st.sampled_from(
                    [b"", b"\x1b[2J", b"9" * 30, b"[" * 200, b"{", b'"', b"-1", b"null", b"\xff"]
                ),
                st.just(bytes(data[begin:end]) * 2),
            )
        )
        data[begin:end] = new
    return bytes(data)


@pytest.mark.parametrize("parser", PARSERS)
def test_the_corpus_is_read_or_refused(parser: str) -> None:
    for data in (*seeds()[parser], *kept(parser)):
        parse(parser, data)


def test_what_the_parsers_are_meant_for_is_read() -> None:
    for parser in ("notation", "rules_text", "rules_file", "rules_mapping", "run_manifest"):
        for data in seeds()[parser]:
            PARSERS[parser](data)


@pytest.mark.parametrize("parser", PARSERS)
def test_a_mutated_input_is_read_or_refused(parser: str) -> None:
    @tries(parser, 60)
    @given(data=mutations(parser))
    def every(data: bytes) -> None:
        parse(parser, data)

    every()


@pytest.mark.parametrize("parser", PARSERS)
def test_anything_at_all_is_read_or_refused(parser: str) -> None:
    @tries(parser, 40)
    @given(data=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(str.encode)))
    def every(data: bytes) -> None:
        parse(parser, data)

    every()

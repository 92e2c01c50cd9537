"""The terminal: widths, colours, codings, ends."""

import io

import pytest

from put_cli.person.terminal import Terminal


class Screen(io.StringIO):
    """Output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wish of the surroundings is felt."""
    for name in ("NO_COLOR", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def said(screen: io.StringIO, text: str = "won", *, indent: int = 0) -> str:
    Terminal(io.StringIO(), screen).say(text, indent=indent, colour="green", bold=True)
    return screen.getvalue()


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(Screen()) == "\x1b[32m\x1b[1mwon\x1b[0m\n"
    assert said(io.StringIO()) == "won\n"
    monkeypatch.setenv("TERM", "dumb")
    assert said(Screen()) == "won\n"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert said(Screen()) == "won\n"


@pytest.mark.parametrize(("columns", "width"), [("200", 80), ("40", 40), ("3", 20)])
def test_lines_are_broken_at_80_columns_or_sooner(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    lines = said(io.StringIO(), "many words " * 20, indent=2).splitlines()
    assert max(map(len, lines)) in range(width - 6, width + 1)
    assert lines[0].startswith("  many")
    assert lines[1].startswith("    ")


def test_what_a_coding_cannot_show_is_written_as_an_escape() -> None:
    raw = io.BytesIO()
    screen = io.TextIOWrapper(raw, "ascii")
    Terminal(io.StringIO(), screen).say("fuchs\u00fc")
    assert raw.getvalue() == b"fuchs\\xfc\n"


def test_bytes_that_are_no_text_are_read_all_the_same() -> None:
    incoming = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nk\n"), "utf-8")
    terminal = Terminal(incoming, io.StringIO())
    assert [terminal.ask("K", "lead") for _ in range(3)] == ["\ufffd\ufffd", "k", None]


def test_an_answer_that_nobody_typed_is_written_behind_its_prompt() -> None:
    screen = io.StringIO()
    terminal = Terminal(io.StringIO(" k\x1b \n"), screen)
    assert terminal.ask("K 9", "lead a card") == "k\x1b"
    assert screen.getvalue() == "  [K 9] lead a card > k?\n"


def test_the_end_of_input_is_no_answer_and_ends_the_line() -> None:
    screen = io.StringIO()
    assert Terminal(io.StringIO(), screen).ask("K", "lead a card") is None
    assert screen.getvalue().endswith("> \n")


def test_a_line_without_end_is_read_in_pieces() -> None:
    terminal = Terminal(io.StringIO("x" * 1000), io.StringIO())
    assert terminal.ask("K", "lead a card") == "x" * 200

"""Lines out and lines in: colour where it belongs, 80 columns at most, plain ASCII of its own.

What is written elsewhere (names of strategies) is shown as far as the terminal can. Nothing here
knows the game.
"""

import contextlib
import os
import shutil
from textwrap import wrap
from typing import TextIO

import click

WIDTH = 80
LONGEST_ANSWER = 200  # characters; what goes beyond is read as another answer


class Terminal:
    """A place to talk: `incoming` is read line by line, whether somebody types there or not."""

    def __init__(self, incoming: TextIO, outgoing: TextIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self.interactive = incoming.isatty()
        self._colour = (
            outgoing.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        for stream, unknown in ((incoming, "replace"), (outgoing, "backslashreplace")):
            with contextlib.suppress(AttributeError, ValueError):  # not every stream has a coding
                stream.reconfigure(errors=unknown)  # type: ignore[attr-defined]

    @property
    def width(self) -> int:
        """Columns to write in."""
        return min(WIDTH, max(20, shutil.get_terminal_size((WIDTH, 24)).columns))

    def say(self, text: str = "", *, indent: int = 0, colour: str = "", bold: bool = False) -> None:
        """Write a paragraph, its later lines a little further in."""
        lines = wrap(
            text,
            self.width,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + 2),
        )
        for line in lines or [""]:
            self._write(f"{self._styled(line, colour, bold)}\n")

    def show(self, text: str) -> None:
        """Write lines as they are."""
        self._write(f"{text}\n")

    def ask(self, cards: str, prompt: str) -> str | None:
        """The next line that was typed after `[cards] prompt >`; None at the end of all lines.

        Where nobody types, the answer is written behind the prompt, so that what comes out can
        be read.
        """
        self._write(f"  {self._styled(f'[{cards}]', '', True)} {prompt} > ")
        line = self._incoming.readline(LONGEST_ANSWER)
        if not line:
            self._write("\n")
            return None
        if not self.interactive:
            self._write(f"{''.join(c if c.isprintable() else '?' for c in line.strip())}\n")
        return line.strip()

    def _styled(self, text: str, colour: str, bold: bool) -> str:
        if not self._colour or not (colour or bold):
            return text
        return click.style(text, fg=colour or None, bold=bold or None)

    def _write(self, text: str) -> None:
        click.echo(text, file=self._outgoing, nl=False, color=self._colour)
        self._outgoing.flush()

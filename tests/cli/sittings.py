"""`put play` at the other end of a pseudo-terminal."""

import os
import re
import select
import subprocess
import sys
import time

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
PROMPT = re.compile(r"\[([^]]*)\] [^:>]*: ([^>]*) > $")
"""The cards held, and what may be done."""

STYLE = re.compile(r"\x1b\[\d*m")
SECONDS = 300  # the first run on a machine compiles

_ON_ITS_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from put_cli.cli.main import main
main(sys.argv[1:])
"""


class Sitting:
    """`put play` at the other end of a pseudo-terminal, where Ctrl-C and Ctrl-D do what they do."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ON_ITS_TERMINAL, "play", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "80"} | environment,
        )
        os.close(slave)
        self.out = ""

    def prompted(self) -> "re.Match[str] | None":
        """Read until a prompt, and give it; None when it has ended."""
        deadline = time.monotonic() + SECONDS
        while not (prompt := PROMPT.search(STYLE.sub("", self.out))):
            ready, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
            assert ready, self.out
            try:
                data = os.read(self._master, 4096)
            except OSError:  # on Linux, when the other end is closed
                data = b""
            if not data:
                return None
            self.out += data.decode().replace("\r\n", "\n")
        return prompt

    def type(self, text: str) -> None:
        """Type at the prompt."""
        self.out += "\0"  # no prompt any more
        os.write(self._master, text.encode())

    def code(self) -> int:
        """Wait for the end: the exit code."""
        assert self.prompted() is None, self.out
        return self._process.wait(SECONDS)

    def hang_up(self) -> None:
        """Close the window, and wait until it has noticed."""
        os.close(self._master)
        self._process.wait(SECONDS)
        self._master = -1

    def close(self) -> None:
        """Leave nothing behind."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._master >= 0:
            os.close(self._master)

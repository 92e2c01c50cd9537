"""Programs as players: `exec(./bot --level 3)` speaks the line protocol, in any language."""

import hashlib
import os
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

from put_cli.errors import SpecError
from put_cli.plugins import wire
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.outside import LoadedOutside, Outside, introduce

EXTERNAL = "external"
_OPEN = "exec("


def names_program(text: str) -> bool:
    """Whether a user means a program by `text`."""
    return text.strip().startswith(_OPEN)


@cache
def load(text: str, memory_limit: int = 0) -> Loaded:
    """The program a user means by `exec(command)`, to be run with so much memory (MB; 0: any).

    It is started once to hear that it speaks the protocol.

    Raises:
        SpecError: there is no such program, or it does not.
    """
    words = _words(text)
    program = shutil.which(words[0])
    if program is None:
        raise SpecError(
            f"{text}: there is no program {words[0]!r} that can be run. Name one on the PATH, or a "
            "file with its folder, as in exec(./bot)."
        )
    command = [os.path.abspath(program), *words[1:]]
    hello = wire.hello(text)

    def launched() -> list[str]:
        return _launched(command, memory_limit)

    described = introduce(text, launched(), hello)
    facts = described.facts | {"source": _digest(command), "parameters": {"command": words}}
    strategy = Outside(EXTERNAL, "a program of its own", launched, hello, described)
    return LoadedOutside(
        f"exec({shlex.join(words)})",
        text,
        strategy,
        command[0],
        str(facts.get("version", "")),
        facts=facts,
    )


def _words(text: str) -> list[str]:
    inside = text.strip().removeprefix(_OPEN)
    try:
        words = shlex.split(inside.removesuffix(")")) if inside.endswith(")") else []
    except ValueError:
        words = []
    if not words:
        raise SpecError(f"expected a program as exec(./bot --level 3), got {text!r}.")
    return words


def _digest(command: list[str]) -> str:
    """16 hex digits over the program and every file that its arguments name."""
    hasher = hashlib.blake2b(digest_size=8)
    for word in command:
        path = Path(word)
        hasher.update(b"\0file\0" + path.read_bytes() if path.is_file() else word.encode())
    return hasher.hexdigest()


def _launched(command: list[str], memory_limit: int) -> list[str]:
    """The command that runs another within its limits.

    Python itself sets them and becomes the program: what runs between fork and exec in a process
    that may have threads had better be nothing.
    """
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from put_cli.plugins.limits import become; "
        f"become({os.getpid()}, {memory_limit}, {command!r})"
    )
    return [sys.executable, "-P", "-c", code]

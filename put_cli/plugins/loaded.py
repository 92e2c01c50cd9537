"""A strategy that was loaded, wherever it came from and wherever it decides."""

import hashlib
import inspect
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from put_cli.plugins import spec
from put_cli.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Loaded:
    """A strategy ready to play; `name` is what logs and tables call it."""

    name: str
    text: str
    """As the user gave it, sufficient to load it again."""
    strategy: Strategy
    package: str
    version: str
    file: PurePath | None = None
    """Where it lies, as the user gave it but without `.py`; None unless it came from a file."""
    partner: "Loaded | None" = None
    """Of a team: the second of the two, whose name is part of this one's."""

    @property
    def kind(self) -> object:
        """What it has in common with every other variant of itself."""
        return type(self.strategy)

    @property
    def outside(self) -> bool:
        """Whether it decides in a process of its own."""
        return False

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return first_line(type(self.strategy))

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value, ready for JSON."""
        return spec.parameters(self.strategy)

    @property
    def source(self) -> str:
        """16 hex digits over its source."""
        from put_cli.engine.reach import source_digest

        return source_digest(self.strategy)

    @property
    def files(self) -> dict[str, str]:
        """16 hex digits over the content of every file that is given as a parameter."""
        found = {}
        for name, value in self.parameters.items():
            with suppress(OSError, ValueError):  # most texts are no file
                if isinstance(value, str) and Path(value).is_file():
                    with open(value, "rb") as file:
                        digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8))
                    found[name] = digest.hexdigest()
        return found

    @property
    def plays(self) -> tuple[str, ...]:
        """The rule sets it says it plays; empty for any."""
        return self.strategy.plays


def first_line(cls: type) -> str:
    """The first line of a class's own docstring, or an empty string."""
    # A dataclass without docstring gets its signature as one: not worth showing.
    doc = inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]
    return "" if doc.startswith(f"{cls.__name__}(") else doc

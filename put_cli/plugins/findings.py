"""One finding of the contract test: what was looked at, and what was wrong with it."""

from dataclasses import dataclass
from typing import Any

from put_cli.errors import one_line

SHOWN = 3
"""Examples that are shown of one kind of failure."""


@dataclass(frozen=True)
class Finding:
    """Whether a strategy keeps one clause of the contract.

    `title` says the clause, `detail` how it was tested or how much is wrong; `examples` are what
    went wrong, one line each or with a line more to reproduce it.
    """

    title: str
    ok: bool = True
    detail: str = ""
    examples: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """As people read it."""
        mark = "ok  " if self.ok else "FAIL"
        lines = [f"{mark} {self.title}{f': {self.detail}' if self.detail else ''}"]
        for example in self.examples:
            lines += [f"     {line}" for line in example.splitlines()]
        return lines

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "title": self.title,
            "ok": self.ok,
            "detail": self.detail,
            "examples": list(self.examples),
        }


def failed(title: str, *examples: str) -> Finding:
    """A finding of what is wrong."""
    return Finding(title, False, examples=examples)


def broke(title: str, error: BaseException) -> Finding:
    """A finding of code that raised where it must not."""
    return failed(title, one_line(error))

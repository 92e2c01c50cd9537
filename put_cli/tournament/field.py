"""The strategies of a run: loaded, and described for its manifest."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from put_cli.engine.players import Contestant
from put_cli.plugins.discovery import Load, load_all
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.surroundings import Said, Surroundings
from put_cli.speculation.rules import Rules

_FACTS = ("name", "parameters", "files", "package", "version", "source", "memory", "partner")
"""What a strategy must have in common wherever and whenever it plays in one run."""

_IN_WORDS = {
    "source": "source hash",
    "memory": "use of memory",
    "files": "hash of a file among its parameters",
}


@dataclass(frozen=True)
class Field:
    """All who play, in the order of their numbers."""

    loaded: tuple[Loaded, ...]
    left_out: tuple[str, ...] = ()
    """Messages about installed strategies that could not be loaded."""
    printed: tuple[str, ...] = ()
    """What strategies printed when they were loaded."""

    @property
    def names(self) -> list[str]:
        """As the log calls them."""
        return [each.name for each in self.loaded]

    @property
    def texts(self) -> tuple[str, ...]:
        """As `discovery.load_all` takes them."""
        return tuple(each.text for each in self.loaded)


def load_field(texts: Sequence[str], rules: Rules, load: Load) -> Field:
    """The field that `texts` name, of all installed strategies where they are empty.

    What a file changes in this process when it is loaded is put back.

    Raises:
        SpecError: one cannot be loaded.
    """
    surroundings = Surroundings()
    said = Said(lambda: "a strategy that is loaded")
    sys.stdout, sys.stderr = said.stream(), said.stream()
    try:
        loaded, left_out = load_all(tuple(texts), rules=rules, load=load)
    finally:
        surroundings.restore()
    return Field(tuple(loaded), tuple(left_out), tuple(said.told()))


def described(field: Field, contestants: Sequence[Contestant]) -> list[dict[str, Any]]:
    """The field as a manifest has it."""
    digests: dict[object, str] = {}
    return [
        _described(each, digests) | {"memory": player.memory}
        for each, player in zip(field.loaded, contestants, strict=True)
    ]


def _described(loaded: Loaded, digests: dict[object, str]) -> dict[str, Any]:
    """A strategy, or a team with its second member; variants share the source of their class."""
    if loaded.kind not in digests:
        digests[loaded.kind] = loaded.source
    facts = {
        "name": loaded.name,
        "spec": loaded.text,
        "parameters": loaded.parameters,
        "files": loaded.files,
        "package": loaded.package,
        "version": loaded.version,
        "source": digests[loaded.kind],
    }
    return facts | ({"partner": _described(loaded.partner, digests)} if loaded.partner else {})


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Where two descriptions of a strategy differ: what it is, in words, and both values."""
    for key in _FACTS:
        if (one.get(key) or None) != (other.get(key) or None):
            what = _IN_WORDS.get(key, key)
            yield what, one.get(key), other.get(key)

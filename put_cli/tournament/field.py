"""The strategies of a run: loaded, and described for its manifest."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from put_cli.engine.players import Contestant
from put_cli.plugins.discovery import load_all
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.loading import loader
from put_cli.plugins.surroundings import Said, Surroundings
from put_cli.speculation.rules import Rules


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


def load_field(
    texts: Sequence[str], rules: Rules, *, isolate: bool, tier: str, memory_limit: int
) -> Field:
    """The field that `texts` name, of all installed strategies where they are empty.

    What a file changes in this process when it is loaded is put back.

    Raises:
        SpecError: one cannot be loaded.
        UsageError: isolated strategies cannot play in this tier.
    """
    surroundings = Surroundings()
    said = Said(lambda: "a strategy that is loaded")
    sys.stdout, sys.stderr = said.stream(), said.stream()
    try:
        load = loader(isolate=isolate, tier=tier, memory_limit=memory_limit)
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
        "package": loaded.package,
        "version": loaded.version,
        "source": digests[loaded.kind],
    }
    return facts | ({"partner": _described(loaded.partner, digests)} if loaded.partner else {})

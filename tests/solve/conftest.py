"""Games small enough to be played through by hand, so to speak: four ranks, two of each."""

from collections.abc import Iterator

import pytest

from put_cli.rules import ruleset
from put_cli.rules.cards import PACKS, Pack


@pytest.fixture(scope="session", autouse=True)
def tiny_pack() -> Iterator[None]:
    """The pack `tiny`, for `cotton(pack=tiny)`."""
    PACKS["tiny"] = Pack(name="tiny", ranks="32AK", copies=2, source="the tests")
    before = ruleset._CHOICES["pack"]
    ruleset._CHOICES["pack"] = (*before, "tiny")
    yield
    ruleset._CHOICES["pack"] = before
    PACKS.pop("tiny", None)

"""Games that several files of tests compare theirs with."""

import pytest

from put_cli.engine.matches import Played
from put_cli.engine.players import NATIVE
from tests.engine.faulty import Fine, games_of


@pytest.fixture(scope="package")
def spotless() -> Played:
    """The games of `faulty.games_of` where the player commits no fault."""
    return games_of(Fine(), NATIVE)

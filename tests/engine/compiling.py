"""What the tests of compilation share: a store that counts, and both tiers side by side."""

from functools import cache

from put_cli import Strategy, View
from put_cli.engine.matches import Played
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant
from tests.engine.field import assert_same_play, enlisted, mirrored, played


class MemoryStore:
    """A store that counts."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}
        self.loads = self.saves = 0

    def load(self, digest: str) -> bytes | None:
        self.loads += digest in self.entries
        return self.entries.get(digest)

    def save(self, digest: str, data: bytes) -> None:
        self.saves += 1
        self.entries[digest] = data


@cache
def player_of(strategy: Strategy, tier: str) -> Contestant:
    """The strategy in one tier; compiled once for all rule sets."""
    player = enlisted(strategy, "own", tier)
    assert player.tier == tier, player.why
    return player


@cache
def anybody() -> Contestant:
    """An opponent that does anything allowed."""
    return enlisted("random")


def games_of(strategy: Strategy, tier: str, rules: str) -> Played:
    """Games against a player that does anything allowed."""
    return played([player_of(strategy, tier), anybody()], mirrored(2, 20), rules=rules, seed=8)


def assert_compiled_plays_as_interpreted(strategy: Strategy, rules: str = "cotton") -> Played:
    """Both tiers play the same hands, and there is something to see in them."""
    native, slow = games_of(strategy, NATIVE, rules), games_of(strategy, INTERPRETED, rules)
    assert_same_play(native, slow)
    assert not native.reasons
    assert not native.differences
    return native


def card_of(view: View) -> int:
    """A helper for most of the strategies below."""
    return view.cheapest_winner or view.lowest

"""Tables for tests: players of many minds, the kernel's games told again by the slow machine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from put_cli.engine.luck import deal_many, luck, luck_of_game, luck_of_match, subkey
from put_cli.engine.players import Contestant
from put_cli.plugins.code_store import DiskStore
from put_cli.speculation import state as at
from put_cli.speculation.kernel import ROOM, THRESHOLD
from put_cli.speculation.machine import Event, What
from put_cli.speculation.play import Ints, Played, enlist, play, prepare_kernel, seated
from put_cli.speculation.rules import Speculation
from put_cli.speculation.session import Pack, Session
from put_cli.speculation.session import play as play_slowly
from put_cli.speculation.strategy import Speculator, View


@dataclass(frozen=True)
class Whim(Speculator):
    """Does anything allowed, more or less often."""

    often: float = 0.5
    most: int = 5

    def presell(self, view: View) -> bool:
        return view.luck < self.often

    def bid(self, view: View) -> int:
        return int(view.luck / self.often * self.most) if view.luck < self.often else 0

    def accept(self, view: View) -> bool:
        return view.luck < self.often

    def offer(self, view: View) -> int:
        if view.luck >= self.often:
            return 0
        return view.cards if view.whole_hand else int(view.luck / self.often * (view.cards + 1))


@dataclass(frozen=True)
class Remembering(Whim):
    """The same, with a memory."""

    memory = True


@dataclass(frozen=True)
class Witness(Whim):
    """Writes down every view that it is shown, and what for; never compiled."""

    notes: list[tuple[str, View]] = field(default_factory=list, compare=False)

    def presell(self, view: View) -> bool:
        self.notes.append(("presell", view))
        return super().presell(view)

    def bid(self, view: View) -> int:
        self.notes.append(("bid", view))
        return super().bid(view)

    def accept(self, view: View) -> bool:
        self.notes.append(("accept", view))
        return super().accept(view)

    def offer(self, view: View) -> int:
        self.notes.append(("offer", view))
        return super().offer(view)


@dataclass(frozen=True)
class RememberingWitness(Witness):
    """The same, with a memory."""

    memory = True


def contestants(strategies: Sequence[Speculator], tier: str = "auto") -> list[Contestant]:
    """Named `0`, `1` ..., compiled or loaded from the usual store."""
    prepare_kernel(STORE)
    if tier == "interpreted":
        return [enlist(str(n), each, STORE, tier) for n, each in enumerate(strategies)]
    return [_compiled(str(n), each) for n, each in enumerate(strategies)]


STORE = DiskStore()


@cache
def _compiled(name: str, strategy: Speculator) -> Contestant:
    return enlist(name, strategy, STORE)


def matches(players: int, blocks: int, games: int, *, mirrors: int = 1) -> Ints:
    """So many blocks of one table of everybody; each mirror moves all on by a chair."""
    return seated(
        (0, block, mirror, games, *((chair - mirror) % players for chair in range(players)))
        for block in range(blocks)
        for mirror in range(mirrors)
    )


def play_all(
    rules: Speculation,
    strategies: Sequence[Speculator],
    played_matches: Ints,
    seed: int = 1,
    tier: str = "auto",
) -> Played:
    """The kernel's play of these matches."""
    return play(rules, contestants(strategies, tier), played_matches, seed)


def pack_of(rules: Speculation, seed: int, block: int, game: int) -> Pack:
    """The cards of a session as the kernel deals them."""
    key = subkey(seed, "speculation deal")

    def pack(shuffle: int) -> list[int]:
        out = np.zeros(ROOM, np.int64)
        count = rules.cards_a_deal * rules.deals_a_pack
        deal_many(key, block, game, shuffle, 52, 1, THRESHOLD, count, out)
        return [int(card) - 1 for card in out[:count]]

    return pack


def told_slowly(
    rules: Speculation, strategies: Sequence[Speculator], row: Sequence[int], game: int, seed: int
) -> Session:
    """The session of a match, by its row, played by the slow machine."""
    block, mirror = row[at.M_BLOCK], row[at.M_MIRROR]
    seated = list(row[at.M_CHAIRS : at.M_CHAIRS + rules.players])
    starts = []
    for who in seated:
        others = sorted(str(each) for each in seated if each != who)
        key = subkey(seed, "luck", str(who), *others)
        starts.append(luck_of_game(luck_of_match(key, block), mirror, game))
    return play_slowly(
        rules,
        pack_of(rules, seed, block, game),
        [strategies[who] for who in seated],
        lambda seat, deal, decision: luck(starts[seat], deal, decision),
    )


def events_of(played: Played) -> list[list[Event]]:
    """The kernel's events by deal."""
    found: list[list[Event]] = [[] for _ in played.deals]
    for deal, what, *rest in played.events.tolist():
        found[deal].append(Event(What(what), *rest))
    return found

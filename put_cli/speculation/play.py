"""Playing many sessions: the kernel, the compiled players, and those who are asked in Python."""

import hashlib
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import carray, njit

from put_cli.engine import compiled
from put_cli.engine.asking import Fault, raised
from put_cli.engine.forfeits import Forfeit, Moment
from put_cli.engine.forfeits import at as forfeit_at
from put_cli.engine.intrinsics import address_as_lane
from put_cli.engine.lanes import FAULT_KINDS, ILLEGAL, NONSENSE, SLOW
from put_cli.engine.luck import subkey
from put_cli.engine.native import Interface, NotNative, compile_method
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant
from put_cli.engine.watch import Watch
from put_cli.speculation import kernel
from put_cli.speculation import state as at
from put_cli.speculation.chance import survival_of_turn_up
from put_cli.speculation.rules import MAX_BID, Speculation
from put_cli.speculation.strategy import METHODS, Speculator, View
from put_cli.speculation.view import make_view, survivals

Ints = npt.NDArray[np.int64]

Witness = Callable[[Moment, str], None]
"""Hears of a call of a player, and the player's name."""


COMPILED = (
    "cards", "chance", "kernel", "machine", "moves", "rules", "scripted", "state", "strategy",
    "view",
)  # fmt: skip
"""The modules of this package that decide what is compiled; they import no other one of it, but
that `scripted` is played by this one."""


@cache
def version() -> str:
    """10 hex digits over the source of COMPILED: part of the names of what is compiled."""
    hasher = hashlib.blake2b(compiled.platform_digest(), digest_size=5)
    for name in COMPILED:
        source = (files("put_cli.speculation") / f"{name}.py").read_bytes()
        hasher.update(name.encode() + b"\0" + source + b"\0")
    return hasher.hexdigest()


def _view_of(strategy: Any, _method: str) -> Any:
    memory, width, size = bool(type(strategy).memory), at.WIDTH, len(survivals())

    def view(state_at, chances_at, seat, _other):  # type: ignore[no-untyped-def]
        chances = carray(address_as_lane(chances_at), size).view(np.float64)
        return make_view(carray(address_as_lane(state_at), width), chances, seat & 15, memory)

    return view


@njit(nogil=True)
def _view(s, chances, seat, memory):  # type: ignore[no-untyped-def]
    """The View for a player in Python."""
    return make_view(s, chances, seat, memory)


def prepare_kernel(store: compiled.Store) -> None:
    """Give the compiled functions their disk cache; their first calls then compile or load."""
    for name, function in (("advance", kernel.advance), ("view", _view)):
        digest = f"{compiled.kernel_digest(f'speculation {name}')}-{version()}"
        function._cache = compiled.Cache(store, digest)


def enlist(
    name: str, strategy: Speculator, store: compiled.Store, tier: str = "auto"
) -> Contestant:
    """A contestant whose every method is compiled, or else is played interpreted.

    Raises:
        NotNative: `tier` is native and a method cannot be compiled.
    """
    why = f"the {tier} tier was asked for"
    if tier in ("auto", NATIVE):
        interface = Interface(_view_of, version())
        try:
            native = {
                number: compile_method(strategy, store, method, interface)
                for number, method in enumerate(METHODS)
                if overrides(strategy, method)
            }
        except NotNative as error:
            if tier == NATIVE:
                raise
            why = str(error)
        else:
            return Contestant(name, strategy, NATIVE, native)
    return Contestant(name, strategy, INTERPRETED, why=why)


def overrides(strategy: Speculator, method: str) -> bool:
    """Whether a strategy has an answer of its own."""
    return getattr(type(strategy), method) is not getattr(Speculator, method)


@dataclass(frozen=True)
class Mishap:
    """A player's first fault in a session, after which he says nothing more in it."""

    session: int
    """Row of the sessions."""
    seat: int
    kind: int
    """Of `lanes.FAULT_KINDS`."""
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({FAULT_KINDS[self.kind]})"


@dataclass(frozen=True, eq=False)
class Played:
    """Sessions played to the end, in the order of the matches; columns as in `state`."""

    rules: Speculation
    matches: Ints
    """(F, MATCH_WIDTH)"""
    sessions: Ints
    """(G, GAME_WIDTH)"""
    deals: npt.NDArray[np.int32]
    """(D, DEAL_WIDTH); no rows when they were not kept."""
    events: npt.NDArray[np.int32]
    """(E, 8), columns EVENT_COLUMNS; no rows when they were not kept."""
    mishaps: tuple[Mishap, ...]
    forfeits: tuple[Forfeit, ...]
    """Not known before: a player took too long, and is silent for the rest of its match."""
    differences: tuple[str, ...]
    """Where compiled and interpreted play were found to differ."""


@dataclass(eq=False)
class Buffers:
    """Room for deals and events, to be used again."""

    deals: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.zeros((1, at.DEAL_WIDTH), np.int32)
    )
    events: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.zeros((1, len(at.EVENT_COLUMNS)), np.int32)
    )


def most_events(rules: Speculation) -> int:
    """So many events a deal can have at most; each turned card may be sold, each gap has offers."""
    players, turns = rules.players, 3 * rules.players
    offers = players * turns if rules.unseen != "none" else 0
    sales = 1 + 1 + turns + offers
    return players + 1 + sales * (players + 1) + 2 * turns + 3 + 1 + 1


def play(
    rules: Speculation,
    contestants: Sequence[Contestant],
    matches: Ints,
    seed: int,
    *,
    keep: bool = True,
    buffers: Buffers | None = None,
    watch: Watch | None = None,
    forfeits: Sequence[Forfeit] = (),
    witness: Witness | None = None,
) -> Played:
    """Play all matches to the end.

    `matches` is (F, MATCH_WIDTH), as `seated` makes it. `forfeits` are known from playing the same
    matches before: from the session of each on its player is silent. `witness` hears of every call
    of a player in Python before it is made.
    """
    table = _Table(
        rules,
        contestants,
        _with_forfeits(matches, forfeits),
        seed,
        keep,
        buffers or Buffers(),
        watch or Watch(),
        witness,
    )
    table.play()
    return table.played(forfeits)


def seated(rows: Iterable[Sequence[int]]) -> Ints:
    """(F, MATCH_WIDTH) from rows of table, block, mirror, sessions, and who sits in each chair."""
    listed = [list(row) for row in rows]
    matches = np.zeros((len(listed), at.MATCH_WIDTH), np.int64)
    for match, row in zip(matches, listed, strict=True):
        match[: len(row)] = row
        match[at.M_SPEAKS :] = row[at.M_GAMES]
    return matches


def _with_forfeits(matches: Ints, forfeits: Sequence[Forfeit]) -> Ints:
    """A copy of the matches in which those who forfeited fall silent."""
    made = matches.copy()
    place = {tuple(key): row for row, key in enumerate(made[:, : at.M_GAMES].tolist())}
    for each in forfeits:
        row = place.get(each.match)
        if row is not None:
            made[row, at.M_SPEAKS + each.chair] = min(
                made[row, at.M_SPEAKS + each.chair], each.game
            )
    return made


class _Table:
    def __init__(
        self,
        rules: Speculation,
        contestants: Sequence[Contestant],
        matches: Ints,
        seed: int,
        keep: bool,
        buffers: Buffers,
        watch: Watch,
        witness: Witness | None,
    ) -> None:
        self.rules, self.contestants, self.matches = rules, contestants, matches
        self.buffers, self.watch, self.witness = buffers, watch, witness
        self.s = np.zeros(at.WIDTH, np.int64)
        for place, value in (
            (at.PHASE, kernel.NEW_SESSION),
            (at.PLAYERS, rules.players),
            (at.DEALS, rules.deals_a_session),
            (at.ANTE, rules.ante),
            (at.DEALER_ANTE, rules.ante_of(dealer=True)),
            (at.PAYMENT, rules.payment),
            (at.PRESALE, rules.presale),
            (at.MAY_OFFER, rules.unseen != "none"),
            (at.WHOLE_HAND, rules.unseen == "hand"),
            (at.SPARE, 3 * rules.spare_hand),
            (at.CARDS_A_DEAL, rules.cards_a_deal),
            (at.DEALS_A_PACK, rules.deals_a_pack),
            (at.KEEP, keep),
            (at.MOST_EVENTS, most_events(rules)),
        ):
            self.s[place] = value
        unknown = survival_of_turn_up((0, 0, 0, 0), rules.cards_a_deal - 1)
        self.s.view(np.float64)[[at.UP_SURVIVES, at.UP_SURVIVES_KNOWN]] = unknown
        self.sessions = np.zeros((int(matches[:, at.M_GAMES].sum()), at.GAME_WIDTH), np.int64)
        self.codes = np.array(
            [[_code(each, method) for method in range(len(METHODS))] for each in contestants],
            np.int64,
        )
        self.parameters = np.array(
            [next((n.parameters.ctypes.data for n in e.native.values()), 0) for e in contestants],
            np.int64,
        )
        self.lucks = self._lucks(seed)
        self.subkey = subkey(seed, "speculation deal")
        self.mishaps: list[Mishap] = []
        self.forfeits: list[Forfeit] = []
        self.differences: list[str] = []

    def _lucks(self, seed: int) -> Ints:
        """(F, SEATS): a key for each chair, from its strategy and those it sits with."""
        seated = self.matches[:, at.M_CHAIRS : at.M_CHAIRS + self.rules.players]
        tables, which = np.unique(seated, axis=0, return_inverse=True)
        keys = np.zeros((len(tables), at.SEATS), np.int64)
        for row, who in enumerate(tables.tolist()):
            names = [self.contestants[each].name for each in who]
            for chair, name in enumerate(names):
                others = sorted(each for each in names if each != name)
                keys[row, chair] = subkey(seed, "luck", name, *others)
        return keys[which.reshape(-1)]

    def play(self) -> None:
        pack = np.zeros(kernel.ROOM, np.int64)
        piles = np.zeros((at.SEATS, at.PILE), np.int64)
        while True:
            status = kernel.advance(
                self.s, piles, pack, self.subkey, self.matches, self.codes, self.parameters,
                self.lucks, survivals(), self.buffers.events, self.buffers.deals, self.sessions,
            )  # fmt: skip
            if status == kernel.DONE:
                return
            if status == kernel.FULL:
                self._grow()
            else:
                self._ask(judged=status == kernel.JUDGE)

    def _grow(self) -> None:
        least = int(self.s[at.MOST_EVENTS]) + 1
        self.buffers.events = _doubled(self.buffers.events, int(self.s[at.EVENT_ROW]), least)
        self.buffers.deals = _doubled(self.buffers.deals, int(self.s[at.DEAL_ROW]), 64)

    def _ask(self, *, judged: bool) -> None:
        """Ask the player in Python; a fault silences him for the rest of the session."""
        seat, method = int(self.s[at.ACTOR]), METHODS[int(self.s[at.METHOD])]
        who = self.contestants[self.matches[self.s[at.MATCH], at.M_CHAIRS + seat]]
        strategy = who.strategy
        assert isinstance(strategy, Speculator)
        view = _view(self.s, survivals(), seat, bool(strategy.memory))
        if self.witness:
            self.witness(self._moment(seat), who.name)
        try:
            with self.watch.over(lambda _: who.name):
                value = getattr(strategy, method)(view)
                answer = checked(view, method, value)
        except BaseException as error:
            self._silence(seat, raised(error))
            answer = 0
        else:
            if judged:
                compiled_answer = int(self.s[at.ANSWER])
                self.differences.append(
                    f"{who.name}: {method} gives {compiled_answer} compiled and {answer} "
                    f"interpreted in {view}"
                )
        self.s[at.ANSWER] = answer
        self.s[at.STATUS] = at.ANSWERED

    def _moment(self, seat: int) -> Moment:
        s = self.s
        pairing, block, mirror = self.matches[s[at.MATCH], : at.M_GAMES].tolist()
        return Moment(
            pairing=pairing,
            block=block,
            mirror=mirror,
            chair=seat,
            game=int(s[at.GAME]),
            hand=int(s[at.DEAL]),
            decision=int(s[at.DECISION + seat]),
        )

    def _silence(self, seat: int, fault: Fault) -> None:
        """For the rest of the session, or of the match where it was the clock that said so."""
        if fault.kind == SLOW:
            self.forfeits.append(forfeit_at(self._moment(seat), SLOW, str(fault)))
            self.matches[self.s[at.MATCH], at.M_SPEAKS + seat] = self.s[at.GAME]
        for method in range(len(METHODS)):
            self.s[at.CODE + at.SEATS * method + seat] = at.NOTHING
        session = int(self.s[at.SESSION])
        self.mishaps.append(Mishap(session, seat, fault.kind, str(fault)))

    def played(self, known: Sequence[Forfeit]) -> Played:
        mishaps = [*self.mishaps, *self._of_forfeits(known)]
        mishaps.sort(key=lambda mishap: (mishap.session, mishap.seat))
        return Played(
            self.rules,
            self.matches,
            self.sessions,
            self.buffers.deals[: self.s[at.DEAL_ROW]],
            self.buffers.events[: self.s[at.EVENT_ROW]],
            tuple(mishaps),
            tuple(self.forfeits),
            tuple(self.differences),
        )

    def _of_forfeits(self, known: Sequence[Forfeit]) -> Iterator[Mishap]:
        """A known forfeit in each session in which its player was silent."""
        first = np.cumsum(self.matches[:, at.M_GAMES]) - self.matches[:, at.M_GAMES]
        why = {(*each.match, each.chair): each for each in reversed(known)}
        for row in range(len(self.matches)):
            key, games = self.matches[row, : at.M_GAMES].tolist(), self.matches[row, at.M_GAMES]
            for seat in range(self.rules.players):
                each = why.get((*key, seat))
                if each is not None:
                    for game in range(self.matches[row, at.M_SPEAKS + seat], games):
                        yield Mishap(int(first[row]) + game, seat, each.kind, str(each))


def _code(contestant: Contestant, method: int) -> int:
    strategy = contestant.strategy
    assert isinstance(strategy, Speculator)
    if method in contestant.native:
        return contestant.native[method].code
    return at.PYTHON if overrides(strategy, METHODS[method]) else at.NOTHING


def _doubled(array: npt.NDArray[np.int32], used: int, least: int) -> npt.NDArray[np.int32]:
    """The array with room for at least `least` rows more than are used."""
    rows = max(2 * used, used + least)
    if rows <= len(array):
        return array
    grown = np.zeros((rows, array.shape[1]), array.dtype)
    grown[:used] = array[:used]
    return grown


def allowed(view: View, method: str) -> range | tuple[int, ...]:
    """The answers that the rules allow."""
    if method == "bid":
        return range(MAX_BID + 1)
    if method == "offer":
        return (0, view.cards) if view.whole_hand else range(view.cards + 1)
    return (0, 1)


def checked(view: View, method: str, value: object) -> int:
    """A returned value as the answer it is.

    Raises:
        Fault: it is not a whole number, or not allowed.
    """
    try:
        answer = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise Fault(
            NONSENSE, f"{method} returned {str(value)[:80]!r} where a whole number is expected"
        ) from None
    legal = allowed(view, method)
    if answer in legal:
        return answer
    expected = f"0 to {legal[-1]}" if isinstance(legal, range) else " or ".join(map(str, legal))
    raise Fault(ILLEGAL, f"{method} returned {str(answer)[:30]} where {expected} is allowed")

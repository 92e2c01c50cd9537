"""What the contract asks that takes games to find out: tiers that agree, learning, speed.

The opponents are wanderers, who say and lay anything allowed: some put at every chance, some never
throw, so that every part of a hand is reached.
"""

import pickle
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from put_cli.engine.lanes import METHODS, TALLY_COLUMNS
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.native import Native
from put_cli.engine.play import play, prepare_kernel
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING, NATIVE, Contestant, enlist
from put_cli.engine.tables import Tables, compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.findings import SHOWN, Finding, failed
from put_cli.rules.play import first_players
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import (
    DRAW,
    GIVE,
    KEEP,
    PUT,
    RECEIVE,
    REDEAL,
    SEE,
    STAND,
    THROW,
    Strategy,
    View,
)

Compiled = Mapping[int, Native]
"""Compiled methods as `Contestant` holds them; empty where act cannot be compiled."""

GAMES = 10
"""Games against each wanderer from each side, under each rule set."""

MEASURED_SECONDS = 0.2
"""How long a tier plays at least before its speed is believed."""


@dataclass(frozen=True)
class Wanderer(Strategy):
    """Says and lays anything allowed, with likings."""

    put: float = 0.3  # share of its chances to put that it takes
    see: float = 0.6  # share of puts that it sees
    throw: float = 0.05  # share of its chances to throw unasked that it takes

    def act(self, view: View) -> int:
        luck = view.luck
        if view.asked:
            return SEE if luck < self.see else THROW
        if view.may_put and luck < self.put:
            return PUT
        if view.may_throw and (luck > 1.0 - self.throw or not view.may_play):
            return THROW
        if not view.may_play:
            return PUT
        return self.any_card(view)

    def gift(self, view: View) -> int:
        choice = int(view.luck * 3.0)
        if choice == 0:
            return GIVE
        return KEEP if choice == 1 and view.may_keep else RECEIVE

    def lay_out(self, view: View) -> int:
        if view.luck < 0.25 and not view.must_swap:
            return view.fourth
        return self.any_card(view)

    def misdeal(self, view: View) -> int:
        if view.luck < 0.5:
            return REDEAL
        return STAND if view.misdeal == 1 else DRAW

    def any_card(self, view: View) -> int:
        """One of the three, whatever the luck has been used for besides."""
        card = view.cards[int(view.luck * 997.0) % 3]
        return card if card > 0 else view.highest


@cache
def _wanderers() -> tuple[Contestant, ...]:
    store = DiskStore()
    prepare_kernel(store)
    likings = {
        "wanderer": Wanderer(),
        "raiser": Wanderer(put=0.9, see=0.95, throw=0.0),
        "waverer": Wanderer(put=0.05, see=0.3, throw=0.2),
    }
    methods = range(len(METHODS))
    return tuple(
        enlist(name, strategy, store, methods=methods) for name, strategy in likings.items()
    )


@cache
def tables_of(rules: RuleSet) -> Tables:
    """The rule set compiled, once."""
    return compile_rules(rules)


def tier_of(strategy: Strategy, native: Compiled) -> str:
    """The tier it plays in when nobody asks for another."""
    return next(iter(_contestants(strategy, "it", native))).tier


def _contestants(strategy: Strategy, name: str, native: Compiled) -> Iterator[Contestant]:
    """The strategy in each tier it can play in, the quickest first."""
    if strategy.begin_match is not None:
        yield Contestant(name, strategy, LEARNING)
        return
    if native:
        yield Contestant(name, strategy, NATIVE, native)
    if strategy.act_batch is not None:
        yield Contestant(name, strategy, BATCH)
    if type(strategy).act is not Strategy.act:
        yield Contestant(name, strategy, INTERPRETED)


def _trial(rules: RuleSet, own: Contestant, blocks: Sequence[int] = (0,)) -> Played:
    """Its games against all wanderers, from every side; the arrays are its own."""
    wanderers = _wanderers()
    fixtures = [
        Fixture(pairing, block, mirror, GAMES, (0, *_opponents(pairing, rules.players - 1)))
        for pairing in range(len(wanderers))
        for block in blocks
        for mirror in range(rules.players)
    ]
    return play(tables_of(rules), (own, *wanderers), fixtures, seed=1674, buffers=Buffers())


def _opponents(first: int, count: int) -> tuple[int, ...]:
    """Positions of so many wanderers in the field, from number `first` on and round."""
    return tuple(1 + (first + step) % len(_wanderers()) for step in range(count))


def tiers_agree(
    strategy: Strategy, name: str, sets: Sequence[RuleSet], native: Compiled
) -> list[Finding]:
    """That its games are the same in every tier it can play in."""
    players = list(_contestants(strategy, name, native))
    first, *others = players
    examples = []
    hands = 0
    for rules in sets:
        one = _trial(rules, first)
        hands += one.words.size
        examples += [f"{rules.name}: {text}" for text in one.differences]
        for other in others:
            text = _difference(rules, first, one, other, _trial(rules, other))
            if text:
                examples.append(f"{rules.name}: {text}")
    if len(players) < 2:
        return []
    tiers = " and ".join(player.tier for player in players)
    title = f"its games are the same in every tier ({tiers})"
    if examples:
        return [failed(title, *examples[:SHOWN])]
    return [Finding(title, detail=f"{hands:,} hands")]


def _difference(
    rules: RuleSet, one: Contestant, first: Played, other: Contestant, second: Played
) -> str:
    """The first hand that was not played alike, in words; empty when there is none."""
    if _same(first, second):
        return ""
    a, b = (_told(rules, played) for played in (first, second))
    for line, instead in zip(a, b, strict=False):
        if line != instead:
            return f"{one.tier} {line}; {other.tier} {instead}"
    return f"{one.tier} and {other.tier} play other games"


def _told(rules: RuleSet, played: Played) -> list[str]:
    """Every hand in notation."""
    # Reading hands takes the log's libraries, which nothing else here needs.
    from put_cli.log.columns import Columns
    from put_cli.report.logged import logged

    names = ["it", *(each.name for each in _wanderers())]
    made = Columns(tables_of(rules), names).tables(played, "hands")
    key = ("pairing", "block", "mirror", "game", "hand")
    rows = {tuple(row[name] for name in key): row for row in made["hands"].to_pylist()}
    for row in rows.values():
        row["plays"] = []
    for card in made["plays"].to_pylist() if "plays" in made else []:
        rows[tuple(card[name] for name in key)]["plays"].append(card)
    eldest = first_players(rules)[0]
    told = [logged(rules, row) for row in rows.values()]
    return [f"{each.names[eldest]} is eldest, {each.hand.text()}" for each in told]


def learning(own: Contestant, sets: Sequence[RuleSet]) -> list[Finding]:
    """What is asked of a strategy whose players learn."""
    before = (random.getstate(), pickle.dumps(np.random.get_state()))
    faults: list[str] = []
    strange: list[str] = []
    carried: list[str] = []
    hands = 0
    for rules in sets:
        played = _trial(rules, own)
        hands += played.words.size
        faults += [f"{rules.name}: it {reason}" for reason in played.reasons.values()]
        again = _trial(rules, own)
        if not _same(played, again):
            strange.append(f"{rules.name}: the same matches went otherwise the second time")
        # The same block after another one: nothing of that may be remembered.
        later = _trial(rules, own, blocks=(7, 0))
        half = _rows_of_block(later, 0)
        if not strange and not np.array_equal(half, _rows_of_block(played, 0)):
            carried.append(f"{rules.name}: a match went otherwise after another match")
    chance = "its only chance is view.luck"
    touched = before != (random.getstate(), pickle.dumps(np.random.get_state()))
    detail = f"{hands:,} hands of {len(sets)} rule set{'' if len(sets) == 1 else 's'}"
    findings = [
        Finding("it plays legally and without raising", not faults, detail, tuple(faults[:SHOWN])),
        Finding("it plays the same matches the same", not strange, "", tuple(strange[:SHOWN])),
        Finding("it takes nothing from match to match", not carried, "", tuple(carried[:SHOWN])),
    ]
    if touched:
        return [*findings, failed(chance, "it uses random or numpy.random")]
    return [*findings, Finding(chance)]


def _same(one: Played, other: Played) -> bool:
    return all(
        np.array_equal(getattr(one, part), getattr(other, part))
        for part in ("keys", "hands", "words", "games")
    )


def _rows_of_block(played: Played, block: int) -> Any:
    """(G, columns) int32: the games of the matches of one block."""
    rows = []
    start = 0
    for fixture in played.fixtures:
        if fixture.block == block:
            rows.append(played.games[:, start : start + fixture.games].T)
        start += fixture.games
    return np.concatenate(rows)


def speeds(strategy: Strategy, native: Compiled, rules: RuleSet) -> dict[str, float]:
    """Hands a second in each tier, playing against itself."""
    _wanderers()  # the kernel is ready
    found = {}
    for one in _contestants(strategy, "one", native):
        names = (f"other{number}" for number in range(1, rules.players))
        others = [Contestant(name, strategy, one.tier, one.native) for name in names]
        found[one.tier] = speed(rules, (one, *others))
    return found


def speed(rules: RuleSet, players: Sequence[Contestant]) -> float:
    """Hands a second of these players against each other."""
    games, seating = 2, tuple(range(rules.players))
    matches = 20 if players[0].learns else 500
    buffers = Buffers()
    while True:
        # Many short matches side by side, as in a run: a batch is as large as there are.
        fixtures = [Fixture(0, number, 0, games, seating) for number in range(matches)]
        begin = time.perf_counter()
        played = play(
            tables_of(rules), players, fixtures, seed=1, keep_hands=False, buffers=buffers
        )
        seconds = time.perf_counter() - begin
        if seconds >= MEASURED_SECONDS or matches >= 30_000:
            return float(played.tallies[:, TALLY_COLUMNS.index("hands")].sum() / seconds)
        matches *= 4


def rounded(speed: float) -> int:
    """Two digits that mean something."""
    return int(float(f"{speed:.2g}"))

"""How fast the program plays, as ratios of things measured in turns in one run, on one core.

    python benchmarks/speed.py                  everything, a few minutes
    python benchmarks/speed.py play log         only these sections
    python benchmarks/speed.py --json --rounds 9

README.md beside this file says what each figure means.
"""

import argparse
import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import plain
import plain_speculation
import pyarrow as pa
import pyarrow.parquet as pq
from figures import Figure, Rounds, Work, text
from processes import memory, speed_of_start
from put_strategies.simple import Threshold, Thrifty
from put_strategies.speculating import Eager, Fair, Greedy, Late, Never
from verifying import speed_of_verify

from put_cli.engine import lanes as ln
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.play import play
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING, NATIVE, Contestant, enlist
from put_cli.engine.tables import compile_rules
from put_cli.log import writer
from put_cli.log.store import Folder
from put_cli.plugins import external, isolated
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.external import EXTERNAL
from put_cli.plugins.isolated import ISOLATED
from put_cli.plugins.loaded import Loaded
from put_cli.rules.finding import find_ruleset
from put_cli.speculation import play as round_game
from put_cli.speculation import state as at
from put_cli.speculation.rules import Speculation
from put_cli.strategy import PUT, SEE, THROW, Match, Player, Strategy, View
from put_cli.tournament.rounds import Round, Schedule
from put_cli.tournament.schedule import Plan, Shards
from put_cli.tournament.shard import Order

MATCH_GAMES = 100


# Playing, without a log.


def fixtures(games: int) -> list[Fixture]:
    """Mirrored matches of two contestants, `games` in all."""
    blocks = games // (2 * MATCH_GAMES)
    return [Fixture(0, b, mirror, MATCH_GAMES, (0, 1)) for b in range(blocks) for mirror in (0, 1)]


def field(tier: str, store: DiskStore) -> list[Contestant]:
    """threshold and thrifty in a tier."""
    return [
        enlist("threshold", Threshold(), store, tier),
        enlist("thrifty", Thrifty(), store, tier),
    ]


def hands_of(played: Played) -> int:
    """How many hands were dealt."""
    return int(played.tallies[:, ln.T_HANDS].sum())


def speed_of_play(rounds: int) -> list[Figure]:
    """Every tier against the plain class, and whether all play the same game."""
    tables, store = compile_rules(find_ruleset("cotton")), DiskStore()
    buffers = Buffers()

    def engine(players: list[Contestant], games: int) -> Work:
        matches = fixtures(games)
        return lambda: hands_of(
            play(tables, players, matches, 1, keep_hands=False, buffers=buffers)
        )

    def by_hand(games: int, game_class: type[plain.Game]) -> Work:
        return lambda: sum(plain.play_games(games, 1, None, game_class)[1])

    result = Rounds(
        "play",
        rounds,
        plain=by_hand(6_000, plain.Game),
        sampled=by_hand(12_000, plain.SampledGame),
        native=engine(field(NATIVE, store), 600_000),
        interpreted=engine(field(INTERPRETED, store), 30_000),
    )
    return [
        result.rate("plain", "plain class", "hands/s"),
        result.rate("sampled", "plain class that draws six cards for each hand", "hands/s"),
        result.rate("native", "native tier, no log", "hands/s"),
        result.rate("interpreted", "interpreted tier, no log", "hands/s"),
        result.ratio("native", "plain", "native : plain class", aim=">= 150"),
        result.ratio("native", "sampled", "native : plain class that draws six cards"),
        result.ratio("interpreted", "plain", "interpreted : plain class", aim=">= 3"),
        result.ratio("interpreted", "sampled", "interpreted : plain class that draws six cards"),
        *agreement(play(tables, field(NATIVE, store), fixtures(600_000), 2)),
    ]


def agreement(played: Played) -> list[Figure]:
    """How far plain class and engine are apart in what they measure, in standard errors."""
    columns = dict(zip(ln.GAME_COLUMNS, played.games, strict=True))
    mirror = np.repeat([f.mirror for f in played.fixtures], [f.games for f in played.fixtures])
    won, hands = plain.play_games(60_000, 3)
    figures = []
    for what, ours, theirs in (
        ("games won", np.array(won), columns["winner"] == mirror),
        ("hands a game", np.array(hands), columns["hands"]),
    ):
        own, other = float(ours.mean()), float(theirs.mean())
        error = math.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
        where = f"{what}: plain {own:.4f}, engine {other:.4f}, apart"
        figures.append(Figure("play", where, abs(own - other) / error, "errors", aim="< 4"))
    return figures


# The other games.


def speed_of_families(rounds: int) -> list[Figure]:
    """Native play of the other families against cotton, by hands: simple strategies, no log."""
    games = {
        "cotton": 600_000,
        "cotton(misdeals=0.02)": 600_000,
        "four-handed": 600_000,
        "three-handed": 450_000,
        "cotton(players=5)": 300_000,
    }
    strategies = (Threshold(), Thrifty(), Threshold(8.0), Threshold(10.0), Threshold(7.0))
    store = DiskStore()

    def work(text: str, number: int) -> Work:
        tables = compile_rules(find_ruleset(text))
        sides = tables.rules.players
        players = [
            enlist(f"player {n}", strategy, store, NATIVE, tables.methods)
            for n, strategy in enumerate(strategies[:sides])
        ]
        matches = [
            Fixture(0, block, mirror, MATCH_GAMES, tuple(range(sides)))
            for block in range(number // (sides * MATCH_GAMES))
            for mirror in range(sides)
        ]
        buffers = Buffers()
        return lambda: hands_of(
            play(tables, players, matches, 1, keep_hands=False, buffers=buffers)
        )

    aims = {"cotton(misdeals=0.02)": "", "four-handed": ">= 0.5", "three-handed": ">= 0.33"}
    result = Rounds("games", rounds, **{text: work(text, games[text]) for text in games})
    return [
        *(result.rate(text, text, "hands/s") for text in games),
        *(
            result.ratio(text, "cotton", f"{text} : cotton", aim=aims.get(text, ""))
            for text in games
            if text != "cotton"
        ),
    ]


# Speculation.


def speed_of_speculation(rounds: int) -> list[Figure]:
    """Deals of five built-in players against a plain class, and whether both play the same game."""
    store, rules = DiskStore(), Speculation()
    round_game.prepare_kernel(store)
    players = [
        round_game.enlist(name, strategy, store, NATIVE)
        for name, strategy in (
            ("fair", Fair()),
            ("greedy", Greedy()),
            ("late", Late()),
            ("eager", Eager()),
            ("never", Never()),
        )
    ]

    def matches(deals: int) -> round_game.Ints:
        chairs = range(rules.players)
        return round_game.seated(
            (
                0,
                0,
                mirror,
                deals // rules.players**2,
                *((c + mirror) % rules.players for c in chairs),
            )
            for mirror in chairs
        )

    buffers = round_game.Buffers()

    def kernel(deals: int, *, keep: bool) -> Work:
        table = matches(deals)

        def once() -> float:
            played = round_game.play(rules, players, table, 1, keep=keep, buffers=buffers)
            return float(played.sessions[:, at.G_DEALS].sum())

        return once

    result = Rounds(
        "speculation",
        rounds,
        plain=lambda: len(plain_speculation.play_deals(1_000, 1)),
        native=kernel(200_000, keep=False),
        logged=kernel(50_000, keep=True),
    )
    own = np.array(plain_speculation.play_deals(20_000, 2), np.float64)
    played = round_game.play(rules, players, matches(500_000), 2, keep=False)
    chairs = played.matches[played.sessions[:, at.G_MATCH], at.M_CHAIRS : at.M_CHAIRS + 5]
    chips = played.sessions[:, at.G_CHIPS : at.G_CHIPS + 5] / rules.deals_a_session
    theirs = np.take_along_axis(chips, np.argsort(chairs, axis=1), axis=1)
    apart = [
        abs(own[:, n].mean() - theirs[:, n].mean())
        / math.sqrt(own[:, n].var() / len(own) + theirs[:, n].var() / len(theirs))
        for n in range(5)
    ]
    return [
        result.rate("plain", "plain class", "deals/s"),
        result.rate("native", "native tier, no log", "deals/s"),
        result.rate("logged", "native tier, with deals and events", "deals/s"),
        result.ratio("native", "plain", "native : plain class", aim=">= 100"),
        result.ratio("logged", "plain", "native with events : plain class"),
        Figure(
            "speculation",
            "chips a deal: plain and program, most apart",
            max(apart),
            "errors",
            aim="< 4",
        ),
    ]


# The tiers, by decision.


class Counting:
    """How often a Counted strategy was asked."""

    number = 0


class CountedThreshold(Threshold):
    """Threshold, counting its decisions."""

    def act(self, view: View) -> int:
        Counting.number += 1
        action: int = super().act(view)
        return action


class BatchThreshold(Threshold):
    """Threshold on arrays of decisions."""

    def act_batch(self, views: Any) -> Any:
        cards = np.stack(views.cards)
        held = (cards > 0).sum(axis=0)
        strong = (held > 0) & (cards.sum(axis=0) >= self.level * held)
        winner, equal = views.cheapest_winner, views.equal
        reply = np.where(winner > 0, winner, np.where(equal > 0, equal, views.lowest))
        card = np.where(views.is_leader, views.highest, reply)
        own = np.where(views.may_put & strong, PUT, np.where(views.must_speak, THROW, card))
        return np.where(views.asked, np.where(strong, SEE, THROW), own)


class _Learner(Player):
    def __init__(self, strategy: Strategy) -> None:
        self.act = strategy.act  # type: ignore[method-assign]


class LearningThreshold(Threshold):
    """Threshold as a player of its own for each match, told of every hand."""

    def begin_match(self, match: Match) -> Player:
        return _Learner(Threshold(self.level))


PROGRAM = f"exec(node {Path(__file__).parents[1] / 'examples' / 'external' / 'bot.js'})"


def elsewhere(loaded: Loaded, store: DiskStore) -> tuple[list[Contestant], list[int]]:
    """A player of another process against itself, and a list to which each question adds its size.

    All share one core, so a second holds what the players do and what the program does.
    """
    sizes: list[int] = []
    two = []
    for name in ("one", "two"):
        player = enlist(name, loaded.strategy, store)
        remote: Any = player.remote
        ask = remote.ask

        def counted(method: str, keys: Any, views: Any, ask: Any = ask) -> None:
            sizes.append(len(views))
            ask(method, keys, views)

        remote.ask = counted
        two.append(player)
    return two, sizes


def speed_of_tiers(rounds: int) -> list[Figure]:
    """Decisions a second when threshold plays itself in each tier, everything around included.

    `external` is the example in JavaScript, where node is installed.
    """
    tables, store = compile_rules(find_ruleset("cotton")), DiskStore()
    players: dict[str, tuple[Strategy, int]] = {
        NATIVE: (Threshold(), 400_000),
        BATCH: (BatchThreshold(), 100_000),
        INTERPRETED: (Threshold(), 20_000),
        LEARNING: (LearningThreshold(), 10_000),
    }
    buffers = Buffers()

    def work(tier: str, strategy: Strategy, games: int) -> Work:
        two = [enlist(name, strategy, store, tier) for name in ("one", "two")]
        counted = [Contestant(each.name, CountedThreshold(), INTERPRETED) for each in two]
        Counting.number = 0
        play(tables, counted, fixtures(2_000), 1, keep_hands=False)
        decisions = Counting.number * games / 2_000

        def once() -> float:
            play(tables, two, fixtures(games), 1, keep_hands=False, buffers=buffers)
            return decisions

        return once

    def far(loaded: Loaded) -> Work:
        two, sizes = elsewhere(loaded, store)

        def once() -> float:
            sizes.clear()
            play(tables, two, fixtures(2_000), 1, keep_hands=False, buffers=buffers)
            return sum(sizes)

        return once

    works = {tier: work(tier, *players[tier]) for tier in players}
    works[ISOLATED] = far(isolated.load("threshold", "auto", 0))
    if shutil.which("node"):
        works[EXTERNAL] = far(external.load(PROGRAM))
    result = Rounds("tiers", rounds, **works)
    return [
        *(result.rate(tier, f"{tier} tier", "decisions/s") for tier in works),
        *(
            result.ratio(tier, INTERPRETED, f"{tier} : interpreted")
            for tier in works
            if tier != INTERPRETED
        ),
    ]


# With the log.


def speed_of_log(rounds: int) -> list[Figure]:
    """A whole shard against pyarrow writing the same rows, and where the time of a shard goes."""
    with tempfile.TemporaryDirectory() as folder:
        return _speed_of_log(rounds, Path(folder))


def _speed_of_log(rounds: int, folder: Path) -> list[Figure]:
    plan, rules = Plan(strategies=2, games=200_000), find_ruleset("cotton")
    (folder / "run").mkdir()
    order = Order(
        run=folder / "run",
        rules=rules,
        strategies=("threshold", "thrifty"),
        tier="auto",
        schedule=Schedule((Round(Shards.of(plan, rules), "benchmark"),)),
        seed=1,
        log="hands",
    )
    workshop = order.workshop()
    matches = workshop.shards.fixtures(0)
    buffers, columns = Buffers(), workshop._columns
    made = {name: getattr(columns, name) for name in ("hands", "games", "tallies")}
    played = play(workshop.tables, workshop.contestants, matches, 1, buffers=buffers)
    hands = hands_of(played)
    tables = {name: make(played) for name, make in made.items()}
    table = tables["hands"].replace_schema_metadata(None)
    parts = {name: writer.encoded(each, {}) for name, each in tables.items()}

    def shard() -> float:
        return workshop.play(0).hands

    def kernel() -> float:
        play(workshop.tables, workshop.contestants, matches, 1, buffers=buffers)
        return hands

    def make_columns() -> float:
        for make in made.values():
            make(played)
        return hands

    def encode() -> float:
        for each in tables.values():
            writer.encoded(each, {})
        return hands

    def disk() -> float:
        for name, data in parts.items():
            Folder(folder).put(writer.part_name(name, 0), data)
        return hands

    def pyarrow_alone() -> float:
        path = folder / "alone.parquet"
        pq.write_table(table, path, compression="zstd", compression_level=1)
        return hands

    def pyarrow_tuned() -> float:
        with pa.OSFile(str(folder / "tuned.parquet"), "wb") as file:
            file.write(writer.encoded(table, {}))
        return hands

    works: dict[str, Work] = {
        "shard": shard,
        "alone": pyarrow_alone,
        "kernel": kernel,
        "tuned": pyarrow_tuned,
        "columns": make_columns,
        "encode": encode,
        "disk": disk,
    }
    result = Rounds("log", rounds, **works)
    stages = {
        "kernel": "playing",
        "columns": "making the columns of the three tables",
        "encode": "encoding them as Parquet",
        "disk": "writing, syncing and renaming the files",
    }
    share = [result.ratio("shard", name, f"share of {stages[name]}", "%") for name in stages]
    rest = 100.0 - sum(each.value for each in share)
    return [
        result.rate("shard", "a shard with its hands log", "hands/s"),
        result.rate("alone", "pyarrow alone, the hands table", "hands/s"),
        result.rate("tuned", "pyarrow alone with the program's settings", "hands/s"),
        result.ratio("shard", "alone", "shard : pyarrow alone", "%", ">= 40"),
        result.ratio("shard", "tuned", "shard : pyarrow with the program's settings", "%", ">= 40"),
        *share,
        Figure("log", "share of the rest: compared tiers, hashes, bookkeeping", rest, "%"),
        Figure("log", "size of the hands log", parts["hands"].size / hands, "bytes/hand"),
    ]


def main() -> None:
    sections: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
        "play": lambda options: speed_of_play(options.rounds),
        "games": lambda options: speed_of_families(options.rounds),
        "speculation": lambda options: speed_of_speculation(options.rounds),
        "tiers": lambda options: speed_of_tiers(options.rounds),
        "log": lambda options: speed_of_log(options.rounds),
        "verify": lambda options: speed_of_verify(options.rounds),
        "start": lambda options: speed_of_start(options.rounds),
        "memory": lambda options: memory(options.memory_games),
    }
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(sections)}; all unless named")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--memory-games", type=int, default=10_000_000)
    parser.add_argument("--json", action="store_true", help="print a JSON list of the figures")
    options = parser.parse_args()
    unknown = set(options.sections) - sections.keys()
    if unknown:
        parser.error(f"there is no section {unknown.pop()!r}")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    pa.set_cpu_count(1)
    figures = []
    for name, measure in sections.items():
        if not options.sections or name in options.sections:
            figures += measure(options)
    if options.json:
        print(json.dumps([asdict(each) for each in figures], indent=2))
    else:
        print(text(figures))


if __name__ == "__main__":
    main()

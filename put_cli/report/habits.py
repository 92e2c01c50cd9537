"""How everybody plays, as tables: who puts when, with what success, who throws, who leads what."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from put_cli.report.tables import GAP, Column, aligned, narrowed, printable
from put_cli.stats.habits import BLUFFS, OUTCOMES, PLACES, TENTHS, Habits
from put_cli.stats.standings import Standings

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RANGES = tuple(f"{t / TENTHS:.1f}-{(t + 1) / TENTHS:.1f}" for t in range(TENTHS))
"""What tenths of a chance are called."""

NARROWEST = 10
"""Names are not broken into shorter pieces than this."""

STRENGTH = (
    "by the chance that the three cards win the hand, all unseen cards being equally likely and "
    "laid in random order"
)


@dataclass(frozen=True, kw_only=True)
class Table:
    """Some columns and what they mean."""

    name: str
    """As JSON calls it."""
    columns: Sequence[Column]
    note: str


def shares_of(part: Ints | Floats, whole: Ints) -> Floats:
    """Shares; nan of nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(part / whole, np.float64)


def per_cent(value: float | None) -> str:
    """A share as it stands in a table."""
    return "-" if value is None or np.isnan(value) else f"{100 * value:.1f}"


def habits_tables(habits: Habits, standings: Standings, names: Sequence[str]) -> list[Table]:
    """All tables, the strategies of `standings` in its order; `names`: as `habits` counts them."""
    lines = standings.strategies
    order = [names.index(line.name) for line in lines]
    first = Column(
        heading="strategy", cells=tuple(printable(line.name) for line in lines), left=True
    )
    games = np.array([line.games - line.forfeits for line in lines])
    made = [
        _table(
            "hands",
            first,
            _hands(habits, order, games),
            "points: won more than the others, each hand, as eldest and otherwise; thrown: hands "
            "thrown, asked or not; hands: to a game.",
        ),
        _table(
            "puts",
            first,
            _puts(habits, order),
            "first puts of their hands. puts: in 100 hands; the rest in 100 puts. A bluff is a put "
            "whose chance of winning the hand was below one half, as counted from what the putter "
            "had seen."
            if habits.puts_by_chance.any()
            else "first puts of their hands. puts: in 100 hands; the rest in 100 puts.",
        ),
    ]
    if habits.places.any():
        where = "where puts were said, %; after1: eldest, between the first two tricks."
        made.append(_table("places", first, _places(habits, order), where))
    if habits.puts_by_strength.any():
        made += [
            _table(
                "puts_by_strength",
                first,
                _series(
                    habits.puts_by_strength[order].sum(axis=2),
                    habits.dealt_by_strength[order],
                    RANGES,
                ),
                f"hands put, %, {STRENGTH}.",
            ),
            _table(
                "puts_won_by_strength",
                first,
                _series(
                    habits.puts_by_strength[order][:, :, :2].sum(axis=2),
                    habits.puts_by_strength[order].sum(axis=2),
                    RANGES,
                ),
                "of those puts, % that won the hand, thrown to or seen.",
            ),
        ]
    if habits.throws.any():
        made.append(
            _table(
                "throws_by_strength",
                first,
                _series(habits.throws_by_strength[order], habits.dealt_by_strength[order], RANGES),
                f"hands thrown, %, {STRENGTH}.",
            )
        )
    for name, axis, whose in (("own", 2, "own score"), ("other", 1, "the other's (best) score")):
        if habits.puts_by_score.any():
            dealt = habits.dealt_by_score[order].sum(axis=axis)
            puts = habits.puts_by_score[order].sum(axis=(axis, 3))
            made.append(
                _table(
                    f"puts_by_{name}_score",
                    first,
                    _series(puts, dealt, habits.score_groups),
                    f"hands put, %, by {whose} before the hand.",
                )
            )
    made.append(
        _table("first_trick", first, _first_trick(habits, order), "first tricks and leads, %.")
    )
    return made


def score_table(habits: Habits, standings: Standings, names: Sequence[str]) -> Table:
    """Everything that depends on the score, a row for each strategy and own score."""
    order = [names.index(line.name) for line in standings.strategies]
    groups = habits.score_groups

    def by_own(counts: Ints) -> Ints:
        return np.asarray(counts[order].sum(axis=2).reshape(-1, *counts.shape[3:]))

    dealt, outcomes = by_own(habits.dealt_by_score), by_own(habits.puts_by_score)
    puts, tricks = outcomes.sum(axis=1), by_own(habits.first_trick_by_score)
    points = shares_of(by_own(habits.points_by_score), dealt)
    who = [printable(line.name) for line in standings.strategies for _ in groups]
    columns = [
        Column(heading="strategy", cells=tuple(who), left=True),
        Column(heading="score", cells=tuple(groups) * len(order)),
        Column(heading="hands", cells=tuple(f"{n:,}" for n in dealt.tolist())),
        _column("points", points, "/hand", _number("{:+.3f}")),
        _column("puts", shares_of(puts, dealt)),
        _column("seen", shares_of(puts - outcomes[:, 0], puts), ""),
        _column("won", shares_of(outcomes[:, 1], puts), ""),
        _column("lost", shares_of(outcomes[:, 3], puts), ""),
    ]
    if habits.puts_by_chance.any():
        columns.append(_column("bluffs", shares_of(by_own(habits.bluffs_by_score), puts), ""))
    columns += [
        _column("thrown", shares_of(by_own(habits.throws_by_score), dealt)),
        _column("first", shares_of(tricks[:, 0], tricks.sum(axis=1)), "won"),
    ]
    return Table(
        name="by_score",
        columns=columns,
        note="by own score before the hand. puts, thrown: in 100 hands; seen, seen and won, seen "
        "and lost, bluffs: in 100 puts; first: first tricks won, of those played.",
    )


def habits_text(tables: Sequence[Table], width: int = 80) -> str:
    """The tables for a terminal."""
    shown = []
    for each in tables:
        names, *rest = each.columns
        room = width - sum(GAP + column.width for column in rest)
        names = narrowed(names, max(NARROWEST, min(names.width, room)))
        note = f"{each.name.replace('_', ' ')}: {each.note}"
        shown.append(aligned([names, *rest]) + fill(note, width) + "\n")
    return "\n".join(shown)


def habits_plain(habits: Habits, names: Sequence[str]) -> dict[str, Any]:
    """JSON-ready: the counts themselves, by strategy."""
    counted: dict[str, Ints] = {
        "hands": habits.hands,
        "throws": habits.throws,
        "hands_by_seat": habits.dealt_by_seat,
        "points_by_seat": habits.points_by_seat,
        "hands_by_strength": habits.dealt_by_strength,
        "puts_by_strength": habits.puts_by_strength,
        "throws_by_strength": habits.throws_by_strength,
        "hands_by_score": habits.dealt_by_score,
        "puts_by_score": habits.puts_by_score,
        "bluffs_by_score": habits.bluffs_by_score,
        "throws_by_score": habits.throws_by_score,
        "points_by_score": habits.points_by_score,
        "first_tricks_by_score": habits.first_trick_by_score,
        "puts_by_place": habits.places,
        "puts_by_chance": habits.puts_by_chance,
        "first_tricks": habits.first_trick,
        "first_leads": habits.led,
    }
    return {
        "outcomes": OUTCOMES,
        "places": PLACES,
        "strengths": RANGES,
        "scores": habits.score_groups,
        "strategies": [
            {"name": name, **{key: counts[n].tolist() for key, counts in counted.items()}}
            for n, name in enumerate(names)
        ],
    }


def _table(name: str, first: Column, rest: Iterator[Column], note: str) -> Table:
    return Table(name=name, columns=[first, *rest], note=note)


def _column(
    heading: str,
    values: Sequence[float] | Floats,
    unit: str = "%",
    form: Callable[[float], str] = per_cent,
) -> Column:
    return Column(heading=heading, unit=unit, cells=tuple(form(float(v)) for v in values))


def _series(part: Ints, whole: Ints, labels: Sequence[str]) -> Iterator[Column]:
    """A column for each label, of shares (n, labels)."""
    for k, label in enumerate(labels):
        short = label.replace("0.", ".").replace("1.0", "1")
        yield _column(short, shares_of(part[:, k], whole[:, k]), "")


def _hands(habits: Habits, order: Sequence[int], games: Ints) -> Iterator[Column]:
    hands = habits.hands[order]
    yield Column(heading="hands", cells=tuple(f"{n:,}" for n in hands.tolist()))
    yield _column("hands", shares_of(hands, games), "/game", _number("{:.2f}"))
    points = shares_of(habits.points_by_seat[order], habits.dealt_by_seat[order])
    yield _column("eldest", points[:, 0], "points", _number("{:+.3f}"))
    yield _column("other", points[:, 1], "points", _number("{:+.3f}"))
    yield _column("thrown", shares_of(habits.throws[order], hands))


def _puts(habits: Habits, order: Sequence[int]) -> Iterator[Column]:
    outcomes = habits.puts_by_score[order].sum(axis=(1, 2))
    puts = outcomes.sum(axis=1)
    yield _column("puts", shares_of(puts, habits.hands[order]))
    seen = puts - outcomes[:, 0]
    for heading, part in (
        ("seen", seen),
        ("won", outcomes[:, 1]),
        ("drawn", outcomes[:, 2]),
        ("lost", outcomes[:, 3]),
    ):
        yield _column(heading, shares_of(part, puts), "seen %" if heading != "seen" else "%")
    if habits.puts_by_chance.any():
        bluffs = habits.puts_by_chance[order][:, BLUFFS].sum(axis=1)
        yield _column("bluffs", shares_of(bluffs.sum(axis=1), puts))
        yield _column("bluffs", shares_of(bluffs[:, 0], bluffs.sum(axis=1)), "thrown to")


def _places(habits: Habits, order: Sequence[int]) -> Iterator[Column]:
    places = habits.places[order]
    for k, place in enumerate(PLACES):
        if habits.places[:, k].any():
            yield _column(place, shares_of(places[:, k], places.sum(axis=1)))


def _first_trick(habits: Habits, order: Sequence[int]) -> Iterator[Column]:
    tricks = habits.first_trick[order]
    parts = shares_of(tricks, tricks.sum(axis=2, keepdims=True))
    for k, title in enumerate(("leading", "replying")):
        for j, what in enumerate(("won", "tied", "lost")):
            yield _column(title if j == 0 else "", parts[:, k, j], what)
    if habits.led.any():
        led = habits.led[order]
        for j, what in enumerate(("best", "middle", "lowest")):
            values = shares_of(led[:, j], led.sum(axis=1))
            yield _column("led its" if j == 0 else "", values, what)


def _number(form: str) -> Callable[[float], str]:
    return lambda value: "-" if np.isnan(value) else form.format(value)

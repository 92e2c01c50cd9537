"""How everybody plays, as tables: who puts when, with what success, who throws, who leads what."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from put_cli.engine import tables as tb
from put_cli.report.tables import Column, Table, Tables, printable
from put_cli.rules.machine import Act
from put_cli.rules.ruleset import RuleSet
from put_cli.stats.habits import BLUFFS, OUTCOMES, PLACES, TENTHS, Habits
from put_cli.stats.standings import Standings

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RANGES = tuple(f"{t / TENTHS:.1f}-{(t + 1) / TENTHS:.1f}" for t in range(TENTHS))
"""What tenths of a chance are called."""

STRENGTH = (
    "Strength: the chance that the three cards win the hand, all unseen cards being equally likely "
    "and laid in random order."
)

_PUTS = (
    "Only the first put of a hand counts. puts: of 100 hands; all else: of 100 puts. won, drawn, "
    "lost: what came of those that were seen."
)
_BLUFFS = (
    " bluffs: those whose chance of winning the hand was below one half, as counted from what the "
    "putter had seen; thrown to: of 100 bluffs."
)
_PLACES = (
    "lead and reply: before that card of the trick of this number was played, or instead of it."
)
_AFTER = " after1: by the eldest hand, between the first two tricks."


@dataclass(frozen=True, kw_only=True)
class _Measure:
    """A figure of every strategy: what CSV calls it, and how a table shows it."""

    key: str
    values: Floats | Ints
    """One for each row; nan of nothing."""
    heading: str
    unit: str = "%"
    form: Callable[[float], str]

    def column(self) -> Column:
        cells = tuple(self.form(float(value)) for value in self.values)
        return Column(heading=self.heading, unit=self.unit, cells=cells)

    def plain(self) -> list[float | int | None]:
        """What the figures are as data: None of nothing."""
        return [_plain(value) for value in self.values.tolist()]


def shares_of(part: Ints | Floats, whole: Ints) -> Floats:
    """Shares; nan of nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(part / whole, np.float64)


def per_cent(value: float | None) -> str:
    """A share as it stands in a table."""
    return "-" if value is None or np.isnan(value) else f"{100 * value:.1f}"


def habits_tables(habits: Habits, standings: Standings, names: Sequence[str]) -> Tables:
    """All tables, the strategies of `standings` in its order; `names`: as `habits` counts them."""
    order = [names.index(line.name) for line in standings.strategies]
    dealt, puts = habits.dealt_by_strength[order], habits.puts_by_strength[order]
    said = puts.sum(axis=2)
    who = [{"name": line.name} for line in standings.strategies]

    def table(title: str, note: str, measures: Iterator[_Measure]) -> Table:
        return _table(title, note, who, [*measures])

    made = [hands_table(habits, standings, names)]
    bluffs = _BLUFFS if _tells_bluffs(habits.rules) else ""
    made.append(table("Puts", _PUTS + bluffs, _puts(habits, order)))
    places = _places_of(habits.rules)
    if places:
        after = _AFTER if "after1" in places else ""
        title = "Where puts were said, % of them"
        made.append(table(title, _PLACES + after, _places(habits, order)))
    if places:
        shares = _series("puts_of_strength", said, dealt, RANGES)
        made.append(table("Hands put, by strength, %", STRENGTH, shares))
        won = _series("puts_won_of_strength", puts[:, :, :2].sum(axis=2), said, RANGES)
        made.append(table("Puts that won, by strength of hand, %", "Thrown to or seen.", won))
    if _throws(habits.rules):
        shares = _series("throws_of_strength", habits.throws_by_strength[order], dealt, RANGES)
        made.append(table("Hands thrown, by strength, %", "" if places else STRENGTH, shares))
    others = "the other's score" if habits.rules.players == 2 else "the best other score"
    for name, axis, whose in (("own", 2, "own score"), ("other", 1, others)):
        if places:
            by_score = _series(
                f"puts_at_{name}_score",
                habits.puts_by_score[order].sum(axis=(axis, 3)),
                habits.dealt_by_score[order].sum(axis=axis),
                habits.score_groups,
            )
            made.append(table(f"Hands put, by {whose} before the hand, %", "", by_score))
    note = "First tricks that were won, tied and lost; led its: which of its cards was led first."
    made.append(table("First tricks, %", note, _first_trick(habits, order)))
    return Tables(tables=made, rows=_joined(made))


# What the rules allow has its columns, whoever makes use of it: all tables of a game have the same.


@cache
def _words_of(rules: RuleSet) -> tuple[tuple[str, ...], bool]:
    """Where a put can be said, and whether hands can be thrown: by the machine."""
    # More than three add states by the thousand, and nothing that can be said anywhere.
    states = tb.compile_rules(replace(rules, players=min(rules.players, 3))).states
    puts = set(states[states[:, tb.NEXT + Act.PUT] >= 0, tb.PLACE].tolist())
    places = tuple(place for number, place in enumerate(tb.PLACES, start=1) if number in puts)
    return places, bool((states[:, tb.NEXT + Act.THROW] >= 0).any())


def _places_of(rules: RuleSet) -> tuple[str, ...]:
    return _words_of(rules)[0]


def _tells_bluffs(rules: RuleSet) -> bool:
    return rules.players == 2 and bool(_places_of(rules))


def _throws(rules: RuleSet) -> bool:
    return _words_of(rules)[1]


def hands_table(habits: Habits, standings: Standings, names: Sequence[str]) -> Table:
    """Hands, points by seat, throws; otherwise as `habits_tables`."""
    order = [names.index(line.name) for line in standings.strategies]
    games = np.array([line.games - line.forfeits for line in standings.strategies])
    return _table(
        "Hands and points",
        "points: won less those of the others, each hand, as eldest and otherwise; thrown: hands "
        "thrown, asked or not.",
        [{"name": line.name} for line in standings.strategies],
        [*_hands(habits, order, games)],
    )


def score_table(habits: Habits, standings: Standings, names: Sequence[str]) -> Table:
    """Everything that depends on the score, a row for each strategy and own score."""
    order = [names.index(line.name) for line in standings.strategies]
    groups = habits.score_groups

    def by_own(counts: Ints) -> Ints:
        return np.asarray(counts[order].sum(axis=2).reshape(-1, *counts.shape[3:]))

    dealt, outcomes = by_own(habits.dealt_by_score), by_own(habits.puts_by_score)
    puts, tricks = outcomes.sum(axis=1), by_own(habits.first_trick_by_score)
    points = shares_of(by_own(habits.points_by_score), dealt)
    measures = [
        _count("hands", dealt),
        _measure("points_per_hand", points, "points", "/hand", _number("{:+.3f}")),
        _measure("puts", shares_of(puts, dealt), "puts"),
        _measure("seen", shares_of(puts - outcomes[:, 0], puts), "seen", ""),
        _measure("seen_won", shares_of(outcomes[:, 1], puts), "won", ""),
        _measure("seen_lost", shares_of(outcomes[:, 3], puts), "lost", ""),
    ]
    if _tells_bluffs(habits.rules):
        bluffs = shares_of(by_own(habits.bluffs_by_score), puts)
        measures.append(_measure("bluffs", bluffs, "bluffs", ""))
    won = shares_of(tricks[:, 0], tricks.sum(axis=1))
    measures += [
        _measure("thrown", shares_of(by_own(habits.throws_by_score), dealt), "thrown"),
        _measure("first_trick_won", won, "first", "won"),
    ]
    return _table(
        "By own score before the hand",
        "puts, thrown: of 100 hands; seen, seen and won, seen and lost, bluffs: of 100 puts; "
        "first: first tricks won, of those played.",
        [{"name": line.name, "score": group} for line in standings.strategies for group in groups],
        measures,
    )


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


def _table(
    title: str,
    note: str,
    who: Sequence[Mapping[str, str]],
    measures: Sequence[_Measure],
) -> Table:
    """A row for each of `who`, and a column for each measure."""
    keys = [
        Column(
            heading="strategy" if key == "name" else key,
            cells=tuple(printable(each[key]) for each in who),
            left=key == "name",
        )
        for key in who[0]
    ]
    figures = zip(*(measure.plain() for measure in measures), strict=True)
    names = [measure.key for measure in measures]
    return Table(
        title=title,
        columns=[*keys, *(measure.column() for measure in measures)],
        notes=[note] if note else [],
        rows=[
            {**each, **dict(zip(names, row, strict=True))}
            for each, row in zip(who, figures, strict=True)
        ],
    )


def _joined(tables: Sequence[Table]) -> list[Mapping[str, Any]]:
    """The rows of tables of the same strategies, side by side."""
    rows = zip(*(table.rows for table in tables), strict=True)
    return [{key: value for row in each for key, value in row.items()} for each in rows]


def _measure(
    key: str,
    values: Floats,
    heading: str,
    unit: str = "%",
    form: Callable[[float], str] = per_cent,
) -> _Measure:
    return _Measure(key=key, values=values, heading=heading, unit=unit, form=form)


def _count(key: str, values: Ints) -> _Measure:
    return _Measure(key=key, values=values, heading=key, unit="", form="{:,.0f}".format)


def _series(key: str, part: Ints, whole: Ints, labels: Sequence[str]) -> Iterator[_Measure]:
    """A measure for each label, of shares (n, labels)."""
    for k, label in enumerate(labels):
        short = label.replace("0.", ".").replace("1.0", "1")
        yield _measure(f"{key}_{label}", shares_of(part[:, k], whole[:, k]), short, "")


def _hands(habits: Habits, order: Sequence[int], games: Ints) -> Iterator[_Measure]:
    hands = habits.hands[order]
    yield _count("hands", hands)
    yield _measure("hands_per_game", shares_of(hands, games), "hands", "/game", _number("{:.2f}"))
    points = shares_of(habits.points_by_seat[order], habits.dealt_by_seat[order])
    for k, seat in enumerate(("eldest", "other")):
        key, values = f"points_per_hand_{seat}", points[:, k]
        yield _measure(key, values, seat, "points", _number("{:+.3f}"))
    yield _measure("thrown", shares_of(habits.throws[order], hands), "thrown")


def _puts(habits: Habits, order: Sequence[int]) -> Iterator[_Measure]:
    outcomes = habits.puts_by_score[order].sum(axis=(1, 2))
    puts = outcomes.sum(axis=1)
    yield _measure("puts", shares_of(puts, habits.hands[order]), "puts")
    yield _measure("seen", shares_of(puts - outcomes[:, 0], puts), "seen")
    for k, what in enumerate(("won", "drawn", "lost"), start=1):
        yield _measure(f"seen_{what}", shares_of(outcomes[:, k], puts), what, "seen %")
    if _tells_bluffs(habits.rules):
        bluffs = habits.puts_by_chance[order][:, BLUFFS].sum(axis=1)
        said = bluffs.sum(axis=1)
        yield _measure("bluffs", shares_of(said, puts), "bluffs")
        yield _measure("bluffs_thrown_to", shares_of(bluffs[:, 0], said), "bluffs", "thrown to")


def _places(habits: Habits, order: Sequence[int]) -> Iterator[_Measure]:
    places = habits.places[order]
    for place in _places_of(habits.rules):
        share = shares_of(places[:, PLACES.index(place)], places.sum(axis=1))
        yield _measure(f"puts_at_{place}", share, place, "")


def _first_trick(habits: Habits, order: Sequence[int]) -> Iterator[_Measure]:
    tricks = habits.first_trick[order]
    parts = shares_of(tricks, tricks.sum(axis=2, keepdims=True))
    for k, title in enumerate(("leading", "replying")):
        for j, what in enumerate(("won", "tied", "lost")):
            key, heading = f"first_trick_{title}_{what}", title if j == 0 else ""
            yield _measure(key, parts[:, k, j], heading, what)
    if habits.rules.players == 2:
        led = habits.led[order]
        for j, what in enumerate(("best", "middle", "lowest")):
            values = shares_of(led[:, j], led.sum(axis=1))
            yield _measure(f"led_{what}", values, "led its" if j == 0 else "", what)


def _number(form: str) -> Callable[[float], str]:
    return lambda value: "-" if np.isnan(value) else form.format(value)


def _plain(value: float | int) -> float | int | None:
    """A figure without the digits in which machines differ."""
    if isinstance(value, int):
        return value
    return None if np.isnan(value) else round(value, 6)

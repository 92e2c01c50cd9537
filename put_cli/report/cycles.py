"""Where a field does not follow its ratings, as tables: misfits, circles and who is best then."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from put_cli.report.tables import Column, Table, Tables, counted, printable
from put_cli.stats.intransitivity import Estimate, Intransitivity, Pair, Place, Ring

NASH = (
    "nash: share in the equilibrium of greatest entropy of the game in which two people each "
    "choose a strategy to play for them; against: score against that mix, 50 at most; alpha: "
    "share of time that an evolving population spends at a strategy (alpha-rank, 50 members, "
    "intensity 100)."
)

MISFITS = (
    "Pairings, the most surprising first: what the one won, what its rating led to expect, and "
    "how many standard errors that is."
)

RINGS = (
    "Circles of three, the largest first, in which every step is beyond chance: the three scores "
    "are of each against the next; size is how far the smallest is above 50; sure: standard errors "
    "above 50 of the least sure."
)


def place_columns(places: Sequence[Place]) -> list[Column]:
    """Everybody's share in an equilibrium."""
    return [
        _words("strategy", [place.name for place in places]),
        Column(heading="rating", cells=tuple(f"{place.rating:.0f}" for place in places)),
        _figures("nash", [place.nash for place in places], "-"),
        _figures("against", [place.against for place in places], "-"),
        _figures("alpha", [place.alpha for place in places], "-"),
    ]


def pair_columns(pairs: Sequence[Pair]) -> list[Column]:
    """What pairings came to beside what was to be expected."""
    return [
        _words("better than rated", [pair.a for pair in pairs]),
        _words("against", [pair.b for pair in pairs]),
        Column(heading="won", unit="%", cells=tuple(f"{100 * p.score:.1f}" for p in pairs)),
        Column(heading="expected", unit="%", cells=tuple(f"{100 * p.expected:.1f}" for p in pairs)),
        _figures("misfit", [pair.misfit for pair in pairs]),
        Column(heading="errors", cells=tuple(f"{p.surprise:.1f}" for p in pairs)),
    ]


def ring_columns(rings: Sequence[Ring]) -> list[Column]:
    """The circles."""
    return [
        _words("each beats the next", [" > ".join(r.names) for r in rings]),
        Column(
            heading="scores",
            unit="%",
            cells=tuple(" ".join(f"{100 * each:.1f}" for each in r.scores) for r in rings),
        ),
        _figures("size", [ring.size for ring in rings]),
        Column(heading="sure", cells=tuple(f"{ring.weakest:.1f}" for ring in rings)),
    ]


def cycles_sentences(found: Intransitivity) -> list[str]:
    """The result in words."""
    rests = (
        f"Intervals are 95 %, of {found.draws} runs drawn from the {found.blocks} blocks of deals."
        if found.blocks > 1
        else "All games are of one block of deals, so there are no intervals."
    )
    are = "is" if found.ring_count == 1 else "are"
    circles = f"there {are} {counted(found.ring_count, 'circle')} of three beyond chance"
    best = [p.name for p in found.places if p.nash is not None and p.nash.value > 0.005]
    if not best:
        chosen = "Some two never met, so there is no equilibrium to be told."
    elif len(best) == 1:
        chosen = f"In equilibrium everybody would choose {printable(best[0])}."
    else:
        chosen = f"In equilibrium one would choose among {printable(', '.join(best))}."
    return [
        f"Ratings miss the score of a pairing by {100 * found.typical:.1f} % of the games, "
        f"typically and beyond chance; {circles}. {chosen}",
        rests,
    ]


def cycles_tables(found: Intransitivity, most: int) -> Tables:
    """All of it; tables of `most` pairings and circles, and as data every one."""
    made = [
        _table(place_columns(found.places), NASH),
        _table(pair_columns(found.pairs[:most]), MISFITS, _left(len(found.pairs), most)),
    ]
    if found.rings:
        rings = ring_columns(found.rings[:most])
        made.append(_table(rings, RINGS, _left(found.ring_count, most)))
    return Tables(words=cycles_sentences(found), tables=made, rows=[*_rows(found)])


def _table(columns: Sequence[Column], *notes: str) -> Table:
    return Table(columns=columns, notes=[note for note in notes if note], rows=())


def _rows(found: Intransitivity) -> Iterator[Mapping[str, Any]]:
    """Strategies, pairings and circles under the keys of all three, empty where one has none."""
    plain = found.plain()
    parts = {
        "strategy": [{"first": each.pop("name")} | each for each in plain["places"]],
        "pairing": [
            {"first": each.pop("a"), "second": each.pop("b")} | each for each in plain["pairs"]
        ],
        "circle": [
            dict(zip(("first", "second", "third"), each.pop("names"), strict=True))
            | dict(zip(("score", "score_2", "score_3"), each.pop("scores"), strict=True))
            | each
            for each in plain["rings"]
        ],
    }
    rows = [{"what": what} | _flat(each) for what, some in parts.items() for each in some]
    keys = dict.fromkeys(("what", "first", "second", "third"))
    keys |= dict.fromkeys(key for row in rows for key in row)
    return (keys | row for row in rows)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its estimates in three columns each: `nash`, `nash_low`, `nash_high`."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= {key: value["value"], f"{key}_low": value["low"], f"{key}_high": value["high"]}
        else:
            flat[key] = value
    return flat


def _left(count: int, most: int) -> str:
    return f"{count - most} more are left out (--limit)." if count > most else ""


def _words(heading: str, cells: Sequence[str]) -> Column:
    return Column(heading=heading, cells=tuple(map(printable, cells)), left=True)


def _figures(heading: str, figures: Sequence[Estimate | None], to: str = " to ") -> Column:
    """`to` stands between the ends of an interval: a dash where no figure is negative."""
    cells = tuple("-" if each is None else _figure(each, to) for each in figures)
    return Column(heading=heading, unit="%, 95 %", cells=cells)


def _figure(found: Estimate, to: str) -> str:
    if found.low is None or found.high is None:
        return f"{100 * found.value:.1f}"
    return f"{100 * found.value:.1f} ({100 * found.low:.1f}{to}{100 * found.high:.1f})"

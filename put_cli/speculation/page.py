"""The report of a run of Speculation: chips, sales and what they were worth, faults."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from put_cli.log import manifest
from put_cli.log.manifest import Manifest
from put_cli.report import html, plots
from put_cli.report.part import Part, Picture
from put_cli.report.tables import Column, printable
from put_cli.speculation.machine import Sale
from put_cli.speculation.outcome import rate
from put_cli.speculation.standings import SpeculationStandings
from put_cli.speculation.text import standings_columns
from put_cli.speculation.trade import Trade, trade_of

MOST_ROWS = 30
"""So many strategies are drawn; the tables have all."""

_KINDS = {
    Sale.TURN_UP: "the turn-up, unseen",
    Sale.TRUMP: "the best trump",
    Sale.UNTURNED: "unturned cards",
}


_REMEMBERED = {
    False: (),
    True: (
        "The pack serves several deals: who remembers the cards of the earlier ones knows better "
        "what a thing is worth, and may gain where this table shows a loss.",
    ),
}
"""A sentence, by whether the pack is exhausted."""


@dataclass(frozen=True)
class Review:
    """A run as it is reported; `trade` is None where no deals were logged."""

    made: Manifest
    run: str
    """The directory as the user knows it."""
    standings: SpeculationStandings
    trade: Trade | None


def review(run: Path, shown: str) -> Review:
    """Read a run.

    Raises:
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    return Review(made, shown, rate(made), trade_of(made) if made.log == "hands" else None)


def parts(found: Review) -> list[Part]:
    """All parts of the report, in order."""
    made = [_chips(found.standings)]
    if found.trade is None:
        words = ["The run logged no deals, so what was sold at which price is not known."]
        made.append(Part(name="sales", title="Sales", words=words))
    else:
        made += _trade(found, found.trade)
    return [*made, _run(found)]


def page(found: Review) -> str:
    """The page: HTML that needs no network."""
    made, standings = found.made, found.standings
    lead = html.paragraphs(
        [
            f"{made.any_rules.name}: {len(made.names)} strategies, {standings.sessions:,} "
            f"sessions, {standings.deals:,} deals. Seed {made.seed}.",
            f"{made.data.get('program', 'put')}, {made.data.get('created', '')}",
        ]
    )
    title = f"{made.any_rules.name}: {made.run.resolve().name}"
    with plots.style():
        sections = [part.section() for part in parts(found)]
    return html.page(title, lead, sections)


def _chips(standings: SpeculationStandings) -> Part:
    columns, legend = standings_columns(standings)
    lines = [line for line in standings.strategies if line.chips_per_deal is not None][:MOST_ROWS]
    made = plots.figure(1.0 + 0.26 * len(lines))
    ax = made.add_subplot()
    ax.patch.set_visible(False)
    for y, line in enumerate(lines):
        if line.low is not None and line.high is not None:
            ax.plot([line.low, line.high], [y, y], color=plots.BLUE, linewidth=3)
        ax.plot(line.chips_per_deal or 0.0, y, "o", color=plots.INK, markersize=4)
    ax.axvline(0, color=plots.INK, linewidth=0.5)
    ax.set_yticks(range(len(lines)), [printable(line.name) for line in lines])
    ax.set_ylim(len(lines) - 0.5, -0.5)
    ax.set_xlabel("chips won each deal, with the 95 % interval")
    best = f"The best is {printable(lines[0].name)}. " if lines else ""
    picture = Picture(
        name="chips",
        figure=made,
        alternative=f"Chips a deal with intervals, best on top. {best}All are in the table.",
        caption="Dots are means, bars their 95 % intervals.",
    )
    return Part(
        name="chips",
        title="Chips",
        pictures=[picture],
        table=html.table(columns) + html.paragraphs(legend, "note"),
        listed=standings.sentences,
    )


def _trade(found: Review, trade: Trade) -> Iterator[Part]:
    deals = found.standings.deals
    kinds = [kind for kind in _KINDS if trade.count[kind].any()]
    sums = [[float(each[kind].sum()) for each in _of(trade)] for kind in kinds]
    yield Part(
        name="sales",
        title="What was sold",
        words=[
            f"{trade.count.sum():,.0f} sales in {deals:,} deals. What a thing was worth is what it "
            "added to its owner's expected chips, by the cards seen in its deal: the chance of the "
            "pool as it may be expected to end, less the Knaves and fives of unturned cards.",
            *_REMEMBERED[found.made.any_rules.knobs()["exhaust_pack"]],
        ],
        table=html.table(
            [
                Column(heading="sold", cells=tuple(_KINDS[kind] for kind in kinds), left=True),
                Column(
                    heading="sales",
                    unit="/deal",
                    cells=tuple(f"{count / deals:.3f}" for count, *_ in sums),
                ),
                *_prices(sums),
            ]
        ),
    )
    yield _gains(found, trade)
    yield _partners(found, trade)


def _of(trade: Trade) -> tuple[npt.NDArray[np.float64], ...]:
    return trade.count, trade.price, trade.worth


def _prices(sums: Sequence[Sequence[float]]) -> list[Column]:
    """Mean price and worth from counts, prices and worths."""
    return [
        Column(heading="price", cells=tuple(_mean(price, count) for count, price, _ in sums)),
        Column(heading="worth", cells=tuple(_mean(worth, count) for count, _, worth in sums)),
    ]


def _mean(total: float, count: float) -> str:
    return f"{total / count:.2f}" if count else "-"


def _gains(found: Review, trade: Trade) -> Part:
    """What everybody gained by trading."""
    lines = [line for line in found.standings.strategies if line.deals]
    order = [found.made.names.index(line.name) for line in lines]
    names = tuple(printable(line.name) for line in lines)
    selling, buying = trade.gains
    deals = [line.deals for line in lines]
    per_deal = [(selling[i] / n, buying[i] / n) for i, n in zip(order, deals, strict=True)]
    sold, bought = (
        [[float(each.sum(axis=(0, axis))[i]) for each in _of(trade)] for i in order]
        for axis in (2, 1)
    )
    columns = [Column(heading="strategy", cells=names, left=True)]
    for word, sums, k in (("sold", sold, 0), ("bought", bought, 1)):
        counts = (f"{count / n:.3f}" for (count, *_), n in zip(sums, deals, strict=True))
        columns.append(Column(heading=word, unit="/deal", cells=tuple(counts)))
        columns += _prices(sums)
        gained = tuple(f"{pair[k] + 0.0:+.3f}" for pair in per_deal)
        columns.append(Column(heading="gained", unit="/deal", cells=gained))
    return Part(
        name="gains",
        title="Who gains by trading",
        words=[
            "gained: chips above what was sold was worth, or below what was bought, each deal of "
            "the strategy. What is not gained by trading comes with the cards, and evens out over "
            "the chairs."
        ],
        pictures=[
            Picture(
                name="gains",
                figure=_bars(names[:MOST_ROWS], per_deal[:MOST_ROWS]),
                alternative="Chips gained by selling and by buying, a pair of bars for each "
                "strategy, best on top. The table has them.",
                caption="Chips above what was sold was worth, and below what was bought was.",
            )
        ],
        table=html.table(columns),
    )


def _bars(names: Sequence[str], pairs: Sequence[tuple[float, float]]) -> Figure:
    made = plots.figure(1.2 + 0.34 * len(names))
    ax = made.add_subplot()
    ax.patch.set_visible(False)
    y = np.arange(len(names))
    for k, (label, colour, hatch) in enumerate(
        (("by selling", plots.BLUE, ""), ("by buying", plots.ORANGE, "---"))
    ):
        values = [pair[k] for pair in pairs]
        ax.barh(y + 0.38 * (k - 0.5), values, 0.38, color=colour, hatch=hatch, label=label)
    ax.axvline(0, color=plots.INK, linewidth=0.5)
    ax.set_yticks(y, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel("chips gained each deal")
    made.legend(loc="outside upper center", ncols=2, frameon=False)
    return made


def _partners(found: Review, trade: Trade) -> Part:
    """Who buys from whom: of each pair that traded, how often and at what price."""
    names = found.made.names
    count, price, worth = (each.sum(axis=0) for each in _of(trade))
    pairs = sorted(zip(*np.nonzero(count), strict=True), key=lambda p: -count[p])
    sums = [[float(each[pair]) for each in (count, price, worth)] for pair in pairs]
    return Part(
        name="partners",
        title="Who buys from whom",
        table=html.table(
            [
                Column(
                    heading="seller", cells=tuple(printable(names[s]) for s, _ in pairs), left=True
                ),
                Column(
                    heading="buyer", cells=tuple(printable(names[b]) for _, b in pairs), left=True
                ),
                Column(heading="sales", cells=tuple(f"{n:,.0f}" for n, *_ in sums)),
                *_prices(sums),
            ]
        ),
    )


def _run(found: Review) -> Part:
    made = found.made
    command = shlex.join(map(str, made.data.get("command", ())))
    facts = [
        ("rules", ", ".join(f"{key}={value}" for key, value in made.any_rules.knobs().items())),
        ("fingerprint", made.any_rules.fingerprint()),
        ("seed", str(made.seed)),
        ("command", command),
        ("to prove it", f"put verify {shlex.quote(found.run)}"),
    ]
    return Part(
        name="run",
        title="What was played",
        table=html.facts(facts, code=("command", "to prove it", "fingerprint")),
    )

"""The pictures of a report, by matplotlib: functions from facts to figures.

Outlines and words are drawn in INK, which a page replaces by its own colour of text. Data has the
colours of M. Okabe and K. Ito, which the colour-blind tell apart, and hatching besides.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from put_cli.report.review import Moment
from put_cli.report.tables import printable
from put_cli.stats.lines import StrategyLine

INK = "#1b1b1b"
BLUE, SKY, ORANGE, GREY = "#0072b2", "#56b4e9", "#e69f00", "#999999"

STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "put",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "text.parse_math": False,  # a name may have dollars
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), INK),
}

WIDTH = 8.0
"""Inches."""

MOST_NUMBERS = 20
"""The cells of a larger cross table have no room for numbers."""

Floats = NDArray[np.float64]


def style() -> AbstractContextManager[None]:
    """Pictures are made and saved within this."""
    return matplotlib.rc_context(STYLE)  # type: ignore[arg-type]  # its keys are a closed list


def figure(height: float) -> Figure:
    """An empty figure on nothing, so that the page shows through."""
    return Figure(figsize=(WIDTH, height), layout="constrained", facecolor="none")


def ratings(lines: Sequence[StrategyLine]) -> Figure:
    """Ratings with their intervals, best on top; a bound is an arrow."""
    shown = [line for line in lines if line.rating is not None]
    made = figure(1.0 + 0.26 * len(shown))
    ax = _axes(made)
    for y, line in enumerate(shown):
        value = line.rating or 0.0
        if line.bound:
            ax.plot(value, y, ">" if line.bound == "at least" else "<", color=ORANGE, markersize=8)
            continue
        if line.low is not None and line.high is not None:
            ax.plot([line.low, line.high], [y, y], color=BLUE, linewidth=3, solid_capstyle="butt")
        ax.plot(value, y, "o", color=INK, markersize=4)
    ax.set_yticks(range(len(shown)), [printable(line.name) for line in shown])
    ax.set_ylim(len(shown) - 0.5, -0.5)
    ax.set_xlabel("rating, with its 95 % interval")
    ax.grid(axis="x", color=INK, alpha=0.15)
    return made


def crosstable(names: Sequence[str], score: Floats) -> Figure:
    """Shares of games won by the row against the column (n, n), nan where two never met."""
    n = len(names)
    made = figure(1.6 + 0.3 * n)
    ax = _axes(made)
    mesh = ax.pcolormesh(np.ma.masked_invalid(score), cmap="PuOr_r", vmin=0, vmax=1)
    if n <= MOST_NUMBERS:
        for i, j in np.argwhere(~np.isnan(score)).tolist():
            value(ax, j + 0.5, i + 0.5, mesh, score[i, j])
    ax.set_yticks(np.arange(n) + 0.5, [f"{printable(name)} {k}" for k, name in enumerate(names, 1)])
    ax.set_xticks(np.arange(n) + 0.5, [str(k) for k in range(1, n + 1)])
    ax.xaxis.tick_top()
    ax.set_ylim(n, 0)
    bare(ax)
    bar = made.colorbar(mesh, ax=ax, shrink=0.6, format=lambda x, _: f"{100 * x:.0f}")
    bar.set_label("games won by the row, %")
    if bar.solids:
        bar.solids.set_rasterized(False)
    return made


def convergence(names: Sequence[str], moments: Sequence[Moment]) -> Figure:
    """Each rating over the run against where it ended, with its interval at the time."""
    end = moments[-1].ratings
    made, panels = _panels([f"{name}  {end[name][0]:.0f}" for name in names])
    # The first looks are wild; half-way through the run sets the scale.
    late = moments[len(moments) // 2 :]
    reach = max(
        max(abs(m.ratings[name][side] - end[name][0]) for side in range(3))
        for m in late
        for name in names
        if name in m.ratings
    )
    for name, ax in zip(names, panels, strict=True):
        known = [m for m in moments if name in m.ratings]
        x = [m.blocks for m in known]
        middle, low, high = ([m.ratings[name][k] - end[name][0] for m in known] for k in range(3))
        ax.axhline(0, color=INK, alpha=0.4, linewidth=0.8)
        ax.fill_between(x, low, high, color=SKY, alpha=0.45, linewidth=0)
        ax.plot(x, middle, "o-", color=INK, markersize=2.5, linewidth=1.2)
        ax.set_ylim(-1.3 * reach, 1.3 * reach)
        ax.set_xscale("log")
        ax.set_xlim(moments[0].blocks, moments[-1].blocks)
        ticks = sorted({moments[0].blocks, moments[-1].blocks})
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.minorticks_off()
    made.supxlabel("blocks of deals played", fontsize=9)
    made.supylabel("rating less its last value", fontsize=9)
    return made


def outcomes(
    names: Sequence[str],
    shares: Floats,
    outcome_names: Sequence[str],
    axis: tuple[str, str],
    half: bool = False,
) -> Figure:
    """Stacked bars for every strategy: shares (n, X, outcomes), drawn in per cent.

    X are equal parts of 0 to 1. `axis`: what they and the heights are; `half`: mark one half.
    """
    made, panels = _panels(names, legend=True)
    styles = ((BLUE, ""), (SKY, ""), (GREY, "---"), (ORANGE, "////"))[: len(outcome_names)]
    top = max(1e-9, 100 * float(np.nan_to_num(shares).sum(axis=2).max()))
    bars: list[Any] = []
    bins = shares.shape[1]
    for table, ax in zip(shares, panels, strict=True):
        base = np.zeros(bins)
        bars = []
        for k, (colour, hatch) in enumerate(styles):
            height = 100 * np.nan_to_num(table[:, k])
            bars.append(
                ax.bar(
                    range(bins),
                    height,
                    0.86,
                    base,
                    color=colour,
                    hatch=hatch,
                    edgecolor=INK,
                    linewidth=0.3,
                )
            )
            base += height
        if half:
            ax.axvline(bins / 2 - 0.5, color=INK, linestyle="--", linewidth=0.9)
        ax.set_ylim(0, 1.05 * top)
        ax.set_xticks([-0.5, bins / 2 - 0.5, bins - 0.5], ["0", "0.5", "1"])
    made.supxlabel(axis[0], fontsize=9)
    made.supylabel(axis[1], fontsize=9)
    made.legend(bars, list(outcome_names), loc="outside upper center", ncols=4, frameon=False)
    return made


def by_score(names: Sequence[str], share: Floats, groups: Sequence[str], what: str) -> Figure:
    """A heat map for every strategy: shares (n, G, G) by own score and the other's."""
    made, panels = _panels(names, square=True)
    known = share[~np.isnan(share)]
    low, top = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    for table, ax in zip(share, panels, strict=True):
        mesh = ax.pcolormesh(
            np.ma.masked_invalid(table), cmap="cividis", vmin=low, vmax=max(top, low + 1e-9)
        )
        for i, j in np.argwhere(~np.isnan(table)).tolist():
            value(ax, j + 0.5, i + 0.5, mesh, table[i, j], size=6.5)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks(np.arange(len(groups)) + 0.5, groups, fontsize=7)
        bare(ax)
    made.supxlabel(f"the other's score ({what}, %)", fontsize=9)
    made.supylabel("own score", fontsize=9)
    return made


def shares(
    names: Sequence[str], tables: Sequence[tuple[str, Floats]], parts: Sequence[str]
) -> Figure:
    """Horizontal bars that add up to 100 %: beside each other, tables (n, parts) with titles."""
    made = figure(1.2 + 0.26 * len(names))
    panels = made.subplots(1, len(tables), sharey=True, squeeze=False)[0]
    styles = ((BLUE, ""), (GREY, "---"), (ORANGE, "////"), (SKY, "\\\\\\\\"), ("#f0e442", "xx"))
    bars: list[Any] = []
    for (title, table), ax in zip(tables, panels, strict=True):
        ax.patch.set_visible(False)
        left = np.zeros(len(names))
        bars = []
        for k, _part in enumerate(parts):
            colour, hatch = styles[k % len(styles)]
            width = 100 * np.nan_to_num(table[:, k])
            bars.append(
                ax.barh(
                    range(len(names)),
                    width,
                    0.8,
                    left,
                    color=colour,
                    hatch=hatch,
                    edgecolor=INK,
                    linewidth=0.3,
                )
            )
            left += width
        ax.set_title(title)
        ax.set_xlim(0, 100)
        ax.set_xlabel("%")
        ax.set_yticks(range(len(names)), list(map(printable, names)))
        ax.set_ylim(len(names) - 0.5, -0.5)
    made.legend(bars, list(parts), loc="outside upper center", ncols=len(parts), frameon=False)
    return made


def errors(names: Sequence[str], pairs: Sequence[tuple[float, float]], unit: str) -> Figure:
    """Standard errors as they were and without luck, a pair of bars for each name."""
    made = figure(1.2 + 0.34 * len(names))
    ax = _axes(made)
    y = np.arange(len(names))
    for k, (label, colour, hatch) in enumerate((("raw", GREY, "---"), ("adjusted", BLUE, ""))):
        ax.barh(
            y + 0.38 * (k - 0.5),
            [pair[k] for pair in pairs],
            0.38,
            color=colour,
            hatch=hatch,
            edgecolor=INK,
            linewidth=0.3,
            label=label,
        )
    ax.set_yticks(y, list(map(printable, names)))
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(f"standard error, {unit}")
    ax.grid(axis="x", color=INK, alpha=0.15)
    made.legend(loc="outside upper center", ncols=2, frameon=False)
    return made


def beats(
    names: Sequence[str],
    edges: Sequence[tuple[int, int, bool]],
    circle: Sequence[int],
) -> Figure:
    """Who beats whom: arrows from winner to loser on a ring, best on top and clockwise.

    `edges`: winner, loser, and whether it is beyond chance; names stand best first, so an arrow
    to a smaller number is against the ratings. `circle`: the largest circle, in order of beating.
    """
    n = len(names)
    made = figure(6.2)
    ax = _axes(made)
    angle = np.pi / 2 - 2 * np.pi * np.arange(n) / n
    x, y = np.cos(angle), np.sin(angle)
    round_about = {(a, b) for a, b in zip(circle, [*circle[1:], *circle[:1]], strict=True)}
    for winner, loser, sure in edges:
        inside, against = (winner, loser) in round_about, winner > loser
        colour = BLUE if inside else ORANGE if against else INK
        ax.annotate(
            "",
            xy=(x[loser], y[loser]),
            xytext=(x[winner], y[winner]),
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "alpha": 1.0 if inside or against else 0.45,
                "linewidth": 2.6 if inside else 1.5 if against else 0.9,
                "linestyle": "-" if sure else ":",
                "shrinkA": 9,
                "shrinkB": 9,
                "mutation_scale": 14 if inside or against else 10,
                "connectionstyle": f"arc3,rad={0.25 if inside else 0.07}",
            },
        )
    ax.plot(x, y, "o", color=INK, markersize=7)
    for k, name in enumerate(names):
        side = "center" if abs(x[k]) < 0.1 else "left" if x[k] > 0 else "right"
        ax.text(
            1.08 * x[k],
            1.08 * y[k],
            f"{k + 1} {printable(name)}",
            ha=side,
            va="center" if abs(y[k]) < 0.95 else "bottom" if y[k] > 0 else "top",
        )
    ax.set_xlim(-1.7, 1.7)
    ax.set_ylim(-1.25, 1.25)
    ax.set_aspect("equal")
    ax.axis("off")
    return made


def _axes(made: Figure) -> Axes:
    ax = made.add_subplot()
    ax.patch.set_visible(False)
    return ax


def _panels(
    names: Sequence[str], *, square: bool = False, legend: bool = False
) -> tuple[Figure, list[Axes]]:
    """A small picture for every name, four in a row, all to one scale."""
    across = min(4, max(1, len(names)))
    down = -(-len(names) // across)
    made = figure((1.95 if square else 1.5) * down + (0.9 if legend else 0.6))
    grid = made.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel().tolist()
    for ax, name in zip(grid, names, strict=False):
        ax.set_title(_short(printable(name)))
        ax.patch.set_visible(False)
        ax.tick_params(labelbottom=True)
    for ax in grid[len(names) :]:
        ax.axis("off")
    return made, grid[: len(names)]


def _short(name: str, most: int = 30) -> str:
    """A name that fits above a small picture; the tables have it in full."""
    return name if len(name) <= most else f"{name[: most - 3]}..."


def value(
    ax: Axes, x: float, y: float, mesh: Any, share: float, size: float = 8, digits: int = 0
) -> None:
    """A share in per cent on its cell, dark on light or light on dark."""
    red, green, blue, _ = mesh.to_rgba(share)
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    ax.text(
        x,
        y,
        f"{100 * share:.{digits}f}",
        ha="center",
        va="center",
        fontsize=size,
        color="white" if dark else "black",
    )


def bare(ax: Axes) -> None:
    """No lines around a heat map."""
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(length=0)

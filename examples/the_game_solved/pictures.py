"""The pictures of the page, from the numbers that `measure.py` found."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from put_cli.report.plots import BLUE, GREY, INK, ORANGE, SKY, style

Numbers = dict[str, Any]
WIDTH = 8.0
"""Inches."""

BINS = 20
"""Parts of the strength of a hand, which is a chance."""


def draw(numbers: Numbers, folder: Path) -> list[Path]:
    """Draw everything that there are numbers for into SVG files of this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    sets = list(numbers["rules"].values())
    main = sets[0]
    with style():
        made = {
            "values": values_and_deal(main),
            "words-by-score": words_by_score(main),
            "values-by-rules": values_by_rules(sets),
            "games": games(sets),
        }
        if "opening" in main:
            made["at-once"] = at_once(main)
        if any("against" in each for each in sets):
            made["skill"] = skill(sets)
        paths = []
        for name, figure in made.items():
            paths.append(folder / f"{name}.svg")
            figure.savefig(paths[-1], format="svg", metadata={"Date": None, "Creator": None})
    return paths


def by_score(rules: Numbers, what: str) -> Any:
    """(target, target): a number of each score, by eldest's points and the dealer's."""
    table = np.full((rules["target"],) * 2, np.nan)
    for score in rules["scores"]:
        table[score["eldest"], score["dealer"]] = (
            (score["low"] + score["high"]) / 2 if what == "value" else score[what]
        )
    return table


def deal(rules: Numbers) -> Any:
    """(target, target): how much likelier one wins as eldest than as the dealer, by own points and
    the other's."""
    value = by_score(rules, "value")
    return value + value.T - 1


def values_and_deal(rules: Numbers) -> Figure:
    """What every score is worth, and what it is worth there not to have the deal."""
    figure = _figure(3.9)
    left, right = figure.subplots(1, 2)
    heat_map(
        left,
        100 * by_score(rules, "value"),
        "eldest's chance to win the game, %",
        "PuOr_r",
        middle=50,
    )
    _points(left, "eldest's points", "dealer's points")
    heat_map(right, 100 * deal(rules), "chance as eldest less chance as dealer, %", "PuOr_r")
    _points(right, "own points", "the other's points")
    return figure


def words_by_score(rules: Numbers) -> Figure:
    """How often one puts, bluffs, and is seen, by score."""
    figure = _figure(3.0)
    puts, bluffs, seen = (by_score(rules, what) for what in ("puts", "bluffs", "seen"))
    panels = (
        ("puts in 100 hands", 100 * puts),
        ("bluffs in 100 puts", _per_cent(bluffs, puts)),
        ("seen of 100 puts", _per_cent(seen, puts)),
    )
    for ax, (title, table) in zip(figure.subplots(1, 3), panels, strict=True):
        heat_map(ax, table, title, "cividis", digits=0)
        _points(ax, "eldest's points", "dealer's points")
    return figure


def values_by_rules(sets: Sequence[Numbers]) -> Figure:
    """What every score is worth under each rule set."""
    columns = 4
    rows = -(-len(sets) // columns)
    figure = _figure(0.4 + 2.2 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, rules in zip(panels, sets, strict=False):
        small = rules["target"] > 8
        heat_map(
            ax,
            100 * by_score(rules, "value"),
            rules["rules"],
            "PuOr_r",
            digits=None if small else 0,
            middle=50,
        )
        ticks = range(0, rules["target"], 4 if small else 1)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks([each + 0.5 for each in ticks], [str(each) for each in ticks])
    for ax in panels[len(sets) :]:
        ax.set_axis_off()
    figure.supylabel("eldest's points", fontsize=9)
    figure.supxlabel(
        "dealer's points; the numbers are eldest's chance to win the game, %", fontsize=9
    )
    return figure


def at_once(rules: Numbers) -> Figure:
    """Who puts, and who sees, at the beginning of a hand, by how strong his cards are."""
    figure = _figure(3.4)
    ax, over = figure.subplots(1, 2)
    for key, label, colour, line in (
        ("dealer_sees", "dealer sees eldest's first put", INK, ":"),
        ("dealer_puts", "dealer puts before he replies", ORANGE, "-"),
        ("eldest_puts", "eldest puts before he leads", BLUE, "--"),
    ):
        ax.plot(*binned(rules["opening"], key), line, color=colour, label=label)
    ax.set_xlim(0, 100)
    ax.set_ylim(0, 100)
    ax.set_xlabel("chance to win the hand, %")
    ax.set_ylabel("of 100 such hands")
    ax.legend(frameon=False, loc="upper left")
    table = np.array(rules["opening"]["over"], float)[::-1]
    parts, ranks = table.shape
    heat_map(over, 100 * table, "of 100 such hands the dealer puts", "cividis", digits=0)
    over.set_aspect("auto")
    over.set_xticks(np.arange(ranks) + 0.5, rules["opening"]["ranks"])
    over.set_yticks(range(parts + 1), [f"{100 - 100 * n // parts}" for n in range(parts + 1)])
    over.set_xlabel("card led")
    over.set_ylabel("chance to win the hand, %")
    return figure


def binned(opening: Numbers, key: str, bins: int = BINS) -> tuple[list[float], list[float]]:
    """The middles of the bins of strength, and the average share in each, both in per cent."""
    strength, dealt = np.array(opening["strength"]), np.array(opening["dealt"])
    share = np.array(opening[key], float)
    number = np.minimum((bins * strength).astype(int), bins - 1)
    x, y = [], []
    for each in range(bins):
        here = (number == each) & ~np.isnan(share)
        if here.any():
            x.append(100 * (each + 0.5) / bins)
            y.append(100 * float(np.average(share[here], weights=dealt[here])))
    return x, y


def games(sets: Sequence[Numbers]) -> Figure:
    """How the rule sets compare as games, when both play the solution."""
    figure = _figure(1.2 + 0.26 * len(sets))
    edge, length, words = figure.subplots(1, 3, sharey=True)
    rows = range(len(sets))
    start = [each["scores"][0] for each in sets]
    middle = [100 * (each["low"] + each["high"]) / 2 - 50 for each in start]
    half = [50 * (each["high"] - each["low"]) for each in start]
    edge.barh(rows, middle, 0.7, color=BLUE, xerr=half, ecolor=INK)
    edge.axvline(0, color=INK, linewidth=0.8)
    edge.set_xlabel("eldest's edge at 0-0, %")
    length.barh(rows, [each["game"]["hands"] for each in sets], 0.7, color=SKY)
    length.set_xlabel("hands a game")
    honest = [100 * (each["game"]["puts"] - each["game"]["bluffs"]) for each in sets]
    bluffs = [100 * each["game"]["bluffs"] for each in sets]
    words.barh(rows, honest, 0.7, color=GREY, label="puts")
    words.barh(
        rows,
        bluffs,
        0.7,
        honest,
        color=ORANGE,
        hatch="////",
        label="bluffs",
        edgecolor=INK,
        linewidth=0.3,
    )
    words.set_xlabel("in 100 hands")
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    edge.set_yticks(rows, [each["rules"] for each in sets])
    edge.set_ylim(len(sets) - 0.5, -0.5)
    return figure


def skill(sets: Sequence[Numbers]) -> Figure:
    """How often the solution beats simple strategies, by rule set."""
    sets = [each for each in sets if "against" in each]
    names = opponents(sets)
    figure = _figure(1.2 + 0.3 * len(sets))
    ax = figure.subplots()
    table = np.array([[100 * each["against"].get(name, np.nan) for name in names] for each in sets])
    heat_map(ax, table, "games the solution wins, %", "cividis")
    ax.set_xticks(np.arange(len(names)) + 0.5, names)
    ax.set_yticks(np.arange(len(sets)) + 0.5, [each["rules"] for each in sets])
    ax.set_aspect("auto")
    return figure


def opponents(sets: Sequence[Numbers]) -> list[str]:
    """Whom any of the solutions met."""
    return list(dict.fromkeys(name for each in sets for name in each["against"]))


def heat_map(
    ax: Axes,
    table: Any,
    title: str,
    colours: str,
    digits: int | None = 1,
    middle: float | None = None,
) -> None:
    """A table as colours and numbers, its first row on top; no numbers where `digits` is None."""
    known = table[~np.isnan(table)]
    low, high = float(known.min()), float(known.max())
    if middle is not None or low < 0:
        centre = middle or 0.0
        reach = max(high - centre, centre - low, 1e-9)
        low, high = centre - reach, centre + reach
    mesh = ax.pcolormesh(
        np.ma.masked_invalid(table), cmap=colours, vmin=low, vmax=max(high, low + 1e-9)
    )
    mesh.set_edgecolor("face")
    if digits is not None:
        for i, j in np.argwhere(~np.isnan(table)).tolist():
            red, green, blue, _ = mesh.cmap(mesh.norm(table[i, j]))
            dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
            text = f"{table[i, j]:.{digits}f}"
            ax.text(
                j + 0.5,
                i + 0.5,
                text,
                ha="center",
                va="center",
                fontsize=7.5,
                color="white" if dark else INK,
            )
    ax.set_title(title)
    ax.set_ylim(len(table), 0)
    ax.set_aspect("equal")
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _points(ax: Axes, rows: str, columns: str) -> None:
    points = range(int(ax.get_xlim()[1]))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([each + 0.5 for each in points], [str(each) for each in points])
    ax.set_ylabel(rows)
    ax.set_xlabel(columns)


def _per_cent(part: Any, whole: Any) -> Any:
    return np.divide(100 * part, whole, out=np.full_like(part, np.nan), where=whole > 1e-6)


def _figure(height: float) -> Figure:
    return Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")

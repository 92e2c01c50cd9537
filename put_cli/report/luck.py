"""Results with the luck of the deal taken off, beside those that have it."""

from collections.abc import Iterator, Sequence
from statistics import median
from textwrap import fill

from put_cli.report.duel import elo_words
from put_cli.report.tables import Column, aligned, printable
from put_cli.stats.head_to_head import elo_with_margin
from put_cli.stats.luck_removed import Figure, LuckRemoved

LEGEND = (
    "raw: as played; adjusted: less the luck of the deal; +/-: one standard error; variance: the "
    "adjusted one as a share of the raw one; worth: so many times the games would have told as "
    "much."
)


def luck_columns(found: LuckRemoved) -> list[Column]:
    """The ratings, or of two the score, with and without luck."""
    if len(found.scores) == 1:
        a, b, score = found.scores[0]
        first = Column(heading="score of", cells=(printable(f"{a} v {b}"),), left=True)
        return [first, *_figures([score], 100, 2, "%")]
    first = Column(
        heading="strategy", cells=tuple(printable(n) for n, _ in found.ratings), left=True
    )
    return [first, *_figures([each for _, each in found.ratings], 1, 1, "rating")]


def luck_sentences(found: LuckRemoved) -> list[str]:
    """What taking off the luck of the deal was worth."""
    ratios = found.ratios
    if not ratios:
        return ["No two strategies have a rating estimate, so there is nothing to adjust."]
    typical, one = median(ratios), len(ratios) == 1
    what = "the score" if len(found.scores) == 1 else "ratings"
    spread = "" if one else f"{100 * min(ratios):.0f} to "
    gain = (
        f"{'' if one else 'typically '}equal to {1 / typical:.1f} times the games"
        if typical < 1
        else "which these games are too few to gain from"
    )
    return [
        f"Without the luck of the deal the variance of {what} is {spread}"
        f"{100 * max(ratios):.0f} % of what it was, {gain}.",
        *(_elo(*found.scores[0]) if len(found.scores) == 1 else ()),
    ]


def _elo(a: str, b: str, score: Figure) -> Iterator[str]:
    """The difference in strength that a duel shows without luck; none beyond all scores."""
    if 0 < score.adjusted < 1:
        elo = elo_with_margin(score.adjusted, score.adjusted_margin)
        yield f"Adjusted, {a} is {elo_words(elo, b)}."


def luck_text(found: LuckRemoved, width: int = 80) -> str:
    """Both side by side for a terminal, with what it was worth."""
    notes = [LEGEND, *luck_sentences(found)]
    table = aligned(luck_columns(found)) if found.ratios else ""
    return table + "\n" + "".join(fill(printable(note), width) + "\n" for note in notes)


def _figures(figures: Sequence[Figure], scale: float, digits: int, unit: str) -> list[Column]:
    def column(heading: str, form: str, values: Sequence[float], unit: str = "") -> Column:
        return Column(heading=heading, unit=unit, cells=tuple(form.format(v) for v in values))

    form = f"{{:.{digits}f}}"
    return [
        column("raw", form, [scale * f.raw for f in figures], unit),
        column("+/-", form, [scale * f.raw_error for f in figures]),
        column("adjusted", form, [scale * f.adjusted for f in figures], unit),
        column("+/-", form, [scale * f.adjusted_error for f in figures]),
        column("variance", "{:.2f}", [f.ratio for f in figures]),
        column("worth", "{:.1f}x", [1 / f.ratio for f in figures], "games"),
    ]

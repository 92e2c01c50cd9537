"""The parts of a report beyond ratings: circles and equilibria, and the luck of the deal."""

from collections.abc import Iterator

from put_cli.report import plots
from put_cli.report.cycles import (
    MISFITS,
    NASH,
    RINGS,
    cycles_sentences,
    pair_columns,
    place_columns,
    ring_columns,
)
from put_cli.report.html import paragraphs, table
from put_cli.report.luck import LEGEND, luck_columns, luck_sentences
from put_cli.report.part import Part, Picture
from put_cli.report.results import MOST_ROWS, limited
from put_cli.report.review import Review

MOST_PAIRS = 20
"""So many pairings that miss their ratings are listed, the most surprising."""


def circles(review: Review) -> Iterator[Part]:
    """Misfits, circles and equilibria; nothing where there can be none."""
    found = review.cycles
    if found is None:
        return
    rings = table(ring_columns(found.rings)) + paragraphs([RINGS], "note") if found.rings else ""
    yield Part(
        name="circles",
        title="Beyond one number",
        words=cycles_sentences(found),
        table=table(place_columns(found.places))
        + paragraphs([NASH], "note")
        + table(pair_columns(found.pairs[:MOST_PAIRS]))
        + paragraphs([MISFITS], "note")
        + rings,
    )


def luck(review: Review) -> Part:
    """How luck was removed, and what was left."""
    title = "The luck of the deal"
    mirrored = (
        "Every deal was played from either side, so that a pair of games shares its luck; "
        "intervals count pairs, or blocks of them."
        if review.made.mirror
        else "Deals were played from one side only (--no-mirror)."
    )
    found = review.luck
    if found is None:
        words = [mirrored, f"No more of it was taken off: {review.why_luck}."]
        return Part(name="luck", title=title, words=words)
    if len(found.scores) == 1:
        a, b, score = found.scores[0]
        names, unit = [f"{a} v {b}"], "% of the games"
        pairs = [(100 * score.raw_error, 100 * score.adjusted_error)]
    else:
        names, unit = [name for name, _ in found.ratings][:MOST_ROWS], "rating points"
        pairs = [(f.raw_error, f.adjusted_error) for _, f in found.ratings][:MOST_ROWS]
    how = (
        "What the cards of a deal are worth in chances to win the game was learnt from the other "
        "deals of the same pairing. What they were worth beyond the mean of all possible deals, "
        "which is known exactly, is luck, and was taken off the result of the game."
    )
    picture = Picture(
        name="luck",
        figure=plots.errors(names, pairs, unit),
        alternative="Standard errors before and after the luck of the deal was taken off. The "
        "numbers are in the table.",
        caption="How unsure figures are as played, and without the luck of the deal.",
    )
    return Part(
        name="luck",
        title=title,
        words=[mirrored, how, *luck_sentences(found), *limited(MOST_ROWS, review.names)],
        pictures=[picture] if names else [],
        table=table(luck_columns(found)) + paragraphs([LEGEND], "note") if names else "",
    )

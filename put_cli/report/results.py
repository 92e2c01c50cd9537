"""The parts of a report that tell who is how strong."""

from collections.abc import Iterator

import numpy as np

from put_cli.report import plots
from put_cli.report.duel import duel_text
from put_cli.report.habits import per_cent
from put_cli.report.html import paragraphs, table
from put_cli.report.part import Part, Picture
from put_cli.report.review import Review
from put_cli.report.tables import Column, printable
from put_cli.report.text import scores, standings_columns

MOST_ROWS = 30
"""So many strategies, the best, stand in a picture of the whole field."""

MOST_PANELS = 16
"""So many have a small picture of their own."""

MOST_EDGES = 12
"""In larger fields only what goes against the ratings is drawn of who beats whom."""


def results(review: Review) -> Iterator[Part]:
    """Ratings, cross table, convergence, who beats whom."""
    yield _ratings(review)
    yield _crosstable(review)
    yield _convergence(review)
    yield _beats(review)


def limited(shown: int, names: list[str]) -> list[str]:
    """A sentence where a picture does not show all."""
    if len(names) <= shown:
        return []
    return [f"Of {len(names)} strategies the best {shown} are drawn."]


def _ratings(review: Review) -> Part:
    standings = review.standings
    columns, legend = standings_columns(standings)
    lines = standings.strategies[:MOST_ROWS]
    rated = [line for line in lines if line.rating is not None]
    best = f"The best is {printable(rated[0].name)}, {rated[0].rating:.0f}. " if rated else ""
    duel = standings.duel
    told = paragraphs(duel_text(duel, 10_000).splitlines()) if duel else ""
    return Part(
        name="ratings",
        title="Ratings",
        words=limited(MOST_ROWS, review.names),
        pictures=[
            Picture(
                name="ratings",
                figure=plots.ratings(rated),
                alternative=f"Ratings with intervals, best on top. {best}All are in the table.",
                caption="Dots are ratings, bars their 95 % intervals; an orange arrow is a bound.",
            )
        ]
        if rated
        else [],
        table=table(columns) + paragraphs([f"{'; '.join(legend)}."], "note") + told,
        listed=standings.sentences,
    )


def _crosstable(review: Review) -> Part:
    names = review.names[:MOST_ROWS]
    found = scores(review.standings)
    score = np.array([[found.get((row, column), np.nan) for column in names] for row in names])
    columns = [
        Column(heading="no.", cells=tuple(str(k) for k in range(1, len(names) + 1))),
        Column(heading="strategy", cells=tuple(names), left=True),
        *(
            Column(heading=str(k), cells=tuple(map(per_cent, score[:, k - 1])))
            for k in range(1, len(names) + 1)
        ),
    ]
    what = "Games won by the row against the column, %."
    if review.standings.tables:
        what = "Of the games at common tables that one of the two won, those won by the row, %."
    return Part(
        name="crosstable",
        title="Everyone against everyone",
        words=[*limited(MOST_ROWS, review.names), *_all_in_file(review)],
        pictures=[
            Picture(
                name="crosstable",
                figure=plots.crosstable(names, score),
                alternative=f"Heat map. {what} The numbers are in the table below it.",
                caption=f"{what} Columns are numbered as the rows are; orange wins, purple loses.",
            )
        ],
        hidden=table(columns),
    )


def _all_in_file(review: Review) -> list[str]:
    return ["crosstable.csv beside the log has all."] if len(review.names) > MOST_ROWS else []


def _convergence(review: Review) -> Part:
    moments = review.moments
    title = "How the ratings settled"
    names = [name for name in review.names if name in moments[-1].ratings]
    if len(moments) < 2 or len(names) < 2:
        why = (
            "All games are of one block of deals"
            if len(moments) < 2
            else "There are no ratings with an interval"
        )
        return Part(name="convergence", title=title, words=[f"{why}, so there is nothing to see."])
    shown = names[:MOST_PANELS]
    columns = [
        Column(heading="strategy", cells=tuple(names), left=True),
        *(
            Column(
                heading=f"{moment.blocks:,}",
                unit="blocks",
                cells=tuple(
                    f"{moment.ratings[name][0]:.0f}" if name in moment.ratings else "-"
                    for name in names
                ),
            )
            for moment in moments
        ),
    ]
    settled = (
        max(
            (abs(moments[-2].ratings[n][0] - moments[-1].ratings[n][0]), n)
            for n in names
            if n in moments[-2].ratings
        )
        if any(n in moments[-2].ratings for n in names)
        else None
    )
    last = (
        f"From block {moments[-2].blocks:,} to block {moments[-1].blocks:,}, the last, no rating "
        f"moved by more than {settled[0]:.1f} points ({printable(settled[1])})."
        if settled
        else ""
    )
    return Part(
        name="convergence",
        title=title,
        words=[*([last] if last else []), *limited(MOST_PANELS, names)],
        pictures=[
            Picture(
                name="convergence",
                figure=plots.convergence(shown, moments),
                alternative=f"Each rating over the run. {last}",
                caption="Rating after so many blocks of deals less the last rating, which stands "
                "beside the name; the band is its 95 % interval then. All have one scale, which "
                "the beginning may leave.",
            )
        ],
        hidden=table(columns),
    )


def _beats(review: Review) -> Part:
    title = "Who beats whom"
    standings = review.standings
    if not standings.pairings:
        return Part(
            name="beats",
            title=title,
            words=[
                "With more than two at a table nobody beats another alone: the cross table "
                "tells who won more often of two that sat together."
            ],
        )
    names = review.names[:MOST_ROWS]
    number = {name: k for k, name in enumerate(names)}
    edges = []
    for line in standings.pairings:
        if line.a in number and line.b in number and line.score_a not in (None, 0.5):
            won = (line.score_a or 0) > 0.5
            winner, loser = (line.a, line.b) if won else (line.b, line.a)
            sure = line.low is not None and line.high is not None
            sure = sure and not (line.low or 0) <= 0.5 <= (line.high or 0)
            edges.append((number[winner], number[loser], sure))
    against = [edge for edge in edges if edge[0] > edge[1]]
    drawn = edges if len(names) <= MOST_EDGES else against
    pattern = standings.pattern
    circles = pattern.circles if pattern else ()
    largest = [number[name] for name, _ in circles[0] if name in number] if circles else []
    if len(largest) == 3:
        ring = set(zip(largest, [*largest[1:], largest[0]], strict=True))
        drawn = [*drawn, *(e for e in edges if e[:2] in ring and e not in drawn)]
    else:
        largest = []
    told = [
        ", ".join(
            f"{a} beats {b} ({100 * score:.1f} %)"
            for (a, score), (b, _) in zip(circle, [*circle[1:], circle[0]], strict=True)
        )
        for circle in circles
    ]
    count = pattern.circle_count if pattern else 0
    words = [
        f"In {len(against)} of {len(edges)} pairings the one with the lower rating won more games.",
        f"Circles of three in which each beats the next beyond chance: {count}."
        + (" The largest are below." if count > len(told) else ""),
    ]
    rest = (
        ""
        if len(names) <= MOST_EDGES
        else (" Other pairings went as the ratings say and are left out.")
    )
    return Part(
        name="beats",
        title=title,
        words=[*words, *limited(MOST_ROWS, review.names)],
        pictures=[
            Picture(
                name="beats",
                figure=plots.beats(names, drawn, largest),
                alternative=" ".join(words),
                caption="Clockwise from the top by rating; arrows go from winner to loser: orange "
                "where the lower rating won, blue in the largest circle of three, dotted where "
                f"chance may have made the difference.{rest}",
            )
        ],
        listed=told,
    )

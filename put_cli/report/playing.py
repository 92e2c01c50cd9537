"""The parts of a report that tell how everybody plays."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from put_cli.report import plots
from put_cli.report.habits import RANGES, hands_table, per_cent, score_table, shares_of
from put_cli.report.html import paragraphs, table
from put_cli.report.part import Part, Picture
from put_cli.report.results import MOST_PANELS, MOST_ROWS, limited
from put_cli.report.review import Review
from put_cli.report.tables import Column
from put_cli.stats.habits import BLUFFS, OUTCOMES, PLACES, TENTHS, Habits

Floats = NDArray[np.float64]

FEWEST_HANDS = 20
"""A share of fewer hands, or puts, is not drawn."""

_PARTNERS = (
    "Partners pass cards on, so the other's are better than any three unseen ones, and a true "
    "chance is lower than the one counted here."
)


def playing(review: Review) -> Iterator[Part]:
    """Puts by strength and by score, first tricks, bluffs; one part in words without hands."""
    habits = review.habits
    if habits is None:
        yield Part(
            name="play",
            title="How everybody plays",
            words=[
                "The run logged no hands (--log), so there is nothing to say of puts, scores, "
                "first tricks and bluffs beyond the columns of the table of ratings."
            ],
        )
        return
    putters = [
        name for name, n in zip(review.names, review.order, strict=True) if habits.places[n].any()
    ]
    if putters:
        yield _by_strength(review, habits, putters)
        yield _by_score(review, habits, putters)
    else:
        yield Part(name="strength", title="Puts", words=["Nobody put in this run."])
    if habits.throws_by_strength.any():
        yield _throws(review, habits)
    yield _hands(review, habits)
    yield _first_trick(review, habits)
    if putters and review.made.rules.players == 2:
        yield _bluffs(review, habits, putters)
    elif putters:
        yield Part(
            name="bluffs",
            title="Bluffs",
            words=[
                "A bluff is a put with less than an even chance to win the hand. That chance "
                "is counted for two players only."
            ],
        )


def _enough(share: Floats, of: NDArray[np.int64]) -> Floats:
    """The shares of things that are enough to be drawn; nan for the others."""
    return np.where(of >= FEWEST_HANDS, share, np.nan)


def _numbers(review: Review, names: Sequence[str]) -> list[int]:
    """What the strategies are numbered in the counts."""
    return [review.made.names.index(name) for name in names]


def _others(review: Review, putters: list[str]) -> list[str]:
    """Sentences on those who are not drawn."""
    never = [name for name in review.names if name not in putters]
    words = limited(MOST_PANELS, putters)
    return [*words, f"Never put: {', '.join(never)}."] if never else words


def _words(heading: str, cells: Sequence[str]) -> Column:
    return Column(heading=heading, cells=tuple(cells), left=True)


def _by_strength(review: Review, habits: Habits, putters: list[str]) -> Part:
    names = putters[:MOST_PANELS]
    order = _numbers(review, names)
    dealt, puts = habits.dealt_by_strength[order], habits.puts_by_strength[order]
    share = shares_of(puts, dealt[:, :, None])
    won = shares_of(puts[:, :, :2].sum(axis=2), puts.sum(axis=2))
    strong, weak = _halves(habits, review.order)
    who = "one opponent" if review.made.rules.players > 2 else "the other"
    columns = [
        _words("strategy", names),
        *(
            Column(
                heading=label,
                unit="put %, won %",
                cells=tuple(
                    f"{per_cent(f)}, {per_cent(w)}"
                    for f, w in zip(share[:, k].sum(axis=1), won[:, k], strict=True)
                ),
            )
            for k, label in enumerate(RANGES)
        ),
    ]
    return Part(
        name="strength",
        title="Puts by strength of hand",
        words=[
            f"Strength is the chance that the three cards win the hand against {who}, all unseen "
            "cards being equally likely and laid in random order.",
            *([_PARTNERS] if review.made.rules.partners else []),
            f"Hands of at least an even chance were put in {per_cent(strong)} %, weaker ones in "
            f"{per_cent(weak)} %.",
            *_others(review, putters),
        ],
        pictures=[
            Picture(
                name="strength",
                figure=plots.outcomes(
                    names, share, OUTCOMES, ("chance that the cards win", "hands put, %")
                ),
                alternative="Share of hands put by strength, and what came of it, for each "
                "strategy. The numbers are below.",
                caption="Height: share of hands of that strength in which the strategy said the "
                "first put; colours: what came of it.",
            )
        ],
        hidden=table(columns, "put: share of hands put; won: share of those puts that won."),
    )


def _halves(habits: Habits, order: list[int]) -> tuple[float, float]:
    """Share of hands put, of all strategies together: with an even chance or more, and less."""
    puts = habits.puts_by_strength[order].sum(axis=(0, 2))
    dealt = habits.dealt_by_strength[order].sum(axis=0)
    strong = slice(BLUFFS.stop, TENTHS)
    return (
        float(shares_of(puts[strong].sum(), dealt[strong].sum())),
        float(shares_of(puts[BLUFFS].sum(), dealt[BLUFFS].sum())),
    )


def _by_score(review: Review, habits: Habits, putters: list[str]) -> Part:
    names = putters[:MOST_PANELS]
    order = _numbers(review, names)
    dealt, puts = habits.dealt_by_score[order], habits.puts_by_score[order]
    said = puts.sum(axis=3)
    share, won = shares_of(said, dealt), shares_of(puts[..., :2].sum(axis=3), said)
    groups = habits.score_groups
    columns = [
        _words("strategy", [name for name in names for _ in groups]),
        Column(heading="own score", cells=tuple(groups) * len(names)),
        *(
            Column(
                heading=f"other's {label}",
                unit="put %, won %",
                cells=tuple(
                    f"{per_cent(f)}, {per_cent(w)}"
                    for f, w in zip(share[:, :, k].ravel(), won[:, :, k].ravel(), strict=True)
                ),
            )
            for k, label in enumerate(groups)
        ),
    ]
    by_own = score_table(habits, review.standings, review.made.names)
    other = " (the best of the others')" if review.made.rules.players > 2 else ""
    return Part(
        name="score",
        title="Puts by score",
        words=[
            f"Before each hand, own score and the other's{other}. Fewer than {FEWEST_HANDS} hands "
            "or puts are not drawn.",
            *_others(review, putters),
        ],
        pictures=[
            Picture(
                name="score-put",
                figure=plots.by_score(names, _enough(share, dealt), groups, "hands put"),
                alternative="How often each strategy puts at each score. The numbers are below.",
                caption="How often: share of hands in which the strategy said the first put.",
            ),
            Picture(
                name="score-won",
                figure=plots.by_score(names, _enough(won, said), groups, "puts that won"),
                alternative="How often its puts won the hand, at each score. The numbers are "
                "below.",
                caption="With what success: share of those puts that won the hand, thrown to or "
                "seen.",
            ),
        ],
        hidden=table(columns) + table(by_own.columns, f"{by_own.title}. {' '.join(by_own.notes)}"),
    )


def _throws(review: Review, habits: Habits) -> Part:
    names = [name for name, n in zip(review.names, review.order, strict=True) if habits.throws[n]]
    shown = names[:MOST_PANELS]
    order = _numbers(review, shown)
    dealt = habits.dealt_by_strength[order]
    thrown = _enough(shares_of(habits.throws_by_strength[order], dealt), dealt)
    columns = [
        _words("strategy", shown),
        *(
            Column(heading=label, unit="%", cells=tuple(map(per_cent, thrown[:, k])))
            for k, label in enumerate(RANGES)
        ),
    ]
    when = "to the first put" if review.made.rules.players > 2 else "to a put or unasked"
    never = [name for name in review.names if name not in names]
    return Part(
        name="throws",
        title="Throws by strength of hand",
        words=[
            f"Hands thrown {when}, by the same strength.",
            *limited(MOST_PANELS, names),
            *([f"Never threw: {', '.join(never)}."] if never else []),
        ],
        pictures=[
            Picture(
                name="throws",
                figure=plots.outcomes(
                    shown,
                    thrown[:, :, None],
                    ("thrown",),
                    ("chance that the cards win", "hands thrown, %"),
                ),
                alternative="Share of hands thrown by strength, for each strategy. The numbers "
                "are below.",
                caption="Share of hands of that strength that the strategy threw.",
            )
        ],
        hidden=table(columns),
    )


def _hands(review: Review, habits: Habits) -> Part:
    found = hands_table(habits, review.standings, review.made.names)
    return Part(
        name="seats",
        title="Seats, points and hands",
        words=["What a hand brought from either seat, and how long games were."],
        table=table(found.columns) + paragraphs(found.notes, "note"),
    )


def _first_trick(review: Review, habits: Habits) -> Part:
    names, order = review.names[:MOST_ROWS], review.order[:MOST_ROWS]
    tricks = habits.first_trick[order]
    share = shares_of(tricks, tricks.sum(axis=2, keepdims=True))
    led = shares_of(habits.led[order], habits.led[order].sum(axis=1, keepdims=True))
    two = review.made.rules.players == 2
    titles = ("leading", "replying")
    columns = [_words("strategy", names)]
    for k, title in enumerate(titles):
        for j, what in enumerate(("won", "tied", "lost")):
            cells = tuple(map(per_cent, share[:, k, j]))
            columns.append(Column(heading=f"{title}: {what}", unit="%", cells=cells))
    if two:
        for j, what in enumerate(("best", "middle", "lowest")):
            cells = tuple(map(per_cent, led[:, j]))
            columns.append(Column(heading=f"led its {what}", unit="%", cells=cells))
    return Part(
        name="first-trick",
        title="The first trick",
        words=[
            "Of the first tricks that were played.",
            *(
                ["A card as high as the best counts as the best."]
                if two
                else ["Which cards were led stands in the table of plays of the log."]
            ),
            *limited(MOST_ROWS, review.names),
        ],
        pictures=[
            Picture(
                name="first-trick",
                figure=plots.shares(
                    names,
                    [(f"{titles[k]} to it", share[:, k]) for k in range(2)],
                    ("won", "tied", "lost" if two else "lost to another"),
                ),
                alternative="First tricks won, tied and lost. The numbers are below.",
                caption="How first tricks went, for who led to them and who replied.",
            ),
            *(
                [
                    Picture(
                        name="first-lead",
                        figure=plots.shares(
                            names,
                            [("card led to the first trick", led)],
                            ("best", "middle", "lowest"),
                        ),
                        alternative="Which card is led first. The numbers are below.",
                        caption="Which of its three cards a strategy leads first.",
                    )
                ]
                if two
                else []
            ),
        ],
        hidden=table(columns),
    )


def _bluffs(review: Review, habits: Habits, putters: list[str]) -> Part:
    shown, names = putters[:MOST_PANELS], putters[:MOST_ROWS]
    order, everybody = _numbers(review, shown), _numbers(review, names)
    per_hand = shares_of(habits.puts_by_chance[order], habits.hands[order][:, None, None])
    counts = habits.puts_by_chance[everybody]
    bluffs, all_puts = counts[:, BLUFFS].sum(axis=1), counts.sum(axis=1)
    honest = all_puts - bluffs
    hands = habits.hands[everybody]
    bluffed = bluffs.sum(axis=1)
    figures: list[tuple[str, str, Floats]] = [
        ("puts", "of 100 hands", shares_of(all_puts.sum(axis=1), hands)),
        ("bluffs", "of 100 hands", shares_of(bluffed, hands)),
        ("bluffs", "of 100 puts", shares_of(bluffed, all_puts.sum(axis=1))),
        *(
            ("bluffs", f"{outcome}, %", shares_of(bluffs[:, k], bluffed))
            for k, outcome in enumerate(OUTCOMES)
        ),
        ("other puts", "thrown to, %", shares_of(honest[:, 0], honest.sum(axis=1))),
    ]
    places = habits.places[everybody]
    for k, place in enumerate(PLACES):
        if places[:, k].any():
            figures.append(
                (f"at {place}", "of 100 puts", shares_of(places[:, k], places.sum(axis=1)))
            )
    columns = [
        _words("strategy", names),
        *(
            Column(heading=heading, unit=unit, cells=tuple(map(per_cent, values)))
            for heading, unit, values in figures
        ),
    ]
    return Part(
        name="bluffs",
        title="Bluffs",
        words=[
            "A bluff is a put whose chance of winning the hand was below one half: counted from "
            "the cards that the putter saw when he put, all others being equally likely and laid "
            "in random order; who had a card to reply to has his best reply.",
            *([_PARTNERS] if review.made.rules.partners else []),
            *_others(review, putters),
        ],
        pictures=[
            Picture(
                name="bluffs",
                figure=plots.outcomes(
                    shown,
                    per_hand,
                    OUTCOMES,
                    ("chance to win the hand at the put", "puts in 100 hands"),
                    half=True,
                ),
                alternative="Puts by the chance to win the hand when they were said, for each "
                "strategy; what is left of the middle is a bluff. The numbers are in the table.",
                caption="Puts by the chance to win; left of the dashed line are the bluffs.",
            )
        ],
        table=table(columns),
    )

"""The three questions of questions.sql in polars. Needs `pip install polars`.

    python examples/analyses/in_polars.py runs/latest

The frames are lazy: polars reads only the columns that are used.
"""

import json
import sys
from pathlib import Path

import polars as pl

GAME = ["pairing", "block", "mirror", "game"]


def scan(run: Path, table: str) -> pl.LazyFrame:
    """A table of the log, with its words as plain text."""
    frame = pl.scan_parquet(run / table / "*.parquet")
    return frame.with_columns(pl.col(pl.Categorical).cast(pl.String))


def read(run: Path) -> pl.LazyFrame:
    """The hands with what each earned eldest, less the dealer, as `gain`.

    A game that was won outright is worth the target.
    """
    target = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["rules"]["target"]
    outright = pl.when(pl.col("winner") == "eldest").then(target).otherwise(-target)
    points = pl.col("eldest_points").cast(pl.Int64) - pl.col("dealer_points")
    gain = points + pl.when("outright").then(outright).otherwise(0)
    return scan(run, "hands").with_columns(gain=gain)


def by_seat(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Which seat earns what: hands, share won, points a hand, won less lost."""
    seats = [
        hands.select(
            strategy=pl.col(seat),
            seat=pl.lit(seat),
            won=(pl.col("winner") == seat).fill_null(False),
            points=sign * pl.col("gain"),
        )
        for seat, sign in (("eldest", 1), ("dealer", -1))
    ]
    return (
        pl.concat(seats)
        .group_by("strategy", "seat")
        .agg(hands=pl.len(), won=pl.col("won").mean(), points=pl.col("points").mean())
        .sort("strategy", "seat")
    )


def by_putter(hands: pl.LazyFrame) -> pl.LazyFrame:
    """How often a put gets through, and what it earns: the first put of each hand."""
    eldest = pl.col("put_by") == "eldest"
    seen = pl.col("put_answer") == "see"
    won = (pl.col("winner") == pl.col("put_by")).fill_null(False)
    return (
        hands.filter(pl.col("put_answer").is_not_null())
        .group_by(strategy=pl.when(eldest).then("eldest").otherwise("dealer"))
        .agg(
            puts=pl.len(),
            got_through=(~seen).mean(),
            won_if_seen=won.filter(seen).mean(),
            points=pl.when(eldest).then(pl.col("gain")).otherwise(-pl.col("gain")).mean(),
        )
        .sort("strategy")
    )


def by_score(hands: pl.LazyFrame, games: pl.LazyFrame) -> pl.LazyFrame:
    """What a score is worth: of the hands dealt at it, the share in whose game eldest won."""
    return (
        hands.join(games.select(*GAME, winner_of_game="winner"), on=GAME)
        .group_by("eldest_score", "dealer_score")
        .agg(hands=pl.len(), eldest_wins=(pl.col("winner_of_game") == pl.col("eldest")).mean())
        .sort("eldest_score", "dealer_score")
    )


def answers(run: Path) -> dict[str, pl.DataFrame]:
    """Every question with its answer."""
    hands = read(run)
    return {
        "1. Which seat earns what?": by_seat(hands).collect(),
        "2. How often does a put get through, and what does it earn?": by_putter(hands).collect(),
        "3. What is a score worth?": by_score(hands, scan(run, "games")).collect(),
    }


def show(question: str, answer: pl.DataFrame) -> None:
    """Print an answer; shares and points have three digits."""
    cells = [answer.columns] + [[text(value) for value in row] for row in answer.rows()]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(question)
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    print()


def text(value: object) -> str:
    """A value as it is printed."""
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python in_polars.py RUN")
    for question, answer in answers(Path(sys.argv[1])).items():
        show(question, answer)

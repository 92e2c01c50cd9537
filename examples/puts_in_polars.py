"""How often does a put get through, and who puts with what? Needs `pip install polars`.

    python examples/puts_in_polars.py runs/latest

The questions and the numbers are those of how_often_a_put_gets_through.sql. A put gets through when
the other throws in his cards; of several puts in a hand the first counts.
"""

import sys
from pathlib import Path

import polars as pl


def read(run: Path) -> pl.LazyFrame:
    """The hands log, with its words as plain text."""
    hands = pl.scan_parquet(run / "hands" / "*.parquet")
    return hands.with_columns(pl.col(pl.Categorical).cast(pl.String))


def by_score(hands: pl.LazyFrame) -> pl.DataFrame:
    """By the score before the hand: puts, share that got through, share won of those seen."""
    by_eldest = pl.col("put_by") == "eldest"
    through = pl.col("put_answer") == "throw"
    won = (pl.col("winner") == pl.col("put_by")).fill_null(False)
    return (
        hands.filter(pl.col("put_answer").is_not_null())
        .group_by(
            own_score=pl.when(by_eldest).then("eldest_score").otherwise("dealer_score"),
            their_score=pl.when(by_eldest).then("dealer_score").otherwise("eldest_score"),
        )
        .agg(
            puts=pl.len(),
            got_through=through.mean(),
            won_if_seen=won.filter(~through).mean(),
        )
        .sort("own_score", "their_score")
        .collect()
    )


def holdings(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Every holding, two of each deal. Weak is one whose best card is a Queen or lower."""
    put_by, answer = pl.col("put_by"), pl.col("put_answer")
    seats = [
        hands.select(
            strategy=pl.col(seat),
            cards=pl.col(f"{seat}_cards"),
            weak=~pl.col(f"{seat}_cards").str.contains("[32AK]"),
            put=(put_by == seat).fill_null(False) & answer.is_not_null(),
            through=answer == "throw",
            won=(pl.col("winner") == put_by).fill_null(False),
        )
        for seat in ("eldest", "dealer")
    ]
    return pl.concat(seats)


def by_strategy(hands: pl.LazyFrame) -> pl.DataFrame:
    """Who bluffs: weak holdings, the share put, of the strategy's puts, the share got through."""
    weak, put = pl.col("weak"), pl.col("put")
    return (
        holdings(hands)
        .group_by("strategy")
        .agg(
            weak_hands=weak.sum(),
            bluffed=put.filter(weak).mean(),
            of_its_puts=weak.filter(put).mean(),
            got_through=pl.col("through").filter(weak & put).mean(),
        )
        .sort("bluffed", "strategy", descending=[True, False])
        .collect()
    )


def by_cards(hands: pl.LazyFrame) -> pl.DataFrame:
    """Which cards bluff: the weak holdings that were put most often."""
    put, through = pl.col("put"), pl.col("through")
    return (
        holdings(hands)
        .filter("weak")
        .group_by("cards")
        .agg(
            held=pl.len(),
            bluffs=put.sum(),
            bluffed=put.mean(),
            got_through=through.filter(put).mean(),
            won_if_seen=pl.col("won").filter(put & ~through).mean(),
        )
        .sort("bluffs", "cards", descending=[True, False])
        .head(12)
        .collect()
    )


def answers(run: Path) -> list[pl.DataFrame]:
    """The three tables."""
    hands = read(run)
    return [by_score(hands), by_strategy(hands), by_cards(hands)]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python puts_in_polars.py RUN")
    with pl.Config(tbl_rows=100, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True):
        for answer in answers(Path(sys.argv[1])):
            print(answer)

"""The three questions of questions.sql in pandas. Needs `pip install pandas`.

    python examples/analyses/in_pandas.py runs/latest

pandas holds the columns it is asked for in memory: some 100 bytes a hand.
"""

import json
import math
import sys
from pathlib import Path

import pandas as pd

GAME = ["pairing", "block", "mirror", "game"]
COLUMNS = [
    *GAME,
    *("eldest", "dealer", "eldest_score", "dealer_score", "eldest_points", "dealer_points"),
    *("outright", "winner", "put_by", "put_answer"),
]


def read(run: Path) -> pd.DataFrame:
    """The hands with what each earned eldest, less the dealer, as `gain`.

    A game that was won outright is worth the target.
    """
    target = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["rules"]["target"]
    hands = pd.read_parquet(run / "hands", columns=COLUMNS)
    # Words come as categories, whose sets differ from column to column.
    words = ["eldest", "dealer", "winner", "put_by", "put_answer"]
    hands = hands.astype(dict.fromkeys(words, object))
    sign = (hands["winner"] == "eldest").astype(int) - (hands["winner"] == "dealer").astype(int)
    points = hands["eldest_points"].astype(int) - hands["dealer_points"]
    return hands.assign(gain=points + target * sign * hands["outright"])


def by_seat(hands: pd.DataFrame) -> pd.DataFrame:
    """Which seat earns what: hands, share won, points a hand, won less lost."""
    seats = pd.concat(
        pd.DataFrame(
            {
                "strategy": hands[seat],
                "seat": seat,
                "won": hands["winner"] == seat,
                "points": sign * hands["gain"],
            }
        )
        for seat, sign in (("eldest", 1), ("dealer", -1))
    )
    return (
        seats.groupby(["strategy", "seat"])
        .agg(hands=("won", "size"), won=("won", "mean"), points=("points", "mean"))
        .reset_index()
    )


def by_putter(hands: pd.DataFrame) -> pd.DataFrame:
    """How often a put gets through, and what it earns: the first put of each hand."""
    puts = hands[hands["put_answer"].notna()]
    eldest = puts["put_by"] == "eldest"
    seen = puts["put_answer"] == "see"
    return (
        pd.DataFrame(
            {
                "strategy": puts["eldest"].where(eldest, puts["dealer"]),
                "through": ~seen,
                "won": (puts["winner"] == puts["put_by"]).where(seen).astype(float),
                "points": puts["gain"].where(eldest, -puts["gain"]),
            }
        )
        .groupby("strategy")
        .agg(
            puts=("through", "size"),
            got_through=("through", "mean"),
            won_if_seen=("won", "mean"),
            points=("points", "mean"),
        )
        .reset_index()
    )


def by_score(hands: pd.DataFrame, run: Path) -> pd.DataFrame:
    """What a score is worth: of the hands dealt at it, the share in whose game eldest won."""
    games = pd.read_parquet(run / "games", columns=[*GAME, "winner"]).astype({"winner": object})
    joined = hands.merge(games, on=GAME, suffixes=("", "_of_game"))
    joined["eldest_wins"] = joined["winner_of_game"] == joined["eldest"]
    return (
        joined.groupby(["eldest_score", "dealer_score"])
        .agg(hands=("eldest_wins", "size"), eldest_wins=("eldest_wins", "mean"))
        .reset_index()
    )


def answers(run: Path) -> dict[str, pd.DataFrame]:
    """Every question with its answer."""
    hands = read(run)
    return {
        "1. Which seat earns what?": by_seat(hands),
        "2. How often does a put get through, and what does it earn?": by_putter(hands),
        "3. What is a score worth?": by_score(hands, run),
    }


def show(question: str, answer: pd.DataFrame) -> None:
    """Print an answer; shares and points have three digits."""
    rows = answer.itertuples(index=False)
    cells = [list(answer.columns)] + [[text(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(question)
    for row in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    print()


def text(value: object) -> str:
    """A value as it is printed."""
    if not isinstance(value, float):
        return str(value)
    return "-" if math.isnan(value) else f"{value:.3f}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python in_pandas.py RUN")
    for question, answer in answers(Path(sys.argv[1])).items():
        show(question, answer)

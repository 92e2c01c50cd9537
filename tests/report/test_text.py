"""Tables as people see them, compared whole; and that they fit whatever they hold."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from put_cli.report.text import (
    crosstable_csv,
    crosstable_text,
    standings_csv,
    standings_markdown,
    standings_text,
)
from put_cli.stats.standings import standings
from tests.stats.tallies import all_pairs, mirrored, table

SNAPSHOTS = Path(__file__).parent / "snapshots"

NAMES = ("bold", "threshold(level=8.5)", "fox", "random")
PAIRS = all_pairs(4)
ROWS = {
    name: column.copy()
    for name, column in mirrored(
        {
            (0, 1): (240, 520, 240),
            (0, 2): (350, 500, 150),
            (1, 2): (330, 500, 170),
            (0, 3): (0, 0, 1000),
            (1, 3): (0, 0, 1000),
            (2, 3): (0, 0, 1000),
        }
    ).items()
}
ROWS["hands"] = ROWS["games"] * 9
ROWS["points_a"] = ROWS["wins_a"] * 5
ROWS["points_b"] = ROWS["wins_b"] * 5
ROWS["puts_a"] = ROWS["games"] * 2
ROWS["seen_a"] = ROWS["games"] // 2
ROWS["lost_a"] = ROWS["games"] // 8
ROWS["declined_a"] = ROWS["puts_a"] - ROWS["seen_a"]
FIELD = standings([ROWS], names=NAMES, memory=[False] * 4, pairs=PAIRS)

LONG = (
    "adaptive(caution=0.125, courage=0.875, memory=40, patience=12, temper=choleric)",
    "evil\x1b[2J\x1b]0;owned\x07|name",
    "fox",
    "random",
)
AWKWARD = standings([ROWS], names=LONG, memory=[False] * 4, pairs=PAIRS)
CROWD = standings(
    [mirrored(dict.fromkeys(all_pairs(25), (30, 40, 30)))],
    names=[f"strategy(number={k})" for k in range(25)],
    memory=[False] * 25,
    pairs=all_pairs(25),
)


@pytest.mark.parametrize(
    ("snapshot", "view"),
    [
        ("standings-80.txt", standings_text),
        ("standings-120.txt", lambda field: standings_text(field, 120)),
        ("standings.md", standings_markdown),
        ("crosstable.txt", crosstable_text),
    ],
)
def test_tables_look_as_they_did(snapshot, view):
    assert view(FIELD) == (SNAPSHOTS / snapshot).read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [20, 24, 30, 40, 50, 60, 80, 100, 200])
@pytest.mark.parametrize("result", [FIELD, AWKWARD, CROWD], ids=["field", "awkward", "crowd"])
@pytest.mark.parametrize("view", [standings_text, crosstable_text])
def test_no_line_is_wider_than_the_window(view, result, width):
    assert max(len(line) for line in view(result, width).splitlines()) <= width


@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (20, ["#", "strategy", "rating"]),
        (40, ["#", "strategy", "rating"]),
        (41, ["#", "strategy", "rating", "interval"]),
        (60, ["#", "strategy", "rating", "interval", "games", "score"]),
    ],
)
def test_a_narrow_window_shows_what_matters_most(width, headings):
    text = standings_text(FIELD, width)
    assert text.splitlines()[0].split() == headings
    hidden = " ".join(text.split()).partition("Not shown at this width: ")[2]
    assert ("games," in hidden) == ("games" not in headings)


def test_even_in_the_narrowest_window_names_are_whole():
    column = "".join(line[3:13].strip() for line in standings_text(FIELD, 20).splitlines())
    assert "threshold(level=8.5)" in column


@pytest.mark.parametrize("view", [standings_text, crosstable_text])
def test_long_names_are_broken_but_whole(view):
    text = view(AWKWARD, 60)
    for piece in ("adaptive(", "caution=0.125,", "courage=0.875,", "temper=choleric)"):
        assert piece in text


@pytest.mark.parametrize(
    "view",
    [standings_text, crosstable_text, standings_markdown, standings_csv, crosstable_csv],
)
def test_escape_sequences_in_names_reach_no_terminal(view):
    text = view(AWKWARD)
    assert all(c.isprintable() or c == "\n" for c in text)


def test_a_crowd_is_shown_in_panels_that_name_everyone():
    text = crosstable_text(CROWD)
    panels = text.split("\n\n")[:-1]
    assert len(panels) > 1
    assert all("strategy(number=24)" in panel for panel in panels)


def test_missing_figures_are_dashes_and_empty_fields():
    rows = mirrored({(0, 1): (30, 40, 30)})
    result = standings([rows], names=NAMES[:3], memory=[False] * 3, pairs=all_pairs(3))
    last = standings_text(result).splitlines()[5]
    assert last.split()[:6] == ["-", "fox", "-", "-", "0", "-"]
    assert crosstable_text(result).splitlines()[4].split() == ["3", "fox", "-", "-"]
    assert crosstable_csv(result).splitlines()[3] == "fox,,,"
    assert standings_csv(result).splitlines()[3].startswith("fox,,,,,,0,0,0,,0,0,")


def test_a_tournament_without_games_still_has_a_table():
    result = standings([table([])], names=NAMES, memory=[False] * 4, pairs=PAIRS)
    assert "No games were played" in standings_text(result)
    assert "random" in crosstable_text(result)


def test_faults_have_columns_only_where_there_are_any():
    assert "faults" not in standings_text(FIELD, 200)
    rows = {**ROWS, "faults_b": np.ones_like(ROWS["games"]), "forfeits_b": ROWS["wins_b"]}
    faulty = standings([rows], names=NAMES, memory=[False] * 4, pairs=PAIRS)
    heading = standings_text(faulty, 100).splitlines()[0]
    assert "faults  forfeits" in heading


def test_csv_standings_have_a_row_for_each_strategy_and_open_ends_empty():
    rows = list(csv.DictReader(io.StringIO(standings_csv(FIELD))))
    assert [row["name"] for row in rows] == [line.name for line in FIELD.strategies]
    assert (rows[3]["bound"], rows[3]["low"]) == ("at most", "")
    assert rows[3]["high"] == rows[3]["rating"]
    assert float(rows[0]["score"]) == round(FIELD.strategies[0].score, 6)


def test_csv_cross_table_has_the_scores_of_rows_against_columns():
    rows = list(csv.reader(io.StringIO(crosstable_csv(FIELD))))
    assert rows[0] == ["strategy", *(line.name for line in FIELD.strategies)]
    assert rows[1][1] == ""
    assert float(rows[1][2]) + float(rows[2][1]) == 1

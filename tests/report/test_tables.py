import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.report.tables import (
    Column,
    aligned,
    csv_text,
    fitting,
    markdown,
    markdown_text,
    narrowed,
    printable,
    rounded,
)

NAME = "threshold(level=8.5, bluff=0.25)"


def test_words_stand_left_and_numbers_right():
    columns = [
        Column(heading="name", cells=("ox", "hyena"), left=True),
        Column(heading="n", unit="%", cells=("7", "123")),
    ]
    assert aligned(columns) == "name     n\n         %\n-----  ---\nox       7\nhyena  123\n"


def test_a_long_name_is_broken_after_commas_and_brackets_and_kept_in_full():
    column = Column(heading="", cells=(NAME,))
    assert narrowed(column, 22).cells == ("threshold(level=8.5,\nbluff=0.25)",)
    assert narrowed(column, 15).cells == ("threshold(\nlevel=8.5,\nbluff=0.25)",)
    assert narrowed(column, 99).cells == (NAME,)


@given(st.text(alphabet="ab,( )=", max_size=60), st.integers(1, 30))
def test_breaking_a_cell_loses_nothing_but_blanks(text, width):
    (cell,) = narrowed(Column(heading="", cells=(text,)), width).cells
    assert max(len(line) for line in cell.split("\n")) <= width
    assert cell.replace("\n", "").replace(" ", "") == text.replace(" ", "")


def test_a_cell_of_two_lines_makes_a_row_of_two_lines():
    columns = [
        Column(heading="s", cells=("ab\ncd",), left=True),
        Column(heading="n", cells=("1",)),
    ]
    assert aligned(columns).splitlines()[2:] == ["ab  1", "cd"]


def test_columns_that_fit_are_counted_from_the_left():
    columns = [Column(heading="1234", cells=())] * 3
    assert [fitting(columns, width) for width in (1, 4, 9, 10, 15, 16, 99)] == [1, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fox", "fox"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("two\nlines", r"two\nlines"),
        ("\u202egnirts", r"\u202egnirts"),
        ("café", "café"),
    ],
)
def test_nothing_a_terminal_obeys_is_left(text, shown):
    assert printable(text) == shown


def test_markdown_has_a_rule_that_aligns():
    columns = [
        Column(heading="name", cells=("a|b",), left=True),
        Column(heading="score", unit="%", cells=("50.0",)),
    ]
    assert markdown(columns) == "| name | score (%) |\n| :-- | --: |\n| a\\|b | 50.0 |\n"


def test_markdown_takes_no_name_for_markup():
    assert markdown_text("_a_*b*<i>`c`|[d]") == r"\_a\_\*b\*\<i\>\`c\`\|\[d\]"


def test_csv_reads_back():
    text = csv_text(["name", "score"], [[NAME, 0.5], ['say "put"', None]])
    assert list(csv.reader(io.StringIO(text))) == [
        ["name", "score"],
        [NAME, "0.5"],
        ['say "put"', ""],
    ]


@pytest.mark.parametrize(
    ("number", "text"), [(2_059_000, "2.06 million"), (48_321, "48,300"), (84.6, "85"), (7, "7")]
)
def test_a_pace_is_told_with_the_digits_that_count(number: float, text: str) -> None:
    assert rounded(number) == text

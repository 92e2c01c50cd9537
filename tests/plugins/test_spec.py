"""Naming a strategy with its parameters, and the one name that logs call it by."""

import enum
import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from put_cli import Strategy
from put_cli.errors import SpecError
from put_cli.plugins import spec


class Mood(enum.Enum):
    CALM = 1
    WILD = 2


@dataclass(frozen=True)
class Many(Strategy):
    """One parameter of each kind."""

    count: int = 3
    share: float = 0.5
    bold: bool = False
    style: str = "low"
    mood: Mood = Mood.CALM
    limit: int | None = None
    table: tuple[int, ...] = field(default=(1, 2), init=False)


def built(text: str) -> Many:
    """The strategy that a user means by `text`."""
    made = spec.build(Many, spec.parse(text))
    assert isinstance(made, Many)
    return made


@pytest.mark.parametrize(
    ("text", "expected", "name"),
    [
        ("many", Many(), "many"),
        (" many ", Many(), "many"),
        ("many()", Many(), "many"),
        ("many(count=4)", Many(count=4), "many(count=4)"),
        ("many( share = 0.25 , count=-1)", Many(-1, 0.25), "many(count=-1, share=0.25)"),
        ("many(share=1)", Many(share=1.0), "many(share=1.0)"),
        ("many(share=.50)", Many(), "many"),
        ("many(bold=true)", Many(bold=True), "many(bold=True)"),
        ("many(bold=True)", Many(bold=True), "many(bold=True)"),
        ("many(style=high)", Many(style="high"), "many(style='high')"),
        ("many(style='a b')", Many(style="a b"), "many(style='a b')"),
        ("many(mood=WILD)", Many(mood=Mood.WILD), "many(mood=WILD)"),
        ("many(limit=9)", Many(limit=9), "many(limit=9)"),
        ("many(limit=none)", Many(), "many"),
        ("many(count=3, share=0.5)", Many(), "many"),
    ],
)
def test_parameters_are_read_in_the_type_of_their_default(
    text: str, expected: Many, name: str
) -> None:
    made = built(text)
    assert made == expected
    assert type(made.share) is float
    assert spec.canonical("many", made) == name
    assert built(name) == made


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("many(count=1.5)", "parameter count: expected a whole number, got 1.5"),
        ("many(count=true)", "parameter count: expected a whole number, got True"),
        ("many(share=half)", "parameter share: expected a number, got 'half'"),
        ("many(share=1e400)", "parameter share: expected a number, got inf"),
        ("many(bold=1)", "parameter bold: expected true or false, got 1"),
        ("many(style=5)", "parameter style: expected a word or a quoted text, got 5"),
        ("many(mood=MILD)", "parameter mood: expected one of CALM, WILD, got 'MILD'"),
        ("many(cuont=1)", "many has no parameter 'cuont'. Did you mean 'count'? It has: count"),
        ("many(table=1)", "many has no parameter 'table'."),
    ],
)
def test_a_parameter_of_a_wrong_name_or_type_is_refused(text: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        built(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "(x=1)",
        "many(",
        "many(1)",
        "many(x=1",
        "many(x=1))",
        "many(x=1)(y=2)",
        "many(**x)",
        "many(*x)",
        "many(x=1, x=2)",
        "many(x=open('f'))",
        "many(x=y.z)",
        "many(x=__import__('os').system('true'))",
        "many(x=[i for i in range(9)])",
        "many(x=lambda: 1)",
        "many(x=" + "[" * 5000 + ")",
        "many(x=" + "-" * 5000 + "1)",
        "many(x=1\0)",
        "many(x=\n",
        "many(limit={[]: 1})",
        "many(limit={[]})",
        "many(limit={**1})",
        "many(limit=-'a')",
        "many(limit=\udcff)",
        "many(style='\udcff')",
        "many(style='\\ud800')",
        "many(limit=0x" + "f" * 5000 + ")",
        "many(limit=" + "[" * 150 + "]" * 150 + ", x=" + "1," * 999 + ")",
        "many(limit=" + "1+" * 400 + "1j)",
    ],
)
def test_what_is_no_spec_is_refused_and_nothing_is_run(text: str) -> None:
    with pytest.raises(SpecError, match="expected"):
        spec.build(Many, spec.parse(text))


def test_parameters_that_can_be_given_are_ready_for_json() -> None:
    told = spec.parameters(Many(mood=Mood.WILD))
    assert json.loads(json.dumps(told)) == {
        "count": 3,
        "share": 0.5,
        "bold": False,
        "style": "low",
        "mood": "Mood.WILD",
        "limit": None,
    }


class Plain(Strategy):
    """Not a dataclass."""


def test_a_plain_class_takes_no_parameters() -> None:
    assert isinstance(spec.build(Plain, spec.parse("plain")), Plain)
    assert spec.canonical("plain", Plain()) == "plain"
    with pytest.raises(SpecError, match=r"takes no parameters: make Plain a frozen dataclass"):
        spec.build(Plain, spec.parse("plain(x=1)"))


@dataclass(frozen=True)
class Choosy(Strategy):
    """Refuses some values itself."""

    level: int = 3

    def __post_init__(self) -> None:
        if self.level > 13:
            raise ValueError("level: at most 13")


def test_a_class_may_refuse_a_value_in_its_own_words() -> None:
    refused: Any = spec.parse("choosy(level=14)")
    with pytest.raises(
        SpecError, match=r"choosy\(level=14\) cannot be made: ValueError: level: at"
    ):
        spec.build(Choosy, refused)

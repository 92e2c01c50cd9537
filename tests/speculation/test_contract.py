"""`put check` finds what is wrong with a player of Speculation."""

import itertools
from dataclasses import dataclass

import pytest

from put_cli.plugins.contract import assert_conforms, check
from put_cli.speculation import Speculator, View

_calls = itertools.count()


@dataclass(frozen=True)
class Floating(Speculator):
    """Bids a fraction."""

    def bid(self, view: View) -> int:
        return view.survives * view.pool  # type: ignore[return-value]


@dataclass(frozen=True)
class Generous(Speculator):
    """Offers more than it has."""

    def offer(self, view: View) -> int:
        return 4


@dataclass(frozen=True)
class Fickle(Speculator):
    """Changes its mind when asked again."""

    def bid(self, view: View) -> int:
        return next(_calls) % 3


@dataclass(frozen=True)
class Failing(Speculator):
    """Raises now and then."""

    def accept(self, view: View) -> bool:
        return 10 // (view.best_bid - 3) > 1


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (Floating(), "bid returned '"),
        (Generous(), "offer returned 4 where 0 to"),
        (Fickle(), "it answers the same question the same way"),
        (Failing(), "raised ZeroDivisionError"),
    ],
)
def test_what_is_wrong_is_named(strategy: Speculator, says: str) -> None:
    report = check(strategy, measure=False)
    assert not report.ok
    wrong = [line for finding in report.findings if not finding.ok for line in finding.lines()]
    assert any(says in line for line in wrong), wrong


def test_a_fraction_is_not_compiled_and_the_author_hears_why() -> None:
    report = check(Floating(), measure=False)
    assert report.tier == "interpreted"
    assert "where an integer is expected" in " ".join(report.why_not_native)


def test_who_never_trades_conforms() -> None:
    assert_conforms(Speculator())

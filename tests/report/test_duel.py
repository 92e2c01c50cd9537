"""A duel in words."""

import pytest

from put_cli.report.duel import duel_text, elo_words
from put_cli.stats.duel import duel
from put_cli.stats.head_to_head import Elo
from put_cli.stats.standings import standings
from tests.stats.tallies import mirrored


def told(cells, width=80):
    rows = mirrored({(0, 1): cells})
    found = standings([rows], names=("fox", "hen"), memory=[False] * 2, pairs=[(0, 1)])
    return duel_text(duel(found.pairings[0]), width)


def test_a_duel_is_told_line_by_line():
    assert told((1000, 7500, 1500)) == (
        "fox against hen, from the side of fox:\n"
        "Won 10,500 of 20,000 games (52.50 %; 95 %: 52.01 to 52.99).\n"
        "Strength: 17.4 Elo above hen (95 %: 14.0 to 20.8 above).\n"
        "Normalized Elo: 24.7 +/- 4.8.\n"
        "Likelihood that fox is the better: 100.00 %.\n"
        "Of 10,000 mirrored pairs of games it won both in 15.0 %, one in 75.0 % and none\n"
        "  in 10.0 %.\n"
        "Mirroring was worth 2.02 times the games: so many more, each with cards of its\n"
        "  own, would have told as much.\n"
    )


@pytest.mark.parametrize("width", [40, 80, 120])
def test_lines_fit_the_width(width):
    assert max(map(len, told((10, 75, 15), width).splitlines())) <= width


@pytest.mark.parametrize(
    ("elo", "words"),
    [
        (Elo(value=-3.04, low=-6, high=0.2), "3.0 Elo below hen (95 %: 6.0 below to 0.2 above)"),
        (
            Elo(value=None, low=182.7, high=None),
            "it won every game, so it is at least 182.7 Elo above hen (95 %)",
        ),
        (
            Elo(value=None, low=None, high=-182.7),
            "it lost every game, so it is at least 182.7 Elo below hen (95 %)",
        ),
        (Elo(value=-9, low=-12, high=-6.5), "9.0 Elo below hen (95 %: 6.5 to 12.0 below)"),
        (Elo(value=300, low=100, high=None), "300.0 Elo above hen (95 %: 100.0 above to no bound)"),
    ],
)
def test_a_difference_says_what_is_known_of_it(elo, words):
    assert elo_words(elo, "hen") == words

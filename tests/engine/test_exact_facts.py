"""Facts of the game that are known exactly, in large samples, within four standard errors."""

import math

import numpy as np
import pytest

from put_cli.engine import lanes as ln
from put_cli.engine.decode import triples
from put_cli.engine.matches import Played
from put_cli.engine.tables import ENDING, WINNER, compile_rules
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import Ending
from tests.engine.field import enlisted, mirrored, played

GAMES = 25_000  # a match; with four blocks 200,000 games


def column(result: Played, name: str) -> np.ndarray:
    """A column of the hands buffer, (N,) int16."""
    return result.hands[ln.HAND_COLUMNS.index(name)]


def assert_near(hits: int, trials: int, share: float) -> None:
    """A count of independent trials is within four standard errors of its share."""
    assert trials > 100_000
    assert abs(hits / trials - share) < 4 * math.sqrt(share * (1 - share) / trials)


@pytest.mark.parametrize(
    ("rules", "won", "drawn"),
    [
        ("plain", 0.460876, 0.078248),
        ("plain(pack=short32)", 0.440564, 0.118873),
        ("plain(pack=short28)", 0.433802, 0.132397),
    ],
)
def test_cards_laid_in_random_order_win_and_draw_as_often_as_they_must(
    rules: str, won: float, drawn: float
) -> None:
    # Mirror 1 would only lay the same cards in another order: those hands are not independent.
    fixtures = mirrored(4, 20_000)[::2]
    random = [enlisted("random", name) for name in ("one", "two")]
    result = played(random, fixtures, rules=rules, seed=3)
    states = compile_rules(find_ruleset(rules)).states[column(result, "state")]
    hands = len(states)
    assert_near(int((states[:, WINNER] == 0).sum()), hands, won)
    assert_near(int((states[:, WINNER] == 1).sum()), hands, won)
    assert_near(int((states[:, ENDING] == Ending.DRAWN).sum()), hands, drawn)
    assert abs(2 * won + drawn - 1) < 2e-6


def test_threes_and_twos_are_dealt_as_often_as_they_must() -> None:
    random = [enlisted("random", name) for name in ("one", "two")]
    result = played(random, mirrored(4, 20_000)[::2], rules="plain", seed=4)
    best = np.array([sum(card >= 12 for card in cards) for cards in triples(13)])
    for seat in ("eldest", "dealer"):
        held = best[column(result, f"{seat}_cards")]
        for number, share in enumerate((0.599276, 0.342443, 0.055747, 0.002534)):
            assert_near(int((held == number).sum()), len(held), share)


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [("thrifty", "highest", 0.674052), ("highest", "random", 0.448918)],
)
def test_simple_players_win_the_share_that_exact_evaluation_gives(
    first: str, second: str, share: float
) -> None:
    field = [enlisted(first), enlisted(second)]
    result = played(field, mirrored(4, GAMES), seed=5, keep_hands=False)
    winner = result.games[ln.GAME_COLUMNS.index("winner")].reshape(4, 2, GAMES)
    # Both games of a mirrored pair have the same cards: the pair is what is independent.
    pairs = ((winner[:, 0] == 0) + (winner[:, 1] == 1).astype(float)).ravel() / 2
    error = pairs.std(ddof=1) / math.sqrt(pairs.size)
    assert error < 0.002
    assert abs(pairs.mean() - share) < 4 * error


def test_a_player_against_its_double_wins_half_of_mirrored_games_whoever_deals() -> None:
    field = [enlisted("thrifty", name) for name in ("one", "two")]
    result = played(field, mirrored(2, 10_000), seed=6, keep_hands=False)
    winner = result.games[ln.GAME_COLUMNS.index("winner")].reshape(2, 2, -1)
    # No luck is used: the mirrored game is the same game, and the other chair wins it.
    assert (winner[:, 0] == winner[:, 1]).all()
    assert abs(winner.mean() - 0.5) < 4 * 0.5 / math.sqrt(20_000)

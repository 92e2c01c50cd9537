"""What the tests of faults share: play that commits none, and what a fault may cost."""

import numpy as np

from put_cli import SEE, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.matches import Played
from tests.engine.field import enlisted, game_columns, mirrored, played

GAMES = ln.GAME_COLUMNS.index
BAD_LUCK = 0.93  # above it, the faulty strategies below commit their fault


def fine(view: View) -> int:
    """What the faulty strategies do the rest of the time."""
    if view.asked:
        return SEE
    return view.highest


class Fine(Strategy):
    """Commits no fault."""

    def act(self, view: View) -> int:
        return fine(view)


def assert_only_the_fault_is_punished(
    result: Played, kind: str, reason: str, spotless: Played | None = None
) -> None:
    """The contestant 0 forfeited some games, each for the reason; all others were played out."""
    games = result.games
    faulty = np.flatnonzero(games[GAMES("fault_kind")] > 0)
    assert 0 < len(faulty) < games.shape[1]
    assert sorted(result.reasons) == faulty.tolist()
    match_games = result.fixtures[0].games
    for row in faulty.tolist():
        chair = result.fixtures[row // match_games].chairs.index(0)
        assert games[GAMES("fault_by"), row] == chair
        assert games[GAMES("winner"), row] == 1 - chair
        assert ln.HOW[games[GAMES("how"), row]] == "forfeit"
        assert ln.FAULT_KINDS[games[GAMES("fault_kind"), row]] == kind
        assert result.reasons[row].startswith(reason)
        assert "\n" not in result.reasons[row]
        assert len(result.reasons[row]) < 300
    clean = np.flatnonzero(games[GAMES("fault_kind")] == 0)
    assert (games[GAMES("fault_by"), clean] == ln.NO_CHAIR).all()
    assert (games[GAMES("how"), clean] != ln.BY_FORFEIT).all()
    # The last hand of a forfeited game, and no other, ends by forfeit.
    forfeit = result.hands[ln.HAND_COLUMNS.index("forfeit")] > 0
    assert forfeit.sum() == len(faulty)
    assert (result.hands[ln.HAND_COLUMNS.index("game_over"), forfeit] == 1).all()
    for points in ("eldest_points", "dealer_points"):
        assert (result.hands[ln.HAND_COLUMNS.index(points), forfeit] == 0).all()
    by_match = [0] * len(result.fixtures)
    for row in faulty.tolist():
        by_match[row // match_games] += 1
    for number, fixture in enumerate(result.fixtures):
        chair = fixture.chairs.index(0)
        assert result.tallies[number, ln.T_FAULTS + chair] == by_match[number]
        assert result.tallies[number, ln.T_FAULTS + 1 - chair] == 0
        assert result.tallies[number, ln.T_GAMES] == fixture.games
        assert result.tallies[number, ln.T_WINS : ln.T_WINS + 2].sum() == fixture.games
    if spotless is not None:
        kept, expected = game_columns(result), game_columns(spotless)
        assert np.array_equal(kept[:, clean], expected[:, clean])


def games_of(strategy: Strategy, tier: str) -> Played:
    """Games against a player that does anything; `fine` reads no luck, so the games compare."""
    player = enlisted(strategy, "own", tier, methods=(ln.ACT,))
    assert player.tier == tier, player.why
    # Matches too short for a third fault, which would forfeit the rest of one.
    return played([player, OPPONENT], mirrored(30, 2), seed=12)


OPPONENT = enlisted("random", "opponent")

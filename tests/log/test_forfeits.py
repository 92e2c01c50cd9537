"""The rest of a match that a third fault forfeits, as the log tells it."""

from pathlib import Path

import pandas as pd
import pytest

from put_cli.engine.lanes import OUT_AFTER
from tests.log.tables import read
from tests.tournament.runs import play_run, write_strategies

MATCH = ["pairing", "block", "mirror"]


@pytest.fixture(scope="module", params=["cotton", "truc"])
def forfeited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with matches whose rest is forfeited, and others."""
    base: Path = tmp_path_factory.mktemp("forfeits")
    own = write_strategies(base)
    field = (own["faulty"], "random", own["learner"])
    play_run(base / "run", *field, rules=request.param, games=46, match_games=10)
    return base / "run"


def test_the_third_fault_of_a_match_is_the_last_game_with_hands(forfeited: Path) -> None:
    hands, games = read(forfeited, "hands"), read(forfeited, "games")
    logged = {key: len(rows) for key, rows in hands.groupby([*MATCH, "game"])}
    rests = 0
    for key, rows in games.groupby(MATCH):
        played, rest = rows[rows.hands > 0], rows[rows.hands == 0]
        assert rows.game.tolist() == list(range(len(rows)))
        assert played.game.tolist() == list(range(len(played)))
        assert all(logged.pop((*key, row.game)) == row.hands for row in played.itertuples())
        faults = played[played.fault_by.notna()]
        assert len(faults) <= OUT_AFTER
        if len(faults) == OUT_AFTER:
            assert faults.game.iloc[-1] == played.game.iloc[-1]
        else:
            assert rest.empty
        rests += not rest.empty
    assert rests
    assert not logged


def test_an_unplayed_game_is_lost_by_the_fault_before_it(forfeited: Path) -> None:
    for _, rows in read(forfeited, "games").groupby(MATCH):
        cause: tuple[int, str] | None = None
        for row in rows.itertuples():
            if row.hands:
                cause = (row.game, row.fault_reason)
                continue
            assert cause
            game, reason = cause
            assert (row.how, row.fault_by, row.fault_kind) == ("forfeit", "faulty", "raised")
            assert {row.winner, row.fault_by} == {row.chair0, row.chair1}
            assert (row.score0, row.score1, row.legs0, row.legs1) == (0, 0, 0, 0)
            assert (
                row.fault_reason == f"forfeited the rest of the match: in game {game} it {reason}"
            )


def test_tallies_count_faults_and_unplayed_games_apart(forfeited: Path) -> None:
    games, tallies = read(forfeited, "games"), read(forfeited, "tallies")
    by_match: dict[tuple[int, ...], pd.DataFrame] = dict(list(games.groupby(MATCH)))
    total = 0
    for row in tallies.itertuples():
        rows = by_match[row.pairing, row.block, row.mirror]
        lost = rows[rows.fault_by.notna()]
        unplayed = int((lost.hands == 0).sum())
        total += unplayed
        assert row.games == len(rows) == row.wins_a + row.wins_b
        assert row.faults_a + row.faults_b == len(lost) - unplayed
        assert row.forfeits_a + row.forfeits_b == unplayed
        # Only one player of the field fails, and it is the first of its pairings.
        assert (row.faults_b, row.forfeits_b) == (0, 0)
    assert total == (games.hands == 0).sum() > 0

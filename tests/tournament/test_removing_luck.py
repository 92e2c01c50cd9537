"""Runs without the luck of the deal: beside the standings, from the same games."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest
from put_cli.log.deals import games_of_two
from put_cli.stats.deals import DealClasses
from put_cli.stats.luck_removed import LuckRemoved
from put_cli.tournament import removing_luck, rounds
from put_cli.tournament.outcome import rate
from put_cli.tournament.precision import Precision
from put_cli.tournament.removing_luck import remove_luck
from tests.log.tables import read
from tests.tournament.runs import play_run, small_shards


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without memory, and with, and in several parts."""
    folder = tmp_path_factory.mktemp("luck")
    with pytest.MonkeyPatch.context() as patch:
        small_shards(patch, hands=700)
        play_run(folder / "run", "odds", "bold", "reader", "highest", games=400)
    return folder / "run"


@pytest.fixture(scope="module")
def found(run: Path) -> LuckRemoved:
    return remove_luck(run, None)


def test_the_raw_figures_are_those_of_the_standings(run: Path, found: LuckRemoved) -> None:
    table = rate(run)
    assert [name for name, _ in found.ratings] == [line.name for line in table.strategies]
    for (_, figure), line in zip(found.ratings, table.strategies, strict=True):
        assert figure.raw == line.rating
        assert line.high is not None
        assert figure.raw_error == pytest.approx((line.high - figure.raw) / 2, rel=0.08)
    for (a, b, figure), pairing in zip(found.scores, table.pairings, strict=True):
        assert (a, b, figure.raw) == (pairing.a, pairing.b, pairing.score_a)
        assert figure.raw_error == pairing.units.variance[0, 0] ** 0.5 / pairing.games


def test_adjusted_figures_stay_within_what_chance_may_have_done(found: LuckRemoved) -> None:
    for *_, figure in (*found.ratings, *found.scores):
        assert abs(figure.adjusted - figure.raw) < 4 * figure.raw_error
        assert 0 < figure.ratio < 1.1
    assert np.mean([figure.ratio for *_, figure in found.scores]) < 0.8
    assert sum(each.adjusted - each.raw for _, each in found.ratings) == pytest.approx(0, abs=1e-9)


def test_ratings_move_as_the_scores_do(run: Path, found: LuckRemoved) -> None:
    names = [name for name, _ in found.ratings]
    moved = dict.fromkeys(names, 0.0)
    for a, b, figure in found.scores:
        moved[a] += figure.adjusted - figure.raw
        moved[b] -= figure.adjusted - figure.raw
    ratings = {name: figure.adjusted for name, figure in found.ratings}
    expected = {
        name: sum(1 / (1 + 10 ** ((ratings[other] - ratings[name]) / 400)) for other in names)
        for name in names
    }
    raw = {name: figure.raw for name, figure in found.ratings}
    before = {
        name: sum(1 / (1 + 10 ** ((raw[other] - raw[name]) / 400)) for other in names)
        for name in names
    }
    for name in names:  # as many more games are expected as luck had kept away
        assert expected[name] - before[name] == pytest.approx(moved[name], abs=2e-3)


def test_games_come_whole_with_the_hands_of_the_log(run: Path) -> None:
    made = manifest.read(run)
    classes = DealClasses(made.rules)
    games = list(games_of_two(made, rounds.read(made).all_tables(), classes.number))
    assert len(games) > 1
    hands = read(run, "hands").sort_values(["pairing", "block", "mirror", "game", "hand"])
    assert sum(len(each.won) for each in games) == len(read(run, "games"))
    assert sum(int(each.hands.sum()) for each in games) == len(hands)
    assert all(each.last.sum() == len(each.hands) for each in games)
    eldest = np.concatenate([each.cards[0] for each in games])
    text = [classes.rules.cards.text(tuple(cards)) for cards in classes.hands[eldest].tolist()]
    assert text == hands["eldest_cards"].tolist()
    own = np.concatenate([np.where(each.a_leads, *each.score) for each in games])
    assert own.tolist() == hands["eldest_score"].tolist()
    reader = made.names.index("reader")  # it remembers, so a block is of one fold
    for each in games:
        block = each.deals // made.match_games
        tables = rounds.read(made).all_tables()
        remembers = np.array([reader in tables[t] for t in each.table.tolist()])
        assert np.array_equal(each.fold[remembers], block[remembers] % 5)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"rules": "four-handed"}, "partners choose"),
        ({"rules": "three-handed"}, "more than two"),
        ({"rules": "cotton(misdeals=0.1)"}, "misdeal"),
        ({"rules": "cotton", "log": "games"}, "logged no hands"),
        ({"rules": "cotton", "until": Precision(elo=500, games=400)}, "--until"),
    ],
)
def test_where_it_cannot_be_done_a_run_says_why(
    tmp_path: Path, settings: dict[str, Any], why: str
) -> None:
    play_run(tmp_path / "run", "odds", "bold", "random", games=6, **settings)
    with pytest.raises(UsageError, match=why):
        remove_luck(tmp_path / "run", None)


def test_a_field_too_large_for_memory_is_refused(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removing_luck, "MOST_PAIRINGS", 5)
    assert "more than 5 pairings" in (removing_luck.obstacle(manifest.read(run), None) or "")


def test_rubbers_and_few_games_have_figures_too(tmp_path: Path) -> None:
    play_run(tmp_path / "run", "odds", "bold", rules="truc", games=20, match_games=4)
    found = remove_luck(tmp_path / "run", None)
    assert len(found.scores) == 1
    assert found.ratios == [found.scores[0][2].ratio]
    play_run(tmp_path / "one", "odds", "random", games=2)
    assert np.isfinite(remove_luck(tmp_path / "one", None).scores[0][2].adjusted)


def test_hands_that_are_not_those_of_the_games_are_refused(tmp_path: Path) -> None:
    for name, seed in (("run", 5), ("other", 6)):
        play_run(tmp_path / name, "odds", "bold", games=20, seed=seed)
    path = Path("hands/part-000000.parquet")
    part = pq.read_table(tmp_path / "run" / path)
    pq.write_table(part.slice(0, len(part) - 1), tmp_path / "run" / path)
    with pytest.raises(RunError, match="more hands than were logged"):
        remove_luck(tmp_path / "run", None)

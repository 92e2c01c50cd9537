"""What actions are worth, and what optimal play must show of it (Cotton's game)."""

from collections.abc import Iterator

import numpy as np
import pytest

from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve.chain import Chain, Score
from put_cli.solve.hand import Board
from put_cli.solve.response import action_values, ways_there
from put_cli.solve.room import room
from put_cli.solve.solver import Solver
from put_cli.solve.stored import as_played

GAP = 5e-4


@pytest.fixture(scope="module")
def tiny() -> Iterator[tuple[Chain, Board, Solver]]:
    """Cotton's game with a tiny pack to two points, solved."""
    rules = find_ruleset("cotton(pack=tiny,target=2)")
    with (
        room(rules, threads=1, dtype=np.float32) as (chain, rough),
        room(rules, threads=1) as (_, board),
    ):
        solver = Solver(chain, rough, board, {})
        for _ in solver.solve(GAP, lambda _: None):
            pass
        yield chain, board, solver


def at_first_lead(board: Board, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a put and what the best card are worth with each hand, as shares of the game."""
    _, value, can = next(board.blocks(worth))
    put, cards = value[0, 0, 0], np.where(can[1:] > 0, value[0, 0, 1:], -np.inf).max(axis=0)
    return put * board.share / board.deals, cards * board.share / board.deals


def worth_at(tiny: tuple[Chain, Board, Solver], score: Score) -> np.ndarray:
    chain, board, solver = tiny
    number = chain.find(score)
    pays = chain.payoffs(number, (solver.low + solver.high) / 2)
    return action_values(board, ELDEST, pays, as_played(board, solver.solved[number].policy))[0]


@pytest.mark.parametrize("seat", [ELDEST, DEALER])
def test_the_best_actions_make_the_best_response(
    tiny: tuple[Chain, Board, Solver], seat: int
) -> None:
    chain, board, solver = tiny
    policy = as_played(board, solver.solved[0].policy)
    middle = (solver.low + solver.high) / 2
    pays = chain.pays_of(0, seat, np.array([middle, 1 - middle]))
    worth, whole = action_values(board, seat, pays, policy)
    ways = ways_there(board, seat, policy)
    if seat == ELDEST:
        put, cards = at_first_lead(board, worth)
        assert np.maximum(put, cards).sum() == pytest.approx(whole, abs=1e-12)
        # To every hand there are as many deals of the other's, whatever one does with it.
        _, there, can = next(board.blocks(ways))
        certain = (there[0, 0] * can)[:, 0]
        assert certain == pytest.approx(np.where(can[:, 0] > 0, certain[0], 0))
    chances = np.divide(worth, ways, out=np.zeros_like(worth), where=ways > 1e-9)
    assert -1e-9 <= chances.min() < chances.max() <= 1 + 1e-9


def test_a_put_gains_nothing_one_short_of_the_target(tiny: tuple[Chain, Board, Solver]) -> None:
    _, board, _ = tiny
    for dealer in (0, 1):
        put, cards = at_first_lead(board, worth_at(tiny, Score(1, dealer)))
        assert np.maximum(put - cards, 0).sum() < GAP


def test_a_put_costs_nothing_where_the_other_is_one_short(
    tiny: tuple[Chain, Board, Solver],
) -> None:
    _, board, _ = tiny
    put, cards = at_first_lead(board, worth_at(tiny, Score(0, 1)))
    assert np.maximum(cards - put, 0).sum() < GAP


def test_a_put_at_the_start_may_gain_and_may_cost(tiny: tuple[Chain, Board, Solver]) -> None:
    _, board, _ = tiny
    put, cards = at_first_lead(board, worth_at(tiny, Score(0, 0)))
    assert np.maximum(put - cards, 0).sum() > GAP or np.maximum(cards - put, 0).sum() > GAP

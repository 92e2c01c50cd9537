"""An equilibrium and its certificate, on games small enough to solve in a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import DEALER, ELDEST
from put_cli.solve import policy_file, sweep
from put_cli.solve.chain import Chain, Score, chain_of
from put_cli.solve.conduct import Conduct, visits
from put_cli.solve.hand import Board
from put_cli.solve.policy_file import PolicyError
from put_cli.solve.response import certificate
from put_cli.solve.room import room
from put_cli.solve.solver import Solver, stalled
from put_cli.solve.stored import as_played
from put_cli.solve.tree import grow

GAP = 1e-3
TINY = "cotton(pack=tiny,target=2)"


@contextmanager
def solved(rules_text: str, gap: float = GAP) -> Iterator[tuple[Chain, Board, Solver]]:
    rules = find_ruleset(rules_text)
    with (
        room(rules, threads=1, dtype=np.float32) as (chain, rough),
        room(rules, threads=1) as (_, board),
    ):
        solver = Solver(chain, rough, board, {})
        for _ in solver.solve(gap, lambda _: None):
            pass
        yield chain, board, solver


def middle(solver: Solver) -> np.ndarray:
    return (solver.low + solver.high) / 2


def test_a_game_has_about_so_many_hands_before_it_is_solved() -> None:
    with solved("cotton(pack=tiny,target=3)") as (chain, board, solver):
        conduct = Conduct(board)
        ends = [
            conduct.ends(as_played(board, solver.solved[n].policy))
            for n in range(len(chain.scores))
        ]
        hands = visits(chain, np.array(ends)).sum()
        assert solver.hands_a_game() == pytest.approx(hands, rel=0.1)


@pytest.mark.parametrize("name", ["cotton", "hoyle", "parlett", "enquire", "truc-french"])
def test_whatever_both_do_their_values_add_up_to_nothing(name: str) -> None:
    board = Board(grow(find_ruleset(f"{name}(pack=tiny)")))
    rng = np.random.default_rng(1)
    policy = board.uniform.astype(np.float64) * rng.random(board.tree.size)
    for _, block, _ in board.blocks(policy):
        block /= block.sum(axis=-2, keepdims=True)
    pays = rng.random(len(board.tree.endings))
    eldest, dealer = (
        board.chance(board.sweep(seat, pays, policy, sweep.EVALUATE)) for seat in (ELDEST, DEALER)
    )
    assert eldest + dealer == pytest.approx(0, abs=1e-12)
    assert board.chance(
        board.sweep(ELDEST, np.ones_like(pays), policy, sweep.EVALUATE)
    ) == pytest.approx(1, abs=1e-12)
    best = board.chance(board.sweep(ELDEST, pays, policy, sweep.BEST))
    assert best > eldest + 1e-4


def test_a_hand_has_as_many_situations_as_were_counted_elsewhere() -> None:
    assert grow(find_ruleset("cotton"), classes=False).information_sets() == 4_413_942


def test_telling_cards_apart_that_nothing_tells_apart_changes_no_value() -> None:
    rules = find_ruleset("pigott(pack=tiny)")
    coarse, fine = Board(grow(rules)), Board(grow(rules, classes=False))
    pays = np.linspace(0, 1, len(coarse.tree.endings))
    values = [
        board.chance(board.sweep(seat, pays, board.uniform.astype(np.float64), sweep.BEST))
        for seat in (ELDEST, DEALER)
        for board in (coarse, fine)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-6)
    assert values[2] == pytest.approx(values[3], abs=1e-6)


def test_the_bracket_holds_the_value_and_is_as_narrow_as_asked() -> None:
    with solved("cotton(pack=tiny,target=3)") as (chain, board, solver):
        assert 0 <= solver.gap < GAP
        assert (solver.low <= solver.high + 1e-9).all()
        low, high = certificate(chain, board, lambda n: as_played(board, solver.solved[n].policy))
        assert low == pytest.approx(solver.low, abs=1e-7)
        assert high == pytest.approx(solver.high, abs=1e-7)
        # A finer solution lies inside: the bracket is of the game, not of the policy.
        with solved("cotton(pack=tiny,target=3)", GAP / 3) as (_, _, finer):
            assert (middle(finer) > solver.low - 1e-7).all()
            assert (middle(finer) < solver.high + 1e-7).all()


def test_a_bracket_that_narrows_no_more_ends_the_search() -> None:
    falling = [0.1 * 0.5**n for n in range(12)]
    assert not stalled(falling)
    assert not stalled([0.1] * 5)  # too early to tell
    wider, same, half = (falling[-1] * by for by in (1.6, 1.0, 0.5))
    assert not stalled([*falling, wider, same])  # it has been seen to narrow after that
    assert stalled([*falling, wider, same, same])
    assert not stalled([*falling, wider, same, half])


def test_a_free_throw_is_worth_nothing() -> None:
    with (
        solved("cotton(pack=tiny,target=2)") as (_, _, cotton),
        solved("pigott(pack=tiny,target=2)") as (_, _, pigott),
    ):
        for each in cotton.solved.values():
            other = next(p for p in pigott.solved.values() if p.score == each.score)
            low, high = max(each.low, other.low), min(each.high, other.high)
            assert low <= high, each.score


def test_a_game_that_begins_anew_is_solved_too() -> None:
    with solved("enquire(pack=tiny,target=2)") as (chain, _, solver):
        assert len(chain.groups) == 1
        assert solver.gap < 4 * GAP


def test_draws_join_a_score_with_its_mirror_image() -> None:
    chain = chain_of(grow(find_ruleset("cotton(target=3)")))
    groups = [{str(chain.scores[number]) for number in group} for group in chain.groups]
    assert groups[0] == {"2-2"}
    assert {"1-2", "2-1"} in groups
    assert sum(map(len, groups)) == 9


def test_a_rubber_is_a_chain_of_games() -> None:
    chain = chain_of(grow(find_ruleset("truc(pack=tiny,target=2)")))
    assert Score(1, 0, 1, 0) in chain.number
    assert Score(0, 0, 1, 1) in chain.number
    assert Score(0, 0, 2, 0) not in chain.number


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of a tiny game."""
    path = tmp_path_factory.mktemp("solved") / "tiny.policy"
    with solved(TINY) as (chain, _, solver):
        policy_file.write(path, chain, solver.solved)
    return path


def test_a_file_gives_back_what_was_written(file: Path) -> None:
    chain = chain_of(grow(find_ruleset(TINY)))
    found = policy_file.read(file, chain)
    assert policy_file.rules_of(file).fingerprint() == chain.tree.rules.fingerprint()
    assert sorted(found) == list(range(len(chain.scores)))
    assert all(each.low < each.high for each in found.values())
    with solved(TINY) as (_, _, solver):
        for number, each in solver.solved.items():
            assert (found[number].policy == each.policy).all()
            assert (policy_file.read_policy(file, chain, number) == each.policy).all()
            read = found[number]
            assert (read.score, read.low, read.high) == (each.score, each.low, each.high)


def test_a_file_of_other_rules_is_refused(file: Path) -> None:
    chain = chain_of(grow(find_ruleset("cotton(pack=tiny,target=3)")))
    with pytest.raises(PolicyError, match=r"expected a policy of cotton\(pack=tiny, target=3\)"):
        policy_file.read(file, chain)


def test_what_is_no_policy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.policy"
    path.write_text("hello")
    with pytest.raises(PolicyError, match="cannot read"):
        policy_file.facts_of(path)


@pytest.mark.long
def test_the_value_of_four_all_is_the_one_computed_elsewhere() -> None:
    rules = find_ruleset("cotton")
    with (
        room(rules, dtype=np.float32) as (chain, rough),
        room(rules) as (_, board),
    ):
        solver = Solver(chain, rough, board, {})
        next(solver.solve(3e-3, lambda _: None))
        number = chain.find(Score(4, 4))
        assert solver.low[number] < 0.44804
        assert solver.high[number] > 0.44791

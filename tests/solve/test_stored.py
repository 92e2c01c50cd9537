"""What is stored of a policy: its numbers, their order, and that nothing is lost that counts."""

from itertools import pairwise

import numpy as np
import pytest

from put_cli.errors import UsageError
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import ELDEST
from put_cli.solve import sweep
from put_cli.solve.cards import hands_of
from put_cli.solve.carry import carried
from put_cli.solve.chain import chain_of
from put_cli.solve.hand import Board
from put_cli.solve.response import certificate
from put_cli.solve.stored import (
    COARSE,
    FINE,
    LEVELS,
    decisions,
    pack,
    pruned,
    rounded,
    unpack,
)
from put_cli.solve.tree import Tree, grow

RULES = "cotton(pack=tiny,target=1)"


@pytest.fixture(scope="module")
def tree() -> Tree:
    return grow(find_ruleset(RULES))


@pytest.fixture(scope="module")
def board(tree: Tree) -> Board:
    return Board(tree)


def anything(board: Board, seed: int) -> np.ndarray:
    """Some policy: a third of the actions is never taken."""
    rng = np.random.default_rng(seed)
    policy = board.uniform * rng.random(board.tree.size).astype(np.float32) ** 3
    policy[rng.random(board.tree.size) < 1 / 3] = 0
    return policy


def test_probabilities_are_parts_that_add_up(board: Board) -> None:
    for seed in range(5):
        parts = rounded(board.tree, anything(board, seed))
        for block in decisions(board.tree, parts):
            assert (block.sum(axis=-2, dtype=int) == LEVELS).all()


def test_they_lie_next_to_the_policy(board: Board) -> None:
    policy = anything(board, 1)
    parts = rounded(board.tree, policy)
    for near, true in zip(decisions(board.tree, parts), decisions(board.tree, policy), strict=True):
        total = true.sum(axis=-2, keepdims=True)
        decided = np.broadcast_to(total > 0, true.shape)
        shares = np.divide(true, total, out=np.zeros_like(true), where=total > 0)
        # What is below a coarse step is rounded to one or to none; the greatest gets the rest.
        slack = np.where(near == near.max(axis=-2, keepdims=True), 4, 1) * COARSE / 2
        assert (np.abs(near - LEVELS * shares) <= slack + 1)[decided].all()
        fine = (near < LEVELS) & (near >= COARSE)
        assert (near[fine & decided] % FINE == 0).all()


def test_nothing_is_lost_between_bytes_and_numbers(board: Board) -> None:
    for seed in range(5):
        parts = rounded(board.tree, anything(board, seed))
        assert (unpack(board.tree, pack(board.tree, parts)) == parts).all()


def test_the_order_is_the_one_documented(board: Board) -> None:
    """Eldest's first decision, taken from the bytes by hand: put, then his three places."""
    tree, hands = board.tree, hands_of(board.tree.top, 3)
    parts = rounded(tree, anything(board, 3))
    stored = np.frombuffer(pack(tree, parts), np.uint8)
    first = next(decisions(tree, parts))
    assert first.shape == (1, 1, 4, len(hands))
    coarse = stored[: 3 * len(hands)].reshape(3, len(hands))  # places, hands; one position
    assert (coarse == first[0, 0, 1:] // COARSE).all()
    everything = sum(block[:, :, 1:].size for block in decisions(tree, parts))
    fine = stored[everything : everything + np.count_nonzero(coarse)]
    assert (fine == (first[0, 0, 1:] % COARSE)[coarse > 0]).all()


def test_what_a_player_never_gets_to_is_left_out_and_costs_nothing(board: Board) -> None:
    chain = chain_of(board.tree)
    for seed in range(3):
        parts = rounded(board.tree, anything(board, seed))
        kept = pruned(board, parts)
        before, after = (
            certificate(chain, board, lambda _, each=each: each / LEVELS) for each in (parts, kept)
        )
        assert np.allclose(before, after, atol=1e-12)
        changed = [
            (new != old).any(axis=-2)
            for new, old in zip(
                decisions(board.tree, kept), decisions(board.tree, parts), strict=True
            )
        ]
        assert not changed[0].any()  # everybody gets to the first decision
        assert sum(int(each.sum()) for each in changed) > 100
        for new, where in zip(decisions(board.tree, kept), changed, strict=True):
            assert (np.moveaxis(new, -2, 0)[0][where] == LEVELS).all()


def test_bytes_of_something_else_are_refused(tree: Tree, board: Board) -> None:
    stored = pack(tree, rounded(tree, anything(board, 1)))
    for wrong in (stored[:-1], stored + b"\0", stored[:10], b""):
        with pytest.raises(ValueError, match="expected"):
            unpack(tree, wrong)
    count = sum(block[:, :, 1:].size for block in decisions(tree, np.zeros(tree.size)))
    too_much = bytes([255] * count) + bytes(count)
    with pytest.raises(ValueError, match=f"add up to {LEVELS}"):
        unpack(tree, too_much)


def test_numbers_that_change_little_stand_together(board: Board) -> None:
    """The chunk changes fastest, then the public position, then the hand."""
    tree = board.tree
    parts = np.zeros(tree.size, np.uint16)
    for number, block in enumerate(decisions(tree, parts)):
        block[:, :, 1:] = COARSE * (number % 50 + 1)
        block[:, :, 0] = LEVELS - block[:, :, 1:].sum(axis=-2)
    stored = np.frombuffer(pack(tree, parts), np.uint8)
    count = sum(block[:, :, 1:].size for block in decisions(tree, parts))
    steps = sum(a != b for a, b in pairwise(stored[:count].tolist()))
    assert steps == sum(1 for _ in decisions(tree, parts)) - 1


def test_a_policy_is_good_for_rules_that_allow_free_throws_too(board: Board) -> None:
    pigott = Board(grow(find_ruleset("pigott(pack=tiny,target=1)")))
    policy = rounded(board.tree, anything(board, 1))
    there = carried(policy, board.tree, pigott.tree)
    for block in decisions(pigott.tree, there):
        assert (block.sum(axis=-2, dtype=int) == LEVELS).all()
    chain = chain_of(board.tree)
    other = chain_of(pigott.tree)
    values = np.array([0.4])
    worth = [
        each.chance(each.sweep(ELDEST, one.payoffs(0, values), numbers / LEVELS, sweep.EVALUATE))
        for each, one, numbers in ((board, chain, policy), (pigott, other, there))
    ]
    assert worth[0] == pytest.approx(worth[1], abs=1e-12)


def test_a_policy_is_not_carried_to_rules_that_forbid_what_it_might_do() -> None:
    cotton, hoyle = (
        grow(find_ruleset(f"{name}(pack=tiny,target=1)")) for name in ("cotton", "hoyle-eldest")
    )
    with pytest.raises(UsageError, match="does not allow everything"):
        carried(np.zeros(cotton.size, np.uint16), cotton, hoyle)
    other_pack = grow(find_ruleset("cotton(pack=short28,target=1)"))
    with pytest.raises(UsageError, match="one pack"):
        carried(np.zeros(cotton.size, np.uint16), cotton, other_pack)

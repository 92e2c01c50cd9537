"""Advice: what a solution does in a situation, and what every action is worth there."""

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from put_cli.errors import NotationError
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import DEALER, ELDEST, NOBODY
from put_cli.solve import advice as advising
from put_cli.solve import policy_file, sweep
from put_cli.solve.advice import Advice, Adviser, adviser_of, solution_of
from put_cli.solve.cards import hands_of
from put_cli.solve.chain import Chain, Score
from put_cli.solve.hand import Board
from put_cli.solve.known import read_situation
from put_cli.solve.places import START, Map, Over, Situation
from put_cli.solve.policy_file import PolicyError
from put_cli.solve.room import room
from put_cli.solve.solver import Solver
from put_cli.solve.tree import ACTOR
from put_cli.solve.weighing import Plan, Weighing, place_in
from put_cli.strategy import PUT

GAP = 1e-3
RULES = "cotton(pack=tiny,target=3)"


def write_solution(rules_text: str, path: Path, gap: float = GAP) -> None:
    rules = find_ruleset(rules_text)
    with (
        room(rules, threads=1, dtype=np.float32) as (chain, rough),
        room(rules, threads=1) as (_, board),
    ):
        solver = Solver(chain, rough, board, {})
        for _ in solver.solve(gap, lambda _: None):
            pass
        policy_file.write(path, chain, solver.solved)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of a tiny game."""
    path = tmp_path_factory.mktemp("advice") / policy_file.file_name(find_ruleset(RULES))
    write_solution(RULES, path)
    return path


@pytest.fixture(scope="module")
def adviser(file: Path) -> Adviser:
    return adviser_of(file)


def random_policy(board: Board) -> np.ndarray:
    """Of all actions, some of them never done."""
    rng = np.random.default_rng(5)
    policy = board.uniform.astype(np.float64) * rng.random(board.tree.size)
    policy *= rng.random(board.tree.size) < 0.8
    for _, block, allowed in board.blocks(policy):
        can = allowed.astype(np.float64)
        total = block.sum(axis=-2, keepdims=True)
        np.divide(block, total, out=block, where=total > 0)
        np.copyto(block, can / can.sum(axis=-2, keepdims=True), where=total == 0)
    return policy


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("name", ["cotton", "hoyle", "pigott", "parlett", "truc-french"])
def test_the_best_actions_add_up_to_the_best_response_of_the_sweeps(
    name: str, classes: bool
) -> None:
    with room(find_ruleset(f"{name}(pack=tiny)"), classes=classes, threads=1) as (_, board):
        tree, policy = board.tree, random_policy(board)
        pays = np.random.default_rng(6).random(len(tree.endings))
        plan = Plan(Map(tree), policy)
        ways = board.pack.full @ board.share
        for seat in (ELDEST, DEALER):
            values = board.sweep(seat, pays, policy, sweep.BEST)
            for cards in [(3, 3, 2), (3, 1, 0), (2, 1, 1), (0, 0, 1)]:
                hand = place_in(tree.top, tuple(sorted(cards, reverse=True)))
                best = _worth_before(plan, pays if seat == ELDEST else -pays, seat, hand)
                assert best == pytest.approx(values[hand] / ways[hand], abs=1e-12)


def _worth_before(plan: Plan, pays: np.ndarray, seat: int, hand: int) -> float:
    """What a hand is worth before anything has been done."""
    first, second, third = (int(c) + 1 for c in hands_of(plan.map.tree.top, 3).cards[hand])
    weighing = Weighing(plan, pays, Situation(Score(0, 0), seat, (first, second, third), ()))
    at, held, reach = weighing._follow(0.0)
    return weighing._value(at, held, reach) / float(reach.sum())


def situations(chain: Chain, many: int) -> Iterator[Situation]:
    """Random ones, of all scores, wherever there is something to decide."""
    rng, the = random.Random(3), Map(chain.tree)
    pack = [*range(chain.tree.top)] * chain.tree.rules.cards.copies
    while many:
        dealt = rng.sample(pack, 6)
        held = [sorted(dealt[:3], reverse=True), sorted(dealt[3:], reverse=True)]
        at, actions = START, []
        score = rng.choice(chain.scores)
        cards = [tuple(card + 1 for card in each) for each in held]
        while not isinstance(at, Over) and (seat := the.rows[at.node][ACTOR]) != NOBODY:
            yield Situation(score, seat, cards[seat], tuple(actions))
            many -= 1
            if not many:
                return
            action = rng.choice(the.allowed(at, held[seat]))
            if action - 1 in held[seat]:
                held[seat].remove(action - 1)
            actions.append(action)
            at = the.after(at, action)


def test_whatever_the_situation_the_advice_is_legal_and_adds_up(adviser: Adviser) -> None:
    expected = 0
    for situation in situations(adviser.chain, 400):
        advice = adviser.advise(situation)
        held = advice.held.split()
        assert {each.action for each in advice.options} <= {*held, "put", "see", "throw"}
        assert all(-1e-9 <= each.worth <= 1 + 1e-9 and each.cost >= 0 for each in advice.options)
        assert advice.best.cost == 0
        shares = [each.share for each in advice.options]
        if None in shares:
            assert set(shares) == {None}
            continue
        assert sum(shares) == pytest.approx(1)  # type: ignore[arg-type]
        expected += advice.expected
    assert expected > 100


def test_what_a_solution_does_is_worth_what_the_score_is_worth(adviser: Adviser) -> None:
    chain = adviser.chain
    top, copies = chain.tree.top, chain.tree.rules.cards.copies
    board = Board(chain.tree)
    ways = board.share * (board.pack.full @ board.share) / board.deals
    for number, score in enumerate(chain.scores):
        total = done = 0.0
        for cards in combinations_with_replacement(range(top, 0, -1), 3):
            if any(cards.count(card) > copies for card in cards):
                continue
            advice = adviser.advise(Situation(score, ELDEST, cards, ()))
            weight = ways[place_in(top, tuple(card - 1 for card in cards))]
            total += weight * advice.best.worth
            done += weight * sum((e.share or 0) * e.worth for e in advice.options)
        assert total == pytest.approx(adviser.values[ELDEST, number], abs=4 * GAP)
        assert done == pytest.approx(adviser.values[ELDEST, number], abs=4 * GAP)


def first_advice(adviser: Adviser, score: Score) -> Iterator[Advice]:
    """To eldest before anything has been done, on every hand."""
    copies = adviser.rules.cards.copies
    for cards in combinations_with_replacement(range(adviser.chain.tree.top, 0, -1), 3):
        if all(cards.count(card) <= copies for card in cards):
            yield adviser.advise(Situation(score, ELDEST, cards, ()))


@pytest.mark.parametrize("dealers", [0, 1, 2])
def test_a_put_at_ones_own_last_point_gains_nothing(adviser: Adviser, dealers: int) -> None:
    for advice in first_advice(adviser, Score(2, dealers)):
        others = max(each.worth for each in advice.options if each.action != "put")
        assert advice.of("put").worth <= others + 8 * GAP


@pytest.mark.parametrize("own", [0, 1])
def test_a_put_at_the_others_last_point_costs_nothing(adviser: Adviser, own: int) -> None:
    # At the last reply of all, where nothing is left to save the put for.
    seen = 0
    for situation in situations(adviser.chain, 8000):
        mine = situation.score if situation.seat == ELDEST else situation.score.turned
        last = sum(each < PUT for each in situation.actions) == 5
        if not last or (mine.eldest, mine.dealer) != (own, 2):
            continue
        advice = adviser.advise(situation)
        if "put" in [each.action for each in advice.options]:
            assert advice.of("put").cost < GAP
            seen += 1
    assert seen > 5


def test_after_a_put_was_seen_a_hand_that_must_win_is_worth_the_game(adviser: Adviser) -> None:
    # The first trick is the dealer's, and two of four ranks beat whatever is left.
    advice = adviser.advise(
        read_situation(adviser.rules, "D 3 3 K | EA DK E2 D3 D:put E:see", Score(0, 0))
    )
    assert [each.action for each in advice.options] == ["3"]
    assert advice.best.worth == pytest.approx(1, abs=1e-12)


def test_where_the_opponent_never_gets_he_is_taken_to_have_slipped(adviser: Adviser) -> None:
    # No dealer who has seen with nothing to lose is expected to throw a sure trick away.
    reached = [adviser.advise(each).expected for each in situations(adviser.chain, 300)]
    assert 0 < reached.count(False) < len(reached)


@pytest.mark.parametrize(
    ("line", "held", "actions"),
    [
        ("E 3 2 K", "3 2 K", {"put", "3", "2", "K"}),
        ("e k 3 3", "3 3 K", {"put", "3", "K"}),
        ("D 3 2 K | EA", "3 2 K", {"put", "3", "2", "K"}),
        ("D 3 2 K | E:put", "3 2 K", {"see", "throw"}),
        ("E 3 2 A | D 2 K K | E3 D2", "2 A", {"put", "2", "A"}),
        ("D 2 K K | E:put D:see E3 D2 EA", "K K", {"K"}),
    ],
)
def test_a_line_tells_what_is_known_and_what_may_be_done(
    adviser: Adviser, line: str, held: str, actions: set[str]
) -> None:
    advice = adviser.advise(read_situation(adviser.rules, line, Score(1, 1)))
    assert advice.held == held
    assert {each.action for each in advice.options} == actions


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("E 3 2 K | E3", "it is dealer's turn there, but the line has only the cards of eldest"),
        ("E 3 2 K | E:put D:throw", "the hand is over"),
        ("E 3 2 K | EA", "eldest was not dealt A"),
        ("E 3 2 K | D:put", "it is eldest's turn"),
        ("E 3 2 7", "there is no 7 in the pack tiny"),
        ("E 3 2", "cards of eldest: expected 3, got 2"),
        ("D 3 3 2 | E3", "3 cards of rank 3"),
        ("", "expected"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(adviser: Adviser, line: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        read_situation(adviser.rules, line, Score(0, 0))


def test_a_solution_is_found_by_the_name_of_its_rules_and_must_be_of_them(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(file.parent)
    assert solution_of(find_ruleset(RULES)) == Path("cotton-pack-tiny-target-3.policy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(advising, "shipped_solutions", lambda: file.parent)
    assert solution_of(find_ruleset(RULES)) == file
    # One of that name in this folder that does not fit is passed over while another does.
    Path(file.name).write_text("no policy")
    assert solution_of(find_ruleset(RULES)) == file
    monkeypatch.setattr(advising, "shipped_solutions", lambda: tmp_path / "nothing")
    with pytest.raises(PolicyError, match="cannot read"):
        solution_of(find_ruleset(RULES))
    monkeypatch.setattr(advising, "shipped_solutions", lambda: file.parent)
    with pytest.raises(PolicyError, match="there is no solution of hoyle-eldest"):
        solution_of(find_ruleset("hoyle-eldest"))  # eldest may say nothing but throw
    pigott = find_ruleset("pigott(pack=tiny,target=3)")  # a free throw changes nothing
    assert solution_of(pigott) == file
    advice = adviser_of(file, pigott).advise(read_situation(pigott, "E 3 2 K", Score(0, 0)))
    assert advice.of("throw").share == 0
    assert advice.of("throw").cost > 0
    with pytest.raises(PolicyError, match="there is no solution of cotton here"):
        solution_of(find_ruleset("cotton"))  # to 5 points, with the whole pack
    with pytest.raises(PolicyError, match=r"put solve --rules \"hoyle\" -o hoyle\.policy"):
        solution_of(find_ruleset("hoyle"))
    with pytest.raises(PolicyError, match="expected a solution of cotton, got one of"):
        solution_of(find_ruleset("cotton"), file)

"""What is said and laid under a policy, against playing every deal of every card in turn."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from put_cli.engine import tables as tb
from put_cli.engine.players import INTERPRETED, Contestant
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import ELDEST, NOBODY, SEATS, Act, Machine, State
from put_cli.rules.ruleset import RuleSet
from put_cli.solve import policy_file
from put_cli.solve.cards import hands_of
from put_cli.solve.carry import carried
from put_cli.solve.chain import chain_of
from put_cli.solve.conduct import Conduct, visits
from put_cli.solve.exact import exactly
from put_cli.solve.hand import Board
from put_cli.solve.meets import meets
from put_cli.solve.response import certificate
from put_cli.solve.room import room
from put_cli.solve.solver import as_played
from put_cli.solve.tree import ACTOR, HELD_E, HIGHER, LAST_LEAD, LEVEL, grow
from put_cli.stats.chances import hand_won
from put_cli.strategy import PUT, SEE, THROW, Strategy, View
from tests.solve.by_hand import deals
from tests.solve.field import Fickle
from tests.solve.test_solver import solved

TINY = ("cotton(pack=tiny)", "hoyle(pack=tiny)", "truc-french(pack=tiny,rubber=1,target=4)")
SAID = (Act.PUT, Act.SEE, Act.THROW)


def keen(conduct: Conduct) -> np.ndarray:
    """The policy whose weight of a put is one more than the ranks held, and 1 of all else; with the
    last card, when the lead to it is known, all is alike."""
    board, tree = conduct.board, conduct.board.tree
    policy = np.zeros(tree.size)
    for node, block, can in board.blocks(policy):
        row, words = tree.nodes[node], conduct.map.words[node]
        block[:] = can
        if PUT in words and row[LEVEL] < LAST_LEAD:
            cards = hands_of(tree.top, int(row[HELD_E + row[ACTOR]])).cards
            block[:, :, words.index(PUT)] = 1 + np.where(cards >= 0, cards + 1, 0).sum(axis=1)
        block /= block.sum(axis=2, keepdims=True)
    return policy


class ByHand:
    """The same, deal by deal."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.machine = rules, Machine(rules)
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.known: dict[tuple, bool] = {}
        counted = deals(rules)
        for hands, ways in counted.items():
            self.go(self.machine.start(), hands, ((), ()), ways / counted.total())

    def go(self, state: State, held: tuple, played: tuple, chance: float) -> None:
        if state.outcome is not None:
            self.counts["", "", "drawn"] += chance * (state.outcome.winner == NOBODY)
            return
        machine, seat = self.machine, self.machine.actor(state)
        legal, place = machine.legal(state), machine.place(state)
        words = [act for act in SAID if act in legal]
        own, theirs = held[seat], held[1 - seat]
        cards = sorted(set(own)) if set(legal) - set(words) else []
        replies = len(played[1 - seat]) > len(played[seat])
        last = len(own) == 1 and replies
        weights = [1 + sum(own) if act is Act.PUT and not last else 1 for act in words]
        total = sum(weights) + len(cards)
        for act, weight in zip(words, weights, strict=True):
            share = chance * weight / total
            self.note(place, seat, state, act, share, played, own)
            self.go(machine.act(state, act), held, played, share)
        if Act.PUT in legal:
            self.counts[place, SEATS[seat], "may"] += chance
        for card in cards:
            led = played[1 - seat][-1] if replies else 0
            act = Act.LEAD
            if replies:
                act = Act.EQUAL if card == led else Act.HIGHER if card > led else Act.LOWER
            rest = list(own)
            rest.remove(card)
            laid = (*played[seat], card)
            after = (tuple(rest), theirs) if seat == ELDEST else (theirs, tuple(rest))
            table = (laid, played[1]) if seat == ELDEST else (played[0], laid)
            self.go(machine.act(state, act), after, table, chance / total)

    def note(self, place, seat, state, act, share, played, own) -> None:  # type: ignore[no-untyped-def]
        if act is Act.PUT:
            self.counts[place, SEATS[seat], "puts"] += share
            if self.weak(played[seat], own, played[1 - seat]):
                self.counts[place, SEATS[seat], "bluffs"] += share
        elif state.asked and act is Act.SEE:
            self.counts[place, SEATS[1 - seat], "seen"] += share
        elif not state.asked and act is Act.THROW:
            self.counts[place, SEATS[seat], "throws"] += share

    def weak(self, laid: tuple, own: tuple, theirs: tuple) -> bool:
        """Whether the hand wins less than half of what the other may hold and lay."""
        if (laid, own, theirs) not in self.known:
            self.known[laid, own, theirs] = self.best_chance(laid, own, theirs) < 0.5
        return self.known[laid, own, theirs]

    def best_chance(self, laid: tuple, own: tuple, theirs: tuple) -> float:
        replies = len(theirs) > len(laid)
        pack = list(range(1, self.rules.cards.top + 1)) * self.rules.cards.copies
        for card in (*laid, *own, *theirs):
            pack.remove(card)
        best = 0.0
        for first in set(own) if replies else {0}:
            rest = list(own)
            if first:
                rest.remove(first)
            mine = (*laid, *([first] if first else []), *rest)
            won = [
                bool(hand_won(self.rules, np.sign(np.array(order) - np.array([*theirs, *drawn]))))
                for drawn in permutations(pack, 3 - len(theirs))
                for order in self.orders(mine, len(theirs))
            ]
            best = max(best, sum(won) / len(won))
        return best

    def orders(self, mine: tuple, known: int) -> list[tuple]:
        return [(*mine[:known], *rest) for rest in permutations(mine[known:])]


@pytest.mark.parametrize("rules_text", TINY)
def test_what_is_said_is_what_every_deal_played_through_comes_to(rules_text: str) -> None:
    rules = find_ruleset(rules_text)
    conduct = Conduct(Board(grow(rules)))
    policy = keen(conduct)
    said = conduct.sayings(conduct.likelihoods(policy))
    expected = ByHand(rules).counts
    found = {
        (each.place, each.seat, key): share
        for each in said
        for key, share in vars(each).items()
        if isinstance(share, float) and share
    }
    drawn = expected.pop(("", "", "drawn"))
    assert found == pytest.approx({key: n for key, n in expected.items() if n}, abs=1e-6)
    assert {key for _, _, key in found} >= {"may", "puts", "bluffs", "seen"}
    rows = conduct.board.tree.tables.states[conduct.board.tree.endings]
    ends = conduct.ends(policy)
    assert ends.sum() == pytest.approx(1, abs=1e-6)
    assert ends[rows[:, tb.WINNER] == NOBODY].sum() == pytest.approx(drawn, abs=1e-6)


def test_a_policy_is_told_hand_by_hand_as_it_is() -> None:
    conduct = Conduct(Board(grow(find_ruleset("cotton(pack=tiny)"))))
    opening = conduct.opening(conduct.likelihoods(keen(conduct)))
    ranks = (opening.cards + 1).sum(axis=1)
    kinds = np.array([len(set(hand)) for hand in opening.cards.tolist()])
    possible = opening.dealt > 0
    expected = ((1 + ranks) / (1 + ranks + kinds))[possible]
    assert opening.eldest_puts[possible] == pytest.approx(expected, abs=1e-6)
    assert opening.dealer_puts[possible] == pytest.approx(expected, abs=1e-6)
    assert np.nanmax(abs(opening.dealer_puts_over - opening.dealer_puts)) < 1e-6
    assert opening.dealer_sees[possible] == pytest.approx(0.5, abs=1e-6)
    assert opening.dealt.sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of a tiny game."""
    path = tmp_path_factory.mktemp("solved") / "tiny.policy"
    with solved("cotton(pack=tiny,target=2)") as (chain, _, solver):
        policy_file.write(path, chain, solver.solved)
    return path


class Certain(Strategy):
    """Plays its best card, sees half of all puts, and puts when the last reply wins the trick."""

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if view.luck < 0.5 else THROW
        if view.may_put and view.trick == 3 and view.led and view.highest > view.led:
            return PUT
        return view.highest


def certain(conduct: Conduct) -> np.ndarray:
    """The same as a policy."""
    tree = conduct.board.tree
    policy = np.zeros(tree.size)
    for node, block, _ in conduct.board.blocks(policy):
        words = conduct.map.words[node]
        if SEE in words:
            block[:] = 0.5
            continue
        block[:, :, len(words)] = 1
        if tree.nodes[node, LEVEL] == LAST_LEAD and PUT in words:
            better = np.arange(block.shape[-1]) // tree.top == HIGHER
            block[:, :, words.index(PUT), better] = 1
            block[:, :, len(words), better] = 0
    return policy


def test_a_policy_fares_as_the_strategy_that_plays_it() -> None:
    rules = find_ruleset("cotton(pack=tiny,target=2)")
    player = Contestant("certain", Certain(), INTERPRETED)
    against = Contestant("other", Fickle(), INTERPRETED)
    coarse = Board(grow(rules))
    policy = certain(Conduct(coarse))
    with room(rules, classes=False, threads=1) as (chain, fine):
        found = meets(chain, coarse, fine, lambda _: policy, against)
        expected = exactly(chain, fine, player, against)
    assert vars(found) == pytest.approx(vars(expected), abs=1e-9)
    assert found.puts > 0.1


def test_hands_of_a_game_are_counted_score_by_score(file: Path) -> None:
    with room(find_ruleset("cotton(pack=tiny,target=2)"), threads=1) as (chain, board):
        conduct = Conduct(board)
        ends = np.array(
            [
                conduct.ends(as_played(board, policy_file.read_policy(file, chain, number)))
                for number in range(len(chain.scores))
            ]
        )
        often = visits(chain, ends)
        over = chain.following < 0
        assert (often[:, None] * ends * over).sum() == pytest.approx(1)  # every game ends once
        assert often[0] > 1  # a drawn hand at 0-0 leads back to it


def test_what_cotton_does_is_as_good_where_one_may_throw_besides(file: Path) -> None:
    cotton, pigott = (
        Board(grow(find_ruleset(f"{name}(pack=tiny,target=2)"))) for name in ("cotton", "pigott")
    )
    known, chain = chain_of(cotton.tree), chain_of(pigott.tree)
    same = [known.number[score] for score in chain.scores]

    def policies(number: int) -> np.ndarray:
        stored = policy_file.read_policy(file, known, same[number])
        return as_played(pigott, carried(stored, cotton.tree, pigott.tree))

    low, high = certificate(chain, pigott, policies)
    before = policy_file.read_values(file, known)
    assert low == pytest.approx(before[0][same], abs=2e-3)
    assert high == pytest.approx(before[1][same], abs=2e-3)
    assert (low <= high + 1e-9).all()

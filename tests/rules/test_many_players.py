"""Three and more players: who is live, whose a trick is, and when a hand is over.

Random hands are scored here by counting cards, without the machine, and must come to the same.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import (
    NOBODY,
    Act,
    Ending,
    Machine,
    Outcome,
    State,
)
from put_cli.rules.notation import Hand
from put_cli.rules.referee import Verdict, referee
from put_cli.rules.ruleset import RuleSet
from tests.legal_play import legal_hands

PLAYERS = (3, 4, 5)


@st.composite
def hands_of_many(draw: st.DrawFn) -> tuple[RuleSet, Hand]:
    """A finished hand of Cotton's game for three, four or five."""
    rules = find_ruleset(f"cotton(players={draw(st.sampled_from(PLAYERS))})")
    return rules, draw(legal_hands(rules))


class Counted:
    """A hand as somebody at the table would count it, trick by trick."""

    def __init__(self, rules: RuleSet, hand: Hand) -> None:
        self.seats = list(range(rules.players))
        self.live = list(self.seats)
        self.takers: list[int] = []
        self.leaders = [0]
        self.putter = NOBODY
        table: dict[int, int] = {}
        for step in hand.steps:
            if step.word == "put":
                self.putter = step.seat
            elif step.word == "throw":
                self.live.remove(step.seat)
            elif step.plays:
                if not table:
                    assert step.seat == self.leaders[-1]
                table[step.seat] = rules.cards.card(step.rank)
                if set(self.live) <= set(table):
                    self._take(table)
                    table = {}
        self.left_on_the_table = table

    def _take(self, table: dict[int, int]) -> None:
        """A trick that every live player has played to."""
        highest = [seat for seat, card in table.items() if card == max(table.values())]
        alone = highest[0] if len(highest) == 1 else NOBODY
        self.takers.append(alone if alone in self.live else NOBODY)
        leader = self.leaders[-1] if alone == NOBODY else alone
        while leader not in self.live:
            leader = (leader + 1) % len(self.seats)
        self.leaders.append(leader)

    def best(self, tricks: int) -> tuple[int, int, int]:
        """After so many tricks: a live player with the most of them, his number, the next one."""
        taken = self.takers[:tricks]
        ordered = sorted(self.live, key=lambda seat: -taken.count(seat))
        return ordered[0], taken.count(ordered[0]), taken.count(ordered[1])


def verdict_on(played: tuple[RuleSet, Hand]) -> tuple[Verdict, Counted]:
    """What the referee says, and what counting gives."""
    rules, hand = played
    return referee(rules, hand), Counted(rules, hand)


@given(hands_of_many())
def test_the_strict_most_tricks_among_the_live_win_the_hand(
    played: tuple[RuleSet, Hand],
) -> None:
    verdict, counted = verdict_on(played)
    if verdict.ending == "thrown":
        return
    seat, most, next_most = counted.best(len(counted.takers))
    winner = "ABCDE"[seat] if most > next_most else None
    assert verdict.winner == winner
    assert verdict.outright == (counted.putter != NOBODY and winner is not None)
    assert verdict.points == (winner is not None and counted.putter == NOBODY)
    assert not counted.left_on_the_table


@given(hands_of_many())
def test_a_put_that_nobody_sees_scores_one_point_and_ends_the_hand(
    played: tuple[RuleSet, Hand],
) -> None:
    verdict, counted = verdict_on(played)
    assert (verdict.ending == "thrown") == (len(counted.live) == 1)
    if verdict.ending == "thrown":
        assert verdict.winner == "ABCDE"[counted.putter]
        assert (verdict.points, sum(verdict.score_after)) == (1, 1)
        assert played[1].steps[-1].word == "throw"


@given(hands_of_many())
def test_a_hand_ends_early_exactly_when_no_live_opponent_can_catch_up(
    played: tuple[RuleSet, Hand],
) -> None:
    verdict, counted = verdict_on(played)
    if verdict.ending == "thrown":
        return
    for tricks in (1, 2):
        _, most, next_most = counted.best(tricks)
        # Who is live is known for certain only where all throws were said before.
        if len(counted.takers) == tricks:
            assert next_most + 3 - tricks < most
        elif counted.putter == NOBODY:
            assert next_most + 3 - tricks >= most


@given(hands_of_many())
def test_the_dead_never_win_and_never_act_again(played: tuple[RuleSet, Hand]) -> None:
    verdict, counted = verdict_on(played)
    assert verdict.winner in (None, *("ABCDE"[seat] for seat in counted.live))
    thrown: set[int] = set()
    for step in played[1].steps:
        assert step.seat not in thrown
        if step.word == "throw":
            thrown.add(step.seat)


@given(st.sampled_from(PLAYERS), st.data())
def test_a_put_asks_every_other_live_player_once_clockwise(
    players: int, data: st.DataObject
) -> None:
    machine = Machine(find_ruleset(f"cotton(players={players})"))
    state = machine.start()
    for _ in range(data.draw(st.integers(0, 2 * players - 1))):
        plays = [act for act in machine.legal(state) if act is not Act.PUT]
        state = machine.act(state, data.draw(st.sampled_from(plays)))
        if state.over:
            return
    putter = machine.actor(state)
    state = machine.act(state, Act.PUT)
    asked = []
    while state.asked:
        asked.append(machine.actor(state))
        state = machine.act(state, data.draw(st.sampled_from((Act.SEE, Act.THROW))))
    assert asked == [(putter + step) % players for step in range(1, players)]
    if not state.over:
        assert machine.actor(state) == putter
        assert Act.PUT not in machine.legal(state)
        assert state.seen == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_an_eldest_who_puts_at_once_and_is_thrown_to_by_all_scores_one_point(players: int) -> None:
    machine = Machine(find_ruleset(f"cotton(players={players})"))
    state = machine.act(machine.start(), Act.PUT)
    for _ in range(players - 1):
        assert not state.over
        state = machine.act(state, Act.THROW)
    assert state.outcome == Outcome(Ending.THROWN, 0, 1)


def after(machine: Machine, *acts: Act) -> State:
    state = machine.start()
    for act in acts:
        state = machine.act(state, act)
    return state


def test_a_trick_that_a_dead_players_card_wins_is_nobodys_and_the_lead_passes_clockwise() -> None:
    machine = Machine(find_ruleset("cotton(players=4)"))
    # A leads the best card; D puts before replying, A and B throw, C sees.
    state = after(machine, Act.LEAD, Act.LOWER, Act.LOWER, Act.PUT, Act.THROW, Act.THROW, Act.SEE)
    state = machine.act(state, Act.LOWER)
    assert state.tricks == (NOBODY,)
    assert (state.leader, machine.actor(state)) == (2, 2)


def test_after_a_tie_a_dead_leaders_lead_passes_clockwise() -> None:
    machine = Machine(find_ruleset("three-handed"))
    state = after(machine, Act.LEAD, Act.PUT, Act.SEE, Act.THROW, Act.EQUAL, Act.LOWER)
    assert state.tricks == (NOBODY,)
    assert machine.actor(state) == 1


def test_a_card_higher_than_a_tie_takes_the_trick() -> None:
    machine = Machine(find_ruleset("three-handed"))
    assert after(machine, Act.LEAD, Act.EQUAL, Act.HIGHER).tricks == (2,)
    assert after(machine, Act.LEAD, Act.EQUAL, Act.LOWER).tricks == (NOBODY,)

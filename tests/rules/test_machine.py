"""The machine: who acts, what may be said, what it comes to."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations, product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.rules.cards import PACKS
from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.machine import (
    DEALER,
    ELDEST,
    NOBODY,
    Act,
    Ending,
    IllegalAct,
    Machine,
    Outcome,
    State,
    walk,
)
from put_cli.rules.ruleset import RuleSet
from tests.legal_play import rule_sets


def machine_of(name: str) -> Machine:
    return Machine(find_ruleset(name))


def after(machine: Machine, *acts: Act) -> State:
    state = State()
    for act in acts:
        state = machine.act(state, act)
    return state


def test_an_illegal_act_raises_and_changes_nothing() -> None:
    for name in BUILT_IN:
        machine = machine_of(name)
        for state in walk(machine):
            before = repr(state)
            for act in set(Act) - set(machine.legal(state)):
                with pytest.raises(IllegalAct, match="is not allowed here"):
                    machine.act(state, act)
            assert repr(state) == before


def test_somebody_can_always_act_until_the_hand_is_over() -> None:
    for name in BUILT_IN:
        machine = machine_of(name)
        assert all(state.over or machine.legal(state) for state in walk(machine))


def test_the_message_of_an_illegal_act_says_what_is_legal() -> None:
    with pytest.raises(IllegalAct) as caught:
        machine_of("hoyle").act(after(machine_of("hoyle"), Act.LEAD, Act.HIGHER), Act.LEAD)
    assert str(caught.value) == "lead is not allowed here: eldest may put or throw."


def test_after_a_seen_put_the_turn_goes_back_to_the_putter() -> None:
    machine = machine_of("cotton")
    state = after(machine, Act.LEAD, Act.PUT, Act.SEE)
    assert machine.actor(state) == DEALER
    assert machine.legal(state) == (Act.LOWER, Act.EQUAL, Act.HIGHER)


def test_hoyle_lets_the_winner_of_trick_one_lead_after_eldests_seen_put() -> None:
    machine = machine_of("hoyle")
    taken = after(machine, Act.LEAD, Act.HIGHER, Act.PUT, Act.SEE)
    tied = after(machine, Act.LEAD, Act.EQUAL, Act.PUT, Act.SEE)
    assert (machine.actor(taken), machine.legal(taken)) == (DEALER, (Act.LEAD,))
    assert (machine.actor(tied), machine.legal(tied)) == (ELDEST, (Act.LEAD,))


@pytest.mark.parametrize(
    ("name", "pays"),
    [("truc", [1, 2, 4, 8]), ("truc-french(raise=plus2)", [1, 2, 4, 6, 8, 10])],
)
def test_declining_in_le_truc_pays_the_worth_before_the_raise(name: str, pays: list[int]) -> None:
    machine = machine_of(name)
    declined = {
        (state.seen, machine.act(state, Act.THROW).outcome)
        for state in walk(machine)
        if state.asked
    }
    assert {(seen, outcome.points) for seen, outcome in declined if outcome is not None} == set(
        enumerate(pays)
    )


def test_only_enquire_begins_the_game_anew_after_a_drawn_seen_hand() -> None:
    for name in BUILT_IN:
        outcomes = [state.outcome for state in walk(machine_of(name)) if state.outcome]
        anew = [outcome for outcome in outcomes if outcome.anew]
        assert bool(anew) == (name == "enquire")
        assert all(outcome.ending is Ending.DRAWN for outcome in anew)


def test_parlett_reads_law_7_as_ending_free_throws_unless_told_otherwise() -> None:
    acts = (Act.PUT, Act.SEE, Act.LEAD, Act.LOWER)
    letter = machine_of("parlett(throw_after_seen=true)")
    assert Act.THROW not in machine_of("parlett").legal(after(machine_of("parlett"), *acts))
    assert Act.THROW in letter.legal(after(letter, *acts))


@given(rule_sets(), st.data())
def test_every_trick_counts_for_at_most_one_side(rules: RuleSet, data: st.DataObject) -> None:
    taker = st.sampled_from((*range(rules.players), NOBODY))
    tricks = data.draw(st.tuples(taker, taker, taker))
    tally = Machine(rules).tally(tricks)
    assert len(tally) == rules.players
    assert all(count >= tricks.count(seat) for seat, count in enumerate(tally))
    assert sum(tally) <= 3


LONGEST = 26
"""Acts: 18 cards, a put and five answers; or two-handed six cards, seven puts and answers, after
a ruling and what partners do."""


def finished(rules: RuleSet, data: st.DataObject) -> State:
    """A state in which random acts have ended a hand."""
    machine = Machine(rules)
    state: State = data.draw(st.sampled_from(machine.starts()))
    for _ in range(LONGEST):
        if state.over:
            break
        state = machine.act(state, data.draw(st.sampled_from(machine.legal(state))))
    return state


@given(rule_sets(), st.data())
def test_random_legal_play_always_ends(rules: RuleSet, data: st.DataObject) -> None:
    assert finished(rules, data).over


@given(rule_sets(), st.data())
def test_a_hand_has_a_winner_exactly_when_it_was_neither_drawn_nor_redealt(
    rules: RuleSet, data: st.DataObject
) -> None:
    outcome = finished(rules, data).outcome
    assert outcome is not None
    nothing = outcome.ending in (Ending.DRAWN, Ending.REDEALT)
    assert (outcome.winner == NOBODY) == nothing
    assert (outcome.points == 0) == nothing


# Exact facts about the cards, through the machine on `plain`.


def winner_of_tricks(machine: Machine, signs: tuple[int, ...]) -> int:
    """Who wins when eldest's card beats (1), ties (0) or loses to (-1) dealer's in each trick."""
    state = State()
    for sign in signs:
        if state.over:
            break
        from_leader = sign if state.leader == ELDEST else -sign
        reply = {1: Act.LOWER, 0: Act.EQUAL, -1: Act.HIGHER}[from_leader]
        state = machine.act(machine.act(state, Act.LEAD), reply)
    assert state.outcome is not None
    return state.outcome.winner


def multisets(pack: str) -> list[tuple[int, ...]]:
    """Hands of three by rank, best first."""
    return list(combinations_with_replacement(range(PACKS[pack].top, 0, -1), 3))


def deals(cards: Counter[int], taken: Counter[int]) -> int:
    """In how many ways four of each rank, less `taken`, give these cards."""
    ways = 1
    for rank, number in cards.items():
        ways *= comb(4 - taken[rank], number)
    return ways


@pytest.mark.parametrize(("pack", "number"), [("full52", 455), ("short32", 120), ("short28", 84)])
def test_hands_by_rank_multiset_are_as_many_as_counted_by_hand(pack: str, number: int) -> None:
    assert len(multisets(pack)) == number


@pytest.mark.parametrize(
    ("pack", "won", "drawn"),
    [
        ("full52", 0.460876, 0.078248),
        ("short32", 0.440564, 0.118873),
        ("short28", 0.433802, 0.132397),
    ],
)
def test_cards_laid_in_random_order_win_and_draw_as_computed_exactly(
    pack: str, won: float, drawn: float
) -> None:
    machine = machine_of(f"plain(pack={pack})")
    winner = {signs: winner_of_tricks(machine, signs) for signs in product((-1, 0, 1), repeat=3)}
    hands = [(cards, Counter(cards)) for cards in multisets(pack)]
    weights = Counter[int]()
    for eldest, eldest_ranks in hands:
        eldest_ways = deals(eldest_ranks, Counter())
        for dealer, dealer_ranks in hands:
            ways = eldest_ways * deals(dealer_ranks, eldest_ranks)
            # Only who meets whom matters, so eldest's order may be held fixed.
            for order in permutations(dealer) if ways else ():
                signs = tuple((e > d) - (e < d) for e, d in zip(eldest, order, strict=True))
                weights[winner[signs]] += ways
    total = comb(PACKS[pack].size, 3) * comb(PACKS[pack].size - 3, 3) * 6
    assert weights.total() == total
    assert weights[ELDEST] / total == pytest.approx(won, abs=5e-7)
    assert weights[DEALER] == weights[ELDEST]
    assert weights[NOBODY] / total == pytest.approx(drawn, abs=5e-7)


def test_threes_and_twos_fall_into_three_cards_as_computed_exactly() -> None:
    top = PACKS["full52"].top
    ways = Counter[int]()
    for cards in multisets("full52"):
        ways[sum(card > top - 2 for card in cards)] += deals(Counter(cards), Counter())
    shares = [ways[number] / comb(52, 3) for number in range(4)]
    assert shares == pytest.approx([0.599276, 0.342443, 0.055747, 0.002534], abs=5e-7)


# Three players: a trick is tied when its highest rank lies there twice, else anyone's alike.


def tied_ways(left: Sequence[int]) -> int:
    """In how many ways three of the cards left (a number per rank, worst first) tie for highest."""
    return sum(
        comb(number, 2) * sum(left[:rank]) + comb(number, 3) for rank, number in enumerate(left)
    )


def decided_tricks(copies: int, ranks: int) -> list[float]:
    """The chances that 0, 1, 2, 3 of three tricks of three cards are decided: dealt in turn."""
    trick = list(combinations_with_replacement(range(ranks), 3))
    chances = [0.0] * 4
    dealt: Counter[tuple[tuple[int, ...], int]] = Counter({((copies,) * ranks, 0): 1})
    for _ in range(2):
        following: Counter[tuple[tuple[int, ...], int]] = Counter()
        for (left, decided), ways in dealt.items():
            for cards in trick:
                here = prod(comb(left[rank], cards.count(rank)) for rank in set(cards))
                if not here:
                    continue
                rest = tuple(n - cards.count(rank) for rank, n in enumerate(left))
                following[rest, decided + (cards[1] < cards[2])] += ways * here
        dealt = following
    for (left, decided), ways in dealt.items():
        tied = tied_ways(left)
        chances[decided] += ways * tied
        chances[decided + 1] += ways * (comb(sum(left), 3) - tied)
    return [chance / sum(chances) for chance in chances]


def decided_tricks_by_exclusion(copies: int, ranks: int) -> list[float]:
    """The same from the chances that one, two and three given tricks are tied."""
    pairs = [(high, low) for high in range(ranks) for low in range(high + 1)]

    def tied(tricks: int) -> float:
        ways = 0
        for chosen in product(pairs, repeat=tricks):
            left, here = [copies] * ranks, 1
            for high, low in chosen:
                same = 3 if high == low else 2
                here *= comb(left[high], same) * (1 if high == low else left[low])
                if not here:
                    break
                left[high] -= same
                left[low] -= high != low
            ways += here
        cards = copies * ranks
        return ways / prod(comb(cards - 3 * trick, 3) for trick in range(tricks))

    one, two, three = tied(1), tied(2), tied(3)
    return [three, 3 * (two - three), 3 * (one - 2 * two + three), 1 - 3 * one + 3 * two - three]


def drawn_share(machine: Machine, decided: int) -> float:
    """How often a hand of three is drawn in which so many tricks are anyone's and others tied."""
    drawn = total = 0
    for takers in product((*range(3), NOBODY), repeat=3):
        if takers.count(NOBODY) == 3 - decided:
            total += 1
            drawn += hand_of_takers(machine, takers).winner == NOBODY
    return drawn / total


def hand_of_takers(machine: Machine, takers: tuple[int, ...]) -> Outcome:
    """What a hand of three comes to whose tricks go to these seats or nobody."""
    state = machine.start()
    for taker in takers:
        if state.over:
            break
        state = machine.act(state, Act.LEAD)
        for _ in range(2):
            reply = Act.EQUAL if taker == NOBODY else Act.LOWER
            state = machine.act(state, Act.HIGHER if machine.actor(state) == taker else reply)
    assert state.outcome is not None
    return state.outcome


def test_three_players_laying_cards_in_random_order_draw_as_computed_in_two_ways() -> None:
    machine = machine_of("plain(players=3)")
    shares = [drawn_share(machine, decided) for decided in range(4)]
    assert shares == pytest.approx([1, 0, 2 / 3, 2 / 9])
    in_turn = decided_tricks(copies=4, ranks=13)
    assert in_turn == pytest.approx(decided_tricks_by_exclusion(copies=4, ranks=13))
    drawn = sum(share * chance for share, chance in zip(shares, in_turn, strict=True))
    assert drawn == pytest.approx(0.314686, abs=5e-7)

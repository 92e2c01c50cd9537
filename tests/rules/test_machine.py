"""The machine: who acts, what may be said, what it comes to."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.rules.cards import PACKS
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
    perft,
    walk,
)
from put_cli.rules.ruleset import BUILT_IN, RuleSet, find_ruleset
from tests.legal_play import rule_sets

DEPTHS = (1, 2, 3, 4, 8, 16)

PERFT = {
    "cotton": (2, 6, 10, 26, 179, 179),
    "willughby": (2, 6, 10, 26, 179, 179),
    "cotton-eldest": (2, 5, 5, 13, 47, 47),
    "plain": (1, 3, 3, 9, 23, 23),
    "hoyle": (3, 8, 12, 19, 79, 79),
    "hoyle-eldest": (2, 5, 8, 11, 31, 31),
    "enquire": (2, 6, 10, 17, 77, 77),
    "pigott": (3, 8, 15, 34, 201, 201),
    "parlett": (3, 6, 12, 23, 152, 222),
    "truc": (2, 6, 10, 27, 355, 1555),
    "truc-french": (2, 6, 10, 27, 231, 771),
}
"""Lines of play per rule set at DEPTHS: any change of a rule changes one of these."""


def machine_of(name: str) -> Machine:
    return Machine(find_ruleset(name))


def after(machine: Machine, *acts: Act) -> State:
    state = State()
    for act in acts:
        state = machine.act(state, act)
    return state


def test_every_built_in_rule_set_has_its_lines_of_play_counted() -> None:
    assert set(PERFT) == set(BUILT_IN)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_number_of_lines_of_play_is_as_pinned(name: str) -> None:
    assert tuple(perft(machine_of(name), depth) for depth in DEPTHS) == PERFT[name]


# The same counts from grammars of complete hands, written without the machine: a line is a string
# of l (lead), < = > (reply), p (put), s (see), t (throw), and perft counts distinct beginnings.


def trick_lines() -> set[str]:
    """Hands of cards alone: three tricks, or two when one side takes both."""
    lines = set()
    for replies in product("<=>", repeat=3):
        leader, takers = 0, []
        for reply in replies:
            taker = {"<": leader, ">": 1 - leader, "=": None}[reply]
            leader = leader if taker is None else taker
            takers.append(taker)
        shown = 2 if takers[0] is not None and takers[0] == takers[1] else 3
        lines.add("".join("l" + reply for reply in replies[:shown]))
    return lines


def with_one_put(cards: str, places: range) -> Iterator[str]:
    """The hand with a put before one of its cards, seen and declined."""
    for place in places:
        yield cards[:place] + "ps" + cards[place:]
        yield cards[:place] + "pt"


def plain_lines() -> set[str]:
    return trick_lines()


def cotton_lines() -> set[str]:
    """At most one put, before any card."""
    return {
        line for cards in trick_lines() for line in (cards, *with_one_put(cards, range(len(cards))))
    }


def hoyle_lines() -> set[str]:
    """A put or a throw before either card of trick 1, or by eldest after it."""
    return {
        line
        for cards in trick_lines()
        for line in ("t", cards[:1] + "t", cards[:2] + "t", *with_one_put(cards, range(3)))
    }


@pytest.mark.parametrize(
    ("name", "lines"),
    [("plain", plain_lines()), ("cotton", cotton_lines()), ("hoyle", hoyle_lines())],
)
def test_the_counts_agree_with_a_grammar_of_whole_hands(name: str, lines: set[str]) -> None:
    counted = tuple(len({line[:depth] for line in lines}) for depth in DEPTHS)
    assert counted == PERFT[name]


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


@given(rule_sets(), st.tuples(*[st.sampled_from((ELDEST, DEALER, NOBODY))] * 3))
def test_every_trick_counts_for_at_most_one_side(
    rules: RuleSet, tricks: tuple[int, int, int]
) -> None:
    machine = Machine(rules)
    eldest, dealer = machine.tally(tricks)
    assert eldest >= tricks.count(ELDEST)
    assert dealer >= tricks.count(DEALER)
    assert eldest + dealer <= 3


@given(rule_sets(), st.data())
def test_random_legal_play_always_ends_within_twenty_acts(
    rules: RuleSet, data: st.DataObject
) -> None:
    machine, state = Machine(rules), State()
    for _ in range(20):  # six cards, seven puts and their answers
        if state.over:
            break
        state = machine.act(state, data.draw(st.sampled_from(machine.legal(state))))
    assert state.over


@given(rule_sets(), st.data())
def test_a_hand_has_a_winner_exactly_when_it_is_not_drawn(
    rules: RuleSet, data: st.DataObject
) -> None:
    outcomes = [state.outcome for state in walk(Machine(rules)) if state.outcome]
    outcome: Outcome = data.draw(st.sampled_from(outcomes))
    assert (outcome.winner == NOBODY) == (outcome.ending is Ending.DRAWN)
    assert (outcome.points == 0) == (outcome.ending is Ending.DRAWN)


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

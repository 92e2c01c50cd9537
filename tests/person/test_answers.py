"""What was typed means a card, a word or a wish, or is refused in words."""

import pytest

from put_cli.person.answers import Refused, Wish, read_answer
from put_cli.person.hand import KnownHand
from put_cli.person.speech import Speech
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import GIVE, KEEP, PUT, RECEIVE, SEE, THROW


def sitting(cards: str, rules: str = "cotton", *, dealer: bool = False) -> KnownHand:
    """A hand just dealt."""
    found = find_ruleset(rules)
    numbers = sorted((found.cards.card(rank) for rank in cards.split()), reverse=True)
    hand = KnownHand(found, Speech(found, ["Fox"]), dealer=0 if dealer else 1)
    hand.held = numbers
    return hand


def after(hand: KnownHand, *actions: int | str) -> KnownHand:
    """The hand after actions of whoever's turn it was; cards as ranks."""
    for action in actions:
        hand.take(hand.machine.rules.cards.card(action) if isinstance(action, str) else action)
    return hand


def card(rank: str) -> int:
    return find_ruleset("cotton").cards.card(rank)


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("K", card("K")),
        ("k", card("K")),
        (" t ", card("T")),
        ("T", card("T")),
        ("10", card("T")),
        ("p", PUT),
        ("PUT", PUT),
        ("q", Wish.LEAVE),
        ("quit", Wish.LEAVE),
        ("?", Wish.EXPLAIN),
        ("rules", Wish.RULES),
    ],
)
def test_a_rank_is_that_card_and_the_words_may_be_short(typed: str, means: int | Wish) -> None:
    assert read_answer(typed, sitting("K T 4")) == means


@pytest.mark.parametrize(("typed", "means"), [("s", SEE), ("see", SEE), ("t", THROW), ("q", None)])
def test_an_asked_player_sees_or_throws_and_t_is_throw_even_for_one_with_a_ten(
    typed: str, means: int | None
) -> None:
    hand = after(sitting("Q T 4", dealer=True), PUT)
    assert read_answer(typed, hand) == (Wish.LEAVE if means is None else means)


def refusal(typed: str, hand: KnownHand) -> str:
    with pytest.raises(Refused) as refused:
        read_answer(typed, hand)
    return str(refused.value)


def test_a_small_letter_that_may_be_a_card_or_a_word_is_asked_about() -> None:
    assert refusal("q", sitting("Q 7 4")) == (
        "q could mean two things here: Q plays the card, quit leaves the table."
    )
    hand = sitting("T 7 4", "hoyle")
    assert refusal("t", hand) == (
        "t could mean two things here: T plays the card, throw throws in your cards."
    )
    assert [read_answer(typed, hand) for typed in ("T", "10")] == [card("T")] * 2
    assert read_answer("throw", hand) == THROW
    assert read_answer("Q", sitting("Q 7 4")) == card("Q")


def test_a_capital_is_always_the_card() -> None:
    assert refusal("Q", sitting("K 7 4")).startswith(
        "You hold no Q (a capital is a card; quit leaves the table): you may "
    )
    assert refusal("T", sitting("K 7 4", "hoyle")).startswith("You hold no T (a capital is a card")
    assert read_answer("t", sitting("K 7 4", "hoyle")) == THROW


MAY = "you may put or lead a card (K T 4)."


@pytest.mark.parametrize(
    ("hand", "typed", "says"),
    [
        (sitting("K T 4"), "9", f"You hold no 9: {MAY}"),
        (sitting("K T 4"), "s", f"There is no put to see: {MAY}"),
        (sitting("K T 4"), "throw", f"Here one may throw only to answer a put: {MAY}"),
        (sitting("K 9 4"), "t", "Here one may throw only to answer a put: you may put or lead a "),
        (
            after(sitting("K T 4", dealer=True), PUT),
            "k",
            "Fox has put, and that has to be answered first: you may see or throw (K T 4).",
        ),
        (
            after(sitting("K T 4"), PUT, SEE),
            "p",
            "A put has just been seen, and now a card must be played: you may lead a card (K T 4).",
        ),
        (
            after(sitting("K T 4"), "K", "2", "3"),
            "k",
            "You have already played your K: you may put or reply with a card (T 4).",
        ),
        (
            after(sitting("K T 4"), PUT, SEE, "K", "2", "3"),
            "p",
            "No further put is possible, for the hand can be worth no more: you may reply with ",
        ),
        (sitting("K T 4", "plain"), "p", "There is no put in these rules: you may lead a card "),
        (sitting("K T 4", "hoyle-eldest"), "p", "That may not be said at this place: you may "),
        (
            after(sitting("K T 4", "hoyle"), "K", "2"),
            "4",
            "After the first trick eldest must speak, and no card may be played: you may put or ",
        ),
        (sitting("K T 4"), "p k", "'p k' is no card of this pack and no word; ? tells what"),
        (sitting("K T 4", "cotton(pack=short28)"), "4", "'4' is no card of this pack"),
        (sitting("K T 4"), "\x1b[2J", "'\\x1b[2J' is no card"),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_reason_and_what_is(
    hand: KnownHand, typed: str, says: str
) -> None:
    assert refusal(typed, hand).startswith(says)


def at_four(cards: str, *, captain_of: str, rules: str = "four-handed") -> KnownHand:
    """Four-handed: the person is a captain, and it is his turn."""
    found = find_ruleset(rules)
    dealer = captain_of == "dealer"
    hand = KnownHand(found, Speech(found, ["Fox", "Hen", "Owl"]), dealer=0 if dealer else 3)
    hand.held = [found.cards.card(rank) for rank in cards.split()]
    if dealer:
        hand.take(RECEIVE)
    return hand


def laying_out(cards: str, rules: str) -> KnownHand:
    """The person has received the last of four cards."""
    hand = at_four(cards, captain_of="eldest", rules=rules)
    return after(hand, RECEIVE, RECEIVE)


@pytest.mark.parametrize(
    ("typed", "means"), [("g", GIVE), ("receive", RECEIVE), ("r", RECEIVE), ("k", KEEP)]
)
def test_a_captain_gives_receives_or_keeps_by_the_word_or_its_first_letter(
    typed: str, means: int
) -> None:
    assert read_answer(typed, at_four("K T 4", captain_of="dealer")) == means


def test_what_comes_before_the_tricks_is_refused_with_its_reason() -> None:
    eldest = at_four("K T 4", captain_of="eldest")
    may = "you may give or receive (K T 4)."
    assert refusal("keep", eldest) == f"Here a card has to be given or received: {may}"
    assert refusal("k", eldest) == f"As captain you have to choose first: {may}"
    assert refusal("p", eldest) == f"As captain you have to choose first: {may}"
    assert refusal("give", sitting("K T 4")) == (
        f"The cards are dealt, and nothing about them is to be chosen: {MAY}"
    )


def test_a_receiver_lays_out_any_card_or_under_must_swap_one_of_his_own() -> None:
    free = laying_out("K T 4 9", "four-handed")
    assert [read_answer(typed, free) for typed in ("9", "4", "k", "t")] == [
        card(rank) for rank in "94KT"
    ]
    assert refusal("put", free).startswith("A card has to be laid out first: you may lay out a ")
    swap = laying_out("K T 4 9", "four-handed(must_swap=true)")
    assert read_answer("4", swap) == card("4")
    assert refusal("9", swap).startswith("The card received may not be laid out: you may lay out ")
    assert read_answer("4", laying_out("K T 4 4", "four-handed(must_swap=true)")) == card("4")

"""Lines of play: every rule set's are counted, and some checked against grammars of whole hands."""

from collections.abc import Iterator
from itertools import product

import pytest

from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.machine import Machine, perft

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
    "four-handed": (2, 6, 6, 8, 176, 1074),
    "three-handed": (2, 6, 18, 32, 943, 11261),
}
"""Lines of play per rule set at DEPTHS: any change of a rule changes one of these."""


def machine_of(name: str) -> Machine:
    return Machine(find_ruleset(name))


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


def four_handed_lines() -> set[str]:
    """Each captain gives, receives or (dealer's) keeps; a card is laid out; then Cotton's game."""
    before = [one + other + ("o" if other == "k" else "oo") for one in "gr" for other in "grk"]
    return {first + line for first in before for line in cotton_lines()}


def lines_of_many(players: int) -> set[str]:
    """At most one put, before any card, that each of the others sees or throws in turn."""
    answers = ["".join(each) for each in product("st", repeat=players - 1)]
    asked = [(place, said) for place in range(3 * players) for said in answers]
    lines = set(hands_of_many(players, -1, ""))
    for place, said in asked:
        lines.update(hands_of_many(players, place, said))
    return lines


def hands_of_many(players: int, place: int, answers: str) -> Iterator[str]:
    """Hands in which a put comes before card number `place` and is answered like that."""

    everybody = frozenset(range(players))

    def card(
        text: str,
        order: list[int],
        led: bool,
        best: int | None,
        leader: int,
        live: frozenset[int],
        won: list[int],
    ) -> Iterator[str]:
        """The lines from the card of order[0] on; all of `order` have still to play."""
        if "p" not in text and len(text.replace("/", "")) == place:
            asked = [seat % players for seat in range(order[0] + 1, order[0] + players)]
            throw = {seat for seat, said in zip(asked, answers, strict=True) if said == "t"}
            text, live = text + "p" + answers, live - throw
            if len(live) == 1:
                yield text
                return
        player, *rest = [seat for seat in order if seat in live]
        for letter, now in ({"<": best, "=": None, ">": player} if led else {"l": player}).items():
            if rest:
                yield from card(text + letter, rest, True, now, leader, live, won)
            else:
                yield from trick_over(text + letter + "/", now, leader, live, won)

    def trick_over(
        text: str, best: int | None, leader: int, live: frozenset[int], won: list[int]
    ) -> Iterator[str]:
        left = 3 - text.count("/")
        won = [*won, *({best} & live)]
        first, second = sorted(map(won.count, live), reverse=True)[:2]
        if not left or first > second + left:
            yield text
            return
        leader = leader if best is None else best
        order = [seat % players for seat in range(leader, leader + players)]
        order = [seat for seat in order if seat in live]
        yield from card(text, order, False, None, order[0], live, won)

    for line in card("", sorted(everybody), False, None, 0, everybody, []):
        yield line.replace("/", "")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("plain", plain_lines()),
        ("cotton", cotton_lines()),
        ("hoyle", hoyle_lines()),
        ("four-handed", four_handed_lines()),
        ("three-handed", lines_of_many(3)),
    ],
)
def test_the_counts_agree_with_a_grammar_of_whole_hands(name: str, lines: set[str]) -> None:
    counted = tuple(len({line[:depth] for line in lines}) for depth in DEPTHS)
    assert counted == PERFT[name]

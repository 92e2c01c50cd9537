"""What was typed at the table: a card, a word, or a wish; a refusal says why and what may be done.

`T` is a ten and `t` may be a ten or `throw`; `Q` is a queen and `q` may be a queen or leaving. A
capital is always the card. A small letter is whatever is possible; where both are, it is neither,
for a hand or a game thrown away does not come back.
"""

from enum import Enum

from put_cli.person.hand import ACTS, KnownHand
from put_cli.strategy import PUT, SEE, THROW


class Wish(Enum):
    """What a person may ask for instead of acting."""

    EXPLAIN = "explain"
    RULES = "rules"
    LEAVE = "leave"


class Refused(Exception):
    """An answer that cannot be taken; the message is for the person."""


_WORDS = {"p": PUT, "put": PUT, "s": SEE, "see": SEE, "t": THROW, "throw": THROW}
_WISHES = {
    "?": Wish.EXPLAIN,
    "help": Wish.EXPLAIN,
    "rules": Wish.RULES,
    "q": Wish.LEAVE,
    "quit": Wish.LEAVE,
}
_LONG = {
    PUT: ("put", "says put"),
    SEE: ("see", "sees the put"),
    THROW: ("throw", "throws in your cards"),
    Wish.LEAVE: ("quit", "leaves the table"),
}
"""The unmistakable way to type it, and what it does."""

HOW = "Type a rank to play that card (T or 10 is ten); put, see, throw, or p, s, t; ?, rules, q."


def read_answer(text: str, hand: KnownHand) -> int | Wish:
    """The action or the wish that `text` means in this situation; an action is a legal one.

    Raises:
        Refused: it means nothing, or nothing that is allowed here.
    """
    typed = " ".join(text.split())
    rank = "T" if typed == "10" else typed.upper()
    card = hand.machine.rules.cards.card(rank)
    other = _WORDS.get(typed.lower()) or _WISHES.get(typed.lower())
    if card and other and typed != rank and _is_card(card, rank, other, hand):
        other = None
    if card and (other is None or typed == rank):
        return _legal(card, hand)
    if isinstance(other, Wish):
        return other
    if other is not None:
        return _legal(other, hand)
    shown = repr(typed if len(typed) <= 20 else typed[:20] + "...")
    raise Refused(f"{shown} is no card of this pack and no word; ? tells what may be typed.")


def _is_card(card: int, rank: str, other: int | Wish, hand: KnownHand) -> bool:
    """Whether a small letter that is a card and something else means the card."""
    playable = card in hand.legal
    sayable = isinstance(other, Wish) or other in hand.legal
    if playable and sayable:
        word, effect = _LONG[other]
        raise Refused(
            f"{rank.lower()} could mean two things here: {rank} plays the card, {word} {effect}."
        )
    return not sayable and card in hand.held


def _legal(action: int, hand: KnownHand) -> int:
    if action in hand.legal:
        return action
    held = " ".join(map(hand.machine.rules.cards.rank, hand.held))
    raise Refused(f"{_why(action, hand)}: you may {hand.choices()} ({held}).")


def _why(action: int, hand: KnownHand) -> str:
    """Why an action is not legal."""
    state, machine = hand.state, hand.machine
    if action not in ACTS:
        rank = machine.rules.cards.rank(action)
        if action not in hand.dealt:
            return f"You hold no {rank}{_hint(rank)}"
        if action not in hand.held:
            return f"You have already played your {rank}"
    if state.asked:
        return f"{hand.opponent} has put, and that has to be answered first"
    if action == SEE:
        return "There is no put to see"
    if machine.must_speak(state):
        return "After the first trick eldest must speak, and no card may be played"
    if state.committed:
        return "A put has just been seen, and now a card must be played"
    if action == PUT and len(machine.rules.worths) == 1:
        return "There is no put in these rules"
    if action == PUT and state.seen + 1 >= len(machine.rules.worths):
        return "No further put is possible, for the hand can be worth no more"
    if action == THROW:
        return "Here one may throw only to answer a put"
    return "That may not be said at this place"


def _hint(rank: str) -> str:
    """For a capital that might have been meant as a word."""
    other = _WORDS.get(rank.lower()) or _WISHES.get(rank.lower())
    if other is None:
        return ""
    word, effect = _LONG[other]
    return f" (a capital is a card; {word} {effect})"

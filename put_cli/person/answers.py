"""What was typed at the table: a card, a word, or a wish; a refusal says why and what may be done.

`T` is a ten and `t` may be a ten or `throw`; `Q` is a queen and `q` may be a queen or leaving. A
capital is always the card. A small letter is whatever is possible; where both are, it is neither,
for a hand or a game thrown away does not come back.
"""

from enum import Enum

from put_cli.person.hand import ACTS, KnownHand
from put_cli.person.speech import capital
from put_cli.rules.machine import CHOICES, RULINGS, Stage
from put_cli.strategy import KEEP, PUT, SEE, THROW


class Wish(Enum):
    """What a person may ask for instead of acting."""

    EXPLAIN = "explain"
    RULES = "rules"
    LEAVE = "leave"


class Refused(Exception):
    """An answer that cannot be taken; the message is for the person."""


_WORDS = {act.name.lower(): action for action, act in ACTS.items()}
_SHORT = {"p": PUT, "s": SEE, "t": THROW}
"""What a letter means wherever no word that may be said begins with it."""

_WISHES = {
    "?": Wish.EXPLAIN,
    "help": Wish.EXPLAIN,
    "rules": Wish.RULES,
    "q": Wish.LEAVE,
    "quit": Wish.LEAVE,
}
_EFFECTS = {
    PUT: "says put",
    SEE: "sees the put",
    THROW: "throws in your cards",
    KEEP: "keeps your cards",
    Wish.LEAVE: "leaves the table",
}
"""What a word does that could be a card."""

HOW = "Type a rank for that card (T or 10 is ten), a word or its first letter; ?, rules, q."


def read_answer(text: str, hand: KnownHand) -> int | Wish:
    """The action or the wish that `text` means in this situation; an action is a legal one.

    Raises:
        Refused: it means nothing, or nothing that is allowed here.
    """
    typed = " ".join(text.split())
    rank = "T" if typed == "10" else typed.upper()
    card = hand.machine.rules.cards.card(rank)
    other = _word(typed.lower(), hand)
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


def _word(typed: str, hand: KnownHand) -> int | Wish | None:
    """A word, or one that may be said here by its first letter, or a wish."""
    if len(typed) == 1:
        for word, action in _WORDS.items():
            if word[0] == typed and action in hand.legal:
                return action
    return _WORDS.get(typed) or _SHORT.get(typed) or _WISHES.get(typed)


def _is_card(card: int, rank: str, other: int | Wish, hand: KnownHand) -> bool:
    """Whether a small letter that is a card and something else means the card."""
    playable = card in hand.legal
    sayable = isinstance(other, Wish) or other in hand.legal
    if playable and sayable:
        raise Refused(
            f"{rank.lower()} could mean two things here: {rank} plays the card, {_effect(other)}."
        )
    return not sayable and card in hand.held


def _effect(other: int | Wish) -> str:
    """The unmistakable way to type it, and what it does."""
    word = "quit" if isinstance(other, Wish) else ACTS[other].name.lower()
    return f"{word} {_EFFECTS[other]}"


def _legal(action: int, hand: KnownHand) -> int:
    if action in hand.legal:
        return action
    held = " ".join(map(hand.machine.rules.cards.rank, hand.held))
    raise Refused(f"{_why(action, hand)}: you may {hand.choices()} ({held}).")


def _why(action: int, hand: KnownHand) -> str:
    """Why an action is not legal."""
    state, machine = hand.state, hand.machine
    if action not in ACTS and action not in hand.held:
        rank = machine.rules.cards.rank(action)
        if hand.has_played(action):
            return f"You have already played your {rank}"
        return f"You hold no {rank}{_hint(rank, hand)}"
    match state.stage:
        case Stage.RULING:
            return "The misdeal has to be ruled on first"
        case Stage.CHOOSING if action == KEEP:
            return "Here a card has to be given or received"
        case Stage.CHOOSING:
            return "As captain you have to choose first"
        case Stage.LAYING_OUT if action not in ACTS:
            return "The card received may not be laid out"
        case Stage.LAYING_OUT:
            return "A card has to be laid out first"
    return _why_in_tricks(action, hand)


def _why_in_tricks(action: int, hand: KnownHand) -> str:
    state, machine = hand.state, hand.machine
    if state.asked:
        putter = hand.speech.people[hand.players[state.putter]]
        return f"{capital(putter)} has put, and that has to be answered first"
    if ACTS.get(action) in (*CHOICES, *RULINGS):
        return "The cards are dealt, and nothing about them is to be chosen"
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


def _hint(rank: str, hand: KnownHand) -> str:
    """For a capital that might have been meant as a word."""
    other = _word(rank.lower(), hand)
    if other is None or other not in _EFFECTS:
        return ""
    return f" (a capital is a card; {_effect(other)})"

"""A situation in hand notation: what one player knows of a hand so far, on one line.

D K 5 2 | E7 D:put E:see  the dealer's cards, and what has been done and said
E 7 2 3 | D 9 K A | E7    a whole deal: only whose turn it is counts, and his cards
"""

from collections.abc import Sequence
from dataclasses import replace

from put_cli.errors import NotationError
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.rules.notation import TWO, Hand, Step, parse_hand
from put_cli.rules.referee import under_way
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.chain import Score
from put_cli.solve.places import Situation
from put_cli.strategy import WORD_NAMES

_UNKNOWN = "0 0 0"
"""Stands for cards that nobody has seen; no pack has such a rank."""


def actions_of(rules: RuleSet, steps: tuple[Step, ...]) -> tuple[int, ...]:
    """Steps as what a strategy returns for them."""
    words = {name.lower(): action for action, name in WORD_NAMES.items()}
    return tuple(rules.cards.card(s.rank) if s.plays else words[s.word] for s in steps)


def situation_of(rules: RuleSet, hand: Hand, seat: int, score: Score) -> Situation:
    """What the player in a seat knows when all steps of the hand have been made."""
    cards = sorted((rules.cards.card(rank) for rank in hand.cards(seat)), reverse=True)
    first, second, third = cards
    return Situation(score, seat, (first, second, third), actions_of(rules, hand.steps))


def steps_of(rules: RuleSet, actions: Sequence[int], actors: Sequence[int]) -> tuple[Step, ...]:
    """What strategies returned, one after the other, as steps by those who did it."""
    return tuple(
        Step(actor, word=WORD_NAMES[action].lower())
        if action in WORD_NAMES
        else Step(actor, rules.cards.rank(action))
        for action, actor in zip(actions, actors, strict=True)
    )


def line_of(rules: RuleSet, situation: Situation, actors: Sequence[int]) -> str:
    """A situation as `read_situation` reads it; `actors` did the actions in turn."""
    cards = " ".join(map(rules.cards.rank, situation.dealt))
    steps = " ".join(each.text() for each in steps_of(rules, situation.actions, actors))
    return f"{TWO[situation.seat]} {cards}" + (f" | {steps}" if steps else "")


def read_situation(rules: RuleSet, line: str, score: Score) -> Situation:
    """The situation that a line describes.

    Raises:
        NotationError: it is not of the form, breaks a rule, or leaves nobody anything to decide.
        UsageError: no hand can begin at the score.
    """
    hand, known = _parse(rules, line)
    play = under_way(rules, hand, (score.eldest, score.dealer))
    if play.state.over:
        raise NotationError("the hand is over: expected one in which somebody has to act.")
    seat = play.player()
    if seat not in known:
        raise NotationError(
            f"it is {SEATS[seat]}'s turn there, but the line has only the cards of "
            f"{SEATS[1 - seat]}: expected those of whoever acts next."
        )
    return situation_of(rules, hand, seat, score)


def _parse(rules: RuleSet, line: str) -> tuple[Hand, tuple[int, ...]]:
    """The hand, and the seats whose cards are known; of others the cards are made up."""
    parts = [part.strip() for part in line.split("|")]
    letter = line.strip()[:1].upper()
    if len(parts) > 2 or letter not in TWO:
        return parse_hand(line), (ELDEST, DEALER)
    seat = TWO.index(letter) if letter else ELDEST
    both = [f"{TWO[1 - seat]} {_UNKNOWN}"] * 2
    both[seat] = parts[0]
    hand = parse_hand(" | ".join([*both, parts[1] if len(parts) == 2 else ""]))
    played = [step.rank for step in hand.steps if step.seat != seat and step.plays]
    dealt = list(hand.dealt)
    dealt[1 - seat] = _filled(rules, played, hand.cards(seat))
    return replace(hand, dealt=tuple(dealt)), (seat,)


def _filled(rules: RuleSet, played: list[str], others: tuple[str, ...]) -> tuple[str, ...]:
    """The cards that were played, made up to three with the worst that are left."""
    pack, cards = rules.cards, played[:3]
    for rank in reversed(pack.ranks):
        while len(cards) < 3 and [*cards, *others].count(rank) < pack.copies:
            cards.append(rank)
    return tuple(cards)

"""What a player sees: the View of a lane, the same numbers for every tier.

`make_view` builds it inside compiled code, where unread fields cost nothing; `write_ask` writes the
same fields as a row for players in Python. Nothing of another chair's unplayed cards is read here
but what a misdeal has shown to all.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.engine import lanes as ln
from put_cli.engine.intrinsics import kernel_function, rare_function
from put_cli.engine.luck import luck
from put_cli.engine.tables import ACTOR, OPPONENT, PUTS_OF, SIDES, TRICK, TRICKS_OF
from put_cli.strategy import Other, View

CARDS, PLAYED, PLAYS, LED, FOURTH = ln.CARDS, ln.PLAYED, ln.PLAYS, ln.LED, ln.FOURTH
SCORE, LEGS, LUCK, DECISION = ln.SCORE, ln.LEGS, ln.LUCK, ln.DECISION
HAND, HANDS, RECORD, PLAYER, EXPOSED = ln.HAND, ln.HANDS, ln.RECORD, ln.PLAYER, ln.EXPOSED
WORDS = ln.WORDS
STATE = ln.STATE

OTHERS = len(View.__annotations__["others"].__args__)


class CardsView(NamedTuple):
    """The fields of View that the cards determine, in its order."""

    cards: tuple[int, int, int]
    highest: int
    lowest: int
    cheapest_winner: int
    equal: int
    led: int
    played: tuple[int, int, int]
    their_played: tuple[int, int, int]


@kernel_function
def cards_view(lane, row, chair, other, fourth):
    """CardsView of one chair of a lane; `fourth` is a card besides the three, or 0."""
    own = CARDS + 3 * chair
    a, b, c = lane[own], lane[own + 1], lane[own + 2]
    # Whoever has laid a card to the running trick has nothing left to beat in it.
    led = lane[LED] if lane[PLAYS + chair] < row[TRICK] else 0
    # Cards are best first with 0 where played, so the last that fits is the cheapest.
    highest = a if a else (b if b else c)
    lowest = c if c else (b if b else a)
    if fourth:
        highest = max(highest, fourth)
        lowest = min(lowest, fourth)
    winner = 0
    equal = 0
    if led:
        winner = c if c > led else (b if b > led else (a if a > led else 0))
        equal = led if led in (a, b, c) else 0
    mine = PLAYED + 3 * chair
    theirs = PLAYED + 3 * other
    return CardsView(
        (a, b, c),
        highest,
        lowest,
        winner,
        equal,
        led,
        (lane[mine], lane[mine + 1], lane[mine + 2]),
        (lane[theirs], lane[theirs + 1], lane[theirs + 2]),
    )


@kernel_function
def other_view(lane, row, place):
    """Number `place` (from 0) of the opponents besides the one `their_` speaks of."""
    sides = row[SIDES]
    if place >= sides - 2:
        return Other(False, 0, 0, 0, (0, 0, 0), 0)
    me, their = row[ACTOR], row[OPPONENT]
    # Clockwise from him, passing over the player himself.
    step = 1 + place
    if step >= (me - their + sides) % sides:
        step += 1
    seat = (their + step) % sides
    chair = lane[PLAYER + seat]
    won = np.int64(row[TRICKS_OF + seat])
    cards = PLAYED + 3 * chair
    return Other(
        won >= 0,
        lane[SCORE + chair],
        max(won, 0),
        np.int64(row[PUTS_OF + seat]),
        (lane[cards], lane[cards + 1], lane[cards + 2]),
        lane[EXPOSED + chair],
    )


@kernel_function
def others_view(lane, row):
    """The field `others` of View."""
    return (
        other_view(lane, row, 0),
        other_view(lane, row, 1),
        other_view(lane, row, 2),
        other_view(lane, row, 3),
    )


@kernel_function
def no_others_view(lane, row):
    """For code that never mentions `others`, which takes a while to compile."""
    return


@kernel_function
def shown(lane, chair, step):
    """A card of the side that all have seen, or 0; `step` leads to the partner, if there is one.

    Two-handed games lead to an empty chair: 2 and 3 hold nothing there.
    """
    own = lane[EXPOSED + chair]
    return own if own or step == 0 else lane[EXPOSED + ((chair + step) & 3)]


@kernel_function
def fact(row, column):
    """A number of the situation."""
    return np.int64(row[column])


@kernel_function
def make_view(lane, row, chair, other, memory, before, others):
    """The View of `chair` in a lane whose state has the table row `row`.

    `other` is the chair of the opponent; `before` says that it is asked before the tricks, where
    four cards may be held; `others` is others_view or no_others_view.
    """
    fourth = lane[FOURTH + chair] if before else 0
    v = cards_view(lane, row, chair, other, fourth)
    m = RECORD + 5 * chair
    t = RECORD + 5 * other
    k = 1 if memory else 0
    step = 2 if row[SIDES] == 2 else 0
    mine_shown = shown(lane, chair, step)
    theirs_shown = shown(lane, other, step)
    return View(
        v.cards,
        v.highest,
        v.lowest,
        v.cheapest_winner,
        v.equal,
        v.led,
        v.played,
        v.their_played,
        lane[SCORE + chair],
        lane[SCORE + other],
        lane[LEGS + chair],
        lane[LEGS + other],
        luck(lane[LUCK + chair], lane[HAND], lane[DECISION + chair]),
        fourth,
        mine_shown,
        theirs_shown,
        others(lane, row),
        lane[WORDS],
        fact(row, 0),
        fact(row, 1),
        fact(row, 2),
        fact(row, 3),
        fact(row, 4),
        fact(row, 5),
        fact(row, 6),
        row[7] != 0,
        row[8] != 0,
        row[9] != 0,
        row[10] != 0,
        row[11] != 0,
        row[12] != 0,
        row[13] != 0,
        fact(row, 14),
        fact(row, 15),
        fact(row, 16),
        fact(row, 17),
        fact(row, 18),
        fact(row, 19),
        fact(row, 20),
        fact(row, 21),
        row[22] != 0,
        row[23] != 0,
        fact(row, 24),
        k * lane[HANDS],
        k * lane[m],
        k * lane[m + 1],
        k * lane[m + 2],
        k * lane[m + 3],
        k * lane[m + 4],
        k * lane[t],
        k * lane[t + 1],
        k * lane[t + 2],
        k * lane[t + 3],
        k * lane[t + 4],
    )


# A column of `asks`, int64: lane, chair, status, table row; then the View's numbers: three triples
# of cards (see `packed`), nine numbers below 256 (the single cards of CardsView, scores, legs), the
# fourth and the exposed cards, what was said, the record (11 numbers), and six numbers for each of
# the others. Luck goes to a float array beside it.
ASK_LANE, ASK_CHAIR, ASK_STATUS, ASK_STATE, ASK_TRIPLES = range(5)
ASK_NUMBERS = ASK_TRIPLES + 3
ASK_EXTRA = ASK_NUMBERS + 9
ASK_SAID = ASK_EXTRA + 3
ASK_RECORD = ASK_SAID + 1
ASK_OTHERS = ASK_RECORD + 11
OTHER_WIDTH = 6
ASK_WIDTH = ASK_OTHERS + OTHER_WIDTH * OTHERS

TRIPLES = tuple((a, b, c) for a, b, c in product(range(16), repeat=3))
"""Three cards by their packed number: no pack has more than 15 ranks."""


@kernel_function
def packed(triple):
    """Three cards as one number below 4096."""
    return (triple[0] << 8) | (triple[1] << 4) | triple[2]


def unpacked(numbers: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
    """The three cards of each number."""
    return numbers >> 8, (numbers >> 4) & 15, numbers & 15


@rare_function
def write_ask(lane, row, number, chair, other, status, asks, lucks, k, many):
    """Write column k of `asks` (ASK_WIDTH, waiting) and `lucks`: the View of a player in Python."""
    fourth = lane[FOURTH + chair]
    v = cards_view(lane, row, chair, other, fourth)
    asks[ASK_LANE, k] = number
    asks[ASK_CHAIR, k] = chair
    asks[ASK_STATUS, k] = status
    asks[ASK_STATE, k] = lane[STATE]
    asks[ASK_TRIPLES, k] = packed(v.cards)
    asks[ASK_TRIPLES + 1, k] = packed(v.played)
    asks[ASK_TRIPLES + 2, k] = packed(v.their_played)
    asks[ASK_NUMBERS, k] = v.highest
    asks[ASK_NUMBERS + 1, k] = v.lowest
    asks[ASK_NUMBERS + 2, k] = v.cheapest_winner
    asks[ASK_NUMBERS + 3, k] = v.equal
    asks[ASK_NUMBERS + 4, k] = v.led
    asks[ASK_NUMBERS + 5, k] = lane[SCORE + chair]
    asks[ASK_NUMBERS + 6, k] = lane[SCORE + other]
    asks[ASK_NUMBERS + 7, k] = lane[LEGS + chair]
    asks[ASK_NUMBERS + 8, k] = lane[LEGS + other]
    step = 2 if row[SIDES] == 2 else 0
    asks[ASK_EXTRA, k] = fourth
    asks[ASK_EXTRA + 1, k] = shown(lane, chair, step)
    asks[ASK_EXTRA + 2, k] = shown(lane, other, step)
    asks[ASK_SAID, k] = lane[WORDS]
    asks[ASK_RECORD, k] = lane[HANDS]
    for i in range(5):
        asks[ASK_RECORD + 1 + i, k] = lane[RECORD + 5 * chair + i]
        asks[ASK_RECORD + 6 + i, k] = lane[RECORD + 5 * other + i]
    if many:
        for place in range(OTHERS):
            o = other_view(lane, row, place)
            at = ASK_OTHERS + OTHER_WIDTH * place
            asks[at, k] = o.live
            asks[at + 1, k] = o.score
            asks[at + 2, k] = o.tricks
            asks[at + 3, k] = o.puts
            asks[at + 4, k] = packed(o.played)
            asks[at + 5, k] = o.exposed
    lucks[k] = luck(lane[LUCK + chair], lane[HAND], lane[DECISION + chair])

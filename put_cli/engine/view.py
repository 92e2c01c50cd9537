"""What a player sees: the View of a lane, the same numbers for every tier.

`make_view` builds it inside compiled code, where unread fields cost nothing; `write_ask` writes the
same fields as a row for players in Python. Nothing of the other chair's cards is read here.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.engine import lanes as ln
from put_cli.engine.luck import kernel_function, luck
from put_cli.strategy import View

CARDS, PLAYED, PLAYS, LED = ln.CARDS, ln.PLAYED, ln.PLAYS, ln.LED
SCORE, LEGS, LUCK, DECISION = ln.SCORE, ln.LEGS, ln.LUCK, ln.DECISION
HAND, HANDS, RECORD = ln.HAND, ln.HANDS, ln.RECORD


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
def cards_view(lane, chair):
    """CardsView of one chair of a lane."""
    own = CARDS + 3 * chair
    a, b, c = lane[own], lane[own + 1], lane[own + 2]
    # Who led has laid one card more: asked by a put over his own lead, he has nothing to reply to.
    led = lane[LED] if lane[PLAYS + chair] < lane[PLAYS + 1 - chair] else 0
    # Cards are best first with 0 where played, so the last that fits is the cheapest.
    highest = a if a else (b if b else c)
    lowest = c if c else (b if b else a)
    winner = 0
    equal = 0
    if led:
        winner = c if c > led else (b if b > led else (a if a > led else 0))
        equal = led if led in (a, b, c) else 0
    mine = PLAYED + 3 * chair
    theirs = PLAYED + 3 * (1 - chair)
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
def make_view(lane, row, chair, memory):
    """The View of `chair` in a lane whose state has the table row `row`."""
    v = cards_view(lane, chair)
    m = RECORD + 5 * chair
    t = RECORD + 5 * (1 - chair)
    k = 1 if memory else 0
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
        lane[SCORE + 1 - chair],
        lane[LEGS + chair],
        lane[LEGS + 1 - chair],
        luck(lane[LUCK + chair], lane[HAND], lane[DECISION + chair]),
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        row[5],
        row[6],
        row[7] != 0,
        row[8] != 0,
        row[9] != 0,
        row[10] != 0,
        row[11] != 0,
        row[12] != 0,
        row[13] != 0,
        row[14],
        row[15],
        row[16],
        row[17],
        row[18],
        row[19],
        row[20],
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
# record (11 numbers). Luck goes to a float array beside it.
ASK_LANE, ASK_CHAIR, ASK_STATUS, ASK_STATE, ASK_TRIPLES = range(5)
ASK_NUMBERS = ASK_TRIPLES + 3
ASK_RECORD = ASK_NUMBERS + 9
ASK_WIDTH = ASK_RECORD + 11

TRIPLES = tuple(product(range(16), repeat=3))
"""Three cards by their packed number: no pack has more than 15 ranks."""


@kernel_function
def packed(triple):
    """Three cards as one number below 4096."""
    return (triple[0] << 8) | (triple[1] << 4) | triple[2]


def unpacked(numbers: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
    """The three cards of each number."""
    return numbers >> 8, (numbers >> 4) & 15, numbers & 15


@kernel_function
def write_ask(lane, number, chair, status, asks, lucks, k):
    """Write column k of `asks` (ASK_WIDTH, waiting) and `lucks`: the View of a player in Python."""
    v = cards_view(lane, chair)
    asks[ASK_LANE, k] = number
    asks[ASK_CHAIR, k] = chair
    asks[ASK_STATUS, k] = status
    asks[ASK_STATE, k] = lane[ln.STATE]
    asks[ASK_TRIPLES, k] = packed(v.cards)
    asks[ASK_TRIPLES + 1, k] = packed(v.played)
    asks[ASK_TRIPLES + 2, k] = packed(v.their_played)
    asks[ASK_NUMBERS, k] = v.highest
    asks[ASK_NUMBERS + 1, k] = v.lowest
    asks[ASK_NUMBERS + 2, k] = v.cheapest_winner
    asks[ASK_NUMBERS + 3, k] = v.equal
    asks[ASK_NUMBERS + 4, k] = v.led
    asks[ASK_NUMBERS + 5, k] = lane[SCORE + chair]
    asks[ASK_NUMBERS + 6, k] = lane[SCORE + 1 - chair]
    asks[ASK_NUMBERS + 7, k] = lane[LEGS + chair]
    asks[ASK_NUMBERS + 8, k] = lane[LEGS + 1 - chair]
    asks[ASK_RECORD, k] = lane[HANDS]
    for i in range(5):
        asks[ASK_RECORD + 1 + i, k] = lane[RECORD + 5 * chair + i]
        asks[ASK_RECORD + 6 + i, k] = lane[RECORD + 5 * (1 - chair) + i]
    lucks[k] = luck(lane[LUCK + chair], lane[HAND], lane[DECISION + chair])

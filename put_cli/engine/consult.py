"""Looking up what a solution plays, from a View: in Python and in compiled strategies alike.

    table = open_policy("cotton.policy")
    action = consult(table, view)

A table is the address of a solution in memory (`put_cli.solve.table` puts it there). `consult`
draws an action with `view.luck`; it is 0 where the solution says nothing, because the rules are
others.

A table is int64 numbers, the header, followed by uint16 numbers, the policies score by score. The
header holds, in order: sizes, the number of each score, and the nodes with a choice, sorted by the
key that tells from a View which one it is. A policy holds, node by node, at (chunk, public
position, hand) the parts of the probability of every action but the first, which has the rest.
"""

import ctypes
from functools import cache

import numpy as np
import numpy.typing as npt
from numba import carray
from numba.extending import overload, register_jitable

from put_cli.engine.intrinsics import address_as_lane, address_as_parts
from put_cli.strategy import PUT, View

FORMAT = 2
(
    TARGET,
    LEGS,  # games that win the rubber
    TOP,
    LEVELS,  # parts of the probability 1
    NUMBERS,  # of the policy at one score
    NODES,
    FIRST_NODE,  # where the nodes begin in the header
    POLICIES,  # where the policies begin, in bytes
    SCORES,  # here the numbers of the scores begin, target * target * legs * legs of them
) = range(9)

(KEY, BASE, PUBLIC, SIZE, N_WORDS, N_PLAYS, WORD_ACTIONS) = range(7)
"""Columns of a node: its key, its offset in the policy of a score, public positions, the actor's
hands, words, places to play from; three columns of words."""
NODE_WIDTH = WORD_ACTIONS + 3


@register_jitable
def key_of(said: int, asked: bool, level: int, first: int, second: int) -> int:
    """The key of a node: what was said, how many cards lie there, and how the tricks went."""
    return (((said * 2 + int(asked)) * 6 + level) * 4 + first) * 4 + second


def consult(table: int, view: View) -> int:
    """What the solution in a table does in this View, or 0 where it says nothing."""
    return int(look_up(*_at(table), view))


@cache
def _at(table: int) -> tuple[list[int], memoryview]:
    """The header and the policies of a table, for Python."""
    lane = ctypes.cast(table, ctypes.POINTER(ctypes.c_int64))
    header = lane[: lane[FIRST_NODE] + NODE_WIDTH * lane[NODES]]
    policies = (header[TARGET] * header[LEGS]) ** 2 * header[NUMBERS]
    return header, memoryview(
        (ctypes.c_uint16 * policies).from_address(table + header[POLICIES])
    ).cast("B").cast("H")


@register_jitable
def pattern_of(lead: int, reply: int) -> int:
    """How a reply compares: 0 lower, 1 equal, 2 higher."""
    return 1 if reply == lead else (0 if reply < lead else 2)


@register_jitable
def pair_number(top: int, lead: int, reply: int) -> int:
    """The number of a pair among those of its pattern; cards from 0."""
    if reply < lead:
        return lead * (lead - 1) // 2 + reply
    if reply == lead:
        return lead
    return lead * (top - 1) - lead * (lead - 1) // 2 + reply - lead - 1


@register_jitable
def look_up(numbers: npt.NDArray[np.int64], parts: npt.NDArray[np.uint16], view: View) -> int:
    """`consult`, given the numbers of the header and the policies."""
    top = numbers[TOP]
    if view.top != top or view.target != numbers[TARGET] or view.players != 2:
        return 0
    # The cards on the table, in order.
    dealer = view.is_dealer
    e1, e2, e3 = view.their_played if dealer else view.played
    d1, d2, d3 = view.played if dealer else view.their_played
    level = int(e1 > 0) + int(e2 > 0) + int(e3 > 0) + int(d1 > 0) + int(d2 > 0) + int(d3 > 0)
    first, second = 3, 3
    lead2, reply2 = 0, 0
    led3 = max(e3, d3)
    if level >= 2:
        first = pattern_of(e1, d1)
        lead2, reply2 = (d2, e2) if first == 2 else (e2, d2)
    if level >= 4:
        second = pattern_of(lead2, reply2)
    key = key_of(view.said, view.asked, level, first, second)
    # Find the node.
    low, high = 0, numbers[NODES]
    begin = numbers[FIRST_NODE]
    while low < high:
        middle = (low + high) // 2
        if numbers[begin + NODE_WIDTH * middle] < key:
            low = middle + 1
        else:
            high = middle
    node = begin + NODE_WIDTH * low
    if low == numbers[NODES] or numbers[node] != key:
        return 0
    words, plays, size = numbers[node + N_WORDS], numbers[node + N_PLAYS], numbers[node + SIZE]
    puts = numbers[node + WORD_ACTIONS] == PUT
    if (plays > 0) != view.may_play or puts != view.may_put:
        return 0  # in other rules something else may be done here
    # The hand still held, as a number, and the public position.
    a, b, c = 0, 0, 0
    for card in view.cards:
        if card > 0:
            if a == 0:
                a = card
            elif b == 0:
                b = card
            else:
                c = card
    public, hand = 0, 0
    if level < 5:
        if c > 0:
            hand = (a + 1) * a * (a - 1) // 6 + b * (b - 1) // 2 + c - 1
        elif b > 0:
            hand = a * (a - 1) // 2 + b - 1
        else:
            hand = a - 1
    elif a == 0:
        hand = led3 - 1
    else:
        hand = pattern_of(led3, a) * top + led3 - 1
    if level == 1:
        public = e1 - 1
    elif level == 3:
        public = max(lead2, reply2) - 1
    elif level >= 4:
        public = pair_number(top, lead2 - 1, reply2 - 1)
    mine, theirs, legs, their_legs = view.score, view.their_score, view.legs, view.their_legs
    if dealer:
        mine, theirs, legs, their_legs = theirs, mine, their_legs, legs
    games = numbers[LEGS]
    place = ((mine * view.target + theirs) * games + legs) * games + their_legs
    score = numbers[SCORES + place]
    if score < 0:
        return 0
    chunk = pair_number(top, e1 - 1, d1 - 1) if level >= 2 else 0
    others = words + plays - 1
    place = ((chunk * numbers[node + PUBLIC] + public) * size + hand) * others
    at = score * numbers[NUMBERS] + numbers[node + BASE] + place
    # Draw one of the other actions, or else the first.
    sought = view.luck * numbers[LEVELS]
    chosen = 0
    for other in range(others):
        share = int(parts[at + other])
        if sought < share:
            chosen = other + 1
            break
        sought -= share
    if chosen < words:
        return int(numbers[node + WORD_ACTIONS + chosen])
    slot = chosen - words
    return a if slot == 0 else (b if slot == 1 else c)


@overload(consult)
def _consult(table, view):
    def compiled(table, view):
        head = carray(address_as_lane(table), SCORES)
        header = carray(address_as_lane(table), head[FIRST_NODE] + NODE_WIDTH * head[NODES])
        scores = (head[TARGET] * head[LEGS]) ** 2
        parts = carray(address_as_parts(table + head[POLICIES]), scores * head[NUMBERS])
        return look_up(header, parts, view)

    return compiled

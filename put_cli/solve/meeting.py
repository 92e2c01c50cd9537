"""Two players meet over one hand, compiled: what they do wherever they get, and how hands end.

The strategies are asked, through the lane and the View of the kernel, at every information set
that both can reach; the answers become a policy. What a strategy leaves to `view.luck` is
integrated: it is asked at GRID evenly spaced points of [0, 1), and wherever two neighbours give
different answers the place of the change is bisected to 2^-53. An interval shorter than 1/GRID
that holds no point of the grid, with the same answer on both sides of it, is not seen.

Eldest's chances flow down by themselves, the dealer's weighed with the cards left; where a hand
ends their product is the probability of that ending.
"""

from numba import njit

from put_cli.engine import lanes as ln
from put_cli.engine.intrinsics import call_method
from put_cli.engine.luck import source_of_luck
from put_cli.engine.tables import NEXT, TAKERS
from put_cli.engine.view import write_ask
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, Act
from put_cli.solve.downward import ALIVE, down
from put_cli.solve.endings import ending_values
from put_cli.solve.kept import keep
from put_cli.solve.tree import (
    ACTOR,
    HELD_E,
    LAST_LEAD,
    LEAF,
    LEFT,
    LEVEL,
    PATTERN,
    PAYOFF,
    PLAYS,
    PUBLIC,
    REACH_E,
    REPLY,
    SAID,
    SIZE_E,
    STATE,
    STRATEGY,
    WORDS,
)
from put_cli.solve.upward import last_reply
from put_cli.solve.vectors import piece
from put_cli.strategy import PUT, SEE, THROW

GRID = 32
"""Points at which a strategy's use of luck is looked at; a power of two."""
WHOLE = 1 << 53
LUCK, LANE_SAID = ln.LUCK, ln.WORDS
CARDS, PLAYED, PLAYS_OF, LED, LANE_STATE = ln.CARDS, ln.PLAYED, ln.PLAYS, ln.LED, ln.STATE
A_PUT, A_SEE, A_THROW = int(Act.PUT), int(Act.SEE), int(Act.THROW)

WRONG = -1
"""The place of an action that is not allowed."""

MOST_CARDS = 5
"""Cards that can lie on the table at a decision."""


@piece
def digits_at(row, i, first, second, pairs, lane_card, out):
    """The ranks on the table at a public position, in order, into `out` (5,)."""
    level = row[LEVEL]
    if level == 1:
        out[0] = i
    elif level == 2:
        out[0], out[1] = first, second
    elif level == 3:
        out[0], out[1], out[2] = first, second, i
    elif level >= 4:
        out[0], out[1] = first, second
        out[2], out[3] = pairs[row[PATTERN], i, 0], pairs[row[PATTERN], i, 1]
        out[4] = lane_card


@piece
def seat_down(lane, row, state, seat, digits, hand, held_cards):
    """Set the lane to where a player of `seat` stands who still holds this hand.

    `held_cards` (hands, 3) are the cards of the hands of his size.
    """
    level = row[LEVEL]
    leader = ELDEST
    for chair in range(2):
        for trick in range(3):
            lane[PLAYED + 3 * chair + trick] = 0
        lane[PLAYS_OF + chair] = 0
    for place in range(level):
        trick = place // 2
        if place % 2 == 0 and trick > 0:
            taker = state[TAKERS + trick - 1]
            leader = taker if taker < 2 else leader
        chair = leader if place % 2 == 0 else 1 - leader
        lane[PLAYED + 3 * chair + trick] = digits[place] + 1
        lane[PLAYS_OF + chair] = trick + 1
    lane[LED] = digits[level - 1] + 1 if level % 2 else 0
    lane[LANE_STATE] = row[STATE]
    lane[LANE_SAID] = row[SAID]
    # The cards as dealt, best first, with 0 where played.
    own = CARDS + 3 * seat
    played = lane[PLAYS_OF + seat]
    for k in range(played):
        lane[own + k] = lane[PLAYED + 3 * seat + k]
    for k in range(3 - played):
        lane[own + played + k] = held_cards[hand, k] + 1
    for k in range(2):
        for m in range(2 - k):
            if lane[own + m] < lane[own + m + 1]:
                lane[own + m], lane[own + m + 1] = lane[own + m + 1], lane[own + m]
    for k in range(played):
        for m in range(3):
            if lane[own + m] == lane[PLAYED + 3 * seat + k]:
                lane[own + m] = 0
                break


@piece
def possible(now, hand, held_cards):
    """Whether the pack, of which `now` is left, has these cards."""
    for k in range(3):
        card = held_cards[hand, k]
        if card >= 0:
            same = 0
            for m in range(3):
                same += held_cards[hand, m] == card
            if now[card] < same:
                return False
    return True


@piece
def place_of(row, state, action, hand, held_cards):
    """The place of an action among those of the node, or WRONG."""
    words = 0
    for act, word in ((A_PUT, PUT), (A_SEE, SEE), (A_THROW, THROW)):
        if state[NEXT + act] >= 0:
            if action == word:
                return words
            words += 1
    if row[PLAYS] > 0:
        for k in range(3):
            if held_cards[hand, k] >= 0 and held_cards[hand, k] + 1 == action:
                return words + k
    return WRONG


@piece
def answer(code, lane, row, state, parameters, seat, bits, hand, held_cards):
    """The place of what a compiled strategy does with the luck bits * 2^-53."""
    lane[LUCK + seat] = source_of_luck(bits)
    action = call_method(code, lane.ctypes.data, state.ctypes.data, parameters, seat, 1 - seat)
    return place_of(row, state, action, hand, held_cards)


@piece
def ask(code, lane, row, state, parameters, seat, hand, held_cards, policy, p, step, lucky):
    """Add the probabilities of a compiled strategy's actions at one information set to `policy`.

    That of its first action stands at `p`, the others `step` apart.

    Returns whether all its answers were allowed.
    """
    low = 0
    here = answer(code, lane, row, state, parameters, seat, low, hand, held_cards)
    if here == WRONG:
        return False
    width = WHOLE // GRID if lucky else WHOLE
    target = width
    while low < WHOLE - 1:
        till = min(target, WHOLE - 1)
        there = here
        if lucky:
            there = answer(code, lane, row, state, parameters, seat, till, hand, held_cards)
        if there == WRONG:
            return False
        if there == here:
            policy[p + here * step] += (till - low) / WHOLE
            low = till
            target += width
            continue
        # The last point with the answer of `low` lies between; it may not be the only change.
        same, other = low, till
        while other - same > 1:
            middle = (same + other) // 2
            found = answer(code, lane, row, state, parameters, seat, middle, hand, held_cards)
            if found == WRONG:
                return False
            if found == here:
                same = middle
            else:
                other, there = middle, found
        policy[p + here * step] += (other - low) / WHOLE
        low, here = other, there
        if low == till:
            target += width
    policy[p + here * step] += (WHOLE - low) / WHOLE
    return True


@piece
def answered(policy, p, actions, step):
    """Whether the policy says what is done at an information set."""
    total = 0.0
    for a in range(actions):
        total += policy[p + a * step]
    return total > 0


@piece
def comes_here(row, i, seat, reach):
    """Whether a player can get to a public position with any hand."""
    total = 0.0
    for h in range(row[SIZE_E + seat]):
        total += reach[seat, row[REACH_E + seat] + h * row[PUBLIC] + i]
    return total > 0


@piece
def positions(
    pack, nodes, s, left, first, second, states, reach, live, now, digits, lane, policy, codes,
    parameters, lucky, asks, lucks, found,
):  # fmt: skip
    """Ask about everything that can come up at node `s`.

    `reach`, `live` are by seat. A compiled strategy (`codes` by seat, 1 for in Python, 0 for
    somebody who needs not be asked) answers into `policy`; for one in Python the asks are
    written down, with their place in the policy in `found`. Returns how many, or -1 - state for
    a wrong answer.
    """
    row = nodes[s]
    seat = row[ACTOR]
    waiting = 0
    if seat == NOBODY or row[LEAF] or row[STRATEGY] < 0 or codes[seat] == 0:
        return waiting
    if live[ELDEST, s] != ALIVE or live[DEALER, s] != ALIVE:
        return waiting
    state, one = states[row[STATE]], pack.one
    size, held, level, n = row[SIZE_E + seat], row[HELD_E + seat], row[LEVEL], row[PUBLIC]
    cards = pack.cards[held]
    actions = row[WORDS] + row[PLAYS]
    for i in range(n):
        if not comes_here(row, i, 1 - seat, reach):
            continue
        for c in range(pack.top):
            now[c] = left[row[LEFT] + c * n + i]
        for h in range(size):
            if reach[seat, row[REACH_E + seat] + h * n + i] == 0:
                continue
            hand = h
            card = 0
            if level == LAST_LEAD:
                card = h % pack.top
                hand = h // pack.top if held else 0
                now[card] -= one
                fits = now[card] >= 0 and possible(now, hand, cards)
                now[card] += one
            else:
                fits = possible(now, hand, cards)
            p = row[STRATEGY] + h * n + i
            if not fits or answered(policy, p, actions, size * n):
                continue
            digits_at(row, i, first, second, pack.pairs, card, digits)
            seat_down(lane, row, state, seat, digits, hand, cards)
            if codes[seat] == 1:
                write_ask(lane, state, 0, seat, 1 - seat, 0, asks, lucks, waiting, False)
                found[waiting, 0] = p
                found[waiting, 1] = size * n
                waiting += 1
            elif not ask(
                codes[seat], lane, row, state, parameters[seat], seat, hand, cards, policy, p,
                size * n, lucky[seat],
            ):  # fmt: skip
                return -1 - s
    return waiting


@piece
def count_endings(pack, nodes, first, end, left, reach, live, values, rows, policy, endings):
    """Add the probability of each ending, as counterfactual sums, to `endings`."""
    for s in range(first, end):
        row = nodes[s]
        if row[LEAF] or (row[ACTOR] != NOBODY and not (row[LEVEL] == LAST_LEAD and row[PLAYS])):
            continue
        if live[ELDEST, s] != ALIVE or live[DEALER, s] != ALIVE:
            continue
        n = row[PUBLIC]
        q, r = row[REACH_E + DEALER], row[REACH_E + ELDEST]
        if row[ACTOR] == NOBODY:
            ending_values(pack, row, ELDEST, left, reach[DEALER], q, values, 0, rows, pack.one)
            for x in range(row[SIZE_E] * n):
                endings[row[PAYOFF]] += reach[ELDEST, r + x] * values[x]
            continue
        size = row[SIZE_E + row[ACTOR]]
        kinds = size // pack.top
        theirs, mine = (r, q) if row[ACTOR] == DEALER else (q, r)
        p = row[STRATEGY] + row[WORDS] * size * n
        for h in range(size):
            c = h % pack.top
            ending = row[REPLY + last_reply(kinds, h // pack.top, c)]
            for i in range(n):
                chance = reach[row[ACTOR], mine + h * n + i]
                chance *= reach[1 - row[ACTOR], theirs + c * n + i]
                if row[STRATEGY] >= 0:
                    chance *= policy[p + h * n + i]
                endings[ending] += chance


@keep
@njit(nogil=True, _nrt=False)
def meet(
    pack, nodes, first, end, asking, going, counting, first_card, second_card, states, reach, live,
    now, digits, lane, values, rows, policy, codes, parameters, lucky, asks, lucks, found, endings,
):  # fmt: skip
    """Nodes `first` to `end` of a chunk: ask, go on down, and count the endings, as told.

    `first_card` and `second_card` are the first trick of the chunk, -1 in part 0; `policy` is its
    block; `reach` and `live` are by seat, in the workspace of the part. Returns what `positions`
    does, of the last node that asked.
    """
    left = pack.left[0 if first_card < 0 else 1 + first_card * pack.top + second_card]
    waiting = 0
    for s in range(first, end):
        if asking:
            waiting = positions(
                pack, nodes, s, left, first_card, second_card, states, reach, live, now, digits,
                lane, policy, codes, parameters, lucky, asks, lucks, found,
            )  # fmt: skip
            if waiting < 0:
                return waiting
        if going:
            for seat in range(2):
                down(
                    pack, nodes, s, seat, left, seat == DEALER, reach[seat], live[seat], rows,
                    policy, policy, pack.one - pack.one,
                )  # fmt: skip
    if counting:
        count_endings(pack, nodes, first, end, left, reach, live, values, rows, policy, endings)
    return waiting

"""Two sweeps over the public tree, compiled: chances down, values up.

`run` is the whole interface: stage TOP_DOWN, then CHUNKS over all chunks (in any order, by any
number of threads), then TOP_UP. `Task.seat` is the player whose values are computed; of the other
the chances of getting to each node (his own actions alone, weighed by the cards left for what lies
on the table) flow down. What happens at the decisions of `seat` is the mode:

    EVALUATE  he plays the policy
    BEST      he plays the best action with every hand
    LEARN     he plays the policy, and then regret matching changes it

Values are counterfactual: of a hand at a node, summed over the other's hands with their chances
and the ways to deal them (`cards.py`); divide by `deals` for chances.

In LEARN regrets never fall below zero (regret matching+, Tammelin 2014), and those of before count
only `fade` times (discounting, Brown and Sandholm, AAAI 2019). What the other can no longer reach
is left out.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from put_cli.engine.intrinsics import line
from put_cli.rules.machine import NOBODY
from put_cli.solve.endings import ending_values, showdown
from put_cli.solve.kept import keep
from put_cli.solve.pack import AS_LEAD, Floats
from put_cli.solve.tree import (
    ACTOR,
    EQUAL,
    HELD_E,
    HIGHER,
    LAST_LEAD,
    LEAD,
    LEAF,
    LEFT,
    LEVEL,
    LOWER,
    PATTERN,
    PAYOFF,
    PLAYS,
    PUBLIC,
    REACH_E,
    REPLY,
    SHOWDOWN,
    SIZE_E,
    STRATEGY,
    VECTOR_E,
    WORD,
    WORDS,
)
from put_cli.solve.vectors import add, add_product, clear, copy, gather, multiply, piece, scale

EVALUATE, BEST, LEARN = range(3)
TOP_DOWN, CHUNKS, TOP_UP = range(3)
FORGOTTEN, DEAD, ALIVE = range(3)
"""Marks of a node: nobody asks for its values; they are 0; they are to be computed."""

NOTHING = np.float32(1e-30)
"""Regrets that add up to less count as none: dividing by them would overflow in float32."""
IMPOSSIBLE = np.float32(-1e30)
"""What an action is worth that is not allowed."""

# Columns of `parts`, int64.
FIRST, END, BLOCK, POLICY, ROOT_LEAF = range(5)


class Task(NamedTuple):
    """What a sweep computes."""

    seat: int
    mode: int
    payoffs: Floats
    """(endings,): what each is worth to `seat`."""
    policy: Floats
    """(policy,) what both play; LEARN changes it."""
    regrets: Floats
    """(policy,) or (1,): changed by LEARN; in the other modes they get what each action of `seat`
    is worth, if there is room."""
    average: Floats
    """(policy,): gets the probabilities of the other, times `weight` and his chance of getting
    there, unless `weight` is 0."""
    weight: Any
    fade: Any


class Workspace(NamedTuple):
    """The vectors of one part, and scratch."""

    reach: Floats
    values: Floats
    live: npt.NDArray[np.int8]
    """(nodes,) marks."""
    gains: Floats
    """What each action is worth, at one node."""
    rows: Floats


@piece
def spread_lead(pack, row, child, seat, left, weigh, reach, rows):
    """The replier's chances at level 5 from those at level 4: by class (or card) and led card."""
    n, top, none = row[PUBLIC], pack.top, pack.one - pack.one
    q, t, at = row[REACH_E + seat], child[REACH_E + seat], row[LEFT]
    beyond = line(rows, 0, 0, n)
    if child[SIZE_E + seat] == 3 * top:
        clear(beyond)
        for c in range(top):
            cards, chance = line(left, at, c, n), line(reach, q, c, n)
            copy(line(reach, t, c, n), beyond)
            equal = line(reach, t, top + c, n)
            for i in range(n):
                equal[i] = max(cards[i] - pack.one, none) * chance[i]
            add_product(beyond, cards, chance)
        clear(beyond)
        for c in range(top - 1, -1, -1):
            copy(line(reach, t, 2 * top + c, n), beyond)
            add_product(beyond, line(left, at, c, n), line(reach, q, c, n))
    else:
        for k in range(top):
            cards, chance = line(left, at, k, n), line(reach, q, k, n)
            for c in range(top):
                same = pack.one if k == c else none
                out = line(reach, t, k * top + c, n)
                for i in range(n):
                    out[i] = max(cards[i] - same, none) * chance[i]
    if weigh:
        for k in range(child[SIZE_E + seat] // top):
            multiply(line(reach, t, k, top * n), line(left, at, 0, top * n))


@piece
def gather_lead(pack, row, child, seat, left, values, rows):
    """The replier's values at level 4 from those at level 5; adds to `values`."""
    n, top = row[PUBLIC], pack.top
    v, t, at = row[VECTOR_E + seat], child[VECTOR_E + seat], row[LEFT]
    beyond = line(rows, 0, 0, n)
    if child[SIZE_E + seat] == 3 * top:
        clear(beyond)
        for c in range(top):  # led cards worse than his own: he replies higher
            add_product(line(values, v, c, n), line(left, at, c, n), beyond)
            add(beyond, line(values, t, 2 * top + c, n))
        clear(beyond)
        for c in range(top - 1, -1, -1):
            out, cards = line(values, v, c, n), line(left, at, c, n)
            equal = line(values, t, top + c, n)
            for i in range(n):
                out[i] += cards[i] * beyond[i] + (cards[i] - pack.one) * equal[i]
            add(beyond, line(values, t, c, n))
        return
    for k in range(top):
        out, cards = line(values, v, k, n), line(left, at, k, n)
        for c in range(top):
            same = pack.one if k == c else pack.one - pack.one
            then = line(values, t, k * top + c, n)
            for i in range(n):
                out[i] += (cards[i] - same) * then[i]


@piece
def choices(pack, row, seat, left, weigh, reach, policy, out):
    """Into `out`, how probable each card from each hand is at a decision of `seat`."""
    n, size, held = row[PUBLIC], row[SIZE_E + seat], row[HELD_E + seat]
    many = size * n
    for slot in range(row[PLAYS]):
        shares = line(out, 0, slot, many)
        copy(shares, line(reach, row[REACH_E + seat], 0, many))
        if row[STRATEGY] >= 0:
            multiply(shares, line(policy, row[STRATEGY], row[WORDS] + slot, many))
        if weigh:
            for h in range(size):
                cards = line(left, row[LEFT], pack.cards[held, h, slot], n)
                multiply(line(shares, 0, h, n), cards)


@piece
def lay_down(pack, row, child, seat, left, weigh, reach, rows, how):
    """One player's chances once a card is laid, as `how` says; of the actor's cards `rows` are
    the `choices`."""
    n = child[PUBLIC]
    if row[ACTOR] == seat:
        many = child[SIZE_E + seat] * n
        places = line(pack.chosen, pack.starts[row[HELD_E + seat], how], 0, many)
        gather(line(reach, child[REACH_E + seat], 0, many), rows, places)
        return
    for r in range(child[SIZE_E + seat]):
        chance = line(reach, row[REACH_E + seat], r, row[PUBLIC])
        out, before = line(reach, child[REACH_E + seat], r, n), pack.before[how]
        gather(out, chance, before)
        if weigh:
            cards = line(left, row[LEFT], 0, pack.top * row[PUBLIC])
            for j in range(n):
                out[j] *= cards[pack.card[how, j]]


@piece
def mark(live, number, child, own, seat, reach):
    """Note whether a player can get to a node; the other's doing does not change it."""
    live[number] = ALIVE
    if own:
        chance = line(reach, child[REACH_E + seat], 0, child[SIZE_E + seat] * child[PUBLIC])
        total = chance[0]
        for x in range(1, len(chance)):
            total += chance[x]
        if total <= 0:
            live[number] = DEAD


@piece
def down(pack, nodes, s, seat, left, weigh, reach, live, rows, policy, average, weight):
    """One player's chances at all nodes after node `s`; `seat` is whose they are.

    `policy` and `average` are the chunk's blocks. `weigh` counts in the ways to take what lies on
    the table from the pack, which one of two players does.
    """
    row = nodes[s]
    if row[ACTOR] == NOBODY or row[LEAF] or row[SHOWDOWN] or live[s] != ALIVE:
        return
    own, chosen = row[ACTOR] == seat, row[STRATEGY] >= 0
    words, plays, level = row[WORDS], row[PLAYS], row[LEVEL]
    many, p = row[SIZE_E + seat] * row[PUBLIC], row[STRATEGY]
    chance = line(reach, row[REACH_E + seat], 0, many)
    if own and chosen and weight > 0:
        for a in range(words + plays):
            sums, shares = line(average, p, a, many), line(policy, p, a, many)
            for x in range(many):
                sums[x] += weight * chance[x] * shares[x]
    for w in range(words):
        number = row[WORD + w]
        child = nodes[number]
        if own:
            out = line(reach, child[REACH_E + seat], 0, many)
            copy(out, chance)
            if chosen:
                multiply(out, line(policy, p, w, many))
        mark(live, number, child, own, seat, reach)
    if plays == 0 or level == LAST_LEAD:
        return
    if level == LAST_LEAD - 1:
        number = row[LEAD]
        child = nodes[number]
        if own:
            out = line(reach, child[REACH_E + seat], 0, many)
            copy(out, chance)
            if weigh:
                multiply(out, line(left, row[LEFT], 0, many))
            if chosen:
                multiply(out, line(policy, p, words, many))
        else:
            spread_lead(pack, row, child, seat, left, weigh, reach, rows)
        mark(live, number, child, own, seat, reach)
        return
    if own:
        choices(pack, row, seat, left, weigh, reach, policy, rows)
    first, last = (AS_LEAD, AS_LEAD + 1) if row[LEAD] >= 0 else (LOWER, HIGHER + 1)
    for how in range(first, last):
        number = row[REPLY + how] if row[LEAD] < 0 else row[LEAD]
        lay_down(pack, row, nodes[number], seat, left, weigh, reach, rows, how)
        mark(live, number, nodes[number], own, seat, reach)


@piece
def lay_up(pack, nodes, row, seat, values, gains):
    """The values of `seat` at a node of level 0 to 3 from those once a card is laid.

    At a decision of his own they are what these actions are worth, elsewhere they are summed.
    """
    many = row[SIZE_E + seat] * row[PUBLIC]
    worth = line(gains, row[WORDS] * many, 0, row[PLAYS] * many)
    first, last = (AS_LEAD, AS_LEAD + 1) if row[LEAD] >= 0 else (LOWER, HIGHER + 1)
    for how in range(first, last):
        child = nodes[row[REPLY + how] if row[LEAD] < 0 else row[LEAD]]
        n, size = child[PUBLIC], child[SIZE_E + seat]
        if row[ACTOR] == seat:
            then = line(values, child[VECTOR_E + seat], 0, size * n)
            places = line(pack.chosen, pack.starts[row[HELD_E + seat], how], 0, size * n)
            for x in range(size * n):
                worth[places[x]] = then[x]
        else:
            for r in range(size):
                out = line(values, row[VECTOR_E + seat], r, row[PUBLIC])
                then = line(values, child[VECTOR_E + seat], r, n)
                for j in range(n):
                    out[pack.before[how, j]] += then[j]


@piece
def answered(pack, nodes, row, task, left, space, policy):
    """The values of `seat` where the other decides: summed over what he does; adds to `values`."""
    seat, n = task.seat, row[PUBLIC]
    values = space.values
    many = row[SIZE_E + seat] * n
    out = line(values, row[VECTOR_E + seat], 0, many)
    for w in range(row[WORDS]):
        add(out, line(values, nodes[row[WORD + w]][VECTOR_E + seat], 0, many))
    if row[PLAYS] == 0:
        return
    if row[LEVEL] == LAST_LEAD:
        kinds = row[SIZE_E + 1 - seat] // pack.top
        p = row[STRATEGY] + row[WORDS] * row[SIZE_E + 1 - seat] * n
        for k in range(kinds):
            for c in range(pack.top):
                pay = task.payoffs[row[REPLY + last_reply(kinds, k, c)]]
                here = line(out, 0, c, n)
                chance = line(space.reach, row[REACH_E + 1 - seat], k * pack.top + c, n)
                if row[STRATEGY] >= 0:
                    shares = line(policy, p, k * pack.top + c, n)
                    for i in range(n):
                        here[i] += pay * chance[i] * shares[i]
                else:
                    for i in range(n):
                        here[i] += pay * chance[i]
    elif row[LEVEL] == LAST_LEAD - 1:
        gather_lead(pack, row, nodes[row[LEAD]], seat, left, values, space.rows)
    else:
        lay_up(pack, nodes, row, seat, values, space.gains)


@piece
def last_reply(kinds, k, lead):
    """How the last reply compares: to this led card, with what is number k of `kinds`."""
    if kinds == 3:
        return k
    return EQUAL if k == lead else (LOWER if k < lead else HIGHER)


@piece
def weigh_actions(pack, nodes, row, task, space):
    """What each action of `seat` is worth at his own decision, into `gains`."""
    seat, values, gains, n = task.seat, space.values, space.gains, row[PUBLIC]
    size, words = row[SIZE_E + seat], row[WORDS]
    many = size * n
    for w in range(words):
        copy(line(gains, 0, w, many), line(values, nodes[row[WORD + w]][VECTOR_E + seat], 0, many))
    if row[PLAYS] == 0:
        return
    if row[LEVEL] == LAST_LEAD:
        kinds = size // pack.top
        for k in range(kinds):
            for c in range(pack.top):
                pay = task.payoffs[row[REPLY + last_reply(kinds, k, c)]]
                out = line(gains, words * many, k * pack.top + c, n)
                scale(out, line(space.reach, row[REACH_E + 1 - seat], c, n), pay)
    elif row[LEVEL] == LAST_LEAD - 1:
        then = line(values, nodes[row[LEAD]][VECTOR_E + seat], 0, many)
        copy(line(gains, 0, words, many), then)
    else:
        lay_up(pack, nodes, row, seat, values, gains)
        held = row[HELD_E + seat]
        for slot in range(row[PLAYS]):
            for h in range(size):
                if pack.legal[held, slot, h] == 0:
                    out = line(gains, (words + slot) * many, h, n)
                    for i in range(n):
                        out[i] = IMPOSSIBLE


@piece
def rematch(pack, row, task, space, policy, regrets):
    """Regret matching: the policy of the next iteration at a node, from what actions are worth."""
    size, words, n = row[SIZE_E + task.seat], row[WORDS], row[PUBLIC]
    many, p = size * n, row[STRATEGY]
    actions = words + row[PLAYS]
    values = line(space.values, row[VECTOR_E + task.seat], 0, many)
    totals = line(space.rows, 0, 0, many)
    zero, fade = pack.one - pack.one, task.fade
    clear(totals)
    for a in range(actions):
        own, gains = line(regrets, p, a, many), line(space.gains, 0, a, many)
        for x in range(many):
            regret = fade * own[x] + gains[x] - values[x]
            regret = regret if regret > 0 else zero
            own[x] = regret
            totals[x] += regret
    smallest = totals[0]
    for x in range(many):
        smallest = min(smallest, totals[x])
        totals[x] = pack.one / totals[x] if totals[x] > NOTHING else zero
    for a in range(actions):
        shares, own = line(policy, p, a, many), line(regrets, p, a, many)
        for x in range(many):
            shares[x] = own[x] * totals[x]
    if smallest > NOTHING:
        return
    # No regrets to go by: everything allowed alike. Of the last card there is one place.
    held = row[HELD_E + task.seat]
    for h in range(size):
        choices = words * pack.one
        for slot in range(row[PLAYS]):
            choices += pack.legal[held, slot, h]
        for x in range(h * n, (h + 1) * n):
            if totals[x] == 0:
                for a in range(actions):
                    can = pack.one if a < words else pack.legal[held, a - words, h] * pack.one
                    policy[p + a * many + x] = can / choices


@piece
def decide(pack, row, task, space, policy, regrets):
    """The values of `seat` at his own decision, from what each action is worth."""
    many, p = row[SIZE_E + task.seat] * row[PUBLIC], row[STRATEGY]
    gains = space.gains
    values = line(space.values, row[VECTOR_E + task.seat], 0, many)
    actions = row[WORDS] + row[PLAYS]
    if actions == 1:
        copy(values, line(gains, 0, 0, many))
        return
    if task.mode != LEARN and len(regrets) > 1:
        copy(line(regrets, p, 0, actions * many), line(gains, 0, 0, actions * many))
    if task.mode == BEST:
        copy(values, line(gains, 0, 0, many))
        for a in range(1, actions):
            worth = line(gains, 0, a, many)
            for x in range(many):
                values[x] = max(values[x], worth[x])
        return
    clear(values)
    for a in range(actions):
        add_product(values, line(policy, p, a, many), line(gains, 0, a, many))
    if task.mode == LEARN:
        rematch(pack, row, task, space, policy, regrets)


@piece
def values_at(pack, nodes, s, task, left, space, policy, regrets):
    """The values of `seat` at a node, from those after it."""
    seat = task.seat
    row, payoffs, values = nodes[s], task.payoffs, space.values
    if row[LEAF] or space.live[s] == FORGOTTEN:
        return
    v, q = row[VECTOR_E + seat], row[REACH_E + 1 - seat]
    if space.live[s] == DEAD or (row[ACTOR] == 1 - seat and not row[SHOWDOWN]):
        clear(line(values, v, 0, row[SIZE_E + seat] * row[PUBLIC]))
    if space.live[s] == DEAD:
        return
    if row[SHOWDOWN]:
        last = nodes[row[LEAD]]
        worse, better = payoffs[last[REPLY + LOWER]], payoffs[last[REPLY + HIGHER]]
        if row[ACTOR] != seat:  # to a better lead his own reply is the lower
            worse, better = better, worse
        equal = payoffs[last[REPLY + EQUAL]]
        showdown(pack, row, left, space.reach, q, values, v, space.rows, worse, equal, better)
    elif row[ACTOR] == NOBODY:
        pay = payoffs[row[PAYOFF]]
        ending_values(pack, row, seat, left, space.reach, q, values, v, space.rows, pay)
    elif row[ACTOR] == seat:
        weigh_actions(pack, nodes, row, task, space)
        decide(pack, row, task, space, policy, regrets)
    else:
        answered(pack, nodes, row, task, left, space, policy)


@piece
def enter(pack, nodes, leaf, first, number, task, top, space):
    """Carry the other's chances from a leaf of part 0 to the root of its part.

    Returns whether there is anything to compute.
    """
    other, n = 1 - task.seat, nodes[leaf, PUBLIC]
    mark = top.live[leaf]
    total = pack.one - pack.one
    if mark == ALIVE:
        q, r = nodes[leaf, REACH_E + other] + number, nodes[first, REACH_E + other]
        for h in range(nodes[leaf, SIZE_E + other]):
            space.reach[r + h] = top.reach[q + h * n]
            total += space.reach[r + h]
    if mark == DEAD or (mark == ALIVE and total == 0):
        for h in range(nodes[leaf, SIZE_E + task.seat]):
            top.values[nodes[leaf, VECTOR_E + task.seat] + number + h * n] = 0
    return total > 0


@keep
@njit(fastmath=True, nogil=True, _nrt=False)
def run(stage, low, high, pack, nodes, parts, chunks, task, top, space):
    """One stage of a sweep, for chunks `low` to `high`: 0 to 1, which is part 0, except of CHUNKS.

    `top` is the workspace of part 0, with the other's chances at the root filled in, `space` one
    of the calling thread, or `top` itself.
    """
    seat = task.seat
    for chunk in range(low, high):
        part, number = chunks[chunk, 0], chunks[chunk, 1]
        first, end = parts[part, FIRST], parts[part, END]
        leaf = parts[part, ROOT_LEAF]
        trick = 0
        if part > 0:
            if not enter(pack, nodes, leaf, first, number, task, top, space):
                continue
            pair = pack.pairs[nodes[leaf, PATTERN], number]
            trick = 1 + pair[0] * pack.top + pair[1]
        left = pack.left[trick]
        at = parts[part, POLICY] + number * parts[part, BLOCK]
        till = at + parts[part, BLOCK]
        policy, average, regrets = task.policy[at:till], task.average[at:till], task.regrets
        if len(regrets) > 1:
            regrets = regrets[at:till]
        if stage != TOP_UP:
            space.live[first:end] = FORGOTTEN
            space.live[first] = ALIVE
            for s in range(first, end):
                down(
                    pack, nodes, s, 1 - seat, left, True, space.reach, space.live, space.rows,
                    policy, average, task.weight,
                )  # fmt: skip
        if stage != TOP_DOWN:
            for s in range(end - 1, first - 1, -1):
                values_at(pack, nodes, s, task, left, space, policy, regrets)
        if part > 0:
            t, v = nodes[first, VECTOR_E + seat], nodes[leaf, VECTOR_E + seat] + number
            for h in range(nodes[leaf, SIZE_E + seat]):
                top.values[v + h * nodes[leaf, PUBLIC]] = space.values[t + h]

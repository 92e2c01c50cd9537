"""Up the public tree: what every hand is worth at each node, compiled.

`task` is a `sweep.Task`, `space` a `sweep.Workspace`; there too it says what is computed.
"""

import numpy as np

from put_cli.engine.intrinsics import line
from put_cli.rules.machine import NOBODY
from put_cli.solve.downward import DEAD, FORGOTTEN
from put_cli.solve.endings import ending_values, showdown
from put_cli.solve.pack import AS_LEAD
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
from put_cli.solve.vectors import add, add_product, clear, copy, piece, scale

EVALUATE, BEST, LEARN = range(3)
"""What happens at the decisions of the player whose values are computed, see `sweep.py`."""

NOTHING = np.float32(1e-30)
"""Regrets that add up to less count as none: dividing by them would overflow in float32."""
IMPOSSIBLE = np.float32(-1e30)
"""What an action is worth that is not allowed."""


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

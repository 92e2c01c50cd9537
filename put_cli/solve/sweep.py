"""Two sweeps over the public tree, compiled: chances down, values up.

`run` is the whole interface: stage TOP_DOWN, then CHUNKS over all chunks (in any order, by any
number of threads), then TOP_UP. `seat` is the player whose values are computed, `1 - seat` the
other, whose chances of getting to each node (his own actions alone, weighed by the cards left for
what lies on the table) flow down. What happens at the decisions of `seat` is the mode:

    EVALUATE  he plays the policy
    BEST      he plays the best action with every hand
    LEARN     he plays the policy, and then regret matching changes it

Values are counterfactual: of a hand at a node, summed over the other's hands with their chances
and the ways to deal them (`cards.py`); divide by `deals` for chances.

In LEARN regrets never fall below zero (regret matching+, Tammelin 2014), and those of before count
only `fade` times (discounting, Brown and Sandholm, AAAI 2019). What the other can no longer reach
is left out.
"""

import numpy as np
from numba import njit

from put_cli.rules.machine import NOBODY
from put_cli.solve.kept import keep
from put_cli.solve.tree import (
    ACTOR,
    EQUAL,
    HELD_E,
    HIGHER,
    LAST_LEAD,
    LEAD,
    LEAF,
    LEVEL,
    LIVE,
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

EVALUATE, BEST, LEARN = range(3)
TOP_DOWN, CHUNKS, TOP_UP = range(3)
FORGOTTEN, DEAD, ALIVE = range(3)
"""Marks of a public position: nobody asks for its values; they are 0; they are to be computed."""

NOTHING = np.float32(1e-30)
"""Regrets that add up to less count as none: dividing by them would overflow in float32."""

# Columns of `parts`, int64.
FIRST, END, BLOCK, POLICY, ROOT_LEAF = range(5)

_piece = njit(fastmath=True, nogil=True, _nrt=False)


@_piece
def reply_pattern(lead, reply):
    """How a reply compares."""
    return EQUAL if reply == lead else (LOWER if reply < lead else HIGHER)


@_piece
def pair_number(top, lead, reply):
    """The number of a pair among those of its pattern."""
    if reply < lead:
        return lead * (lead - 1) // 2 + reply
    if reply == lead:
        return lead
    return lead * (top - 1) - lead * (lead - 1) // 2 + reply - lead - 1


@_piece
def left_at(row, i, pairs, left, out, one):
    """Into `out`: cards of each rank that are not on the table at public position i.

    `left` are those when the part begins.
    """
    for c in range(len(left)):
        out[c] = left[c]
    level = row[LEVEL]
    if level == 1 or level == 3:
        out[i] -= one
    elif level >= 4:
        out[pairs[row[PATTERN], i, 0]] -= one
        out[pairs[row[PATTERN], i, 1]] -= one


@_piece
def after_reply(row, top, lead, card):
    """The node and the public position after a reply at level 1 or 3."""
    return row[REPLY + reply_pattern(lead, card)], pair_number(top, lead, card)


@_piece
def spread_lead(target, at, size, top, vector, start, left, weigh, one):
    """The replier's chances at level 5 from those at level 4: by class (or card) and led card."""
    if size == 3 * top:
        below = one - one
        for c in range(top):
            led = left[c] if weigh else one
            target[at + c] = led * below
            target[at + top + c] = led * (left[c] - one) * vector[start + c]
            below += left[c] * vector[start + c]
        above = one - one
        for c in range(top - 1, -1, -1):
            led = left[c] if weigh else one
            target[at + 2 * top + c] = led * above
            above += left[c] * vector[start + c]
        return
    for k in range(top):
        for c in range(top):
            led = left[c] if weigh else one
            ways = left[k] if k != c else left[k] - one
            target[at + k * top + c] = led * ways * vector[start + k]


@_piece
def gather_lead(values, at, size, top, out, start, left, one):
    """The replier's values at level 4 from those at level 5; adds to `out`."""
    if size == 3 * top:
        below = one - one
        for k in range(top):  # led cards worse than his own: his reply is the higher
            out[start + k] += left[k] * below
            below += values[at + 2 * top + k]
        above = one - one
        for k in range(top - 1, -1, -1):
            out[start + k] += left[k] * above + (left[k] - one) * values[at + top + k]
            above += values[at + k]
        return
    for k in range(top):
        for c in range(top):
            ways = left[k] if k != c else left[k] - one
            out[start + k] += ways * values[at + k * top + c]


@_piece
def ending_values(row, i, seat, top, reach, q, values, v, pay, left, cards, join, full, pack, one):
    """Values where a hand ends: the pay, times the chances of all hands the other may hold."""
    held, theirs = row[HELD_E + seat], row[HELD_E + 1 - seat]
    size, their_size = row[SIZE_E + seat], row[SIZE_E + 1 - seat]
    zero = one - one
    two = one + one
    if row[LEVEL] == LAST_LEAD:
        if held == 0:
            for c in range(top):
                total = zero
                for k in range(c, their_size, top):
                    total += reach[q + k]
                values[v + c] = pay * total
        else:
            for k in range(0, size, top):
                for c in range(top):
                    values[v + k + c] = pay * reach[q + c]
        return
    if held == 3 or theirs == 3:
        # `full` is of whole hands; the lead on the table has been counted already.
        for h in range(size):
            mine = h if held == 3 else join[3][i, h]
            total = zero
            for g in range(their_size):
                their = g if theirs == 3 else join[3][i, g]
                total += full[mine, their] * reach[q + g]
            values[v + h] = (pay / pack if row[LEVEL] == 1 else pay) * total
        return
    # Ways in which the other holds anything at all, and (tallied by rank) how often each card.
    total = zero
    if theirs == 1:
        for c in range(top):
            total += left[c] * reach[q + c]
    else:
        for g in range(their_size):
            a, b = cards[2][g, 0], cards[2][g, 1]
            total += reach[q + g] * (left[a] * left[b] if a != b else left[a] * (left[a] - one))
    if held == 1 and theirs == 1:
        for c in range(top):
            values[v + c] = pay * left[c] * (total - reach[q + c])
        return
    if held == 1:
        for c in range(top):
            gone = zero
            for b in range(top):
                g = join[2][c, b]
                gone += reach[q + g] * (left[b] if b != c else two * (left[c] - one))
            values[v + c] = pay * left[c] * (total - gone)
        return
    for h in range(size):
        a, b = cards[2][h, 0], cards[2][h, 1]
        ways = left[a] * left[b] if a != b else left[a] * (left[a] - one)
        values[v + h] = ways * total
    if theirs == 1:
        for h in range(size):
            a, b = cards[2][h, 0], cards[2][h, 1]
            if a != b:
                gone = left[a] * left[b] * (reach[q + a] + reach[q + b])
            else:
                gone = two * left[a] * (left[a] - one) * reach[q + a]
            values[v + h] = pay * (values[v + h] - gone)
        return
    for c in range(top):
        gone = zero  # how often the other holds a given card of this rank
        for b in range(top):
            gone += reach[q + join[2][c, b]] * (left[b] if b != c else two * (left[c] - one))
        for b in range(top):
            h = join[2][c, b]
            values[v + h] -= gone * (left[b] if b != c else two * (left[c] - one)) * left[c]
    for h in range(size):
        a, b = cards[2][h, 0], cards[2][h, 1]
        ways = left[a] * left[b] if a != b else two * left[a] * (left[a] - one)
        values[v + h] = pay * (values[v + h] + ways * reach[q + h])


@_piece
def showdown(top, reach, q, values, v, left, worse, equal, better, one):
    """Values where only the last two cards are still to be laid.

    `worse`, `equal`, `better` are the pay when the other's card is that.
    """
    below = one - one
    for c in range(top):
        values[v + c] = worse * below + equal * (left[c] - one) * reach[q + c]
        below += left[c] * reach[q + c]
    above = one - one
    for c in range(top - 1, -1, -1):
        values[v + c] = left[c] * (values[v + c] + better * above)
        above += left[c] * reach[q + c]


@_piece
def mark(row, i, live, total):
    """Note whether the other can get to a public position."""
    live[row[LIVE] + i] = ALIVE if total > 0 else DEAD


@_piece
def down(
    nodes,
    first,
    end,
    seat,
    top,
    left,
    pairs,
    join,
    slot,
    reach,
    policy,
    average,
    weight,
    weigh,
    live,
    now,
    one,
):
    """One player's chances from the first node of a part down; `seat` is whose they are.

    `policy` and `average` are the chunk's blocks, `now` is scratch for (top,) numbers. `weigh`
    counts in the ways to take what lies on the table from the pack, which one of two players does.
    """
    zero = one - one
    for s in range(first, end):
        row = nodes[s]
        if row[ACTOR] == NOBODY or row[LEAF] or row[SHOWDOWN]:
            continue
        own = row[ACTOR] == seat
        size, words, plays = row[SIZE_E + seat], row[WORDS], row[PLAYS]
        actions = words + plays
        held, level = row[HELD_E + seat], row[LEVEL]
        for i in range(row[PUBLIC]):
            if live[row[LIVE] + i] != ALIVE:
                continue
            q = row[REACH_E + seat] + i * size
            p = row[STRATEGY] + i * actions * size
            if own and actions > 1 and weight > 0:
                for a in range(actions):
                    for h in range(size):
                        average[p + a * size + h] += (
                            weight * reach[q + h] * policy[p + a * size + h]
                        )
            for w in range(words):
                child = nodes[row[WORD + w]]
                total = zero
                if not own:
                    total += one
                elif actions == 1:
                    t = child[REACH_E + seat] + i * size
                    for h in range(size):
                        reach[t + h] = reach[q + h]
                    total += one
                else:
                    t = child[REACH_E + seat] + i * size
                    for h in range(size):
                        reach[t + h] = reach[q + h] * policy[p + w * size + h]
                        total += reach[t + h]
                mark(child, i, live, total)
            if plays == 0 or level == LAST_LEAD:
                continue
            left_at(row, i, pairs, left, now, one)
            if level == LAST_LEAD - 1:
                child = nodes[row[LEAD]]
                t = child[REACH_E + seat] + i * child[SIZE_E + seat]
                total = zero
                if own:
                    for c in range(top):
                        reach[t + c] = reach[q + c] * (now[c] if weigh else one)
                        if actions > 1:
                            reach[t + c] *= policy[p + words * size + c]
                        total += reach[t + c]
                else:
                    spread_lead(reach, t, child[SIZE_E + seat], top, reach, q, now, weigh, one)
                    total += one
                mark(child, i, live, total)
                continue
            for c in range(top):
                if row[LEAD] >= 0:
                    child, j = nodes[row[LEAD]], i * top + c
                else:
                    number, j = after_reply(row, top, i, c)
                    child = nodes[number]
                width = child[SIZE_E + seat]
                t = child[REACH_E + seat] + j * width
                total = zero
                if now[c] > 0:
                    ways = now[c] if weigh else one
                    if own:
                        for r in range(width):
                            h = join[held][c, r]
                            a = words + slot[held][c, r]
                            reach[t + r] = reach[q + h] * policy[p + a * size + h] * ways
                            total += reach[t + r]
                    else:
                        for r in range(width):
                            reach[t + r] = reach[q + r] * ways
                        total += one
                mark(child, j, live, total)


@_piece
def rematch(policy, regrets, p, size, actions, words, legal, fade, gains, one):
    """Regret matching: the policy of the next iteration at one public position.

    `gains` (actions, size) is the regret just met.
    """
    zero = one - one
    for h in range(size):
        total = zero
        for a in range(actions):
            at = a * size + h
            if a >= words and legal[a - words, h] == 0:
                continue
            regret = fade * regrets[p + at] + gains[at]
            if regret < 0:
                regret = zero
            regrets[p + at] = regret
            policy[p + at] = regret
            total += regret
        if total > NOTHING:
            scale = one / total
            for a in range(actions):
                policy[p + a * size + h] *= scale
        else:
            choices = zero
            for a in range(actions):
                choices += one if a < words else legal[a - words, h]
            for a in range(actions):
                can = one if a < words else legal[a - words, h]
                policy[p + a * size + h] = can / choices


@_piece
def up(
    nodes,
    first,
    end,
    seat,
    top,
    left,
    pairs,
    join,
    slot,
    cards,
    legal,
    full,
    pack,
    payoffs,
    reach,
    values,
    policy,
    regrets,
    mode,
    fade,
    live,
    now,
    gains,
    one,
):
    """The values of `seat` from the ends of a part up; `gains` is scratch for one position."""
    other = 1 - seat
    zero = one - one
    for s in range(end - 1, first - 1, -1):
        row = nodes[s]
        if row[LEAF]:
            continue
        size, their_size = row[SIZE_E + seat], row[SIZE_E + other]
        words, plays, held, level = row[WORDS], row[PLAYS], row[HELD_E + seat], row[LEVEL]
        actions = words + plays
        for i in range(row[PUBLIC]):
            alive = live[row[LIVE] + i]
            v = row[VECTOR_E + seat] + i * size
            if alive == FORGOTTEN:
                continue
            for h in range(size):
                values[v + h] = zero
            if alive == DEAD:
                continue
            q = row[REACH_E + other] + i * their_size
            left_at(row, i, pairs, left, now, one)
            if row[SHOWDOWN]:
                last = nodes[row[LEAD]]
                worse, better = payoffs[last[REPLY + LOWER]], payoffs[last[REPLY + HIGHER]]
                if row[ACTOR] == other:  # to a better lead his own reply is the lower
                    worse, better = better, worse
                showdown(
                    top, reach, q, values, v, now, worse, payoffs[last[REPLY + EQUAL]], better, one
                )
                continue
            if row[ACTOR] == NOBODY:
                pay = payoffs[row[PAYOFF]]
                ending_values(
                    row, i, seat, top, reach, q, values, v, pay, now, cards, join, full, pack, one
                )
                continue
            if row[ACTOR] == other:
                for w in range(words):
                    child = nodes[row[WORD + w]]
                    t = child[VECTOR_E + seat] + i * size
                    for h in range(size):
                        values[v + h] += values[t + h]
                if plays == 0:
                    continue
                if level == LAST_LEAD:
                    p = row[STRATEGY] + (i * actions + words) * their_size
                    kinds = their_size // top
                    for k in range(kinds):
                        for c in range(top):
                            kind = k if kinds == 3 else reply_pattern(c, k)
                            chance = reach[q + k * top + c]
                            if actions > 1:
                                chance *= policy[p + k * top + c]
                            values[v + c] += chance * payoffs[row[REPLY + kind]]
                elif level == LAST_LEAD - 1:
                    child = nodes[row[LEAD]]
                    width = child[SIZE_E + seat]
                    t = child[VECTOR_E + seat] + i * width
                    gather_lead(values, t, width, top, values, v, now, one)
                else:
                    for c in range(top):
                        if row[LEAD] >= 0:
                            child, j = nodes[row[LEAD]], i * top + c
                        else:
                            number, j = after_reply(row, top, i, c)
                            child = nodes[number]
                        t = child[VECTOR_E + seat] + j * size
                        for h in range(size):
                            values[v + h] += values[t + h]
                continue
            # His own decision: what each action is worth, into `gains`.
            for w in range(words):
                child = nodes[row[WORD + w]]
                t = child[VECTOR_E + seat] + i * size
                for h in range(size):
                    gains[w * size + h] = values[t + h]
            if plays:
                at = words * size
                if level == LAST_LEAD:
                    kinds = size // top
                    for k in range(kinds):
                        for c in range(top):
                            kind = k if kinds == 3 else reply_pattern(c, k)
                            gains[at + k * top + c] = reach[q + c] * payoffs[row[REPLY + kind]]
                elif level == LAST_LEAD - 1:
                    child = nodes[row[LEAD]]
                    t = child[VECTOR_E + seat] + i * top
                    for c in range(top):
                        gains[at + c] = values[t + c]
                else:
                    for c in range(top):
                        if row[LEAD] >= 0:
                            child, j = nodes[row[LEAD]], i * top + c
                        else:
                            number, j = after_reply(row, top, i, c)
                            child = nodes[number]
                        width = child[SIZE_E + seat]
                        t = child[VECTOR_E + seat] + j * width
                        for r in range(width):
                            gains[(words + slot[held][c, r]) * size + join[held][c, r]] = values[
                                t + r
                            ]
            if actions == 1:
                for h in range(size):
                    values[v + h] = gains[h]
                continue
            p = row[STRATEGY] + i * actions * size
            if mode != LEARN and len(regrets) > 1:
                for at in range(actions * size):
                    regrets[p + at] = gains[at]
            # At level 5 the one card left can always be played.
            can = legal[1 if level == LAST_LEAD else held]
            if mode == BEST:
                for h in range(size):
                    values[v + h] = gains[h]
                for a in range(1, actions):
                    for h in range(size):
                        if (a < words or can[a - words, h] > 0) and gains[a * size + h] > values[
                            v + h
                        ]:
                            values[v + h] = gains[a * size + h]
                continue
            for a in range(actions):
                for h in range(size):
                    if a < words or can[a - words, h] > 0:
                        values[v + h] += policy[p + a * size + h] * gains[a * size + h]
            if mode == LEARN:
                for a in range(actions):
                    for h in range(size):
                        gains[a * size + h] -= values[v + h]
                rematch(policy, regrets, p, size, actions, words, can, fade, gains, one)


@keep
@njit(fastmath=True, nogil=True, _nrt=False)
def run(
    stage,
    low,
    high,
    nodes,
    parts,
    chunks,
    seat,
    top,
    full_left,
    pairs,
    join,
    slot,
    cards,
    legal,
    full,
    pack,
    payoffs,
    reach,
    values,
    policy,
    regrets,
    average,
    weight,
    mode,
    fade,
    live,
    part_reach,
    part_values,
    part_live,
    now,
    left,
    gains,
    one,
):
    """One stage of a sweep, for chunks `low` to `high` (of CHUNKS; 0 and 0 otherwise).

    `reach`, `values` and `live` are the workspace of part 0, with the other's chances at the root
    filled in; `part_...`, `now`, `left` and `gains` are scratch of the calling thread.
    `policy`, `regrets`, `average` are (policy numbers,), of any float type. But in LEARN `regrets`
    get the value of each action of `seat`, if there is room in them.
    """
    other = 1 - seat
    if stage == TOP_DOWN:
        live[:] = FORGOTTEN
        live[nodes[0, LIVE]] = ALIVE
        down(
            nodes,
            parts[0, FIRST],
            parts[0, END],
            other,
            top,
            full_left,
            pairs,
            join,
            slot,
            reach,
            policy,
            average,
            weight,
            True,
            live,
            now,
            one,
        )
        return
    if stage == TOP_UP:
        up(
            nodes,
            parts[0, FIRST],
            parts[0, END],
            seat,
            top,
            full_left,
            pairs,
            join,
            slot,
            cards,
            legal,
            full,
            pack,
            payoffs,
            reach,
            values,
            policy,
            regrets,
            mode,
            fade,
            live,
            now,
            gains,
            one,
        )
        return
    for chunk in range(low, high):
        part, number = chunks[chunk, 0], chunks[chunk, 1]
        leaf = nodes[parts[part, ROOT_LEAF]]
        size, their_size = leaf[SIZE_E + seat], leaf[SIZE_E + other]
        v = leaf[VECTOR_E + seat] + number * size
        alive = live[leaf[LIVE] + number]
        if alive != ALIVE:
            if alive == DEAD:
                values[v : v + size] = one - one
            continue
        first, end = parts[part, FIRST], parts[part, END]
        root = nodes[first]
        q = leaf[REACH_E + other] + number * their_size
        r = root[REACH_E + other]
        for h in range(their_size):
            part_reach[r + h] = reach[q + h]
        part_live[:] = FORGOTTEN
        part_live[root[LIVE]] = ALIVE
        for c in range(top):
            left[c] = full_left[c]
        left[pairs[leaf[PATTERN], number, 0]] -= one
        left[pairs[leaf[PATTERN], number, 1]] -= one
        at = parts[part, POLICY] + number * parts[part, BLOCK]
        till = at + parts[part, BLOCK]
        down(
            nodes,
            first,
            end,
            other,
            top,
            left,
            pairs,
            join,
            slot,
            part_reach,
            policy[at:till],
            average[at:till],
            weight,
            True,
            part_live,
            now,
            one,
        )
        up(
            nodes,
            first,
            end,
            seat,
            top,
            left,
            pairs,
            join,
            slot,
            cards,
            legal,
            full,
            pack,
            payoffs,
            part_reach,
            part_values,
            policy[at:till],
            regrets[at:till] if len(regrets) > 1 else regrets,
            mode,
            fade,
            part_live,
            now,
            gains,
            one,
        )
        t = root[VECTOR_E + seat]
        for h in range(size):
            values[v + h] = part_values[t + h]

"""Down the public tree: how likely a player's own doing brings him to each node, compiled."""

from put_cli.engine.intrinsics import line
from put_cli.rules.machine import NOBODY
from put_cli.solve.pack import AS_LEAD
from put_cli.solve.tree import (
    ACTOR,
    HELD_E,
    HIGHER,
    LAST_LEAD,
    LEAD,
    LEAF,
    LEFT,
    LEVEL,
    LOWER,
    PLAYS,
    PUBLIC,
    REACH_E,
    REPLY,
    SHOWDOWN,
    SIZE_E,
    STRATEGY,
    WORD,
    WORDS,
)
from put_cli.solve.vectors import add_product, clear, copy, gather, multiply, piece

FORGOTTEN, DEAD, ALIVE = range(3)
"""Marks of a node: nobody asks for its values; they are 0; they are to be computed."""


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

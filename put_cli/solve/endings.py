"""What the end of a hand is worth, compiled: the pay, times all that the other may hold.

Values and chances are counterfactual sums in vectors as `tree.py` lays them out: number h of
public position i stands at h * positions + i, so that the inner loops run over all positions of a
node at once. `left` holds the cards of each rank that are not on the table, (ranks, positions) at
each node.
"""

from put_cli.engine.intrinsics import line
from put_cli.solve.pack import Pack
from put_cli.solve.tree import (
    HELD_E,
    LAST_LEAD,
    LEFT,
    LEVEL,
    PUBLIC,
    SIZE_E,
)
from put_cli.solve.vectors import add, add_product, clear, multiply, piece, scale


@piece
def ending_values(pack: Pack, row, seat, left, reach, q, values, v, rows, pay):
    """Values of `seat` where a hand ends with this pay; `q` is where the other's chances are.

    `rows` is scratch.
    """
    held, theirs = row[HELD_E + seat], row[HELD_E + 1 - seat]
    size, their_size = row[SIZE_E + seat], row[SIZE_E + 1 - seat]
    if row[LEVEL] == LAST_LEAD:
        _with_a_lead(pack.top * row[PUBLIC], held, size, their_size, reach, q, values, v, pay)
    elif held == 3 or theirs == 3:
        _with_whole_hands(pack, row, held, theirs, size, their_size, reach, q, values, v, rows, pay)
    elif held == 1 and theirs == 1:
        _one_and_one(pack, row, left, reach, q, values, v, rows, pay)
    elif held == 1:
        _one_and_two(pack, row, left, reach, q, values, v, rows, pay)
    elif theirs == 1:
        _two_and_one(pack, row, left, reach, q, values, v, rows, pay)
    else:
        _two_and_two(pack, row, left, reach, q, values, v, rows, pay)


@piece
def _with_a_lead(many, held, size, their_size, reach, q, values, v, pay):
    """At the last lead: the leader's vector runs over it, the replier's over his card too."""
    if held == 0:
        out = line(values, v, 0, many)
        clear(out)
        for k in range(their_size * (many // size) // many):
            add(out, line(reach, q, k, many))
        scale(out, out, pay)
    else:
        chance = line(reach, q, 0, many)
        for k in range(size * (many // their_size) // many):
            scale(line(values, v, k, many), chance, pay)


@piece
def _with_whole_hands(pack, row, held, theirs, size, their_size, reach, q, values, v, rows, pay):
    """In the first trick: `full` is of whole hands; a lead on the table is counted already."""
    positions = row[PUBLIC]
    if row[LEVEL] == 1:
        pay /= pack.copies
    for i in range(positions):
        for g in range(their_size):
            rows[g] = pay * reach[q + g * positions + i]
        for h in range(size):
            full = pack.full[h if held == 3 else pack.join[3, i, h]]
            total = pack.one - pack.one
            if theirs == 3:
                for g in range(their_size):
                    total += full[g] * rows[g]
            else:
                for g in range(their_size):
                    total += full[pack.join[3, i, g]] * rows[g]
            values[v + h * positions + i] = total


@piece
def _any_one(pack, row, left, reach, q, out):
    """How often the other holds any card at all, at each position."""
    n = row[PUBLIC]
    clear(out)
    for c in range(pack.top):
        add_product(out, line(left, row[LEFT], c, n), line(reach, q, c, n))


@piece
def _any_two(pack, row, left, reach, q, out):
    """How often the other holds any two cards at all, at each position."""
    n = row[PUBLIC]
    clear(out)
    for g in range(pack.top * (pack.top + 1) // 2):
        a, b = pack.cards[2, g, 0], pack.cards[2, g, 1]
        same = pack.one if a == b else pack.one - pack.one
        first, second = line(left, row[LEFT], a, n), line(left, row[LEFT], b, n)
        chance = line(reach, q, g, n)
        for i in range(n):
            out[i] += chance[i] * first[i] * (second[i] - same)


@piece
def _this_one(pack, row, left, reach, q, c, out):
    """How often the other, of his two cards, holds one of rank c, at each position."""
    n = row[PUBLIC]
    clear(out)
    for b in range(pack.top):
        factor = pack.one + (pack.one if b == c else pack.one - pack.one)
        same = factor - pack.one
        chance, cards = line(reach, q, pack.join[2, c, b], n), line(left, row[LEFT], b, n)
        for i in range(n):
            out[i] += factor * chance[i] * (cards[i] - same)


@piece
def _one_and_one(pack, row, left, reach, q, values, v, rows, pay):
    n = row[PUBLIC]
    anything = line(rows, 0, 0, n)
    _any_one(pack, row, left, reach, q, anything)
    for c in range(pack.top):
        out, cards, chance = (
            line(values, v, c, n),
            line(left, row[LEFT], c, n),
            line(reach, q, c, n),
        )
        for i in range(n):
            out[i] = pay * cards[i] * (anything[i] - chance[i])


@piece
def _one_and_two(pack, row, left, reach, q, values, v, rows, pay):
    n = row[PUBLIC]
    anything, gone = line(rows, 0, 0, n), line(rows, 0, 1, n)
    _any_two(pack, row, left, reach, q, anything)
    for c in range(pack.top):
        _this_one(pack, row, left, reach, q, c, gone)
        out, cards = line(values, v, c, n), line(left, row[LEFT], c, n)
        for i in range(n):
            out[i] = pay * cards[i] * (anything[i] - gone[i])


@piece
def _two_and_one(pack, row, left, reach, q, values, v, rows, pay):
    n = row[PUBLIC]
    anything = line(rows, 0, 0, n)
    _any_one(pack, row, left, reach, q, anything)
    for h in range(pack.top * (pack.top + 1) // 2):
        a, b = pack.cards[2, h, 0], pack.cards[2, h, 1]
        same = pack.one if a == b else pack.one - pack.one
        first, second = line(left, row[LEFT], a, n), line(left, row[LEFT], b, n)
        without_a, without_b = line(reach, q, a, n), line(reach, q, b, n)
        out = line(values, v, h, n)
        for i in range(n):
            others = anything[i] - without_a[i] - without_b[i]
            out[i] = pay * first[i] * (second[i] - same) * others


@piece
def _two_and_two(pack, row, left, reach, q, values, v, rows, pay):
    n = row[PUBLIC]
    anything, gone = line(rows, 0, 0, n), line(rows, 0, 1, n)
    _any_two(pack, row, left, reach, q, anything)
    for h in range(pack.top * (pack.top + 1) // 2):
        a, b = pack.cards[2, h, 0], pack.cards[2, h, 1]
        same = pack.one if a == b else pack.one - pack.one
        first, second = line(left, row[LEFT], a, n), line(left, row[LEFT], b, n)
        out, chance = line(values, v, h, n), line(reach, q, h, n)
        for i in range(n):
            ways = pay * first[i] * (second[i] - same)
            out[i] = ways * (anything[i] + (same + pack.one) * chance[i])
    for c in range(pack.top):
        _this_one(pack, row, left, reach, q, c, gone)
        multiply(gone, line(left, row[LEFT], c, n))
        for b in range(pack.top):
            factor = pay * (pack.one + (pack.one if b == c else pack.one - pack.one))
            same = pack.one if b == c else pack.one - pack.one
            out, cards = line(values, v, pack.join[2, c, b], n), line(left, row[LEFT], b, n)
            for i in range(n):
                out[i] -= factor * gone[i] * (cards[i] - same)


@piece
def showdown(pack, row, left, reach, q, values, v, rows, worse, equal, better):
    """Values where only the last two cards are still to be laid.

    `worse`, `equal`, `better` are the pay when the other's card is that; `rows` is scratch.
    """
    n = row[PUBLIC]
    beyond = line(rows, 0, 0, n)
    clear(beyond)
    for c in range(pack.top):
        out, cards, chance = (
            line(values, v, c, n),
            line(left, row[LEFT], c, n),
            line(reach, q, c, n),
        )
        for i in range(n):
            out[i] = worse * beyond[i] + equal * (cards[i] - pack.one) * chance[i]
            beyond[i] += cards[i] * chance[i]
    clear(beyond)
    for c in range(pack.top - 1, -1, -1):
        out, cards, chance = (
            line(values, v, c, n),
            line(left, row[LEFT], c, n),
            line(reach, q, c, n),
        )
        for i in range(n):
            out[i] = cards[i] * (out[i] + better * beyond[i])
            beyond[i] += cards[i] * chance[i]

"""The pack, in tables that the compiled sweeps read."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from put_cli.engine.consult import pair_number, pattern_of
from put_cli.solve.cards import SLOTS, Hands, hands_of, removal
from put_cli.solve.tree import EQUAL, HIGHER, LOWER, left_width, place_of_left
from put_cli.solve.tree import pairs as count

AS_LEAD = 3
"""How a card is laid, besides as a reply that is LOWER, EQUAL or HIGHER."""

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int32]


class Pack(NamedTuple):
    """The cards of a rule set, as the sweeps need them; all floats of one type."""

    one: Any
    """1 in that type: other numbers of it are made from this one."""
    top: int
    """Ranks."""
    copies: Any
    """Cards of each rank."""
    join: Ints
    """(4, ranks, hands): of `cards.Hands`, by the cards of the hand."""
    cards: Ints
    """(4, hands, 3): the same."""
    legal: Ints
    """(4, slots, hands): by cards held, 1 where the card of this place can be played."""
    full: Floats
    """`cards.removal`."""
    pairs: Ints
    """(3, pairs, 2): lead and reply of each pair of a pattern."""
    before: Ints
    """(4, positions): by how a card is laid (as a lower, an equal, a higher reply; as a lead) and
    the public position after that: the position before."""
    card: Ints
    """The same: the card, times the positions before, plus the position."""
    chosen: Ints
    """By cards held and by how a card is laid, (hands left, positions after): which of his numbers
    (place, hand, position) is that of the actor who laid it. All of them in one, `starts` tells
    where each begins."""
    starts: Ints
    """(4, 4)."""
    left: Floats
    """(1 + ranks * ranks, ...): by first trick (row 0 for before), the cards of each rank that are
    not on the table at every public position, (ranks, positions) from `tree.LEFT` of a node on."""


def pack_of(top: int, copies: int, kind: Any) -> Pack:
    """The pack of so many ranks and cards of each, in numbers of this type."""
    hands = [hands_of(top, size) for size in range(SLOTS + 1)]
    pairs = _pairs(top)
    before, card = _steps(top, pairs)
    chosen = [_chosen(each, how, before, card) for each in hands for how in range(4)]
    return Pack(
        one=kind(1),
        top=top,
        copies=kind(copies),
        join=_stacked([each.join for each in hands], -1),
        cards=_stacked([each.cards for each in hands], -1),
        # The last card can always be played, and its hands are counted in other ways.
        legal=_stacked([(each.rest >= 0).T if each.size > 1 else np.zeros(0) for each in hands], 1),
        full=removal(top, copies).astype(kind),
        pairs=pairs,
        before=before,
        card=card,
        chosen=np.concatenate(chosen).astype(np.int32),
        starts=np.cumsum([0, *map(len, chosen[:-1])]).reshape(4, 4).astype(np.int32),
        left=_left(top, copies, pairs).astype(kind),
    )


def _stacked(tables: Sequence[npt.NDArray[Any]], fill: int) -> Ints:
    """Tables of several sizes in one, the rest filled up."""
    shape = np.max([table.shape if table.ndim == 2 else (0, 0) for table in tables], axis=0)
    stacked = np.full((len(tables), *shape), fill, np.int32)
    for place, table in zip(stacked, tables, strict=True):
        if table.ndim == 2:
            place[: table.shape[0], : table.shape[1]] = table
    return stacked


def _pairs(top: int) -> Ints:
    table = np.zeros((3, max(top * (top - 1) // 2, top), 2), np.int32)
    for lead in range(top):
        for reply in range(top):
            number = pair_number(top, lead, reply)
            table[pattern_of(lead, reply), number] = lead, reply
    return table


def _steps(top: int, pairs: Ints) -> tuple[Ints, Ints]:
    """`Pack.before` and `Pack.card`."""
    before, card = np.zeros((2, 4, pairs.shape[1]), np.int32)
    for pattern in (LOWER, EQUAL, HIGHER):
        before[pattern] = pairs[pattern, :, 0]
        card[pattern] = pairs[pattern, :, 1] * top + pairs[pattern, :, 0]
    card[AS_LEAD, :top] = np.arange(top)
    return before, card


def _chosen(hands: Hands, how: int, before: Ints, card: Ints) -> npt.NDArray[np.int64]:
    """`Pack.chosen` of a player who holds so many cards and lays one so."""
    top, positions = hands.top, 1 if how == AS_LEAD else hands.top
    after = top if how == AS_LEAD else count(top, how)
    i, rank = before[how, :after], card[how, :after] // positions
    places: npt.NDArray[np.int64] = hands.slot[rank] * len(hands) + hands.join[rank]
    return (places * positions + i[:, None]).T.ravel()


def _left(top: int, copies: int, pairs: Ints) -> npt.NDArray[np.float64]:
    tricks = [(), *((lead, reply) for lead in range(top) for reply in range(top))]
    left = np.full((len(tricks), left_width(top)), float(copies))
    for row, trick in zip(left, tricks, strict=True):
        for level, pattern in ((2, -1), (3, -1), (4, LOWER), (4, EQUAL), (4, HIGHER)):
            at, positions = place_of_left(top, level, pattern)
            cells = row[at : at + top * positions].reshape(top, positions)
            for card in trick:
                cells[card] -= 1
            for i in range(positions):
                for card in () if level == 2 else (i,) if level == 3 else pairs[pattern, i]:
                    cells[card, i] -= 1
    return left

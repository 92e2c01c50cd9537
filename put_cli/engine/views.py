"""The Views that players in Python are handed, made from the rows the kernel writes for them."""

import operator
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.engine.view import (
    ASK_EXTRA,
    ASK_NUMBERS,
    ASK_OTHERS,
    ASK_RECORD,
    ASK_STATE,
    ASK_TRIPLES,
    OTHER_WIDTH,
    OTHERS,
    TRIPLES,
    unpacked,
)
from put_cli.strategy import Other, View

RECORD_FIELDS = len(View._fields) - View._fields.index("hands")
_NO_RECORD = (0,) * RECORD_FIELDS
_BOOLS = tuple(
    index for index, name in enumerate(tb.SITUATION) if View.__annotations__[name] is bool
)
_NOBODY = Other(False, 0, 0, 0, (0, 0, 0), 0)
NO_OTHERS = (_NOBODY,) * OTHERS
_TRIPLES = np.fromiter(TRIPLES, object)

Memory = bool | npt.NDArray[np.bool_]
"""Whether a player sees the record: (B,), or one answer for all."""


class Views:
    """Turns the kernel's asks into Views, one by one or as arrays."""

    def __init__(self, tables: tb.Tables) -> None:
        rules = tables.rules
        self._many = rules.players > 2
        # In a plain two-handed game nobody has a fourth or an exposed card, or other opponents.
        self._extra = self._many or rules.partners or rules.misdeals > 0
        before: tuple[Any, ...] = () if self._extra else (0, 0, 0, NO_OTHERS)
        self._rows = tables.states[:, : len(tb.SITUATION)]
        situations = [
            before + tuple(bool(v) if i in _BOOLS else v for i, v in enumerate(row))
            for row in self._rows.tolist()
        ]
        self._situations = np.fromiter(situations, object)
        self._without_record = np.fromiter((each + _NO_RECORD for each in situations), object)

    def single(
        self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64], memory: Memory
    ) -> Iterator[View]:
        """A View for each column of `asks` (ASK_WIDTH, B) and `lucks` (B,)."""
        cards, played, their_played = _TRIPLES[asks[ASK_TRIPLES:ASK_NUMBERS]].tolist()
        # Cards, scores and legs fit in bytes, which give out numbers faster than arrays do.
        numbers = [row.tobytes() for row in asks[ASK_NUMBERS:ASK_EXTRA].astype(np.uint8)]
        luck = lucks.tolist()
        heads: Iterable[tuple[Any, ...]] = zip(
            cards, *numbers[:5], played, their_played, *numbers[5:], luck, strict=True
        )
        if self._extra:
            others = self._others(asks) if self._many else repeat(NO_OTHERS, len(luck))
            extra = zip(*asks[ASK_EXTRA:ASK_RECORD].tolist(), others, strict=True)
            heads = map(operator.add, heads, extra)
        tails: Iterable[tuple[Any, ...]]
        if memory is not False:
            tails = map(
                operator.add,
                self._situations[asks[ASK_STATE]].tolist(),
                zip(*(asks[ASK_RECORD:ASK_OTHERS] * memory).tolist(), strict=True),
            )
        else:
            tails = self._without_record[asks[ASK_STATE]].tolist()
        # Nothing here runs Python for a decision: a View costs about as much as deciding does.
        return map(tuple.__new__, repeat(View), map(operator.add, heads, tails))

    def _others(self, asks: npt.NDArray[np.int64]) -> Iterator[tuple[Other, ...]]:
        for numbers in asks[ASK_OTHERS:].T.reshape(-1, OTHERS, OTHER_WIDTH).tolist():
            yield tuple(
                Other(bool(live), score, tricks, puts, TRIPLES[played], exposed)
                for live, score, tricks, puts, played, exposed in numbers
            )

    def batch(
        self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64], memory: Memory
    ) -> View:
        """One View whose fields are arrays of B decisions (tuples of three arrays for cards)."""
        cards, played, their_played = map(unpacked, asks[ASK_TRIPLES:ASK_NUMBERS])
        numbers = np.array(asks[ASK_NUMBERS:ASK_RECORD])
        situation = self._rows[asks[ASK_STATE]].T.astype(np.int64)
        others = np.array(asks[ASK_OTHERS:]).reshape(OTHERS, OTHER_WIDTH, -1)
        return View._make(
            [
                cards,
                *numbers[:5],
                played,
                their_played,
                *numbers[5:9],
                np.array(lucks),
                *numbers[9:],
                tuple(Other._make([o[0] != 0, *o[1:4], unpacked(o[4]), o[5]]) for o in others),
                *(row != 0 if i in _BOOLS else row for i, row in enumerate(situation)),
                *(asks[ASK_RECORD:ASK_OTHERS] * memory),
            ]
        )

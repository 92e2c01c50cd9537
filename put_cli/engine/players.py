"""The players of a run: a strategy, the tier that plays it, and how its decisions are taken.

Native players are called by the kernel itself. The others get their Views from the rows the
kernel writes for them, many lanes at a time, and answer here.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.engine.compiled import Store
from put_cli.engine.lanes import ACT, ILLEGAL, METHODS, NONSENSE, RAISED
from put_cli.engine.native import Native, NotNative, compile_method
from put_cli.engine.view import (
    ASK_CARDS,
    ASK_OTHERS,
    ASK_RECORD,
    ASK_STATE,
    OTHER_WIDTH,
    OTHERS,
)
from put_cli.strategy import (
    DRAW,
    GIVE,
    KEEP,
    PUT,
    RECEIVE,
    REDEAL,
    SEE,
    STAND,
    THROW,
    Other,
    Strategy,
    View,
)

NATIVE, BATCH, INTERPRETED, LEARNING = "native", "batch", "interpreted", "learning"
TIERS = (NATIVE, BATCH, INTERPRETED, LEARNING)

RECORD_FIELDS = len(View._fields) - View._fields.index("hands")
_NO_RECORD = (0,) * RECORD_FIELDS
_BOOLS = tuple(
    index for index, name in enumerate(tb.SITUATION) if View.__annotations__[name] is bool
)
_NOBODY = Other(False, 0, 0, 0, (0, 0, 0), 0)
NO_OTHERS = (_NOBODY,) * OTHERS
_MOST = 1000  # anything above is no action, whatever the pack


@dataclass(frozen=True, eq=False)
class Contestant:
    """A strategy as it takes part in a run; `name` is how logs and tables call it."""

    name: str
    strategy: Strategy
    tier: str
    native: Mapping[int, Native] = field(default_factory=dict)
    """Compiled methods by index into METHODS; the others are decided in Python."""
    why: str = ""
    """Why `act` is not native, in words; empty when it is."""
    partner: "Contestant | None" = None
    """Who sits in the second chair of a side of partners; None for the same strategy again."""

    @property
    def members(self) -> "tuple[Contestant, Contestant]":
        """Who sits in the first and the second chair of the side."""
        return self, self.partner or self

    @property
    def memory(self) -> bool:
        """Whether the decisions of the side depend on earlier hands of the match."""
        return any(each.strategy.memory or each.tier == LEARNING for each in self.members)


def enlist(
    name: str,
    strategy: Strategy,
    store: Store,
    tier: str = "auto",
    methods: Sequence[int] = (ACT,),
) -> Contestant:
    """A contestant in the best tier it supports, or in `tier` where one is asked for.

    `methods` are those that the rules ask for (`Tables.methods`).

    Raises:
        NotNative: `tier` is native and the strategy cannot be compiled.
    """
    if strategy.begin_match is not None:
        return Contestant(name, strategy, LEARNING, why="it learns: it defines begin_match")
    why = f"the {tier} tier was asked for"
    if tier in ("auto", NATIVE):
        try:
            compiled = {ACT: compile_method(strategy, store)}
            compiled |= _others_compiled(strategy, store, methods)
            return Contestant(name, strategy, NATIVE, compiled)
        except NotNative as error:
            if tier == NATIVE:
                raise
            why = str(error)
    if strategy.act_batch is not None and tier in ("auto", BATCH):
        return Contestant(name, strategy, BATCH, why=why)
    return Contestant(name, strategy, INTERPRETED, why=why)


def _others_compiled(strategy: Strategy, store: Store, methods: Sequence[int]) -> dict[int, Native]:
    """The methods besides act that can be compiled; the rest is decided in Python."""
    compiled = {}
    for method in methods:
        if method != ACT:
            with suppress(NotNative):
                compiled[method] = compile_method(strategy, store, METHODS[method])
    return compiled


CAUGHT = (Exception, SystemExit, GeneratorExit)
"""What a strategy may raise without ending the run; KeyboardInterrupt is the user's."""


class Fault(Exception):
    """What a player did wrong: a kind (of `lanes.FAULT_KINDS`) and a reason in one line."""

    def __init__(self, kind: int, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


_NAMES = {
    PUT: "PUT",
    SEE: "SEE",
    THROW: "THROW",
    GIVE: "GIVE",
    RECEIVE: "RECEIVE",
    KEEP: "KEEP",
    STAND: "STAND",
    REDEAL: "REDEAL",
    DRAW: "DRAW",
}


def legal_actions(view: View, method: str = "act") -> list[int]:
    """Every action that is legal in `view` when `method` is asked, words before cards."""
    match method:
        case "gift":
            return [GIVE, RECEIVE, KEEP] if view.may_keep else [GIVE, RECEIVE]
        case "lay_out":
            cards = view.cards if view.must_swap else (*view.cards, view.fourth)
            return sorted({card for card in cards if card}, reverse=True)
        case "misdeal":
            return [STAND, REDEAL] if view.misdeal == 1 else [DRAW, REDEAL]
    allowed = ((PUT, view.may_put), (SEE, view.asked), (THROW, view.may_throw))
    words = [word for word, may in allowed if may]
    cards = view.cards if view.may_play else ()
    return words + sorted({card for card in cards if card}, reverse=True)


def legal_text(view: View, method: str = "act") -> str:
    """What would have been legal, in words."""
    legal = legal_actions(view, method)
    words = [_NAMES[action] for action in legal if action in _NAMES]
    cards = [card for card in legal if card not in _NAMES]
    if cards:
        held = view.cards if method == "act" else (*view.cards, view.fourth)
        words.append(f"a card of {[card for card in held if card in cards]}")
    return " or ".join(words)


def is_legal(view: View, action: int, method: str = "act") -> bool:
    """Whether the rules allow `action` in `view`."""
    return action in legal_actions(view, method)


def illegal(view: View, action: int, method: str = "act") -> Fault:
    """The fault of an action that the rules do not allow."""
    name = _NAMES.get(action, _text(str, action)[:80])
    return Fault(ILLEGAL, f"returned {name} where {legal_text(view, method)} was legal")


def as_action(view: View, value: object, method: str = "act") -> int:
    """A returned value as a positive number the kernel can judge.

    Raises:
        Fault: it is not an integer, or far from any action.
    """
    try:
        action = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        shown = _text(repr, value)
        raise Fault(NONSENSE, f"returned {shown[:80]}, which is not an action") from None
    if not 0 < action < _MOST:
        raise illegal(view, action, method)
    return action


def decide(act: Callable[[View], Any], view: View, method: str = "act") -> int:
    """One interpreted decision of a strategy's `method`.

    Raises:
        Fault: `act` raised, or returned something that is no action at all.
    """
    try:
        value = act(view)
    except CAUGHT as error:
        raise raised(error) from error
    return as_action(view, value, method)


def _text(form: Callable[[object], str], value: object) -> str:
    """What `form` makes of a value that is not ours, fit for a log whatever it holds."""
    try:
        return form(value).encode("utf-8", "backslashreplace").decode()
    except CAUGHT as error:
        return f"({type(value).__name__}, which cannot be shown: {type(error).__name__})"


def raised(error: BaseException) -> Fault:
    """The fault of an exception."""
    text = " ".join(_text(str, error).split())[:160]
    return Fault(RAISED, f"raised {type(error).__name__}: {text}".rstrip(": "))


class Views:
    """Turns the kernel's ask rows into Views, one by one or as arrays."""

    def __init__(self, tables: tb.Tables) -> None:
        self._many = tables.rules.players > 2
        self._rows = tables.states[:, : len(tb.SITUATION)]
        self._situations = [
            tuple(bool(v) if i in _BOOLS else v for i, v in enumerate(row))
            for row in self._rows.tolist()
        ]

    def single(
        self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64], memory: bool
    ) -> Iterator[View]:
        """A View for each column of `asks` (ASK_WIDTH, B) and `lucks` (B,)."""
        c = asks[ASK_CARDS:ASK_RECORD].tolist()
        heads = zip(
            zip(c[0], c[1], c[2], strict=True),
            c[3],
            c[4],
            c[5],
            c[6],
            c[7],
            zip(c[8], c[9], c[10], strict=True),
            zip(c[11], c[12], c[13], strict=True),
            c[14],
            c[15],
            c[16],
            c[17],
            lucks.tolist(),
            c[18],
            c[19],
            c[20],
            self._others(asks) if self._many else repeat(NO_OTHERS, len(lucks)),
            strict=True,
        )
        states = asks[ASK_STATE].tolist()
        situations, new = self._situations, tuple.__new__
        if not memory:
            for head, state in zip(heads, states, strict=True):
                yield new(View, head + situations[state] + _NO_RECORD)
        else:
            records = zip(*asks[ASK_RECORD:ASK_OTHERS].tolist(), strict=True)
            for head, state, record in zip(heads, states, records, strict=True):
                yield new(View, head + situations[state] + record)

    def _others(self, asks: npt.NDArray[np.int64]) -> Iterator[tuple[Other, ...]]:
        columns = asks[ASK_OTHERS:].T.reshape(-1, OTHERS, OTHER_WIDTH).tolist()
        for row in columns:
            yield tuple(
                Other(bool(live), score, tricks, puts, (a, b, c), exposed)
                for live, score, tricks, puts, a, b, c, exposed in row
            )

    def batch(
        self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64], memory: bool
    ) -> View:
        """One View whose fields are arrays of B decisions (tuples of three arrays for cards)."""
        c = np.array(asks[ASK_CARDS:ASK_RECORD])
        situation = self._rows[asks[ASK_STATE]].T
        record = asks[ASK_RECORD:ASK_OTHERS]
        others = np.array(asks[ASK_OTHERS:]).reshape(OTHERS, OTHER_WIDTH, -1)
        return View._make(
            [
                (c[0], c[1], c[2]),
                *c[3:8],
                (c[8], c[9], c[10]),
                (c[11], c[12], c[13]),
                *c[14:18],
                np.array(lucks),
                *c[18:21],
                tuple(
                    Other(o[0] != 0, o[1], o[2], o[3], (o[4], o[5], o[6]), o[7])  # type: ignore[arg-type]
                    for o in others
                ),
                *(
                    row != 0 if i in _BOOLS else row.astype(np.int64)
                    for i, row in enumerate(situation)
                ),
                *(np.array(record) if memory else np.zeros_like(record)),
            ]
        )


Answers = tuple[list[int], dict[int, Fault]]
"""Actions in order (0 where there is none), and the faults by position."""


def interpret(
    acts: Sequence[Callable[[View], Any]], views: Iterator[View], method: str = "act"
) -> Answers:
    """Ask each act (or other method) for its View, one after the other."""
    answers: list[int] = []
    faults: dict[int, Fault] = {}
    for act, view in zip(acts, views, strict=True):
        try:
            action = act(view)
            # The usual case in one comparison; everything odd is looked at closely.
            if action.__class__ is not int or not 0 < action < _MOST:
                action = as_action(view, action, method)
        except Fault as fault:
            faults[len(answers)] = fault
            action = 0
        except CAUGHT as error:
            faults[len(answers)] = raised(error)
            action = 0
        answers.append(action)
    return answers, faults


def ask_batch(
    strategy: Strategy, batch: View, size: int, singles: Callable[[], list[View]]
) -> Answers:
    """One call of act_batch; when it fails, one call a decision, to find whose fault it was."""
    try:
        values = strategy.act_batch(batch)
        if len(values) != size:
            raise ValueError(f"act_batch returned {len(values)} actions for {size} decisions")
        array = np.asarray(values)
        if array.dtype.kind in "iub" and array.shape == (size,):
            actions = array.astype(np.int64)
            if ((actions > 0) & (actions < _MOST)).all():
                return actions.tolist(), {}
        listed = list(values)
    except CAUGHT as error:
        if size == 1:
            return [0], {0: raised(error)}
        answers: list[int] = []
        faults: dict[int, Fault] = {}
        for position, view in enumerate(singles()):
            one = View._make(_one(value) for value in view)
            answer, fault = ask_batch(strategy, one, 1, lambda view=view: [view])  # type: ignore[misc]
            answers += answer
            faults |= {position: fault[0]} if fault else {}
        return answers, faults
    return _look_closely(listed, singles())


def _one(value: Any) -> Any:
    """A value of a View as an array of one, inside tuples too."""
    if not isinstance(value, tuple):
        return np.array([value])
    made = [_one(item) for item in value]
    return Other(*made) if isinstance(value, Other) else tuple(made)


def _look_closely(values: list[Any], views: list[View]) -> Answers:
    answers: list[int] = []
    faults: dict[int, Fault] = {}
    for position, (value, view) in enumerate(zip(values, views, strict=True)):
        try:
            answers.append(as_action(view, value))
        except Fault as fault:
            faults[position] = fault
            answers.append(0)
    return answers, faults

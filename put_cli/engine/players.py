"""The players of a run: a strategy, the tier that plays it, and how its decisions are taken.

Native players are called by the kernel itself. The others get their Views from the rows the
kernel writes for them, many lanes at a time, and answer here.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.engine.compiled import Store
from put_cli.engine.lanes import ILLEGAL, NONSENSE, RAISED
from put_cli.engine.native import Native, NotNative, compile_act
from put_cli.engine.view import ASK_CARDS, ASK_RECORD, ASK_STATE
from put_cli.strategy import PUT, SEE, THROW, Strategy, View

NATIVE, BATCH, INTERPRETED, LEARNING = "native", "batch", "interpreted", "learning"
TIERS = (NATIVE, BATCH, INTERPRETED, LEARNING)

RECORD_FIELDS = len(View._fields) - View._fields.index("hands")
_NO_RECORD = (0,) * RECORD_FIELDS
_BOOLS = tuple(
    index for index, name in enumerate(tb.SITUATION) if View.__annotations__[name] is bool
)
_MOST = 1000  # anything above is no action, whatever the pack


@dataclass(frozen=True, eq=False)
class Contestant:
    """A strategy as it takes part in a run; `name` is how logs and tables call it."""

    name: str
    strategy: Strategy
    tier: str
    native: Native | None = None
    why: str = ""
    """Why it is not native, in words; empty when it is."""

    @property
    def memory(self) -> bool:
        """Whether its decisions depend on earlier hands of the match."""
        return self.strategy.memory or self.tier == LEARNING


def enlist(name: str, strategy: Strategy, store: Store, tier: str = "auto") -> Contestant:
    """A contestant in the best tier it supports, or in `tier` where one is asked for.

    Raises:
        NotNative: `tier` is native and the strategy cannot be compiled.
    """
    if strategy.begin_match is not None:
        return Contestant(name, strategy, LEARNING, why="it learns: it defines begin_match")
    if strategy.act_batch is not None and type(strategy).act is Strategy.act:
        return Contestant(name, strategy, BATCH, why="it defines act_batch and no act")
    why = f"the {tier} tier was asked for"
    if tier in ("auto", NATIVE):
        try:
            return Contestant(name, strategy, NATIVE, compile_act(strategy, store))
        except NotNative as error:
            if tier == NATIVE:
                raise
            why = str(error)
    if strategy.act_batch is not None and tier in ("auto", BATCH):
        return Contestant(name, strategy, BATCH, why=why)
    return Contestant(name, strategy, INTERPRETED, why=why)


CAUGHT = (Exception, SystemExit, GeneratorExit)
"""What a strategy may raise without ending the run; KeyboardInterrupt is the user's."""


class Fault(Exception):
    """What a player did wrong: a kind (of `lanes.FAULT_KINDS`) and a reason in one line."""

    def __init__(self, kind: int, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def legal_text(view: View) -> str:
    """What would have been legal, in words."""
    words = [
        name
        for name, allowed in (
            ("PUT", view.may_put),
            ("SEE", view.asked),
            ("THROW", view.may_throw),
        )
        if allowed
    ]
    if view.may_play:
        words.append(f"a card of {[card for card in view.cards if card]}")
    return " or ".join(words)


def is_legal(view: View, action: int) -> bool:
    """Whether the rules allow `action` in `view`."""
    if action == PUT:
        return view.may_put
    if action == SEE:
        return view.asked
    if action == THROW:
        return view.may_throw
    return view.may_play and action > 0 and action in view.cards


def illegal(view: View, action: int) -> Fault:
    """The fault of an action that the rules do not allow."""
    name = {PUT: "PUT", SEE: "SEE", THROW: "THROW"}.get(action, _text(str, action)[:80])
    return Fault(ILLEGAL, f"returned {name} where {legal_text(view)} was legal")


def as_action(view: View, value: object) -> int:
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
        raise illegal(view, action)
    return action


def decide(act: Callable[[View], Any], view: View) -> int:
    """One interpreted decision.

    Raises:
        Fault: `act` raised, or returned something that is no action at all.
    """
    try:
        value = act(view)
    except CAUGHT as error:
        raise raised(error) from error
    return as_action(view, value)


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
            strict=True,
        )
        states = asks[ASK_STATE].tolist()
        situations, new = self._situations, tuple.__new__
        if not memory:
            for head, state in zip(heads, states, strict=True):
                yield new(View, head + situations[state] + _NO_RECORD)
        else:
            records = zip(*asks[ASK_RECORD:].tolist(), strict=True)
            for head, state, record in zip(heads, states, records, strict=True):
                yield new(View, head + situations[state] + record)

    def batch(
        self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64], memory: bool
    ) -> View:
        """One View whose fields are arrays of B decisions (tuples of three arrays for cards)."""
        c = np.array(asks[ASK_CARDS:ASK_RECORD])
        situation = self._rows[asks[ASK_STATE]].T
        record = asks[ASK_RECORD:] if memory else np.zeros_like(asks[ASK_RECORD:])
        return View._make(
            [
                (c[0], c[1], c[2]),
                *c[3:8],
                (c[8], c[9], c[10]),
                (c[11], c[12], c[13]),
                *c[14:18],
                np.array(lucks),
                *(row != 0 if i in _BOOLS else np.array(row) for i, row in enumerate(situation)),
                *np.array(record),
            ]
        )


Answers = tuple[list[int], dict[int, Fault]]
"""Actions in order (0 where there is none), and the faults by position."""


def interpret(acts: Sequence[Callable[[View], Any]], views: Iterator[View]) -> Answers:
    """Ask each act for its View, one after the other."""
    answers: list[int] = []
    faults: dict[int, Fault] = {}
    for act, view in zip(acts, views, strict=True):
        try:
            action = act(view)
            # The usual case in one comparison; everything odd is looked at closely.
            if action.__class__ is not int or not 0 < action < _MOST:
                action = as_action(view, action)
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
    if isinstance(value, tuple):
        return tuple(np.array([item]) for item in value)
    return np.array([value])


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

"""The players of a run: a strategy, the tier that plays it, and how its decisions are taken.

Native players are called by the kernel itself. The others get their Views from the rows the
kernel writes for them, many lanes at a time, and answer here.
"""

import operator
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.engine.compiled import Store
from put_cli.engine.lanes import ACT, ILLEGAL, METHODS, NONSENSE, RAISED, SLOW
from put_cli.engine.native import Native, NotNative, compile_method
from put_cli.engine.view import (
    ASK_EXTRA,
    ASK_NUMBERS,
    ASK_OTHERS,
    ASK_RECORD,
    ASK_SAID,
    ASK_STATE,
    ASK_TRIPLES,
    OTHER_WIDTH,
    OTHERS,
    TRIPLES,
    unpacked,
)
from put_cli.engine.watch import OutOfTime
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
    WORD_NAMES,
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
_TRIPLES = np.fromiter(TRIPLES, object)
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
    def remembers(self) -> bool:
        """Whether this player's decisions depend on earlier hands of the match."""
        return self.strategy.memory or self.tier == LEARNING

    @property
    def memory(self) -> bool:
        """Whether the side's do."""
        return any(each.remembers for each in self.members)


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
    if strategy.act_batch is not None and type(strategy).act is Strategy.act:
        return Contestant(name, strategy, BATCH, why="it defines act_batch and no act")
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
"""What is caught where a player may be a person; KeyboardInterrupt is the user's."""


class Stop(BaseException):
    """Ends the play when a player raises it: somebody at a terminal leaves."""


class Fault(Exception):
    """What a player did wrong: a kind (of `lanes.FAULT_KINDS`) and a reason in one line."""

    def __init__(self, kind: int, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def legal_actions(view: View, method: str = "act") -> list[int]:
    """Every action that is legal in `view` when `method` is asked, words before cards."""
    match method:
        case "gift":
            return [GIVE, RECEIVE, KEEP] if view.may_keep else [GIVE, RECEIVE]
        case "lay_out":
            cards: tuple[int, ...] = (*view.cards, 0 if view.must_swap else view.fourth)
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
    words = [WORD_NAMES[action] for action in legal if action in WORD_NAMES]
    cards = [card for card in legal if card not in WORD_NAMES]
    if cards:
        held = view.cards if method == "act" else (*view.cards, view.fourth)
        words.append(f"a card of {[card for card in held if card in cards]}")
    return " or ".join(words)


def is_legal(view: View, action: int, method: str = "act") -> bool:
    """Whether the rules allow `action` in `view`."""
    return action in legal_actions(view, method)


def illegal(view: View, action: int, method: str = "act") -> Fault:
    """The fault of an action that the rules do not allow."""
    name = WORD_NAMES.get(action, _text(str, action)[:80])
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
    except BaseException as error:
        raise raised(error) from error
    return as_action(view, value, method)


def _text(form: Callable[[object], str], value: object) -> str:
    """What `form` makes of a value that is not ours, fit for a log whatever it holds."""
    try:
        return form(value).encode("utf-8", "backslashreplace").decode()
    except BaseException as error:
        _let_pass(error)
        return f"({type(value).__name__}, which cannot be shown: {type(error).__name__})"


def _let_pass(error: BaseException) -> None:
    """Raise again what is not for a player to answer for.

    Memory is the whole process's, and who asked for the last of it need not have taken the most:
    `put_cli.tournament.trial` finds that out.
    """
    if isinstance(error, Stop | MemoryError):
        raise error
    # A worker ignores Ctrl-C: there, such an exception is the player's own.
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        raise error


def raised(error: BaseException) -> Fault:
    """The fault of an exception, which may be one itself and is its cause otherwise.

    Raises:
        BaseException: the error itself, when it is no player's fault.
    """
    if isinstance(error, Fault):
        return error
    _let_pass(error)
    if isinstance(error, OutOfTime):
        fault = Fault(SLOW, "took too long")
    else:
        text = " ".join(_text(str, error).split())[:160]
        fault = Fault(RAISED, f"raised {type(error).__name__}: {text}".rstrip(": "))
    fault.__cause__ = error
    return fault


Memory = bool | npt.NDArray[np.bool_]
"""Whether a player sees the record: (B,), or one answer for all."""


class Views:
    """Turns the kernel's asks into Views, one by one or as arrays."""

    def __init__(self, tables: tb.Tables) -> None:
        rules = tables.rules
        self._many = rules.players > 2
        # In a plain two-handed game nobody has a fourth or an exposed card, or other opponents.
        self._extra = self._many or rules.partners or rules.misdeals > 0
        self._rows = tables.states[:, : len(tb.SITUATION)]
        situations = [
            tuple(bool(v) if i in _BOOLS else v for i, v in enumerate(row))
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
        said = asks[ASK_SAID].tolist()
        extra: Iterable[tuple[Any, ...]]
        if self._extra:
            others = self._others(asks) if self._many else repeat(NO_OTHERS, len(luck))
            extra = zip(*asks[ASK_EXTRA:ASK_SAID].tolist(), others, said, strict=True)
        else:
            extra = zip(repeat(0), repeat(0), repeat(0), repeat(NO_OTHERS), said)
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
        numbers = np.array(asks[ASK_NUMBERS:ASK_SAID])
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
                np.array(asks[ASK_SAID]),
                *(row != 0 if i in _BOOLS else row for i, row in enumerate(situation)),
                *(asks[ASK_RECORD:ASK_OTHERS] * memory),
            ]
        )


Watched = Callable[[Sized, int], AbstractContextManager[None]]
"""Watches calls of players: what grows by one with each, and how many decisions a call is for."""


def unwatched(_done: Sized, _decisions: int) -> AbstractContextManager[None]:
    """Calls may take as long as they like."""
    return nullcontext()


Answers = tuple[npt.NDArray[np.integer[Any]], dict[int, Fault]]
"""Actions in order (anything where there is a fault), and the faults by position."""


def interpret(
    acts: Iterable[Callable[[View], Any]],
    singles: Callable[[], Iterator[View]],
    method: str = "act",
    watched: Watched = unwatched,
) -> Answers:
    """Ask each act (or other method) once for its View, one after the other."""
    values: list[Any] = []
    faults: dict[int, Fault] = {}
    views = singles()  # made before the clock runs
    with watched(values, 1):
        for act, view in zip(acts, views, strict=True):
            try:
                values.append(act(view))
            except BaseException as error:
                faults[len(values)] = raised(error)
                values.append(SEE)  # stands for an answer: a fault is asked nothing more
        try:
            # The usual case at once: `bytes` takes what operator.index takes, if small.
            actions = np.frombuffer(bytes(values), np.uint8)
            if actions.all():
                return actions, faults
        except BaseException as error:
            _let_pass(error)
    return _look_closely(values, singles(), faults, method, watched)


def ask_batch(
    strategy: Strategy,
    batch: View,
    size: int,
    singles: Callable[[], Iterator[View]],
    watched: Watched = unwatched,
) -> Answers:
    """One call of act_batch; when it fails, one call a decision, to find whose fault it was."""
    try:
        with watched((), size):
            values = strategy.act_batch(batch)
            if len(values) != size:
                raise ValueError(f"act_batch returned {len(values)} actions for {size} decisions")
            array = np.asarray(values)
            if array.dtype.kind in "iub" and array.shape == (size,):
                actions = array.astype(np.int64)
                if ((actions > 0) & (actions < _MOST)).all():
                    return actions, {}
            listed = list(values)
    except BaseException as error:
        answers = np.zeros(size, np.int64)
        fault = raised(error)
        if size == 1:
            return answers, {0: fault}
        faults: dict[int, Fault] = {}
        for position, view in enumerate(singles()):
            one = View._make(_one(value) for value in view)
            answer, found = ask_batch(strategy, one, 1, lambda view=view: iter([view]), watched)  # type: ignore[misc]
            answers[position] = answer[0]
            faults |= {position: found[0]} if found else {}
        return answers, faults
    return _look_closely(listed, singles(), {}, watched=watched)


def _one(value: Any) -> Any:
    """A value of a View as an array of one, inside tuples too."""
    if not isinstance(value, tuple):
        return np.array([value])
    made = [_one(item) for item in value]
    return Other(*made) if isinstance(value, Other) else tuple(made)


def _look_closely(
    values: Sequence[Any],
    views: Iterator[View],
    faults: dict[int, Fault],
    method: str = "act",
    watched: Watched = unwatched,
) -> Answers:
    """The answers one by one, and the faults among them beside those known."""
    answers = np.zeros(len(values), np.int64)
    for position, (value, view) in enumerate(zip(values, views, strict=True)):
        try:
            with watched(range(position), 1):  # the value may be an object with code of its own
                answers[position] = as_action(view, value, method)
        except BaseException as error:
            faults.setdefault(position, raised(error))
    return answers, faults

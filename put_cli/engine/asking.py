"""Asking a strategy's Python: how a decision is taken, what is legal, and what is a fault.

Nothing of matches, lanes or compiled code is known here: a process that holds one strategy and no
cards but those it is shown takes its decisions with the same functions.
"""

import operator
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine.lanes import ILLEGAL, NONSENSE, RAISED, SLOW
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

_MOST = 1000  # anything above is no action, whatever the pack


CAUGHT = (Exception, SystemExit, GeneratorExit)
"""What is caught where a player may be a person; KeyboardInterrupt is the user's."""


class Stop(BaseException):
    """Ends the play when a player raises it: somebody at a terminal leaves."""


class Fault(Exception):
    """What a player did wrong: a kind (of `lanes.FAULT_KINDS`) and a reason in one line.

    `once` says that another time it might not happen. `told` is the kind of an exception and its
    traceback where it was raised in another process; here it is the cause of the fault.
    """

    def __init__(
        self, kind: int, reason: str, *, once: bool = False, told: tuple[str, str] | None = None
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.once = once
        self.told = told


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
        fault = Fault(SLOW, "took too long", once=True)
    else:
        text = " ".join(_text(str, error).split())[:160]
        fault = Fault(RAISED, f"raised {type(error).__name__}: {text}".rstrip(": "))
    fault.__cause__ = error
    return fault


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


def stacked(views: Sequence[View]) -> View:
    """One View whose fields are arrays of B decisions, as `act_batch` takes it."""
    return View._make(_stacked(values) for values in zip(*views, strict=True))


def _stacked(values: Sequence[Any]) -> Any:
    """Values of one field as an array, inside tuples too."""
    first = values[0]
    if not isinstance(first, tuple):
        return np.array(values)
    parts = [_stacked(each) for each in zip(*values, strict=True)]
    return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)


def trace_of(error: BaseException | None) -> str:
    """The end of the traceback of an exception of a player."""
    if error is None:
        return ""
    # Our own frame, the first, is of no interest.
    trace = error.__traceback__ and error.__traceback__.tb_next
    lines = traceback.format_exception(type(error), error, trace, limit=-20)
    return "".join(lines)[-4000:]

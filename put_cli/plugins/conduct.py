"""What the contract asks of every single decision, tested in every situation of a rule set.

A decision is legal, a function of `self` and `view`, and leaves no trace.
"""

import dataclasses
import enum
import pickle
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from put_cli.engine import reach
from put_cli.engine.asking import CAUGHT, Fault, ask_batch, decide, illegal, is_legal, stacked
from put_cli.engine.lanes import ACT, METHODS
from put_cli.errors import PutError
from put_cli.plugins import spec
from put_cli.plugins.findings import SHOWN, Finding, broke, failed
from put_cli.plugins.situations import RECORD, Situation, situations
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import Strategy, View

Answer = int | Fault
_ACT = METHODS[ACT]
_BATCHES = (1, 7)  # sizes of batch, besides all at once, that must give the same answers


def made(strategy: Strategy) -> Finding:
    """That it can be made without parameters, and be sent to another process."""
    title = "it can be made without parameters and sent to another process"
    try:
        type(strategy)()
    except CAUGHT as error:
        return broke(f"{title}: {type(strategy).__name__}() failed", error)
    try:
        copy = pickle.loads(pickle.dumps(strategy))
    except CAUGHT as error:
        return broke(f"{title}: pickle failed", error)
    # Only a dataclass shows its values; a plain class shows where it lies.
    if dataclasses.is_dataclass(type(strategy)) and repr(copy) != repr(strategy):
        return failed(title, f"what arrived is {copy!r}, sent was {strategy!r}")
    return Finding(title)


def parameters(strategy: Strategy) -> Finding:
    """That its parameters can be given as text, with a type that is checked."""
    title = "its parameters are typed and checked"
    cls = type(strategy)
    settings = getattr(cls, "__dataclass_params__", None)
    if settings is None:
        hints = vars(cls).get("__annotations__", {})
        loose = [name for name, hint in hints.items() if "ClassVar" not in str(hint)]
        if loose:
            return failed(
                title, f"write @dataclass(frozen=True) for {', '.join(loose)} to be parameters"
            )
        return Finding(title, detail="it has none")
    wrong = []
    if not settings.frozen:
        wrong.append("write @dataclass(frozen=True): a strategy does not change")
    known = [each for each in dataclasses.fields(strategy) if each.init]  # type: ignore[arg-type]
    for each in known:
        wrong += _wrong_parameter(each)
    if not wrong:
        wrong += _not_rebuilt(strategy)
    if wrong:
        return failed(title, *wrong)
    values = (f"{each.name}={getattr(strategy, each.name)!r}" for each in known)
    return Finding(title, detail=", ".join(values) or "it has none")


def _wrong_parameter(parameter: "dataclasses.Field[Any]") -> Iterator[str]:
    default, hint = parameter.default, parameter.type
    if default is dataclasses.MISSING:
        yield f"{parameter.name} needs a default of its own (a number, text, enum or None)"
    elif default is not None and not isinstance(default, bool | int | float | str | enum.Enum):
        yield f"{parameter.name} defaults to {default!r}: expected a number, text, enum or None"
    else:
        named = hint if isinstance(hint, str) else getattr(hint, "__name__", str(hint))
        kind = type(default).__name__
        if named in ("int", "float", "bool", "str") and named != kind:
            # What the user gives is checked by the type of the default.
            yield f"{parameter.name} is annotated {named} but defaults to {default!r}, a {kind}"


def _not_rebuilt(strategy: Strategy) -> list[str]:
    """Whether the name it has in tables makes it again."""
    text = spec.canonical("it", strategy)
    try:
        again = spec.canonical("it", spec.build(type(strategy), spec.parse(text)))
    except PutError as error:
        return [str(error)]
    return [] if again == text else [f"{text!r} makes {again!r}"]


def conduct(strategy: Strategy, sets: Sequence[RuleSet], samples: int) -> list[Finding]:
    """Everything that is asked of single decisions, whichever method takes them."""
    asked = [
        each
        for rules in sets
        for each in situations(rules, samples=samples, memory=strategy.memory)
    ]
    before = _traces(strategy)
    one_by_one = [each for each in asked if _decides(strategy, each.method)]
    answers = [_answer(strategy, each) for each in one_by_one]
    findings = [
        legal_everywhere(one_by_one, answers, len(sets), "it answers legally everywhere"),
        _same_again(strategy, one_by_one, answers),
    ]
    if strategy.act_batch is not None:
        known = zip(one_by_one, answers, strict=True)
        findings += _batches(
            strategy,
            [each for each in asked if each.method == _ACT],
            [answer for each, answer in known if each.method == _ACT],
            len(sets),
        )
    after = _traces(strategy)
    findings += [
        _unchanged(before, after),
        _chance(strategy, before, after),
        _record(strategy, asked),
    ]
    return findings


def _decides(strategy: Strategy, method: str) -> bool:
    """Whether it is this method that decides; `act` may be left to `act_batch`."""
    return method != _ACT or type(strategy).act is not Strategy.act


def _answer(strategy: Strategy, situation: Situation) -> Answer:
    """The action, or the fault of one that is none or not legal."""
    view, method = situation.view, situation.method
    try:
        action = decide(getattr(strategy, method), view, method)
    except Fault as fault:
        return fault
    return judged(situation, action)


def judged(situation: Situation, action: int) -> Answer:
    """The action, or the fault of one that is not legal."""
    view, method = situation.view, situation.method
    return action if is_legal(view, action, method) else illegal(view, action, method)


def legal_everywhere(
    asked: Sequence[Situation], answers: Sequence[Answer], sets: int, title: str
) -> Finding:
    """That all answers are legal ones."""
    examples: dict[Any, str] = {}
    wrong = 0
    for situation, answer in zip(asked, answers, strict=True):
        if isinstance(answer, Fault):
            wrong += 1
            view = situation.view
            where = (view.asked, view.must_speak, view.is_leader, view.trick > 1)
            examples.setdefault(
                (situation.method, answer.kind, *where),
                f"{situation.words()}: {_who(situation)} {answer.reason}\n{_again(situation)}",
            )
    shown = tuple(examples.values())[:SHOWN]
    views = f"{len(asked):,} views of {sets} rule set{'' if sets == 1 else 's'}"
    if wrong:
        return Finding(title, False, f"in {wrong:,} of {views} it does not", shown)
    return Finding(title, detail=views)


def _again(situation: Situation) -> str:
    return f"  again: {situation.method}({situation.code()})"


def _who(situation: Situation) -> str:
    return "it" if situation.method == _ACT else situation.method


def _said(answer: Answer) -> str:
    return answer.reason if isinstance(answer, Fault) else f"gave {answer}"


def _same_again(
    strategy: Strategy, asked: Sequence[Situation], answers: Sequence[Answer]
) -> Finding:
    """The same views again, in the opposite order, asked of a copy."""
    title = "it gives the same answer to the same view, in any order"
    try:
        copy = pickle.loads(pickle.dumps(strategy))
    except CAUGHT:
        copy = strategy  # said elsewhere
    again = [_answer(copy, each) for each in reversed(asked)][::-1]
    return alike(title, asked, answers, again, "at first", "then")


def alike(
    title: str,
    asked: Sequence[Situation],
    answers: Sequence[Answer],
    others: Sequence[Answer],
    first: str,
    second: str,
) -> Finding:
    """That the same situations got the same answers twice, `first` and `second`."""
    differing = [
        f"{situation.words()}: {first} {_who(situation)} {_said(one)}, {second} it {_said(other)}\n"
        f"{_again(situation)}"
        for situation, one, other in zip(asked, answers, others, strict=True)
        if _said(one) != _said(other)
    ]
    if differing:
        detail = f"{len(differing):,} of {len(asked):,} answers differ"
        return Finding(title, False, detail, tuple(differing[:SHOWN]))
    return Finding(title)


def _batch_answers(strategy: Strategy, asked: Sequence[Situation], size: int) -> list[Answer]:
    answers: list[Answer] = []
    for start in range(0, len(asked), size):
        views = [each.view for each in asked[start : start + size]]
        actions, faults = ask_batch(strategy, stacked(views), len(views), lambda v=views: v)  # type: ignore[misc]
        for position, (view, action) in enumerate(zip(views, actions, strict=True)):
            if position in faults:
                answers.append(faults[position])
            else:
                answers.append(action if is_legal(view, action) else illegal(view, action))
    return answers


def _batches(
    strategy: Strategy, asked: Sequence[Situation], answers: list[Answer], sets: int
) -> list[Finding]:
    """That `act_batch` is legal, agrees with `act` and does not depend on the size of a batch."""
    whole = _batch_answers(strategy, asked, len(asked))
    findings = [legal_everywhere(asked, whole, sets, "act_batch answers legally everywhere")]
    if answers:
        findings.append(
            alike("act_batch and act agree", asked, answers, whole, "act alone", "in a batch")
        )
    title = "act_batch gives the same answers in batches of any size and order"
    for size in _BATCHES:
        some = asked[:: 1 if size > 1 else 10]
        expected = whole[:: 1 if size > 1 else 10]
        others = _batch_answers(strategy, some[::-1], size)[::-1]
        finding = alike(
            title, some, expected, others, f"in a batch of {len(asked)}", f"in one of {size}"
        )
        if not finding.ok:
            return [*findings, finding]
    views = stacked([each.view for each in asked[:100]])
    before = pickle.dumps(views)
    ask_batch(strategy, views, len(asked[:100]), lambda: (each.view for each in asked[:100]))
    if pickle.dumps(views) != before:
        findings.append(failed("act_batch leaves its arrays alone", "it changed one of them"))
    return [*findings, Finding(title)]


_INSTANCE = "what the instance holds"
_REACHED = "a global, a class attribute or something else it can reach"


def _traces(strategy: Strategy) -> dict[str, Any]:
    """What a decision must not change, by what it is called."""
    try:
        held = pickle.dumps(reach.held(strategy))
    except CAUGHT:
        held = b""
    return {
        _INSTANCE: held,
        _REACHED: reach.source_digest(strategy),
        "random": random.getstate(),
        "numpy.random": pickle.dumps(np.random.get_state()),
    }


def _unchanged(before: dict[str, Any], after: dict[str, Any]) -> Finding:
    title = "it changes nothing by deciding"
    changed = [name for name in (_INSTANCE, _REACHED) if after[name] != before[name]]
    if changed:
        return failed(title, *(f"{name} is not what it was before it decided" for name in changed))
    return Finding(title)


def _chance(strategy: Strategy, before: dict[str, Any], after: dict[str, Any]) -> Finding:
    title = "its only chance is view.luck"
    touched = {name for name in ("random", "numpy.random") if after[name] != before[name]}
    touched |= set(reach.chance(strategy))
    if touched:
        return failed(title, f"it uses {', '.join(sorted(touched))}")
    return Finding(title)


class _Watched(View):
    """A View that notes who reads the record."""

    readers: dict[str, str] = {}

    def __getattribute__(self, name: str) -> Any:
        if name in _RECORD:
            code = sys._getframe(1)
            _Watched.readers.setdefault(name, f"{code.f_code.co_filename}:{code.f_lineno}")
        return super().__getattribute__(name)


_RECORD = frozenset(RECORD)


def _record(strategy: Strategy, asked: Sequence[Situation]) -> Finding:
    """That it reads the public record if, and only if, it says so."""
    title = "it reads the record of the match only if it says memory = True"
    _Watched.readers = {}
    try:
        for each in asked:
            if _decides(strategy, each.method):
                _quietly(getattr(strategy, each.method), _Watched._make(each.view))
        if strategy.act_batch is not None:
            views = [each.view for each in asked if each.method == _ACT]
            _quietly(strategy.act_batch, _Watched._make(stacked(views)))
        readers = dict(_Watched.readers)
    finally:
        _Watched.readers = {}
    if readers and not strategy.memory:
        return failed(
            title,
            *(
                f"it reads view.{name} at {where}: without it that is 0"
                for name, where in readers.items()
            ),
        )
    if strategy.memory and not readers:
        return Finding(title, detail="it says so, but reads none of it; without, it plays faster")
    return Finding(title)


def _quietly(act: Callable[[Any], Any], view: Any) -> None:
    try:
        act(view)
    except CAUGHT:
        return  # said elsewhere

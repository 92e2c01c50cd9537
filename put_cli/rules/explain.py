"""A rule set in words, derived from the rules themselves so that it cannot disagree with them.

How a hand is played is told by `put_cli.rules.prose`; who may say what, and what a hand pays, is
found by walking the machine.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from textwrap import wrap
from typing import Any

from put_cli.rules.finding import built_in
from put_cli.rules.machine import (
    DEALER,
    ELDEST,
    PLAYS,
    WORDS,
    Act,
    Ending,
    Machine,
    Misdeal,
    Stage,
    State,
    walk,
)
from put_cli.rules.prose import play
from put_cli.rules.ruleset import GAME, MAX_PLAYERS, MAX_TARGET, RuleSet, knob_choices, knob_help
from put_cli.rules.telling import pays

WIDTH = 80
REFERENCE = "cotton"
"""The rule set that the others are compared with."""


def summary(rules: RuleSet) -> str:
    """The rule set in one line: pack, target, what a hand is worth, where one may speak."""
    machine, states = _walked(rules)
    speaking = [state for state in states if not state.asked]
    worths = ("the game" if worth == GAME else str(worth) for worth in dict.fromkeys(rules.worths))
    parts = [
        f"{_company(rules)}{rules.cards.size} cards to {rules.target}",
        f"worth {', '.join(worths)}",
        _putting({machine.place(s) for s in speaking if Act.PUT in machine.legal(s)}),
    ]
    if any(Act.THROW in machine.legal(s) and not machine.must_speak(s) for s in speaking):
        parts.append("free throws")
    if rules.rubber > 1:
        parts.append(f"best of {rules.rubber}")
    if rules.misdeals:
        parts.append("misdeals")
    return "; ".join(parts)


def _walked(rules: RuleSet) -> tuple[Machine, list[State]]:
    """The machine and all its states; those of three stand for those of more players.

    The states of six are a hundred times as many, and nothing else is said or paid in them.
    """
    machine = Machine(replace(rules, players=min(rules.players, 3)))
    return machine, walk(machine)


def _company(rules: RuleSet) -> str:
    """Who plays, where that is not two players."""
    if rules.partners:
        return "two pairs of partners; "
    return f"{rules.players} players; " if rules.players > 2 else ""


def _putting(places: set[str]) -> str:
    """Where a put may be said, shortly."""
    if len(places) == 6 and not any(place.startswith("after") for place in places):
        return "put at any turn"
    shown = [f"{place[:-1]} {place[-1]}" for place in sorted(places, key=_moment)]
    return f"put: {', '.join(shown).replace('after', 'after trick')}" if shown else "no put"


def explain(rules: RuleSet) -> str:
    """Everything there is to know about a rule set, as text of at most WIDTH columns."""
    machine, states = _walked(rules)
    sections = {
        "How it is played": _bullets(play(rules)),
        "When the dealer errs: the Laws of Put": _laws(machine) if rules.misdeals else [],
        "Who may say what": _table(_words(machine, states)),
        "What a hand pays": _table(_payments(machine, states)),
        "Readings of what the sources dispute": _bullets(rules.readings),
        "Among the rule sets": _bullets(_standing(rules)),
        f"Differs from {REFERENCE} in": _table(_differences(rules)),
        "Knobs": _knobs(rules),
    }
    lines = wrap(f"{rules.name}: {rules.title}" if rules.title else rules.name, WIDTH)
    lines += wrap(f"Source: {rules.source}", WIDTH) if rules.source else []
    for heading, body in sections.items():
        if body:
            lines += ["", heading, *body]
    return "\n".join(lines)


def _laws(machine: Machine) -> list[str]:
    """The ways in which a deal can go wrong, and what follows."""
    share, opponent = machine.rules.misdeals, "an opponent" if machine.seats > 2 else "eldest"
    if machine.rules.partners:
        opponent = "an opponent"
    named = {
        Misdeal.EXPOSED_THEIRS: f"exposes a card of {opponent}",
        Misdeal.EXPOSED_OWN: "exposes a card of his own",
        Misdeal.FACED: "a faced card in the pack",
        Misdeal.FOUR_THEIRS: f"gives {opponent} four cards",
        Misdeal.FOUR_OWN: "gives himself four cards",
    }
    return [
        *_bullets(
            [
                f"The dealer errs in {share:.4g} of the deals, in each of five ways equally "
                "often. The player whose cards are concerned chooses; where they are the "
                "dealer's, eldest.",
                "Stand: the exposed card is public. Draw: one of the four, unseen, is out of "
                "play. Redeal: the same dealer deals again, and the scores stay.",
            ]
        ),
        *_table((text, _ruling(machine, misdeal)) for misdeal, text in named.items()),
    ]


def _ruling(machine: Machine, misdeal: Misdeal) -> str:
    """What may follow a misdeal."""
    start = machine.start(misdeal)
    if start.over:
        return "redealt"
    if start.stage is not Stage.RULING:
        return "he must stand, and the card is public"
    choice = " | ".join(act.name.lower() for act in machine.legal(start))
    award = machine.awarded().outcome
    assert award is not None
    if misdeal is Misdeal.FOUR_OWN:
        return f"eldest scores {pays(award.points)} at once, which may win the game; then {choice}"
    return choice


def _words(machine: Machine, states: Iterable[State]) -> Iterator[tuple[str, str]]:
    """Each place of a hand, and what may be done there."""
    at: defaultdict[str, list[State]] = defaultdict(list)
    answering: set[Act] = set()
    for state in states:
        if state.asked:
            answering.update(machine.legal(state))
        elif not state.over and state.stage is not Stage.RULING:
            at[machine.place(state)].append(state)
    choices = {state.turn: machine.legal(state) for state in at.pop("gift", [])}
    for side, choice in choices.items():
        captain = ("1, eldest's captain", "0, dealer's captain")[side]
        yield captain, " | ".join(act.name.lower() for act in choice)
    if at.pop("lay-out", []):
        yield "each receiver", "lay out a card"
    for place in sorted(at, key=_moment):
        free = [state for state in at[place] if not state.committed]
        actors = {machine.actor(state) for state in at[place]}
        said = [_word(machine, word, free) for word in WORDS]
        acts = [text for text in said if text]
        if any(act in PLAYS for state in at[place] for act in machine.legal(state)):
            acts.append("reply with a card" if place.startswith("reply") else "lead a card")
        only = "" if any(not state.seen for state in at[place]) else " (only after a seen put)"
        who = _who(machine, place, actors)
        yield f"{_PLACES[place[:-1]]} {place[-1]}, {who}", " | ".join(acts) + only
    if answering:
        asked = "asked by a put" if machine.seats == 2 else "asked by a put, each in turn"
        yield asked, " | ".join(act.name.lower() for act in sorted(answering))
        yield "after a seen put", "the player whose turn it is must play a card"


_PLACES = {"lead": "lead to trick", "reply": "reply in trick", "after": "after trick"}


def _moment(place: str) -> tuple[str, int]:
    """Sort key of a place: by trick, then lead, reply, after."""
    return place[-1], list(_PLACES).index(place[:-1])


def _who(machine: Machine, place: str, actors: set[int]) -> str:
    if actors == {ELDEST}:
        return "eldest"
    if machine.seats > 2:
        return "each replier" if place.startswith("reply") else "the leader"
    if actors == {DEALER}:
        return "dealer"
    return "the replier" if place.startswith("reply") else "the leader"


def _word(machine: Machine, word: Act, states: Iterable[State]) -> str:
    """The word and until when it may be said in these states; empty when never."""
    allowed = {state.seen for state in states if word in machine.legal(state)}
    if not allowed:
        return ""
    name = word.name.lower()
    refused = {state.seen for state in states} - allowed
    if not refused:
        return name
    puts = "a put has" if min(refused) == 1 else f"{min(refused)} puts have"
    return f"{name} (until {puts} been seen)"


def _payments(machine: Machine, states: Iterable[State]) -> Iterator[tuple[str, str]]:
    """Each way a hand can end, and what it pays; puts seen are joined where the pay is the same."""
    seen: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    two = machine.seats == 2
    other, scores = ("the other side", "both scores") if two else ("the putter", "all scores")
    for state in states:
        for act in machine.legal(state) if state.stage is Stage.TRICKS else ():
            outcome = machine.act(state, act).outcome
            if outcome is None:
                continue
            if outcome.ending is Ending.TRICKS:
                ending, pay = "won by tricks", pays(outcome.points)
            elif outcome.ending is Ending.THROWN:
                ending = "put declined" if state.asked else "thrown in unasked"
                pay = f"{pays(outcome.points)} to {other}"
            else:
                ending = "drawn"
                pay = f"nothing; {scores} go back to 0" if outcome.anew else "nothing"
            seen[ending, pay].add(state.seen)
    for (ending, pay), puts in sorted(seen.items(), key=_ending_first):
        yield f"{ending}, {_puts_seen(puts)}", pay


def _ending_first(item: tuple[tuple[str, str], set[int]]) -> tuple[int, int]:
    """Sort key of a payment: the ending, then the fewest puts seen."""
    (ending, _), puts = item
    order = ("won by tricks", "put declined", "thrown in unasked", "drawn")
    return order.index(ending), min(puts)


def _puts_seen(puts: set[int]) -> str:
    low, high = min(puts), max(puts)
    if high == 0:
        return "no put seen"
    if low == high:
        return f"{low} put{'' if low == 1 else 's'} seen"
    return f"{low} to {high} puts seen"


def _standing(rules: RuleSet) -> Iterator[str]:
    if rules.name == REFERENCE:
        yield "The others are compared with this one."
    elif not any(_differences(rules)):
        yield f"It is played as {REFERENCE} is: every knob is set alike."


def _differences(rules: RuleSet) -> Iterator[tuple[str, str]]:
    reference = built_in(REFERENCE).knobs()
    for key, value in rules.knobs().items():
        if value != reference[key]:
            yield key, f"{_shown(value)} ({REFERENCE}: {_shown(reference[key])})"


def _knobs(rules: RuleSet) -> list[str]:
    lines = []
    for key, value in rules.knobs().items():
        lines.append(f"  {key} = {_shown(value)}")
        choices = _choices(key, value)
        text = knob_help()[key] + (f" [{choices}]" if choices else "")
        lines += wrap(text, WIDTH, initial_indent="      ", subsequent_indent="      ")
    return lines


def _choices(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true, false"
    if key == "target":
        return f"1 to {MAX_TARGET}"
    if key == "players":
        return f"2 to {MAX_PLAYERS}"
    return ", ".join(knob_choices(key))


def _shown(value: Any) -> str:
    """A knob's value as it stands in a TOML file, and may stand in brackets."""
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value)  # for texts, numbers and lists of them the same as TOML


def _bullets(sentences: Iterable[str]) -> list[str]:
    return [
        line
        for sentence in sentences
        for line in wrap(sentence, WIDTH, initial_indent="  - ", subsequent_indent="    ")
    ]


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    rows = list(rows)
    left = max((len(name) for name, _ in rows), default=0)
    return [
        line
        for name, text in rows
        for line in wrap(
            text,
            WIDTH,
            initial_indent=f"  {name:<{left}}  ",
            subsequent_indent=" " * (left + 4),
        )
    ]

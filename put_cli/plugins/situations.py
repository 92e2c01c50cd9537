"""Situations: the moments of a hand at which a player is asked, and the View he then gets.

For tests of strategies. `view_at` makes one from a line of notation, `situations` goes through all
of a rule set. The Views here are made from the rules and the documentation of `View`, not by the
code that plays, and a test holds the two against each other. Two-handed games only.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from put_cli.engine.players import NO_OTHERS
from put_cli.engine.tables import SITUATION, compile_rules
from put_cli.errors import UsageError, did_you_mean
from put_cli.rules.machine import REPLIES, SEATS, WORDS, Act, Machine, State, walk
from put_cli.rules.notation import HAND_CARDS, Hand, Step, letters_of, parse_hand
from put_cli.rules.referee import state_after
from put_cli.rules.ruleset import RuleSet, find_ruleset
from put_cli.rules.score import Score, check_score
from put_cli.strategy import View

RECORD = View._fields[View._fields.index("hands") :]
"""The fields of View that are the public record of the match."""

_BOOLS = frozenset(name for name, kind in View.__annotations__.items() if kind is bool)


@dataclass(frozen=True)
class Situation:
    """A player is to decide: after the steps of `hand`, begun at `score` (eldest, dealer)."""

    rules: RuleSet
    hand: Hand
    score: Score
    seat: int
    """Who decides."""
    view: View
    luck: float
    fields: dict[str, Any] = field(default_factory=dict)
    """What was set on top of what the hand determines: the record, games of a rubber."""

    def words(self) -> str:
        """The situation in one line: rule set, score, cards, what has happened."""
        pack = self.rules.cards
        held = tuple(card for card in self.view.cards if card)
        own, other = self.score[self.seat], self.score[1 - self.seat]
        steps = " ".join(step.text() for step in self.hand.steps)
        return (
            f"{self.rules.name}, {own} to {other}, {SEATS[self.seat]} holding "
            f"{pack.text(held) or 'nothing'} {list(held)}, after {steps or 'the deal'}"
        )

    def code(self) -> str:
        """The call of `view_at` that makes this View."""
        rules = "" if self.rules.name == "cotton" else f", rules={self.rules.name!r}"
        score = "" if self.score == (0, 0) else f", score={self.score}"
        more = "".join(f", {name}={value!r}" for name, value in self.fields.items())
        return f"view_at({self.hand.text()!r}{rules}{score}, luck={self.luck!r}{more})"


def view_at(
    line: str,
    *,
    rules: str | RuleSet = "cotton",
    score: Score = (0, 0),
    luck: float = 0.5,
    **fields: Any,
) -> View:
    """What the player to act sees after the steps of a hand in notation.

        view_at("E 3 9 4 | D A 8 6 |")                            eldest is to lead
        view_at("E 3 9 4 | D A 8 6 | E9 D:put", score=(4, 2))     eldest is asked

    `score` is that of eldest and of dealer. `fields` sets any field of the View besides, such as
    `their_puts=7`.

    Raises:
        NotationError: the line is malformed, breaks the rules or leaves nobody to act.
        UsageError: there is no such rule set or field, or no hand begins at that score.
    """
    found = find_ruleset(rules) if isinstance(rules, str) else rules
    check_score(found, score)
    for name in fields:
        if name not in View._fields:
            raise UsageError(f"View has no field {name!r}.{did_you_mean(name, View._fields)}")
    hand = parse_hand(line)
    state = state_after(found, hand)
    if state.over:
        raise UsageError(f"{hand.text()}: the hand is over, nobody is to act.")
    return _view(found, hand, state, score, luck)._replace(**fields)


@cache
def situations(
    rules: RuleSet, *, samples: int = 4, memory: bool = False, last_trick: int = 3
) -> tuple[Situation, ...]:
    """Every state of the rules in which a player is asked, `samples` times, with cards that fit.

    Scores, luck and, with `memory`, the record are drawn at random, at their extremes too, and
    always the same. A lone card that must be played is not asked for. `last_trick` leaves out
    what comes after that trick.
    """
    return tuple(_situations(rules, samples, memory, last_trick))


def _situations(rules: RuleSet, samples: int, memory: bool, last_trick: int) -> Iterator[Situation]:
    rng = random.Random(1674)
    machine = Machine(rules)
    for state, path in _paths(rules):
        if len(state.tricks) >= last_trick:
            continue
        for number in range(samples):
            hand = _deal(rules, path, rng)
            score = _score(rules, rng, number)
            luck = (0.0, 1.0 - 2.0**-53)[number] if number < 2 else rng.random()
            view = _view(rules, hand, state, score, luck)
            if not (view.may_put or view.may_throw) and sum(map(bool, view.cards)) == 1:
                continue
            fields: dict[str, Any] = {}
            if rules.rubber > 1 and number % 2:
                fields = {
                    "legs": rng.randrange(rules.wins_needed),
                    "their_legs": rng.randrange(rules.wins_needed),
                }
            if memory and number % 3:
                fields |= _record(rng, view)
            yield Situation(
                rules, hand, score, machine.actor(state), view._replace(**fields), luck, fields
            )


@cache
def _rows(rules: RuleSet) -> dict[State, dict[str, Any]]:
    """The fields of View that the state alone determines, by state."""
    table = compile_rules(rules).states[:, : len(SITUATION)].tolist()
    return {
        state: {
            name: bool(value) if name in _BOOLS else value
            for name, value in zip(SITUATION, row, strict=True)
        }
        for state, row in zip(walk(Machine(rules)), table, strict=True)
    }


def _view(rules: RuleSet, hand: Hand, state: State, score: Score, luck: float) -> View:
    me = Machine(rules).actor(state)
    card = rules.cards.card
    played = [
        [card(step.rank) for step in hand.steps if step.seat == s and step.rank] for s in (0, 1)
    ]
    cards = sorted((card(rank) for rank in hand.cards(me)), reverse=True)
    for each in played[me]:
        cards[cards.index(each)] = 0
    held = [each for each in cards if each]
    led = played[1 - me][-1] if state.led and state.leader != me else 0
    values: dict[str, Any] = dict.fromkeys(View._fields, 0) | dict.fromkeys(_BOOLS, False)
    values["others"] = NO_OTHERS
    values |= _rows(rules)[state]
    values |= {
        "cards": tuple(cards),
        "highest": max(held, default=0),
        "lowest": min(held, default=0),
        "cheapest_winner": min((each for each in held if led and each > led), default=0),
        "equal": led if led in held else 0,
        "led": led,
        "played": (*played[me], 0, 0, 0)[:HAND_CARDS],
        "their_played": (*played[1 - me], 0, 0, 0)[:HAND_CARDS],
        "score": score[me],
        "their_score": score[1 - me],
        "luck": luck,
    }
    return View(**values)


_Path = tuple[tuple[int, Act], ...]
"""Acts from the start of a hand, each with the seat that does it."""


@cache
def _paths(rules: RuleSet) -> tuple[tuple[State, _Path], ...]:
    """Every state in which somebody acts, with a shortest way there."""
    machine = Machine(rules)
    start = machine.start()
    paths: dict[State, _Path] = {start: ()}
    waiting = [start]
    for state in waiting:  # the list grows while it is walked
        for act in machine.legal(state):
            after = machine.act(state, act)
            if after not in paths:
                paths[after] = (*paths[state], (machine.actor(state), act))
                waiting.append(after)
    return tuple((state, path) for state, path in paths.items() if not state.over)


def _deal(rules: RuleSet, path: _Path, rng: random.Random) -> Hand:
    """A hand whose steps are `path`, with random cards that allow it."""
    while True:
        hand = _try_deal(rules, path, rng)
        if hand is not None:
            return hand


def _try_deal(rules: RuleSet, path: _Path, rng: random.Random) -> Hand | None:
    """As `_deal`; None when the lead drawn leaves no card for the reply."""
    pack = rules.cards
    stock = list(range(1, pack.top + 1)) * pack.copies
    rng.shuffle(stock)
    laid: tuple[list[int], list[int]] = ([], [])
    steps = []
    led = 0
    for seat, act in path:
        if act in WORDS:
            steps.append(Step(seat, word=act.name.lower()))
            continue
        led = next((card for card in stock if _fits(act, card, led)), 0)
        if not led:
            return None
        stock.remove(led)
        laid[seat].append(led)
        steps.append(Step(seat, rank=pack.rank(led)))
    cards = []
    for own in laid:
        dealt = own + [stock.pop() for _ in range(HAND_CARDS - len(own))]
        cards.append(tuple(pack.rank(card) for card in sorted(dealt, reverse=True)))
    return Hand(letters_of(rules), tuple(cards), tuple(steps))


def _fits(act: Act, card: int, led: int) -> bool:
    """Whether playing `card` is this act, over `led` where it is a reply."""
    if act not in REPLIES:
        return True
    return act == (Act.LOWER if card < led else Act.HIGHER if card > led else Act.EQUAL)


def _score(rules: RuleSet, rng: random.Random, number: int) -> Score:
    """Any score a hand can begin at; first those where the rules bite."""
    last = rules.target - 1
    extremes = ((0, 0), (last, last), (0, last), (last, 0))
    if number < len(extremes):
        return extremes[number]
    return rng.randrange(rules.target), rng.randrange(rules.target)


def _record(rng: random.Random, view: View) -> dict[str, int]:
    """A record that a match could have left, in agreement with what was said in this hand."""
    hands = rng.choice((0, 1, 5, 50, 500))
    puts = {
        "my": rng.randint(0, hands) + view.puts_mine,
        "their": rng.randint(0, hands) + view.puts_theirs,
    }
    answered = {"my": puts["my"], "their": puts["their"] - view.asked}
    seen = {side: rng.randint(0, answered[side]) for side in puts}
    values = {"hands": hands}
    for side, other in (("my", "their"), ("their", "my")):
        values |= {
            f"{side}_puts": puts[side],
            f"{side}_puts_seen": seen[side],
            f"{side}_puts_lost": rng.randint(0, seen[side]),
            f"{side}_asked": answered[other],
            f"{side}_thrown": answered[other] - seen[other],
        }
    return values

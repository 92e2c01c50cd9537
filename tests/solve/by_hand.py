"""The same chances without a tree, vectors or weights: every deal of every single card in turn.

Only the machine of the rules is used. Luck is tried in the pieces that the strategies of `field`
tell apart.
"""

from collections import Counter
from itertools import combinations

from put_cli import PUT, SEE, THROW, Strategy, View
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, Act, Machine, State
from put_cli.rules.ruleset import GAME, RuleSet

PIECES = ((0.1, 0.25), (0.3, 0.25), (0.7, 0.5))
"""Luck in each of the intervals between 0, 0.25, 0.5 and 1, with its probability."""

_BLANK = dict.fromkeys(View._fields, 0)
_WORDS = {PUT: Act.PUT, SEE: Act.SEE, THROW: Act.THROW}

Hands = tuple[tuple[int, ...], tuple[int, ...]]
Score = tuple[int, int]


def deals(rules: RuleSet) -> Counter[Hands]:
    """How often each two hands are dealt, card by card."""
    pack = [rank for rank in range(1, rules.cards.top + 1) for _ in range(rules.cards.copies)]
    counted: Counter[Hands] = Counter()
    for first in combinations(range(len(pack)), 3):
        rest = [n for n in range(len(pack)) if n not in first]
        for second in combinations(rest, 3):
            hands = [
                tuple(sorted((pack[n] for n in each), reverse=True)) for each in (first, second)
            ]
            counted[hands[0], hands[1]] += 1
    return counted


def view(machine: Machine, state: State, held: Hands, led: int, score: Score, luck: float) -> View:
    """What the strategies of the tests look at."""
    seat = machine.actor(state)
    own, legal, tally = held[seat], machine.legal(state), machine.tally(state.tricks)
    led = led if state.led and len(own) == 3 - len(state.tricks) else 0
    fields = {
        "highest": max(own, default=0),
        "lowest": min(own, default=0),
        "cheapest_winner": min((card for card in own if led and card > led), default=0),
        "led": led,
        "score": score[seat],
        "their_score": score[1 - seat],
        "my_tricks": tally[seat],
        "their_tricks": tally[1 - seat],
        "top": machine.rules.cards.top,
        "asked": state.asked,
        "may_put": Act.PUT in legal,
        "may_throw": Act.THROW in legal,
        "may_play": Act.LEAD in legal or Act.LOWER in legal,
        "must_speak": machine.must_speak(state),
        "luck": luck,
    }
    return View(**(_BLANK | fields))


def endings(
    machine: Machine, seats: tuple[Strategy, Strategy], held: Hands, score: Score
) -> Counter[tuple[int, int]]:
    """The probability of (winner, points) of a hand with these cards."""
    total: Counter[tuple[int, int]] = Counter()

    def go(state: State, held: Hands, led: int, chance: float) -> None:
        if state.outcome is not None:
            total[state.outcome.winner, state.outcome.points] += chance
            return
        seat = machine.actor(state)
        answers: Counter[int] = Counter()
        for luck, share in PIECES:
            seen = view(machine, state, held, led, score, luck)
            answers[seats[seat].act(seen)] += share
        for action, share in answers.items():
            if action in _WORDS:
                go(machine.act(state, _WORDS[action]), held, led, chance * share)
                continue
            own = list(held[seat])
            own.remove(action)
            after = (tuple(own), held[1]) if seat == ELDEST else (held[0], tuple(own))
            go(machine.act(state, _card(state, action, led)), after, action, chance * share)

    go(machine.start(), held, 0, 1.0)
    return total


def chance(rules: RuleSet, a: Strategy, b: Strategy) -> tuple[float, float]:
    """A's chance of winning a game as the first eldest, and as the first dealer."""
    machine, counted = Machine(rules), deals(rules)
    number = sum(counted.values())
    scores = [(e, d) for e in range(rules.target) for d in range(rules.target)]
    table = {}
    for seat, seats in ((ELDEST, (a, b)), (DEALER, (b, a))):
        for score in scores:
            here: Counter[tuple[int, int]] = Counter()
            for hands, ways in counted.items():
                for ending, share in endings(machine, seats, hands, score).items():
                    here[ending] += ways / number * share
            table[seat, score] = here
    value = {(seat, score): 0.5 for seat in (ELDEST, DEALER) for score in scores}
    for _ in range(200):  # until nothing moves any more
        for (seat, score), here in table.items():
            value[seat, score] = sum(
                share * _after(rules, value, seat, score, *ending) for ending, share in here.items()
            )
    return value[ELDEST, (0, 0)], value[DEALER, (0, 0)]


def _after(
    rules: RuleSet,
    value: dict[tuple[int, Score], float],
    seat: int,
    score: Score,
    winner: int,
    points: int,
) -> float:
    """A's chance after a hand in which he sat at `seat`."""
    gained = [score[0], score[1]]
    if winner != NOBODY:
        gained[winner] += rules.target if points == GAME else points
        if gained[winner] >= rules.target:
            return float(winner == seat)
    return value[1 - seat, (gained[1], gained[0])]


def best_chance(
    rules: RuleSet,
    strategy: Strategy,
    seat: int,
    score: Score,
    value: dict[tuple[int, Score], float],
) -> float:
    """The most that can be won from this score on by somebody in `seat`, against a strategy.

    `value` is what can be won from the scores that follow, by seat and score from eldest's side.
    He knows his own cards; what the other may hold is a list, with how likely each is.
    """
    machine, counted = Machine(rules), deals(rules)
    possible: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}
    for hands, ways in counted.items():
        possible.setdefault(hands[seat], Counter())[hands[1 - seat]] += ways

    def with_cards(own: tuple[int, ...], other: tuple[int, ...]) -> Hands:
        return (own, other) if seat == ELDEST else (other, own)

    def go(state: State, own: tuple[int, ...], others: Counter, led: int) -> float:
        if state.outcome is not None:
            won = _after(rules, value, seat, score, state.outcome.winner, state.outcome.points)
            return won * sum(others.values())
        if machine.actor(state) == seat:
            found = []
            for act in machine.legal(state):
                if act in _WORDS.values():
                    found.append(go(machine.act(state, act), own, others, led))
            if Act.LEAD in machine.legal(state) or Act.LOWER in machine.legal(state):
                for card in set(own):
                    left = list(own)
                    left.remove(card)
                    then = machine.act(state, _card(state, card, led))
                    found.append(go(then, tuple(left), others, card))
            return max(found)
        answers: dict[int, Counter[tuple[int, ...]]] = {}
        for other, chance in others.items():
            for luck, share in PIECES:
                seen = view(machine, state, with_cards(own, other), led, score, luck)
                action = strategy.act(seen)
                left = list(other)
                if action not in _WORDS:
                    left.remove(action)
                answers.setdefault(action, Counter())[tuple(left)] += chance * share
        total = 0.0
        for action, left in answers.items():
            act = _WORDS[action] if action in _WORDS else _card(state, action, led)
            total += go(machine.act(state, act), own, left, led if action in _WORDS else action)
        return total

    dealt = [go(machine.start(), own, others, 0) for own, others in possible.items()]
    return sum(dealt) / sum(counted.values())


def _card(state: State, card: int, led: int) -> Act:
    if not state.led:
        return Act.LEAD
    return Act.EQUAL if card == led else Act.HIGHER if card > led else Act.LOWER

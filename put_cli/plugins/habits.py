"""What a strategy does with strong and with weak hands, counted over random ones."""

from dataclasses import asdict, dataclass
from typing import Any

from put_cli.engine.asking import CAUGHT
from put_cli.plugins.dealing import ways
from put_cli.plugins.situations import Situation, situations
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import PUT, SEE, THROW, Match, Strategy, View

SAMPLES = 200
"""Hands drawn for each situation of the first trick, unless that makes too many."""

MOST = 4_000
"""Hands drawn in all, or a few more."""

PARTS = 4


@dataclass(frozen=True)
class Habit:
    """What it does with one quarter of all hands: shares in [0, 1], None where it is never asked.

    `hand` is the quarter's middle hand, best card first.
    """

    hand: str
    puts: float | None
    sees: float | None
    throws: float | None
    """Unasked, where the rule set allows that."""

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)

    @staticmethod
    def table(rows: "tuple[Habit, ...]") -> list[str]:
        """The rows under a heading."""
        lines = ["a hand like     puts   sees  throws unasked"]
        for row in rows:
            cells = (
                "-" if share is None else f"{100 * share:.0f} %"
                for share in (row.puts, row.sees, row.throws)
            )
            puts, sees, throws = cells
            lines.append(f"{row.hand:<12} {puts:>7} {sees:>6} {throws:>15}")
        return lines


def habits(strategy: Strategy, rules: RuleSet) -> tuple[Habit, ...]:
    """Its words in the first trick with three cards in hand, by quarters of strength.

    A hand is as strong as the sum of its card numbers. A learning player is asked before it has
    learned anything.
    """
    first = sum(not state.tricks for state in ways(rules))
    samples = min(SAMPLES, 1 + MOST // first)
    asked = [
        each
        for each in situations(rules, samples=samples, memory=False, last_trick=1)
        if each.method == "act" and all(each.view.cards)
    ]
    asked.sort(key=lambda each: sum(each.view.cards))
    act = _decider(strategy, rules)
    if act is None:
        return ()
    size = -(-len(asked) // PARTS)
    return tuple(
        _habit(rules, act, asked[start : start + size]) for start in range(0, len(asked), size)
    )


def _habit(rules: RuleSet, act: Any, asked: list[Situation]) -> Habit:
    said: dict[int, list[bool]] = {PUT: [], SEE: [], THROW: []}
    for situation in asked:
        view = situation.view
        try:
            action = act(view)
        except CAUGHT:
            continue  # said elsewhere
        if view.asked:
            said[SEE].append(action == SEE)
        else:
            if view.may_put:
                said[PUT].append(action == PUT)
            if view.may_throw:
                said[THROW].append(action == THROW)
    shares = {word: sum(yes) / len(yes) if yes else None for word, yes in said.items()}
    middle = asked[len(asked) // 2].view.cards
    return Habit(rules.cards.text(middle), shares[PUT], shares[SEE], shares[THROW])


def _decider(strategy: Strategy, rules: RuleSet) -> Any:
    """Something that decides one View."""
    if strategy.begin_match is not None:
        match = Match(
            rules=rules.name,
            target=rules.target,
            ranks=rules.cards.ranks,
            games=100,
            name="it",
            opponent="nobody",
            players=rules.players,
        )
        try:
            return strategy.begin_match(match).act
        except CAUGHT:
            return None  # said elsewhere
    if type(strategy).act is not Strategy.act:
        return strategy.act
    from put_cli.engine.asking import stacked

    def one(view: View) -> Any:
        return strategy.act_batch(stacked([view]))[0]

    return one

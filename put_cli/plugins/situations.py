"""Situations: the moments of a hand at which a player is asked, and the View he then gets.

For tests of strategies. `view_at` makes one from a line of notation, `situations` goes through all
of a rule set, whatever family of games it is of.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from put_cli.engine.lanes import METHODS
from put_cli.engine.tables import METHOD_OF
from put_cli.errors import UsageError, did_you_mean
from put_cli.plugins.dealing import hand_before, is_awarded, ways
from put_cli.plugins.views import view_of
from put_cli.rules.finding import find_ruleset
from put_cli.rules.notation import Hand, names_of, parse_hand
from put_cli.rules.play import Play
from put_cli.rules.referee import under_way
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score, no_points
from put_cli.strategy import View

RECORD = View._fields[View._fields.index("hands") :]
"""The fields of View that are the public record of the match."""


@dataclass(frozen=True)
class Situation:
    """A player is to decide: after the steps of `hand`, begun at `score` (by seat)."""

    rules: RuleSet
    hand: Hand
    score: Score
    player: int
    """Who decides: his place in the letters of the hand."""
    method: str
    """Which method of a strategy decides: act, gift, lay_out or misdeal."""
    view: View
    luck: float
    fields: dict[str, Any] = field(default_factory=dict)
    """What was set on top of what the hand determines: the record, games of a rubber."""

    def words(self) -> str:
        """The situation in one line: rule set, score, cards, what has happened."""
        view, pack = self.view, self.rules.cards
        held = tuple(card for card in (*view.cards, view.fourth) if card)
        others = [view.their_score, *(each.score for each in view.others[: view.players - 2])]
        steps = " ".join(self.hand.step_texts())
        return (
            f"{self.rules.name}, {view.score} to {' and '.join(map(str, others))}, "
            f"{names_of(self.hand.letters)[self.player]} holding "
            f"{pack.text(held) or 'nothing'} {list(held)}, after {steps or 'the deal'}"
        )

    def code(self) -> str:
        """The call of `view_at` that makes this View."""
        rules = "" if self.rules.name == "cotton" else f", rules={self.rules.name!r}"
        score = "" if self.score == no_points(self.rules) else f", score={self.score}"
        more = "".join(f", {name}={value!r}" for name, value in self.fields.items())
        return f"view_at({self.hand.text()!r}{rules}{score}, luck={self.luck!r}{more})"


def view_at(
    line: str,
    *,
    rules: str | RuleSet = "cotton",
    score: Score | None = None,
    luck: float = 0.5,
    **fields: Any,
) -> View:
    """What the player to act sees after the steps of a hand in notation.

        view_at("E 3 9 4 | D A 8 6 |")                            eldest is to lead
        view_at("E 3 9 4 | D A 8 6 | E9 D:put", score=(4, 2))     eldest is asked
        view_at("A 3 9 4 | B A 8 6 | C K Q 7 | A9", rules="three-handed")

    The line may be of any family of games; with partners, before the tricks and after a misdeal
    the View is that of `gift`, `lay_out` or `misdeal`. `score` is by seat, eldest first and the
    dealer last; nobody has a point unless it is given. `fields` sets any field of the View
    besides, such as `their_puts=7`.

    Raises:
        NotationError: the line is malformed, breaks the rules or leaves nobody to act.
        UsageError: there is no such rule set or field, or no hand begins at that score.
    """
    found = find_ruleset(rules) if isinstance(rules, str) else rules
    for name in fields:
        if name not in View._fields:
            raise UsageError(f"View has no field {name!r}.{did_you_mean(name, View._fields)}")
    hand = parse_hand(line)
    play = under_way(found, hand, score)
    if play.state.over:
        raise UsageError(f"{hand.text()}: the hand is over, nobody is to act.")
    return view_of(play, luck)._replace(**fields)


@cache
def situations(
    rules: RuleSet, *, samples: int = 4, memory: bool = False, last_trick: int = 3
) -> tuple[Situation, ...]:
    """Every state of the rules in which a player is asked, `samples` times, with cards that fit.

    Scores, luck and, with `memory`, the record are drawn at random, at their extremes too, and
    always the same. A lone card that must be played is not asked for. `last_trick` leaves out
    what comes after that trick. Rule sets with very many states are sampled (see `dealing`).
    """
    return tuple(_situations(rules, samples, memory, last_trick))


def _situations(rules: RuleSet, samples: int, memory: bool, last_trick: int) -> Iterator[Situation]:
    rng = random.Random(1674)
    for state in ways(rules):
        if len(state.tricks) >= last_trick:
            continue
        for number in range(samples):
            hand = hand_before(rules, state, rng)
            score = _score(rules, rng, number)
            if is_awarded(hand):  # a point that must not win the game at once
                score = (min(score[0], rules.target - 2), *score[1:])
            play = under_way(rules, hand, score)
            luck = (0.0, 1.0 - 2.0**-53)[number] if number < 2 else rng.random()
            view = view_of(play, luck)
            fields: dict[str, Any] = {}
            if rules.rubber > 1 and number % 2:
                fields = {
                    "legs": rng.randrange(rules.wins_needed),
                    "their_legs": rng.randrange(rules.wins_needed),
                }
            if memory and number % 3:
                fields |= _record(rng, view)
            yield Situation(
                rules=rules,
                hand=hand,
                score=score,
                player=play.player(),
                method=method_at(play),
                view=view._replace(**fields),
                luck=luck,
                fields=fields,
            )


def method_at(play: Play) -> str:
    """Which method of a strategy decides here."""
    return METHODS[METHOD_OF[play.state.stage]]


def _score(rules: RuleSet, rng: random.Random, number: int) -> Score:
    """Any score a hand can begin at; first those where the rules bite."""
    last, sides = rules.target - 1, rules.players
    extremes = (
        (0,) * sides,
        (last,) * sides,
        (0,) * (sides - 1) + (last,),
        (last,) * (sides - 1) + (0,),
    )
    if number < len(extremes):
        return extremes[number]
    return tuple(rng.randrange(rules.target) for _ in range(sides))


def _record(rng: random.Random, view: View) -> dict[str, int]:
    """A record that a match could have left, in agreement with what was said in this hand."""
    hands = rng.choice((0, 1, 5, 50, 500))
    puts = {
        "my": rng.randint(0, hands) + view.puts_mine,
        "their": rng.randint(0, hands) + view.puts_theirs,
    }
    # Among three and more the put that awaits an answer may be another opponent's.
    answered = {"my": puts["my"], "their": max(0, puts["their"] - view.asked)}
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

"""Random hands played by the rules, for property tests."""

from hypothesis import strategies as st

from put_cli.rules.machine import (
    DEALER,
    ELDEST,
    WORDS,
    Act,
    Machine,
    State,
)
from put_cli.rules.notation import Hand, Step
from put_cli.rules.ruleset import BUILT_IN, RuleSet, find_ruleset

VARIANTS = (
    "cotton(pack=short28, lone_trick=false)",
    "parlett(throw_after_seen=true)",
    "truc-french(raise=plus2)",
    "truc(target=7, rubber=1)",
    "enquire(stakes=[1, 3, game], declined=worth)",
)
"""Rule sets for the knobs that no built-in set turns."""


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Every built-in rule set and a few variants."""
    return st.sampled_from((*BUILT_IN, *VARIANTS)).map(find_ruleset)


@st.composite
def legal_hands(draw: st.DrawFn, rules: RuleSet) -> Hand:
    """A finished hand: random cards and, at every turn, one of the legal acts."""
    pack = list(rules.cards.ranks * rules.cards.copies)
    places = draw(st.lists(st.integers(0, len(pack) - 1), min_size=6, max_size=6, unique=True))
    dealt = [pack[place] for place in places]
    held = {ELDEST: dealt[:3], DEALER: dealt[3:]}
    machine, state = Machine(rules), State()
    led = ""
    steps = []
    while not state.over:
        seat = machine.actor(state)
        legal = machine.legal(state)
        choices: list[Step] = [Step(seat, word=act.name.lower()) for act in WORDS if act in legal]
        if len(legal) > len(choices):
            choices += [Step(seat, rank=rank) for rank in held[seat]]
        step = draw(st.sampled_from(choices))
        steps.append(step)
        if step.word:
            state = machine.act(state, Act[step.word.upper()])
            continue
        held[seat].remove(step.rank)
        if state.led:
            mine, theirs = rules.cards.card(step.rank), rules.cards.card(led)
            reply = Act.HIGHER if mine > theirs else Act.LOWER if mine < theirs else Act.EQUAL
            state = machine.act(state, reply)
        else:
            led = step.rank
            state = machine.act(state, Act.LEAD)
    return Hand(tuple(dealt[:3]), tuple(dealt[3:]), tuple(steps))

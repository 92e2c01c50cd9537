"""A rule set as integer tables: one row a state of its machine.

The first columns of a row are the situation exactly as `View` lists it, from the side of the
player to act, so that the kernel and the interpreted tier copy the same numbers. The rest is what
the kernel needs to move on.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from put_cli.engine.luck import deal_threshold
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, Act, Machine, State, walk
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import View

SITUATION = View._fields[View._fields.index("trick") : View._fields.index("hands")]
"""The fields of View that depend on nothing but the state and the rule set."""

PLACES = ("lead1", "reply1", "after1", "lead2", "reply2", "lead3", "reply3")
"""Where something can be said; the tables count them from 1."""

# Columns after the situation.
MAY_PUT = SITUATION.index("may_put")
MAY_THROW = SITUATION.index("may_throw")
MAY_PLAY = SITUATION.index("may_play")
ASKED = SITUATION.index("asked")
WORTH = SITUATION.index("worth")
SEEN = SITUATION.index("puts_seen")
TRICK = SITUATION.index("trick")
ACTOR = len(SITUATION)  # seat to act; 2 when the hand is over
LED = ACTOR + 1  # whether a card lies on the table
PLACE = ACTOR + 2  # 1 + index into PLACES
LAST = ACTOR + 3  # whether the actor must lay the one card he has left
NEXT = ACTOR + 4  # seven columns: the state after each Act, or -1
ENDING = NEXT + len(Act)  # Ending, or -1 while the hand runs
WINNER = ENDING + 1  # seat; 2 for a drawn hand
POINTS = ENDING + 2  # points for the winner, or GAME
ANEW = ENDING + 3  # whether the scores go back to 0
TAKERS = ENDING + 4  # three columns: seat that took trick 1, 2, 3; 2 for a tie, 3 not played
COLUMNS = TAKERS + 3

NOT_PLAYED = 3


@dataclass(frozen=True, eq=False)
class Tables:
    """What the kernel needs to know of a rule set."""

    rules: RuleSet
    states: npt.NDArray[np.int64]
    """(states, COLUMNS) int64, C order; row 0 is the start of a hand."""
    knobs: npt.NDArray[np.int64]
    """(7,) int64: the numbers named by KNOB_NAMES."""


KNOB_NAMES = (
    "top",
    "pack_size",
    "copies",
    "target",
    "wins_needed",
    "low_deals",
    "deal_threshold",
)
TOP, PACK_SIZE, COPIES, TARGET, WINS_NEEDED, LOW_DEALS, DEAL_THRESHOLD = range(len(KNOB_NAMES))


def compile_rules(rules: RuleSet) -> Tables:
    """Walk the machine of `rules` breadth first and write every state down as a row."""
    machine = Machine(rules)
    found = walk(machine)
    number = {state: index for index, state in enumerate(found)}
    rows = np.full((len(found), COLUMNS), -1, dtype=np.int64)
    for index, state in enumerate(found):
        row = rows[index]
        row[: len(SITUATION)] = _situation(machine, state)
        row[ACTOR] = NOBODY if state.over else machine.actor(state)
        row[LED] = state.led
        row[PLACE] = 0 if state.over else 1 + PLACES.index(machine.place(state))
        row[LAST] = row[TRICK] == 3 and row[MAY_PLAY] and not (row[MAY_PUT] or row[MAY_THROW])
        for act in machine.legal(state):
            row[NEXT + act] = number[machine.act(state, act)]
        if state.outcome is not None:
            outcome = state.outcome
            row[ENDING : ENDING + 4] = (
                outcome.ending,
                outcome.winner,
                outcome.points,
                outcome.anew,
            )
        takers = (*state.tricks, *(NOT_PLAYED,) * (3 - len(state.tricks)))
        row[TAKERS : TAKERS + 3] = takers
    knobs = np.array(
        [
            rules.cards.top,
            rules.cards.size,
            rules.cards.copies,
            rules.target,
            rules.wins_needed,
            rules.first_dealer == "low",
            deal_threshold(rules.cards.size),
        ],
        dtype=np.int64,
    )
    return Tables(rules, rows, knobs)


def _situation(machine: Machine, state: State) -> list[int]:
    """The View fields that the state determines, in the order of SITUATION."""
    rules = machine.rules
    legal = machine.legal(state)
    me = ELDEST if state.over else machine.actor(state)
    tally = machine.tally(state.tricks)
    may_put = Act.PUT in legal
    after_put = min(state.seen + 1, len(rules.worths) - 1)
    values = {
        "trick": min(len(state.tricks) + 1, 3),
        "my_tricks": tally[me],
        "their_tricks": tally[1 - me],
        "ties": state.tricks.count(NOBODY),
        "worth": rules.worths[state.seen],
        "worth_if_seen": rules.worths[after_put] if may_put or state.asked else 0,
        "worth_if_thrown": rules.concession[state.seen],
        "is_dealer": me == DEALER,
        "is_leader": me == state.leader,
        "asked": state.asked,
        "may_put": may_put,
        "may_throw": Act.THROW in legal,
        "may_play": Act.LEAD in legal or Act.LOWER in legal,
        "must_speak": not state.over and not state.asked and machine.must_speak(state),
        "puts_mine": state.puts[me],
        "puts_theirs": state.puts[1 - me],
        "puts_seen": state.seen,
        "top": rules.cards.top,
        "copies": rules.cards.copies,
        "pack_size": rules.cards.size,
        "target": rules.target,
    }
    return [int(values[name]) for name in SITUATION]

"""A rule set as integer tables: one row a state of its machine.

The first columns of a row are the situation exactly as `View` lists it, from the side of the
player to act, so that the kernel and the interpreted tier copy the same numbers. The rest is what
the kernel needs to move on.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from put_cli.engine.lanes import ACT, GIFT, LAY_OUT, MISDEAL_RULING
from put_cli.engine.luck import DIGITS_OF_MANY, deal_threshold
from put_cli.rules.machine import (
    ELDEST,
    NOBODY,
    REPLIES,
    Act,
    Machine,
    Misdeal,
    Stage,
    State,
    graph,
)
from put_cli.rules.ruleset import MAX_PLAYERS, RuleSet
from put_cli.strategy import View

SITUATION = View._fields[View._fields.index("trick") : View._fields.index("hands")]
"""The fields of View that depend on nothing but the state and the rule set."""

PLACES = ("lead1", "reply1", "after1", "lead2", "reply2", "lead3", "reply3")
"""Where something can be said; the tables count them from 1."""

# Columns after the situation.
MAY_PUT = SITUATION.index("may_put")
MAY_THROW = SITUATION.index("may_throw")
MAY_PLAY = SITUATION.index("may_play")
MAY_KEEP = SITUATION.index("may_keep")
MUST_SWAP = SITUATION.index("must_swap")
RULED = SITUATION.index("misdeal")
ASKED = SITUATION.index("asked")
WORTH = SITUATION.index("worth")
SEEN = SITUATION.index("puts_seen")
TRICK = SITUATION.index("trick")
SIDES = SITUATION.index("players")
ACTOR = len(SITUATION)  # seat to act; NOBODY when the hand is over
LED = ACTOR + 1  # whether a card lies on the table
PLACE = ACTOR + 2  # 1 + index into PLACES; 0 before the tricks
METHOD = ACTOR + 3  # which method of the strategy decides, an index into METHODS
OPPONENT = ACTOR + 4  # the seat that `their_` speaks of
LAST = ACTOR + 5  # whether the actor must lay the one card he has left
NEXT = ACTOR + 6  # a column for each Act: the state after it, or -1
ENDING = NEXT + len(Act)  # Ending, or -1 while the hand runs
WINNER = ENDING + 1  # seat, or NOBODY
POINTS = ENDING + 2  # points for the winner, or GAME
ANEW = ENDING + 3  # whether the scores go back to 0
TAKERS = ENDING + 4  # three columns: who took trick 1, 2, 3: a seat, NOBODY or NOT_PLAYED
PUTS_OF = TAKERS + 3  # by seat: puts said in this hand
TRICKS_OF = PUTS_OF + MAX_PLAYERS  # by seat: tricks that count; -1 for the dead
COLUMNS = TRICKS_OF + MAX_PLAYERS

NOT_PLAYED = NOBODY + 1


@dataclass(frozen=True, eq=False)
class Tables:
    """What the kernel needs to know of a rule set."""

    rules: RuleSet
    states: npt.NDArray[np.int32]
    """(states, COLUMNS) int32, C order; row 0 is the usual start of a hand."""
    knobs: npt.NDArray[np.int64]
    """(len(KNOB_NAMES),) int64: the numbers named there."""

    @property
    def methods(self) -> tuple[int, ...]:
        """Which methods of a strategy these rules ask for, as indices into METHODS."""
        gifts = (GIFT, LAY_OUT) if self.rules.partners else ()
        return (ACT, *gifts, *((MISDEAL_RULING,) if self.rules.misdeals else ()))


KNOB_NAMES = (
    "top",
    "pack_size",
    "copies",
    "target",
    "wins_needed",
    "low_deals",
    "deal_threshold",
    "sides",
    "chairs",
    "misdeal_share",  # in 2^-53
    "start_faced",  # the states a misdeal leads to; 0 where there is no such
    "start_awarded",
    "start_four_own",
    *(f"start_exposed{seat}" for seat in range(MAX_PLAYERS)),
    *(f"start_four{seat}" for seat in range(MAX_PLAYERS)),
)
(
    TOP,
    PACK_SIZE,
    COPIES,
    TARGET,
    WINS_NEEDED,
    LOW_DEALS,
    DEAL_THRESHOLD,
    N_SIDES,
    N_CHAIRS,
    MISDEAL_SHARE,
    START_FACED,
    START_AWARDED,
    START_FOUR_OWN,
    START_EXPOSED,
) = range(14)
START_FOUR = START_EXPOSED + MAX_PLAYERS

METHOD_OF = {
    Stage.TRICKS: ACT,
    Stage.CHOOSING: GIFT,
    Stage.LAYING_OUT: LAY_OUT,
    Stage.RULING: MISDEAL_RULING,
}
"""Which method of a strategy decides at each stage of a hand, an index into METHODS."""


def compile_rules(rules: RuleSet) -> Tables:
    """Walk the machine of `rules` breadth first and write every state down as a row."""
    machine = Machine(rules)
    found = graph(machine)
    number = {state: index for index, state in enumerate(found)}
    rows = np.empty((len(found), COLUMNS), np.int32)
    for index, (state, moves) in enumerate(found.items()):
        following = [-1] * len(Act)
        for act, after in moves.items():
            following[act] = number[after]
        rows[index] = _row(machine, state, tuple(moves), following)
    return Tables(rules, rows, _knobs(machine, number))


def _row(
    machine: Machine, state: State, legal: tuple[Act, ...], following: list[int]
) -> tuple[int, ...]:
    """A state as a row, in the order of the columns."""
    outcome = state.outcome
    end = (-1, -1, -1, -1)
    if outcome is not None:
        end = (int(outcome.ending), outcome.winner, outcome.points, int(outcome.anew))
    seats = machine.seats
    actor = NOBODY if state.over else machine.actor(state)
    me = ELDEST if state.over else actor
    opponent = opponent_of(state, me, seats)
    won = machine.tally(state.tricks)
    in_tricks = state.stage is Stage.TRICKS and not state.over
    absent = (0,) * (MAX_PLAYERS - seats)
    return (
        *situation_of(machine, state, legal, me, opponent),
        actor,
        int(state.led),
        1 + PLACES.index(machine.place(state)) if in_tricks else 0,
        METHOD_OF[state.stage],
        opponent,
        int(lays_last(state, legal)),
        *following,
        *end,
        *state.tricks,
        *(NOT_PLAYED,) * (3 - len(state.tricks)),
        *state.puts,
        *absent,
        *(-1 if seat in state.dead else won[seat] for seat in range(seats)),
        *absent,
    )


def opponent_of(state: State, me: int, seats: int) -> int:
    """The next live opponent, clockwise."""
    for step in range(1, seats):
        seat = (me + step) % seats
        if seat not in state.dead:
            return seat
    raise AssertionError("a hand with one live player is over")


def lays_last(state: State, legal: tuple[Act, ...]) -> bool:
    """Whether the player to act must lay the one card he has left, and is not asked."""
    return len(state.tricks) == 2 and legal in ((Act.LEAD,), REPLIES)


def _knobs(machine: Machine, number: dict[State, int]) -> npt.NDArray[np.int64]:
    rules = machine.rules
    values = {
        "top": rules.cards.top,
        "pack_size": rules.cards.size,
        "copies": rules.cards.copies,
        "target": rules.target,
        "wins_needed": rules.wins_needed,
        "low_deals": rules.first_dealer == "low",
        "deal_threshold": deal_threshold(
            rules.cards.size, 6 if rules.chairs == 2 else DIGITS_OF_MANY
        ),
        "sides": rules.players,
        "chairs": rules.chairs,
        "misdeal_share": int(rules.misdeals * 2**53),
    }
    if rules.misdeals:
        values["start_faced"] = number[machine.start(Misdeal.FACED)]
        values["start_awarded"] = number[machine.awarded()]
        values["start_four_own"] = number[machine.start(Misdeal.FOUR_OWN)]
        for seat in range(rules.players - 1):
            exposed = machine.start(Misdeal.EXPOSED_THEIRS, seat)
            values[f"start_exposed{seat}"] = number[exposed]
            values[f"start_four{seat}"] = number[machine.start(Misdeal.FOUR_THEIRS, seat)]
    return np.array([values.get(name, 0) for name in KNOB_NAMES], dtype=np.int64)


def situation_of(
    machine: Machine, state: State, legal: tuple[Act, ...], me: int, opponent: int
) -> tuple[int, ...]:
    """The View fields that the state determines, in the order of SITUATION."""
    rules = machine.rules
    tally = machine.tally(state.tricks)
    may_put = Act.PUT in legal
    after_put = min(state.seen + 1, len(rules.worths) - 1)
    values = {
        "trick": min(len(state.tricks) + 1, 3),
        "my_tricks": tally[me],
        "their_tricks": tally[opponent],
        "ties": state.tricks.count(NOBODY),
        "worth": rules.worths[state.seen],
        "worth_if_seen": rules.worths[after_put] if may_put or state.asked else 0,
        "worth_if_thrown": rules.concession[state.seen],
        "is_dealer": me == machine.seats - 1,
        "is_leader": me == state.leader,
        "asked": state.asked,
        "may_put": may_put,
        "may_throw": Act.THROW in legal,
        "may_play": Act.LEAD in legal or Act.LOWER in legal,
        "must_speak": not state.over and not state.asked and machine.must_speak(state),
        "puts_mine": state.puts[me],
        "puts_theirs": state.puts[opponent],
        "puts_seen": state.seen,
        "top": rules.cards.top,
        "copies": rules.cards.copies,
        "pack_size": rules.cards.size,
        "target": rules.target,
        "players": rules.players,
        "may_keep": Act.KEEP in legal,
        "must_swap": rules.must_swap and state.stage is Stage.LAYING_OUT,
        "misdeal": state.misdeal,
    }
    return tuple(int(values[name]) for name in SITUATION)

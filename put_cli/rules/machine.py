"""The state machine of a two-handed hand: who acts, what may be said, what it comes to.

It never sees a card. A reply is LOWER, EQUAL or HIGHER than the lead, and that is all the rules
need to know; who holds which card is the business of whoever drives the machine. States are
immutable: a refused act changes nothing.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

from put_cli.errors import PutError
from put_cli.rules.ruleset import GAME, RuleSet

ELDEST, DEALER, NOBODY = 0, 1, 2
"""The two seats; NOBODY owns a tie and wins a drawn hand."""

SEATS = ("eldest", "dealer")
"""The seats' names, by number."""


class Act(IntEnum):
    """Everything that can happen in a hand, as the machine sees it."""

    PUT = 0
    SEE = 1
    THROW = 2
    LEAD = 3
    LOWER = 4
    EQUAL = 5
    HIGHER = 6


WORDS = (Act.PUT, Act.SEE, Act.THROW)
REPLIES = (Act.LOWER, Act.EQUAL, Act.HIGHER)
PLAYS = (Act.LEAD, *REPLIES)


class Ending(IntEnum):
    """How a hand ended."""

    TRICKS = 0
    THROWN = 1
    DRAWN = 2


class IllegalAct(PutError):
    """An act the rules do not allow in this state; the message says what they do allow."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished hand comes to.

    `points` go to `winner`; GAME means the winner takes the game outright, whatever the scores.
    `anew` means both scores go back to 0.
    """

    ending: Ending
    winner: int
    points: int
    anew: bool = False

    @property
    def outright(self) -> bool:
        """Whether the hand wins the game, whatever the scores."""
        return self.points == GAME


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a hand.

    `tricks` names who took each finished trick (NOBODY for a tie); `leader` leads the running
    one. `putter` is the seat whose put awaits an answer, or NOBODY. `committed` is set between
    `see` and the putter's card. `puts` counts the puts of eldest and of dealer in this hand.
    """

    tricks: tuple[int, ...] = ()
    leader: int = ELDEST
    led: bool = False
    putter: int = NOBODY
    committed: bool = False
    seen: int = 0
    puts: tuple[int, int] = (0, 0)
    outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        """Whether the hand is finished."""
        return self.outcome is not None

    @property
    def asked(self) -> bool:
        """Whether a put awaits its answer."""
        return self.putter != NOBODY


class Machine:
    """The rules of one rule set, as legal acts and transitions between states."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._words = {
            place: frozenset(Act[word.upper()] for word in getattr(rules, place).split())
            if getattr(rules, place) != "none"
            else frozenset()
            for place in ("first_lead", "first_reply", "later_lead", "later_reply")
        }

    def must_speak(self, state: State) -> bool:
        """Whether eldest has to put or throw here instead of playing (Hoyle, after trick 1)."""
        return (
            self.rules.after_first == "speak"
            and len(state.tricks) == 1
            and not state.led
            and not state.seen
            and not state.committed
        )

    def actor(self, state: State) -> int:
        """The seat whose turn it is."""
        if state.asked:
            return 1 - state.putter
        if self.must_speak(state):
            return ELDEST
        return 1 - state.leader if state.led else state.leader

    def place(self, state: State) -> str:
        """Where the hand stands: lead1, reply1, after1, lead2, reply2, lead3 or reply3."""
        if self.must_speak(state):
            return "after1"
        return f"{'reply' if state.led else 'lead'}{len(state.tricks) + 1}"

    def legal(self, state: State) -> tuple[Act, ...]:
        """What the player to act may do, in the order of `Act`; empty when the hand is over.

        A reply is listed as all of LOWER, EQUAL and HIGHER: which it is depends on the cards.
        """
        if state.over:
            return ()
        if state.asked:
            return (Act.SEE, Act.THROW)
        acts = self._may_say(state)
        if not self.must_speak(state):
            acts |= set(REPLIES) if state.led else {Act.LEAD}
        return tuple(sorted(acts))

    def _may_say(self, state: State) -> set[Act]:
        if state.committed:  # the putter whose put was seen must now play a card
            return set()
        if self.must_speak(state):
            return {Act.PUT, Act.THROW}
        when = "later" if state.tricks else "first"
        words = set(self._words[f"{when}_{'reply' if state.led else 'lead'}"])
        if state.seen + 1 >= len(self.rules.worths):
            words.discard(Act.PUT)
        if state.seen and not self.rules.throw_after_seen:
            words.discard(Act.THROW)  # Law 7: a put once seen cannot be retracted
        return words

    def act(self, state: State, act: Act) -> State:
        """The state after `act`.

        Raises:
            IllegalAct: the rules do not allow it here; `state` is as it was.
        """
        legal = self.legal(state)
        if act not in legal:
            raise IllegalAct(f"{act.name.lower()} is not allowed here: {self.choices(state)}.")
        actor = self.actor(state)
        match act:
            case Act.PUT:
                puts = (state.puts[0] + (actor == ELDEST), state.puts[1] + (actor == DEALER))
                return replace(state, putter=actor, puts=puts)
            case Act.SEE:
                # The turn goes back to the putter, unless (Hoyle, after trick 1) somebody
                # else leads: then the leader is the one who must play on.
                return replace(state, putter=NOBODY, committed=True, seen=state.seen + 1)
            case Act.THROW:
                points = self.rules.concession[state.seen]
                return replace(
                    state,
                    putter=NOBODY,
                    outcome=Outcome(Ending.THROWN, 1 - actor, points),
                )
            case Act.LEAD:
                return replace(state, led=True, committed=False)
        return self._resolve(state, act)

    def _resolve(self, state: State, reply: Act) -> State:
        """The trick is complete: who took it, and whether that ends the hand."""
        taker = {
            Act.LOWER: state.leader,
            Act.EQUAL: NOBODY,
            Act.HIGHER: 1 - state.leader,
        }[reply]
        tricks = (*state.tricks, taker)
        leader = state.leader if taker == NOBODY else taker
        return replace(
            state,
            tricks=tricks,
            leader=leader,
            led=False,
            committed=False,
            outcome=self._outcome(tricks, state.seen),
        )

    def _outcome(self, tricks: tuple[int, ...], seen: int) -> Outcome | None:
        won = self.tally(tricks)
        worth = self.rules.worths[seen]
        for seat in (ELDEST, DEALER):
            if won[seat] >= 2:
                return Outcome(Ending.TRICKS, seat, worth)
        if len(tricks) < 3:
            return None
        if won[ELDEST] != won[DEALER] and self.rules.lone_trick:
            return Outcome(Ending.TRICKS, ELDEST if won[ELDEST] > won[DEALER] else DEALER, worth)
        anew = seen > 0 and self.rules.seen_draw == "anew"
        return Outcome(Ending.DRAWN, NOBODY, 0, anew)

    def tally(self, tricks: tuple[int, ...]) -> tuple[int, int]:
        """Tricks that count for eldest and for dealer."""
        won = [tricks.count(ELDEST), tricks.count(DEALER)]
        if self.rules.tied_trick == "first":
            first = next((taker for taker in tricks if taker != NOBODY), None)
            if first is not None:
                won[first] += tricks.count(NOBODY)
        return won[0], won[1]

    def choices(self, state: State) -> str:
        """What may happen in `state`, in words, for an error message."""
        if state.over:
            return "the hand is over"
        seat = SEATS[self.actor(state)]
        legal = self.legal(state)
        words = [act.name.lower() for act in legal if act in WORDS]
        if any(act in PLAYS for act in legal):
            words.append("reply with a card" if state.led else "lead a card")
        return f"{seat} may {' or '.join(words)}"


def walk(machine: Machine) -> list[State]:
    """Every state that can be reached, breadth first from the start of the hand."""
    states = [State()]
    known = {states[0]}
    for state in states:  # the list grows while it is walked
        for act in machine.legal(state):
            after = machine.act(state, act)
            if after not in known:
                known.add(after)
                states.append(after)
    return states


def perft(machine: Machine, depth: int) -> int:
    """How many lines of play have exactly `depth` acts, or end before with fewer.

    Lines that are over count once, at their last act.
    """
    lines: dict[State, int] = {State(): 1}
    finished = 0
    for _ in range(depth):
        following: dict[State, int] = {}
        for state, ways in lines.items():
            for act in machine.legal(state):
                after = machine.act(state, act)
                if after.over:
                    finished += ways
                else:
                    following[after] = following.get(after, 0) + ways
        lines = following
    return finished + sum(lines.values())

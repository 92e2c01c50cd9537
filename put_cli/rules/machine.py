"""The state machine of a hand: who acts, what may be said, what it comes to.

It never sees a card. A reply is LOWER than, EQUAL to or HIGHER than the best card on the table,
and that is all the rules need to know; who holds which card is the business of whoever drives the
machine. States are immutable: a refused act changes nothing.

Seats are numbered clockwise from eldest, the dealer last. With partners a seat is a side: 0 is
eldest's, 1 the dealer's, and which of the two players sits there for the tricks is known to
whoever drives the machine.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from put_cli.errors import PutError
from put_cli.rules.ruleset import GAME, MAX_PLAYERS, RuleSet

ELDEST, DEALER = 0, 1
"""The two seats of a two-handed hand (with more players the dealer has the last seat)."""

NOBODY = MAX_PLAYERS
"""Owns a tie, wins a drawn hand."""

SEATS = ("eldest", "dealer")
"""Names of the two seats, or sides, by number."""


def seat_names(rules: RuleSet) -> tuple[str, ...]:
    """What the seats are called, by number: eldest and dealer, or A (eldest), B, C ..."""
    return SEATS if rules.players == 2 else tuple("ABCDEF"[: rules.players])


class Act(IntEnum):
    """Everything that can happen in a hand, as the machine sees it."""

    PUT = 0
    SEE = 1
    THROW = 2
    LEAD = 3
    LOWER = 4
    EQUAL = 5
    HIGHER = 6
    GIVE = 7
    RECEIVE = 8
    KEEP = 9
    LAY_OUT = 10
    STAND = 11
    REDEAL = 12
    DRAW = 13


WORDS = (Act.PUT, Act.SEE, Act.THROW)
"""What is said during the tricks."""

CHOICES = (Act.GIVE, Act.RECEIVE, Act.KEEP)
RULINGS = (Act.STAND, Act.REDEAL, Act.DRAW)
REPLIES = (Act.LOWER, Act.EQUAL, Act.HIGHER)
PLAYS = (Act.LEAD, *REPLIES)


class Stage(IntEnum):
    """What the hand is about at the moment."""

    TRICKS = 0
    RULING = 1  # a misdeal awaits the answer of the player it concerns
    CHOOSING = 2  # partners: a captain says whether his side's cards are given or received
    LAYING_OUT = 3  # partners: a receiver lays out one of his four cards


class Misdeal(IntEnum):
    """How a deal can go wrong: the irregularities of the Laws of Put, in their order."""

    NONE = 0
    EXPOSED_THEIRS = 1  # the dealer exposed a card of the adversary
    EXPOSED_OWN = 2  # the dealer exposed a card of his own
    FACED = 3  # a faced card in the pack
    FOUR_THEIRS = 4  # the dealer gave the adversary four cards
    FOUR_OWN = 5  # the dealer gave himself four cards


_RULING: dict[Misdeal, tuple[Act, ...]] = {
    Misdeal.EXPOSED_THEIRS: (Act.STAND, Act.REDEAL),
    Misdeal.FOUR_THEIRS: (Act.REDEAL, Act.DRAW),
    Misdeal.FOUR_OWN: (Act.REDEAL, Act.DRAW),
}
"""What the adversary may choose; the other misdeals leave no choice."""


class Ending(IntEnum):
    """How a hand ended."""

    TRICKS = 0
    THROWN = 1
    DRAWN = 2
    REDEALT = 3  # the Laws: the same dealer deals again
    AWARDED = 4  # the Laws: the point for the dealer's four cards won the game at once


class IllegalAct(PutError):
    """An act the rules do not allow in this state; the message says what they do allow."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished hand comes to.

    `points` go to `winner`; GAME means the winner takes the game outright, whatever the scores.
    `anew` means that all scores go back to 0.
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

    `turn` is the seat that is to play, once no put awaits an answer. `tricks` names who took each
    finished trick (NOBODY for a tie); `leader` leads the running one; `best` is the seat whose
    card is the highest on the table, NOBODY when there is none or a tie for it. `putter` is the
    seat whose put awaits answers and `answering` whose answer is next, or NOBODY. `committed` is
    set between `see` and the putter's card. `dead` are the seats that threw. `puts` counts the
    puts of each seat in this hand. `chosen` are the captains' choices (partners), `misdeal` what
    went wrong with the deal while that awaits a ruling.
    """

    tricks: tuple[int, ...] = ()
    leader: int = ELDEST
    turn: int = ELDEST
    led: bool = False
    best: int = NOBODY
    putter: int = NOBODY
    answering: int = NOBODY
    committed: bool = False
    dead: tuple[int, ...] = ()
    seen: int = 0
    puts: tuple[int, ...] = (0, 0)
    stage: Stage = Stage.TRICKS
    chosen: tuple[Act, ...] = ()
    misdeal: Misdeal = Misdeal.NONE
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
        self.seats = rules.players
        self.names = seat_names(rules)
        self._words = {
            place: frozenset(Act[word.upper()] for word in getattr(rules, place).split())
            if getattr(rules, place) != "none"
            else frozenset()
            for place in ("first_lead", "first_reply", "later_lead", "later_reply")
        }

    def start(self, misdeal: Misdeal = Misdeal.NONE, adversary: int = ELDEST) -> State:
        """The state after the deal; `adversary` is the seat that a misdeal concerns."""
        fresh = State(puts=(0,) * self.seats)
        if misdeal is Misdeal.FACED:
            return replace(fresh, outcome=Outcome(Ending.REDEALT, NOBODY, 0))
        if misdeal in _RULING:
            return replace(fresh, stage=Stage.RULING, turn=adversary, misdeal=misdeal)
        return self._dealt(fresh)

    def awarded(self) -> State:
        """The hand that is over because the point for the dealer's four cards won the game."""
        return replace(self.start(), outcome=Outcome(Ending.AWARDED, ELDEST, 1))

    def starts(self) -> list[State]:
        """Every state a hand of this rule set can begin with, the usual one first."""
        found = [self.start()]
        if self.rules.misdeals:
            found.append(self.start(Misdeal.FACED))
            found.append(self.awarded())
            for misdeal in _RULING:
                own = misdeal is Misdeal.FOUR_OWN
                adversaries = range(1 if own else self.seats - 1)
                found += [self.start(misdeal, seat) for seat in adversaries]
        return found

    def _dealt(self, state: State) -> State:
        """The cards stand: on to the gifts, or to the tricks."""
        stage = Stage.CHOOSING if self.rules.partners else Stage.TRICKS
        return replace(state, stage=stage, turn=ELDEST, misdeal=Misdeal.NONE)

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
            return state.answering
        return ELDEST if self.must_speak(state) else state.turn

    def place(self, state: State) -> str:
        """Where the hand stands: lead1, reply1, after1, lead2 ... reply3; or deal, gift, lay-out.

        With more than two players everyone but the leader replies at the same place.
        """
        match state.stage:
            case Stage.RULING:
                return "deal"
            case Stage.CHOOSING:
                return "gift"
            case Stage.LAYING_OUT:
                return "lay-out"
        if self.must_speak(state):
            return "after1"
        return f"{'reply' if state.led else 'lead'}{len(state.tricks) + 1}"

    def legal(self, state: State) -> tuple[Act, ...]:
        """What the player to act may do, in the order of `Act`; empty when the hand is over.

        A reply is listed as all of LOWER, EQUAL and HIGHER: which it is depends on the cards.
        """
        if state.over:
            return ()
        match state.stage:
            case Stage.RULING:
                return _RULING[state.misdeal]
            case Stage.CHOOSING:
                # Only the dealer's side may decline to exchange at all.
                may_keep = state.turn == DEALER and self.rules.dealer_gift == "optional"
                return CHOICES if may_keep else (Act.GIVE, Act.RECEIVE)
            case Stage.LAYING_OUT:
                return (Act.LAY_OUT,)
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
        if act not in self.legal(state):
            name = act.name.lower().replace("_", " ")
            raise IllegalAct(f"{name} is not allowed here: {self.choices(state)}.")
        actor = self.actor(state)
        if state.asked:
            return self._answer(state, act, actor)
        match act:
            case Act.PUT:
                puts = tuple(n + (seat == actor) for seat, n in enumerate(state.puts))
                asked = self._next(state.dead, actor, until=actor)
                return replace(state, putter=actor, answering=asked, puts=puts)
            case Act.THROW:  # unasked, which only two-handed games know
                points = self.rules.concession[state.seen]
                return replace(state, outcome=Outcome(Ending.THROWN, 1 - actor, points))
            case Act.LEAD:
                turn = self._next(state.dead, actor, until=actor)
                return replace(state, led=True, best=actor, turn=turn, committed=False)
            case Act.GIVE | Act.RECEIVE | Act.KEEP:
                return self._choose(state, act)
            case Act.LAY_OUT:
                return self._lay_out(state)
            case Act.STAND | Act.DRAW:
                return self._dealt(state)
            case Act.REDEAL:
                return replace(state, outcome=Outcome(Ending.REDEALT, NOBODY, 0))
        return self._reply(state, act, actor)

    def _next(self, dead: Iterable[int], seat: int, until: int) -> int:
        """The next live seat clockwise after `seat` and before `until`, or NOBODY."""
        for step in range(1, self.seats + 1):
            following = (seat + step) % self.seats
            if following == until:
                return NOBODY
            if following not in dead:
                return following
        raise AssertionError("until is a seat")

    def _answer(self, state: State, act: Act, actor: int) -> State:
        """One answer to the put; the last one settles it."""
        dead = tuple(sorted((*state.dead, actor))) if act is Act.THROW else state.dead
        following = self._next(dead, actor, until=state.putter)
        if following != NOBODY:
            return replace(state, answering=following, dead=dead)
        settled = replace(state, putter=NOBODY, answering=NOBODY)
        if len(dead) == self.seats - 1:  # nobody sees
            points = self.rules.concession[state.seen]
            return replace(settled, outcome=Outcome(Ending.THROWN, state.putter, points))
        # The turn goes back to the putter, unless (Hoyle, after trick 1) somebody else leads:
        # then the leader is the one who must play on.
        return replace(settled, committed=True, seen=state.seen + 1, dead=dead)

    def _choose(self, state: State, act: Act) -> State:
        chosen = (*state.chosen, act)
        if len(chosen) < self.seats:
            return replace(state, chosen=chosen, turn=len(chosen))
        return replace(state, chosen=chosen, stage=Stage.LAYING_OUT, turn=ELDEST)

    def _lay_out(self, state: State) -> State:
        if state.turn == ELDEST and state.chosen[DEALER] is not Act.KEEP:
            return replace(state, turn=DEALER)
        return replace(state, stage=Stage.TRICKS, turn=ELDEST, chosen=())

    def _reply(self, state: State, act: Act, actor: int) -> State:
        best = {Act.LOWER: state.best, Act.EQUAL: NOBODY, Act.HIGHER: actor}[act]
        turn = self._next(state.dead, actor, until=state.leader)
        if turn != NOBODY:
            return replace(state, best=best, turn=turn, committed=False)
        return self._resolve(state, best)

    def _resolve(self, state: State, best: int) -> State:
        """The trick is complete: who took it, and whether that ends the hand."""
        tricks = (*state.tricks, NOBODY if best in state.dead else best)
        leader = state.leader if best == NOBODY else best
        if leader in state.dead:
            leader = self._next(state.dead, leader, until=leader)
        return replace(
            state,
            tricks=tricks,
            leader=leader,
            turn=leader,
            led=False,
            best=NOBODY,
            committed=False,
            outcome=self._outcome(tricks, state.dead, state.seen),
        )

    def _outcome(self, tricks: tuple[int, ...], dead: Sequence[int], seen: int) -> Outcome | None:
        won = self.tally(tricks)
        first, second = sorted(
            (seat for seat in range(self.seats) if seat not in dead),
            key=lambda seat: -won[seat],
        )[:2]
        left = 3 - len(tricks)
        if left and won[second] + left >= won[first]:
            return None  # somebody can still catch up
        if won[first] > won[second] and (won[first] > 1 or self.rules.lone_trick):
            return Outcome(Ending.TRICKS, first, self.rules.worths[seen])
        anew = seen > 0 and self.rules.seen_draw == "anew"
        return Outcome(Ending.DRAWN, NOBODY, 0, anew)

    def tally(self, tricks: tuple[int, ...]) -> tuple[int, ...]:
        """Tricks that count for each seat."""
        won = [tricks.count(seat) for seat in range(self.seats)]
        if self.rules.tied_trick == "first":
            first = next((taker for taker in tricks if taker != NOBODY), None)
            if first is not None:
                won[first] += tricks.count(NOBODY)
        return tuple(won)

    def choices(self, state: State, who: str = "") -> str:
        """What may happen in `state`, in words, for an error message.

        `who` is what the player to act is called, where that is not the name of his seat.
        """
        if state.over:
            return "the hand is over"
        legal = self.legal(state)
        words = [
            act.name.lower().replace("_", " ")
            for act in legal
            if act not in PLAYS and act is not Act.LAY_OUT
        ]
        if any(act in PLAYS for act in legal):
            words.append("reply with a card" if state.led else "lead a card")
        if Act.LAY_OUT in legal:
            words.append("lay out a card")
        return f"{who or self.names[self.actor(state)]} may {' or '.join(words)}"


def walk(machine: Machine) -> list[State]:
    """Every state that can be reached, breadth first; the usual start of a hand comes first."""
    return list(graph(machine))


def graph(machine: Machine) -> dict[State, dict[Act, State]]:
    """Every state, in the order of `walk`, with the legal acts there and where they lead."""
    found: dict[State, dict[Act, State]] = {state: {} for state in machine.starts()}
    states = list(found)
    for state in states:  # the list grows while it is walked
        found[state] = {act: machine.act(state, act) for act in machine.legal(state)}
        for after in found[state].values():
            if after not in found:
                found[after] = {}
                states.append(after)
    return found


def perft(machine: Machine, depth: int) -> int:
    """How many lines of play have exactly `depth` acts, or end before with fewer.

    Counted from the usual start of a hand; lines that are over count once, at their last act.
    """
    lines: dict[State, int] = {machine.start(): 1}
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

"""The public tree of a hand without its cards: what is said, and how replies compare.

The machine of a rule set is a graph: two ways of getting somewhere share a state. Who remembers
what was said (and a player does) must tell them apart, so here the graph is unfolded into a tree.
A node stands for many public positions, one for each sequence of ranks that has led there:

    level   cards on the table                  public positions at a node (of one chunk)
    0       none                                1
    1       a lead                              lead
    2       a finished trick                    a chunk for each pair (lead, reply): 1
    3       and a lead                          lead
    4       two finished tricks                 pairs (lead, reply)
    5       and a lead                          as level 4; the lead stands in the vectors

Pairs are those whose reply is lower than, equal to or higher than the lead, as the node says.
Number h of a vector stands, for public position i, at h * positions + i: what is done to a vector
is done to those of all positions in one go. The probabilities of a decision are such vectors too,
action by action.

A vector at a node runs over the hands its seat may still hold: 455, 91 or 13 of three, two, one.
At level 5 the leader's vector runs over his last card, now on the table, and the replier's over
the class of his, times the leader's: lower, equal, higher. Nothing that can follow tells cards of
one class apart, so this loses nothing. `classes=False` tells them apart all the same, for players
who do.

`Tree.nodes` is the table that the compiled sweeps read, its columns are named below. Nodes stand
in an order in which parents come before children, part by part: part 0 is levels 0 and 1 (with
the level-2 nodes as its leaves), every other part is all that follows one of these leaves.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.errors import UsageError
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, REPLIES, Act
from put_cli.rules.machine import WORDS as WORDS_SAID
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.cards import SLOTS, hands_of

# Columns of `nodes`. Offsets of vectors count numbers of a part's workspace of one seat, and
# STRATEGY numbers of a chunk's block of the policy.
(
    STATE,  # row of the engine's tables
    LEVEL,
    ACTOR,  # seat; NOBODY at the end of a hand
    WORDS,  # number of words that may be said
    PLAYS,  # places a card may be played from: the cards the actor holds, 0 where none may
    PUBLIC,  # public positions
    PATTERN,  # of the last finished trick: 0 lower, 1 equal, 2 higher; -1 before
    LEFT,  # offset of the cards not on the table at each public position, see `pack.Pack`
    HELD_E,  # cards that eldest still holds
    HELD_D,
    SIZE_E,  # length of eldest's vector
    SIZE_D,
    VECTOR_E,  # offset of eldest's vectors
    VECTOR_D,
    REACH_E,  # the same of his chances of getting here: a player's own word does not change the
    REACH_D,  # other's, so these may be those of a node before
    STRATEGY,  # offset of the probabilities, (actions, actor's vectors); -1 with one action
    LEAF,  # number of the part that begins here, or 0
    PAYOFF,  # number of the ending, or -1
    SHOWDOWN,  # 1 where the last two cards can only be laid, both, and classes are told apart
    SAID,  # the puts, as `View.said` has them
) = range(21)
WORD = SAID + 1  # three columns: the nodes after the words, in the order of their actions
LEAD = WORD + 3  # the node after a lead
REPLY = LEAD + 1  # three columns: the nodes after a lower, an equal, a higher reply
COLUMNS = REPLY + 3

LAST_LEAD = 5
"""The level at which the last lead lies on the table."""

LOWER, EQUAL, HIGHER = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Part:
    """A stretch of nodes that is swept at once, as many times as it has chunks."""

    first: int
    end: int
    chunks: int
    pattern: int
    """Of the first trick: 0 lower, 1 equal, 2 higher; -1 for part 0."""
    first_chunk: int
    """Number of its first chunk among those of all parts."""
    block: int
    """Numbers of the policy that one chunk holds."""
    policy: int
    """Offset of its first chunk in the policy."""
    width: tuple[int, int]
    """Numbers that the vectors of eldest and of the dealer take up."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The public tree of a rule set."""

    rules: RuleSet
    tables: tb.Tables
    classes: bool
    nodes: npt.NDArray[np.int32]
    """(nodes, COLUMNS) int32."""
    parents: tuple[tuple[int, Act | None], ...]
    """The node before, and the act that led on from it; (-1, None) for the first."""
    parts: tuple[Part, ...]
    endings: npt.NDArray[np.int32]
    """(endings,) int32: the rows of the engine's tables in which hands end; PAYOFF counts them."""

    @property
    def top(self) -> int:
        """Ranks of the pack."""
        return self.rules.cards.top

    @property
    def size(self) -> int:
        """Numbers in a policy: probabilities of all actions at all decisions."""
        last = self.parts[-1]
        return last.policy + last.chunks * last.block

    @cached_property
    def chunks(self) -> npt.NDArray[np.int32]:
        """(chunks, 2) int32: the part of each chunk and its number there; chunk 0 is part 0."""
        return np.array(
            [(n, i) for n, part in enumerate(self.parts) for i in range(part.chunks)], np.int32
        )

    def information_sets(self) -> int:
        """Situations with a choice, as a player can tell them apart (classes as they are here)."""
        total = 0
        for part in self.parts:
            for row in self.nodes[part.first : part.end]:
                actor = row[ACTOR]
                if actor != NOBODY and not row[LEAF] * (part is self.parts[0]):
                    hands = hands_of(self.top, row[HELD_E + actor])
                    choices = row[WORDS] + (hands.rest >= 0).sum(axis=1) * (row[PLAYS] > 0)
                    several = int((choices > 1).sum())
                    if row[LEVEL] == LAST_LEAD:
                        several = int(row[SIZE_E + actor]) * bool(row[WORDS] + row[PLAYS] > 1)
                    total += several * int(row[PUBLIC]) * part.chunks
        return total


def pairs(top: int, pattern: int) -> int:
    """How many pairs of ranks (lead, reply) there are whose reply is lower, equal or higher."""
    return top if pattern == EQUAL else top * (top - 1) // 2


def place_of_left(top: int, level: int, pattern: int) -> tuple[int, int]:
    """Where a node's cards not on the table stand in a row of `pack.Pack.left`; its positions."""
    if level % 2 == 0 and level < LAST_LEAD - 1:
        return 0, 1
    if level < LAST_LEAD - 1:
        return top, top
    before = sum(pairs(top, each) for each in range(pattern))
    return top * (1 + top + before), pairs(top, pattern)


def left_width(top: int) -> int:
    """Numbers in a row of `pack.Pack.left`."""
    at, positions = place_of_left(top, LAST_LEAD - 1, HIGHER)
    return at + top * positions


def grow(rules: RuleSet, classes: bool = True) -> Tree:
    """Unfold the machine of a two-handed rule set.

    Raises:
        UsageError: there are more than two players, or misdeals.
    """
    check_solvable(rules)
    return _Growth(rules, classes).tree()


def check_solvable(rules: RuleSet) -> None:
    """Refuse rule sets that are none of two players without misdeals.

    Raises:
        UsageError: it is such a one.
    """
    if rules.players != 2 or rules.partners or rules.misdeals:
        raise UsageError(
            f"{rules.name}: only games of two players without misdeals can be worked out exactly; "
            f"got {rules.chairs} players, misdeals={rules.misdeals}."
        )


class _Growth:
    """Builds a Tree part by part."""

    def __init__(self, rules: RuleSet, classes: bool) -> None:
        self.rules, self.classes, self.top = rules, classes, rules.cards.top
        self.tables = tb.compile_rules(rules)
        self.states = self.tables.states
        self.rows: list[npt.NDArray[np.int32]] = []
        self.parents: list[tuple[int, Act | None]] = []
        self.parts: list[Part] = []
        over = np.flatnonzero(self.states[:, tb.ACTOR] == NOBODY)
        self.endings = over.astype(np.int32)
        self.ending = {int(state): number for number, state in enumerate(over)}
        self.policy = 0
        self.chunks = 0

    def tree(self) -> Tree:
        leaves: list[int] = []
        self._part(self._node(0, 0, (SLOTS, SLOTS), 1, -1), (-1, None), leaves, -1)
        for leaf in leaves:
            row = self.rows[leaf].copy()
            row[LEAF] = 0
            row[PUBLIC] = 1
            self.rows[leaf][LEAF] = len(self.parts)
            self._part(row, (leaf, None), [], int(row[PATTERN]))
        return Tree(
            rules=self.rules,
            tables=self.tables,
            classes=self.classes,
            nodes=np.array(self.rows, np.int32),
            parents=tuple(self.parents),
            parts=tuple(self.parts),
            endings=self.endings,
        )

    def _part(
        self,
        root: npt.NDArray[np.int32],
        parent: tuple[int, Act | None],
        leaves: list[int],
        pattern: int,
    ) -> None:
        """Append a part breadth first; level-2 nodes of part 0 go to `leaves` unexpanded."""
        first = len(self.rows)
        top_part = not self.parts
        self.rows.append(root)
        self.parents.append(parent)
        widths = [0, 0]
        self._place(root, None, widths)
        block = 0
        at = first
        while at < len(self.rows):
            row = self.rows[at]
            if top_part and row[LEVEL] == 2:
                row[LEAF] = 1  # renumbered when its part begins
                leaves.append(at)
            elif row[ACTOR] != NOBODY:
                actions = row[WORDS] + row[PLAYS]
                if actions > 1:
                    row[STRATEGY] = block
                    block += int(row[PUBLIC] * actions * row[SIZE_E + row[ACTOR]])
                self._expand(at, widths)
            at += 1
        for row in self.rows[first:]:
            if self.classes and row[LEVEL] == LAST_LEAD - 1 and row[WORDS] == 0 and row[LEAD] >= 0:
                row[SHOWDOWN] = self.rows[row[LEAD]][WORDS] == 0
        chunks = 1 if top_part else pairs(self.top, pattern)
        self.parts.append(
            Part(
                first=first,
                end=len(self.rows),
                chunks=chunks,
                pattern=pattern,
                first_chunk=self.chunks,
                block=block,
                policy=self.policy,
                width=(widths[0], widths[1]),
            )
        )
        self.policy += chunks * block
        self.chunks += chunks

    def _expand(self, at: int, widths: list[int]) -> None:
        """The nodes after one."""
        row = self.rows[at]
        state = self.states[row[STATE]]
        actor, level = int(row[ACTOR]), int(row[LEVEL])
        held = (int(row[HELD_E]), int(row[HELD_D]))
        fewer = (held[0] - (actor == ELDEST), held[1] - (actor == DEALER))
        said = 0
        for act in Act:
            following = int(state[tb.NEXT + act])
            if following < 0:
                continue
            if act in WORDS_SAID:
                child = self._node(following, level, held, int(row[PUBLIC]), int(row[PATTERN]))
                row[WORD + said] = self._append(child, at, act, widths)
                said += 1
            elif act is Act.LEAD:
                # The last lead is spread over the vectors, so it adds no public positions.
                public = int(row[PUBLIC]) * (self.top if level < LAST_LEAD - 1 else 1)
                child = self._node(following, level + 1, fewer, public, int(row[PATTERN]))
                row[LEAD] = self._append(child, at, act, widths)
            else:
                pattern = REPLIES.index(act)
                if level == LAST_LEAD:  # over, whatever the cards: no vectors of its own
                    row[REPLY + pattern] = self.ending[following]
                    continue
                public = pairs(self.top, pattern)
                child = self._node(following, level + 1, fewer, public, pattern)
                row[REPLY + pattern] = self._append(child, at, act, widths)

    def _append(self, row: npt.NDArray[np.int32], parent: int, act: Act, widths: list[int]) -> int:
        before = self.rows[parent]
        row[SAID] = before[SAID]
        if act is Act.PUT:
            place = int(self.states[before[STATE], tb.PLACE])
            puts = (int(before[SAID]).bit_length() + 3) // 4
            row[SAID] |= (place + 8 * int(before[ACTOR])) << 4 * puts
        self._place(row, before if act in WORDS_SAID else None, widths)
        self.rows.append(row)
        self.parents.append((parent, act))
        return len(self.rows) - 1

    def _place(
        self,
        row: npt.NDArray[np.int32],
        before: npt.NDArray[np.int32] | None,
        widths: list[int],
    ) -> None:
        """Find room for the vectors; `before` is the node at which a word led here."""
        for seat in (ELDEST, DEALER):
            row[VECTOR_E + seat] = widths[seat]
            row[REACH_E + seat] = widths[seat]
            if before is not None and before[ACTOR] != seat:
                row[REACH_E + seat] = before[REACH_E + seat]
            widths[seat] += int(row[PUBLIC] * row[SIZE_E + seat])

    def _node(
        self, state: int, level: int, held: tuple[int, int], public: int, pattern: int
    ) -> npt.NDArray[np.int32]:
        facts = self.states[state]
        row = np.full(COLUMNS, -1, np.int32)
        actor = int(facts[tb.ACTOR])
        row[STATE], row[LEVEL], row[ACTOR] = state, level, actor
        row[PUBLIC], row[PATTERN], row[LEAF], row[SHOWDOWN] = public, pattern, 0, 0
        row[LEFT] = place_of_left(self.top, level, pattern)[0]
        row[SAID] = 0
        row[HELD_E], row[HELD_D] = held
        row[PAYOFF] = self.ending.get(state, -1)
        row[WORDS] = row[PLAYS] = 0
        if actor != NOBODY:
            row[WORDS] = sum(facts[tb.NEXT + act] >= 0 for act in WORDS_SAID)
            row[PLAYS] = held[actor] if facts[tb.MAY_PLAY] else 0
        for seat in (ELDEST, DEALER):
            if level == LAST_LEAD:
                kinds = 3 if self.classes else self.top
                row[SIZE_E + seat] = self.top if held[seat] == 0 else kinds * self.top
            else:
                row[SIZE_E + seat] = len(hands_of(self.top, held[seat]))
        return row

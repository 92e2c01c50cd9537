"""Looking up what a solution plays, from a View: in Python and in compiled strategies alike.

    table = open_policy("cotton.policy")
    action = consult(table, view)

`open_policy` unpacks a policy file once into the user's cache and maps it into memory, so all
processes share it; a table is the address of that. `consult` draws an action with `view.luck`; it
is 0 where the solution says nothing, because the rules are others.

A table is int64 numbers, the HEADER, followed by the policies, bytes. The header holds, in order:
sizes, the number of each score, and the nodes with a choice, sorted by the KEY that tells from a
View which one it is.
"""

import ctypes
import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import carray
from numba.extending import overload, register_jitable

from put_cli.engine import tables as tb
from put_cli.engine.intrinsics import address_as_bytes, address_as_lane
from put_cli.plugins.code_store import default_folder
from put_cli.rules.machine import NOBODY, REPLIES, Act
from put_cli.solve import policy_file
from put_cli.solve.chain import Score, chain_of
from put_cli.solve.policy_file import PolicyError
from put_cli.solve.tree import (
    ACTOR,
    LEVEL,
    PLAYS,
    PUBLIC,
    SAID,
    SIZE_E,
    STATE,
    STRATEGY,
    WORDS,
    Tree,
    grow,
)
from put_cli.strategy import PUT, SEE, THROW, View

FORMAT = 1
(
    TARGET,
    LEGS,  # games that win the rubber
    TOP,
    NUMBERS,  # bytes of the policy at one score
    NODES,
    FIRST_NODE,  # where the nodes begin in the header
    POLICIES,  # where the policies begin, in bytes
    SCORES,  # here the numbers of the scores begin, target * target * legs * legs of them
) = range(8)

(KEY, BASE, BLOCK, SIZE, POSITIONS, N_WORDS, N_PLAYS, WORD_ACTIONS) = range(8)
"""Columns of a node: its key, its offset in the policy of a score, the length of a chunk there (0
in the first part), the actor's hands, public positions, words, places to play from; three columns
of words."""
NODE_WIDTH = WORD_ACTIONS + 3

_ACTIONS = {Act.PUT: PUT, Act.SEE: SEE, Act.THROW: THROW}
_mapped: dict[str, npt.NDArray[np.uint8]] = {}


@register_jitable
def key_of(said: int, asked: bool, level: int, first: int, second: int) -> int:
    """The key of a node: what was said, how many cards lie there, and how the tricks went."""
    return (((said * 2 + int(asked)) * 6 + level) * 4 + first) * 4 + second


def open_policy(path: str) -> int:
    """The table of a policy file: an address, good as long as this process lives.

    Raises:
        PolicyError: there is no such file, or it is not a whole solution.
    """
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PolicyError(f"cannot read the policy {path!r}: {error.strerror}.") from None
    digest = hashlib.blake2b(content + bytes([FORMAT]), digest_size=16).hexdigest()
    if digest not in _mapped:
        _mapped[digest] = _map(file, digest)
    return int(_mapped[digest].ctypes.data)


def _map(file: Path, digest: str) -> npt.NDArray[np.uint8]:
    folder = default_folder().expanduser() / "policies"
    unpacked = folder / f"{digest}.table"
    try:
        if not unpacked.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
            with os.fdopen(handle, "wb") as out:
                out.write(packed(file).tobytes())
            os.replace(name, unpacked)
        return np.memmap(unpacked, np.uint8, "r")
    except OSError:  # no room there: this process keeps it to itself
        return packed(file)


def packed(file: Path) -> npt.NDArray[np.uint8]:
    """The table of a policy file, as bytes."""
    chain = chain_of(grow(policy_file.rules_of(file)))
    tree, rules = chain.tree, chain.tree.rules
    solved = policy_file.read(file, chain)
    if len(solved) < len(chain.scores):
        raise PolicyError(
            f"{file} holds {len(solved)} of {len(chain.scores)} scores: expected a whole solution."
        )
    target, legs = rules.target, rules.wins_needed
    numbers = [
        chain.number.get(Score(e, d, eg, dg), -1)
        for e in range(target)
        for d in range(target)
        for eg in range(legs)
        for dg in range(legs)
    ]
    nodes = sorted(_nodes(tree))
    head = [target, legs, tree.top, tree.size, len(nodes), SCORES + len(numbers)]
    length = len(head) + 1 + len(numbers) + NODE_WIDTH * len(nodes)
    flat = [*head, 8 * length, *numbers, *(number for node in nodes for number in node)]
    policies = [solved[number].policy for number in range(len(chain.scores))]
    return np.concatenate([np.array(flat, np.int64).view(np.uint8), *policies])


def _nodes(tree: Tree) -> list[tuple[int, ...]]:
    """The nodes with a choice, as NODE_WIDTH numbers."""
    found = []
    for number, part in enumerate(tree.parts):
        for s in range(part.first, part.end):
            row = tree.nodes[s]
            if row[ACTOR] == NOBODY or row[STRATEGY] < 0:
                continue
            state = tree.tables.states[row[STATE]]
            words = [word for act, word in _ACTIONS.items() if state[tb.NEXT + act] >= 0]
            found.append(
                (
                    _key(tree, s),
                    part.policy + int(row[STRATEGY]),
                    part.block if number else 0,
                    int(row[SIZE_E + row[ACTOR]]),
                    int(row[PUBLIC]),
                    int(row[WORDS]),
                    int(row[PLAYS]),
                    *[*words, 0, 0, 0][:3],
                )
            )
    return found


def _key(tree: Tree, node: int) -> int:
    """The key of a node, from the acts that lead to it."""
    patterns: list[int] = []
    at = node
    while at > 0:
        at, act = tree.parents[at]
        if act in REPLIES:
            patterns.insert(0, REPLIES.index(act))
    row = tree.nodes[node]
    asked = bool(tree.tables.states[row[STATE], tb.ASKED])
    first, second = (*patterns, 3, 3)[:2]
    return int(key_of(int(row[SAID]), asked, int(row[LEVEL]), first, second))


def consult(table: int, view: View) -> int:
    """What the solution in a table does in this View, or 0 where it says nothing."""
    header = np.ctypeslib.as_array(ctypes.cast(table, ctypes.POINTER(ctypes.c_int64)), (SCORES,))
    length = int(header[FIRST_NODE] + NODE_WIDTH * header[NODES])
    numbers = np.ctypeslib.as_array(ctypes.cast(table, ctypes.POINTER(ctypes.c_int64)), (length,))
    scores = int(header[TARGET] * header[LEGS]) ** 2
    total = int(header[POLICIES] + scores * header[NUMBERS])
    parts = np.ctypeslib.as_array(ctypes.cast(table, ctypes.POINTER(ctypes.c_uint8)), (total,))
    return int(look_up(numbers, parts, view))


@register_jitable
def _pattern(lead: int, reply: int) -> int:
    return 1 if reply == lead else (0 if reply < lead else 2)


@register_jitable
def _pair(top: int, lead: int, reply: int) -> int:
    """The number of a pair, as `pack.pair_number` has it; cards from 1."""
    a, b = lead - 1, reply - 1
    if b < a:
        return a * (a - 1) // 2 + b
    if b == a:
        return a
    return a * (top - 1) - a * (a - 1) // 2 + b - a - 1


@register_jitable
def look_up(numbers: npt.NDArray[np.int64], parts: npt.NDArray[np.uint8], view: View) -> int:
    """`consult`, given the numbers of the header and all bytes of a table."""
    top = numbers[TOP]
    if view.top != top or view.target != numbers[TARGET] or view.players != 2:
        return 0
    # The cards on the table, in order.
    dealer = view.is_dealer
    e1, e2, e3 = view.their_played if dealer else view.played
    d1, d2, d3 = view.played if dealer else view.their_played
    level = int(e1 > 0) + int(e2 > 0) + int(e3 > 0) + int(d1 > 0) + int(d2 > 0) + int(d3 > 0)
    first, second = 3, 3
    lead2, reply2 = 0, 0
    led3 = max(e3, d3)
    if level >= 2:
        first = _pattern(e1, d1)
        lead2, reply2 = (d2, e2) if first == 2 else (e2, d2)
    if level >= 4:
        second = _pattern(lead2, reply2)
    key = key_of(view.said, view.asked, level, first, second)
    # Find the node.
    low, high = 0, numbers[NODES]
    begin = numbers[FIRST_NODE]
    while low < high:
        middle = (low + high) // 2
        if numbers[begin + NODE_WIDTH * middle] < key:
            low = middle + 1
        else:
            high = middle
    node = begin + NODE_WIDTH * low
    if low == numbers[NODES] or numbers[node] != key:
        return 0
    words, plays, size = numbers[node + N_WORDS], numbers[node + N_PLAYS], numbers[node + SIZE]
    if (plays > 0) != view.may_play:
        return 0
    # The hand still held, as a number, and the public position.
    a, b, c = 0, 0, 0
    for card in view.cards:
        if card > 0:
            if a == 0:
                a = card
            elif b == 0:
                b = card
            else:
                c = card
    public, hand = 0, 0
    if level < 5:
        if c > 0:
            hand = (a + 1) * a * (a - 1) // 6 + b * (b - 1) // 2 + c - 1
        elif b > 0:
            hand = a * (a - 1) // 2 + b - 1
        else:
            hand = a - 1
    elif a == 0:
        hand = led3 - 1
    else:
        hand = _pattern(led3, a) * top + led3 - 1
    if level == 1:
        public = e1 - 1
    elif level == 3:
        public = max(lead2, reply2) - 1
    elif level >= 4:
        public = _pair(top, lead2, reply2)
    mine, theirs, legs, their_legs = view.score, view.their_score, view.legs, view.their_legs
    if dealer:
        mine, theirs, legs, their_legs = theirs, mine, their_legs, legs
    games = numbers[LEGS]
    place = ((mine * view.target + theirs) * games + legs) * games + their_legs
    score = numbers[SCORES + place]
    if score < 0:
        return 0
    actions = words + plays
    at = numbers[POLICIES] + score * numbers[NUMBERS] + numbers[node + BASE]
    if level >= 2:
        at += _pair(top, e1, d1) * numbers[node + BLOCK]
    positions = numbers[node + POSITIONS]
    at += hand * positions + public
    step = size * positions
    # Draw an action; where the player never gets, any will do.
    total = 0
    for action in range(actions):
        total += int(parts[at + action * step])
    sought = view.luck * total
    chosen = -1
    for action in range(actions):
        share = int(parts[at + action * step])
        if share > 0:
            chosen = action
            if sought < share:
                break
        sought -= share
    if chosen < 0:
        chosen = actions - 1 if plays == 0 else words
    if chosen < words:
        return int(numbers[node + WORD_ACTIONS + chosen])
    slot = chosen - words
    return a if slot == 0 else (b if slot == 1 else c)


@overload(consult)
def _consult(table, view):
    def compiled(table, view):
        head = carray(address_as_lane(table), SCORES)
        numbers = carray(address_as_lane(table), head[FIRST_NODE] + NODE_WIDTH * head[NODES])
        scores = (head[TARGET] * head[LEGS]) ** 2
        parts = carray(address_as_bytes(table), head[POLICIES] + scores * head[NUMBERS])
        return look_up(numbers, parts, view)

    return compiled

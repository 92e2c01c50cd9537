"""A policy file as `consult` reads it: unpacked once into the user's cache, mapped into memory.

All processes of a machine share the one table. What it holds says `put_cli.engine.consult`.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from put_cli.engine import consult
from put_cli.engine import tables as tb
from put_cli.plugins.code_store import default_folder
from put_cli.rules.machine import REPLIES, Act
from put_cli.solve import policy_file
from put_cli.solve.chain import Score, chain_of
from put_cli.solve.policy_file import PolicyError
from put_cli.solve.stored import LEVELS, choices, numbers_of
from put_cli.solve.tree import LEVEL, PLAYS, SAID, STATE, WORDS, Tree, grow
from put_cli.strategy import PUT, SEE, THROW

PATIENCE_SECONDS = 60.0
"""How long another process may take to unpack a table."""

_POLL_SECONDS = 0.05
_ACTIONS = {Act.PUT: PUT, Act.SEE: SEE, Act.THROW: THROW}
_mapped: dict[str, npt.NDArray[np.uint8]] = {}


def mapped(path: str) -> int:
    """The address of the table of a policy file, see `put_cli.solutions.open_policy`."""
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise PolicyError(f"cannot read the policy {path!r}: {error.strerror}.") from None
    digest = hashlib.blake2b(content + bytes([consult.FORMAT]), digest_size=16).hexdigest()
    if digest not in _mapped:
        _mapped[digest] = _map(file, digest)
    return int(_mapped[digest].ctypes.data)


def _map(file: Path, digest: str) -> npt.NDArray[np.uint8]:
    try:
        folder = default_folder().expanduser() / "policies"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unpacked = folder / f"{digest}.table"
        if not unpacked.exists():
            _unpack(file, unpacked)
        table = _whole(unpacked)
        if table is not None:
            return table
        unpacked.unlink()  # cut off: nothing that was written here
    except (OSError, RuntimeError):  # no room there, or no home
        pass
    return np.concatenate(list(packed(file)))  # this process keeps it to itself


def _whole(unpacked: Path) -> npt.NDArray[np.uint8] | None:
    """The table of a file, None where it is none."""
    try:
        table = np.memmap(unpacked, np.uint8, "r")
        return table if len(table) == _size(table) else None
    except (IndexError, ValueError):  # empty, or not even a header
        return None


def _size(table: npt.NDArray[np.uint8]) -> int:
    """Bytes of a whole table, by its header."""
    head = table[: 8 * consult.SCORES].view(np.int64).tolist()
    places = (head[consult.TARGET] * head[consult.LEGS]) ** 2
    numbers = table[8 * consult.SCORES : 8 * (consult.SCORES + places)].view(np.int64)
    return int(head[consult.POLICIES] + 2 * head[consult.NUMBERS] * (numbers.max() + 1))


def _unpack(file: Path, unpacked: Path) -> None:
    """Write the table, unless another process is just doing that: then wait for it."""
    begun = unpacked.with_suffix(".begun")
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        while _under_way(begun):
            time.sleep(_POLL_SECONDS)
        if unpacked.exists():
            return
    temporary = unpacked.with_name(f".new-{os.getpid()}-{unpacked.name}")
    try:
        with open(temporary, "wb") as out:
            for piece in packed(file):
                out.write(piece.tobytes())
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, unpacked)
    finally:
        for path in (temporary, begun):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _under_way(begun: Path) -> bool:
    """Whether another process may still be at it; one that was killed leaves its mark behind."""
    try:
        return time.time() - begun.stat().st_mtime < PATIENCE_SECONDS
    except OSError:
        return False


def packed(file: Path) -> Iterator[npt.NDArray[np.uint8]]:
    """The table of a policy file, piece by piece, as bytes."""
    chain = chain_of(grow(policy_file.rules_of(file)))
    tree, rules = chain.tree, chain.tree.rules
    stored = policy_file.read_stored(file, chain)
    if len(stored) < len(chain.scores):
        raise PolicyError(
            f"{file} holds {len(stored)} of {len(chain.scores)} scores: expected a whole solution."
        )
    target, legs = rules.target, rules.wins_needed
    scores = [
        chain.number.get(Score(e, d, eg, dg), -1)
        for e in range(target)
        for d in range(target)
        for eg in range(legs)
        for dg in range(legs)
    ]
    nodes, numbers = _nodes(tree)
    head = [target, legs, tree.top, LEVELS, numbers, len(nodes), consult.SCORES + len(scores)]
    length = len(head) + 1 + len(scores) + consult.NODE_WIDTH * len(nodes)
    flat = [*head, 8 * length, *scores, *(number for node in sorted(nodes) for number in node)]
    yield np.array(flat, np.int64).view(np.uint8)
    for number in range(len(chain.scores)):
        try:
            yield _by_hand(tree, stored[number]).view(np.uint8)
        except ValueError as error:
            raise PolicyError(f"{file}: score {chain.scores[number]}: {error}.") from None


def _by_hand(tree: Tree, stored: bytes) -> npt.NDArray[np.uint16]:
    """The numbers of a policy with those of one information set beside each other."""
    numbers, at = numbers_of(tree, stored), 0
    pieces = []
    for choice in choices(tree):
        piece = numbers[at : at + choice.numbers].reshape(choice.stored_shape)
        pieces.append(piece.transpose(3, 2, 1, 0).ravel())
        at += choice.numbers
    return np.concatenate(pieces)


def _nodes(tree: Tree) -> tuple[list[tuple[int, ...]], int]:
    """The nodes with a choice, as NODE_WIDTH numbers; and how many numbers a policy has."""
    found, base = [], 0
    for choice in choices(tree):
        row = tree.nodes[choice.node]
        state = tree.tables.states[row[STATE]]
        words = [word for act, word in _ACTIONS.items() if state[tb.NEXT + act] >= 0]
        found.append(
            (
                _key(tree, choice.node),
                base,
                choice.public,
                choice.hands,
                int(row[WORDS]),
                int(row[PLAYS]),
                *[*words, 0, 0, 0][:3],
            )
        )
        base += choice.numbers
    return found, base


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
    return int(consult.key_of(int(row[SAID]), asked, int(row[LEVEL]), first, second))

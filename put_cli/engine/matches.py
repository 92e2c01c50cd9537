"""What is played and what comes of it: matches to play, the buffer of hands, the results."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from put_cli.engine import lanes as ln
from put_cli.engine.forfeits import Forfeit

FIRST_CAPACITY = 40_960 + 64  # rows; not a power of two, which would share cache lines


@dataclass(frozen=True)
class Fixture:
    """One match: the contestants of a table at one block and mirror.

    `seating` are their positions in the list, by side (with partners a side has two chairs), as
    they sit in mirror 0. In mirror m each has moved on by m sides; cards and cuts belong to the
    chairs.
    """

    pairing: int
    block: int
    mirror: int
    games: int
    seating: tuple[int, ...]

    @property
    def chairs(self) -> tuple[int, ...]:
        """Positions of the contestants by side: chair 0, chair 1 ..."""
        return self.seating[self.mirror :] + self.seating[: self.mirror]


@dataclass(eq=False)
class Buffers:
    """The hands buffer of one process, kept between calls and grown when it is too small."""

    keys: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.empty((len(ln.HAND_KEYS), FIRST_CAPACITY), np.int32)
    )
    hands: npt.NDArray[np.int16] = field(
        default_factory=lambda: np.empty((len(ln.HAND_COLUMNS), FIRST_CAPACITY), np.int16)
    )
    words: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(FIRST_CAPACITY, np.int64))

    def fit(self, columns: int) -> None:
        """Have so many columns of hands; a change forgets the rows."""
        if len(self.hands) != columns:
            self.hands = np.empty((columns, self.words.shape[0]), np.int16)

    def grow(self) -> None:
        """Double the capacity, keeping the rows."""
        old = self.words.shape[0]
        for name in ("keys", "hands", "words"):
            array = getattr(self, name)
            bigger = np.empty((*array.shape[:-1], 2 * old + 64), array.dtype)
            bigger[..., :old] = array
            setattr(self, name, bigger)


@dataclass(frozen=True, eq=False)
class Played:
    """What a set of matches came to, in the order of the fixtures.

    `keys` (3, N) int32: fixture, game, hand. `hands` (columns, N) int16: hand_columns(rules).
    `words` (N,) int64. `games` (columns, G) int32: GAME_COLUMNS. `tallies` (F, columns) int64:
    TALLY_COLUMNS. The arrays of hands are views of the buffers: use them before the next call.
    `reasons` tells of a fault by row of `games`, also of games lost unplayed; `differences` of
    native decisions that the interpreter took otherwise.
    """

    fixtures: Sequence[Fixture]
    keys: npt.NDArray[np.int32]
    hands: npt.NDArray[np.int16]
    words: npt.NDArray[np.int64]
    games: npt.NDArray[np.int32]
    tallies: npt.NDArray[np.int64]
    reasons: dict[int, str]
    differences: list[str]
    tracebacks: dict[tuple[str, str], str] = field(default_factory=dict)
    """Of the first fault of each player and kind of exception."""
    forfeits: tuple[Forfeit, ...] = ()
    """What came to pass now and would not be the same another time: to be written down."""

"""A player that is a small neural network, and decides many hands in one call.

    put check examples/network/network.py
    put match examples/network/network.py odds --games 20000

`act_batch` gets a View whose fields are arrays of B decisions, and returns B actions: two matrix
products decide them all. The network says for each of six actions what share of games is won by
doing it; the best one that is allowed is done. `train.py` made the weights.

The weights are whole numbers, and so is all that they are multiplied with. Sums of whole numbers
below 2^53 are exact in any order, so that the same view gets the same answer in a batch of any
size on any machine, which the contract asks for.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from put_cli import PUT, SEE, THROW, Strategy, View

RANKS = 13
"""Card numbers of the 52-card pack go to 13; 0 is no card."""

SCALE = 256
"""What the weights of each layer were multiplied by before they were rounded."""

ACTIONS = 6
"""PUT, SEE, THROW, then the three cards, best first."""

Array = npt.NDArray[Any]


def features(views: View) -> Array:
    """(B, F) float64, all whole numbers: what the network is shown."""
    cards = np.eye(RANKS + 1)
    target = np.eye(10)
    flags = (
        views.my_tricks,
        views.their_tricks,
        views.ties,
        views.is_leader,
        views.asked,
        views.may_put,
        views.puts_seen,
        views.puts_mine,
        views.puts_theirs,
    )
    return np.concatenate(
        [
            *(cards[card] for card in views.cards),
            *(cards[card] for card in views.their_played[:2]),
            cards[views.led],
            # How far each is from winning matters, not how far it has come.
            target[np.minimum(views.target - views.score, 9)],
            target[np.minimum(views.target - views.their_score, 9)],
            np.stack(flags, axis=1),
        ],
        axis=1,
    )


def allowed(views: View) -> Array:
    """(B, 6) bool: which actions the rules allow."""
    held = (views.may_play & (card > 0) for card in views.cards)
    return np.stack([views.may_put, views.asked, views.may_throw, *held], axis=1)


def actions(views: View, chosen: Array) -> Array:
    """(B,) int64: actions as the program takes them, from numbers 0 to 5."""
    words = (np.full(len(chosen), word) for word in (PUT, SEE, THROW))
    return np.stack([*words, *views.cards], axis=1)[np.arange(len(chosen)), chosen]


def values(shown: Array, weights: dict[str, Array]) -> Array:
    """(B, 6): the value of each action, in units of the last layer."""
    hidden = np.maximum(shown @ weights["w1"] + weights["b1"], 0.0)
    result: Array = hidden @ weights["w2"] + weights["b2"]
    return result


def load_weights() -> dict[str, Array]:
    """w1 (F, H), b1 (H,), w2 (H, 6), b2 (6,): whole numbers as float64."""
    with np.load(Path(__file__).with_name("weights.npz")) as file:
        return {name: file[name].astype(np.float64) for name in file.files}


WEIGHTS = load_weights()


@dataclass(frozen=True)
class Network(Strategy):
    """Does what a small neural network, trained on Cotton's game, thinks wins most games."""

    plays: ClassVar[tuple[str, ...]] = ("cotton", "willughby")

    def act_batch(self, views: View) -> Array:
        """(B,) int64 actions for B decisions."""
        worth = np.where(allowed(views), values(features(views), WEIGHTS), -np.inf)
        return actions(views, worth.argmax(axis=1))

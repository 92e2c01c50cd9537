"""Trains the weights of `network.py`: NumPy alone, about two minutes on one core.

    python examples/network/train.py

Fitted value iteration in its plainest form. A learning player plays matches against built-in
strategies and notes at every decision what it saw and did; when the hand is over it notes what came
of it: the chance to win the game from the score it led to. The network learns to foretell that for
each action, the player does what the network thinks best (and now and then anything), and so on for
a few rounds.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli import GAME, HandRecord, Match, Player, Strategy, View
from put_cli.engine.compiled import NoStore
from put_cli.engine.matches import Buffers, Fixture
from put_cli.engine.play import play, prepare_kernel
from put_cli.engine.players import enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.conduct import stacked
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from network import ACTIONS, SCALE, actions, allowed, features, values  # noqa: E402

Array = npt.NDArray[Any]
Weights = dict[str, Array]

OPPONENTS = ("odds", "sharper", "closer", "bold", "bluffer", "reader", "sly")
HIDDEN = 64
ROUNDS = 5
GAMES = 1200  # against each opponent, a round
ANYTHING = 0.25  # share of decisions that try any allowed action


class Notebook:
    """What the player has seen, done and got: one entry a decision."""

    def __init__(self) -> None:
        self.shown: list[Array] = []
        self.did: list[int] = []
        self.got: list[float] = []


class Student(Player):
    """Plays by the network of the round, tries other things at times, and takes notes."""

    def __init__(self, target: int, weights: Weights, notes: Notebook) -> None:
        self._target, self._weights, self._notes = target, weights, notes
        self._open: list[tuple[Array, int]] = []

    def act(self, view: View) -> int:
        views = stacked([view])
        shown, legal = features(views), allowed(views)
        if view.luck < ANYTHING:
            choices = np.flatnonzero(legal[0])
            chosen = int(choices[int(view.luck / ANYTHING * len(choices))])
        else:
            worth = np.where(legal, values(shown, self._weights), -np.inf)
            chosen = int(worth.argmax())
        self._open.append((shown[0].astype(np.int8), chosen))
        return int(actions(views, np.array([chosen]))[0])

    def hand_over(self, record: HandRecord) -> None:
        got = self._worth(record)
        for shown, chosen in self._open:
            self._notes.shown.append(shown)
            self._notes.did.append(chosen)
            self._notes.got.append(got)
        self._open.clear()

    def _worth(self, record: HandRecord) -> float:
        """The chance to win the game after this hand, against an equal."""
        if record.game_over:
            return float(record.won)
        mine = self._target - record.score - (record.points if record.points < GAME else 0)
        theirs = self._target - record.their_score - record.their_points
        return chance(mine, theirs)


def chance(mine: int, theirs: int) -> float:
    """The chance of one who needs `mine` points against one who needs `theirs`.

    As if each hand won a point, or the game with one hand in five, for either side alike.
    """
    if mine <= 0 or theirs <= 0:
        return float(mine <= 0)
    return 0.1 + 0.4 * (chance(mine - 1, theirs) + chance(mine, theirs - 1))


class School(Strategy):
    """Gives every match a student with the same notebook."""

    def __init__(self, weights: Weights, notes: Notebook) -> None:
        self._weights, self._notes = weights, notes

    def begin_match(self, match: Match) -> Player:
        return Student(match.target, self._weights, self._notes)


def collect(weights: Weights, seed: int) -> Notebook:
    """A round of matches in which the network plays everybody."""
    notes = Notebook()
    field = [enlist("student", School(weights, notes), NoStore())]
    field += [enlist(name, load(name).strategy, DiskStore()) for name in OPPONENTS]
    fixtures = [
        Fixture(other - 1, block, mirror, 100, (0, other))
        for other in range(1, len(field))
        for block in range(GAMES // 200)
        for mirror in (0, 1)
    ]
    tables = compile_rules(find_ruleset("cotton"))
    played = play(tables, field, fixtures, seed, buffers=Buffers())
    assert not played.reasons, played.reasons
    wins = [t[1 + f.mirror] / t[0] for f, t in zip(fixtures, played.tallies, strict=True)]
    print(f"  {len(notes.got):,} decisions; {100 * np.mean(wins):.1f} % of games won", flush=True)
    return notes


def fit(weights: Weights, notes: Notebook, rng: np.random.Generator) -> None:
    """Adam on the squared error of the values of what was done."""
    shown, did, got = np.stack(notes.shown), np.array(notes.did), np.array(notes.got)
    means = {name: np.zeros_like(each) for name, each in weights.items()}
    squares = {name: np.zeros_like(each) for name, each in weights.items()}
    steps = list(batches(len(got), epochs=6, size=256, rng=rng))
    for step, rows in enumerate(steps):
        x = shown[rows].astype(np.float64)
        before = x @ weights["w1"] + weights["b1"]
        hidden = np.maximum(before, 0.0)
        error = np.zeros((len(rows), ACTIONS))
        each = np.arange(len(rows)), did[rows]
        error[each] = (hidden @ weights["w2"] + weights["b2"])[each] - got[rows]
        error /= len(rows)
        back = (error @ weights["w2"].T) * (before > 0)
        slopes = {
            "w1": x.T @ back,
            "b1": back.sum(0),
            "w2": hidden.T @ error,
            "b2": error.sum(0),
        }
        rate = 0.002 * (1.0 - step / len(steps))
        for name, slope in slopes.items():
            means[name] += 0.1 * (slope - means[name])
            squares[name] += 0.001 * (slope**2 - squares[name])
            grown = 1.0 - 0.999 ** (step + 1)
            weights[name] -= rate * means[name] / (np.sqrt(squares[name] / grown) + 1e-8)


def batches(total: int, epochs: int, size: int, rng: np.random.Generator) -> Iterator[Array]:
    """Positions of the samples of each step."""
    for _ in range(epochs):
        order = rng.permutation(total)
        yield from (order[start : start + size] for start in range(0, total, size))


def whole(weights: Weights) -> Weights:
    """The weights as whole numbers: the first layer's scale goes into the second's bias."""
    scales = {"w1": SCALE, "b1": SCALE, "w2": SCALE, "b2": SCALE**2}
    return {name: np.rint(each * scales[name]).astype(np.int32) for name, each in weights.items()}


def train(seed: int = 1674) -> Weights:
    """The weights after all rounds, as whole numbers."""
    prepare_kernel(DiskStore())
    rng = np.random.default_rng(seed)
    inputs = 6 * 14 + 2 * 10 + 9
    weights = {
        "w1": rng.normal(0.0, 0.2, (inputs, HIDDEN)),
        "b1": np.zeros(HIDDEN),
        "w2": rng.normal(0.0, 0.1, (HIDDEN, ACTIONS)),
        "b2": np.full(ACTIONS, 0.5),
    }
    notes = Notebook()
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", flush=True)
        new = collect(weights, seed + number)
        # The newest rounds were played best: older ones are forgotten.
        keep = 2 * len(new.got)
        for name in ("shown", "did", "got"):
            setattr(notes, name, (getattr(notes, name) + getattr(new, name))[-keep:])
        fit(weights, notes, rng)
    return whole(weights)


if __name__ == "__main__":
    np.savez_compressed(FOLDER / "weights.npz", **train())
    print(f"wrote {FOLDER / 'weights.npz'}")

"""The exact chance that one strategy beats another: no sampling, all deals with their weights.

What they do with every hand at every score gives the probability of every ending of a hand there.
Hand follows hand until the game is over; the scores are a Markov chain, in which draws lead back
to where it has been, so that what is asked of it solves a linear system.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from put_cli.engine import tables as tb
from put_cli.engine.players import Contestant
from put_cli.rules.machine import DEALER, ELDEST, NOBODY
from put_cli.solve.chain import LOST, WON, Chain
from put_cli.solve.hand import Board
from put_cli.solve.players import Encounter
from put_cli.tournament.parts import Watch, unwatched

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Exact:
    """What happens between A and B, exactly; chances in [0, 1]."""

    wins: float
    """A's chance of winning the game (or rubber), the first deal being cut for."""
    wins_as_eldest: float
    """The same when B deals first."""
    wins_as_dealer: float
    """The same when A deals first."""
    hands: float
    """Hands a game on average."""
    points: float
    """Points a hand that are won by either, on average; the whole game counts as the target."""
    drawn: float
    """Share of all hands that are drawn."""
    puts: float
    """Puts a hand."""
    seen: float
    """Of them, seen ones."""


def exactly(
    chain: Chain, board: Board, a: Contestant, b: Contestant, watch: Watch = unwatched
) -> Exact:
    """A against B under the rules of the chain; `board` is of a tree with `classes=False`."""
    likely = np.zeros((2, len(chain.scores), len(chain.tree.endings)))
    encounters = [Encounter(board, players) for players in ((a, b), (b, a))]
    policies = [np.zeros(board.tree.size) for _ in encounters]
    meetings = list(product(range(2), range(len(chain.scores))))
    for seat, number in watch(meetings, len(meetings)):
        if number and not encounters[seat].depends_on_score:
            likely[seat, number] = likely[seat, 0]
        else:
            likely[seat, number] = encounters[seat].meet(chain.scores[number], policies[seat])
    return from_endings(chain, likely)


@dataclass(frozen=True, eq=False)
class Course:
    """The way of a game of A's from score to score; all (2, scores), by A's seat."""

    chances: Values
    """A's chance of winning from there on."""
    visits: Values
    """How often a game comes there, on average."""


def course(chain: Chain, likely: Values) -> Course:
    """Solve the chain, given the probabilities of the endings of a hand at every score.

    `likely` (2, scores, endings): A being eldest (0) or the dealer (1).
    """
    count = len(chain.scores)
    over = 2 * count
    moves = np.zeros((2, count, over))
    won = np.zeros((2, count))
    for seat in (ELDEST, DEALER):
        for number in range(count):
            following = chain.following[number]
            on = following >= 0
            # After the hand A has changed seats.
            there = (1 - seat) * count + following[on]
            np.add.at(moves[seat, number], there, likely[seat, number, on])
            mine = following == (WON if seat == ELDEST else LOST)
            won[seat, number] = likely[seat, number, mine].sum()
    walk = np.eye(over) - moves.reshape(over, over)
    start = np.zeros((2, count))
    start[:, 0] = 0.5  # the first deal is cut for
    chances = np.linalg.solve(walk, won.ravel()).astype(np.float64)
    visits = np.linalg.solve(walk.T, start.ravel()).astype(np.float64)
    return Course(chances.reshape(2, count), visits.reshape(2, count))


def from_endings(chain: Chain, likely: Values) -> Exact:
    """From the probabilities of a hand (2, scores, endings), A being eldest (0) or dealer (1)."""
    found = course(chain, likely)
    hands = found.visits.sum()
    rows = chain.tree.tables.states[chain.tree.endings]
    target = chain.tree.rules.target
    points = np.where(rows[:, tb.WINNER] == NOBODY, 0, np.minimum(rows[:, tb.POINTS], target))
    endings = np.einsum("sn,sne->e", found.visits, likely) / hands
    return Exact(
        wins=float(found.chances[:, 0].mean()),
        wins_as_eldest=float(found.chances[ELDEST, 0]),
        wins_as_dealer=float(found.chances[DEALER, 0]),
        hands=float(hands),
        points=float(endings @ points),
        drawn=float(endings[rows[:, tb.WINNER] == NOBODY].sum()),
        puts=float(endings @ rows[:, tb.PUTS_OF : tb.PUTS_OF + 2].sum(axis=1)),
        seen=float(endings @ rows[:, tb.SEEN]),
    )

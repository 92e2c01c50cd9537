"""How lucky the deals of a game were, learnt from other games, so that it can be taken off.

Before each deal a strategy has some chance to win the game, and after it another. The change is
what the cards were worth. Whatever function of the cards and of what went before is put for that
worth, if its exact mean over all deals is taken off, what is left has mean zero given all that
went before; so has its sum over a game, and a result less that sum has the mean of the result. How
good the function is decides only how much of the spread goes (a control variate made of martingale
differences: N. Burch et al., AIVAT, AAAI 32 (2018); M. Zinkevich et al., AAAI 21 (2006)).

The function here is learnt from the log, and for a game only from games that share no deal with it
(V. Chernozhukov et al., Econometrics Journal 21 (2018) C1), so it is not fitted to its own luck.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from put_cli.rules.ruleset import RuleSet
from put_cli.stats.deals import DealClasses

Ints = NDArray[np.int64]
Counts = NDArray[np.int32]
Floats = NDArray[np.float64]

FOLDS = 5
"""Deals are split into so many parts; what is used in one is learnt from the others."""

PRIOR = 15.0
"""A cell counts as if it had seen so many hands besides, with the worth of the wider one."""

MOST_GROUPS = 7
"""Scores are grouped where there would be more of them than this."""

LEGS = 4
"""Ways in which a rubber stands: b is ahead, nobody or a is, and the game that decides it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Games:
    """G whole games of two and the R hands in them, in order; a and b as in the tallies."""

    table: Ints
    """(G,): position of the pairing among the tables of the run."""
    deals: Ints
    """(G,): number of the game within the pairing; a game and its mirror have the same deals."""
    fold: Ints
    """(G,): which part of the deals it is of; games that are not independent are of one."""
    won: Ints
    """(G,): 1 where a won, else 0."""
    hands: Ints
    """(G,): number of hands; 0 in a game that was lost unplayed."""
    a_leads: Ints
    """(R,): 1 where a is eldest, else 0."""
    score: Ints
    """(2, R): of a and b, before the hand."""
    leg: Ints
    """(R,): which game of a rubber, from 1; 0 outside rubbers."""
    a_won: Ints
    """(R,): 1 where a won the hand, else 0."""
    cards: Ints
    """(2, R): numbers of the hands of eldest and dealer, as `DealClasses` counts them."""

    @property
    def game(self) -> Ints:
        """(R,): which of the games each hand is of."""
        return np.repeat(np.arange(len(self.hands)), self.hands)

    @property
    def last(self) -> NDArray[np.bool_]:
        """(R,): whether the hand is the last of its game."""
        found = np.zeros(len(self.leg), bool)
        found[np.cumsum(self.hands)[self.hands > 0] - 1] = True
        return found


class DealLuck:
    """What deals are worth to a, for each of T pairings; hears all games twice, then tells.

    First `count` all games, to know the chance to win from every score; then `learn` from all of
    them what the classes of deals change about it; then ask for the luck `of` any of them.
    """

    def __init__(self, rules: RuleSet, tables: int) -> None:
        self.classes = DealClasses(rules)
        self._width = -(-rules.target // MOST_GROUPS)
        self._groups = -(-rules.target // self._width)
        self._rubber = rules.rubber
        legs = LEGS if rules.rubber > 1 else 1
        states = legs * self._groups**2 * 2
        self._seen = np.zeros((tables, FOLDS, states))
        self._won = np.zeros((tables, FOLDS, states))
        fine, coarse = len(self.classes.chance), len(self.classes.coarse_chance)
        # Learnt without the fold that the second axis names.
        self._fine = _Means((tables, FOLDS, 2, fine))
        self._coarse = _Means((tables, FOLDS, states, coarse))

    def count(self, games: Games) -> None:
        """First: which states games go through, and how they end."""
        game = games.game
        where = (games.table[game], games.fold[game], self.states(games))
        _add(self._seen, where)
        _add(self._won, where, games.won[game])

    def learn(self, games: Games) -> None:
        """Second: how the chance to win changes with the cards."""
        game, last, state = games.game, games.last, self.states(games)
        table, fold, won = games.table[game], games.fold[game], games.won[game]
        deal = self.classes.of[tuple(games.cards)]
        after = np.append(state[1:], 0)  # of the last hand the result itself counts
        for left_out in range(FOLDS):
            value = self.values[:, left_out]
            gain = np.where(last, won, value[table, after]) - value[table, state]
            kept = fold != left_out
            t, gain = table[kept], gain[kept]
            out = np.full(len(t), left_out)
            self._fine.add((t, out, state[kept] % 2, deal[kept]), gain)
            self._coarse.add((t, out, state[kept], self.classes.coarse[deal[kept]]), gain)

    def of(self, games: Games) -> Floats:
        """(G,): the luck that a had with the deals of each game, in games won."""
        fine, coarse = self.worth
        game, state = games.game, self.states(games)
        table, fold = games.table[game], games.fold[game]
        deal = self.classes.of[tuple(games.cards)]
        worth = (
            fine[table, fold, state % 2, deal]
            + coarse[table, fold, state, self.classes.coarse[deal]]
        )
        return np.asarray(np.bincount(game, worth, minlength=len(games.hands)), np.float64)

    @cached_property
    def values(self) -> Floats:
        """(T, FOLDS, states): chance of a to win the game, by the games of the other folds."""
        seen, won = _others(self._seen), _others(self._won)
        mean = (won.sum(axis=2, keepdims=True) + 1) / (seen.sum(axis=2, keepdims=True) + 2)
        return np.asarray((won + PRIOR * mean) / (seen + PRIOR))

    @cached_property
    def worth(self) -> tuple[Floats, Floats]:
        """What a deal is worth to a: by who leads and its class, and besides by state and coarse
        class; (T, FOLDS, 2, Q) and (T, FOLDS, states, C), each of mean zero over all deals."""
        classes = self.classes
        joins = np.eye(len(classes.coarse_chance))[classes.coarse]
        widest = _shrunk(self._fine.total @ joins, self._fine.count @ joins, 0.0)
        fine = _shrunk(self._fine.total, self._fine.count, widest[..., classes.coarse])
        leads = np.arange(self._coarse.count.shape[2]) % 2
        coarse = _shrunk(self._coarse.total, self._coarse.count, widest[:, :, leads])
        coarse -= widest[:, :, leads]
        fine -= (fine @ classes.chance)[..., None]
        coarse -= (coarse @ classes.coarse_chance)[..., None]
        return fine, coarse

    def states(self, games: Games) -> Ints:
        """(R,): the state before each deal; odd where a is eldest."""
        own, others = games.score // self._width
        number = own * self._groups + others
        if self._rubber > 1:
            number += _legs(games, self._rubber) * self._groups**2
        return np.asarray(number * 2 + games.a_leads)


class _Means:
    """Sums and numbers of what falls into the cells of an array."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.total: Floats = np.zeros(shape)
        self.count: Counts = np.zeros(shape, np.int32)

    def add(self, where: tuple[Ints, ...], values: Floats) -> None:
        """Add values (R,), each to the cell that index arrays name."""
        _add(self.count, where)
        _add(self.total, where, values)


def _add(
    into: Floats | Counts,
    where: tuple[Ints, ...],
    values: Ints | Floats | None = None,
) -> None:
    """Add values, or one each, at the places that index arrays name."""
    flat = np.ravel_multi_index(where, into.shape)
    first = int(flat.min(initial=into.size))  # the hands of a batch are of few pairings
    found = np.bincount(flat - first, values)
    into.reshape(-1)[first : first + len(found)] += found.astype(into.dtype, copy=False)


def _others(counts: Floats) -> Floats:
    """Of each fold what all others have."""
    return np.asarray(counts.sum(axis=1, keepdims=True) - counts)


def _shrunk(total: Floats, count: Counts | Floats, wider: Floats | float) -> Floats:
    """Means that begin from those of a wider cell."""
    return np.asarray((total + PRIOR * wider) / (count + PRIOR))


def _legs(games: Games, rubber: int) -> Ints:
    """(R,): how a rubber stands: b is ahead, none or a is, and the game that decides it."""
    begins = np.flatnonzero(games.leg[1:] > games.leg[:-1]) + 1
    won = np.zeros(len(games.leg), np.int64)
    won[begins] = games.a_won[begins - 1]
    won = np.cumsum(won)
    firsts = np.append(0, np.cumsum(games.hands)[:-1])[games.game]
    lead = 2 * (won - won[firsts]) - (games.leg - 1)
    return np.where(games.leg == rubber, LEGS - 1, np.clip(lead, -1, 1) + 1)

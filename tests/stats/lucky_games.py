"""Games of two whose true score is known: each hand is won with a chance that its cards set."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from put_cli.rules.ruleset import RuleSet
from put_cli.stats.deal_luck import FOLDS, Games
from put_cli.stats.deals import DealClasses


@dataclass(frozen=True, kw_only=True)
class Contest:
    """a against b: T repetitions of mirrored games, each of `deals` pairs in blocks of ten."""

    rules: RuleSet
    tables: int
    deals: int
    block: int = 10
    slope: float = 0.9
    """How much the cards decide."""
    moods: float = 0.0
    """How far a block can change the chance of a, as a player's memory may."""

    def chances(self, classes: DealClasses) -> NDArray[np.float64]:
        """(2, H, H): that a wins the hand when dealer, and when eldest, by the hands of the two.

        It is the best card that counts when a deals, and the lowest when b does, so that the two
        games of a pair end differently by their cards.
        """
        best, lowest = classes.hands[:, 0], classes.hands[:, 2]
        eldest = 1 / (1 + np.exp(-self.slope * (lowest[:, None] - lowest[None, :] + 0.3)))
        dealer = 1 / (1 + np.exp(-self.slope * (best[None, :] - best[:, None])))
        return np.stack([0.88 * dealer + 0.06, 0.88 * eldest + 0.06])

    def true_score(self, classes: DealClasses) -> float:
        """The share of games that a wins in the long run."""
        dealt = classes.ways / classes.ways.sum()
        chance = (self.chances(classes) * dealt).sum(axis=(1, 2))

        def value(own: int, other: int, leads: int) -> float:
            if self.rules.target in (own, other):
                return float(own > other)
            won, lost = value(own + 1, other, 1 - leads), value(own, other + 1, 1 - leads)
            return float(chance[leads] * won + (1 - chance[leads]) * lost)

        return (value(0, 0, 0) + value(0, 0, 1)) / 2

    def play(self, classes: DealClasses, seed: int) -> Games:
        """All games of all repetitions; of a pair first one, then its mirror."""
        rng = np.random.default_rng(seed)
        target, size = self.rules.target, len(classes.hands)
        hands, pairs = 2 * target - 1, self.tables * self.deals
        dealt = np.cumsum(classes.ways.ravel() / classes.ways.sum())
        deals = np.searchsorted(dealt, rng.random((pairs, hands)))
        cards = np.repeat(np.stack(np.divmod(deals, size)), 2, axis=1)  # (2, G, hands)
        mood = rng.choice([-1, 1], (self.tables, -(-self.deals // self.block)))
        moods = np.repeat(mood, self.block, axis=1)[:, : self.deals].ravel().repeat(2)
        leads = (np.arange(2 * pairs)[:, None] + np.arange(hands)) % 2
        chance = self.chances(classes)[leads, cards[0], cards[1]]
        won = rng.random(chance.shape) < chance + self.moods * moods[:, None]
        own = np.cumsum(won, axis=1) - won
        other = np.cumsum(~won, axis=1) - ~won
        played = (own < target) & (other < target)
        number = np.tile(np.arange(self.deals), self.tables).repeat(2)
        return Games(
            table=np.arange(self.tables).repeat(2 * self.deals),
            deals=number,
            fold=(number // self.block if self.moods else number) % FOLDS,
            won=((won & played).sum(axis=1) == target).astype(np.int64),
            hands=played.sum(axis=1),
            a_leads=leads[played],
            score=np.stack([own[played], other[played]]),
            leg=np.zeros(played.sum(), np.int64),
            a_won=won[played].astype(np.int64),
            cards=cards[:, played],
        )

"""A strategy that plays in every tier; runs take a copy of this file."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from put_cli import PUT, SEE, THROW, Strategy, View


@dataclass(frozen=True)
class Mixed(Strategy):
    """The same decisions one by one and in arrays; it reads luck, score and the record."""

    bluff: float = 0.3
    memory = True

    def act(self, view: View) -> int:
        keen = view.highest >= 10 or view.luck < self.bluff or view.their_thrown > view.their_puts
        if view.asked:
            return SEE if keen or view.score < view.their_score else THROW
        if view.may_put and keen:
            return PUT
        if view.must_speak:
            return THROW
        return view.cheapest_winner or view.lowest

    def act_batch(self, views: View) -> Any:
        keen = (
            (views.highest >= 10)
            | (views.luck < self.bluff)
            | (views.their_thrown > views.their_puts)
        )
        answer = np.where(keen | (views.score < views.their_score), SEE, THROW)
        card = np.where(views.cheapest_winner > 0, views.cheapest_winner, views.lowest)
        return np.where(
            views.asked,
            answer,
            np.where(views.may_put & keen, PUT, np.where(views.must_speak, THROW, card)),
        )

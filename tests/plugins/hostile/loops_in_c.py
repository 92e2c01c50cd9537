"""Calls what never returns and looks at no signal."""

import itertools

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            return sum(itertools.repeat(1))
        return SEE if view.asked else view.highest

"""Leaves by sys.exit."""

import sys

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            sys.exit("bye")
        return SEE if view.asked else view.highest

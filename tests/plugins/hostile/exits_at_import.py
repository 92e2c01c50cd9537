"""Ends the program when it is loaded, or tries to."""

import sys

from put_cli import SEE, Strategy, View

sys.exit(0)


class Hostile(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.highest

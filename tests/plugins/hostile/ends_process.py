"""Ends its process."""

import os

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            os._exit(7)
        return SEE if view.asked else view.highest

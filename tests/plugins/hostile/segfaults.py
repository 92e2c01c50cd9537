"""Reads where there is nothing."""

import ctypes

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            ctypes.string_at(0)
        return SEE if view.asked else view.highest

"""Raises what Ctrl-C raises."""

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            raise KeyboardInterrupt("mine")
        return SEE if view.asked else view.highest

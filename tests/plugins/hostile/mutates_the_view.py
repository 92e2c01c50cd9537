"""Tries to change what it is shown."""

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            view.cards = (view.top, view.top, view.top)  # type: ignore[misc]
        return SEE if view.asked else view.highest

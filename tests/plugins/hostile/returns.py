"""Return what is no action."""

from typing import Any

from put_cli import SEE, Strategy, View


class Nothing(Strategy):
    """Forgets to return."""

    def act(self, view: View) -> Any:
        if view.luck > 0.9:
            return None
        return SEE if view.asked else view.highest


class Float(Strategy):
    """Returns a float."""

    def act(self, view: View) -> Any:
        if view.luck > 0.9:
            return 3.7
        return SEE if view.asked else view.highest


class Text(Strategy):
    """Returns a word as text."""

    def act(self, view: View) -> Any:
        if view.luck > 0.9:
            return "put"
        return SEE if view.asked else view.highest


class NinetyNine(Strategy):
    """Returns a number that is no card."""

    def act(self, view: View) -> Any:
        if view.luck > 0.9:
            return 99
        return SEE if view.asked else view.highest


class Unheld(Strategy):
    """Plays a card it does not hold."""

    def act(self, view: View) -> Any:
        if view.luck > 0.9:
            return next(c for c in range(1, 14) if c not in view.cards)
        return SEE if view.asked else view.highest

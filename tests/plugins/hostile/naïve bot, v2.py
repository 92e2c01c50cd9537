"""Has a name that no program expects."""

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.highest

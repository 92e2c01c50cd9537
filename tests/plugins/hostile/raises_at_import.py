"""Cannot be loaded."""

from put_cli import SEE, Strategy, View

raise RuntimeError("not today")


class Hostile(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.highest

"""One of two of one name."""

from put_cli import SEE, Strategy, View


class Twin(Strategy):
    def act(self, view: View) -> int:
        return SEE if view.asked else view.highest

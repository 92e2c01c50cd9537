"""The other one of that name."""

from put_cli import SEE, Strategy, View


class Twin(Strategy):
    def act(self, view: View) -> int:
        if view.may_play:
            return view.lowest
        return SEE if view.asked else view.highest

"""Never answers some questions."""

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        while view.luck > 0.9:
            print("", end="")
        return SEE if view.asked else view.highest

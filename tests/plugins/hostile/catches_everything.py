"""Does not let itself be interrupted."""

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        while view.luck > 0.9:
            try:
                print("", end="")
                while True:
                    pass
            except BaseException:
                pass
        return SEE if view.asked else view.highest

"""Raises what no `except Exception` catches."""

from put_cli import SEE, Strategy, View


class Odd(BaseException):
    pass


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            raise Odd("caught me?")
        return SEE if view.asked else view.highest

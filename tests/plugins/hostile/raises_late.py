"""Fails at move 1000 of its process."""

from put_cli import SEE, Strategy, View

MOVES: list[float] = []


class Hostile(Strategy):
    def act(self, view: View) -> int:
        MOVES.append(view.luck)
        if len(MOVES) == 1000:
            raise LookupError("enough")
        return SEE if view.asked else view.highest

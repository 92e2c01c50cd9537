"""Wants 8 GB."""

from put_cli import SEE, Strategy, View

HOARD: list[bytearray] = []


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            HOARD.append(bytearray(8_000_000_000))
        return SEE if view.asked else view.highest

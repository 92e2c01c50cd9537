"""Prints from C, where Python's streams know nothing of it."""

import ctypes

from put_cli import SEE, Strategy, View

LIBC = ctypes.CDLL(None)


class Hostile(Strategy):
    def act(self, view: View) -> int:
        LIBC.printf(b"spam from C ")
        return SEE if view.asked else view.highest

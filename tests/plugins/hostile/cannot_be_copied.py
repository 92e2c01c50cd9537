"""Holds what cannot be sent to another process."""

import threading

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    lock = threading.Lock()
    odd = [lambda: None]

    def act(self, view: View) -> int:
        with self.lock:
            pass
        return SEE if view.asked else view.highest

"""Kills its process."""

import os
import signal

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        if view.luck > 0.9:
            os.kill(os.getpid(), signal.SIGKILL)
        return SEE if view.asked else view.highest

"""Prints without end, in every way there is."""

import os
import sys

from put_cli import SEE, Strategy, View


class Hostile(Strategy):
    def act(self, view: View) -> int:
        print("spam " * 1000)
        print("error " * 1000, file=sys.stderr)
        sys.stdout.flush()
        os.write(1, b"raw spam")
        os.write(2, b"raw spam")
        return SEE if view.asked else view.highest

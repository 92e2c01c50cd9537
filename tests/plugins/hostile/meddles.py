"""Changes everything that it shares with others."""

import gc
import os
import random
import signal
import sys
import threading
import warnings

import numpy as np

from put_cli import SEE, Strategy, View


def meddle() -> None:
    """Leave nothing as it was."""
    sys.path[:] = []
    random.seed(1)
    np.random.seed(1)
    np.seterr(all="raise")
    os.chdir("/")
    os.environ.clear()
    warnings.simplefilter("error")
    sys.setrecursionlimit(200)
    gc.disable()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
    sys.stdin = sys.stdout = sys.stderr = None


meddle()


class Hostile(Strategy):
    def act(self, view: View) -> int:
        meddle()
        threading.Thread(target=meddle, daemon=True).start()
        return SEE if view.asked else view.highest

"""Ctrl-C and SIGTERM while there is nothing yet to finish or to keep."""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator

STOPPED = 130
"""The exit code of a command that was interrupted."""


@contextlib.contextmanager
def ends_at_once(last_words: str) -> Iterator[None]:
    """Inside the block Ctrl-C and SIGTERM end the process with one line, whatever it is doing.

    An exception would not do: the compiler calls back into Python where exceptions are lost, and
    works for seconds on end without running any. So a thread waits for the signal.
    """
    hearing, telling = socket.socketpair()
    telling.setblocking(False)
    thread = threading.Thread(target=_wait, args=(hearing, last_words), daemon=True)
    # Handlers that do nothing, because only signals with one are told of.
    handlers = {number: signal.signal(number, _nothing) for number in _SIGNALS}
    before = signal.set_wakeup_fd(telling.fileno())
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        telling.close()
        thread.join()
        hearing.close()


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _nothing(_number: int, _frame: object) -> None:
    pass


def _wait(hearing: socket.socket, last_words: str) -> None:
    while told := hearing.recv(1):
        if told[0] in _SIGNALS:
            with contextlib.suppress(OSError, AttributeError):  # there may be no standard error
                sys.stderr.write(f"{last_words}\n")
                sys.stderr.flush()
            os._exit(STOPPED)

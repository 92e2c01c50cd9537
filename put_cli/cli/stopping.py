"""Ctrl-C and SIGTERM: before there is anything to finish or to keep, and while a run is played."""

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

STOPPED = 130
"""The exit code of a command that was interrupted."""


GOOD_ORDER_SECONDS = 2.0
"""So long a run may take to stop in good order."""


@contextlib.contextmanager
def stops_in_good_order() -> Iterator[None]:
    """Inside the block the first Ctrl-C, SIGTERM or SIGHUP is a KeyboardInterrupt.

    The second ends the process and its workers at once, and so does the first when the block is not
    left in time. What is ignored before stays ignored, as by nohup.
    """
    deadline = threading.Timer(GOOD_ORDER_SECONDS, _end)
    deadline.daemon = True

    def stop(_number: int, _frame: object) -> None:
        for number in before:
            signal.signal(number, _end)
        deadline.start()
        raise KeyboardInterrupt

    stopping = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    before = {
        number: signal.getsignal(number)
        for number in stopping
        if number is not None and signal.getsignal(number) != signal.SIG_IGN
    }
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        deadline.cancel()


def _end(*_signal: Any) -> None:
    for worker in multiprocessing.active_children():
        worker.kill()
    os._exit(STOPPED)


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

"""A process that is forked can compile, whatever other threads were doing."""

import os
import threading
import time

import pytest
from llvmlite import binding
from numba import njit

from put_cli.engine import forking

SECONDS = 30
"""Much longer than it takes; a child that hangs is ended after that."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_compiles_though_another_thread_was_in_the_compiler() -> None:
    forking.guard()
    inside, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with binding.ffi.lib._lock:
            inside.set()
            leave.wait(SECONDS)

    thread = threading.Thread(target=stay)
    thread.start()
    inside.wait()
    threading.Timer(0.2, leave.set).start()
    child = os.fork()
    if not child:  # pragma: no cover
        os._exit(njit(lambda: 7)())
    thread.join()
    for _ in range(10 * SECONDS):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 7

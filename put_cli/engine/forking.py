"""No process is forked while another thread is inside the compiler.

A lock that a thread holds at that moment is held for ever in the child, where the thread is not.
Collecting garbage can put any thread there: compiled code that nobody needs is disposed of under
LLVM's lock.
"""

import os
from functools import cache

from llvmlite.binding import ffi
from numba.core.compiler_lock import global_compiler_lock

_llvm_lock = getattr(ffi.lib, "_lock", None)  # not part of what llvmlite promises


def _acquire() -> None:
    global_compiler_lock.acquire()
    if _llvm_lock is not None:
        _llvm_lock.__enter__()


def _release() -> None:
    if _llvm_lock is not None:
        _llvm_lock.__exit__(None, None, None)
    global_compiler_lock.release()


@cache
def guard() -> None:
    """From now on a fork waits until nobody is in there."""
    if hasattr(os, "register_at_fork"):  # Windows starts processes anew
        os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)

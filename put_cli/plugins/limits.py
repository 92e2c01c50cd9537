"""What a process that plays for one strategy allows itself, and how it ended.

The standard library only: it is imported before anything else in such a process.
"""

import os
import signal
import sys

OUT_OF_MEMORY = 86
"""The exit code of a process that had no memory left."""


def ending(code: int | None) -> str:
    """How a process ended, by its exit code."""
    if code == OUT_OF_MEMORY:
        return "ran out of memory"
    if code is not None and code < 0:
        return f"ended its process by {signal.Signals(-code).name}"
    return f"ended its process (exit code {code})"


def settle(parent: int, megabytes: int) -> None:
    """Take no more memory than so much (0: no limit), and end with the parent; Linux only."""
    if sys.platform != "linux":
        return
    import ctypes
    import resource

    # Address space is for the process that started this one to count: engines of other languages
    # reserve far more of it than they use.
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if megabytes:
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = megabytes * 1_000_000
        if most == resource.RLIM_INFINITY or limit < most:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    set_parent_death_signal = 1  # PR_SET_PDEATHSIG of linux/prctl.h
    ctypes.CDLL(None).prctl(set_parent_death_signal, int(signal.SIGKILL))
    if os.getppid() != parent:  # it has ended already
        os._exit(1)


def become(parent: int, megabytes: int, command: list[str]) -> None:
    """Settle, and go on as another program."""
    settle(parent, megabytes)
    os.execv(command[0], command)

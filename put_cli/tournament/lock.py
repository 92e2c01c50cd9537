"""One process at a time plays a run.

The lock is the system's, on an open file: it ends with its owner, however that ends, and nobody who
reads the run is kept from it. Forked workers share the file, so that a run cannot be taken up again
while one that outlived its owner is still at work.
"""

import contextlib
import os
import socket
import sys
import time
from pathlib import Path

from put_cli.errors import RunError

NAME = ".lock"

PATIENCE_SECONDS = 1.5
"""How long a lock is waited for: workers whose owner was killed take a moment to notice."""

_POLL_SECONDS = 0.05


class Lock:
    """The lock of a run, as far as it was taken."""

    def __init__(self, run: Path, shown: Path | str) -> None:
        """`shown` is the directory as the user knows it."""
        self._path, self._shown = run / NAME, shown
        self._file = -1

    def take(self) -> "Lock":
        """Hold it until it is released, or nobody has this object any more.

        Raises:
            RunError: another process plays this run, or it cannot be written.
        """
        if self._file >= 0:
            return self
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise RunError(
                f"cannot write to {str(self._shown)!r}: {error.strerror or error}."
            ) from None
        end = time.monotonic() + PATIENCE_SECONDS
        while not _taken(file):
            if time.monotonic() > end:
                owner = os.read(file, 200).decode("utf-8", "replace").strip()
                os.close(file)
                raise RunError(
                    f"{str(self._shown)!r} is being played by another process ({owner}); "
                    "wait for it to end, or stop it. Reading the run is possible meanwhile."
                )
            time.sleep(_POLL_SECONDS)
        self._file = file
        with contextlib.suppress(OSError):  # on a full disk the lock holds as well
            os.ftruncate(file, 0)
            os.write(file, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        return self

    def release(self) -> None:
        """Let others have it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __del__(self) -> None:
        self.release()


def _taken(file: int) -> bool:
    """Whether this process has the lock now."""
    if sys.platform == "win32":
        import msvcrt

        try:
            os.lseek(file, 1 << 30, os.SEEK_SET)  # beyond the end, so that the file can be read
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: better to play unguarded than not at all
        return True
    return True

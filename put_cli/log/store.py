"""Where the parts of a run are kept.

All that committing asks of a store: a name holds either all of what was put there or what it held
before, and what was put stays. A folder does that by writing beside and renaming; an object store
by a single put.
"""

import contextlib
import os
import secrets
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from put_cli.errors import RunError

TEMPORARY = ".tmp-"
"""What files that are still being written are called, to begin with."""


class Target(Protocol):
    """Where parts can be put."""

    def put(self, name: str, data: pa.Buffer) -> None:
        """Keep `data` under a name, all or nothing.

        Raises:
            RunError: it could not be kept; what the name held before is still there.
        """


class Store(Target, Protocol):
    """Named contents; a name is a folder and a file in it, as in hands/part-000000.parquet."""

    def get(self, name: str) -> bytes | None:
        """What is kept under a name; None where nothing is.

        Raises:
            RunError: it cannot be read.
        """

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order."""

    def remove(self, name: str) -> None:
        """Forget a name, if it is there.

        Raises:
            RunError: it cannot be removed.
        """

    def sweep(self, folder: str) -> None:
        """Remove what writers that were stopped have left half written; "" is the run itself."""


class Folder:
    """A store in a folder of this machine, or of one that it shares."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, name: str, data: pa.Buffer) -> None:
        """As `Store` says."""
        path = self._path / name
        try:
            # Not its parents: where the run was removed, or its disk, nothing is begun anew.
            path.parent.mkdir(exist_ok=True)
            write_whole(path, data)
        except OSError as error:
            if not self._path.is_dir():
                raise RunError(f"the run directory {str(self._path)!r} is gone.") from None
            raise RunError(f"cannot write {str(path)!r}: {error.strerror or error}.") from None

    def get(self, name: str) -> bytes | None:
        """As `Store` says."""
        try:
            return (self._path / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise RunError(
                f"cannot read {str(self._path / name)!r}: {error.strerror or error}."
            ) from None

    def names(self, folder: str) -> list[str]:
        """As `Store` says."""
        try:
            found = os.listdir(self._path / folder)
        except OSError:
            return []
        return sorted(f"{folder}/{name}" for name in found if not name.startswith(TEMPORARY))

    def remove(self, name: str) -> None:
        """As `Store` says."""
        path = self._path / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"cannot remove {str(path)!r}: {error.strerror or error}.") from None

    def sweep(self, folder: str) -> None:
        """As `Store` says."""
        for leftover in (self._path / folder).glob(f"{TEMPORARY}*"):
            with contextlib.suppress(OSError):
                leftover.unlink()


class Handing:
    """A store for whoever plays far from where the run is kept, and must not commit anything.

    The part that commits a shard is not put but handed on to whoever holds the run's lock, so that
    a worker that nobody waits for any more changes nothing. Without `target` so is all else.
    """

    def __init__(self, target: Store | None, last: str) -> None:
        """`last`: the folder of the parts that commit."""
        self._target, self._last = target, last
        self._held: list[tuple[str, bytes]] = []

    def put(self, name: str, data: pa.Buffer) -> None:
        """As `Store` says, if it can be put by this one at all."""
        if self._target is None or name.startswith(f"{self._last}/"):
            self._held.append((name, data.to_pybytes()))
        else:
            self._target.put(name, data)

    def taken(self) -> tuple[tuple[str, bytes], ...]:
        """Names and contents that are still to be put, in this order."""
        held, self._held = self._held, []
        return tuple(held)


def write_whole(path: Path, data: bytes | pa.Buffer) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part.

    Raises:
        OSError: the file system refused; the old file is still there.
    """
    # A name that nobody can know beforehand, and that is not there yet: nothing that others put
    # there, such as a link to a file elsewhere, is ever written to.
    temporary = path.with_name(f"{TEMPORARY}{secrets.token_hex(8)}-{path.name}")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Have the names in a folder survive a power cut, in the order in which they were given."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

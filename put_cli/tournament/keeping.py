"""Where a run is kept: in its directory, or in an object store.

A run in an object store has a working copy on the machine that plays it: all but the large tables,
so that standings and the like are computed as ever. What counts is in the store: it gets everything
first, and the copy is made anew whenever the run is taken up. The lock is the working copy's, so it
keeps processes of one machine apart; two machines that play one run at once do the same work twice,
which harms nothing, but may remove each other's parts that are not committed, or what one of them
adds to the manifest: that is for their owners to avoid.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from put_cli.errors import RunError, UsageError
from put_cli.log import forfeits, manifest
from put_cli.log.bucket import Bucket
from put_cli.log.schema import EVERY_TABLE
from put_cli.log.store import Folder, Store
from put_cli.plugins.code_store import default_folder
from put_cli.tournament import lock

_SMALL = "tallies"
"""The table that the working copy has too."""

_READ = (manifest.NAME, forfeits.NAME, "run.log")
"""What the working copy begins with besides, where the store has it."""


@dataclass(frozen=True)
class Keeping:
    """A run directory, and the URL of the object store whose working copy it is, if it is one."""

    run: Path
    url: str = ""

    @property
    def store(self) -> Store:
        """Where parts are put."""
        return Bucket(self.url) if self.url else Folder(self.run)

    def put(self, name: str, data: pa.Buffer) -> None:
        """Put a part."""
        self.store.put(name, data)
        if self.url and name.startswith(f"{_SMALL}/"):
            (self.run / _SMALL).mkdir(exist_ok=True)
            Folder(self.run).put(name, data)

    def remove(self, name: str) -> None:
        """Remove a part."""
        self.store.remove(name)
        if self.url:
            Folder(self.run).remove(name)

    def push(self, *names: str) -> None:
        """Put files of the run directory, all of them without a name, where they are kept."""
        if not self.url:
            return
        files = [self.run / name for name in names] or [
            path for path in sorted(self.run.iterdir()) if not path.name.startswith(".")
        ]
        for path in files:
            if path.is_file():
                self.store.put(path.name, pa.py_buffer(path.read_bytes()))

    def pull(self) -> None:
        """Fetch what the working copy consists of.

        Raises:
            RunError: there is no run.
        """
        store = self.store
        for name in (*_READ, *store.names(_SMALL)):
            data = store.get(name)
            if data is not None:
                (self.run / name).parent.mkdir(exist_ok=True)
                (self.run / name).write_bytes(data)
            elif name == manifest.NAME:
                raise RunError(
                    f"{self.url!r} is not a run: it has no {name}. 'put tournament' makes one."
                )


def claim_url(url: str) -> tuple[Path, lock.Lock]:
    """An empty working copy for a new run at a URL, and its lock.

    Raises:
        UsageError: there is something already.
        RunError: it cannot be reached.
    """
    store = Bucket(url)
    if store.get(manifest.NAME) is not None or any(map(store.names, EVERY_TABLE)):
        raise UsageError(
            f"--out: {url!r} already holds files, and results are never overwritten. "
            f"Name another place; 'put tournament --resume {url}' goes on with a run."
        )
    return _emptied(url)


def take_up_url(url: str) -> Path:
    """A working copy of the run at a URL, to go on with it."""
    run, held = _emptied(url)
    try:
        Keeping(run, url).pull()
    finally:
        held.release()
    return run


@contextmanager
def fetched(url: str) -> Iterator[Path]:
    """A working copy to read from, that nobody plays, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="put-run-") as folder:
        Keeping(Path(folder), url).pull()
        yield Path(folder)


def _emptied(url: str) -> tuple[Path, lock.Lock]:
    name = hashlib.blake2b(url.encode(), digest_size=8).hexdigest()
    run = default_folder().expanduser() / "runs" / name
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    held = lock.Lock(run, url).take()
    for path in run.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != lock.NAME:
            path.unlink()
    return run, held

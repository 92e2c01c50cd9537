"""Compiled code on disk, one file a digest; any failure only means compiling again."""

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path


def default_folder() -> Path:
    """Where compiled code is kept: PUT_CACHE_DIR, or the user's cache folder of the platform."""
    chosen = os.environ.get("PUT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", "~\\AppData\\Local"))
    elif sys.platform == "darwin":
        base = Path("~/Library/Caches")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    return base / "put-cli"


_CHECK_BYTES = 16


def _check(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECK_BYTES).digest()


class DiskStore:
    """A `compiled.Store` in a folder that only its owner may write to.

    Entries are loaded as code, so a folder that belongs to somebody else, or that others can
    write to, is not used at all.
    """

    def __init__(self, folder: Path | None = None) -> None:
        try:
            self._folder: Path | None = (folder or default_folder()).expanduser() / "code"
        except RuntimeError:  # no home directory
            self._folder = None

    def load(self, digest: str) -> bytes | None:
        folder = self._trusted(create=False)
        if folder is None:
            return None
        try:
            data = (folder / digest).read_bytes()
        except OSError:
            return None
        # A damaged entry could crash the compiler that loads it.
        check, code = data[:_CHECK_BYTES], data[_CHECK_BYTES:]
        return code if check == _check(code) else None

    def save(self, digest: str, data: bytes) -> None:
        folder = self._trusted(create=True)
        if folder is None:
            return
        with contextlib.suppress(OSError):
            handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_check(data) + data)
                os.replace(name, folder / digest)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise

    def _trusted(self, *, create: bool) -> Path | None:
        if self._folder is None:
            return None
        try:
            if create:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = self._folder.stat()
        except OSError:
            return None
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            return None
        return self._folder

"""Keeping compiled code: a cache keyed by content, wherever the caller stores the bytes.

Numba's own cache looks only at the file of the compiled function and misses edits of what it
imports. Ours is keyed by a digest of everything that can change the code, so an entry is never
stale, only unused. A store that loses, refuses or corrupts an entry costs a compilation.
"""

import hashlib
import pickle
import platform
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps


class Store(Protocol):
    """Where compiled code is kept between runs. Neither method raises."""

    def load(self, digest: str) -> bytes | None:
        """What was saved under `digest`, or None."""

    def save(self, digest: str, data: bytes) -> None:
        """Keep `data` under `digest`, if possible."""


class NoStore:
    """Keeps nothing."""

    def load(self, digest: str) -> bytes | None:
        return None

    def save(self, digest: str, data: bytes) -> None:
        return None


class Cache:
    """The interface Numba asks of a function's cache, for one function with one signature.

    `digest` None means that the code must not be kept.
    """

    cache_path = None

    def __init__(self, store: Store, digest: str | None) -> None:
        self._store = store
        self._digest = digest

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        data = self._store.load(self._digest) if self._digest else None
        if data is None:
            return None
        try:
            # All that running needs. What compiling needs besides (`refresh`) takes half a second
            # to load, and the compiler asks for it itself.
            rtsys.initialize(target_context)
            return CompileResult._rebuild(target_context, *pickle.loads(data))
        except Exception:  # a damaged entry is no entry
            return None

    def save_overload(self, sig: Any, result: Any) -> None:
        if self._digest and not result.library.has_dynamic_globals:
            self._store.save(self._digest, dumps(result._reduce()))

    def enable(self) -> None:
        """Numba calls it; there is nothing to switch on."""

    disable = flush = enable


@cache
def platform_digest() -> bytes:
    """What besides the author's code decides the machine code: versions, processor, our engine."""
    hasher = hashlib.blake2b(digest_size=16)
    for fact in (
        platform.python_version(),
        numba.__version__,
        np.__version__,
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    ):
        hasher.update(fact.encode() + b"\0")
    for package in ("put_cli", "put_cli.rules", "put_cli.engine"):
        for file in sorted(files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith(".py"):
                hasher.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return hasher.digest()


def kernel_digest(name: str) -> str:
    """The digest of a function of the engine itself."""
    return hashlib.blake2b(platform_digest() + name.encode(), digest_size=16).hexdigest()

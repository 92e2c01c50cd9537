"""The compiled sweeps between runs, kept where the compiled strategies are.

A change of the engine, of this package, of Python, Numba or the processor gives another entry.
"""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from put_cli.engine.compiled import Cache, Store, platform_digest
from put_cli.plugins.code_store import DiskStore


@cache
def _digest() -> bytes:
    hasher = hashlib.blake2b(platform_digest(), digest_size=16)
    for file in sorted(files("put_cli.solve").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".py"):
            hasher.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return hasher.digest()


class _BySignature:
    """What Numba asks of a function's cache, with an entry for each signature."""

    cache_path = None

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name

    def _one(self, sig: Any) -> Cache:
        text = f"{self._name} {sig}".encode()
        return Cache(self._store, hashlib.blake2b(_digest() + text, digest_size=16).hexdigest())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return self._one(sig).load_overload(sig, target_context)

    def save_overload(self, sig: Any, result: Any) -> None:
        self._one(sig).save_overload(sig, result)

    def enable(self) -> None:
        """Numba calls it; there is nothing to switch on."""

    disable = flush = enable


def keep(function: Any) -> Any:
    """Keep what Numba compiles of a function; use as a decorator, above `njit`."""
    function._cache = _BySignature(DiskStore(), function.__name__)
    return function

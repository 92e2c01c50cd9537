"""What besides strategies decides the bytes of a part: the program and what it is built on.

Light, because a cluster's scheduler and workers, who only pass on what is played, compare it too.
"""

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

import put_cli


@cache
def software() -> dict[str, str]:
    """Names and versions; of the program also a hash of its source."""
    folder = Path(put_cli.__file__).parent
    hasher = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*.py")):
        hasher.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return {
        "put": put_cli.__version__,
        "the source of put": hasher.hexdigest(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        **{name: version(name) for name in ("numpy", "numba", "pyarrow")},
    }


def other_software(expected: Mapping[str, str]) -> list[str]:
    """Where the software of this machine is not the expected, in words."""
    found = software()
    return [
        f"{name} is {found.get(name)} there and {value} here"
        for name, value in expected.items()
        if found.get(name) != value
    ]

"""A store in an object store: `s3://bucket/path` or `gs://bucket/path`, by way of pyarrow.

An object appears whole or not at all: by one put, or when an upload of several parts is completed.
There is no renaming, and nothing is left half written. Credentials and regions are found as pyarrow
finds them (environment, configuration files, the machine's role), on every machine by itself.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa
from pyarrow import fs

from put_cli.errors import RunError, UsageError, one_line

SCHEMES = ("s3", "gs")

_REFUSALS = (OSError, ValueError, pa.ArrowException)


@cache
def _opened(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES or not rest.partition("?")[0].strip("/"):
        raise UsageError(
            f"expected a path, or a URL such as s3://bucket/runs/1 or gs://bucket/runs/1, got "
            f"{url!r}."
        )
    try:
        system, path = fs.FileSystem.from_uri(url)
    except _REFUSALS as error:
        raise UsageError(f"cannot open {url!r}: {one_line(error)}.") from None
    return system, path.rstrip("/")


@dataclass(frozen=True)
class Bucket:
    """The store at a URL; can be sent, and is opened where it is used.

    Raises:
        UsageError: the URL is none, when the store is first used.
    """

    url: str

    def put(self, name: str, data: pa.Buffer) -> None:
        """As `Store` says."""
        system, path = _opened(self.url)
        try:
            with system.open_output_stream(f"{path}/{name}") as stream:
                stream.write(data)
        except _REFUSALS as error:
            raise RunError(f"cannot write {name} to {self.url}: {one_line(error)}.") from None

    def get(self, name: str) -> bytes | None:
        """As `Store` says."""
        system, path = _opened(self.url)
        try:
            with system.open_input_file(f"{path}/{name}") as file:
                return bytes(file.read())
        except FileNotFoundError:
            return None
        except _REFUSALS as error:
            raise RunError(f"cannot read {name} from {self.url}: {one_line(error)}.") from None

    def names(self, folder: str) -> list[str]:
        """As `Store` says; an object store that cannot be reached is an error here."""
        system, path = _opened(self.url)
        selector = fs.FileSelector(f"{path}/{folder}", allow_not_found=True)
        try:
            found = system.get_file_info(selector)
        except _REFUSALS as error:
            raise RunError(f"cannot list {folder} of {self.url}: {one_line(error)}.") from None
        return sorted(f"{folder}/{each.base_name}" for each in found if each.is_file)

    def remove(self, name: str) -> None:
        """As `Store` says."""
        system, path = _opened(self.url)
        try:
            system.delete_file(f"{path}/{name}")
        except FileNotFoundError:
            pass
        except _REFUSALS as error:
            raise RunError(f"cannot remove {name} from {self.url}: {one_line(error)}.") from None

    def sweep(self, folder: str) -> None:
        """As `Store` says: there is nothing."""

"""Strategy files taken along to a machine that does not have them.

A file is sent as it is and kept there in a folder named after its content, which only its owner
may write to; what lies in it is compared with its name before every use.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from put_cli.errors import SpecError
from put_cli.plugins import discovery, external, spec
from put_cli.plugins.code_store import default_folder
from put_cli.plugins.loaded import Loaded


@dataclass(frozen=True)
class Parcel:
    """A strategy's file, to be sent."""

    path: str
    """As the user named it."""
    package: str
    """What logs call its package: see `discovery.load`."""
    content: bytes

    @property
    def digest(self) -> str:
        """A name for the content."""
        return hashlib.blake2b(self.content, digest_size=16).hexdigest()


def pack(texts: Sequence[str]) -> tuple[Parcel, ...]:
    """The files that the strategies of `texts` come from, which are loaded already.

    Raises:
        SpecError: one is more than a single file, or cannot be read.
    """
    made: dict[str, Parcel] = {}
    for text in texts:
        for member in spec.team(text) if discovery.names_team(text) else [text]:
            named = _file_in(member)
            if named is not None and named not in made:
                made[named] = _parcel(named)
    return tuple(made.values())


def _file_in(text: str) -> str | None:
    """The file that a strategy's text names; None where it names none."""
    return None if external.names_program(text) else discovery.file_named(text)


def _parcel(named: str) -> Parcel:
    path = Path(named).expanduser()
    beside = discovery.imported_beside(path)
    if beside or "+" in named:
        why = f"it imports {', '.join(beside)} from beside it" if beside else "its name has a +"
        raise SpecError(
            f"--ship sends single files, and {named} is none: {why}. "
            "Make a package of it ('put new' shows how) and install that on the workers."
        )
    try:
        return Parcel(named, str(path), path.read_bytes())
    except OSError as error:
        raise SpecError(f"cannot read the strategy file {named!r}: {error.strerror}.") from None


@dataclass(frozen=True)
class Place:
    """Where a file that was named elsewhere lies here."""

    path: str
    package: str
    here: Path


def unpack(parcels: Sequence[Parcel], folder: Path | None = None) -> tuple[Place, ...]:
    """Write what is not there yet, in the user's cache folder unless another is given.

    Raises:
        SpecError: it cannot be written, or somebody else could change it.
    """
    kept = (folder or default_folder()).expanduser() / "shipped"
    return tuple(Place(each.path, each.package, _written(each, kept)) for each in parcels)


def _written(parcel: Parcel, kept: Path) -> Path:
    path = kept / parcel.digest / PurePath(parcel.path).name
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in (kept, path.parent):
            status = each.stat()
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                raise SpecError(f"--ship: others than its owner can write to {str(each)!r}.")
        with contextlib.suppress(FileNotFoundError):
            if path.read_bytes() == parcel.content:
                return path
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(parcel.content)
        os.replace(name, path)
        if hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() != parcel.digest:
            raise SpecError(f"--ship: {str(path)!r} is not what was sent.")
    except OSError as error:
        raise SpecError(f"--ship: cannot write {str(path)!r}: {error.strerror}.") from None
    return path


def load(text: str, places: Sequence[Place], by: discovery.Load) -> Loaded:
    """Load a strategy `by` a function; from where its file lies here, called as it was there."""
    named = _file_in(text)
    place = next((each for each in places if each.path == named), None)
    if named is None or place is None:
        return by(text)
    found = by(text.replace(named, str(place.here), 1))
    file = PurePath(os.path.normpath(named)).with_suffix("")
    return replace(found, text=text, package=place.package, file=file)

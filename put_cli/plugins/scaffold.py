"""Starting a strategy: the files of a new plugin, from templates, and what it may be called."""

import importlib.util
import keyword
import re
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from string import Template

from put_cli.errors import PutError, UsageError
from put_cli.plugins.discovery import installed

_NAME = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*", re.ASCII)
_LONGEST = 40
_TAKEN_CLASSES = frozenset({"Strategy", "Speculator", "View"})
"""Names that the files of strategies import."""

GAMES = {"put": "a strategy", "speculation": "a player of Speculation"}
"""The games a strategy can be for, and what it is then called."""


@dataclass(frozen=True)
class Naming:
    """What the parts of a new strategy called `name` are called.

    Raises:
        UsageError: it cannot be called so; the message says why.
    """

    name: str
    """As users type it: `my-fox`."""
    game: str = "put"
    """Of GAMES."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or len(self.name) > _LONGEST:
            raise UsageError(
                f"expected a name of at most {_LONGEST} lower-case letters and digits, a letter "
                f"first, with single - or _ between, such as fox or old-fox; got {self.name!r}."
            )
        if keyword.iskeyword(self.title) or self.title in _TAKEN_CLASSES:
            raise UsageError(
                f"a strategy cannot be called {self.name!r}: its class would be {self.title}, "
                "which means something else in its file. Choose another name."
            )
        for each in installed():
            if _canonical(each.name) == _canonical(self.name):
                raise UsageError(
                    f"there is a strategy {each.name!r} already, of {each.package} "
                    f"{each.version}. Choose another name."
                )

    @property
    def title(self) -> str:
        """The class: `MyFox`."""
        return "".join(part.capitalize() for part in re.split("[_-]", self.name))

    @property
    def package(self) -> str:
        """What pip calls it, and its folder: `put-my-fox`."""
        return f"put-{_canonical(self.name).removeprefix('put-')}"

    @property
    def module(self) -> str:
        """What Python imports: `put_my_fox`."""
        return self.package.replace("-", "_")

    @property
    def file(self) -> str:
        """The file of a single-file strategy: `my_fox.py`."""
        return f"{_canonical(self.name).replace('-', '_')}.py"

    def fill(self, template: str) -> str:
        """A template's text with the names in it; the game's own where it has one."""
        folder = files("put_cli.plugins") / "templates"
        source = folder / f"{self.game}-{template}.template"
        if not source.is_file():
            source = folder / f"{template}.template"
        return Template(source.read_text(encoding="utf-8")).substitute(
            name=self.name,
            title=self.title,
            package=self.package,
            module=self.module,
            file=self.file,
            what=GAMES[self.game],
        )


def _canonical(name: str) -> str:
    """As pip compares names."""
    return name.lower().replace("_", "-")


def new_package(name: str, folder: Path, game: str = "put") -> list[Path]:
    """Write a plugin package for a strategy into a new folder in `folder`; returns its files.

    `game` is of GAMES.

    Raises:
        UsageError: the name will not do, or the folder is there already; nothing was written.
        PutError: the file system refused.
    """
    naming = Naming(name, game)
    _refuse_installed(naming)
    root = folder / naming.package
    return _write(
        root,
        {
            root / "pyproject.toml": naming.fill("pyproject.toml"),
            root / "README.md": naming.fill("README.md"),
            root / naming.module / "__init__.py": naming.fill("strategy.py"),
            root / "tests" / f"test_{naming.file}": naming.fill("test.py"),
        },
    )


def new_file(name: str, folder: Path, game: str = "put") -> list[Path]:
    """Write a strategy as a single file into `folder`; returns it. `game` is of GAMES.

    Raises:
        UsageError: the name will not do, or the file is there already; nothing was written.
        PutError: the file system refused.
    """
    naming = Naming(name, game)
    path = folder / naming.file
    if path.stem in sys.stdlib_module_names:
        raise UsageError(
            f"{naming.file} would hide Python's own module {path.stem!r}. Choose another name."
        )
    _, _, code = naming.fill("strategy.py").partition("\n")
    return _write(path, {path: naming.fill("single.py") + code})


def _refuse_installed(naming: Naming) -> None:
    """Refuse names that something installed already has."""
    try:
        found = f"the package {naming.package} {version(naming.package)} is installed already"
    except PackageNotFoundError:
        if importlib.util.find_spec(naming.module) is None:
            return
        found = f"there is a module {naming.module} already"
    raise UsageError(f"{found}. Choose another name.")


def _write(target: Path, texts: dict[Path, str]) -> list[Path]:
    if target.exists() or target.is_symlink():
        raise UsageError(
            f"{str(target)!r} is there already, and nothing is ever overwritten. "
            "Choose another name or another folder."
        )
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise PutError(f"cannot write {str(target)!r}: {error.strerror or error}.") from None
    return list(texts)

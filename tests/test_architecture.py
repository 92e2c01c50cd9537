"""Who may import whom: rules <- engine <- plugins <- tournament <- cli, and nothing the other way.

Read from the source, so that an import inside a function counts like any other.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import put_cli
import put_cli.speculation
from put_cli.speculation.play import COMPILED

ROOT = Path(__file__).parents[1]
STRATEGIES = {"strategies", "put_strategies"}
HEAVY = {"dask", "distributed", "matplotlib", "numba", "numpy", "pyarrow", "scipy"}

FORBIDDEN = {
    "rules": ("engine", "plugins", "tournament", "cli", "log", "stats", "report", "solve"),
    "engine": ("plugins", "tournament", "cli", "solve"),
    "plugins": ("tournament", "cli", "solve"),
    "tournament": ("cli", "solve"),
    "log": ("cli",),
    "stats": ("cli",),
    "report": ("cli",),
    "solve": ("cli",),
    "person": ("cli",),
    "speculation": ("cli",),
    "verify": ("cli",),
}
"""Parts of `put_cli`, and the parts they know nothing of."""


def sources(folder: str) -> list[Path]:
    """The Python files of a folder of the project."""
    return sorted((ROOT / folder).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """The full names of all modules, and of all names from them, that a file imports."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def within(name: str, module: str) -> bool:
    """Whether a dotted name is the module or lies in it."""
    return name == module or name.startswith(f"{module}.")


def test_there_are_sources_to_look_at() -> None:
    assert len(sources("put_cli/rules")) > 5
    assert len(sources("put_cli")) > len(sources("put_cli/rules"))


@pytest.mark.parametrize("part", FORBIDDEN)
def test_a_part_imports_nothing_that_is_built_on_it(part: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(f"put_cli/{part}")
        for name in imports(path)
        for other in FORBIDDEN[part]
        if within(name, f"put_cli.{other}")
    ]
    assert wrong == []


def test_the_rules_import_only_the_standard_library_and_the_errors() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("put_cli/rules")
        for name in imports(path)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not within(name, "put_cli.rules")
        and not within(name, "put_cli.errors")
    ]
    assert wrong == []


def test_the_program_never_imports_the_strategies() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("put_cli")
        for name in imports(path)
        if name.partition(".")[0] in STRATEGIES
    ]
    assert wrong == []


def test_strategies_import_only_what_any_plugin_may() -> None:
    public = {"put_cli", *(f"put_cli.{name}" for name in put_cli.__all__)}
    public |= {"put_cli.speculation"}
    public |= {f"put_cli.speculation.{name}" for name in put_cli.speculation.__all__}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("strategies")
        for name in imports(path)
        if name not in public and name.partition(".")[0] not in STRATEGIES | sys.stdlib_module_names
    ]
    assert wrong == []


def test_all_that_decides_the_compiled_code_of_speculation_is_in_its_digest() -> None:
    folder = ROOT / "put_cli" / "speculation"
    inside = {path.stem for path in folder.glob("*.py")}
    for name in set(COMPILED) - {"scripted"}:
        for module in imports(folder / f"{name}.py"):
            part = module.removeprefix("put_cli.speculation.").partition(".")[0]
            assert part not in inside or part in COMPILED, f"{name} imports {part}"


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    drawers = {"util", "utils", "utilities", "helper", "helpers", "common", "misc"}
    for folder in ("put_cli", "strategies", "tests"):
        for path in sources(folder):
            assert drawers.isdisjoint(part.strip("_") for part in path.with_suffix("").parts)


def test_help_starts_without_the_heavy_libraries() -> None:
    program = (
        "import sys\n"
        "from put_cli.cli.main import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit as done:\n"
        "    assert not done.code\n"
        f"print('loaded:', *sorted({HEAVY!r} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert "tournament" in done.stdout
    assert done.stdout.splitlines()[-1].strip() == "loaded:"


def test_every_package_is_installed() -> None:
    """A package that pyproject.toml forgets works in a clone and nowhere else."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    there = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "put_cli").rglob("__init__.py")
    }
    assert {*project["tool"]["setuptools"]["packages"]} == there | {"put_strategies"}

"""The tutorial does what it says: its files are written, its commands run, its output compared.

`PUT_UPDATE_DOCS=1 pytest tests/docs` writes what the commands print into the page.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from put_cli.strategy import HandRecord, Match, View

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-strategy.md"
UPDATE = "PUT_UPDATE_DOCS"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\w+\.py)\n")
_VARIES = re.compile(r"hands a second|passed in")


def python_blocks() -> list[str]:
    """The Python of the page, in order."""
    return [text for kind, text in _BLOCK.findall(PAGE.read_text("utf-8")) if kind == "python"]


def table(heading: str) -> list[tuple[str, str, str]]:
    """The rows of the first table after some words: name, type, meaning."""
    after = PAGE.read_text(encoding="utf-8").partition(heading)[2].partition("|---|")[2]
    rows = [line for line in after.partition("\n\n")[0].splitlines() if line.startswith("| `")]
    return [
        (name.strip("` "), kind.strip("` "), meaning.strip())
        for _, name, kind, meaning, _ in (line.split("|") for line in rows)
    ]


@pytest.mark.parametrize(
    ("heading", "kind"),
    [("## What a strategy sees", View), ("`Match` tells:", Match), ("`HandRecord` is", HandRecord)],
)
def test_no_field_is_missing(heading: str, kind: type) -> None:
    rows = table(heading)
    names = [name for name, _, _ in rows]
    assert names == list(kind.__annotations__)
    for name, typed, meaning in rows:
        hint = kind.__annotations__[name]
        assert typed == (hint.__name__ if isinstance(hint, type) and hint in BASIC else str(hint))
        assert len(meaning) > 5, name


BASIC = (int, float, bool, str)


def shell(command: str, folder: Path) -> str:
    """What a command prints, as a reader sees it."""
    programs = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
    }
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def steady(text: str) -> list[str]:
    """The lines, without the numbers that differ from machine to machine."""
    return [
        re.sub(r" *[\d,.]+", " N", line) if _VARIES.search(line) else line
        for line in text.splitlines()
    ]


@pytest.mark.long
def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    updated, start, run = "", 0, 0
    for match in _BLOCK.finditer(page):
        kind, text = match.groups()
        file = _FILE.match(text)
        if kind == "python" and file:
            (tmp_path / file[1]).write_text(text[file.end() :], encoding="utf-8")
        if kind != "console":
            continue
        command, _, expected = text.partition("\n")
        assert command.startswith("$ ")
        printed = shell(command[2:], tmp_path)
        run += 1
        if not os.environ.get(UPDATE):
            assert steady(printed) == steady(expected), command
        updated += f"{page[start : match.start(2)]}{command}\n{printed}"
        start = match.end(2)
    assert run > 8
    if os.environ.get(UPDATE):
        PAGE.write_text(updated + page[start:], encoding="utf-8")


def test_the_first_file_is_quoted_as_it_is_written(tmp_path: Path) -> None:
    from put_cli.plugins.scaffold import new_file

    (path,) = new_file("fox", tmp_path)
    written = path.read_text(encoding="utf-8")
    quoted = next(text for text in python_blocks() if "class Fox" in text)
    for line in quoted.splitlines():
        assert line in written or line.strip().startswith('"""Puts and sees'), line


def test_python_on_the_page_is_python() -> None:
    for text in python_blocks():
        compile(text, str(PAGE), "exec")

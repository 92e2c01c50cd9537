"""Every command that the help and the documents show can be given as it stands there.

What they name (runs, files) need not be there; options, values, strategies and hands must be right.
"""

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest

from put_cli.cli.main import put as program
from put_cli.plugins.discovery import installed, load
from put_cli.rules.finding import find_ruleset
from put_cli.speculation.rules import find
from tests.cli.conftest import Put

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL = {"|", "||", "&&", ">", ">>", ";", "&", "<", "\\"}
"""Where a command of ours ends."""

WITHIN = click.Context(program, info_name="put")


def commands(text: str) -> Iterator[tuple[str, ...]]:
    """The commands in a text: lines of their own, behind `$` or in inline code, without what the
    shell does and what is said of them beside."""
    text = re.sub(r"\\\n\s*", " ", text)
    lines = re.findall(r"^(?:    |  )?(?:\$ )?(?:\w+=\S+ )*put ([a-z].*)$", text, re.MULTILINE)
    lines += re.findall(r"`put ([a-z][^`]*)`", text)
    for line in lines:
        try:
            words = shlex.split(re.split(r"\s{2,}", line)[0], comments=True)
        except ValueError:
            continue  # a sentence that begins with the word
        end = next((n for n, word in enumerate(words) if word in SHELL), len(words))
        yield tuple(words[:end])


def of_help() -> Iterator[tuple[str, tuple[str, ...]]]:
    for name in program.list_commands(WITHIN):
        command = program.get_command(WITHIN, name)
        assert command is not None
        for words in commands(f"{command.help}\n{command.epilog}"):
            yield f"put {name} --help", words


def of_pages() -> Iterator[tuple[str, tuple[str, ...]]]:
    for page in PAGES:
        fenced = page.read_text(encoding="utf-8")
        for words in commands(fenced):
            yield page.name, words


def wrong(command: click.Command, words: tuple[str, ...]) -> str:
    """Why a command cannot be given so; nothing where the reader has the file that is missing, or
    the text only mentions it."""
    try:
        command.make_context(words[0], list(words[1:]), parent=WITHIN)
    except click.MissingParameter:
        return ""
    except (click.BadOptionUsage, click.BadParameter) as error:
        mentioned = "requires an argument" in error.message
        return "" if mentioned or "does not exist" in error.message else error.format_message()
    except click.exceptions.Exit:
        return ""  # --help
    return ""


SHOWN = sorted({*of_help(), *of_pages()})
KNOWN = {each.name for each in installed()}


def test_there_are_commands_shown() -> None:
    assert len(SHOWN) > 150
    names = {words[0] for _, words in SHOWN}
    assert names >= set(program.list_commands(WITHIN))


@pytest.mark.parametrize(
    ("where", "words"), SHOWN, ids=[f"{where}: {' '.join(words)}" for where, words in SHOWN]
)
def test_it_can_be_given(where: str, words: tuple[str, ...]) -> None:
    name, *arguments = words
    command = program.get_command(WITHIN, name)
    assert command is not None, f"no command {name!r}"
    assert wrong(command, words) == ""
    for word in arguments:
        target = word.partition("(")[0]
        if "(" in word and target in KNOWN and "policy=" not in word:
            load(word)
    for option, value in pairwise(arguments):
        if option == "--rules" and not value.endswith(".toml") and value.isascii():
            assert find(value) or find_ruleset(value)


@pytest.mark.parametrize(
    "words",
    [words for _, words in SHOWN if words[0] in ("judge", "advise") and len(words) > 1],
    ids=" ".join,
)
def test_a_hand_that_is_shown_is_legal(put: Put, words: tuple[str, ...]) -> None:
    if any(word.endswith((".policy", ".py", ".txt", ".toml")) for word in words):
        pytest.skip("needs a file that the reader has")
    done = put(*words)
    assert done.code == 0, done.err

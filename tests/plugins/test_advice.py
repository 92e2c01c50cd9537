"""What keeps a strategy from being compiled is named by line, and the advice is itself compiled."""

import importlib.util
import sys
import textwrap
from pathlib import Path

import pytest

from put_cli import Strategy
from put_cli.engine.compiled import NoStore
from put_cli.engine.native import NotNative, compile_method
from put_cli.plugins.advice import advise, obstacles
from put_cli.plugins.contract import advice_for
from put_cli.plugins.discovery import load

HEAD = """
import functools, itertools, math, random, statistics, time
from collections import Counter, namedtuple
from dataclasses import dataclass
import numpy as np
from put_cli import PUT, SEE, THROW, Strategy, View

TABLE = {1: 2}
LEVELS = [3, 6, 9]
NAMES = {"a"}
LADDER = (0, 3, 6, 9)
PAIR = namedtuple("PAIR", "a b")

@dataclass(frozen=True)
class Point:
    a: int = 1

def deeper(number):
    return 1 if number <= 0 else deeper(number - 1)

@functools.cache
def cached(number):
    return number + 1

def plain(number):
    return number + 1

def named(**words):
    return 1

class Own(Strategy):
    table = {1: 2}
    ladder = (0, 3, 6, 9)

    def act(self, view: View) -> int:
"""


def strategy_of(folder: Path, body: str) -> Strategy:
    """A strategy whose `act` is `body`, read from a file as a user's would be."""
    path = folder / "own.py"
    path.write_text(HEAD.lstrip() + textwrap.indent(body, " " * 8) + "\n")
    return strategy_at(path, f"advice_{abs(hash(body))}")


def strategy_at(path: Path, name: str) -> Strategy:
    """The strategy of a file, imported under a name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own: Strategy = module.Own()
    return own


# What is refused; a part of the advice; what the advice makes of it.
REFUSED = [
    ("return max(c for c in view.cards)", "max([...])", "return max([c for c in view.cards])"),
    ("return sum(1 for c in view.cards)", "sum([...])", "return sum([1 for c in view.cards])"),
    (
        "return SEE if any(c > 9 for c in view.cards) else THROW",
        "len([card for card in view.cards if card > 9]) > 0",
        "return SEE if len([card for card in view.cards if card > 9]) > 0 else THROW",
    ),
    (
        "return SEE if all([c > 9 for c in view.cards]) else THROW",
        "== 3",
        "return SEE if len([card for card in view.cards if card > 9]) == 3 else THROW",
    ),
    ("return next(c for c in view.cards if c)", "write a loop", ""),
    (
        "return max(view.cards, key=lambda c: -c)",
        "sorted(..., key=...)[0]",
        "return sorted(view.cards, key=lambda c: -c)[0]",
    ),
    (
        "return max([c for c in view.cards if c > 20], default=0)",
        "max([0] + [...])",
        "return max([0] + [c for c in view.cards if c > 20])",
    ),
    (
        "return view.cards.count(0)",
        "list(view.cards).count(0)",
        "return list(view.cards).count(0)",
    ),
    ("return view._replace(led=3).led", "_replace", ""),
    ("return TABLE[view.trick]", "TABLE is a dict", "return LADDER[view.trick]"),
    ("return LEVELS[view.trick - 1]", "LEVELS is a list", "return LADDER[view.trick]"),
    ("return SEE if 'a' in NAMES else THROW", "NAMES is a set", ""),
    ("return self.table[view.trick]", "self.table is a dict", "return self.ladder[view.trick]"),
    ("self.seen = 1\nreturn 1", "keeps nothing", ""),
    ("global TABLE\nTABLE = {}\nreturn 1", "keeps nothing", ""),
    ("return 1 if random.random() < 0.5 else 2", "view.luck", "return 1 if view.luck < 0.5 else 2"),
    ("return 1 if time.time() < 0.5 else 2", "view.luck", ""),
    ("return 1 if np.random.rand() < 0.5 else 2", "view.luck", ""),
    ("return len(list(itertools.combinations(view.cards, 2)))", "itertools is not compiled", ""),
    ("return int(statistics.mean(view.cards))", "statistics is not compiled", ""),
    ("return Counter(view.cards)[0]", "Counter is not compiled", ""),
    ("return math.comb(5, 2)", "math.comb is not compiled", ""),
    ("return cached(view.led)", "cached has a cache", "return plain(view.led)"),
    ("return Point(1).a", "Point is a class of its own", "return PAIR(1, 2).a"),
    ("return super().act(view)", "super is not compiled", ""),
    (
        "for c in reversed(view.cards):\n    return c\nreturn 1",
        "view.cards[::-1]",
        "for c in view.cards[::-1]:\n    return c\nreturn 1",
    ),
    (
        "for a, b in zip(view.cards, view.played, strict=True):\n    return a + b\nreturn 1",
        "leave it out",
        "for a, b in zip(view.cards, view.played):\n    return a + b\nreturn 1",
    ),
    (
        "name = 'led' if view.luck < 0.5 else 'top'\nreturn getattr(view, name)",
        "fixed name",
        "return getattr(view, 'led')",
    ),
    ("return deeper(view.led)", "may not call itself", ""),
    ("return sum(map(int, view.cards))", "sum([...])", "return sum([int(c) for c in view.cards])"),
    (
        "return len({c for c in view.cards})",
        "set([... for card in view.cards])",
        "return len(set([c for c in view.cards]))",
    ),
    ("return len('%d' % view.led)", 'f"..."', "return len(f'{view.led}')"),
    (
        "try:\n    return 9 // view.led\nexcept ZeroDivisionError:\n    return 1",
        "except Exception",
        "try:\n    return 9 // view.led\nexcept Exception:\n    return 1",
    ),
    ("with open('x') as file:\n    return 1", "with is not compiled", ""),
    (
        "first, *rest = view.cards\nreturn first",
        "rest = cards[1:]",
        "first = view.cards[0]\nrest = view.cards[1:]\nreturn first + rest[0]",
    ),
    (
        "return view.cards[: view.trick][0]",
        "list(view.cards)[:n]",
        "return list(view.cards)[: view.trick][0]",
    ),
    (
        "if (card := view.led) > 3:\n    return card\nreturn 1",
        "line of its own",
        "card = view.led\nif card > 3:\n    return card\nreturn 1",
    ),
    (
        "match (view.trick, view.asked):\n    case (1, True):\n        return SEE\nreturn 1",
        "use if",
        "match view.trick:\n    case 1:\n        return SEE\nreturn 1",
    ),
    ("card = 1\ndel card\nreturn 1", "leave it out", ""),
    ("import math\nreturn int(math.sqrt(view.led))", "top of the file", ""),
    ("return named(a=1)", "name the parameters", ""),
    ("return list(view)[0][0]", "name the fields", ""),
    (
        "card = None\nif view.led > 3:\n    card = view.led\nreturn card or 1",
        "no card is 0",
        "card = 0\nif view.led > 3:\n    card = view.led\nreturn card or 1",
    ),
    ("if view.asked:\n    return SEE\nreturn None", "return a card, PUT, SEE or THROW", ""),
]


@pytest.mark.long
@pytest.mark.parametrize(("body", "says", "instead"), REFUSED, ids=lambda text: text[:40])
def test_what_is_refused_is_named_and_what_is_advised_is_compiled(
    tmp_path: Path, body: str, says: str, instead: str
) -> None:
    strategy = strategy_of(tmp_path, body)
    with pytest.raises(NotNative) as refused:
        compile_method(strategy, NoStore())
    lines = advise(strategy, refused.value)
    assert lines[0] == "It is not compiled. What stands in the way:"
    assert any(says in line for line in lines[1:]), lines
    if instead:
        better = strategy_of(tmp_path, instead)
        assert obstacles(better) == []
        compile_method(better, NoStore())


def test_the_line_and_the_code_are_named(tmp_path: Path) -> None:
    (found,) = obstacles(strategy_of(tmp_path, "card = view.led\nreturn TABLE[card]"))
    number = HEAD.lstrip().count("\n") + 2
    assert (found.line, found.code) == (number, "return TABLE[card]")
    assert found.text().startswith(f"own.py:{number}: return TABLE[card]  -> TABLE is a dict")


def test_helpers_are_searched_however_deep(tmp_path: Path) -> None:
    (found,) = obstacles(strategy_of(tmp_path, "return deeper(view.led)"))
    assert found.code == "return 1 if number <= 0 else deeper(number - 1)"


def test_what_act_does_not_call_is_no_obstacle(tmp_path: Path) -> None:
    strategy_of(tmp_path, "return view.lowest")
    path = tmp_path / "own.py"
    path.write_text(
        path.read_text(encoding="utf-8")
        + "\n    def act_batch(self, views):\n        return [deeper(n) for n in LEVELS]\n"
    )
    assert obstacles(strategy_at(path, "advice_batch")) == []


def test_without_a_known_obstacle_the_compiler_has_the_word_and_its_line(tmp_path: Path) -> None:
    strategy = strategy_of(tmp_path, "return int('3')")
    with pytest.raises(NotNative) as refused:
        compile_method(strategy, NoStore())
    (line,) = advise(strategy, refused.value)
    assert line.startswith("It is not compiled: No implementation of function")
    assert f"own.py:{HEAD.lstrip().count(chr(10)) + 1}" in line


def test_what_is_asked_before_the_tricks_is_advised_on_too(tmp_path: Path) -> None:
    path = tmp_path / "giver.py"
    path.write_text(
        """
from put_cli import GIVE, RECEIVE, SEE, Strategy, View

GOOD = {1: 9}

class Giver(Strategy):
    plays = ("four-handed",)

    def act(self, view: View) -> int:
        return SEE if view.asked else view.highest

    def gift(self, view: View) -> int:
        return RECEIVE if self.good(view) else GIVE

    def good(self, view: View) -> bool:
        return view.cards[1] > GOOD[1]
"""
    )
    lines = advice_for(load(str(path)).strategy)
    assert lines[0] == "gift, asked before the tricks, is not compiled. What stands in the way:"
    assert lines[1].startswith("giver.py:16: return view.cards[1] > GOOD[1]  -> GOOD is a dict")

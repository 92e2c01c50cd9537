"""Programs as players: what they are sent, what becomes of what they answer, and how they end."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from put_cli.engine.asking import Fault
from put_cli.engine.lanes import FAULT_KINDS
from put_cli.engine.watch import Watch
from put_cli.errors import SpecError
from put_cli.log import forfeits, manifest
from put_cli.plugins import discovery, external, wire
from put_cli.plugins.outside import Outside
from put_cli.plugins.remote import Client
from put_cli.plugins.situations import situations, view_at
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import PUT, SEE, THROW, View
from tests.plugins.test_hostile import rows
from tests.tournament.runs import parts, play_run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

BOT = Path(__file__).parents[2] / "examples" / "external" / "bot.js"

PROGRAM = """#!{python}
import json, os, sys, time
fields, seen = [], 0

def legal(view):
    if view["asked"]:
        return 102
    return view["lowest"] if view["may_play"] else 103

for text in sys.stdin:
    line = json.loads(text)
    answer = {{"type": "ready"}}
    if line["type"] == "hello":
        answer = {{"type": "hello", "protocol": 1, "version": "7"}}
        {hello}
    elif line["type"] == "rules":
        fields = line["fields"]
    elif line["type"] == "decide":
        views = [dict(zip(fields, row)) for row in line["views"]]
        actions = [legal(view) for view in views]
        seen += len(actions)
        answer = {{"type": "actions", "actions": actions}}
        {decide}
    print(json.dumps(answer), flush=True)
"""


def program(folder: Path, decide: str = "pass", hello: str = "pass", name: str = "bot") -> str:
    """A program that lays its lowest card, with a twist; its text as a strategy."""
    path = folder / name
    path.write_text(PROGRAM.format(python=sys.executable, decide=decide, hello=hello))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"exec({path})"


def client_of(text: str, seconds: float = 1.0, rules: str = "cotton") -> Client:
    """A running client of a program."""
    strategy = discovery.load(text).strategy
    assert isinstance(strategy, Outside)
    client = strategy.connect("it")
    client.open(find_ruleset(rules), Watch(seconds))
    return client


def views(count: int = 3) -> list[View]:
    return [view_at("E 3 9 4 | D A 8 6 |")] * (count - 1) + [view_at("E 7 9 4 | D A 8 6 | E:put")]


def asked(client: Client, count: int = 3) -> tuple[list[int], dict[int, Fault]]:
    client.ask("act", [0] * count, views(count))
    actions, faults = client.answers()
    client.close()
    return actions.tolist(), faults


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example in C, compiled without a warning."""
    made = tmp_path_factory.mktemp("c") / "bot"
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([str(COMPILER), *flags, "-o", made, BOT.with_suffix(".c")], check=True)
    return made


def counting(view: View, level: int) -> int:
    """What both examples do, as they say it: they count their good cards."""
    good = sum(card > view.top - level for card in view.cards)
    strong = good + view.my_tricks - view.their_tricks >= 2
    if view.asked:
        return SEE if strong else THROW
    if view.may_put and strong:
        return PUT
    if not view.may_play:
        return THROW
    return view.cheapest_winner or view.lowest


# The wire.


@pytest.mark.parametrize("rules", ["cotton", "hoyle", "three-handed", "four-handed(misdeals=0.5)"])
@pytest.mark.parametrize("memory", [False, True])
def test_a_view_arrives_as_it_was_sent(rules: str, memory: bool) -> None:
    made = find_ruleset(rules)
    sent = [each.view for each in situations(made, samples=1, memory=memory)]
    fields = wire.fields_of(made, memory=memory)
    rows = json.loads(wire.line("x", views=wire.packer(fields)(sent)))["views"]
    arrived = wire.unpacker(fields)(rows)
    assert arrived == sent
    assert repr(arrived) == repr(sent)  # to the type


def test_what_is_sent_holds_neither_seed_nor_anybody_elses_cards(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    text = program(tmp_path, decide=f"open({str(heard)!r}, 'a').write(text)")
    play_run(tmp_path / "run", text, "random", games=10, seed=987654321)
    told = heard.read_text()
    assert "987654321" not in told
    fields = wire.fields_of(find_ruleset("cotton"), memory=False)
    for line in map(json.loads, told.splitlines()):
        assert line.keys() == {"type", "method", "views"}
        for row in line["views"]:
            view = dict(zip(fields, row, strict=True))
            # Of the opponent no card but those on the table.
            shown = [card for card in view["their_played"] if card]
            assert len(shown) <= view["trick"]


# What a run makes of a program.


def test_a_program_plays_and_the_manifest_says_which_it_was(tmp_path: Path) -> None:
    text = program(tmp_path)
    finished = play_run(tmp_path / "run", text, "random", games=20, workers=2)
    assert finished.faults == 0
    described, _ = manifest.read(tmp_path / "run").strategies
    assert described["name"] == text
    assert described["parameters"] == {"command": [str(tmp_path / "bot")]}
    assert described["version"] == "7"
    before = described["source"]
    (tmp_path / "bot").write_text((tmp_path / "bot").read_text() + "# changed\n")
    external.load.cache_clear()
    assert external.load(text).source != before


REFUSED = {
    "exec()": "expected a program as exec",
    "exec(./bot": "expected a program as exec",
    "exec('bot)": "expected a program as exec",
    "exec(no-such-program --fast)": "there is no program 'no-such-program' that can be run",
    "exec(true)": "it ended its process",
    "exec(cat)": "it only repeats the line it is sent, and a player answers with",
    "exec(echo hi)": "it answered 'hi', which is no line of the protocol",
    "exec(sh -c 'echo why >&2; exit 3')": "exit code 3.*It printed: why",
    'exec(echo \'{"type":"hello","protocol":9}\')': "speaks protocol 9 and not 1",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_player_is_refused_before_anything_is_written(tmp_path: Path, text: str) -> None:
    with pytest.raises(SpecError, match=REFUSED[text]):
        play_run(tmp_path / "run", text, "random")
    assert not (tmp_path / "run").exists()


def test_a_program_is_refused_where_it_says_it_does_not_play(tmp_path: Path) -> None:
    text = program(tmp_path, hello='answer["plays"] = ["hoyle"]')
    with pytest.raises(SpecError, match="does not play cotton: it says it plays hoyle"):
        play_run(tmp_path / "run", text, "random")
    assert play_run(tmp_path / "run", text, "random", rules="hoyle", games=4).faults == 0


def test_what_it_writes_to_standard_error_goes_to_the_log_of_the_run_and_is_capped(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = program(tmp_path, decide='sys.stderr.write("spam " * 9000); sys.stderr.flush()')
    play_run(tmp_path / "run", text, "random", games=10)
    told = (tmp_path / "run" / "run.log").read_text()
    assert f"{text} prints: spam spam" in told
    assert "bytes more" in told
    assert len(told) < 10_000
    assert capfd.readouterr() == ("", "")


# Its answers, and its end.


@pytest.mark.parametrize(
    ("decide", "position", "reason"),
    [
        ("actions[1] = None", 1, "returned None, which is not an action"),
        ("actions[0] = 3.7", 0, "returned 3.7, which is not an action"),
        ("actions[2] = 'put'", 2, "returned 'put', which is not an action"),
        ("actions[1] = -1", 1, "returned -1 where PUT or a card of"),
        ('answer["faults"] = {"1": "no idea"}', 1, "no idea"),
    ],
)
def test_a_wrong_action_is_the_fault_of_that_decision(
    tmp_path: Path, decide: str, position: int, reason: str
) -> None:
    actions, faults = asked(client_of(program(tmp_path, decide)))
    assert list(faults) == [position]
    assert faults[position].reason.startswith(reason)
    assert not faults[position].once
    for other in {0, 1, 2} - {position}:
        assert actions[other] in (SEE, 2, 1, views()[other].lowest)


BROKEN = {
    "print('debug', flush=True)": ("died", "answered 'debug', which is no line of the protocol"),
    "actions.pop()": ("died", "answered .* where 1 actions were asked for"),
    "sys.exit(4)": ("died", "ended its process \\(exit code 4\\)"),
    "os.kill(os.getpid(), 11)": ("died", "ended its process by SIGSEGV"),
    "bytearray(10**9)": ("died", "ended its process \\(exit code 1\\)"),
    "time.sleep(60)": ("slow", "took too long where it could not be interrupted"),
}


@pytest.mark.parametrize("deed", BROKEN)
def test_the_decision_it_breaks_down_at_is_found_and_the_others_count(
    tmp_path: Path, deed: str
) -> None:
    if "bytearray" in deed and sys.platform != "linux":
        pytest.skip("memory is limited on Linux")
    kind, reason = BROKEN[deed]
    text = program(tmp_path, f"if any(view['asked'] for view in views): {deed}")
    external.load.cache_clear()
    strategy = external.load(text, 300).strategy
    assert isinstance(strategy, Outside)
    client = strategy.connect("it")
    client.open(find_ruleset("cotton"), Watch(0.1))
    actions, faults = asked(client)
    assert list(faults) == [2]
    assert faults[2].once
    assert FAULT_KINDS[faults[2].kind] == kind
    assert re.fullmatch(reason, faults[2].reason)
    assert actions[:2] == [views()[0].lowest] * 2


def test_a_program_that_always_breaks_down_is_not_started_for_ever(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    text = program(tmp_path, "sys.exit(1)", f"open({str(begun)!r}, 'a').write('x')")
    _, faults = asked(client_of(text), 50)
    assert len(faults) == 50
    assert faults[49].reason == "ended its process in 3 other matches"
    assert len(begun.read_text()) < 8


def test_a_death_that_is_no_decisions_doing_costs_nothing(tmp_path: Path) -> None:
    once = tmp_path / "once"
    lives = f"os.path.exists({str(once)!r})"
    text = program(tmp_path, f"if seen > 60 and not {lives}: open({str(once)!r}, 'w'); sys.exit(1)")
    finished = play_run(tmp_path / "run", text, "random", games=40)
    # It died once, and was asked again: that is no fault of any decision.
    assert finished.faults == 0
    assert not (tmp_path / "run" / forfeits.NAME).exists()
    once.unlink()
    play_run(tmp_path / "again", text, "random", games=40, workers=2)
    assert parts(tmp_path / "run") == parts(tmp_path / "again")


def test_no_process_is_left_when_a_run_is_over(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = program(tmp_path, hello=f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')")
    play_run(tmp_path / "run", text, "random", games=10, workers=2)
    left = {int(pid) for pid in pids.read_text().split()}
    end = time.monotonic() + 10
    while left and time.monotonic() < end:
        left = {pid for pid in left if Path(f"/proc/{pid}").exists()}
        time.sleep(0.05)
    assert not left


@pytest.mark.skipif(not COMPILER, reason="no C compiler is installed")
@pytest.mark.parametrize("rules", ["cotton", "hoyle", "truc"])
def test_the_example_in_c_plays_what_the_one_in_javascript_plays(
    in_c: Path, tmp_path: Path, rules: str
) -> None:
    views = [each.view for each in situations(find_ruleset(rules), samples=2)]
    client = client_of(f"exec({in_c} --level 2)", rules=rules)
    client.ask("act", [0] * len(views), views)
    actions, faults = client.answers()
    client.close()
    assert not faults
    assert actions.tolist() == [counting(view, 2) for view in views]


@pytest.mark.skipif(not COMPILER, reason="no C compiler is installed")
def test_the_example_in_c_plays_a_match_without_a_fault(in_c: Path, tmp_path: Path) -> None:
    finished = play_run(tmp_path / "run", f"exec({in_c})", "random", games=30)
    assert finished.faults == 0
    with pytest.raises(SpecError, match="does not play three-handed: it says it plays cotton"):
        play_run(tmp_path / "more", f"exec({in_c})", "random", "bold", rules="three-handed")


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize("rules", ["cotton", "three-handed", "four-handed(misdeals=0.2)"])
def test_the_example_in_javascript_plays_everything(tmp_path: Path, rules: str) -> None:
    field: list[Any] = [f"exec(node {BOT} --level {level})" for level in (2, 3)]
    finished = play_run(tmp_path / "run", *field, "random", rules=rules, games=30)
    assert finished.faults == 0
    assert rows(tmp_path / "run", "games")

"""`put play`: answers line by line, and a whole match at a terminal."""

import json
import re
import shutil
from pathlib import Path

import pytest

from put_cli.cli.play import is_compiled
from put_cli.engine.compiled import kernel_digest
from put_cli.log import manifest
from put_cli.plugins.code_store import DiskStore
from put_cli.rules.finding import find_ruleset
from put_cli.tournament.finding import find_game
from tests.cli.conftest import Put
from tests.cli.sittings import STYLE, Sitting

pytestmark = pytest.mark.usefixtures("at_a_table")

ANYTHING = "p\ns\nput\nthrow\n3\n2\na\nk\nQ\nj\n10\n9\n8\n7\n6\n5\n4\n"
"""Whatever is asked, something in here answers it."""


def test_a_script_plays_a_match_and_every_reader_of_runs_reads_it(put: Put) -> None:
    options = ("--against", "timid(ranks=3)", "--games", "2", "--seed", "4", "--out", "evening")
    result = put("play", *options, stdin="\n" + ANYTHING * 60)
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= 80
    assert "\x1b" not in result.out
    assert result.out.startswith("cotton to 5 against timid(ranks=3), 2 games, seed 4.")
    won = re.search(r"Games won: you (\d), timid\(ranks=3\) (\d)\.", result.out)
    assert won
    assert int(won[1]) + int(won[2]) == 2
    assert result.out.endswith("To hear it again: put replay evening --game 0/0/0/1\n")

    assert "human" in put("standings", "evening").out
    for game in (0, 1):
        told = put("replay", "evening", "--game", f"human v timid(ranks=3)/0/0/{game}").out
        assert "wins" in told.splitlines()[-1]
        assert "the log" not in told  # breaks no rule, contradicts no referee
    wins = {
        each["name"]: each["wins"]
        for each in json.loads(put("standings", "evening", "--json").out)["standings"]
    }
    assert wins == {"human": int(won[1]), "timid(ranks=3)": int(won[2])}


def test_the_same_seed_and_answers_are_the_same_match(put: Put) -> None:
    results = [
        put("play", "--seed", "9", "--out", out, stdin=ANYTHING * 30).out.replace(out, "run")
        for out in ("one", "two")
    ]
    assert results[0] == results[1]
    hands = [Path(out, "hands/part-000000.parquet").read_bytes() for out in ("one", "two")]
    assert hands[0] == hands[1]


@pytest.mark.parametrize("end", ["q\n", "quit\nk\n", ""])
def test_leaving_is_no_failure_and_keeps_what_was_played(put: Put, end: str) -> None:
    ranks = "".join(f"{rank}\n" for rank in "32AKQJT987654")
    result = put("play", "--against", "thrifty", "--seed", "2", stdin=ranks * 3 + end)
    assert (result.code, result.err) == (0, "")
    assert "You leave: the game under way is lost by forfeit." in result.out
    game, hands = find_game(manifest.read(Path("runs/latest").resolve()), 0, 0, 0, 0)
    assert (game["how"], game["fault_reason"]) == ("forfeit", "left the table")
    assert len(hands) > 1
    assert put("replay").code == 0


def test_of_one_who_leaves_at_once_nothing_is_kept_and_the_latest_run_stays(put: Put) -> None:
    assert put("match", "bold", "odds", "--games", "2", "--tier", "interpreted").code == 0
    before = sorted(Path("runs").iterdir()), Path("runs/latest").resolve()
    result = put("play", stdin="")
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("You leave before anything is played: nothing is kept.\n")
    assert (sorted(Path("runs").iterdir()), Path("runs/latest").resolve()) == before


def test_a_question_mark_tells_what_may_be_done_and_what_it_means(put: Put) -> None:
    out = put("play", "--seed", "7", "--rules", "hoyle", stdin="?\nrules\n").out
    [cards] = {*re.findall(r"\[(.*)\] trick 1", out)}
    for rank in cards.split():
        assert re.search(rf"\n    {rank}       you (lead {rank}|reply with {rank}, )", out)
    assert "    put     you put: the game if seen, 1 point if not\n" in out
    assert "    throw   you throw unasked: 1 point to odds\n" in out
    assert "After trick 1, unless a put has been seen, eldest must put or throw" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--against", "bodl"), "there is no strategy 'bodl'. Did you mean 'bold'?"),
        (("--rules", "cottn"), "there is no rule set 'cottn'"),
        (("--games", "0"), "--games"),
        (("--seed", "-1"), "--seed: expected a number from 0"),
        (("--out", "."), "already holds files"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(
    put: Put, arguments: tuple[str, ...], says: str
) -> None:
    Path("file").write_text("")
    result = put("play", *arguments)
    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert result.err.count("\n") == 1


def test_an_opponent_that_fails_is_named_and_the_exit_code_is_3(put: Put) -> None:
    Path("broken.py").write_text(
        "from put_cli import Strategy\n\n\nclass Broken(Strategy):\n"
        "    def act(self, view):\n        raise ValueError('no idea')\n"
    )
    result = put("play", "--against", "broken.py", stdin=ANYTHING * 9)
    assert result.code == 3
    assert "broken has failed and forfeits. You win the game.\n" in result.out
    assert "A fault: broken raised ValueError: no idea\n" in result.out


def test_games_that_nobody_plays_after_the_third_fault_are_told_of(put: Put) -> None:
    Path("broken.py").write_text(
        "from put_cli import Strategy\n\n\nclass Broken(Strategy):\n"
        "    def act(self, view):\n        raise ValueError('no idea')\n"
    )
    result = put("play", "--against", "broken.py", "--games", "5", stdin=ANYTHING * 9)
    assert result.code == 3
    told = "broken forfeits the rest of the match: 2 games that nobody plays count as yours."
    assert told in " ".join(result.out.split())
    assert "Games won: you 5, broken 0." in result.out
    assert "--game 0/0/0/2" in result.out


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_a_program_sits_at_the_table_like_anybody_else(put: Put) -> None:
    bot = Path(__file__).parents[2] / "examples" / "external" / "bot.js"
    result = put("play", "--against", f"exec(node {bot})", "--seed", "1", stdin=ANYTHING * 9)
    assert result.code == 0
    assert "Games won: you" in result.out


def test_whether_the_engine_must_be_compiled_first_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUT_CACHE_DIR", str(tmp_path / "cache"))
    rules = find_ruleset("cotton")
    assert not is_compiled(rules)
    DiskStore().save(kernel_digest("advance two False"), b"code")
    assert is_compiled(rules)
    assert not is_compiled(find_ruleset("three-handed"))


# At a terminal of its own.


@pytest.mark.long
def test_a_match_is_played_at_a_terminal_from_the_first_card_to_the_score(
    sittings: list[Sitting], put: Put
) -> None:
    sitting = Sitting("--against", "timid", "--games", "2", "--seed", "6", "--out", "run")
    sittings.append(sitting)
    turns = 0
    while turns < 200 and (prompt := sitting.prompted()):
        cards, offered = prompt[1].split(), prompt[2]
        if turns == 0:
            sitting.type("?\n")
        elif turns == 1:
            sitting.type("nonsense\n")
        elif "see" in offered:
            sitting.type("see\n")
        else:
            sitting.type(f"{cards[0]}\n")
        turns += 1
    assert sitting.code() == 0
    assert turns > 10
    assert "\x1b[1m" in sitting.out
    assert "'nonsense' is no card of this pack and no word;" in sitting.out
    told = STYLE.sub("", sitting.out).replace("\0", "")
    assert max(map(len, told.splitlines())) <= 80
    assert re.search(r"Games won: you \d, timid \d\.", told)
    command = re.search("put replay (run --game .*)\n", told)
    assert command
    assert "wins" in put("replay", *command[1].split()).out


@pytest.mark.long
@pytest.mark.parametrize(("keys", "code"), [("\x04", 0), ("\x03", 130)])
def test_one_who_leaves_a_terminal_does_so_in_good_order(
    keys: str, code: int, sittings: list[Sitting]
) -> None:
    sitting = Sitting("--against", "thrifty", "--seed", "6", "--out", "run", NO_COLOR="1")
    sittings.append(sitting)
    for _ in range(4):
        prompt = sitting.prompted()
        assert prompt
        sitting.type(f"{prompt[1].split()[-1]}\n")
    prompt = sitting.prompted()
    assert prompt
    sitting.type(keys)
    assert sitting.code() == code
    assert "\x1b" not in sitting.out
    assert "You leave: the game under way is lost by forfeit." in sitting.out
    assert "Traceback" not in sitting.out
    game, hands = find_game(manifest.read(Path("run")), 0, 0, 0, 0)
    assert game["fault_by"] == "human"
    assert len(hands) >= 2


@pytest.mark.long
def test_a_terminal_that_goes_away_keeps_what_was_played(sittings: list[Sitting]) -> None:
    sitting = Sitting("--against", "thrifty", "--seed", "6", "--out", "run")
    sittings.append(sitting)
    for _ in range(4):
        prompt = sitting.prompted()
        assert prompt
        sitting.type(f"{prompt[1].split()[-1]}\n")
    assert sitting.prompted()
    sitting.hang_up()
    game, _ = find_game(manifest.read(Path("run")), 0, 0, 0, 0)
    assert game["fault_reason"] == "left the table"

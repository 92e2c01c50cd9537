"""`put replay`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Put
from tests.tournament.runs import play_run

BOT = """
from dataclasses import dataclass
from put_cli import SEE, Strategy, View

@dataclass(frozen=True)
class Bot(Strategy):
    '''Plays its worst card; its style says nothing.'''
    style: str = "plain"

    def act(self, view: View) -> int:
        return SEE if view.asked or view.must_speak else view.lowest
"""

ODD = ("random", "bot", "bot(style='a v b')", "bot(style='random v bot')", "random v bot")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of strategies in whose names ' v ' occurs."""
    base = tmp_path_factory.mktemp("replay")
    for stem in ("bot", "random v bot"):
        (base / f"{stem}.py").write_text(BOT)
    own = [
        f"{base}/bot.py",
        f"{base}/bot.py(style='a v b')",
        f"{base}/bot.py(style='random v bot')",
        f"{base}/random v bot.py",
    ]
    finished = play_run(base / "run", "random", *own, games=4)
    assert [each.name for each in finished.prepared.workshop.contestants] == list(ODD)
    return base / "run"


def told(put: Put, run: Path, key: str) -> set[str]:
    """The strategies of the game that is replayed for --game."""
    result = put("replay", str(run), "--game", key, "--json")
    assert result.code == 0, result.err
    game = json.loads(result.out)["game"]
    return {game["chair0"], game["chair1"]}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("random", "bot"),
        ("bot", "random"),
        ("bot", "bot(style='a v b')"),
        ("bot(style='a v b')", "random"),
        ("bot(style='random v bot')", "bot(style='a v b')"),
        ("bot(style='random v bot')", "random v bot"),
        ("random", "bot(style='random v bot')"),
    ],
)
def test_a_pairing_is_named_by_its_strategies_whatever_their_names(
    put: Put, run: Path, a: str, b: str
) -> None:
    assert told(put, run, f"{a} v {b}/0/0/0") == {a, b}


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("random v fox/0/0/0", "'random v fox' is no pairing of this run; there were random, bot,"),
        ("random v random/0/0/0", "'random v random' is no pairing of this run"),
        ("9" * 5000 + "/0/0/0", "expected PAIRING/BLOCK/MIRROR/GAME, got '99999"),
        ("0/0/0/" + "9" * 19, "expected PAIRING/BLOCK/MIRROR/GAME, got"),
        (
            "0/0/0/" + "9" * 18,
            "there is no game 0/0/0/999999999999999999: all are counted from 0, and the run has",
        ),
        ("٣/0/0/0", "expected PAIRING/BLOCK/MIRROR/GAME, got"),
        ("0/0/-1/0", "expected PAIRING/BLOCK/MIRROR/GAME, got"),
        ("0/0/0", "expected PAIRING/BLOCK/MIRROR/GAME, got"),
    ],
    ids=lambda text: text[:30],
)
def test_a_game_that_is_not_there_is_one_line_and_exit_code_2(
    put: Put, run: Path, key: str, says: str
) -> None:
    result = put("replay", str(run), "--game", key)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert len(result.err) < 500
    assert says in result.err


def test_a_name_that_can_be_read_in_two_ways_is_refused(put: Put, tmp_path: Path) -> None:
    for stem in ("a", "b", "a v b", "b v a"):
        (tmp_path / f"{stem}.py").write_text(BOT)
    field = [str(tmp_path / f"{stem}.py") for stem in ("a", "b", "a v b", "b v a")]
    play_run(tmp_path / "run", *field, games=2)
    result = put("replay", str(tmp_path / "run"), "--game", "a v b v a/0/0/0")
    assert result.code == 2
    assert "'a v b v a' could be more than one pairing" in result.err
    assert told(put, tmp_path / "run", "a v b/0/0/0") == {"a", "b"}


def test_a_game_is_told_from_the_cut_to_the_result(put: Put, run: Path) -> None:
    text = put("replay", str(run), "--game", "random v bot/0/0/1").out
    assert text.startswith("random against bot\nrandom cuts ")
    assert "; hands: " in text.splitlines()[-1]
    assert "Hand 0: " in text


def test_one_hand_is_told_without_the_result_of_the_game(put: Put, run: Path) -> None:
    whole = put("replay", str(run)).out
    one = put("replay", str(run), "--hand", "0").out
    assert one.startswith("Hand 0: ")
    assert one in whole
    assert "; hands: " in whole
    assert "; hands: " not in one
    refused = put("replay", str(run), "--hand", "999")
    assert (refused.code, refused.out) == (2, "")
    assert "--hand: hands of that game: " in refused.err

"""A run comes out the same whoever plays it, and however much of it is asked for."""

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest
from put_cli.plugins import discovery
from put_cli.tournament.settings import random_seed
from tests.tournament.runs import parts, play_run, small_shards, write_strategies

KEY = ("pairing", "block", "mirror", "game", "hand")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Paths of the strategies of these tests; shards are small."""
    small_shards(monkeypatch)
    return write_strategies(tmp_path)


def rows(run: Path, table: str = "hands") -> list[dict[str, Any]]:
    """Every row of a table of a run."""
    return [
        row
        for path in sorted((run / table).glob("part-*.parquet"))
        for row in pq.ParquetFile(path).read().to_pylist()
    ]


def test_one_worker_and_two_write_the_same_bytes(tmp_path: Path, own: dict[str, str]) -> None:
    field = ("random", own["mixed"], own["faulty"], own["learner"])
    one = play_run(tmp_path / "one", *field, workers=1)
    two = play_run(tmp_path / "two", *field, workers=2)
    assert len(one.prepared.workshop.shards) > 4
    assert parts(tmp_path / "one") == parts(tmp_path / "two")
    assert one.faults == two.faults > 0
    for name in ("standings.csv", "standings.md", "crosstable.csv", "README.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize("rules", ["cotton", "truc"])
def test_every_tier_writes_the_same_bytes(tmp_path: Path, own: dict[str, str], rules: str) -> None:
    tiers = ("auto", "native", "batch", "interpreted")
    field = (own["mixed"], f"{own['mixed']}(bluff=0.7)", own["faulty"])
    finished = {tier: play_run(tmp_path / tier, *field, tier=tier, rules=rules) for tier in tiers}
    played = {
        tier: [player.tier for player in each.prepared.workshop.contestants]
        for tier, each in finished.items()
    }
    assert played == {
        "auto": ["native"] * 3,
        "native": ["native"] * 3,
        "batch": ["batch", "batch", "interpreted"],
        "interpreted": ["interpreted"] * 3,
    }
    assert all(each.differences == 0 for each in finished.values())
    for tier in tiers[1:]:
        assert parts(tmp_path / tier) == parts(tmp_path / "auto")


def test_the_games_of_a_pair_are_the_same_whoever_else_plays(
    tmp_path: Path, own: dict[str, str]
) -> None:
    small = play_run(tmp_path / "small", "random", own["mixed"])
    large = play_run(tmp_path / "large", "random", own["mixed"], "highest", "thrifty")
    alone = rows(small.prepared.run)
    assert alone == [row for row in rows(large.prepared.run) if row["pairing"] == 0]
    # Listed last, the pair has another number; its games are the same.
    late = play_run(tmp_path / "late", "highest", "random", own["mixed"])
    moved = [row | {"pairing": 0} for row in rows(late.prepared.run) if row["pairing"] == 2]
    assert alone == moved


def test_a_longer_run_has_the_games_of_the_shorter_first(
    tmp_path: Path, own: dict[str, str]
) -> None:
    play_run(tmp_path / "short", "random", own["mixed"], games=40)
    play_run(tmp_path / "long", "random", own["mixed"], games=110)
    short = rows(tmp_path / "short")
    long = {tuple(row[name] for name in KEY): row for row in rows(tmp_path / "long")}
    assert all(long[tuple(row[name] for name in KEY)] == row for row in short)
    assert len(long) > 2 * len(short)


def test_mirrored_games_have_the_same_cards_by_chair(tmp_path: Path, own: dict[str, str]) -> None:
    play_run(tmp_path / "run", "random", own["mixed"])
    cards: dict[Any, set[Any]] = {}
    seen = Counter[Any]()
    for row in rows(tmp_path / "run"):
        key = (row["block"], row["game"], row["hand"])
        cards.setdefault(key, set()).add((row["eldest_cards"], row["dealer_cards"]))
        seen[key] += 1
    assert all(len(each) == 1 for each in cards.values())
    assert 2 in seen.values()
    games = rows(tmp_path / "run", "games")
    chairs = {(row["mirror"], row["chair0"], row["chair1"]) for row in games}
    assert chairs == {(0, "random", "mixed"), (1, "mixed", "random")}
    cuts: dict[Any, set[Any]] = {}
    for row in games:
        key = (row["block"], row["game"])
        chair = ("chair0", "chair1").index(
            next(name for name in ("chair0", "chair1") if row[name] == row["first_dealer"])
        )
        cuts.setdefault(key, set()).add((row["cut0"], row["cut1"], row["recuts"], chair))
    assert all(len(each) == 1 for each in cuts.values())


def test_without_mirroring_every_block_is_one_match(tmp_path: Path, own: dict[str, str]) -> None:
    play_run(tmp_path / "run", "random", own["mixed"], mirror=False, games=25)
    games = rows(tmp_path / "run", "games")
    assert len(games) == 25
    assert {row["mirror"] for row in games} == {0}
    assert Counter(row["block"] for row in games) == {0: 10, 1: 10, 2: 5}
    tallies = rows(tmp_path / "run", "tallies")
    assert all(row["pairs_0"] == row["pairs_1"] == row["pairs_2"] == 0 for row in tallies)


def test_files_of_one_name_meet_and_every_process_calls_them_alike(
    tmp_path: Path, own: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "mixed.py").write_text(Path(own["mixed"]).read_text())
    field = ("a/mixed.py", "random", "b/mixed.py")
    one = play_run(Path("one"), *field, workers=1)
    play_run(Path("two"), *field, workers=2)
    names = ["a/mixed", "random", "b/mixed"]
    assert [each.name for each in one.prepared.workshop.contestants] == names
    assert manifest.read(Path("one")).names == names
    assert parts(Path("one")) == parts(Path("two"))
    games = rows(Path("one"), "games")
    assert {row["chair0"] for row in games} == set(names)
    assert {row["winner"] for row in games if row["pairing"] == 1} == {"a/mixed", "b/mixed"}


def test_another_seed_is_another_run(tmp_path: Path, own: dict[str, str]) -> None:
    play_run(tmp_path / "one", "random", own["mixed"], seed=1)
    play_run(tmp_path / "two", "random", own["mixed"], seed=2)
    assert parts(tmp_path / "one") != parts(tmp_path / "two")
    assert rows(tmp_path / "one", "games") != rows(tmp_path / "two", "games")


def test_what_is_logged_changes_no_tally(tmp_path: Path, own: dict[str, str]) -> None:
    # Not even for a learning player, which hears of hands that nobody keeps.
    made = {}
    for log in ("hands", "games", "none"):
        play_run(tmp_path / log, "random", own["learner"], own["faulty"], log=log)
        made[log] = parts(tmp_path / log)
    folders = {log: {name.partition("/")[0] for name in each} for log, each in made.items()}
    assert folders == {
        "hands": {"hands", "games", "tallies"},
        "games": {"games", "tallies"},
        "none": {"tallies"},
    }
    tallies = [rows(tmp_path / log, "tallies") for log in made]
    assert tallies[0] == tallies[1] == tallies[2]
    assert rows(tmp_path / "hands", "games") == rows(tmp_path / "games", "games")


def test_on_result_hears_of_every_shard_and_the_sums_agree(
    tmp_path: Path, own: dict[str, str]
) -> None:
    heard: list[Any] = []
    finished = play_run(
        tmp_path / "run", "random", own["faulty"], own["mixed"], on_result=heard.append
    )
    assert sorted(each.shard for each in heard) == list(
        range(len(finished.prepared.workshop.shards))
    )
    assert sum(each.games for each in heard) == 3 * 40
    assert sum(each.hands for each in heard) == finished.hands == len(rows(tmp_path / "run"))
    assert sum(each.faults for each in heard) == finished.faults
    faulted = [row for row in rows(tmp_path / "run", "games") if row["fault_by"]]
    faulted = [row for row in faulted if row["hands"]]  # others were lost unplayed
    assert len(faulted) == finished.faults > 0


def test_a_forfeit_is_logged_with_its_reason_and_harms_nobody_else(
    tmp_path: Path, own: dict[str, str]
) -> None:
    play_run(tmp_path / "with", "random", own["mixed"], own["faulty"])
    play_run(tmp_path / "without", "random", own["mixed"])
    with_fault = rows(tmp_path / "with")
    assert [row for row in with_fault if row["pairing"] == 0] == rows(tmp_path / "without")
    lost = {
        tuple(row[name] for name in KEY[:4]): row
        for row in rows(tmp_path / "with", "games")
        if row["how"] == "forfeit"
    }
    assert lost
    for row in lost.values():
        assert row["fault_by"] == "faulty" != row["winner"]
        assert row["fault_kind"] == "raised"
        reason = row["fault_reason"].removeprefix("forfeited the rest of the match: in game ")
        assert (reason == row["fault_reason"]) == (row["hands"] > 0)
        assert "raised IndexError: " in reason
    ended = [row for row in with_fault if row["ending"] == "forfeit"]
    played = {key for key, row in lost.items() if row["hands"]}
    assert {tuple(row[name] for name in KEY[:4]) for row in ended} == played
    for row in ended:
        assert row[row["winner"]] != "faulty"
        assert row["game_over"]


def test_a_learning_player_with_chance_of_its_own_is_not_taken_for_compiled_code_gone_wrong(
    tmp_path: Path, own: dict[str, str]
) -> None:
    bot = tmp_path / "moody.py"
    bot.write_text(
        "import random\n"
        "from put_cli import SEE, Strategy\n"
        "from put_cli.strategy import Player\n"
        "class Pupil(Player):\n"
        "    def act(self, view):\n"
        "        held = [card for card in view.cards if card]\n"
        "        return SEE if view.asked else random.choice(held)\n"
        "class Moody(Strategy):\n"
        "    def begin_match(self, match):\n"
        "        return Pupil()\n"
    )
    assert play_run(tmp_path / "run", str(bot), "random", own["mixed"]).differences == 0


def test_code_that_plays_otherwise_than_its_source_is_noticed(
    tmp_path: Path, own: dict[str, str]
) -> None:
    bot = tmp_path / "wrapping.py"
    bot.write_text(
        "from put_cli import SEE, Strategy, View\n"
        "class Wrapping(Strategy):\n"
        "    def act(self, view: View) -> int:\n"
        "        big = 3 ** (40 + view.trick)  # beyond 63 bits, where compiled numbers wrap\n"
        "        if view.asked:\n"
        "            return SEE\n"
        "        return view.highest if big > 0 else view.lowest\n"
    )
    finished = play_run(tmp_path / "run", str(bot), "random", games=400)
    assert finished.differences > 0
    assert "compiled and interpreted play differ" in (tmp_path / "run" / "run.log").read_text()


@pytest.mark.parametrize("stopped", [False, True])
def test_what_a_dead_worker_left_half_written_is_swept_at_the_end(
    tmp_path: Path, own: dict[str, str], stopped: bool
) -> None:
    run = tmp_path / "run"

    def leave(_result: Any) -> None:
        (run / "hands" / ".tmp-4711-part-000099.parquet").write_bytes(b"half")
        if stopped:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) if stopped else nullcontext():
        play_run(run, "random", own["mixed"], on_result=leave)
    assert not list(run.rglob(".tmp-*"))
    assert (run / "tallies" / "part-000000.parquet").exists()


# Refused before anything is written.


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"games": 41}, "--games: mirrored games come in pairs, .* got 41. Use 42, or --no-mirror"),
        ({"games": 0}, "--games: expected a number from 1 to"),
        ({"games": -2}, "--games: expected a number from 1 to"),
        ({"games": 10**9 + 2}, "--games: expected a number from 1 to 1000000000"),
        ({"match_games": 0}, "--match-games: expected a number from 1"),
        ({"workers": 0}, "--workers: expected a number from 1 to 1024, got 0"),
        ({"workers": 1025}, "--workers: expected a number from 1 to 1024, got 1025"),
        ({"seed": -1}, "--seed: expected a number from 0"),
        ({"seed": 2**63}, "--seed: expected a number from 0"),
        ({"log": "everything"}, "--log: expected one of hands, games, none"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused_and_nothing_is_written(
    tmp_path: Path, settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        play_run(tmp_path / "run", "random", "highest", **settings)
    assert not (tmp_path / "run").exists()


def test_a_plugin_that_changes_the_directory_moves_no_file(
    tmp_path: Path, own: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
    bot = tmp_path / "moving.py"
    bot.write_text(
        "import os\n"
        "from put_cli import SEE, Strategy, View\n"
        f"os.chdir({str(tmp_path / 'there')!r})\n"
        "class Moving(Strategy):\n"
        "    def act(self, view: View) -> int:\n"
        f"        os.chdir({str(tmp_path / 'there')!r})\n"
        "        return SEE if view.asked else view.lowest\n"
    )
    for number, workers in enumerate((1, 2)):
        monkeypatch.chdir(tmp_path / "here")
        discovery.forget()
        finished = play_run(Path(f"run{number}"), str(bot), "random", workers=workers)
        assert finished.plain()["run"] == f"run{number}"
        assert (tmp_path / "here" / f"run{number}" / "standings.csv").exists()
        assert parts(tmp_path / "here" / f"run{number}")
    assert not list((tmp_path / "there").iterdir())


def test_a_directory_that_holds_anything_is_never_written_to(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="already holds files, and results are never overwritten"):
        play_run(tmp_path, "random", "highest")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_strategy_that_cannot_be_compiled_is_refused_the_native_tier_in_words(
    tmp_path: Path,
) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text(
        "from put_cli import Strategy, View\n"
        "class Slow(Strategy):\n"
        "    def act(self, view: View) -> int:\n"
        "        return max(card for card in view.cards)\n"
    )
    with pytest.raises(UsageError, match=r"--tier: slow cannot be compiled: "):
        play_run(tmp_path / "run", str(bot), "random", tier="native")
    assert not (tmp_path / "run").exists()


def test_a_full_disk_ends_the_run_with_an_error_that_names_the_file(
    tmp_path: Path, own: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    replace = os.replace

    def full(source: Any, target: Any) -> None:
        if str(target).endswith("part-000002.parquet"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    for workers in (1, 2):
        run = tmp_path / f"run{workers}"
        with pytest.raises(RunError, match=r"cannot write .*part-000002.parquet.*No space left"):
            play_run(run, "random", own["mixed"], "highest", games=80, workers=workers)
        assert not list(run.rglob(".tmp-*"))
        assert not (run / "tallies" / "part-000002.parquet").exists()


def test_random_seeds_are_small_enough_for_every_reader() -> None:
    seeds = {random_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert all(0 <= seed < 2**48 for seed in seeds)

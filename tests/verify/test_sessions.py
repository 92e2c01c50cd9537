"""Runs of Speculation: whatever is changed in their logs is found, whoever mends the hashes."""

import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from put_cli.engine.forfeits import Forfeit
from put_cli.engine.lanes import SLOW
from put_cli.log import forfeits, manifest
from put_cli.speculation.rules import Speculation
from put_cli.tournament import run as runs
from put_cli.verify import sessions
from put_cli.verify.faults import Fault
from put_cli.verify.run import Wish, verify
from tests.verify.corrupting import KINDS, Corruption, corrupt, read, shards, write
from tests.verify.test_rows import faults_of, names

FAULTY = """
from dataclasses import dataclass
from put_cli.speculation import Speculator, View


@dataclass(frozen=True)
class Faulty(Speculator):
    def bid(self, view: View) -> int:
        if view.luck < 0.02:
            raise ValueError("no more")
        return -1 if view.luck > 0.98 else view.best_bid + (view.luck < 0.3)

    def accept(self, view: View) -> bool:
        return view.luck < 0.7

    def offer(self, view: View) -> int:
        return view.cards if view.luck < 0.5 else 0
"""

GAMES = {
    "usual": Speculation(),
    "every knob": Speculation().changed(
        {"players": 4, "deals": 3, "spare_hand": True, "exhaust_pack": True, "ante": 3}
    ),
    "whole hands": Speculation().changed({"players": 3, "unseen": "hand", "payment": 2}),
    "twelve": Speculation().changed({"players": 12, "deals": 2, "presale": False}),
}

TABLES = ("events", "events", "events", "deals", "games", "tallies")
"""Most rows, and most of what they say, are of events."""

UNSEEN = {"amount", "fault_kind", "fault_reason"}
"""Columns whose change can leave a session that might have been: a bid that did not win, or an
offer nobody took; what a strategy did wrong. Who else made a fault is told by the tallies alone."""

FORFEIT = Forfeit(
    pairing=0, block=0, mirror=1, chair=2, game=1, hand=0, decision=0, kind=SLOW,
    reason="took too long",
)  # fmt: skip


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """The sound run of a game with a value of --log; not to be changed."""
    base = tmp_path_factory.mktemp("sessions")
    (base / "faulty.py").write_text(FAULTY)
    made: dict[tuple[str, str], Path] = {}

    def run(game: str, log: str = "hands") -> Path:
        if (game, log) not in made:
            rules, out = GAMES[game], base / f"{game}-{log}".replace(" ", "-")
            field = [str(base / "faulty.py"), "fair", "late", "eager", "greedy", "never"]
            field += [f"fair(margin={m / 10})" for m in range(1, 7)]
            settings = runs.Settings(
                strategies=tuple(field[: rules.players]),
                rules=rules,
                games=4 * rules.players,
                seed=7,
                match_games=2,
                log=log,
                out=out,
            )
            prepared = runs.prepare(settings)
            forfeits.add(out, (FORFEIT,))
            assert runs.play(prepared, lambda _result: None).faults > 3
            made[game, log] = out
        return made[game, log]

    return run


@pytest.fixture
def copied(sound: Callable[[str, str], Path], tmp_path: Path) -> Callable[..., Path]:
    """A copy of a sound run, to be changed."""

    def copy(game: str, log: str = "hands") -> Path:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        return Path(shutil.copytree(sound(game, log), tmp_path / "run"))

    return copy


@pytest.mark.parametrize("game", GAMES)
def test_a_sound_run_has_no_faults(sound: Callable[[str], Path], game: str) -> None:
    found = verify(Wish(run=sound(game)))
    assert [str(each) for each in found.findings.faults] == []
    checked = found.findings.checked
    assert checked["deals replayed"] == checked["rows of deals"] >= 2 * 4 * GAMES[game].players
    assert checked["events replayed"] == checked["events added up"] == checked["rows of events"]
    assert checked["deals refereed card by card"] == min(100, checked["rows of deals"])
    assert checked["shards"] == len(shards(sound(game)))


def test_played_again_it_is_the_same_to_the_byte(sound: Callable[[str], Path]) -> None:
    found = verify(Wish(run=sound("usual"), replay=9, trust=True))
    assert found.sound
    assert found.findings.checked["deals played again"] == found.findings.checked["rows of deals"]


def named(done: Corruption, faults: list[Fault]) -> bool:
    """Whether a fault is about what was changed.

    Of a forfeit the games tell and the tallies too: which is wrong nobody can know.
    """
    if done.table not in ("games", "tallies"):
        return names(done, faults)
    files = [done.file.replace(done.table, table, 1) for table in ("games", "tallies")]
    return any(names(replace(done, file=file), faults) for file in files)


def change_rows(copied: Callable[..., Path], game: str, count: int, seed: int) -> None:
    """Corrupt a run so often, each time another copy; all is found, or found by playing again."""
    chance = random.Random(f"{game}/{seed}")
    again = Counter[str]()
    for number in range(count):
        run = copied(game)
        done = corrupt(run, chance, chance.choice(TABLES), chance.choice((*KINDS, "cell", "cell")))
        faults = faults_of(run)
        if not faults and (done.column in UNSEEN or done.column.startswith("faults_")):
            again[done.column] += 1
            faults = faults_of(run, replay=100, trust=True)
        told = f"{number}: {done}: {[str(each) for each in faults[:5]]}"
        assert faults, told
        assert named(done, faults), told
    assert again.total() < count / 4


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_row_is_found_and_named(copied: Callable[..., Path], game: str) -> None:
    change_rows(copied, game, 12, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_hundreds_of_changed_rows_are_found_and_named(
    copied: Callable[..., Path], game: str
) -> None:
    change_rows(copied, game, 100, seed=2)


def test_another_losing_bid_is_found_by_playing_again(copied: Callable[..., Path]) -> None:
    run = copied("usual")
    rows = read(run, "events", 0).to_pylist()
    at = next(
        n
        for n, row in enumerate(rows)
        if row["what"] == "bid" and rows[n + 1]["what"] == "bid" and row["amount"] > 1
        and rows[n + 1]["amount"] > row["amount"]
    )  # fmt: skip
    rows[at]["amount"] -= 1
    write(run, "events", 0, rows)
    assert faults_of(run) == []
    columns = [each.column for each in faults_of(run, replay=9, trust=True)]
    assert columns == ["amount, played again", "played again"]


def test_cards_that_the_seed_did_not_deal_are_found(copied: Callable[..., Path]) -> None:
    run = copied("every knob")
    rows = read(run, "deals", 0).to_pylist()
    rows[4]["cards_A"], rows[4]["cards_B"] = rows[4]["cards_B"], rows[4]["cards_A"]
    write(run, "deals", 0, rows)
    assert {each.column for each in faults_of(run)} == {"cards_A", "cards_B"}


def test_chips_moved_from_one_to_another_are_found_in_every_table(
    copied: Callable[..., Path],
) -> None:
    for table, mine, yours in (
        ("deals", "net_A", "net_B"),
        ("games", "chips0", "chips1"),
        ("tallies", "chips_a", "chips_b"),
    ):
        run = copied("usual")
        rows = read(run, table, 0).to_pylist()
        rows[3][mine] += 5
        rows[3][yours] -= 5
        write(run, table, 0, rows)
        told = [each for each in faults_of(run) if each.file.startswith(table)]
        assert {each.column for each in told} == {mine, yours}


def test_chips_are_added_up_from_the_events_by_themselves(
    copied: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the kernel wrong about chips, and the log with it, the books would not balance."""
    run = copied("usual")
    rows = read(run, "deals", 0).to_pylist()
    rows[3]["net_B"] += 1
    write(run, "deals", 0, rows)
    monkeypatch.setattr(sessions.Beside, "_compare", lambda *_given: None)
    monkeypatch.setattr(sessions, "second_opinion_on_a_deal", lambda *_given: ())
    columns = [each.column for each in faults_of(run) if each.file.startswith(("deals", "games"))]
    assert columns == ["net", "net, pool, carried", "chips"]


def test_the_machine_judges_a_sample_by_itself(
    copied: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the kernel wrong about who takes the pool, and the log with it, it would say so."""
    run = copied("usual")
    rows = read(run, "deals", 0).to_pylist()
    for row in rows:
        row["taken_by"] = "B" if row["taken_by"] == "A" else "A"
    write(run, "deals", 0, rows)
    monkeypatch.setattr(sessions.Beside, "_compare", lambda *_given: None)
    faults = [each for each in faults_of(run) if each.file.startswith("deals")]
    assert {each.column for each in faults} == {"taken_by"}
    assert {each.expected.partition(" ")[2] for each in faults} == {"by the referee"}


def test_a_shard_that_is_missing_is_named_and_results_are_not_judged(
    copied: Callable[..., Path],
) -> None:
    run = copied("usual")
    for part in run.glob("*/part-000000.parquet"):
        part.unlink()
    found = verify(Wish(run=run))
    assert [each.found for each in found.findings.faults] == ["none of its files"]
    assert "The tables of results: the run is not finished." in found.unchecked


@pytest.mark.parametrize("file", ["standings.json", "standings.csv", "standings.md", "README.md"])
def test_a_changed_table_of_results_is_found(copied: Callable[..., Path], file: str) -> None:
    run = copied("usual")
    text = (run / file).read_text()
    (run / file).write_text(text.replace("fair", "foul", 1) if "fair" in text else text + "\n.\n")
    assert {each.file for each in faults_of(run)} == {file}


def test_a_forfeit_that_the_log_does_not_honour_is_named(copied: Callable[..., Path]) -> None:
    run = copied("usual")
    first = FORFEIT.__class__(**{**vars(FORFEIT), "mirror": 0, "chair": 3, "game": 0})
    forfeits.add(run, (first,))
    assert [(each.file, each.key) for each in faults_of(run)] == [("forfeits.json", "0/0/0/0")]


def test_a_fault_by_time_without_an_entry_is_named(copied: Callable[..., Path]) -> None:
    run = copied("usual")
    (run / forfeits.NAME).unlink()
    faults = faults_of(run)
    assert {each.column for each in faults} == {"fault_kind"}
    assert {each.found for each in faults} == {"slow"}


@pytest.mark.parametrize("log", ["games", "none"])
@pytest.mark.parametrize("game", GAMES)
def test_a_run_that_logged_less_is_sound_and_tells_what_was_not_checked(
    sound: Callable[[str, str], Path], game: str, log: str
) -> None:
    found = verify(Wish(run=sound(game, log)))
    assert [str(each) for each in found.findings.faults] == []
    assert found.findings.checked["sessions dealt again"] > 0
    assert any(f"--log {log}" in each for each in found.unchecked)


@pytest.mark.parametrize(
    ("log", "table", "column"),
    [
        ("games", "games", "chips0"),
        ("games", "games", "deals"),
        ("games", "games", "chair1"),
        ("games", "tallies", "chips_a"),
        *((log, "tallies", column) for log in ("games", "none") for column in
          ("deals", "taken_a", "paid_b", "bought_c", "sold_d", "chips_a")),
    ],
)  # fmt: skip
def test_what_plan_and_seed_decide_or_does_not_add_up_is_found(
    copied: Callable[..., Path], log: str, table: str, column: str
) -> None:
    run = copied("every knob", log)
    rows = read(run, table, 0).to_pylist()
    value = rows[3][column]
    rows[3][column] = value + 1 if isinstance(value, int) else rows[3]["chair0"]
    write(run, table, 0, rows)
    faults = faults_of(run)
    assert faults
    assert all(each.file == f"{table}/part-000000.parquet" for each in faults[:1])


@pytest.mark.parametrize("log", ["games", "none"])
@pytest.mark.parametrize("kind", ["key", "missing", "twice", "swapped"])
def test_rows_out_of_place_are_found_without_deals_too(
    copied: Callable[..., Path], log: str, kind: str
) -> None:
    run = copied("every knob", log)
    table = "games" if log == "games" else "tallies"
    done = corrupt(run, random.Random(kind), table, kind)
    assert names(done, faults_of(run)), done


def test_the_manifest_is_held_to_its_fingerprints(copied: Callable[..., Path]) -> None:
    run = copied("usual")
    data = dict(manifest.read(run).data)
    data["rules"] = {**data["rules"], "ante": 1}
    manifest.write(run, data)
    assert {"rules_fingerprint", "rounds/0/fingerprint"} <= {each.key for each in faults_of(run)}

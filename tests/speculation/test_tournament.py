"""A whole tournament: the same bytes from one worker and two, a log that the referee confirms."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError, SpecError, UsageError
from put_cli.log import manifest, reader
from put_cli.plugins.loaded import Loaded
from put_cli.speculation.machine import What
from put_cli.speculation.outcome import find_session, rate
from put_cli.speculation.referee import played
from put_cli.speculation.rules import Speculation
from put_cli.speculation.strategy import Speculator, View
from put_cli.speculation.transcript import events_of, line_of, tell
from put_cli.tournament.extending import extend
from put_cli.tournament.precision import Precision
from put_cli.tournament.resuming import resume
from put_cli.tournament.run import Prepared, TooManyFaults, play, prepare
from put_cli.tournament.settings import Settings

FIELD = ("fair", "greedy", "late", "never", "eager")
SPARE = Speculation().changed({"players": 4, "spare_hand": True, "exhaust_pack": True})


def settings(run: Path, rules: Speculation, **changed: object) -> Settings:
    """A small tournament."""
    usual = {
        "strategies": FIELD,
        "rules": rules,
        "games": 8 * rules.players,
        "match_games": 4,
        "seed": 7,
        "out": run,
    }
    return Settings(**{**usual, **changed})  # type: ignore[arg-type]


def ran(run: Path, rules: Speculation = SPARE, **changed: object) -> Prepared:
    """Play it."""
    prepared = prepare(settings(run, rules, **changed))
    play(prepared, lambda _: None)
    return prepared


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of four at a table."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    ran(folder)
    return folder


def test_two_workers_leave_the_bytes_of_one(run: Path, tmp_path: Path) -> None:
    ran(tmp_path / "two", workers=2)
    parts = sorted(path.relative_to(run) for path in run.rglob("*.parquet"))
    assert {part.parts[0] for part in parts} == {"events", "deals", "games", "tallies"}
    for part in parts:
        assert (run / part).read_bytes() == (tmp_path / "two" / part).read_bytes()
    assert (run / "standings.csv").read_text() == (tmp_path / "two" / "standings.csv").read_text()


def test_the_referee_confirms_every_logged_deal(run: Path) -> None:
    made = manifest.read(run)
    rules = made.any_rules
    games = pq.read_table(run / "games").to_pylist()
    deals = 0
    for row in games[::7]:
        key = (row["pairing"], row["block"], row["mirror"], row["game"])
        game, logged = find_session(made, *key)
        chips = dict.fromkeys((game[f"chair{n}"] for n in range(4)), 0)
        for each in logged:
            again = played(rules, line_of(rules, each))
            assert [*events_of(each)] == again.events
            assert [each[f"net_{s}"] for s in "ABCD"] == again.chips
            assert each["pool"] == again.events[-1].amount
            for seat in "ABCD":
                chips[each[f"strategy_{seat}"]] += each[f"net_{seat}"]
            deals += 1
        assert [game[f"chips{n}"] for n in range(4)] == [chips[game[f"chair{n}"]] for n in range(4)]
    assert deals > 50


def test_every_deal_is_dealt_to_every_chair_and_table(run: Path) -> None:
    """The cards hang on block, session and deal alone."""
    deals = pq.read_table(run / "deals").to_pylist()
    cards: dict[tuple[int, int, int], tuple[str, ...]] = {}
    for each in deals:
        key = each["block"], each["game"], each["deal"]
        dealt = (*(each[f"cards_{s}"] for s in "ABCD"), each["up"], each["spare"])
        assert cards.setdefault(key, dealt) == dealt
    assert len(deals) > 15 * len(cards)


def test_everybody_has_every_chair_equally_often(run: Path) -> None:
    games = pq.read_table(run / "games").to_pandas()
    counts = [games[f"chair{n}"].value_counts().to_dict() for n in range(4)]
    assert all(each == counts[0] for each in counts)
    assert set(counts[0]) == set(FIELD)


def test_the_tallies_are_the_sums_of_the_events(run: Path) -> None:
    events = pq.read_table(run / "events").to_pandas()
    made = manifest.read(run)
    lines = {line.name: line for line in rate(manifest.read(run)).strategies}
    deals = pq.read_table(run / "deals").num_rows
    assert sum(line.deals for line in lines.values()) == 4 * deals
    for name, line in lines.items():
        own = events[events["strategy"] == name]
        for what, told in (
            ("taken", line.pools_per_deal),
            ("sold", line.sold_per_deal),
        ):
            assert told == pytest.approx((own["what"] == what).sum() / line.deals)
        paid = own.loc[own["what"] == "payment", "amount"].sum()
        assert line.paid_per_deal == pytest.approx(paid / line.deals)
    assert made.names == list(FIELD)


def test_means_and_intervals_are_those_of_sums_by_unit(run: Path) -> None:
    """Worked out again from the deals log, a unit being what has the same cards."""
    table = rate(manifest.read(run))
    deals = pq.read_table(run / "deals").to_pandas()
    for line in table.strategies:
        units: dict[tuple[int, int], list[int]] = {}
        for each in deals.to_dict("records"):
            for seat in "ABCD":
                if each[f"strategy_{seat}"] == line.name:
                    of = units.setdefault((each["block"], each["game"]), [0, 0])
                    of[0] += each[f"net_{seat}"]
                    of[1] += 1
        chips, counts = np.array(list(units.values())).T
        mean = chips.sum() / counts.sum()
        assert line.chips_per_deal == pytest.approx(mean)
        n = len(chips)
        assert n == table.units
        error = np.sqrt(((chips - mean * counts) ** 2).sum() * n / (n - 1)) / counts.sum()
        assert line.low is not None
        assert line.high is not None
        assert (line.high - line.low) / 2 == pytest.approx(2.3646242 * error)  # t of 7 degrees


def test_tables_of_twelve_are_seated_and_played(tmp_path: Path) -> None:
    field = tuple(f"fair(margin={m / 100})" for m in range(12))
    rules = Speculation().changed({"players": 12, "deals": 1})
    prepared = ran(tmp_path / "run", rules, strategies=field, games=36, match_games=1)
    table = rate(manifest.read(prepared.run))
    assert [line.sessions for line in table.strategies] == [36] * 12
    seated = pq.read_table(prepared.run / "games").to_pandas()
    orders = {tuple(row) for row in seated[[f"chair{n}" for n in range(12)]].to_numpy()}
    assert len(orders) == 36  # three blocks of twelve


@dataclass(frozen=True)
class Broken(Speculator):
    """Bids what nobody may, once a pool has grown."""

    def bid(self, view: View) -> int:
        return -5 if view.pool > 10 else 1


def broken_field() -> list[Loaded]:
    """Broken among three that never trade."""
    others = [Loaded(f"never {n}", f"never {n}", Speculator(), "here", "") for n in range(3)]
    return [Loaded("broken", "broken", Broken(), "here", ""), *others]


def test_a_fault_silences_the_player_and_is_logged(tmp_path: Path) -> None:
    rules = Speculation().changed({"players": 4})
    prepared = prepare(settings(tmp_path / "run", rules, strategies=()), broken_field())
    finished = play(prepared, lambda _: None)
    assert finished.faults > 0
    assert "bid returned -5 where 0 to 1000000 is allowed" in finished.example
    games = pq.read_table(prepared.run / "games").to_pandas()
    faulty = games[games["fault_by"].notna()]
    assert len(faulty) == finished.faults
    assert set(faulty["fault_by"]) == {"broken"}
    assert set(faulty["fault_kind"]) == {"illegal"}
    line = next(line for line in finished.standings.strategies if line.name == "broken")
    assert line.faults == finished.faults
    chips = games[[f"chips{n}" for n in range(4)]].to_numpy()
    assert (chips.sum(axis=1) == 0).all()


def test_too_many_faults_end_the_run(tmp_path: Path) -> None:
    rules = Speculation().changed({"players": 4})
    asked = settings(tmp_path / "run", rules, strategies=(), strict=True)
    prepared = prepare(asked, broken_field())
    with pytest.raises(TooManyFaults, match="--strict: the first fault ends the run: broken bid"):
        play(prepared, lambda _: None)


SLOW = """
import time
from dataclasses import dataclass
from put_cli.speculation import Speculator, View


@dataclass(frozen=True)
class Sleeper(Speculator):
    def bid(self, view: View) -> int:
        if view.pool > 11:
            {}
        return 1
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("time.sleep(30)", "slow"),
        ("while view.pool > 11:\n                pass", "slow"),  # compiled: no timer ends it
        ("__import__('os').kill(__import__('os').getpid(), 9)", "died"),
    ],
)
def test_who_hangs_or_dies_is_silent_for_the_rest_of_the_match(
    tmp_path: Path, how: str, kind: str
) -> None:
    path = tmp_path / "sleeper.py"
    path.write_text(SLOW.format(how), encoding="utf-8")
    rules = Speculation().changed({"players": 4, "deals": 1})
    prepared = ran(
        tmp_path / "run",
        rules,
        strategies=("fair", "late", "never", str(path)),
        games=8,
        match_games=2,
        move_timeout=0.1,
        workers=1,
    )
    games = pq.read_table(prepared.run / "games").to_pandas()
    faulty = games[games["fault_by"].notna()]
    assert len(faulty) > 0
    assert set(faulty["fault_by"]) == {"sleeper"}
    assert set(faulty["fault_kind"]) == {kind}
    for (block, mirror), match in games.groupby(["block", "mirror"]):
        silent = match.sort_values("game")["fault_by"].notna().tolist()
        assert silent == sorted(silent), (block, mirror)  # once silent, silent to the end
    known = json.loads((prepared.run / "forfeits.json").read_text())["forfeits"]
    assert {each["kind"] for each in known} == {kind}
    assert [
        line.faults
        for line in rate(manifest.read(prepared.run)).strategies
        if line.name == "sleeper"
    ] == [len(faulty)]


def test_strategies_of_put_are_refused_by_name(tmp_path: Path) -> None:
    asked = settings(tmp_path / "run", SPARE, strategies=(*FIELD, "bold"))
    with pytest.raises(SpecError, match="'bold' plays put, not speculation"):
        prepare(asked)
    assert not (tmp_path / "run").exists()


def test_too_few_strategies_for_a_table_are_refused(tmp_path: Path) -> None:
    rules = Speculation().changed({"players": 6})
    with pytest.raises(UsageError, match="a table seats 6, so expected at least 6 strategies"):
        prepare(settings(tmp_path / "run", rules, games=6))


def test_a_damaged_part_is_noticed(tmp_path: Path) -> None:
    prepared = ran(tmp_path / "run")
    part = prepared.run / "deals" / "part-000000.parquet"
    table = pq.read_table(part)
    pq.write_table(table.slice(1), part)
    with pytest.raises(RunError, match=r"is not a part of a log|no longer holds what was written"):
        find_session(manifest.read(prepared.run), 0, 0, 0, 0)


def test_the_run_explains_itself(run: Path) -> None:
    readme = (run / "README.md").read_text(encoding="utf-8")
    form = manifest.read(run).form
    for name, columns in form.tables.items():
        assert f"## {name}/" in readme
        for column in columns:
            assert f"| {column.name} |" in readme
    plain = json.loads((run / "standings.json").read_text(encoding="utf-8"))
    assert [line["name"] for line in plain["standings"]][-1] == "eager"


def test_every_kind_of_event_is_logged_by_its_name(run: Path) -> None:
    found = set(pq.read_table(run / "events", columns=["what"])["what"].to_pylist())
    assert found == {what.name.lower().replace("_", "-") for what in What}


def test_a_session_is_told_to_its_result(run: Path) -> None:
    made = manifest.read(run)
    rules = made.any_rules
    game, deals = find_session(made, 0, 0, 1, 2)
    told = list(tell(rules, game, deals))
    assert told[0].endswith("table 0, block 0, mirror 1, session 2")
    assert sum(line.startswith("Deal ") for line in told) == len(deals)
    assert told[-1].startswith("Session: ")


def test_less_is_logged_where_less_is_asked_for(tmp_path: Path) -> None:
    prepared = ran(tmp_path / "run", log="none")
    assert not list(prepared.run.glob("games/*"))
    rows = next(reader.tallies(manifest.read(prepared.run)))
    assert len(rows["block"]) == prepared.plan.total_games


def test_a_run_that_was_stopped_is_resumed_to_the_same_bytes(run: Path, tmp_path: Path) -> None:
    prepared = ran(tmp_path / "again")
    for part in prepared.run.rglob("part-*.parquet"):
        part.unlink()
    play(resume(prepared.run, 1, {}), lambda _: None)
    for part in sorted(run.rglob("*.parquet")):
        assert (prepared.run / part.relative_to(run)).read_bytes() == part.read_bytes()


def test_sessions_and_strategies_are_added_to_a_finished_run(tmp_path: Path) -> None:
    prepared = ran(tmp_path / "run")
    before = rate(manifest.read(prepared.run))
    play(extend(prepared.run, 1, {}, games=32, join=("mindful",)), lambda _: None)
    after = rate(manifest.read(prepared.run))
    assert {line.name for line in after.strategies} == {*FIELD, "mindful"}
    assert after.sessions == 2 * 32 * 15  # every table of four of six, twice as often
    assert after.units == 2 * before.units


def test_precision_is_not_for_chips(tmp_path: Path) -> None:
    asked = settings(tmp_path / "run", SPARE, until=Precision(elo=5.0, games=1000))
    with pytest.raises(UsageError, match="--until: it is for ratings of Put"):
        prepare(asked)
    assert not (tmp_path / "run").exists()

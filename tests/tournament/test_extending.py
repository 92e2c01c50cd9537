"""What is added to a run leaves what exists as it is, and every reader understands it."""

import itertools
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from put_cli.errors import RunError, UsageError
from put_cli.log import manifest
from put_cli.rules.finding import find_ruleset
from put_cli.stats.tally import table_members
from put_cli.tournament import precision, rounds
from put_cli.tournament import run as runs
from put_cli.tournament.comparing import compare_runs
from put_cli.tournament.extending import extend
from put_cli.tournament.finding import find_game
from put_cli.tournament.outcome import rate
from put_cli.tournament.precision import Precision
from put_cli.tournament.resuming import resume
from put_cli.tournament.reviewing import review
from put_cli.tournament.schedule import Plan, Shards
from put_cli.tournament.settings import Settings
from tests.tournament.runs import parts, play_run, small_shards

FIELD = ("random", "thrifty", "highest")


@pytest.fixture(autouse=True)
def _shards(monkeypatch: pytest.MonkeyPatch) -> None:
    small_shards(monkeypatch, hands=200)


def unheard(_result: Any) -> None:
    pass


def more(run: Path, **what: Any) -> runs.Finished:
    """Extend a run and play it."""
    return runs.play(extend(run, 1, {}, **what), unheard)


def rows(run: Path, table: str = "hands") -> list[dict[str, Any]]:
    """All rows of a table, in the order of their keys."""
    key = ("pairing", "block", "mirror", "game", "hand")
    found = [
        row
        for path in sorted((run / table).glob("part-*.parquet"))
        for row in pq.ParquetFile(path).read().to_pylist()
    ]
    return sorted(found, key=lambda row: [row.get(name, 0) for name in key])


def unchanged(before: dict[str, bytes], run: Path) -> None:
    now = parts(run)
    assert {name: now[name] for name in before} == before
    assert len(now) > len(before)


def test_more_games_are_those_of_a_fresh_run_of_that_size(tmp_path: Path) -> None:
    play_run(tmp_path / "run", *FIELD, games=40)
    play_run(tmp_path / "fresh", *FIELD, games=90)
    before = parts(tmp_path / "run")
    prepared = extend(tmp_path / "run", 1, {}, games=50)
    assert "The games are those of a fresh run of this size." in prepared.notes
    runs.play(prepared, unheard)
    unchanged(before, tmp_path / "run")
    for table in ("hands", "games", "tallies"):
        assert rows(tmp_path / "run", table) == rows(tmp_path / "fresh", table)
    for name in ("standings.csv", "crosstable.csv"):
        assert (tmp_path / "run" / name).read_text() == (tmp_path / "fresh" / name).read_text()


def test_a_block_that_was_cut_short_stays_so_and_that_is_said(tmp_path: Path) -> None:
    play_run(tmp_path / "run", *FIELD, games=30)
    before = parts(tmp_path / "run")
    prepared = extend(tmp_path / "run", 1, {}, games=20)
    assert any(
        "Block 1 has matches of 5 games and keeps them, where a fresh run" in note
        for note in prepared.notes
    )
    finished = runs.play(prepared, unheard)
    unchanged(before, tmp_path / "run")
    assert finished.standings.games == 150
    assert {row["block"] for row in rows(tmp_path / "run", "games")} == {0, 1, 2}


def test_who_joins_meets_everybody_in_all_that_was_played(tmp_path: Path) -> None:
    play_run(tmp_path / "run", *FIELD, games=30)
    more(tmp_path / "run", games=40)
    before = parts(tmp_path / "run")
    more(tmp_path / "run", join=["bold"], games=20)
    unchanged(before, tmp_path / "run")
    games = rows(tmp_path / "run", "games")
    assert len(games) == 6 * 90
    keys = [tuple(row[name] for name in ("pairing", "block", "mirror", "game")) for row in games]
    assert len(set(keys)) == len(keys)
    # The same as if bold had been there from the beginning.
    play_run(tmp_path / "fresh", *FIELD, "bold", games=30)
    more(tmp_path / "fresh", games=40)
    more(tmp_path / "fresh", games=20)
    for table in ("hands", "games", "tallies"):
        assert rows(tmp_path / "run", table) == rows(tmp_path / "fresh", table)
    assert rate(tmp_path / "run").plain() == rate(tmp_path / "fresh").plain()


def test_every_reader_understands_a_run_of_several_rounds(tmp_path: Path) -> None:
    run = tmp_path / "run"
    play_run(run, *FIELD, games=30)
    more(run, join=["bold"])
    more(run, games=40)
    made = manifest.read(run)
    assert len(made.rounds) == 3
    game, hands = find_game(made, 4, 3, 1, 2)  # bold against thrifty, in a block of the last round
    assert {game["chair0"], game["chair1"]} == {"bold", "thrifty"}
    assert len(hands) == game["hands"]
    with pytest.raises(UsageError, match=r"pairings: 6, blocks: 4, matches a block: 2, games a"):
        find_game(made, 4, 1, 0, 7)  # that block is a short one
    seen = review(run, "run")
    assert seen.moments[-1].games == seen.standings.games == 6 * 70
    play_run(tmp_path / "other", *FIELD, "odds", games=70)
    compared, names = compare_runs(run, tmp_path / "other")
    assert ("bold", "odds") in names
    # Block 1 is shorter in one of them, and block 3 in the other, so neither is compared.
    assert {each.games for each in compared} == {3 * 40}


def test_a_crash_between_adding_and_playing_is_resumed(tmp_path: Path) -> None:
    play_run(tmp_path / "whole", *FIELD)
    more(tmp_path / "whole", join=["bold"], games=20)
    play_run(tmp_path / "run", *FIELD)
    extend(tmp_path / "run", 1, {}, join=["bold"], games=20).lock.release()
    with pytest.raises(UsageError, match=r"is not whole: .* First: put tournament --resume"):
        extend(tmp_path / "run", 1, {}, games=20)
    runs.play(resume(tmp_path / "run", 2, {}), unheard)
    assert parts(tmp_path / "run") == parts(tmp_path / "whole")


def test_a_damaged_run_is_not_extended_and_loses_nothing_by_asking(tmp_path: Path) -> None:
    play_run(tmp_path / "run", *FIELD)
    damaged = tmp_path / "run/hands/part-000000.parquet"
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    before = parts(tmp_path / "run")
    with pytest.raises(UsageError, match=r"hands/part-000000.parquet .* First: put tournament"):
        extend(tmp_path / "run", 1, {}, games=20)
    assert parts(tmp_path / "run") == before


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({}, "--extend: expected --games, --add or --until"),
        ({"games": 3}, "--games: mirrored games come in pairs"),
        ({"games": 0}, "--games: expected a number from 1"),
        ({"join": ["random"]}, "random is given twice"),
        ({"join": ["nobody"]}, "there is no strategy 'nobody'"),
        ({"until": Precision(elo=900.0, games=100)}, "is within ±900 Elo already"),
    ],
)
def test_what_cannot_be_added_is_refused_and_nothing_changes(
    tmp_path: Path, what: dict[str, Any], says: str
) -> None:
    play_run(tmp_path / "run", *FIELD)
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    with pytest.raises(UsageError, match=says):
        extend(tmp_path / "run", 1, {}, **what)
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before


def test_nobody_joins_a_sample_of_tables(tmp_path: Path) -> None:
    play_run(tmp_path / "run", *FIELD, "bold", tables=4)
    with pytest.raises(UsageError, match=r"--add: .* plays a balanced sample of tables"):
        extend(tmp_path / "run", 1, {}, join=["odds"])
    more(tmp_path / "run", games=20)
    assert rate(tmp_path / "run").games == 4 * 60


def test_nobody_joins_under_a_name_that_would_rename_another(tmp_path: Path) -> None:
    from tests.tournament.runs import write_strategies

    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_strategies(tmp_path / name)
    play_run(tmp_path / "run", "random", str(tmp_path / "a" / "mixed.py"))
    with pytest.raises(UsageError, match=r"calls a strategy mixed, which would be a/mixed beside"):
        extend(tmp_path / "run", 1, {}, join=[str(tmp_path / "b" / "mixed.py")])


def test_tables_of_three_are_extended_as_well(tmp_path: Path) -> None:
    field = ("random", "thrifty", "highest", "bold")
    play_run(tmp_path / "run", *field, rules="three-handed", games=30)
    more(tmp_path / "run", games=31, join=["odds"])  # made up to what gives everybody every chair
    assert rate(tmp_path / "run").games == 10 * 63


# Until ratings are precise.


def until(run: Path, elo: float = 12, games: int = 4000, **settings: Any) -> runs.Prepared:
    return runs.prepare(
        Settings(
            strategies=("random", "thrifty", "highest", "odds"),
            rules=find_ruleset(settings.pop("rules", "cotton")),
            games=games,
            seed=3,
            match_games=10,
            log="none",
            out=run,
            until=Precision(elo=elo, games=games),
            **settings,
        )
    )


def widths(run: Path) -> list[float]:
    return [
        (line.high - line.low) / 2
        for line in rate(run).strategies
        if line.low is not None and line.high is not None
    ]


def test_play_goes_on_until_every_interval_is_as_narrow_as_asked(tmp_path: Path) -> None:
    steps: list[precision.Step] = []
    finished = runs.play(until(tmp_path / "run"), unheard, steps.append)
    assert steps
    assert max(widths(tmp_path / "run")) <= 12
    assert "Every interval is within ±12 Elo" in " ".join(finished.standings.sentences)
    made = manifest.read(tmp_path / "run")
    schedule = rounds.read(made)
    assert schedule.total_games == finished.standings.games
    # Without the last step it was not enough.
    last = len(steps[-1].plans)
    assert schedule.rounds[-last:] != schedule.rounds[:last]
    assert runs._next_step(tmp_path / "run").plans == ()


def test_whoever_plays_and_whatever_interrupts_the_games_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_shards(monkeypatch, hands=4000)
    runs.play(until(tmp_path / "whole"), unheard)
    whole = parts(tmp_path / "whole")
    runs.play(until(tmp_path / "two", workers=2), unheard)
    assert parts(tmp_path / "two") == whole

    prepared = until(tmp_path / "run")
    for stop_after in itertools.count(1, 2):
        heard = iter(range(stop_after))

        def stop(_result: Any, heard: Any = heard) -> None:
            if next(heard, None) is None:
                raise KeyboardInterrupt

        try:
            runs.play(prepared, stop)
            break
        except KeyboardInterrupt:
            prepared = resume(tmp_path / "run", 1, {})
    assert parts(tmp_path / "run") == whole
    assert len(manifest.read(tmp_path / "run").rounds) > 1


def test_games_go_to_the_close_tables_of_who_is_uncertain(tmp_path: Path) -> None:
    runs.play(until(tmp_path / "run", elo=12), unheard)
    made = manifest.read(tmp_path / "run")
    first = next(each for each in made.rounds if each["chosen"])
    chosen = {table_members(number, 2) for number in first["chosen"]}
    everything = set(rounds.read(made).all_tables())
    assert chosen < everything
    scores = {
        tuple(sorted((line.a, line.b))): abs((line.score_a or 0) - 0.5)
        for line in rate(tmp_path / "run").pairings
    }
    names = made.names
    near = [scores[tuple(sorted((names[i], names[j])))] for i, j in chosen]
    far = [scores[tuple(sorted((names[i], names[j])))] for i, j in everything - chosen]
    assert sum(near) / len(near) < sum(far) / len(far)


def test_the_most_games_end_it_and_that_is_said(tmp_path: Path) -> None:
    finished = runs.play(until(tmp_path / "run", elo=1, games=500), unheard)
    told = " ".join(finished.standings.sentences)
    assert "Not every interval is within ±1 Elo: the widest is ±" in told
    assert "More than 500 games of a pairing or table were not asked for." in told
    assert all(line.games == 500 for line in finished.standings.pairings)


def test_who_has_only_a_bound_is_not_waited_for(tmp_path: Path) -> None:
    saint = tmp_path / "saint.py"
    saint.write_text(
        "from put_cli import PUT, SEE, Strategy\n"
        "class Saint(Strategy):\n"
        "    def act(self, view):\n"
        "        return 99\n"  # never legal: it loses every game
    )
    prepared = runs.prepare(
        Settings(
            strategies=("random", "thrifty", str(saint)),
            rules=find_ruleset("cotton"),
            games=2000,
            seed=3,
            match_games=10,
            log="none",
            out=tmp_path / "run",
            until=Precision(elo=20, games=2000),
            max_faults=10**6,
        )
    )
    finished = runs.play(prepared, unheard)
    assert max(widths(tmp_path / "run")) <= 20
    told = " ".join(finished.standings.sentences)
    assert "saint: won or lost all games against some others, so there is only a bound" in told
    lost = [line for line in finished.standings.pairings if "saint" in (line.a, line.b)]
    assert all(line.games == 400 for line in lost)


def test_who_joins_a_run_of_that_kind_is_rated_as_precisely(tmp_path: Path) -> None:
    runs.play(until(tmp_path / "run", elo=15), unheard)
    more(tmp_path / "run", join=["bold"])
    assert max(widths(tmp_path / "run")) <= 15
    assert len(widths(tmp_path / "run")) == 5
    more(tmp_path / "run", until=Precision(elo=13, games=4000))
    assert max(widths(tmp_path / "run")) <= 13
    more(tmp_path / "run", games=20)  # at every table, however many it has
    assert "Elo" not in " ".join(rate(tmp_path / "run").sentences[-1:])


def test_tables_of_three_are_played_until_they_are_precise(tmp_path: Path) -> None:
    runs.play(until(tmp_path / "run", elo=20, games=3000, rules="three-handed"), unheard)
    assert max(widths(tmp_path / "run")) <= 20


@pytest.mark.parametrize("elo", [0, -1, 0.01, 1e9, float("nan")])
def test_a_precision_that_cannot_be_is_refused(elo: float) -> None:
    with pytest.raises(UsageError, match="--until: expected Elo from"):
        Precision(elo=elo, games=100)


# A manifest may come from anybody.


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"chosen": [5, 1]}, r"rounds\[1\]: expected numbers of tables in rising order"),
        ({"chosen": ["a"]}, r"rounds\[1\]: "),
        ({"chosen": [99]}, r"rounds\[1\]: expected numbers of tables"),
        ({"first_block": -1}, r"rounds\[1\]: expected a first block from 0"),
        ({"newcomers_from": 7}, r"rounds\[1\]: expected a first block from 0 and newcomers"),
        ({"units_per_shard": 0}, r"rounds\[1\]: units_per_shard: expected at least 1"),
        ({"shards": 7}, r"rounds: shards: expected"),
        ({"strategies": 9}, r"rounds: strategies: expected"),
        ({"until": {"elo": 0}}, r"rounds: until: "),
    ],
)
def test_rounds_that_cannot_be_are_told_by_their_place(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    run = tmp_path / "run"
    play_run(run, *FIELD)
    more(run, games=20)
    data = dict(manifest.read(run).data)
    manifest.write(run, {**data, "rounds": [data["rounds"][0], data["rounds"][1] | change]})
    with pytest.raises(RunError, match=says):
        rate(run)


def test_rounds_number_their_shards_and_blocks_through() -> None:
    rules = find_ruleset("cotton")
    plans = [
        Plan(strategies=3, games=50, match_games=10),
        Plan(strategies=3, games=40, match_games=10, first_block=3),
        Plan(strategies=5, games=50, match_games=10, newcomers_from=3),
        Plan(strategies=5, games=40, match_games=10, newcomers_from=3, first_block=3),
        Plan(strategies=5, games=20, match_games=10, first_block=5, chosen=(0, 7, 9)),
    ]
    names = list("abcde")
    schedule = rounds.Schedule(
        tuple(rounds.Round.of(Shards(plan, 3), rules, 1, names) for plan in plans)
    )
    listed = [fixture for shard in range(len(schedule)) for fixture in schedule.fixtures(shard)]
    keys = [(each.pairing, each.block, each.mirror) for each in listed]
    assert len(set(keys)) == len(keys)
    assert sum(each.games for each in listed) == schedule.total_games == 10 * 90 + 3 * 20
    assert {pairing for pairing, _, _ in keys} == set(range(10))
    for shard in range(len(schedule)):
        for each in schedule.fixtures(shard):
            assert schedule.place_of(each.pairing, each.block) == (shard, each.games)
    assert schedule.place_of(1, 5) is None
    assert schedule.place_of(7, 5) is not None
    assert [table_members(n, 2) for n in range(10)] == schedule.all_tables()
    assert schedule.played()[7] == (6, 110)
    assert schedule.played()[1] == (5, 90)
    assert schedule.games is None
    assert len({each.fingerprint for each in schedule.rounds}) == 5

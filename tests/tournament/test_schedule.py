"""The schedule: every game once, everybody in every chair, and balanced samples of tables."""

from collections import Counter
from itertools import combinations, product
from math import ceil, comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.errors import UsageError
from put_cli.rules.finding import find_ruleset
from put_cli.stats.tally import table_members, table_number, table_numbers
from put_cli.tournament.sampling import balanced_tables
from put_cli.tournament.schedule import Plan, Shards, seatings, whole_games


@pytest.mark.parametrize(
    ("strategies", "sides", "games", "match_games", "tables"),
    [
        (2, 2, 2, 1, None),
        (5, 2, 46, 10, None),
        (9, 2, 8, 3, 17),
        (4, 3, 30, 4, None),
        (7, 4, 48, 5, 9),
        (6, 6, 60, 3, None),
    ],
)
@pytest.mark.parametrize("mirror", [True, False])
@pytest.mark.parametrize("per_shard", [1, 2, 7, 1000])
def test_the_shards_of_a_plan_hold_every_game_once_and_blocks_whole(
    strategies: int,
    sides: int,
    games: int,
    match_games: int,
    tables: int | None,
    mirror: bool,
    per_shard: int,
) -> None:
    plan = Plan(
        strategies=strategies,
        games=games,
        match_games=match_games,
        mirror=mirror,
        sides=sides,
        tables=tables,
    )
    shards = Shards(plan, per_shard)
    listed = [fixture for shard in range(len(shards)) for fixture in shards.fixtures(shard)]
    keys = [(f.pairing, f.block, f.mirror) for f in listed]
    assert keys == sorted(set(keys))
    by_table = Counter[int]()
    for fixture in listed:
        by_table[fixture.pairing] += fixture.games
        assert 0 < fixture.games <= match_games
        assert tuple(sorted(fixture.seating)) == table_members(fixture.pairing, sides)
        assert sorted(fixture.chairs) == sorted(fixture.seating)
    assert by_table == {table_number(table): games for table in plan.all_tables()}
    assert plan.total_games == games * plan.table_count == games * len(by_table)
    for shard in range(len(shards)):
        for fixture in shards.fixtures(shard):
            place = plan.place_of(fixture.pairing)
            assert place is not None
            assert plan.table(place) == (fixture.pairing, tuple(sorted(fixture.seating)))
            assert shards.shard_of(place, fixture.block) == shard
    assert plan.place_of(comb(strategies, sides)) is None


def test_tables_are_numbered_without_gaps_as_strategies_are_added() -> None:
    for sides in range(2, 7):
        numbers = [table_number(table) for table in combinations(range(9), sides)]
        assert sorted(numbers) == list(range(comb(9, sides)))
        for field in range(sides, 10):
            few = [table_number(table) for table in combinations(range(field), sides)]
            assert sorted(few) == list(range(comb(field, sides)))
    assert [table_number((i, j)) for j in range(4) for i in range(j)] == list(range(6))


@given(st.sets(st.integers(0, 500), min_size=2, max_size=6))
def test_the_members_of_a_table_can_be_told_from_its_number(members: set[int]) -> None:
    table = tuple(sorted(members))
    assert table_members(table_number(table), len(table)) == table


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 6])
def test_in_every_block_everybody_has_every_chair(sides: int) -> None:
    plan = Plan(strategies=sides, games=sides * 20, match_games=4, sides=sides)
    chairs = Counter[tuple[int, int]]()
    for fixture in Shards(plan, 1000).fixtures(0):
        for chair, strategy in enumerate(fixture.chairs):
            chairs[strategy, chair] += fixture.games
    assert chairs == dict.fromkeys(product(range(sides), repeat=2), 20)


@pytest.mark.parametrize(("sides", "ahead"), [(3, 1), (4, 2), (5, 4), (6, 7)])
def test_everybody_sits_to_the_left_of_everybody_equally_often(sides: int, ahead: int) -> None:
    orders = seatings(tuple(range(sides)))
    assert len(orders) == len(set(orders)) == factorial(sides - 1)
    left = Counter[tuple[int, int]]()
    for order in orders:
        assert order[0] == 0
        for chair in range(sides):
            left[order[chair - 1], order[chair]] += 1
        seen = [left[pair] for pair in product(range(sides), repeat=2) if pair[0] != pair[1]]
        assert max(seen) - min(seen) <= ahead  # after few blocks too
    assert len({left[pair] for pair in left}) == 1


@pytest.mark.parametrize(
    ("games", "sides", "says"),
    [
        (7, 2, "mirrored games come in pairs, so expected an even number, got 7. Use 8, or --no"),
        (
            10_000,
            3,
            "sets of 3, one for each chair, so expected a multiple of 3, got 10000. Use 10",
        ),
        (5, 6, "expected a multiple of 6, got 5. Use 6, or --no-mirror"),
    ],
)
def test_games_that_mirroring_cannot_divide_are_refused(games: int, sides: int, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Plan(strategies=6, games=games, sides=sides)
    Plan(strategies=6, games=games, sides=sides, mirror=False)
    Plan(strategies=6, games=whole_games(games, sides), sides=sides)


def test_a_table_needs_as_many_strategies_as_it_seats() -> None:
    with pytest.raises(UsageError, match="a table seats 4, so expected at least 4 strategies, got"):
        Plan(strategies=3, games=4, sides=4)


@pytest.mark.parametrize("tables", [0, 2, 57])
def test_a_sample_that_leaves_somebody_out_or_has_more_than_there_are_is_refused(
    tables: int,
) -> None:
    says = f"with 8 strategies, 3 at a table, expected a number from 3 to 56, got {tables}"
    with pytest.raises(UsageError, match=says):
        Plan(strategies=8, games=3, sides=3, tables=tables)


@st.composite
def samples(draw: st.DrawFn) -> tuple[int, int, int]:
    """Strategies, sides and a number of tables that seats everybody."""
    sides = draw(st.integers(2, 6))
    strategies = draw(st.integers(sides, 11))
    least = ceil(strategies / sides)
    return strategies, sides, draw(st.integers(least, comb(strategies, sides)))


@given(samples())
def test_in_a_sample_everybody_plays_as_often_as_everybody_give_or_take_one(
    sample: tuple[int, int, int],
) -> None:
    strategies, sides, count = sample
    tables = balanced_tables(strategies, sides, count)
    assert len(tables) == len(set(tables)) == count
    assert tables == sorted(tables, key=table_number)
    assert all(list(table) == sorted(set(table)) and len(table) == sides for table in tables)
    played = Counter(strategy for table in tables for strategy in table)
    assert set(played) == set(range(strategies))
    assert max(played.values()) - min(played.values()) <= 1


def test_meetings_of_a_sample_are_spread_as_well() -> None:
    tables = balanced_tables(20, 3, 190)
    met = Counter(pair for table in tables for pair in combinations(table, 2))
    assert len(met) == comb(20, 2)
    assert max(met.values()) - min(met.values()) <= 4  # 3 on average


def test_a_sample_is_the_same_every_time_and_all_tables_are_a_sample_too() -> None:
    assert balanced_tables(12, 4, 30) == balanced_tables(12, 4, 30)
    everything = Plan(strategies=7, games=3, sides=3).all_tables()
    assert Plan(strategies=7, games=3, sides=3, tables=35).all_tables() == everything
    assert everything == sorted(combinations(range(7), 3), key=table_number)


def test_the_shards_of_a_plan_do_not_depend_on_workers_or_tiers() -> None:
    plan = Plan(strategies=30, games=10_000)
    shards = Shards.of(plan, find_ruleset("cotton"))
    assert shards == Shards.of(plan, find_ruleset("cotton"))
    assert 400 <= shards.units_per_shard <= 450  # of 200 games with 6 expected hands: 500,000
    assert len(Shards.of(Plan(strategies=2, games=2), find_ruleset("truc"))) == 1


def test_fingerprints_tell_plans_rules_seeds_and_fields_apart() -> None:
    plan, cotton = Plan(strategies=4, games=12), find_ruleset("cotton")
    prints = [
        Shards(plan, 5).fingerprint(cotton, 1, ["a", "b"]),
        Shards(plan, 5).fingerprint(cotton, 2, ["a", "b"]),
        Shards(plan, 5).fingerprint(cotton, 1, ["b", "a"]),
        Shards(plan, 5).fingerprint(find_ruleset("cotton(target=7)"), 1, ["a", "b"]),
        Shards(plan, 5).fingerprint(find_ruleset("cotton(misdeals=0.1)"), 1, ["a", "b"]),
        Shards(Plan(strategies=4, games=24), 5).fingerprint(cotton, 1, ["a", "b"]),
        Shards(Plan(strategies=4, games=12, mirror=False), 5).fingerprint(cotton, 1, ["a", "b"]),
        Shards(Plan(strategies=4, games=12, sides=3), 5).fingerprint(cotton, 1, ["a", "b"]),
        Shards(Plan(strategies=4, games=12, tables=6), 5).fingerprint(cotton, 1, ["a", "b"]),
        Shards(Plan(strategies=4, games=12, tables=5), 5).fingerprint(cotton, 1, ["a", "b"]),
    ]
    assert len(set(prints)) == len(prints)
    assert prints[0] == Shards(plan, 5).fingerprint(find_ruleset("cotton"), 1, ["a", "b"])


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("newcomers", [0, 1, 3, 5])
def test_all_tables_are_those_of_their_numbers(sides: int, newcomers: int) -> None:
    plan = Plan(strategies=6, games=12, sides=sides, newcomers_from=newcomers)
    tables = plan.all_tables()
    assert tables == [plan.table(place)[1] for place in range(plan.table_count)]
    assert table_numbers(np.array(tables)).tolist() == [table_number(each) for each in tables]
    assert all(max(table) >= newcomers for table in tables)

"""What is played, as arithmetic: shards hold every game once, fingerprints tell plans apart."""

from collections import Counter

import pytest

from put_cli.rules.ruleset import find_ruleset
from put_cli.tournament.schedule import Plan, Shards, pair_of


@pytest.mark.parametrize(
    ("strategies", "games", "match_games"), [(2, 2, 1), (5, 46, 10), (9, 8, 3)]
)
@pytest.mark.parametrize("mirror", [True, False])
@pytest.mark.parametrize("per_shard", [1, 2, 7, 1000])
def test_the_shards_of_a_plan_hold_every_game_once_and_blocks_whole(
    strategies: int, games: int, match_games: int, mirror: bool, per_shard: int
) -> None:
    plan = Plan(strategies=strategies, games=games, match_games=match_games, mirror=mirror)
    shards = Shards(plan, per_shard)
    listed = [fixture for shard in range(len(shards)) for fixture in shards.fixtures(shard)]
    keys = [(f.pairing, f.block, f.mirror) for f in listed]
    assert keys == sorted(set(keys))
    by_pairing = Counter[int]()
    for fixture in listed:
        by_pairing[fixture.pairing] += fixture.games
        assert 0 < fixture.games <= match_games
        assert (fixture.a, fixture.b) == plan.pairs()[fixture.pairing] == pair_of(fixture.pairing)
    assert by_pairing == dict.fromkeys(range(plan.pairings), games)
    assert plan.total_games == games * plan.pairings
    for shard in range(len(shards)):
        for fixture in shards.fixtures(shard):
            assert shards.shard_of(fixture.pairing, fixture.block) == shard


def test_the_shards_of_a_plan_do_not_depend_on_workers_or_tiers() -> None:
    plan = Plan(strategies=30, games=10_000)
    shards = Shards.of(plan, find_ruleset("cotton"))
    assert shards == Shards.of(plan, find_ruleset("cotton"))
    assert 400 <= shards.units_per_shard <= 450  # of 200 games with 6 expected hands: 500,000
    assert len(Shards.of(Plan(strategies=2, games=2), find_ruleset("truc"))) == 1


def test_fingerprints_tell_plans_rules_seeds_and_fields_apart() -> None:
    plan, cotton = Plan(strategies=2, games=10), find_ruleset("cotton")
    prints = [
        plan.fingerprint(cotton, 1, ["a", "b"]),
        plan.fingerprint(cotton, 2, ["a", "b"]),
        plan.fingerprint(cotton, 1, ["b", "a"]),
        plan.fingerprint(find_ruleset("cotton(target=7)"), 1, ["a", "b"]),
        Plan(strategies=2, games=12).fingerprint(cotton, 1, ["a", "b"]),
        Plan(strategies=2, games=10, mirror=False).fingerprint(cotton, 1, ["a", "b"]),
    ]
    assert len(set(prints)) == len(prints)
    assert prints[0] == plan.fingerprint(find_ruleset("cotton"), 1, ["a", "b"])

import json
from math import log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from put_cli.errors import UsageError
from put_cli.stats.standings import standings
from put_cli.stats.tally import COUNTS, columns, table_number
from tests.stats.tallies import all_pairs, mirrored, single_games, table, tables_of

NAMES = ("fox", "hen", "owl")
PUTTING = table(
    [
        {
            "pairing": 0,
            "games": 10,
            "wins_a": 6,
            "wins_b": 4,
            "dealt_a": 5,
            "dealt_wins_a": 4,
            "hands": 80,
            "drawn": 8,
            "points_a": 40,
            "points_b": 24,
            "puts_a": 20,
            "puts_b": 10,
            "seen_a": 12,
            "seen_b": 4,
            "declined_a": 8,
            "declined_b": 6,
            "lost_a": 3,
            "lost_b": 0,
            "faults_b": 1,
            "forfeits_b": 2,
        }
    ]
)


def of(rows, names=NAMES, memory=False):
    n = len(names)
    return standings([rows], names=names, memory=[memory] * n, pairs=all_pairs(n))


def words(result):
    return " ".join(result.sentences)


def test_a_strategy_is_described_by_its_own_doings():
    fox, hen = of(PUTTING, NAMES[:2]).strategies
    assert (fox.name, fox.rank, hen.name, hen.rank) == ("fox", 1, "hen", 2)
    assert (fox.games, fox.wins, fox.losses, fox.score) == (10, 6, 4, 0.6)
    assert fox.points_per_hand == pytest.approx(0.2) == -hen.points_per_hand
    assert (fox.puts_per_hand, fox.puts_seen, fox.puts_declined) == (0.25, 0.6, 0.4)
    assert (fox.puts_lost, hen.puts_lost) == (0.25, 0)
    assert (fox.puts_thrown_to, hen.puts_thrown_to) == (0.6, 0.4)
    assert (hen.faults, hen.forfeits, fox.faults, fox.forfeits) == (1, 2, 0, 0)
    assert fox.rating - hen.rating == pytest.approx(400 * log10(6 / 4))


def test_the_first_dealer_is_credited_with_the_games_either_won_when_dealing():
    # fox won 4 of the 5 it dealt; hen dealt the other 5 and fox won 2 of them.
    assert of(PUTTING, NAMES[:2]).first_dealer_score == pytest.approx((4 + 3) / 10)


def test_shares_of_nothing_are_null():
    hen = of(single_games(np.array([[0, 1], [1, 0]])), NAMES[:2]).plain()["strategies"][1]
    for key in ("points_per_hand", "puts_per_hand", "puts_seen", "puts_lost", "puts_thrown_to"):
        assert hen[key] is None


def test_equal_ratings_share_a_rank():
    rows = mirrored({(0, 1): (5, 10, 5), (0, 2): (2, 6, 12), (1, 2): (2, 6, 12)})
    assert [line.rank for line in of(rows).strategies] == [1, 1, 3]


def test_an_interval_lies_about_its_rating_and_a_bound_is_open():
    rows = mirrored({(0, 1): (20, 30, 50), (0, 2): (0, 0, 100), (1, 2): (0, 0, 100)})
    fox, hen, owl = of(rows).strategies
    assert fox.low < fox.rating < fox.high
    assert fox.rating + hen.rating == pytest.approx(3000)
    assert (owl.bound, owl.low, owl.high) == ("at most", None, owl.rating)
    assert owl.plain()["interval"] == [None, round(owl.rating, 2)]
    assert "owl won no game against anyone rated above it" in words(of(rows))


def test_intervals_follow_the_pairs_and_not_the_games():
    def width(cells):
        line = of(mirrored({(0, 1): cells}), NAMES[:2]).strategies[0]
        return line.high - line.low

    assert width((100, 0, 100)) > 1.3 * width((50, 100, 50)) > 1.3 * width((5, 190, 5))


def test_the_order_of_the_rows_does_not_matter():
    rows = mirrored({(0, 1): (5, 10, 5), (0, 2): (2, 6, 12), (1, 2): (3, 6, 12)})
    shuffled = {name: column[[4, 1, 5, 0, 3, 2]] for name, column in rows.items()}
    assert of(shuffled).plain() == of(rows).plain()


def test_a_pairing_carries_every_count_under_its_name_in_the_tallies():
    line = of(PUTTING, NAMES[:2]).pairings[0].plain()
    assert {column.name for column in COUNTS} <= line.keys()
    assert (line["a"], line["b"], line["score_a"], line["drawn"]) == ("fox", "hen", 0.6, 8)
    assert line["interval"][0] < 0.6 < line["interval"][1]
    assert line["units"] == {"kind": "games", "count": 10}


def test_a_score_stays_between_0_and_1_and_is_never_certain():
    line = of(mirrored({(0, 1): (0, 0, 30)}), NAMES[:2]).pairings[0]
    assert line.score_a == 1
    assert 0.8 < line.low < 1 == line.high


def test_strategies_that_cannot_be_told_apart_are_named():
    rows = mirrored({(0, 1): (26, 50, 24), (0, 2): (1, 9, 90), (1, 2): (1, 9, 90)})
    text = words(of(rows))
    assert "cannot tell apart" in text
    assert "hen and fox (" in text
    assert "owl" not in text


def test_clear_differences_are_called_clear():
    rows = mirrored({(0, 1): (10, 200, 800), (0, 2): (10, 100, 900), (1, 2): (100, 200, 700)})
    assert words(of(rows)).startswith("Every estimate is told apart from the next")


def test_few_units_are_owned_up_to():
    assert "Fewer than 20 independent units" in words(of(mirrored({(0, 1): (3, 4, 5)}), NAMES[:2]))
    assert "Fewer" not in words(of(mirrored({(0, 1): (30, 40, 50)}), NAMES[:2]))


def test_a_single_block_is_owned_up_to():
    rows = mirrored({(0, 1): (30, 40, 50)})
    assert "A single independent unit" in words(of(rows, NAMES[:2], memory=True))


def test_pairings_that_never_met_are_named():
    rows = mirrored({(0, 1): (30, 40, 50), (1, 2): (30, 40, 50)})
    assert "Pairings without a game: fox - owl." in of(rows).sentences


def test_strategies_out_of_reach_are_named_and_stand_last():
    result = of(mirrored({(1, 2): (30, 40, 50)}))
    assert [line.name for line in result.strategies] == ["hen", "owl", "fox"]
    assert (result.strategies[2].rank, result.strategies[2].rating) == (None, None)
    assert "These games do not compare fox with the rated strategies." in result.sentences


def test_one_game_leaves_an_anchor_and_a_bound_that_overlaps_it():
    winner, loser = of(single_games(np.array([[0, 0], [1, 0]])), NAMES[:2]).strategies
    assert (winner.name, winner.rating, winner.low, winner.high) == ("hen", 1500, None, None)
    assert (loser.bound, loser.rank) == ("at most", 2)
    text = words(of(single_games(np.array([[0, 0], [1, 0]])), NAMES[:2]))
    assert "The scale starts from hen" in text
    assert "too few games to tell the order" in text


def test_games_lost_unplayed_are_named():
    assert "Games lost unplayed, counted as losses: hen (2)." in of(PUTTING, NAMES[:2]).sentences


def test_no_games_are_no_ratings():
    result = of(table([]))
    assert result.sentences == ("No games were played, so there are no ratings.",)
    assert [line.rank for line in result.strategies] == [None] * 3


def test_long_lists_of_pairings_are_cut_to_a_count():
    names = [f"s{i}" for i in range(6)]
    rows = mirrored({(0, 1): (30, 40, 50)})
    assert "and 8 more" in words(of(rows, names))


def blocks_of(seed=1, count=30, games=40, n=3, share=0.5):
    """Blocks of a field of n in which every pairing is even, or leans to its first."""
    rng = np.random.default_rng(seed)
    rows = []
    for pairing in range(n * (n - 1) // 2):
        for block, won in enumerate(rng.binomial(games, share, count)):
            row = {"pairing": pairing, "block": block, "games": games, "dealt_a": games // 2}
            half = int(won) // 2
            rows.append(row | {"wins_a": won, "wins_b": games - won, "dealt_wins_a": half})
    return table(rows)


def test_the_differences_of_all_estimates_come_with_their_errors():
    result = of(blocks_of(share=0.6))
    assert [(d.upper, d.lower) for d in result.differences] == [
        ("fox", "hen"),
        ("fox", "owl"),
        ("hen", "owl"),
    ]
    rating = {line.name: line.rating for line in result.strategies}
    for each in result.differences:
        assert each.points == pytest.approx(rating[each.upper] - rating[each.lower])
        assert each.margin == pytest.approx(2.045 * each.error, rel=1e-3)  # Student, 30 blocks
        assert 0.5 < each.superiority < 1


def test_strategies_that_are_alike_form_a_group():
    assert sorted(of(blocks_of()).groups[0]) == ["fox", "hen", "owl"]
    assert of(blocks_of(share=0.7)).groups == ()


def test_an_anchor_sets_the_scale_and_intervals_are_of_the_difference_from_it():
    rows = blocks_of(share=0.6)
    free = standings([rows], names=NAMES, memory=[False] * 3, pairs=all_pairs(3))
    tied = standings(
        [rows], names=NAMES, memory=[False] * 3, pairs=all_pairs(3), anchor=("hen", 2000.0)
    )
    shift = {a.rating - b.rating for a, b in zip(tied.strategies, free.strategies, strict=True)}
    assert max(shift) == pytest.approx(min(shift))
    fox, hen, owl = tied.strategies
    assert (hen.rating, hen.low, hen.high) == (2000, None, None)
    margin = {(d.upper, d.lower): d.margin for d in tied.differences}
    assert fox.high - fox.rating == pytest.approx(margin["fox", "hen"])
    assert owl.high - owl.rating == pytest.approx(margin["hen", "owl"])
    assert "Ratings are set so that hen has 2000" in words(tied)


def test_an_anchor_must_be_a_strategy_with_an_estimate():
    def anchored(rows, name):
        standings(
            [rows], names=NAMES, memory=[False] * 3, pairs=all_pairs(3), anchor=(name, 1500.0)
        )

    with pytest.raises(UsageError, match=r"no strategy 'hem' in this run\. Did you mean 'hen'"):
        anchored(blocks_of(), "hem")
    rows = mirrored({(0, 1): (20, 30, 50), (0, 2): (0, 0, 100), (1, 2): (0, 0, 100)})
    with pytest.raises(UsageError, match="'owl' has no rating estimate"):
        anchored(rows, "owl")


def circle(games=1000):
    """fox beats hen, hen beats owl, owl beats fox, 70 to 30, in pairs of games."""
    sure, slim = (
        (games // 10, games // 2, 4 * games // 10),
        (4 * games // 10, games // 2, games // 10),
    )
    return mirrored({(0, 1): sure, (1, 2): sure, (0, 2): slim})


def test_a_circle_is_told_with_its_scores():
    result = of(circle())
    assert result.pattern.circle_count == 1
    assert (
        "Nobody is best among fox, hen and owl: fox beats hen (65.0 %), hen beats owl (65.0 %), "
        "owl beats fox (65.0 %)." in words(result)
    )
    assert result.plain()["pattern"]["circles"][0][0] == {"name": "fox", "score": 0.65}


def test_the_pairing_that_ratings_tell_worst_is_named_from_the_side_of_whom_they_wrong():
    text = words(of(circle()))
    assert "Ratings miss the score of a pairing by 15.0 % of the games, typically" in text
    assert "which won 65.0 % against" in text
    assert "where 50.0 % was to be expected" in text


def test_chance_is_told_neither_as_misfit_nor_as_a_circle():
    text = words(of(mirrored({(0, 1): (4, 10, 6), (1, 2): (4, 10, 6), (0, 2): (6, 10, 4)})))
    assert "miss the score" not in text
    assert "Nobody is best" not in text


def test_two_strategies_have_no_pattern():
    assert of(PUTTING, NAMES[:2]).pattern is None


def test_a_group_of_three_is_told_from_first_to_last():
    text = words(of(mirrored(dict.fromkeys(all_pairs(3), (26, 50, 24)))))
    assert "owl, hen and fox (" in text
    assert "points from first to last)" in text


def test_few_blocks_of_shared_deals_are_owned_up_to():
    assert "in a single block" in words(of(blocks_of(count=1)))
    assert "in 7 blocks" in words(of(blocks_of(count=7)))
    assert "blocks" not in words(of(blocks_of(count=20)))
    assert "blocks" not in words(of(blocks_of(n=2, count=1), NAMES[:2]))


def test_the_worth_of_the_first_deal_is_told():
    deal = of(blocks_of()).first_deal
    assert -15 < deal.low < deal.points < deal.high < 0  # of an odd win, less than half is dealt
    assert of(blocks_of()).plain()["first_deal"] == deal.plain()
    assert f"To deal first is worth {deal.points:.0f} rating points" in words(of(blocks_of()))


def test_tables_of_three_have_standings_too():
    rng = np.random.default_rng(5)
    names = ("fox", "hen", "owl", "jay")
    tables = tables_of(4, 3).tolist()
    rows = []
    for block in range(25):
        for who in tables:
            won = rng.multinomial(
                30, np.array([4, 3, 2, 1])[who] / sum((4, 3, 2, 1)[i] for i in who)
            )
            row = dict.fromkeys((column.name for column in columns(3)), 0)
            row |= {"pairing": table_number(who), "block": block, "games": 30}
            row |= {f"wins_{place}": k for place, k in zip("abc", won, strict=True)}
            rows.append(row | {"hands": 300, "drawn": 20, "points_a": 9})
    part = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    result = standings([part], names=names, memory=[False] * 4, pairs=[tuple(t) for t in tables])
    assert [line.name for line in result.strategies] == list(names)
    best, worst = result.strategies[0], result.strategies[-1]
    assert best.rating - worst.rating == pytest.approx(400 * log10(4), abs=60)
    assert best.low < best.rating < best.high
    assert (best.games, best.losses) == (3 * 25 * 30, 3 * 25 * 30 - best.wins)
    assert result.pairings == ()
    assert result.tables[0].names == ("fox", "hen", "owl")
    assert sum(result.tables[0].scores) == pytest.approx(1)
    assert result.first_deal is None
    json.dumps(result.plain(), allow_nan=False)


@settings(deadline=None)
@given(
    st.integers(1, 5),
    st.lists(st.tuples(*[st.one_of(st.just(0), st.integers(0, 40))] * 3), min_size=10, max_size=10),
    st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_whatever_the_pairs_every_figure_is_finite(n, cells, memory):
    pairs = all_pairs(n)
    played = {pair: cell for pair, cell in zip(pairs, cells, strict=False) if sum(cell)}
    names = [f"s{i}" for i in range(n)]
    result = standings([mirrored(played)], names=names, memory=memory[:n], pairs=pairs)
    json.dumps(result.plain(), allow_nan=False)
    for line in result.strategies:
        if line.low is not None and line.high is not None:
            assert line.low < line.rating < line.high

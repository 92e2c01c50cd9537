"""The luck of the deal: mean zero by construction, and results without it stay what they are."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import t as student

from put_cli.rules.cards import PACKS, Pack
from put_cli.rules.finding import find_ruleset
from put_cli.stats.deal_luck import FOLDS, DealLuck, Games
from put_cli.stats.deals import DealClasses
from tests.stats.lucky_games import Contest

RULES = find_ruleset("cotton(target=3, pack=short28)")


def learnt(games: Games, rules=RULES, tables=1) -> DealLuck:
    luck = DealLuck(rules, tables)
    luck.count(games)
    luck.learn(games)
    return luck


@pytest.mark.parametrize(
    ("rules", "hands"), [("cotton", 455), ("truc", 120), ("cotton(pack=short28)", 84)]
)
def test_hands_and_ways_are_those_of_the_pack(rules, hands):
    classes = DealClasses(find_ruleset(rules))
    assert len(classes.hands) == hands
    size = find_ruleset(rules).cards.size
    drawn = np.prod([size - n for n in range(6)]) // 36  # 3 of all, then 3 of the rest
    assert classes.ways.sum() == drawn
    assert classes.chance.sum() == pytest.approx(1)


def test_the_chances_of_classes_are_those_of_all_deals_of_a_tiny_pack(monkeypatch):
    monkeypatch.setitem(PACKS, "full52", Pack(name="full52", ranks="32A", copies=3))
    classes = DealClasses(find_ruleset("cotton"))
    pack = [card for card in (1, 2, 3) for _ in range(3)]
    counted = np.zeros(len(classes.chance))
    for dealt in permutations(range(9), 6):
        held = [sorted((pack[n] for n in part), reverse=True) for part in (dealt[:3], dealt[3:])]
        hands = [classes.number[classes.rules.cards.text(tuple(cards))] for cards in held]
        counted[classes.of[tuple(hands)]] += 1
    assert classes.chance == pytest.approx(counted / counted.sum())
    coarse = [counted[classes.coarse == c].sum() for c in range(len(classes.coarse_chance))]
    assert classes.coarse_chance == pytest.approx(np.array(coarse) / counted.sum())


def test_what_deals_are_worth_has_mean_zero_over_all_deals_whatever_was_learnt():
    luck = learnt(Contest(rules=RULES, tables=1, deals=40).play(DealClasses(RULES), seed=1))
    fine, coarse = luck.worth
    classes = luck.classes
    dealt = classes.ways / classes.ways.sum()
    assert np.abs(fine).max() > 0.05
    for fold in range(FOLDS):
        for state in range(coarse.shape[2]):
            each = fine[0, fold, state % 2][classes.of]
            each = each + coarse[0, fold, state][classes.coarse[classes.of]]
            assert (dealt * each).sum() == pytest.approx(0, abs=1e-12)


def test_what_a_fold_is_told_is_not_learnt_from_its_own_games():
    games = Contest(rules=RULES, tables=1, deals=40).play(DealClasses(RULES), seed=2)
    turned = Games(**{**vars(games), "won": np.where(games.fold == 3, 1 - games.won, games.won)})
    before, after = learnt(games).of(games), learnt(turned).of(turned)
    own = games.fold == 3
    assert np.array_equal(before[own], after[own])
    assert not np.allclose(before[~own], after[~own])


def by_deal(contest: Contest, values) -> np.ndarray:
    """(T, units): means of values of the games (G,) over each deal, or block with moods."""
    shape = (contest.tables, contest.deals, 2)
    means = np.asarray(values, float).reshape(shape).mean(axis=2)
    if contest.moods:
        means = means.reshape(contest.tables, -1, contest.block).mean(axis=2)
    return means


@pytest.mark.long
@pytest.mark.parametrize("moods", [0.0, 0.05], ids=["without memory", "with memory"])
def test_results_without_luck_keep_their_mean_and_their_intervals_hold(moods):
    contest = Contest(rules=RULES, tables=1000, deals=150 if moods else 60, moods=moods)
    games = contest.play(DealClasses(RULES), seed=3)
    luck = learnt(games, tables=contest.tables)
    true = contest.true_score(luck.classes)
    raw = by_deal(contest, games.won)
    adjusted = by_deal(contest, games.won - luck.of(games))
    units = adjusted.shape[1]
    means, errors = adjusted.mean(axis=1), adjusted.std(axis=1, ddof=1) / np.sqrt(units)
    error_of_means = means.std() / np.sqrt(contest.tables)
    if not moods:  # moods bend the true score a little
        assert abs(means.mean() - true) < 3.5 * error_of_means
    assert abs(means.mean() - raw.mean()) < 3.5 * (means - raw.mean(axis=1)).std() / np.sqrt(1000)
    middle = true if not moods else means.mean()
    held = np.abs(means - middle) <= student.ppf(0.975, units - 1) * errors
    assert 0.93 <= held.mean() <= 0.97
    # What is told of the gain, or of a small loss, is what there is.
    told = np.median(adjusted.var(axis=1) / raw.var(axis=1))
    assert told == pytest.approx(means.var() / raw.mean(axis=1).var(), rel=0.15)


def test_the_better_known_the_worth_of_deals_the_smaller_the_variance():
    single, mirrored = [], []
    for deals in (10, 100, 1000):
        contest = Contest(rules=RULES, tables=20, deals=deals, slope=3)
        games = contest.play(DealClasses(RULES), seed=4)
        less = games.won - learnt(games, tables=20).of(games)
        single.append(less.var() / games.won.var())
        mirrored.append(by_deal(contest, less).var() / by_deal(contest, games.won).var())
    assert single == sorted(single, reverse=True)
    assert mirrored == sorted(mirrored, reverse=True)
    assert single[0] < 1
    assert mirrored[0] < 1.03  # of ten deals a little is lost at most
    assert single[-1] < 0.8
    assert single[-1] < mirrored[-1] < 0.95  # mirroring has taken some of the same luck off


def test_how_a_rubber_stands_is_part_of_what_a_deal_is_worth():
    rules = find_ruleset("truc")
    # A rubber a won two to one, of one hand each, and one b won at once.
    games = Games(
        table=np.zeros(2, np.int64),
        deals=np.arange(2),
        fold=np.array([0, 1]),
        won=np.array([1, 0]),
        hands=np.array([3, 2]),
        a_leads=np.array([1, 0, 1, 1, 0]),
        score=np.zeros((2, 5), np.int64),
        leg=np.array([1, 2, 3, 1, 2]),
        a_won=np.array([1, 0, 1, 0, 0]),
        cards=np.zeros((2, 5), np.int64),
    )
    luck = DealLuck(rules, 1)
    states = luck.states(games)
    assert len(set(states[[0, 1, 2, 4]].tolist())) == 4
    assert states[3] == states[0]

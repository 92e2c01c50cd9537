"""The same games in every tier, whoever else plays, and however many games are asked for."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from put_cli import GAME, PUT, SEE, THROW, HandRecord, Match, Player, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.decode import triples, utterances
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.players import BATCH, INTERPRETED, NATIVE, Contestant
from put_cli.engine.tables import ENDING, POINTS, TAKERS, WINNER, compile_rules
from put_cli.rules.finding import find_ruleset
from put_cli.rules.machine import Ending
from tests.engine.field import assert_same_play, enlisted, game_columns, mirrored, played
from tests.mixed import Mixed

TIERS = (NATIVE, BATCH, INTERPRETED)


@pytest.mark.parametrize("rules", ["cotton", "hoyle", "truc", "pigott"])
def test_a_strategy_plays_the_same_games_in_every_tier(rules: str) -> None:
    opponent = enlisted("random")
    results = []
    for tier in TIERS:
        own = enlisted(Mixed(), "own", tier)
        assert own.tier == tier
        results.append(played([own, opponent], mirrored(4, 10), rules=rules))
    assert_same_play(results[0], results[1])
    assert_same_play(results[0], results[2])


def test_two_tiers_at_one_table_play_the_same_games() -> None:
    results = [
        played([enlisted(Mixed(), "own", one), enlisted(Mixed(0.6), "other", two)], mirrored(4, 10))
        for one, two in ((NATIVE, NATIVE), (BATCH, INTERPRETED), (INTERPRETED, BATCH))
    ]
    assert_same_play(results[0], results[1])
    assert_same_play(results[0], results[2])


@pytest.mark.parametrize("tier", TIERS)
def test_a_small_buffer_that_has_to_grow_changes_nothing(tier: str) -> None:
    field = [enlisted(Mixed(), "own", tier), enlisted("random")]
    small = Buffers(
        keys=np.empty((3, 5), np.int32),
        hands=np.empty((len(ln.HAND_COLUMNS), 5), np.int16),
        words=np.empty(5, np.int64),
    )
    assert_same_play(played(field, mirrored(3, 10)), played(field, mirrored(3, 10), buffers=small))


def test_the_tallies_do_not_depend_on_keeping_the_hands() -> None:
    field = [enlisted(Mixed(), "own"), enlisted("random")]
    kept = played(field, mirrored(3, 10))
    dropped = played(field, mirrored(3, 10), keep_hands=False)
    assert dropped.words.size == 0
    assert np.array_equal(game_columns(kept), game_columns(dropped))
    assert np.array_equal(kept.tallies, dropped.tallies)


def column(result: Played, name: str) -> np.ndarray:
    """A column of the hands."""
    return result.hands[ln.HAND_COLUMNS.index(name)]


def test_mirrored_games_have_the_same_cuts_and_the_same_cards() -> None:
    result = played([enlisted("random"), enlisted("thrifty")], mirrored(3, 40))
    games = result.games.reshape(len(ln.GAME_COLUMNS), 3, 2, 40)
    for name in ("cut0", "cut1", "recuts", "first_dealer"):
        values = games[ln.GAME_COLUMNS.index(name)]
        assert (values[:, 0] == values[:, 1]).all()
    fixture, game, hand = result.keys
    chair = column(result, "eldest_chair")
    cards = {}
    for row in range(result.words.size):
        key = (int(fixture[row]) // 2, int(game[row]), int(hand[row]))
        dealt = (int(chair[row]), *result.hands[4:6, row].tolist())
        cards.setdefault(key, set()).add(dealt)
    assert all(len(each) == 1 for each in cards.values())
    assert sum(len(each) for each in cards.values()) < result.words.size


def test_different_pairings_blocks_and_seeds() -> None:
    field = [enlisted("highest"), enlisted("thrifty"), enlisted("random")]
    fixtures = [
        Fixture(0, 0, 0, 50, (0, 1)),
        Fixture(2, 0, 0, 50, (1, 2)),
        Fixture(0, 1, 0, 50, (0, 1)),
    ]
    result = played(field, fixtures)
    first = [
        result.hands[:6, (result.keys[0] == number) & (result.keys[2] == 0)] for number in range(3)
    ]
    # The same deals for every pairing, other deals in another block and for another seed.
    assert np.array_equal(first[0][1:], first[1][1:])
    assert not np.array_equal(first[0][1:], first[2][1:])
    other = played(field, fixtures, seed=2)
    assert not np.array_equal(other.games[:2], result.games[:2])


def test_games_of_a_pair_are_the_same_whoever_else_plays() -> None:
    a, b, c = enlisted("random", "a"), enlisted(Mixed(), "b"), enlisted("thrifty", "c")
    pair = played([a, b], mirrored(2, 20))
    others = [Fixture(number, 0, 0, 20, two) for number, two in enumerate(((0, 1), (2, 0)))]
    again = [Fixture(9, *key, 20, (1, 2)) for key in ((0, 0), (0, 1), (1, 0), (1, 1))]
    among = played([c, a, b], [*others, *again])
    own = among.keys[0] >= 2
    assert np.array_equal(among.hands[:, own], pair.hands)
    assert np.array_equal(among.words[own], pair.words)
    assert np.array_equal(among.keys[1:, own], pair.keys[1:])


def test_a_longer_run_begins_with_the_games_of_a_shorter_one() -> None:
    field = [enlisted("random"), enlisted(Mixed(), "own")]
    short, long = played(field, mirrored(2, 10)), played(field, mirrored(5, 10))
    rows = short.words.size
    assert np.array_equal(long.keys[:, :rows], short.keys)
    assert np.array_equal(long.hands[:, :rows], short.hands)
    assert np.array_equal(long.words[:rows], short.words)
    # Within a match as well: its games do not depend on how many follow.
    more = played(field, [Fixture(0, 0, 0, 25, (0, 1))])
    match = short.keys[0] == 0
    assert np.array_equal(more.hands[:, : match.sum()], short.hands[:, match])


def test_luck_depends_on_both_players_and_on_who_is_who() -> None:
    random, thrifty = enlisted("random"), enlisted("thrifty")

    def hands_of(name: str, opponent: str) -> bytes:
        # The opponent uses no luck, so only the player's own can make a difference.
        field = [replace(random, name=name), replace(thrifty, name=opponent)]
        return played(field, mirrored(1, 20)).hands.tobytes()

    assert hands_of("a", "b") == hands_of("a", "b")
    assert len({hands_of(*names) for names in (("a", "b"), ("b", "a"), ("a", "c"))}) == 3


# Learning players.


class Notes(Player):
    """Plays thriftily, sees every put, and writes down whatever it is told."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.records: list[HandRecord] = []
        self.views: list[View] = []

    def act(self, view: View) -> int:
        self.views.append(view)
        if view.asked:
            return SEE if view.luck < 0.5 else THROW
        if view.must_speak or (view.may_put and view.luck > 0.7):
            return PUT
        return view.cheapest_winner or view.lowest

    def hand_over(self, record: HandRecord) -> None:
        self.records.append(record)


class Learner(Strategy):
    """Keeps every player it has begun, for the test to read."""

    def __init__(self) -> None:
        self.begun: list[Notes] = []

    def begin_match(self, match: Match) -> Notes:
        self.begun.append(Notes(match))
        return self.begun[-1]


def learned(rules: str, keep_hands: bool = True) -> tuple[Learner, Played, list[Fixture]]:
    """A learning player's matches against one that does anything."""
    learner, fixtures = Learner(), mirrored(2, 15)
    player = enlisted(learner, "own")
    field = [player, enlisted("random")]
    return learner, played(field, fixtures, rules=rules, keep_hands=keep_hands), fixtures


@pytest.mark.parametrize("rules", ["cotton", "truc", "parlett"])
def test_a_learning_player_lives_for_one_match_and_is_told_what_it_is(rules: str) -> None:
    learner, _, fixtures = learned(rules)
    pack = find_ruleset(rules).cards
    assert len(learner.begun) == len(fixtures)
    for notes in learner.begun:
        target = find_ruleset(rules).target
        assert notes.match == Match(rules, target, pack.ranks, 15, "own", "random")
        games = [record.game for record in notes.records]
        assert sorted(set(games)) == list(range(15))
        assert games == sorted(games)


@pytest.mark.parametrize("rules", ["cotton", "hoyle-eldest", "truc", "parlett"])
def test_a_learning_player_hears_of_every_hand_exactly_what_its_seat_saw(rules: str) -> None:
    learner, result, fixtures = learned(rules)
    states = compile_rules(find_ruleset(rules)).states
    cards = triples(find_ruleset(rules).cards.top)
    for number, (notes, fixture) in enumerate(zip(learner.begun, fixtures, strict=True)):
        chair = fixture.chairs.index(0)
        rows = np.flatnonzero(result.keys[0] == number)
        assert len(notes.records) == len(rows)
        for record, row in zip(notes.records, rows.tolist(), strict=True):
            hand = dict(zip(ln.HAND_COLUMNS, result.hands[:, row].tolist(), strict=True))
            eldest = hand["eldest_chair"] == chair
            own, other = ("eldest", "dealer") if eldest else ("dealer", "eldest")
            end = states[hand["state"]]
            seat = 0 if eldest else 1
            assert (record.game, record.hand) == tuple(result.keys[1:, row].tolist())
            assert record.is_dealer is not eldest
            assert record.cards == cards[hand[f"{own}_cards"]]
            assert (record.played, record.their_played) == plays(hand, end, seat)
            assert (record.score, record.their_score) == (
                hand[f"{own}_score"],
                hand[f"{other}_score"],
            )
            said = utterances(int(result.words[row]))
            assert record.words == tuple((u.place, u.seat == seat, u.word) for u in said)
            drawn = end[ENDING] == Ending.DRAWN
            assert record.won == (not drawn and end[WINNER] == seat)
            assert record.lost == (not drawn and end[WINNER] == 1 - seat)
            points = [hand[f"{own}_points"], hand[f"{other}_points"]]
            if end[POINTS] == GAME:
                points[record.lost] = GAME
            assert [record.points, record.their_points] == points
            assert record.game_over == bool(hand["game_over"])


def plays(hand: dict[str, int], end: Any, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Own cards and the other's in the order of the tricks; 0 for what was not laid."""
    by_seat: tuple[list[int], list[int]] = ([], [])
    leader = 0
    for trick in (1, 2, 3):
        by_seat[leader].append(hand[f"lead{trick}"])
        by_seat[1 - leader].append(hand[f"reply{trick}"])
        if end[TAKERS + trick - 1] < 2:
            leader = end[TAKERS + trick - 1]
    return tuple(by_seat[seat]), tuple(by_seat[1 - seat])


def test_a_learning_player_is_never_shown_a_card_that_was_not_laid() -> None:
    learner, result, _ = learned("cotton")
    shown = [record for notes in learner.begun for record in notes.records]
    thrown = [record for record in shown if any(word == "throw" for _, _, word in record.words)]
    assert any(record.their_played == (0, 0, 0) for record in thrown)
    assert any(record.their_played.count(0) == 1 for record in shown)
    assert result.words.size == len(shown)


def test_a_learning_player_learns_the_same_where_the_hands_are_not_kept() -> None:
    kept, with_hands, _ = learned("cotton")
    not_kept, without, _ = learned("cotton", keep_hands=False)
    assert [notes.records for notes in kept.begun] == [notes.records for notes in not_kept.begun]
    assert without.words.size == 0
    assert np.array_equal(game_columns(with_hands), game_columns(without))


def test_a_learning_player_reads_the_public_record_of_its_match() -> None:
    learner, _, _ = learned("cotton")
    for notes in learner.begun:
        assert notes.views[0].hands == 0
        last = notes.views[-1]
        assert last.hands in (len(notes.records) - 1, len(notes.records) - 2)
        said = [each for record in notes.records for each in record.words]
        mine = sum(own and word == "put" for _, own, word in said)
        theirs = sum(not own and word == "put" for _, own, word in said)
        assert 0 <= mine - last.my_puts <= 2
        assert 0 <= theirs - last.their_puts <= 2


class Turns(Player):
    """Begins with one way to act and goes on with another."""

    def act(self, view: View) -> int:
        return SEE if view.asked else view.lowest

    def hand_over(self, record: HandRecord) -> None:
        self.act = self.later  # type: ignore[method-assign]

    def later(self, view: View) -> int:
        return SEE if view.asked else view.highest


class Turning(Strategy):
    def begin_match(self, match: Match) -> Turns:
        return Turns()


def test_a_learning_player_may_change_how_it_acts_between_hands() -> None:
    result = played(
        [enlisted(Turning(), "own"), enlisted("thrifty")], [Fixture(0, 0, 0, 20, (0, 1))]
    )
    cards = np.array(triples(13))[column(result, "dealer_cards")]
    leads = column(result, "eldest_chair") == 0
    cards[leads] = np.array(triples(13))[column(result, "eldest_cards")[leads]]
    laid = np.where(leads, column(result, "lead1"), column(result, "reply1"))
    assert laid[0] == cards[0, 2] != cards[0, 0]
    assert np.array_equal(laid[1:], cards[1:, 0])


def test_two_learning_players_at_one_table_both_hear() -> None:
    one, two = Learner(), Learner()
    field: list[Contestant] = [enlisted(one, "one"), enlisted(two, "two")]
    played(field, mirrored(1, 10))
    for a, b in zip(one.begun, two.begun, strict=True):
        assert len(a.records) == len(b.records) > 10
        for mine, theirs in zip(a.records, b.records, strict=True):
            assert (mine.points, mine.their_points) == (theirs.their_points, theirs.points)
            assert (mine.played, mine.their_played) == (theirs.their_played, theirs.played)
            assert mine.is_dealer is not theirs.is_dealer
            assert mine.words == tuple((place, not own, word) for place, own, word in theirs.words)

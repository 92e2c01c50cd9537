"""Tiers, faults, luck and learning in the games of partners, of many, and by the Laws of Put."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from put_cli import SEE, HandRecord, Match, Player, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.decode import triples
from put_cli.engine.matches import Fixture, Played
from put_cli.engine.players import BATCH, INTERPRETED, NATIVE, Contestant
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import DRAW, PUT, RECEIVE
from tests.engine.field import assert_same_play, enlisted, played
from tests.engine.replay import Anything
from tests.mixed import Mixed

FAMILIES = (
    "cotton(misdeals=0.5)",
    "enquire(partners=true, must_swap=true, misdeals=0.3)",
    "three-handed(misdeals=0.3)",
    "willughby(players=4)",
)
GAMES = ln.GAME_COLUMNS.index


def rotated(rules: str, games: int, blocks: int = 1) -> list[Fixture]:
    """One table, in every block every side in every place."""
    n = find_ruleset(rules).players
    return [
        Fixture(0, block, mirror, games, tuple(range(n)))
        for block in range(blocks)
        for mirror in range(n)
    ]


class Curious(Anything):
    """Lets every field that only these games have decide."""

    def act(self, view: View) -> int:
        mixed = view.exposed_mine + 3 * view.exposed_theirs + 5 * view.players + view.fourth
        for other in view.others:
            mixed = 31 * mixed + other.score + 3 * other.tricks + 5 * other.puts
            mixed += 7 * int(other.live) + 11 * other.exposed
            mixed += other.played[0] + 13 * other.played[1] + 17 * other.played[2]
            mixed %= 1000003
        if view.asked:
            return SEE
        if view.must_speak or (view.may_put and mixed % 3 == 0):
            return PUT
        return view.highest if mixed % 2 else view.lowest


@cache
def field(first: str, tier: str) -> list[Contestant]:
    """Four players, the first of them in one tier."""
    strategy: Strategy = {"curious": Curious(), "mixed": Mixed()}[first]
    made = [enlisted(strategy, "own", tier)]
    assert made[0].tier == tier, made[0].why
    return made + [enlisted(Anything(), name) for name in ("a", "b", "c")]


@pytest.mark.parametrize("rules", FAMILIES)
@pytest.mark.parametrize(("first", "other"), [("curious", INTERPRETED), ("mixed", BATCH)])
def test_a_strategy_plays_the_same_games_in_every_tier(rules: str, first: str, other: str) -> None:
    chairs = find_ruleset(rules).chairs
    native, slow = (
        played(field(first, tier), rotated(rules, 30), rules=rules) for tier in (NATIVE, other)
    )
    assert not native.reasons
    assert not native.differences
    assert_same_play(native, slow, chairs)


# Faults, in matches too short for a third, which would forfeit the rest of one.

SHORT = 2
UNLUCKY = 0.9


class BadGift(Anything):
    def gift(self, view: View) -> int:
        return PUT if view.luck > UNLUCKY else RECEIVE


class BadLayOut(Anything):
    def lay_out(self, view: View) -> int:
        if view.luck > UNLUCKY:
            raise ValueError("no idea")
        return view.cards[0]


class BadRuling(Anything):
    def misdeal(self, view: View) -> int:
        return 77 if view.luck > UNLUCKY / 2 else DRAW if view.fourth else 108


class NonsenseGift(Anything):
    def gift(self, view: View) -> Any:
        return "give" if view.luck > UNLUCKY else RECEIVE


PARTNERS = "hoyle(partners=true)"


@pytest.mark.parametrize(
    ("strategy", "rules", "tiers", "kind", "reason"),
    [
        (BadGift(), PARTNERS, (NATIVE, INTERPRETED), "illegal", "returned PUT where GIVE or REC"),
        (BadLayOut(), PARTNERS, (NATIVE, INTERPRETED), "raised", "raised ValueError: no idea"),
        (
            BadRuling(),
            "cotton(misdeals=0.5)",
            (NATIVE, INTERPRETED),
            "illegal",
            "returned 77 where",
        ),
        (BadRuling(), "three-handed(misdeals=0.5)", (NATIVE,), "illegal", "returned 77 where "),
        (NonsenseGift(), PARTNERS, (INTERPRETED,), "nonsense", "returned 'give', which is no"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Strategy) else "",
)
def test_a_fault_before_the_tricks_costs_the_game(
    strategy: Strategy, rules: str, tiers: tuple[str, ...], kind: str, reason: str
) -> None:
    results = []
    for tier in tiers:
        names = [enlisted(Anything(), name) for name in ("a", "b")]
        field = [enlisted(strategy, "own", tier), *names]
        results.append(played(field, rotated(rules, SHORT, 30), rules=rules))
    for result in results:
        assert_the_first_forfeits(result, rules, kind, reason)
    assert_same_play(results[0], results[-1], find_ruleset(rules).chairs)


def assert_the_first_forfeits(result: Played, rules: str, kind: str, reason: str) -> None:
    """Contestant 0, and nobody else, forfeits games, each for the reason."""
    sides = find_ruleset(rules).players
    by = result.games[GAMES("fault_by")]
    faulty = np.flatnonzero(by != ln.NO_CHAIR)
    assert 0 < faulty.size < by.size
    assert sorted(result.reasons) == faulty.tolist()
    assert not result.differences
    each = result.fixtures[0].games
    for row in faulty.tolist():
        side = result.fixtures[row // each].chairs.index(0)
        assert by[row] % sides == side
        assert result.games[GAMES("winner"), row] != side
        assert ln.FAULT_KINDS[result.games[GAMES("fault_kind"), row]] == kind
        assert ln.HOW[result.games[GAMES("how"), row]] == "forfeit"
        assert result.reasons[row].startswith(reason)


class Raises(Anything):
    def act(self, view: View) -> int:
        if view.luck > UNLUCKY:
            raise ValueError("no idea")
        return SEE if view.asked else PUT if view.must_speak else view.lowest


def test_a_game_that_one_of_three_forfeits_goes_to_who_has_the_most_points() -> None:
    rules = "three-handed"
    names = [enlisted(Anything(), name) for name in ("a", "b")]
    result = played([enlisted(Raises(), "own"), *names], rotated(rules, SHORT, 50), rules=rules)
    hands = dict(zip(ln.hand_columns(find_ruleset(rules)), result.hands, strict=True))
    ties = 0
    for row in np.flatnonzero(hands["forfeit"] > 0).tolist():
        fixture, game, _ = result.keys[:, row].tolist()
        number = SHORT * fixture + game
        by = int(result.games[GAMES("fault_by"), number])
        eldest = int(hands["eldest_chair"][row])
        points = {(eldest + seat) % 3: int(hands[f"score{seat}"][row]) for seat in range(3)}
        following = [(by + 1) % 3, (by + 2) % 3]
        ties += points[following[0]] == points[following[1]]
        best = max(following, key=points.__getitem__)  # of equals the next clockwise
        assert result.games[GAMES("winner"), number] == best
        assert all(hands[f"points{seat}"][row] == 0 for seat in range(3))
    assert 0 < ties < len(result.reasons)


# Learning players.


class Notes(Player):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def act(self, view: View) -> int:
        if view.asked:
            return SEE
        return PUT if view.must_speak or (view.may_put and view.luck > 0.8) else view.highest

    def hand_over(self, record: HandRecord) -> None:
        self.records.append(record)


class School(Strategy):
    """Keeps every player it has begun, with what it was told of the match."""

    def __init__(self) -> None:
        self.begun: list[tuple[Match, Notes]] = []

    def begin_match(self, match: Match) -> Notes:
        self.begun.append((match, Notes()))
        return self.begun[-1][1]


def test_a_learning_player_among_three_hears_of_every_hand_what_its_seat_saw() -> None:
    rules, school = find_ruleset("three-handed"), School()
    names = [enlisted(Anything(), name) for name in ("a", "b")]
    result = played(
        [enlisted(school, "own"), *names], rotated("three-handed", 30), rules=rules.name
    )
    assert not result.reasons
    cards = triples(rules.cards.top)
    for number, (match, notes) in enumerate(school.begun):
        assert match.players == 3
        assert match.opponent in ("a and b", "b and a")
        chair = result.fixtures[number].chairs.index(0)
        rows = np.flatnonzero(result.keys[0] == number).tolist()
        assert len(notes.records) == len(rows)
        for record, row in zip(notes.records, rows, strict=True):
            hand = dict(zip(ln.hand_columns(rules), result.hands[:, row].tolist(), strict=True))
            me = (chair - hand["eldest_chair"]) % 3
            laid = [tuple(hand[f"card{t}_{(me + s) % 3}"] for t in (1, 2, 3)) for s in range(3)]
            assert record.is_dealer == (me == 2)
            assert record.cards == cards[hand[f"cards{me}"]]
            assert record.table_played == tuple(laid)
            assert (record.played, record.their_played) == (laid[0], laid[1])
            assert (record.score, record.their_score) == (
                hand[f"score{me}"],
                hand[f"score{(me + 1) % 3}"],
            )
            assert record.points in (hand[f"points{me}"], 100)
            assert record.game_over == bool(hand["game_over"])
            assert not (record.won and record.lost)
        over = [record.won for record in notes.records if record.game_over]
        winners = result.games[GAMES("winner"), 30 * number : 30 * number + 30]
        assert over == (winners == chair).tolist()


def test_both_partners_of_a_learning_side_hear_of_every_hand_and_of_the_others_forfeits() -> None:
    school = School()
    field = [enlisted(school, "own"), enlisted(Raises(), "a")]
    result = played(field, rotated(PARTNERS, SHORT, 10), rules=PARTNERS)
    assert len(school.begun) == 2 * len(result.fixtures)
    assert 0 < len(result.reasons) < result.games.shape[1]
    assert set(result.reasons.values()) == {"raised ValueError: no idea"}
    for number, (match, notes) in enumerate(school.begun):
        fixture = number // 2
        rows = np.flatnonzero(result.keys[0] == fixture)
        assert match.opponent == "a"
        assert len(notes.records) == rows.size
        chair = result.fixtures[fixture].chairs.index(0)
        won = [record.won for record in notes.records if record.game_over]
        winners = result.games[GAMES("winner"), SHORT * fixture : SHORT * (fixture + 1)]
        assert won == (winners == chair).tolist()


# Luck.

SEEN: list[tuple[int, float]] = []


class Watches(Anything):
    """Notes its luck."""

    def gift(self, view: View) -> int:
        SEEN.append((int(view.is_dealer), view.luck))
        return RECEIVE


def test_partners_have_each_their_own_luck() -> None:
    SEEN.clear()
    field = [enlisted(Watches(), name, INTERPRETED) for name in ("a", "b")]
    played(field, rotated(PARTNERS, 30), rules=PARTNERS)
    lucks = [luck for _, luck in SEEN]
    assert len(set(lucks)) == len(lucks) > 200


@pytest.mark.parametrize("rules", FAMILIES)
def test_games_of_a_table_are_the_same_whoever_else_plays_and_rotation_keeps_the_cards(
    rules: str,
) -> None:
    n = find_ruleset(rules).players
    field = [enlisted(Anything(), name) for name in "abcde"]
    alone = played(field[:n], rotated(rules, 20), rules=rules)
    seats = tuple(range(1, n + 1))
    others = [Fixture(0, 0, 0, 20, tuple(range(n)))]
    again = [Fixture(3, 0, mirror, 20, seats) for mirror in range(n)]
    among = played([field[4], *field[:4]], [*others, *again], rules=rules)
    own = among.keys[0] >= 1
    assert np.array_equal(among.hands[:, own], alone.hands)
    assert np.array_equal(among.words[own], alone.words)
    # Chairs have the cuts and cards whoever sits there.
    cut = alone.games[GAMES("cut0") : GAMES("cut0") + find_ruleset(rules).chairs]
    cuts = cut.reshape(len(cut), n, 20)
    assert (cuts == cuts[:, :1]).all()
    columns = ln.hand_columns(find_ruleset(rules))
    dealt = (
        [f"dealt{p}" for p in range(4)]
        if "dealt0" in columns
        else [
            name
            for name in columns
            if name in ("eldest_cards", "dealer_cards", *(f"cards{s}" for s in range(n)))
        ]
    )
    if "misdeal" not in columns:  # a card drawn from four is drawn again elsewhere
        places = [columns.index(name) for name in ("eldest_chair", *dealt)]
        first = alone.hands[places][:, alone.keys[2] == 0].reshape(len(places), n, 20)
        assert (first == first[:, :1]).all()

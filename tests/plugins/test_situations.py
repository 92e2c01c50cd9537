"""Situations for tests of strategies: the View is the engine's own, and none is missing."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from put_cli import GAME, Strategy, View
from put_cli.engine.asking import legal_actions
from put_cli.engine.compiled import NoStore
from put_cli.engine.lanes import METHODS
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.play import play, prepare_kernel
from put_cli.engine.players import INTERPRETED, enlist
from put_cli.engine.tables import Tables, compile_rules, lays_last
from put_cli.errors import NotationError, UsageError
from put_cli.log.columns import Columns
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.dealing import MOST_STATES
from put_cli.plugins.situations import RECORD, method_at, situations, view_at
from put_cli.report.logged import logged
from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.machine import WORDS, Machine, Misdeal, walk
from put_cli.rules.notation import FACED, GIVES, SHOWS, parse_hand
from put_cli.rules.referee import under_way

SHOWN: list[tuple[str, View]] = []
SAID = ("puts", "puts_seen", "puts_lost", "asked", "thrown")

prepare_kernel(DiskStore())  # as the program does; else every test process compiles it anew

FAMILIES = [
    *BUILT_IN,
    "cotton(misdeals=0.5)",
    "truc(misdeals=0.5)",
    "four-handed(must_swap=true, dealer_gift=required)",
    "hoyle(partners=true, misdeals=0.5)",
    "three-handed(misdeals=0.5)",
    "willughby(players=4, misdeals=0.3)",
]


class Notes(Strategy):
    """Does anything allowed and notes what it was shown."""

    def act(self, view: View) -> int:
        return noted("act", view)

    def gift(self, view: View) -> int:
        return noted("gift", view)

    def lay_out(self, view: View) -> int:
        return noted("lay_out", view)

    def misdeal(self, view: View) -> int:
        return noted("misdeal", view)


def noted(method: str, view: View) -> int:
    """Any legal action, each as likely as the next."""
    SHOWN.append((method, view))
    allowed = legal_actions(view, method)
    return allowed[int(view.luck * len(allowed))]


def dealt_four(view: View) -> View:
    """The View with four cards dealt in one order: the log does not say which came last."""
    if view.misdeal != Misdeal.FOUR_THEIRS:
        return view
    a, b, c, d = sorted((*view.cards, view.fourth), reverse=True)
    return view._replace(cards=(a, b, c), fourth=d)


def test_a_view_is_made_from_a_line_of_notation() -> None:
    view = view_at("E 7 2 3 | D 9 K A | E7 D9 D:put", score=(4, 1), luck=0.25, their_puts=9)
    assert (view.cards, view.played, view.their_played) == ((13, 12, 0), (4, 0, 0), (6, 0, 0))
    assert (view.asked, view.may_play, view.is_dealer, view.worth_if_seen) == (
        True,
        False,
        False,
        GAME,
    )
    assert (view.score, view.their_score, view.luck, view.their_puts) == (4, 1, 0.25, 9)


def test_a_reply_shows_the_card_to_beat() -> None:
    view = view_at("E 9 4 5 | D K 9 4 | E9", rules="pigott")
    assert (view.led, view.cheapest_winner, view.equal, view.lowest) == (6, 10, 6, 1)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("E 7 2 3 | D 9 K A | E7 E2", "step 2 'E2': it is dealer's turn"),
        ("E 7 2 3 | D 9 K A | E:put D:throw", "the hand is over"),
        ("E 7 2 | D 9 K A |", "cards of eldest: expected 3, got 2"),
    ],
)
def test_a_line_that_leaves_nobody_to_act_is_refused_in_words(line: str, says: str) -> None:
    with pytest.raises((NotationError, UsageError), match=says):
        view_at(line)


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no field 'their_put'\. Did you mean 'their_puts'"):
        view_at("E 7 2 3 | D 9 K A |", their_put=3)


@pytest.mark.parametrize(
    ("line", "rules", "method"),
    [
        ("E 7 2 3 | D 9 K A | E7", "cotton", "act"),
        ("0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 |", "four-handed", "gift"),
        ("0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:give 0:keep", "four-handed", "lay_out"),
        ("E 7 2 3 | D 9 K A | D:shows:E3", "cotton(misdeals=0.1)", "misdeal"),
    ],
)
def test_a_line_tells_which_method_is_asked(line: str, rules: str, method: str) -> None:
    assert method_at(under_way(find_ruleset(rules), parse_hand(line))) == method


def test_the_receiver_sees_the_gift_besides_his_three() -> None:
    line = "0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:receive 0:keep"
    view = view_at(line, rules="four-handed", score=(2, 4))
    assert (view.cards, view.fourth, view.highest, view.lowest) == ((11, 6, 2), 13, 13, 2)
    assert (view.score, view.their_score, view.may_play, view.must_swap) == (2, 4, False, False)


def test_the_point_of_the_laws_is_in_the_score_that_follows() -> None:
    view = view_at("E 7 2 3 | D 9 K A 4 | D:gives:D", rules="cotton(misdeals=0.1)", score=(2, 3))
    assert (view.misdeal, view.score, view.their_score, view.fourth) == (5, 3, 3, 0)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_view_is_the_one_that_the_engine_gives(name: str) -> None:
    rules = find_ruleset(name)
    names = ["one", "two", "three", "four"][: rules.players]
    tables = compile_rules(rules)
    players = [enlist(each, Notes(), NoStore(), INTERPRETED) for each in names]
    SHOWN.clear()
    fixture = Fixture(0, 0, 0, 60, tuple(range(rules.players)))
    played = play(tables, players, [fixture], seed=3, buffers=Buffers())
    shown = iter(SHOWN)
    compared: Counter[str] = Counter()
    for row in rows_of_hands(tables, names, played):
        told = logged(rules, row)
        for number in range(len(told.hand.steps)):
            steps = told.hand.steps[:number]
            if told.hand.steps[number].word in (SHOWS, GIVES, FACED):
                continue  # the deal goes wrong before anybody is asked
            before = replace(told.hand, steps=steps)
            play_so_far = under_way(rules, before)
            state = play_so_far.state
            if state.over or lays_last(state, Machine(rules).legal(state)):
                continue  # nobody is asked
            method, real = next(shown)
            assert method == method_at(play_so_far)
            view = view_at(before.text(), rules=rules, score=told.score)
            real = real._replace(luck=0.5, legs=0, their_legs=0)
            assert dealt_four(view) == dealt_four(real), before.text()
            compared[method] += 1
    assert next(shown, None) is None
    assert compared["act"] > 200
    assert set(compared) == {METHODS[method] for method in tables.methods}


def rows_of_hands(tables: Tables, names: list[str], played: Played) -> Iterator[dict[str, Any]]:
    """The rows of the log, those of three and more players with their plays."""
    made = Columns(tables, names).tables(played, "hands")
    plays: dict[tuple[int, int], list[Any]] = {}
    for play_row in made["plays"].to_pylist() if "plays" in made else []:
        plays.setdefault((play_row["game"], play_row["hand"]), []).append(play_row)
    for row in made["hands"].to_pylist():
        yield row | {"plays": plays.get((row["game"], row["hand"]), [])}


@pytest.mark.parametrize("name", FAMILIES[:-1])
def test_every_state_in_which_somebody_is_asked_is_among_them(name: str) -> None:
    rules = find_ruleset(name)
    machine = Machine(rules)
    found = {under_way(rules, each.hand).state for each in situations(rules, samples=1)}
    asked = {
        state
        for state in walk(machine)
        # A lone card that nothing may be said over is laid without asking.
        if set(machine.legal(state)) & set(WORDS) or (not state.over and len(state.tricks) < 2)
    }
    assert found == asked


def test_of_a_rule_set_with_very_many_states_a_part_is_taken_from_all_tricks() -> None:
    rules = find_ruleset("willughby(players=4)")
    found = {under_way(rules, each.hand).state for each in situations(rules, samples=1)}
    assert 1000 < len(found) <= MOST_STATES
    assert {len(state.tricks) for state in found} == {0, 1, 2}


def test_gifts_and_misdeals_lie_behind_the_tricks_too() -> None:
    rules = find_ruleset("four-handed(misdeals=0.1)")
    tricks = [each for each in situations(rules) if each.method == "act"]
    words = {word for each in tricks for word in each.hand.text().split() if ":" in word}
    assert words >= {"1:give", "1:receive", "0:give", "0:receive", "0:keep", "1:stand"}
    assert {each.view.exposed_mine > 0 for each in tricks} == {True, False}
    assert any(":draw:" in word for word in words)


@pytest.mark.parametrize("name", ["truc", *FAMILIES[-4:-1]])
def test_each_situation_can_be_made_again_from_its_code(name: str) -> None:
    for situation in situations(find_ruleset(name), memory=True)[::7]:
        again = eval(situation.code(), {"view_at": view_at})
        assert again == situation.view


def test_the_record_is_there_only_where_it_is_asked_for() -> None:
    rules = find_ruleset("cotton")
    plain = situations(rules)
    told = situations(rules, memory=True)
    assert all(getattr(each.view, name) == 0 for each in plain for name in RECORD)
    for name in {"hands", *(f"{side}_{what}" for side in ("my", "their") for what in SAID)}:
        assert len({getattr(each.view, name) for each in told}) >= 5, name
    # Nothing has been recorded when a match begins, and no strategy may divide by that.
    assert any(all(getattr(each.view, name) == 0 for name in RECORD) for each in told)


def test_hoyle_s_forced_word_is_among_the_situations() -> None:
    spoken = [each for each in situations(find_ruleset("hoyle")) if each.view.must_speak]
    assert spoken
    assert not any(each.view.may_play for each in spoken)
    assert "after E" in spoken[0].words()

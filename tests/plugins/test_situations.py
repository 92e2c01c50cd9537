"""Situations for tests of strategies: the View is the engine's own, and none is missing."""

from dataclasses import replace

import pytest

from put_cli import GAME, PUT, SEE, THROW, Strategy, View
from put_cli.engine.compiled import NoStore
from put_cli.engine.play import Buffers, Fixture, play
from put_cli.engine.players import INTERPRETED, enlist, is_legal
from put_cli.engine.tables import compile_rules
from put_cli.errors import NotationError, UsageError
from put_cli.log.columns import Columns
from put_cli.plugins.situations import RECORD, situations, view_at
from put_cli.report.logged import logged
from put_cli.rules.machine import WORDS, Machine, walk
from put_cli.rules.notation import letters_of
from put_cli.rules.referee import state_after
from put_cli.rules.ruleset import BUILT_IN, find_ruleset

SHOWN: list[View] = []
SAID = ("puts", "puts_seen", "puts_lost", "asked", "thrown")

TWO_HANDED = [name for name in BUILT_IN if letters_of(find_ruleset(name)) == "ED"]


class Notes(Strategy):
    """Does anything allowed and notes what it was shown."""

    def act(self, view: View) -> int:
        SHOWN.append(view)
        allowed = [word for word in (PUT, SEE, THROW) if is_legal(view, word)]
        if view.may_play:
            allowed += [card for card in view.cards if card]
        return allowed[int(view.luck * len(allowed))]


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


@pytest.mark.parametrize("name", TWO_HANDED)
def test_the_view_is_the_one_that_the_engine_gives(name: str) -> None:
    rules = find_ruleset(name)
    tables = compile_rules(rules)
    players = [enlist(each, Notes(), NoStore(), INTERPRETED) for each in ("one", "two")]
    SHOWN.clear()
    played = play(tables, players, [Fixture(0, 0, 0, 60, (0, 1))], seed=3, buffers=Buffers())
    shown = iter(SHOWN)
    compared = 0
    for row in Columns(tables, ["one", "two"]).tables(played, "hands")["hands"].to_pylist():
        hand, score = logged(rules, row).hand, (row["eldest_score"], row["dealer_score"])
        for number in range(len(hand.steps)):
            line = replace(hand, steps=hand.steps[:number]).text()
            view = view_at(line, rules=rules, score=score)
            if not view.may_put and not view.may_throw and sum(map(bool, view.cards)) == 1:
                continue  # not asked
            real = next(shown)
            assert view == real._replace(luck=0.5, legs=0, their_legs=0), line
            compared += 1
    assert next(shown, None) is None
    assert compared > 200


@pytest.mark.parametrize("name", TWO_HANDED)
def test_every_state_in_which_somebody_is_asked_is_among_them(name: str) -> None:
    rules = find_ruleset(name)
    machine = Machine(rules)
    found = {state_after(rules, each.hand) for each in situations(rules, samples=1)}
    asked = {
        state
        for state in walk(machine)
        # A lone card that nothing may be said over is laid without asking.
        if set(machine.legal(state)) & set(WORDS) or (not state.over and len(state.tricks) < 2)
    }
    assert found == asked


def test_each_situation_can_be_made_again_from_its_code() -> None:
    for situation in situations(find_ruleset("truc"), memory=True)[::7]:
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

"""What a View tells, where it is easy to tell too much or the wrong thing."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from put_cli import PUT, SEE, Strategy, View
from put_cli.engine.compiled import NoStore
from put_cli.engine.matches import Buffers, Fixture
from put_cli.engine.play import play
from put_cli.engine.players import INTERPRETED, enlist
from put_cli.engine.tables import compile_rules
from put_cli.rules.finding import find_ruleset
from put_cli.rules.ruleset import MAX_TARGET

SEEN: list[tuple[str, View]] = []


@dataclass(frozen=True)
class Watcher(Strategy):
    """Puts over every lead, sees every put, and notes what it was shown."""

    name: str = "a"
    memory: ClassVar[bool] = True

    def act(self, view: View) -> int:
        SEEN.append((self.name, view))
        if view.asked:
            return SEE
        if view.may_put and view.led:
            return PUT
        return view.lowest


class Forgetful(Watcher):
    """Watches without asking for the record."""

    memory = False


def watch(
    rules: str = "cotton", games: int = 50, second: type[Watcher] = Watcher
) -> list[tuple[str, View]]:
    SEEN.clear()
    players: list[Any] = [
        enlist(name, watcher(name=name), NoStore(), INTERPRETED)
        for name, watcher in (("a", Watcher), ("b", second))
    ]
    fixtures = [Fixture(0, 0, mirror, games, (0, 1)) for mirror in (0, 1)]
    played = play(compile_rules(find_ruleset(rules)), players, fixtures, seed=5, buffers=Buffers())
    assert not played.reasons
    return list(SEEN)


def test_a_leader_asked_over_his_own_lead_has_no_card_to_reply_to():
    asked = [view for _, view in watch() if view.asked and view.is_leader]
    assert len(asked) > 20
    assert all(view.led == view.equal == view.cheapest_winner == 0 for view in asked)


def test_the_card_to_reply_to_is_the_opponents_last():
    for _, view in watch():
        theirs = [card for card in view.their_played if card]
        assert view.led in ({0} if view.is_leader else {theirs[-1]})
        better = [card for card in view.cards if card > view.led > 0]
        assert view.cheapest_winner == min(better, default=0)
        assert view.equal == (view.led if view.led and view.led in view.cards else 0)


def test_a_view_holds_the_players_own_cards_and_only_what_was_laid_of_the_others():
    for _, view in watch():
        mine = [card for card in view.cards if card]
        laid = [card for card in view.played if card]
        assert len(mine) + len(laid) == 3
        assert abs(len(laid) - sum(card > 0 for card in view.their_played)) <= 1
        assert (view.highest, view.lowest) == (max(mine), min(mine))


def test_luck_is_fresh_at_every_decision():
    lucks = Counter(view.luck for _, view in watch())
    assert max(lucks.values()) == 1
    assert all(0 <= luck < 1 for luck in lucks)


def test_the_record_counts_what_was_said_in_the_match_so_far():
    views = watch(games=20)
    last = views[-1][1]
    assert last.hands > 15
    assert last.their_puts >= last.their_puts_seen >= last.their_puts_lost
    assert last.my_asked - last.their_puts in (0, -1)
    assert last.my_thrown == last.their_thrown == 0


def test_only_who_asks_for_the_record_is_shown_it():
    seen = watch(games=20, second=Forgetful)
    record = View._fields.index("hands")
    assert not any(any(view[record:]) for name, view in seen if name == "b")
    assert all(any(view[record:]) for name, view in seen[10:] if name == "a" and view.hands)
    assert max(view.hands for name, view in seen if name == "a") > 15


def test_scores_are_shown_however_long_the_game():
    views = [view for _, view in watch(f"plain(target={MAX_TARGET})", games=4)]
    assert {view.score for view in views} >= set(range(MAX_TARGET))
    assert {view.their_score for view in views} >= set(range(MAX_TARGET))

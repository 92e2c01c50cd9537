"""Kernel and slow machine, two tellings of the same rules, agree on everything that happens."""

from collections.abc import Sequence

import pytest

from put_cli.speculation import state as at
from put_cli.speculation.machine import What
from put_cli.speculation.rules import Speculation
from put_cli.speculation.strategy import Speculator

from .tables import (
    Remembering,
    RememberingWitness,
    Whim,
    Witness,
    events_of,
    matches,
    play_all,
    told_slowly,
)

GAMES = {
    "usual": Speculation(),
    "three": Speculation(players=3, ante=1),
    "twelve": Speculation(players=12, deals=3),
    "spare": Speculation(players=4, spare_hand=True, dealer_ante=1),
    "exhaust": Speculation(players=3, exhaust_pack=True, spare_hand=True, deals=7),
    "whole hands": Speculation(players=6, unseen="hand", payment=3, exhaust_pack=True),
    "bare": Speculation(players=5, presale=False, unseen="none", payment=0),
}


def players(number: int) -> list[Speculator]:
    """From silent to talkative; every third remembers."""
    shares = [0.02, 0.3, 0.9, 0.5, 0.1, 0.7, 0.2, 0.4, 0.05, 0.6, 0.8, 0.15]
    return [
        (Remembering if n % 3 == 2 else Whim)(often, most=3 + n)
        for n, often in enumerate(shares[:number])
    ]


def compare(rules: Speculation, strategies: Sequence[Speculator], blocks: int, games: int) -> int:
    """Play both ways and compare event by event; how many deals there were."""
    table = matches(rules.players, blocks, games, mirrors=2)
    played = play_all(rules, strategies, table, seed=11)
    told = events_of(played)
    deal = 0
    session = 0
    for row in table.tolist():
        for game in range(row[at.M_GAMES]):
            slow = told_slowly(rules, strategies, row, game, 11)
            for each in slow.deals:
                assert told[deal] == each.events
                assert list(played.deals[deal, at.D_NET : at.D_NET + rules.players]) == each.chips
                deal += 1
            chips = played.sessions[session, at.G_CHIPS : at.G_CHIPS + rules.players]
            assert list(chips) == slow.chips
            assert played.sessions[session, at.G_DEALS] == len(slow.deals)
            session += 1
    assert deal == len(played.deals)
    assert session == len(played.sessions)
    return deal


@pytest.mark.parametrize("game", GAMES)
def test_kernel_and_machine_agree_event_by_event(game: str) -> None:
    rules = GAMES[game]
    assert compare(rules, players(rules.players), blocks=3, games=2) >= 30


@pytest.mark.long
def test_kernel_and_machine_agree_on_thousands_of_deals() -> None:
    deals = 0
    for rules in GAMES.values():
        wanted = 400 // rules.deals_a_session
        deals += compare(rules, players(rules.players), blocks=max(1, wanted // 10), games=5)
    assert deals >= 2_400


@pytest.mark.parametrize("game", GAMES)
def test_everybody_sees_the_same_in_both_tellings(game: str) -> None:
    rules = GAMES[game]

    def witnesses() -> list[Witness]:
        kinds = [RememberingWitness if n % 2 else Witness for n in range(rules.players)]
        return [kind(0.1 + n / 20) for n, kind in enumerate(kinds)]

    table = matches(rules.players, blocks=1, games=2)
    fast, slow = witnesses(), witnesses()
    play_all(rules, fast, table, seed=3, tier="interpreted")
    for game_number in range(2):
        told_slowly(rules, slow, table.tolist()[0], game_number, 3)
    for one, other in zip(fast, slow, strict=True):
        assert len(one.notes) > 10
        assert one.notes == other.notes
        assert [type(value) for value in one.notes[0][1]] == [
            type(value) for value in other.notes[0][1]
        ]


def test_a_talkative_table_sees_every_kind_of_event() -> None:
    rules = GAMES["spare"]
    played = play_all(rules, players(4), matches(4, blocks=1, games=60))
    assert {What(kind) for kind in played.events[:, 1]} == set(What)


def test_compiled_and_interpreted_players_play_the_same_deals() -> None:
    rules = GAMES["exhaust"]
    table = matches(3, blocks=2, games=10)
    native = play_all(rules, players(3), table)
    slow = play_all(rules, players(3), table, tier="interpreted")
    assert (native.events == slow.events).all()
    assert (native.sessions == slow.sessions).all()

"""The View of a hand under way: what the player to act sees, for tests of strategies.

It is made from the referee's hand and the documentation of `View`, not by the code that plays, and
a test holds the two against each other.
"""

from typing import Any

from put_cli.engine.tables import SITUATION, opponent_of, situation_of
from put_cli.engine.views import NO_OTHERS
from put_cli.rules.notation import HAND_CARDS
from put_cli.rules.play import Play
from put_cli.strategy import Other, View

_BOOLS = frozenset(name for name, kind in View.__annotations__.items() if kind is bool)
_BLANK = dict.fromkeys(View._fields, 0) | dict.fromkeys(_BOOLS, False)


def view_of(play: Play, luck: float) -> View:
    """What the player to act sees, in the first game of a match whose record is empty."""
    machine, state = play.machine, play.state
    seat, me = machine.actor(state), play.player()
    opponent = opponent_of(state, seat, machine.seats)
    values: dict[str, Any] = _BLANK | _cards(play, me)
    numbers = situation_of(machine, state, machine.legal(state), seat, opponent)
    values |= {
        name: bool(number) if name in _BOOLS else number
        for name, number in zip(SITUATION, numbers, strict=True)
    }
    values |= {
        "their_played": _played(play, play.players[opponent]),
        "score": play.score[seat],
        "their_score": play.score[opponent],
        "luck": luck,
        "exposed_mine": _exposed(play, seat),
        "exposed_theirs": _exposed(play, opponent),
        "others": _others(play, seat, opponent),
    }
    return View(**values)


def _cards(play: Play, me: int) -> dict[str, Any]:
    """The fields that a player's own cards determine, and the card that he has to beat."""
    pack, state = play.machine.rules.cards, play.state
    held = [pack.card(rank) for rank in play.held[me]]
    own = [pack.card(rank) for rank in play.played[me]]
    fourth = held.pop() if len(held) + len(own) > HAND_CARDS else 0
    cards = sorted(held + own, reverse=True)
    for card in own:
        cards[cards.index(card)] = 0
    # Who has laid a card to the running trick has nothing left to beat in it.
    led = pack.card(play.best) if state.led and len(own) == len(state.tricks) else 0
    everything = [*held, fourth] if fourth else held
    return {
        "cards": tuple(cards),
        "highest": max(everything, default=0),
        "lowest": min(everything, default=0),
        "cheapest_winner": min((card for card in held if led and card > led), default=0),
        "equal": led if led in held else 0,
        "led": led,
        "played": _played(play, me),
        "fourth": fourth,
    }


def _played(play: Play, player: int) -> tuple[int, ...]:
    """His cards in the order in which he played them, and 0 for those to come."""
    cards = [play.machine.rules.cards.card(rank) for rank in play.played[player]]
    return (*cards, 0, 0, 0)[:HAND_CARDS]


def _exposed(play: Play, seat: int) -> int:
    """A card of the seat, or side, that a misdeal has shown to all, or 0."""
    rules = play.machine.rules
    if not play.shown:
        return 0
    # Of partners eldest's side has the odd numbers.
    concerned = 1 - play.concerned % 2 if rules.partners else play.concerned
    return rules.cards.card(play.shown) if concerned == seat else 0


def _others(play: Play, seat: int, opponent: int) -> tuple[Other, ...]:
    """The opponents besides the one that `their_` speaks of, clockwise from him."""
    machine, state = play.machine, play.state
    won = machine.tally(state.tricks)
    round_table = [(opponent + step) % machine.seats for step in range(1, machine.seats)]
    others = [
        Other(
            live=each not in state.dead,
            score=play.score[each],
            tricks=won[each] if each not in state.dead else 0,
            puts=state.puts[each],
            played=_played(play, each),  # type: ignore[arg-type]
            exposed=_exposed(play, each),
        )
        for each in round_table
        if each != seat
    ]
    return (*others, *NO_OTHERS)[: len(NO_OTHERS)]

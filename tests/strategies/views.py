"""Views written by hand, as a table would tell them: cards dealt, cards played, what is due."""

from typing import Any

from put_cli import GAME, View
from put_cli.rules.cards import PACKS


def view(
    dealt: str,
    played: str = "",
    their_played: str = "",
    *,
    pack: str = "full52",
    asked: bool = False,
    must_speak: bool = False,
    **fields: Any,
) -> View:
    """The View of a player dealt `dealt` once the cards named have been played, trick by trick.

    With one more card of theirs than of one's own there is a card to reply to; with one more of
    one's own the opponent has spoken before replying. Unless `fields` say otherwise it is
    Cotton's game at 0-0: a put is allowed, it would play for the game, throwing pays a point.
    """
    ranks = PACKS[pack]
    cards = sorted((ranks.card(rank) for rank in dealt.split()), reverse=True)
    mine = [ranks.card(rank) for rank in played.split()]
    theirs = [ranks.card(rank) for rank in their_played.split()]
    for card in mine:
        cards[cards.index(card)] = 0
    held = [card for card in cards if card]
    tricks = list(zip(mine, theirs, strict=False))
    led = theirs[-1] if len(theirs) > len(mine) else 0
    winners = [card for card in held if led and card > led]
    values: dict[str, Any] = {
        "cards": tuple(cards),
        "highest": max(held, default=0),
        "lowest": min(held, default=0),
        "cheapest_winner": min(winners, default=0),
        "equal": led if led in held else 0,
        "led": led,
        "played": (*mine, 0, 0, 0)[:3],
        "their_played": (*theirs, 0, 0, 0)[:3],
        "trick": min(len(tricks) + 1, 3),
        "my_tricks": sum(a > b for a, b in tricks),
        "their_tricks": sum(a < b for a, b in tricks),
        "ties": sum(a == b for a, b in tricks),
        "target": 5,
        "worth": 1,
        "worth_if_seen": GAME,
        "worth_if_thrown": 1,
        "is_leader": not led,
        "asked": asked,
        "must_speak": must_speak,
        "may_put": not asked,
        "may_throw": asked or must_speak,
        "may_play": not asked and not must_speak,
        "top": ranks.top,
        "copies": ranks.copies,
        "pack_size": ranks.size,
    }
    blank: dict[str, Any] = dict.fromkeys(View._fields, 0) | {"luck": 0.5, "is_dealer": False}
    return View(**(blank | values | fields))


def card(rank: str, pack: str = "full52") -> int:
    """The number of a rank letter."""
    return PACKS[pack].card(rank)

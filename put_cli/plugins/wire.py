"""The line protocol between the program and a player's process: what a line holds, both ways.

A line is a JSON object with a `type`; docs/external-players.md has them all. A View travels as a
list of the fields that its rule set can make other than zero, which `rules` names beforehand.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from put_cli.engine.lanes import METHODS
from put_cli.rules.ruleset import RuleSet
from put_cli.strategy import WORD_NAMES, HandRecord, Match, Other, View

PROTOCOL = 1

_TUPLES = ("cards", "played", "their_played")
_OF_MORE = ("fourth", "exposed_mine", "exposed_theirs")
_RECORD = View._fields[View._fields.index("hands") :]
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def line(kind: str, **facts: Any) -> bytes:
    """A line of a type."""
    return _encode({"type": kind, **facts}).encode()


def hello(player: str, **facts: Any) -> bytes:
    """The first line: who it is to play as, by the text that named it, and the words."""
    words = {name: word for word, name in WORD_NAMES.items()}
    return line(
        "hello", protocol=PROTOCOL, player=player, words=words, methods=list(METHODS), **facts
    )


def rules_of(rules: RuleSet, fields: Sequence[str], move_timeout: float) -> bytes:
    """The line that says which game is played from now on, and what a view holds."""
    return line(
        "rules",
        rules=rules.name,
        target=rules.target,
        ranks=rules.cards.ranks,
        players=rules.players,
        partners=rules.partners,
        fields=fields,
        move_timeout=move_timeout,
    )


def fields_of(rules: RuleSet, *, memory: bool) -> list[str]:
    """The fields of a View that are not always zero in a game, in their order."""
    left_out = set() if memory else set(_RECORD)
    if rules.players == 2:
        left_out.add("others")
        if not rules.partners and not rules.misdeals:
            left_out.update(_OF_MORE)
    return [name for name in View._fields if name not in left_out]


def packer(fields: Sequence[str]) -> Callable[[Iterable[View]], list[tuple[Any, ...]]]:
    """A function that makes of each View what is sent of it."""
    pick = itemgetter(*map(View._fields.index, fields))
    return lambda views: list(map(pick, views))


def unpacker(fields: Sequence[str]) -> Callable[[Sequence[list[Any]]], list[View]]:
    """The other way: Views of what was sent, the same to the type as they were."""
    nobody = Other(False, 0, 0, 0, (0, 0, 0), 0)
    absent = {"others": (nobody,) * 4}
    places = {name: place for place, name in enumerate(fields)}
    padding = [absent.get(name, 0) for name in View._fields if name not in places]
    missing = iter(range(len(fields), len(View._fields)))
    pick = itemgetter(*(places[n] if n in places else next(missing) for n in View._fields))
    tuples = [places[name] for name in _TUPLES]
    others = places.get("others")

    def unpack(rows: Sequence[list[Any]]) -> list[View]:
        for row in rows:
            for place in tuples:
                row[place] = tuple(row[place])
            if others is not None:
                row[others] = tuple(
                    Other(live, score, tricks, puts, tuple(played), exposed)
                    for live, score, tricks, puts, played, exposed in row[others]
                )
            row += padding
        return list(map(View._make, map(pick, rows)))

    return unpack


def match_from(facts: dict[str, Any]) -> Match:
    """The Match of its JSON."""
    return Match(**facts)


def record_from(facts: dict[str, Any]) -> HandRecord:
    """The HandRecord of its JSON."""
    made = {name: _frozen(value) for name, value in facts.items()}
    return HandRecord(**made)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value

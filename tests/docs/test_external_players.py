"""The page about the line protocol says what the lines hold."""

import json
import re
from pathlib import Path
from typing import Any

from put_cli.plugins import wire
from put_cli.rules.finding import find_ruleset
from put_cli.strategy import HandRecord, Match

PAGE = Path(__file__).parents[2] / "docs" / "external-players.md"


def lines() -> dict[str, list[dict[str, Any]]]:
    """The lines of the page by their type, in order."""
    found: dict[str, list[dict[str, Any]]] = {}
    for block in re.findall(r"^```json\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        rest = block.strip()
        while rest:
            line, end = json.JSONDecoder().raw_decode(rest)
            found.setdefault(line["type"], []).append(line)
            rest = rest[end:].strip()
    return found


def test_every_line_is_shown_with_what_it_holds() -> None:
    shown = lines()
    sent, answered = shown["hello"]
    assert sent == json.loads(wire.hello("exec(./bot --level 3)"))
    assert answered == {"type": "hello", "protocol": wire.PROTOCOL}
    rules = find_ruleset("cotton")
    fields = wire.fields_of(rules, memory=False)
    (told,) = shown["rules"]
    assert told | {"fields": fields} == json.loads(wire.rules_of(rules, fields, 1.0))
    assert told["fields"][:3] == fields[:3]
    (asked,) = shown["decide"]
    assert asked.keys() == {"type", "method", "views"}
    (answer,) = shown["actions"]
    assert len(answer["actions"]) == len(asked["views"])
    ((_, match),) = shown["begin_match"][0]["matches"]
    assert tuple(match) == Match._fields
    ((_, record),) = shown["hand_over"][0]["records"]
    assert tuple(record)[:-1] == HandRecord._fields[: len(record) - 1]

"""Sentences about players, said to the one at the terminal: `you lead K`, `Fox leads K`.

The rules tell a hand with whatever names they are given. Here these are marks, `@0` for the
person and on clockwise, because a name could be any word; the marks become names, and the verbs
and pronouns of the person are put into the second person.
"""

import re
from collections.abc import Sequence

from put_cli.report.tables import printable
from put_cli.rules.ruleset import RuleSet

ME = 0
"""The person's chair, and side."""


def mark(chair: int) -> str:
    """Stands for whoever sits in a chair, until a sentence is said."""
    return f"@{chair}"


def capital(text: str) -> str:
    """The beginning of a line; names stay as they are."""
    return text[0].upper() + text[1:] if text.startswith(("you", "the ", "a ")) else text


class Speech:
    """What everybody is called; `others` are the strategies in chair 1 and on, clockwise."""

    def __init__(self, rules: RuleSet, others: Sequence[str]) -> None:
        shown = [printable(name) for name in others]
        if rules.partners:
            left, _, right = shown
            self.people = ["you", f"{left} on your left", "your partner", f"{right} on your right"]
            self.sides = ["your side", "the other side"]
        else:
            self.people = self.sides = ["you", *shown]

    def said(self, told: str) -> str:
        """A sentence whose players are marks; the first of them is whom `his` speaks of."""
        subject = first = -1

        def replaced(match: "re.Match[str]") -> str:
            nonlocal subject, first
            if match["his"]:
                return _YOURS[match["his"]] if first == ME else match["his"]
            if match["and"]:
                verb = match["and"]
                return f"and {_PLAIN[verb] if subject == ME else verb}"
            subject = int(match["chair"])
            if match["side"]:
                chair, subject = subject, -1  # a side has verbs of the third person
                return self.sides[chair] + match["verb"]
            first = subject if first < 0 else first
            if match["of"]:
                return f"of {'yours' if subject == ME else self.people[subject]}"
            if match["own"]:
                if subject != ME:
                    return f"{self.people[subject]}'s{match['end']}"
                return f"yours{match['end']}" if match["end"] else "your"
            verb = match["verb"]
            if subject == ME and verb:
                verb = f" {_PLAIN[verb[1:]]}"
            return self.people[subject] + verb

        return _SPOKEN.sub(replaced, told)


_VERBS = (
    *("puts", "sees", "throws", "leads", "takes", "plays"),
    *("gives", "receives", "keeps", "lays", "exposes", "lets", "wants", "draws", "deals"),
)
_PLAIN = {verb: verb.removesuffix("s") for verb in _VERBS} | {"replies": "reply", "is": "are"}
_YOURS = {"his": "your", "him": "you", "himself": "yourself"}
_VERB = "|".join(_PLAIN)
_SPOKEN = re.compile(
    rf"(?P<of>\bof |)@(?P<chair>\d)(?:(?P<side>'s side)|(?P<own>'s)(?P<end>,?)|)"
    rf"(?P<verb>(?: (?:{_VERB})\b)?)"
    rf"|\band (?P<and>{_VERB})\b|\b(?P<his>{'|'.join(_YOURS)})\b"
)

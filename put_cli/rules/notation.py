"""Hand notation: a whole hand on one line, read and written.

    E 7 2 3 | D 9 K A | E7 D9 D:put E:see DK E2 E3 DA

First the cards of everybody at the table, then what happened in order. `E7` is a card played,
`D:put`, `E:see`, `D:throw` are words. Who sits at the table shows in the letters:

    E D          two-handed: eldest and dealer
    A B C ...    three to six, clockwise: A is eldest, the last one deals
    0 1 2 3      partners: dealer, eldest, dealer's partner, eldest's partner

Partners first give and receive. `1:receive`, `1:give` and (where allowed) `0:keep` are what the
captains choose, eldest's captain 1 before 0; the giver's best card passes by itself; `1-5` says
that player 1 lays out a 5, and `13` that he plays a 3.

    0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:receive 0:receive 1-5 0-4 13 02 1A 0K

When the dealer erred (the Laws of Put) that is the first of all steps, and the ruling the next:

    D:shows:E3   dealer exposes eldest's 3          then E:stand or E:redeal
    D:shows:DK   dealer exposes his own K           nothing to choose
    D:faced      a faced card in the pack           the hand ends there
    D:gives:E    eldest has four cards              then E:redeal or E:draw:9 (the 9 is out)
    D:gives:D    dealer has four: eldest scores 1   then E:redeal or E:draw:K, unless he has won

This file knows the form of a line and nothing of the rules: whether the hand was played by them
is for `put_cli.rules.referee` to say.
"""

import re
from dataclasses import dataclass
from functools import cache

from put_cli.errors import NotationError
from put_cli.rules.machine import SEATS
from put_cli.rules.ruleset import MAX_PLAYERS, RuleSet

MAX_LINE = 400
"""Characters in a line; the longest hand, six players' or seven seen puts, takes about 200."""

HAND_CARDS = 3

TWO, PARTNERS, MANY = "ED", "0123", "ABCDEF"[:MAX_PLAYERS]
"""Everybody at the table, as the notation calls them; of MANY as many as play."""

SHOWS, FACED, GIVES = "shows", "faced", "gives"
"""What goes wrong with a deal."""

LAY_OUT, DRAW = "lay out", "draw"
"""A card laid out is written `1-5`, one drawn from four `E:draw:9`."""

_FORM = "'E cards | D cards | steps' such as 'E 7 2 3 | D 9 K A | E7 D9 D:put E:throw'"
_FORM_PARTNERS = "'0 cards | 1 cards | 2 cards | 3 cards | steps'"
_FORM_MANY = f"'A cards | B cards | C cards | steps', with cards of up to {MAX_PLAYERS} players"
_RANK = re.compile(r"[0-9A-Z]", re.ASCII | re.IGNORECASE)


def letters_of(rules: RuleSet) -> str:
    """Everybody at the table of a rule set, in the order in which the notation lists them."""
    if rules.partners:
        return PARTNERS
    return TWO if rules.players == 2 else MANY[: rules.players]


def names_of(letters: str) -> tuple[str, ...]:
    """What they are called in words."""
    if letters == PARTNERS:
        return tuple(f"player {letter}" for letter in letters)
    return SEATS if letters == TWO else tuple(letters)


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a hand, by the player with this place in the hand's letters.

    A `rank` alone is a card played. With the word `lay out` or `draw` the card is laid out or
    drawn; `shows` exposes a card of the player at place `whose`, `gives` gives him four.
    """

    seat: int
    rank: str = ""
    word: str = ""
    whose: int = -1

    @property
    def plays(self) -> bool:
        """Whether the step is a card played."""
        return not self.word

    def text(self, letters: str = TWO) -> str:
        """The step as the notation writes it: `E7` or `D:put`."""
        actor = letters[self.seat]
        if self.plays:
            return actor + self.rank
        if self.word == LAY_OUT:
            return f"{actor}-{self.rank}"
        what = (letters[self.whose] if self.whose >= 0 else "") + self.rank
        return f"{actor}:{self.word}" + (f":{what}" if what else "")


@dataclass(frozen=True, slots=True)
class Hand:
    """Who played, the cards dealt to each as rank letters, and everything that was done and said.

    Raises:
        NotationError: somebody does not have three cards (or four, where the dealer gave four).
    """

    letters: str
    dealt: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        first = self.steps[0] if self.steps else None
        for seat, name in enumerate(names_of(self.letters)):
            four = first is not None and first.word == GIVES and first.whose == seat
            expected = HAND_CARDS + four
            if len(self.dealt[seat]) != expected:
                raise NotationError(
                    f"cards of {name}: expected {expected}, got {len(self.dealt[seat])}."
                )

    def cards(self, seat: int) -> tuple[str, ...]:
        """The cards dealt to the player at this place."""
        return self.dealt[seat]

    def step_texts(self) -> tuple[str, ...]:
        """The steps as the notation writes them."""
        return tuple(step.text(self.letters) for step in self.steps)

    def text(self) -> str:
        """The line of notation; `parse_hand` reads it back to an equal hand."""
        cards = map(" ".join, zip(self.letters, map(" ".join, self.dealt), strict=True))
        return " | ".join((*cards, " ".join(self.step_texts()))).rstrip()


def parse_hand(line: str) -> Hand:
    """The hand that a line of notation describes; capitals and extra blanks do not matter.

    Raises:
        NotationError: the line is too long or not of the form; the message says where and why.
    """
    if len(line) > MAX_LINE:
        raise NotationError(f"expected at most {MAX_LINE} characters, got {len(line)}.")
    *hands, steps = line.split("|")
    letters, form = _table(line.strip()[:1].upper(), len(hands))
    if len(hands) != len(letters):
        raise NotationError(f"expected {form}, got {_quoted(line)}.")
    return Hand(
        letters,
        tuple(_cards(text, letters, seat) for seat, text in enumerate(hands)),
        tuple(_step(text, letters, number) for number, text in enumerate(steps.split(), start=1)),
    )


def _table(first: str, hands: int) -> tuple[str, str]:
    """The letters that a line must mean, by its first one and the hands in it; and the form."""
    if first == PARTNERS[0]:
        return PARTNERS, _FORM_PARTNERS
    if first == MANY[0]:
        return MANY[: max(hands, 3)], _FORM_MANY
    return TWO, _FORM


def _cards(text: str, letters: str, seat: int) -> tuple[str, ...]:
    letter, *ranks = text.split() or [""]
    name = names_of(letters)[seat]
    if letter.upper() != letters[seat]:
        raise NotationError(
            f"cards of {name}: expected {letters[seat]} and three ranks such as "
            f"'{letters[seat]} 7 2 3', got {_quoted(text.strip())}."
        )
    for rank in ranks:
        if not _RANK.fullmatch(rank):
            raise NotationError(
                f"cards of {name}: expected ranks of one letter or digit (T is ten), "
                f"got {_quoted(rank)}."
            )
    return tuple(rank.upper() for rank in ranks)


@cache
def _pattern(letters: str) -> re.Pattern[str]:
    """A step of players with these letters; one named group more than `seat` for each kind."""
    rank = "[0-9A-Z]"
    return re.compile(
        rf"(?P<seat>[{letters}])(?:(?P<played>{rank})|-(?P<laid_out>{rank})"
        rf"|:draw:(?P<drawn>{rank})|:shows:(?P<whose>[{letters}])(?P<shown>{rank})"
        rf"|:gives:(?P<to>[{letters}])|:(?!(?:draw|shows|gives)$)(?P<word>[A-Z]+))",
        re.ASCII | re.IGNORECASE,
    )


def _step(text: str, letters: str, number: int) -> Step:
    match = _pattern(letters).fullmatch(text)
    if match is None:
        raise NotationError(
            f"step {number} {_quoted(text)}: expected a seat and a card such as {letters[0]}7, or "
            f"a seat and a word: put, see or throw, such as {letters[1]}:put "
            "('put judge --help' tells the other steps)."
        )
    part = {kind: value.upper() for kind, value in match.groupdict(default="").items()}
    seat = letters.index(part["seat"])
    if part["laid_out"]:
        return Step(seat, part["laid_out"], LAY_OUT)
    if part["drawn"]:
        return Step(seat, part["drawn"], DRAW)
    if part["shown"]:
        return Step(seat, part["shown"], SHOWS, letters.index(part["whose"]))
    if part["to"]:
        return Step(seat, word=GIVES, whose=letters.index(part["to"]))
    return Step(seat, part["played"], part["word"].lower())


def _quoted(text: str) -> str:
    """Foreign text for an error message: short, and with control characters made harmless."""
    return repr(text if len(text) <= 60 else text[:60] + "...")

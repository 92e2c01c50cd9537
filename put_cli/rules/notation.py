"""Hand notation: a whole hand on one line, read and written.

    E 7 2 3 | D 9 K A | E7 D9 D:put E:see DK E2 E3 DA

The cards of eldest, the cards of dealer, then what happened in order: `E7` eldest plays a 7,
`D:put`, `E:see`, `D:throw` are words. This file knows the form of a line and nothing of the
rules: whether the hand was played by them is for `put_cli.rules.referee` to say.
"""

import re
from dataclasses import dataclass

from put_cli.errors import NotationError
from put_cli.rules.machine import DEALER, ELDEST, SEATS

MAX_LINE = 400
"""Characters in a line; the longest hand, six cards and seven seen puts, takes about 130."""

HAND_CARDS = 3
SEAT_LETTERS = ("E", "D")

_STEP = re.compile(r"([ED])(?:([0-9A-Z])|:([A-Z]+))", re.ASCII | re.IGNORECASE)
_RANK = re.compile(r"[0-9A-Z]", re.ASCII | re.IGNORECASE)
_FORM = "'E cards | D cards | steps' such as 'E 7 2 3 | D 9 K A | E7 D9 D:put E:throw'"


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a hand: `seat` plays the card `rank`, or says `word`; the other is empty."""

    seat: int
    rank: str = ""
    word: str = ""

    def text(self) -> str:
        """The step as the notation writes it: `E7` or `D:put`."""
        return SEAT_LETTERS[self.seat] + (f":{self.word}" if self.word else self.rank)


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of both seats, as rank letters, and everything that was played and said.

    Raises:
        NotationError: a seat does not have exactly three cards.
    """

    eldest: tuple[str, ...]
    dealer: tuple[str, ...]
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        for seat in (ELDEST, DEALER):
            if len(self.cards(seat)) != HAND_CARDS:
                raise NotationError(
                    f"cards of {SEATS[seat]}: expected {HAND_CARDS}, got {len(self.cards(seat))}."
                )

    def cards(self, seat: int) -> tuple[str, ...]:
        """The cards dealt to a seat."""
        return self.eldest if seat == ELDEST else self.dealer

    def text(self) -> str:
        """The line of notation; `parse_hand` reads it back to an equal hand."""
        seats = (" ".join((SEAT_LETTERS[seat], *self.cards(seat))) for seat in (ELDEST, DEALER))
        return " | ".join((*seats, " ".join(step.text() for step in self.steps))).rstrip()


def parse_hand(line: str) -> Hand:
    """The hand that a line of notation describes; capitals and extra blanks do not matter.

    Raises:
        NotationError: the line is too long or not of the form; the message says where and why.
    """
    if len(line) > MAX_LINE:
        raise NotationError(f"expected at most {MAX_LINE} characters, got {len(line)}.")
    parts = line.split("|")
    if len(parts) != 3:
        raise NotationError(f"expected {_FORM}, got {_quoted(line)}.")
    return Hand(
        eldest=_cards(parts[0], ELDEST),
        dealer=_cards(parts[1], DEALER),
        steps=tuple(_step(text, number) for number, text in enumerate(parts[2].split(), start=1)),
    )


def _cards(text: str, seat: int) -> tuple[str, ...]:
    letter, *ranks = text.split() or [""]
    if letter.upper() != SEAT_LETTERS[seat]:
        raise NotationError(
            f"cards of {SEATS[seat]}: expected {SEAT_LETTERS[seat]} and three ranks such as "
            f"'{SEAT_LETTERS[seat]} 7 2 3', got {_quoted(text.strip())}."
        )
    for rank in ranks:
        if not _RANK.fullmatch(rank):
            raise NotationError(
                f"cards of {SEATS[seat]}: expected ranks of one letter or digit (T is ten), "
                f"got {_quoted(rank)}."
            )
    return tuple(rank.upper() for rank in ranks)


def _step(text: str, number: int) -> Step:
    match = _STEP.fullmatch(text)
    if match is None:
        raise NotationError(
            f"step {number} {_quoted(text)}: expected a seat and a card such as E7, or a seat and "
            "a word: put, see or throw, such as D:put."
        )
    seat, rank, word = match.groups(default="")
    return Step(SEAT_LETTERS.index(seat.upper()), rank.upper(), word.lower())


def _quoted(text: str) -> str:
    """Foreign text for an error message: short, and with control characters made harmless."""
    return repr(text if len(text) <= 60 else text[:60] + "...")
